"""What an event came to in the words of its format: a standing, its matches, and who won. A value, made of the schedule
and of what was closed; how it is shown is not known here, nor is any rating.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from arena.tournament import gauntlet, knockout, swiss
from arena.tournament.history import History
from arena.tournament.schedule import Schedule

Rows = tuple[swiss.Row, ...] | tuple[knockout.Row, ...] | tuple[gauntlet.Row, ...]
Matches = tuple[swiss.Meeting, ...] | tuple[knockout.Fate, ...]
DECIDED = {
    "blocks": "by blocks",
    "extra": "on extra boards",
    "swing": "level in blocks, by swing",
    "seed": "level in everything, as the better seed",
    "walkover": "by walkover",
    "bye": "without an opponent",
}
"""How a match was decided, in words."""


class Outcome(NamedTuple):
    """What an event came to."""

    over: bool
    winners: tuple[str, ...]
    """Several: level in everything that counts. Nobody: it goes on, or there was no contest."""
    words: str
    """The same as a sentence."""
    standing: Rows
    matches: Matches


def has_outcome(schedule: Schedule) -> bool:
    """Whether a format says more than its rating table."""
    return isinstance(schedule, swiss.Swiss | knockout.Knockout | gauntlet.Gauntlet)


def outcome(schedule: Schedule, history: History, field: Sequence[str] = (), *, over: bool = False) -> Outcome | None:
    """The outcome after the closed rounds; None for a format whose rating table says everything.

    `field`: who still takes part. `over`: whether the event is finished; a knockout knows that itself.
    """
    match schedule:
        case swiss.Swiss():
            return _swiss(schedule, history, field, over)
        case knockout.Knockout():
            return _knockout(schedule, history, field)
        case gauntlet.Gauntlet():
            return _gauntlet(schedule, history, over)
        case _:
            return None


def _swiss(schedule: swiss.Swiss, history: History, field: Sequence[str], over: bool) -> Outcome:
    rows, matches = schedule.standing(history, field), schedule.meetings(history)
    first = [row for row in rows if row.place == 1]
    best = first[0]
    figures = (
        f"{best.points:g} points of {history.closed} rounds, Buchholz {best.buchholz:g}, {best.swing:+.1f} a block"
    )
    names = " and ".join(row.bot for row in first)
    if not over:
        words = f"after {history.closed} of {schedule.last} rounds: {names} in front with {figures}"
    elif len(first) > 1:
        words = f"{names} share the first place with {figures}"
    else:
        words = f"{names} wins with {figures}"
    if not matches:
        words = "no round is closed yet"
    return Outcome(over, tuple(row.bot for row in first) if over and matches else (), words, rows, matches)


def _knockout(schedule: knockout.Knockout, history: History, field: Sequence[str]) -> Outcome:
    course = schedule.course(history, field=field)
    winner = schedule.winner(course)
    fates = [course.fates[match] for stage in schedule.bracket.stages for match in stage]
    matches = tuple(fate for fate in fates if fate is not None)
    if winner:
        words = f"{winner} wins the {told(matches[-1])}"
    else:
        pairs = ", ".join(f"{one} - {other}" for one, other in course.waiting)
        words = f"to be played in round {course.number}: {pairs}"
    return Outcome(not course.waiting, (winner,) if winner else (), words, schedule.standing(course), matches)


def told(fate: knockout.Fate) -> str:
    """A decided match in words, its winner left aside: `final 12-8 against owl, by blocks`."""
    mine, theirs = fate.score if fate.winner == fate.sides[0] else fate.score[::-1]
    against = f" against {fate.loser}" if fate.loser else ""
    score = f" {mine:g}-{theirs:g}" if fate.rounds else ""
    return f"{fate.title}{score}{against}, {DECIDED[fate.by]}"


def _gauntlet(schedule: gauntlet.Gauntlet, history: History, over: bool) -> Outcome:
    rows = schedule.standing(history)
    best = [row for row in rows if (row.share, row.swing) == (rows[0].share, rows[0].swing)]
    if not any(row.blocks for row in rows):
        return Outcome(over, (), "no block is complete yet", rows, ())
    words = "; ".join(
        f"{row.candidate} took {row.share:.1%} of the points from the panel, {row.swing:+.1f} a block" for row in rows
    )
    contest = over and len(rows) > 1
    return Outcome(over, tuple(row.candidate for row in best) if contest else (), words, rows, ())


def outcome_to_data(found: Outcome) -> dict[str, Any]:  # Any: JSON
    """An outcome as JSON data; numbers unrounded."""
    return {
        "over": found.over,
        "winners": list(found.winners),
        "words": found.words,
        "standing": [_data(row) for row in found.standing],
        "matches": [_data(match) for match in found.matches],
    }


def _data(value: object) -> Any:  # Any: JSON
    if hasattr(value, "_asdict"):
        return {name: _data(each) for name, each in value._asdict().items()}
    return [_data(each) for each in value] if isinstance(value, tuple) else value
