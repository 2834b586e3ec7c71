"""Why a game was lost, in lines for whoever looks: a seat's eyes are told no card of another seat."""

from __future__ import annotations

from typing import NamedTuple

from arena.record.compare import Why
from arena.web.games.eyes import ALL, Eyes
from arena.web.games.replays import Replay
from arena.web.games.shown import Shown


class WhyLine(NamedTuple):
    """Why a side lost."""

    side: str
    text: str
    turn: int | None
    seat: str
    """The viewpoint to go to."""


def why_lines(shown: Shown, eyes: Eyes) -> tuple[WhyLine, ...]:
    """Why each side lost that lost, the side of a seat's eyes first; none for those who want to see no results."""
    if shown.comparison is None or not shown.results:
        return ()
    sides = shown.replay.game.sides

    def other(why: Why) -> bool:
        return eyes.asked.isdigit() and eyes.seat not in sides[why.side]

    return tuple(_line(shown.replay, why, eyes) for why in sorted(shown.comparison.whys, key=other))


def _line(replay: Replay, why: Why, eyes: Eyes) -> WhyLine:
    text = why.text
    if why.seat is not None and why.turn is not None and not eyes.sees(why.seat):
        text = f"What stands out against the other tables is turn {why.turn}, of {replay.called[why.seat]}."
    return WhyLine(replay.sides[why.side], text, why.turn, ALL if why.seat is None else str(why.seat))
