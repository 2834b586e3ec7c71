"""What is written where: answers on stdout, everything else on stderr; colour and symbols by one set of rules.

Knows terminals, JSON, CSV and tables; nothing of any command. Rich is imported only when a table is drawn.
"""

from __future__ import annotations

import csv
import json
import os
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TextIO

from arena.cli.flags import Flags

ASCII = str.maketrans(
    {
        "✓": "ok",
        "✗": "FAIL",
        "−": "-",
        "±": "+-",
        "·": "|",
        "…": "...",
        "█": "#",
        "░": ".",
        "▲": "^",
        "▼": "v",
        "♣": "C",
        "♦": "D",
        "♥": "H",
        "♠": "S",
        "×": "x",
    }
)
"""What symbols become with --ascii; any other character outside ASCII is escaped."""

STYLES = {"bold": "1", "good": "34", "bad": "33", "dim": "2"}
"""ANSI codes; good is blue and bad is yellow, never green and red. The words beside them always say the same."""


@dataclass(frozen=True)
class Column:
    """A column of a table: its heading and on which side its cells line up."""

    heading: str
    right: bool = False
    width: int = 0
    """At least so many characters."""


@dataclass(frozen=True)
class Output:
    """Where one run of a command writes."""

    flags: Flags
    stdout_color: bool
    stderr_color: bool
    ascii: bool

    # stdout

    def line(self, text: str = "") -> None:
        """A line of the answer."""
        sys.stdout.write(self.plain(text) + "\n")

    def write(self, text: str) -> None:
        """A piece of the answer, shown at once."""
        sys.stdout.write(self.plain(text))
        sys.stdout.flush()

    def document(self, schema: str, data: object) -> None:
        """The answer as one JSON document, the same bytes on every terminal and in every pipe."""
        text = json.dumps({"schema": f"arena.{schema}", "data": data}, indent=2, ensure_ascii=True)
        sys.stdout.write(text + "\n")

    def rows(self, headings: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """The answer as CSV: full precision, empty for None."""
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(headings)
        writer.writerows(rows)

    def record(self, schema: str, data: Mapping[str, object], text: str) -> None:
        """One record as the answer: a document, one row of CSV, or a text for people."""
        if self.flags.json:
            self.document(schema, data)
        elif self.flags.csv:
            self.rows(list(data), [list(data.values())])
        else:
            self.line(text)

    def table(self, columns: Sequence[Column], rows: Iterable[Sequence[str]], *, wrap: bool = False) -> None:
        """The answer as a table for people. With `wrap` the last column is folded at the edge of a terminal."""
        for line in self.table_lines(columns, rows, wrap=wrap):
            sys.stdout.write(line + "\n")

    def table_lines(self, columns: Sequence[Column], rows: Iterable[Sequence[str]], *, wrap: bool = False) -> list[str]:
        """The lines of a table: two spaces between columns, headings in bold where colour is on, never cut off."""
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        fold = wrap and sys.stdout.isatty()
        width = max(60, shutil.get_terminal_size((100, 24)).columns) if fold else 10_000
        console = Console(file=sys.stdout, width=width, color_system=None, legacy_windows=False)
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_edge=False)
        for place, column in enumerate(columns):
            last = place == len(columns) - 1
            table.add_column(
                Text(self.plain(column.heading)),
                justify="right" if column.right else "left",
                min_width=column.width or None,
                no_wrap=not (wrap and last),
                overflow="fold",
            )
        for row in rows:
            table.add_row(*[Text(self.plain(cell)) for cell in row])
        with console.capture() as captured:
            console.print(table)
        lines = [line.rstrip() for line in captured.get().splitlines()]
        return [self.style(lines[0], "bold"), *lines[1:]]

    # stderr

    def note(self, text: str) -> None:
        """Something worth knowing that is not the answer; not with -q."""
        if not self.flags.quiet:
            self.error_line(text)

    def warning(self, text: str) -> None:
        """What somebody had better know, though it is no error; also with -q, not with -qq."""
        if self.flags.quiet < 2:
            self.error_line(text)

    def decision(self, text: str) -> None:
        """Why something was done or left out; only with -v."""
        if self.flags.verbose:
            self.error_line(text)

    def next_step(self, command: str) -> None:
        """The `next:` line that ends every success, for people at a terminal only."""
        if sys.stderr.isatty() and not self.flags.quiet and not self.flags.json:
            self.error_line(self.style("next:", "bold", error=True) + " " + command)

    def error_line(self, text: str) -> None:
        """A line on stderr, whatever -q says."""
        sys.stderr.write(self.plain(text) + "\n")
        sys.stderr.flush()

    # both

    def plain(self, text: str) -> str:
        """The text, without symbols where they may not be written."""
        return text.translate(ASCII).encode("ascii", "backslashreplace").decode() if self.ascii else text

    def style(self, text: str, name: str, *, error: bool = False) -> str:
        """The text in a style of `STYLES` where colour is on."""
        on = self.stderr_color if error else self.stdout_color
        return f"\x1b[{STYLES[name]}m{text}\x1b[0m" if on else text


def brief(value: object) -> str:
    """A figure in few digits, nothing for None."""
    if isinstance(value, float):
        return f"{value:.2f}" if value < 10 else f"{value:.0f}"
    return "" if value is None else str(value)


def heading_of(key: str) -> str:
    """A key of JSON data as a heading: decisions_per_s -> decisions/s."""
    return key.replace("_per_", "/").replace("_", " ")


def output_for(flags: Flags, environ: Mapping[str, str] = os.environ) -> Output:
    """The output of one run; makes the streams safe for any text first."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    return Output(
        flags=flags,
        stdout_color=color_on(flags, environ, sys.stdout) and not (flags.json or flags.csv),
        stderr_color=color_on(flags, environ, sys.stderr) and not flags.json,
        ascii=flags.ascii or not speaks_utf8(environ, sys.stdout),
    )


def color_on(flags: Flags, environ: Mapping[str, str], stream: TextIO) -> bool:
    """Whether a stream gets colour: --color, then FORCE_COLOR, then NO_COLOR, TERM=dumb and what the stream is."""
    if flags.color != "auto":
        return flags.color == "always"
    if environ.get("FORCE_COLOR"):
        return True
    return not environ.get("NO_COLOR") and environ.get("TERM") != "dumb" and stream.isatty()


def speaks_utf8(environ: Mapping[str, str], stream: Any) -> bool:  # Any: streams of tests have no encoding
    """Whether the locale and the stream take UTF-8. Without any locale the stream decides."""
    encoding = str(getattr(stream, "encoding", None) or "utf-8").lower().replace("-", "")
    named = next((environ[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if environ.get(name)), "")
    coerced = not environ.get("LC_ALL") and environ.get("LC_CTYPE") == "C.UTF-8"  # Python does so for LANG=C
    if coerced and environ.get("LANG") in ("C", "POSIX"):
        named = environ["LANG"]
    return encoding == "utf8" and (not named or "utf8" in named.lower().replace("-", ""))
