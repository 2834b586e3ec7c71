"""What bots wrote: the logs of the data folder, whose they are, and which of them may be read now.

A log may name cards, so that it stays sealed as long as a board that its process played. Knows file names and the
store; not how a log is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from arena.record.results import GameKey
from arena.runner.sealing import Seals
from arena.store.store import Store

GAMES = re.compile(r"-r(\d+)-t(\d+)-g(\d+)-(\d+)(?:-b\d+-a\d+)?-(\d+)\.log")
"""After the competitor: round, table, seating from 1, process, start."""
MARK = re.compile(r"\[(?:game \d+ )?turn (\d+)(?: or later)?\]")
"""A line of a log by itself: what follows was written for this turn, until the next one."""
VERSION = re.compile(r"^@[0-9a-f]+")
"""After a bot's name, where the competitor is one of its versions."""
CHECK = re.compile(r"-p(\d+)-(\d+)\.log")
AGAIN = re.compile(r"-\d+")
"""A bot that sits on several sides of a table outside tournaments: fox, fox-2."""


class Log(NamedTuple):
    """The output of one process."""

    file: Path
    event: str
    """A tournament's name, `check` or `play`."""
    round: int
    """0 outside games, as table and seating."""
    table: int
    seating: int
    """From 1."""
    process: int
    start: int
    written: datetime
    """When it was last written to: the process had ended, or runs on."""

    def text(self) -> str:
        """All of it, unreadable bytes written out; control characters are as the bot wrote them."""
        return self.file.read_bytes().decode("utf-8", "backslashreplace")

    def data(self) -> dict[str, Any]:
        """All but the text as JSON data."""
        return {
            **self._asdict(),
            "file": str(self.file),
            "written": self.written.isoformat(timespec="seconds").replace("+00:00", "Z"),
            "bytes": self.file.stat().st_size,
        }


def logs_of(logs: Path, name: str) -> list[Log]:
    """The logs of a competitor below a folder of logs, the newest first; of a bot those of all its versions, which on a
    ladder are competitors of their own."""
    found = []
    for folder in sorted(each for each in logs.iterdir() if each.is_dir()) if logs.is_dir() else []:
        for file in (*folder.glob(f"{name}-*.log"), *folder.glob(f"{name}@*-*.log")):
            rest = VERSION.sub("", file.name.removeprefix(name))
            numbers = _numbers(rest, play=folder.name == "play")
            if numbers is not None:
                with suppress(FileNotFoundError):  # retention removed it a moment ago
                    written = datetime.fromtimestamp(file.stat().st_mtime, UTC)
                    found.append(Log(file, folder.name, *numbers, written))
    return sorted(found, key=lambda log: (log.written, str(log.file)), reverse=True)


def _numbers(rest: str, *, play: bool) -> tuple[int, int, int, int, int] | None:
    """(round, table, seating, process, start) of what follows the name; None: it is another bot's."""
    if match := CHECK.fullmatch(rest):
        return 0, 0, 0, int(match[1]), int(match[2])
    match = GAMES.fullmatch(rest)
    if match is None and play and (again := AGAIN.match(rest)):
        match = GAMES.fullmatch(rest[again.end() :])
    if match is None:
        return None
    round_, table, seating, process, start = map(int, match.groups())
    return round_, table, seating, process, start


def lines_of(text: str) -> list[str]:
    """The lines of what a bot wrote, without their ends: at "\\n" and at no other sign that may break a line, so that
    one number means the same line wherever lines are counted."""
    return text.removesuffix("\n").split("\n") if text else []


def turns_of(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """(turn, line) of the lines of a log; -1 before its first turn. A mark belongs to its turn."""
    turn = -1
    for line in lines:
        found = MARK.fullmatch(line)
        turn = int(found[1]) if found is not None else turn
        yield turn, line


def of_turn(text: str, turn: int) -> str:
    """What a log says of one turn number, in all of its games, with the marks."""
    return "".join(f"{line}\n" for number, line in turns_of(lines_of(text)) if number == turn)


def sealed(store: Store, logs: Iterable[Log]) -> dict[Path, frozenset[int]]:
    """The files that may not be read yet, and the boards for which they wait: see `Seals`."""
    by_event: dict[str, Seals | None] = {}
    closed = {}
    for log in logs:
        if log.event not in by_event:
            tournament = store.tournament(log.event)
            by_event[log.event] = Seals(store, tournament) if tournament is not None else None
        seals = by_event[log.event]
        waiting = seals.sealed_with(log.round, log.table) if seals is not None and log.round else frozenset()
        if waiting:
            closed[log.file] = waiting
    return closed


def of_game(logs: Iterable[Log], event: str, key: GameKey) -> list[Log]:
    """The logs of the processes that may have played a game."""
    wanted = (event, key.round, key.table, key.seating + 1)
    return [log for log in logs if (log.event, log.round, log.table, log.seating) == wanted]


def of_faults(store: Store, logs: Iterable[Log], name: str) -> list[Log]:
    """The logs of the processes in whose games the bot was at fault."""
    logs = list(logs)
    places = {
        (tournament.name, fault.key.round, fault.key.table, fault.key.seating + 1)
        for tournament in store.tournaments()
        if tournament.name in {log.event for log in logs}
        for entrant in tournament.entrants
        if name in (entrant.name, entrant.name.partition("@")[0])
        for fault in store.faults(tournament.id, entrant.name)
    }
    return [log for log in logs if (log.event, log.round, log.table, log.seating) in places]
