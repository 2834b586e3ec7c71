"""What stands around the positions of a game: title, result, viewpoints, the strip of tricks. It names no card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from arena.record.compare import MarkKind, marks
from arena.web.games.comparison import Difference
from arena.web.games.eyes import ALL, MOVER, Eyes
from arena.web.games.replays import Replay
from arena.web.games.results import results
from arena.web.games.shown import Shown
from arena.web.rendering import number
from arena.web.table import cards

TALLEST = 18
"""The longest bar in units of the drawing."""
WIDE, NARROW, BROAD = 640, 12, 48
"""Its width unless there are too many tricks, and the least and most of one."""
MARK_WORDS = {
    MarkKind.FAULT: "fault",
    MarkKind.DIFFERENCE: "first difference",
    MarkKind.SLOW: "slow",
    MarkKind.NOTE: "note",
}


class Bar(NamedTuple):
    """One trick in the strip."""

    x: float
    width: float
    up: int
    """Height above the middle."""
    down: int
    text: str
    """"trick 3: S/N +25"."""
    first: int
    last: int
    calls: bool


class Sign(NamedTuple):
    """One mark under the strip, and in the list of marks."""

    x: float
    sign: str
    turn: int
    text: str


class Strip(NamedTuple):
    """The strip."""

    width: float
    bars: tuple[Bar, ...]
    signs: tuple[Sign, ...]
    above: str
    """Whose points go up; empty where each seat plays alone."""
    below: str


class Viewpoint(NamedTuple):
    """A viewpoint to choose."""

    asked: str
    words: str
    title: str
    key: str
    current: bool


def strip_at(shown: Shown, turn: int) -> Strip:
    """The strip of a game as it is shown at a turn: for those who want to see no results up to there."""
    comparison, clock = shown.comparison, shown.found.clock
    return strip_of(
        shown.replay,
        parting=comparison.parting if comparison is not None and shown.results else None,
        limit_ms=clock.cap_ms if clock is not None else None,
        notes=shown.notes,
        until=shown.until(turn),
    )


def strip_of(
    replay: Replay, *, parting: int | None, limit_ms: float | None, notes: frozenset[int], until: int | None = None
) -> Strip:
    """The strip of a game. `notes`: seats whose notes are shown; `until`: tricks that are over at this turn have their
    points, marks that come later are left out; None: all is known.
    """
    units = replay.units_until(until)
    points = [unit.points if until is None or unit.last < until else (0,) * len(unit.points) for unit in units]
    count = max(1, len(units))
    wide = min(max(WIDE / count, NARROW), BROAD)
    two = len(replay.game.sides) == 2
    deals = len(replay.transcript.deals) if until is None else len({unit.deal for unit in units})
    most = max((abs(point) for each in points for point in each), default=0) or 1
    bars = []
    for place, (unit, brought) in enumerate(zip(units, points, strict=True)):
        if two:
            up, down = max(brought[0], 0) + max(-brought[1], 0), max(brought[1], 0) + max(-brought[0], 0)
        else:
            total = sum(brought)
            up, down = max(total, 0), max(-total, 0)
        told = ", ".join(
            f"{'/'.join(replay.marks[seat] for seat in seats)} {number(each, plus=True)}"
            for seats, each in zip(replay.game.sides, brought, strict=True)
            if each
        )
        over = until is None or unit.last < until
        label = unit.label if deals < 2 else f"deal {unit.deal + 1}, {unit.label}"
        text = f"{label}: {told or 'no points'}" if unit.trick and over else label
        bars.append(
            Bar(
                round(place * wide, 2), round(wide, 2), _high(up, most), _high(down, most), text, unit.first,
                unit.last if until is None else min(unit.last, until), not unit.trick,
            )
        )  # fmt: skip
    signs = []
    for mark in marks(replay.transcript, difference=parting, limit_ms=limit_ms):
        if (mark.kind is MarkKind.NOTE and mark.seat not in notes) or (until is not None and mark.turn > until):
            continue
        moves = replay.transcript.moves
        detail = {
            MarkKind.FAULT: moves[mark.turn].fault,
            MarkKind.SLOW: f"{moves[mark.turn].elapsed_ms / 1000:.1f} s",
        }.get(mark.kind, "")
        place = replay.unit_at(mark.turn) or 0
        share = (mark.turn - bars[place].first + 0.5) / (bars[place].last - bars[place].first + 1)
        text = f"turn {mark.turn}, {replay.called[mark.seat]}: {MARK_WORDS[mark.kind]} {detail}".strip()
        signs.append(Sign(round((place + share) * wide, 2), mark.kind.value, mark.turn, text))
    names = ["/".join(replay.marks[seat] for seat in seats) for seats in replay.game.sides]
    return Strip(round(count * wide, 2), tuple(bars), tuple(signs), names[0] if two else "", names[1] if two else "")


def _high(points: int, most: int) -> int:
    return round(TALLEST * min(points, most) / most)


def viewpoints(replay: Replay, eyes: Eyes) -> tuple[Viewpoint, ...]:
    """All viewpoints, in the order of their keys."""
    seats = [
        Viewpoint(str(seat), mark, f"as {replay.called[seat]} saw it", str(seat + 1), eyes.asked == str(seat))
        for seat, mark in enumerate(replay.marks)
    ]
    everybody = Viewpoint(ALL, "All hands", "all hands open", "0", eyes.asked == ALL)
    return (
        everybody,
        *seats,
        Viewpoint(MOVER, "As the mover saw", "only what the mover saw", "v", eyes.asked == MOVER),
    )


def title_of(shown: Shown, turn: int) -> str:
    """The title of a page: "turn 31, fox-owl, board 17"."""
    where = shown.found.where
    place = f"board {where.board}" if where is not None else shown.replay.game.title
    return f"turn {turn}, {versus(shown.replay)}, {place}"


def versus(replay: Replay) -> str:
    """Who plays whom: "fox-owl"."""
    return "-".join(dict.fromkeys(replay.names))


def frame(shown: Shown, turn: int, eyes: Eyes) -> dict[str, Any]:
    """What the template of the frame needs besides the position. Any: for the template."""
    replay, comparison = shown.replay, shown.comparison
    strip = strip_at(shown, turn)
    differences: tuple[Difference, ...] = ()
    if comparison is not None and shown.results:
        differences = comparison.differences
    return {
        "sprite": cards.sprite(replay.family),
        "strip": strip,
        "differences": differences,
        "viewpoints": viewpoints(replay, eyes),
        "results": results(replay) if shown.results else (),
        "forfeits": [(replay.called[seat], code) for seat, code in replay.transcript.forfeits] if shown.results else [],
        "data": data_of(shown, strip, turn),
    }


def course_of(shown: Shown, strip: Strip, turn: int) -> dict[str, Any]:
    """The course of a game in numbers, as far as it may be known at a turn. Any: JSON.

    `last` is null where it must not be known; the last unit then ends at the turn.
    """
    replay, until = shown.replay, shown.until(turn)
    end = replay.last if until is None else until
    return {
        "last": replay.last if until is None else None,
        "movers": replay.movers[: None if until is None else until + 1],
        "units": [[unit.first, min(unit.last, end)] for unit in replay.units_until(until)],
        "differences": [sign.turn for sign in strip.signs if sign.sign == MarkKind.DIFFERENCE.value],
        "faults": [sign.turn for sign in strip.signs if sign.sign == MarkKind.FAULT.value],
        "notes": [sign.turn for sign in strip.signs if sign.sign == MarkKind.NOTE.value],
    }


def data_of(shown: Shown, strip: Strip, turn: int) -> Mapping[str, Any]:
    """What the browser needs to step: numbers only, and the name for titles. Any: JSON."""
    replay = shown.replay
    whys = shown.comparison.whys if shown.comparison is not None and shown.results else ()
    where = shown.found.where
    return {
        "id": shown.found.public_id,
        "seats": replay.game.seats,
        **course_of(shown, strip, turn),
        "also": shown.also,
        "why": [[why.turn, ALL if why.seat is None else why.seat] for why in whys if why.turn is not None],
        "title": f"{versus(replay)}, {f'board {where.board}' if where is not None else replay.game.title}",
        "board": f"/t/{where.tournament}/b/{where.board}" if where is not None and shown.links else "",
    }
