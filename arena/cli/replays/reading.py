"""`arena replay show` with --step and --text: a recorded game position by position, or a sentence a move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from arena.cli.flags import UsageError, refuse_beside
from arena.cli.output import Output
from arena.cli.replays.course import Course
from arena.cli.replays.showing import check_seat

if TYPE_CHECKING:
    from arena.record.transcript import Transcript


def check_alone(output: Output, flag: str, beside: Mapping[str, bool]) -> None:
    """Raises UsageError where one of the other flags is given, or a form for programs, or nobody sits at a terminal."""
    from arena.cli.replays.stepping import is_terminal

    refuse_beside(flag, {**beside, "--json": output.flags.json, "--csv": output.flags.csv})
    if flag == "--step" and not is_terminal():
        raise UsageError("--step needs a terminal", saw="streams that are none", fix="--text has a sentence a move")


def read_on(output: Output, transcript: Transcript, seat: int | None, turns: int | None, *, step: bool) -> None:
    """A game as one seat saw it, or with all hands open; its first `turns` moves, or all. Raises ConfigError USAGE."""
    if seat is not None:
        check_seat(transcript.bots, seat)
    course = Course.of(transcript, seat, turns)
    if not step:
        for turn in range(1, course.last + 1):
            output.line(course.line(turn))
        return
    from arena.cli import stoppable
    from arena.cli.replays import stepping

    stoppable.run(stepping.step(output, course, playing=False))
