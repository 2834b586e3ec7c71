"""What a bot wrote: its logs and the logs of its builds, for its owner and organisers. Shown as text and nothing else.

Words about boards that are not open stay sealed, for owners too.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from arena.runner.outputs import MARK, Log, lines_of, logs_of, of_game, sealed
from arena.runner.sealing import boards_text
from arena.store.store import Store
from arena.web.botpages.identity import Known
from arena.web.errors import Forbidden, NotFound

LISTED = 300
"""So many logs are listed, the newest."""
LINES = 2000
"""So many lines of one log are shown at once."""
SEARCHED_BYTES = 16 * 1024 * 1024
"""So much is read to find a text in all logs."""
HITS = 200
BUILDS = "build"
BREAKS = ("Zl", "Zp")
"""The kinds of the signs of Unicode that a browser may break a line at."""


class Entry(NamedTuple):
    """One log in the list."""

    key: str
    """Names it in addresses: "spring/fox-r1-t2-g1-1-1.log"."""
    title: str
    written: str
    size: int
    sealed: str
    """What it waits for; empty: it may be read."""


class Hit(NamedTuple):
    """One line with the text that was looked for."""

    key: str
    line: int
    text: Markup


class Shown(NamedTuple):
    """One log, opened."""

    key: str
    title: str
    lines: tuple[tuple[int, Markup], ...]
    """(number from 1, text)."""
    total: int
    first: int
    """Number of the first line that is shown."""
    turns: int = 0
    """How many turns are marked in it."""
    found: int | None = None
    """The line with the mark of the turn that was asked for."""


class Words:
    """The logs of one bot."""

    def __init__(self, store: Store, data: Path, bot: Known, game: str = "") -> None:
        """`game`: only logs of processes that may have played it (a public id). Raises NotFound."""
        self._builds = data / "builds"
        self._bot = bot
        logs = logs_of(data / "logs", bot.name)
        if game:
            full = store.game(game)
            if full is None:
                raise NotFound(f"no game {game!r}", where=f"/bot/{bot.name}/logs")
            logs = of_game(logs, full.info.tournament, full.info.row.key)
        self.left_out = max(0, len(logs) - LISTED)
        self._logs = {f"{log.event}/{log.file.name}": log for log in logs[:LISTED]}
        self._sealed = sealed(store, self._logs.values())

    def entries(self) -> list[Entry]:
        """The logs, newest first, then those of builds."""
        found = [
            Entry(key, _title(log), log.data()["written"], log.data()["bytes"], self._waits(log))
            for key, log in self._logs.items()
            if log.file.exists()
        ]
        builds = [
            Entry(f"{BUILDS}/{file.name}", f"build of {word}", "", file.stat().st_size, "")
            for word, file in self._build_logs()
        ]
        return [*found, *builds]

    def open(self, key: str, first: int = 1, turn: int | None = None) -> Shown:
        """One log from a line on, or from the first mark of a turn, else of the next one that has output.

        Raises NotFound, Forbidden while it is sealed.
        """
        title, text = self._text(key)
        lines = lines_of(text)
        marked = [(int(mark[1]), number) for number, line in enumerate(lines, 1) if (mark := MARK.fullmatch(line))]
        found = None
        if turn is not None and marked:
            first = found = min((at, number) for at, number in [*marked, (10**9, len(lines))] if at >= turn)[1]
        first = max(1, min(first, len(lines)))
        part = lines[first - 1 : first - 1 + LINES]
        numbered = tuple((number, visible(line)) for number, line in enumerate(part, first))
        return Shown(key, title, numbered, len(lines), first, len(marked), found)

    def find(self, text: str) -> list[Hit]:
        """Lines with a text, whatever its case, in logs that may be read, the newest first."""
        found: list[Hit] = []
        read = 0
        for entry in self.entries():
            if entry.sealed or read + entry.size > SEARCHED_BYTES:
                continue
            read += entry.size
            for number, line in enumerate(lines_of(self._text(entry.key)[1]), 1):
                if text.casefold() in line.casefold():
                    found.append(Hit(entry.key, number, visible(line[:400])))
                    if len(found) >= HITS:
                        return found
        return found

    def _text(self, key: str) -> tuple[str, str]:
        """(title, text) of a log."""
        log = self._logs.get(key)
        try:
            if log is not None:
                waits = self._waits(log)
                if waits:
                    raise Forbidden(f"this log is sealed: {waits}", where=key, fix="it opens by itself")
                return _title(log), log.text()
            for word, file in self._build_logs():
                if key == f"{BUILDS}/{file.name}":
                    return f"build of {word}", file.read_bytes().decode("utf-8", "backslashreplace")
        except FileNotFoundError:
            pass
        raise NotFound("there is no such log", where=key[:200], fix="retention removes old ones")

    def _waits(self, log: Log) -> str:
        boards = self._sealed.get(log.file)
        return f"it waits for {boards_text(boards)}" if boards else ""

    def _build_logs(self) -> Iterator[tuple[str, Path]]:
        for version in reversed(self._bot.versions):
            file = self._builds / f"{version.version[:32]}.log"
            if file.is_file():
                yield f"v{version.number}", file


def _title(log: Log) -> str:
    if not log.round:
        return f"{log.event}, process {log.process}, start {log.start}"
    return (
        f"{log.event}, round {log.round}, table {log.table}, seating {log.seating}, "
        f"process {log.process}, start {log.start}"
    )


def data_of(entry: Entry) -> dict[str, Any]:
    """As JSON data."""
    return {**entry._asdict(), "sealed": entry.sealed or None}


def visible(text: str) -> Markup:
    """A text as it is, with signs that a terminal or the direction of writing would obey written out and marked."""
    parts: list[Markup] = []
    plain: list[str] = []
    for sign in text:
        kind = unicodedata.category(sign)
        if sign == "\t" or not (kind.startswith("C") or kind in BREAKS):
            plain.append(sign)
            continue
        parts.append(escape("".join(plain)))
        plain = []
        code = f"\\x{ord(sign):02x}" if ord(sign) < 256 else f"\\u{ord(sign):04x}"
        parts.append(Markup('<span class="control">{}</span>').format(code))
    return Markup("").join([*parts, escape("".join(plain))])
