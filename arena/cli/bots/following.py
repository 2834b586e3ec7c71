"""`arena bot logs --follow`: what a bot's processes write, as it gets into their logs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from arena.cli.bots.logs import heading_of
from arena.cli.failure import one_line
from arena.cli.output import Output

if TYPE_CHECKING:
    from arena.runner.outputs import Log
    from arena.store.store import Store

POLL_S = 0.5


class Follower:
    """Reads on in logs from where it was."""

    def __init__(self) -> None:
        self._read: dict[Path, int] = {}
        self._last: Path | None = None

    def skip(self, logs: list[Log]) -> None:
        """What is there is known already."""
        self._read = {log.file: log.file.stat().st_size for log in logs}

    def lines(self, logs: list[Log]) -> Iterator[str]:
        """What is new, whole lines, the oldest log first; a heading where another log begins."""
        from arena.runner.outputs import lines_of

        for log in reversed(logs):
            begun = self._read.get(log.file, 0)
            try:
                if log.file.stat().st_size == begun:
                    continue
                data = log.file.read_bytes()
            except FileNotFoundError:
                continue
            if len(data) < begun:
                begun = 0  # another game of `arena play` writes anew
            end = data.rfind(b"\n") + 1
            if end <= begun:
                self._read[log.file] = min(begun, len(data))
                continue
            self._read[log.file] = end
            if log.file != self._last:
                yield heading_of(log)
            self._last = log.file
            text = data[begun:end].decode("utf-8", "backslashreplace")
            yield from (one_line(line) for line in lines_of(text))


def follow_logs(output: Output, store: Store, data: Path, name: str) -> NoReturn:
    """Print what is written from now on, until the command is stopped. What is sealed is left out until it opens."""
    from arena.runner.outputs import logs_of, sealed

    follower = Follower()
    follower.skip(logs_of(data / "logs", name))
    output.note(f"following {name}: what it writes from now on (Ctrl-C ends it)")
    while True:
        known = logs_of(data / "logs", name)
        closed = sealed(store, known)
        for line in follower.lines([log for log in known if log.file not in closed]):
            output.write(f"{line}\n")
        time.sleep(POLL_S)
