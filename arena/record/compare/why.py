"""Why a side lost: a few sentences on the turn at which tables with the same cards did better.

It claims a difference, never an error: tables with the same view chose otherwise, and more came of it. A fault is named
first; where nobody had the same view, the last choice before the largest change of a trick against the other tables;
else it is said that no turn stands out. A turn at which one move alone was legal is never named, unless the game was
forfeited there. Turns count from 0, as everywhere.
"""

from __future__ import annotations

import enum
from typing import Any, NamedTuple

from arena.core.game import Seat, Team
from arena.record.compare.choices import Digest
from arena.record.compare.shortfall import Shortfall, choices_of, largest_shortfall
from arena.record.compare.steps import Step, first_alone, largest_step, step_at, turns_of
from arena.record.compare.tables import Told, Worth, field_of, mean_worth, worth
from arena.record.compare.words import FEW, amount, did, seat_word, signed, tables_word
from arena.record.results import OUT

NO_WORTH = Worth(0.0, 0.0)
NOTHING = "No single turn stands out"


class WhyKind(enum.Enum):
    """What is named."""

    FAULT = "fault"
    STEP = "step"
    TRICK = "trick"
    NOTHING = "nothing"
    """Others played the same cards, and no turn stands out."""
    NONE = "none"
    """There is nothing to compare with: nobody else played the board, or the game is void."""


class Swing(NamedTuple):
    """How a side's block went."""

    by: float
    """Its sum minus the mean of the others' sums: below 0 is lost."""
    games: bool = False
    """Whether games won are counted, not points."""
    tie: float = 0.0
    """The same of the tiebreaks, which decide where `by` is 0."""

    @property
    def lost(self) -> bool:
        """Whether the others came out better."""
        return self.by < 0 or (self.by == 0 and self.tie < 0)


class Why(NamedTuple):
    """Why a side lost, in words and as data."""

    side: Team
    kind: WhyKind
    text: str
    turn: int | None
    """The turn to go to, one of the side's own; None where none is named."""
    seat: Seat | None
    """Its mover."""
    tables: int
    """How many other tables count that played the same cards."""
    same: int
    """How many of them had the same view at the turn; of a trick, how many played it."""
    few: bool
    """Whether the text says "few tables"."""


class _Named(NamedTuple):
    """What a sentence names."""

    kind: WhyKind
    text: str
    turn: int | None = None
    seat: Seat | None = None
    same: int = 0


def why(own: Told, side: Team, digest: Digest, swing: Swing | None = None) -> Why:
    """Why a side lost a game of the board of `digest`. `swing`: of its block, if it is complete.

    Also of a side that did not lose: the text says so first.
    """
    if own.void:
        return Why(side, WhyKind.NONE, f"This game is void: {own.transcript.reason}.", None, None, 0, 0, False)
    field = field_of(own, digest.tables)
    named = _named(own, side, digest, field)
    sentences = (_opening(own, side, swing), _field_sentence(own, side, field), named.text)
    few = any(0 < count < FEW for count in (len(field), named.same))
    return Why(side, named.kind, " ".join(sentences), named.turn, named.seat, len(field), named.same, few)


def losing_sides(own: Told, swings: tuple[Swing | None, ...] = ()) -> tuple[Team, ...]:
    """The sides that lost their block, then who lost only this game of it: of several sides the last one. Where no
    block decides, those that lost the game. None of a void game.

    `swings`: by side, None or left out where its block is not complete.
    """
    if own.void:
        return ()
    sides = range(len(own.game.sides))
    beaten = tuple(side for side in sides if own.transcript.ranks[own.game.sides[side][0]] > 0)
    if all(swing is not None for swing in swings) and any(swing and (swing.by or swing.tie) for swing in swings):
        lost = tuple(side for side, swing in zip(sides, swings, strict=True) if swing is not None and swing.lost)
        worst = max(own.transcript.ranks)
        last = (side for side in beaten if own.transcript.ranks[own.game.sides[side][0]] == worst)
        return (*lost, *(side for side in last if side not in lost))
    return beaten


def why_data(told: Why) -> dict[str, Any]:
    """The same as JSON data."""
    return {**told._asdict(), "kind": told.kind.value}


# What is named


def _named(own: Told, side: Team, digest: Digest, field: tuple[Told, ...]) -> _Named:
    if forfeit := _forfeit(own, side):
        return forfeit
    worse = mean_worth([worth(each, side) for each in field]).over(worth(own, side)) if field else NO_WORTH
    if field and worse <= NO_WORTH:
        return _Named(WhyKind.NOTHING, f"{NOTHING}: others did no better with these cards.")
    if fault := _fault(own, side, digest):
        return fault
    if not field:
        return _Named(WhyKind.NONE, "So there is nothing to compare it with.")
    if step := largest_step(own, side, digest, worse):
        return _step(own, step)
    alone = first_alone(own, side, digest)
    if alone is not None and (short := largest_shortfall(own, side, field, alone)):
        return _trick(own, short)
    return _Named(WhyKind.NOTHING, f"{NOTHING}.")


def _forfeit(own: Told, side: Team) -> _Named | None:
    """The forfeit of one of the side's seats, the first one."""
    for seat, code in own.transcript.forfeits:
        if seat in own.game.sides[side]:
            out = (fault.turn for fault in own.transcript.faults if fault.seat == seat and fault.fault_class in OUT)
            turn = next(out, -1)
            when = f"at turn {turn}" if turn >= 0 else "before the first turn"
            text = f"{_capital(seat_word(own.game, seat))} forfeited the game {when}: {code}."
            at = (turn, seat) if 0 <= turn < len(own.transcript.moves) and _moves(own, turn) == seat else (None, None)
            return _Named(WhyKind.FAULT, text, *at)
    return None


def _fault(own: Told, side: Team, digest: Digest) -> _Named | None:
    """The default move that cost most; of those whose cost nobody can tell the first. None: none cost anything, as
    where nothing else was legal."""
    if not any(own.transcript.moves[turn].fault for turn in turns_of(own, side)):
        return None
    costly: list[tuple[Worth, int, Step | None]] = []
    for turn in choices_of(own, side):
        if not own.transcript.moves[turn].fault:
            continue
        step = step_at(own, turn, side, digest)
        if step is not None and step.gain > NO_WORTH:
            costly.append((step.gain, -turn, step))
        elif not digest.others(own, turn):
            costly.append((NO_WORTH, -turn, None))
    if not costly:
        return None
    _gain, place, step = max(costly, key=lambda each: each[:2])
    move = own.transcript.moves[-place]
    text = (
        f"{_capital(seat_word(own.game, move.seat))} was at fault at turn {-place} ({move.fault}): "
        f"by default it {did(move.move)}; "
    )
    text += _others(step) if step is not None else "no other table had the same view."
    return _Named(WhyKind.FAULT, text, -place, move.seat, step.same if step is not None else 0)


def _step(own: Told, step: Step) -> _Named:
    who = f"{seat_word(own.game, step.seat)} {did(step.own)}"
    text = f"The largest step came at turn {step.turn}: {who}; {_others(step)}"
    return _Named(WhyKind.STEP, text, step.turn, step.seat, step.same)


def _others(step: Step) -> str:
    """What the tables with the same view did."""
    chose = f"chose otherwise, most often {step.other}," if step.scattered else did(step.other)
    return (
        f"{step.chose} of {tables_word(step.same, '')} with the same view {chose} "
        f"and came out {_much(*step.gain)} better on average."
    )


def _trick(own: Told, short: Shortfall) -> _Named:
    """The largest change of a trick, and the choice that it leads to."""
    change = (
        f"largest change against them came in {short.label}: "
        f"{signed(short.here)} {short.unit} here, mean {signed(short.there)} at {tables_word(short.tables)}"
    )
    if short.turn is None:
        text = (
            f"{NOTHING}: where they differ no other table had the same view; the {change}, without a choice before it."
        )
        return _Named(WhyKind.NOTHING, text, same=short.tables)
    seat, move = own.transcript.moves[short.turn].seat, own.transcript.moves[short.turn].move
    last = "The last choice in it" if short.within else "Nothing was left to choose in it; the last choice before"
    text = (
        f"Where they differ no other table had the same view. The {change}. "
        f"{last} was at turn {short.turn}: {seat_word(own.game, seat)} {did(move)}."
    )
    return _Named(WhyKind.TRICK, text, short.turn, seat, short.tables)


def _moves(own: Told, turn: int) -> Seat:
    return own.transcript.moves[turn].seat


# What comes before


def _opening(own: Told, side: Team, swing: Swing | None) -> str:
    """How the block went, or the game."""
    two = len(own.game.sides) == 2
    game = _went("this game", worth(own, side), two)
    if swing is None:
        return f"{game}."
    block = _went("this block" if swing.lost else "the block", Worth(swing.by, swing.tie), two, swing.games)
    return f"{block}." if swing.lost else f"{game}. {block}."


def _went(what: str, by: Worth, two: bool, games: bool = False) -> str:
    much = _much(*by) + ((" game" if abs(by.margin) == 1 else " games") if games and by.margin else "")
    if by == NO_WORTH:
        return f"{_capital(what)} was level" if two else f"Ended {what} at the mean of the others"
    if two:
        return f"{'Lost' if by < NO_WORTH else 'Won'} {what} by {much}"
    return f"Ended {what} {much} {'below' if by < NO_WORTH else 'above'} the mean of the others"


def _much(by: float, tie: float) -> str:
    """The size of a difference: in points, where those are level in card points."""
    return amount(by) if by else f"{amount(tie)} card points"


def _field_sentence(own: Told, side: Team, field: tuple[Told, ...]) -> str:
    if not field:
        return "Nobody else has played these cards to the end."
    there, here = mean_worth([worth(each, side) for each in field]), worth(own, side)
    worse = there.over(here)
    level = f", with {amount(worse.tie)} card points less" if not worse.margin and worse.tie > 0 else ""
    return f"Same cards at {tables_word(len(field))}: mean {signed(there.margin)}, here {signed(here.margin)}{level}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
