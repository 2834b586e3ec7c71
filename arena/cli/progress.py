"""How far a long run is: a bar on a terminal that can redraw, else one plain line every tenth or every 30 seconds.

Writes on stderr only. Knows counts and seconds; nothing of what is counted.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from arena.cli.output import Output

QUIET_S = 30.0
"""Without a terminal a line is written at least so often, seconds."""
Clock = Callable[[], float]


class Progress(Protocol):
    """Told how far a run is."""

    def update(self, done: int, note: str = "") -> None:
        """`done` of the total are done; `note` is a word beside it ("25 games/s")."""
        ...


class Silent:
    """Says nothing."""

    def update(self, done: int, note: str = "") -> None:
        """Nothing."""


class Lines:
    """Plain lines for logs and pipes."""

    def __init__(self, output: Output, label: str, total: int | None, unit: str, clock: Clock = time.monotonic) -> None:
        self._output = output
        self._label = label
        self._total = total
        self._unit = unit
        self._clock = clock
        self._start = self._last = clock()
        self._tenth = 0

    def update(self, done: int, note: str = "") -> None:
        """A line when another tenth is done, or 30 seconds after the last one."""
        now = self._clock()
        tenth = 10 * done // self._total if self._total else 10 * (self._total is not None)
        if tenth == self._tenth and now - self._last < QUIET_S:
            return
        self._tenth, self._last = tenth, now
        ending = f"  {now - self._start:.0f} s" + (f"  ({note})" if note else "")
        if self._total is None:
            self._output.error_line(f"{self._label}  {done} {self._unit}{ending}")
            return
        share = 100 * done // self._total if self._total else 100
        self._output.error_line(f"{self._label}  {done}/{self._total} {self._unit}  {share} %{ending}")


class Bar:
    """A bar of Rich, redrawn in place."""

    def __init__(self, output: Output, bar: Any, task: Any) -> None:  # Any: Rich is imported late
        self._output = output
        self._bar = bar
        self._task = task

    def update(self, done: int, note: str = "") -> None:
        """Move the bar."""
        self._bar.update(self._task, completed=done, note=self._output.plain(f"({note})") if note else "")


@contextmanager
def progress(output: Output, label: str, total: int | None, unit: str, *, streams: bool = False) -> Iterator[Progress]:
    """Progress of a run of `total` units while the block runs; None: nobody knows how many.

    `streams` says that the answer is written meanwhile: if that goes to the terminal too, no bar is drawn over it.
    """
    terminal = sys.stderr.isatty()
    if output.flags.quiet or (streams and terminal and sys.stdout.isatty()):
        yield Silent()
    elif not terminal or output.flags.verbose or os.environ.get("TERM", "dumb") in ("dumb", "unknown"):
        yield Lines(output, label, total, unit)
    else:
        with _bar(output, label, total, unit) as bar:
            yield bar


@contextmanager
def megabytes(output: Output, label: str) -> Iterator[Callable[[int], None]]:
    """Progress of work on nobody knows how many bytes: what it gives is told how many more are done."""
    done = 0
    with progress(output, label, None, "MB") as shown:

        def heard(more: int) -> None:
            nonlocal done
            done += more
            shown.update(done // 1_000_000)

        yield heard


@contextmanager
def _bar(output: Output, label: str, total: int | None, unit: str) -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as RichProgress

    console = Console(
        file=sys.stderr,
        color_system="auto" if output.stderr_color else None,
        no_color=not output.stderr_color,
        legacy_windows=False,
        safe_box=output.ascii,
    )
    shape = TextColumn("") if output.ascii else BarColumn(bar_width=20)
    with RichProgress(
        TextColumn("{task.description}"),
        shape,
        TextColumn(("{task.completed}/{task.total} " if total is not None else "{task.completed} ") + unit),
        TimeElapsedColumn(),
        TextColumn("{task.fields[note]}"),
        console=console,
        transient=True,
        redirect_stdout=False,  # the answer goes where it always goes
    ) as bar:
        yield Bar(output, bar, bar.add_task(output.plain(label), total=total, note=""))
