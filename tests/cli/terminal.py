"""Runs `arena` as people and scripts do: in a pipe, or with some of its streams on a terminal of its own (a pty)."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

COMMAND = (sys.executable, "-m", "arena.cli")
SURROUNDINGS = {
    name: value
    for name, value in os.environ.items()
    if name in ("PATH", "PYTHONPATH", "HOME", "TMPDIR", "VIRTUAL_ENV") or name.startswith("COV")
}


class Ran(NamedTuple):
    """What came of one run."""

    status: int
    stdout: str
    stderr: str

    def error(self) -> dict[str, str]:
        """The five lines of an error, by their labels."""
        lines = dict(line.split(":", 1) for line in self.stderr.splitlines() if ":" in line)
        return {label: text.strip() for label, text in lines.items()}


def _surroundings(more: Mapping[str, str]) -> dict[str, str]:
    return {**SURROUNDINGS, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", **more}


def piped(*words: str, folder: Path | None = None, **more: str) -> Ran:
    """Run with all streams in pipes."""
    done = subprocess.run(
        [*COMMAND, *words],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=folder,
        env=_surroundings(more),
        stdin=subprocess.DEVNULL,
        timeout=180,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def on_terminal(
    *words: str,
    streams: Sequence[str] = ("stdout", "stderr"),
    keys: Sequence[tuple[float | str, bytes]] = (),
    folder: Path | None = None,
    **more: str,
) -> Ran:
    """Run with the named streams (and stdin) on a terminal 100 columns wide; the others in pipes.

    `keys`: (when, bytes typed), when being seconds after the first output, or a pattern to be shown first. What the
    terminal shows is returned as stderr if stderr is on it, else as stdout; both on one terminal come as stderr.
    """
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *words],
        stdin=theirs,
        stdout=theirs if "stdout" in streams else subprocess.PIPE,
        stderr=theirs if "stderr" in streams else subprocess.PIPE,
        cwd=folder,
        env=_surroundings({"COLUMNS": "100", "LINES": "30", **more}),
        preexec_fn=_own_terminal,
        close_fds=True,
    )
    os.close(theirs)
    shown: dict[int, bytes] = {ours: b""}
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            shown[pipe.fileno()] = b""
    open_ends = set(shown)
    deadline = time.monotonic() + 180
    first: float | None = None
    waiting = list(keys)
    while open_ends and time.monotonic() < deadline:
        if waiting and first is not None and _is_time(waiting[0][0], time.monotonic() - first, shown[ours]):
            os.write(ours, waiting.pop(0)[1])
        for end in select.select(list(open_ends), [], [], 0.05)[0]:
            try:
                data = os.read(end, 65536)
            except OSError:  # a terminal whose other end is closed
                data = b""
            first = time.monotonic() if first is None else first
            shown[end] += data
            if not data:
                open_ends.discard(end)
    try:
        status = process.wait(timeout=60)
    finally:
        process.kill()  # one that does not end fails this test, and no other
        process.wait()
    texts = {end: data.decode("utf-8").replace("\r\n", "\n") for end, data in shown.items()}
    os.close(ours)
    stdout = texts[process.stdout.fileno()] if process.stdout is not None else ""
    stderr = texts[process.stderr.fileno()] if process.stderr is not None else ""
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
    if "stderr" in streams:
        return Ran(status, stdout, texts[ours])
    return Ran(status, texts[ours], stderr)


def _is_time(when: float | str, elapsed: float, shown: bytes) -> bool:
    if isinstance(when, str):
        return re.search(when, shown.decode("utf-8", "replace")) is not None
    return elapsed >= when


def _own_terminal() -> None:
    """In the child: a session whose terminal is stdin, so that Ctrl-C reaches it."""
    import fcntl
    import termios

    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
