"""One decision of a game: who chose what, out of what, what it knew, how long it took, and what others chose."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from arena.core.game import Seat
from arena.core.moves import Choose
from arena.match.clock import Clock, SeatClock
from arena.record.codes import CODES
from arena.record.compare import ChoiceCount, choices_at
from arena.record.replay import Position
from arena.web.games.comparison import Comparison
from arena.web.games.message import message_text
from arena.web.games.replays import Replay
from arena.web.table import as_text, scene_of, sentence

SHOWN = 40
"""So many legal moves are listed at once."""


class Option(NamedTuple):
    """A legal move."""

    move: str
    chosen: bool
    tables: int | None
    """How many other tables with the same view chose it; None where there are none to compare with."""
    score: float | None
    """What the mover's side scored there on average."""


class Time(NamedTuple):
    """The time of a turn, in milliseconds."""

    elapsed_ms: int
    limit_ms: float | None
    """None: without a clock, or unknown."""
    bank_ms: float | None


class Trouble(NamedTuple):
    """A fault at a turn."""

    code: str
    meaning: str
    detail: str
    """In the words of the referee; empty where it is sealed."""


class Decision(NamedTuple):
    """One decision; everything in it may be told to whoever sees with the mover's eyes."""

    seat: Seat
    name: str
    chose: str
    """In a sentence."""
    saw: tuple[tuple[str, tuple[str, ...]], ...]
    """(heading, lines): its hand, the trick, what it knew beside."""
    choose: str
    """What there was to choose where moves are not listed: "any 5 of 14 cards"; else empty."""
    options: tuple[Option, ...]
    rest: tuple[Option, ...]
    """Further ones, for the curious."""
    legal: int
    """How many moves were legal."""
    same: int | None
    """How many other tables had the same view; None where there are none to compare with."""
    time: Time
    fault: Trouble | None
    note: str
    withheld: bool
    """Whether there is a note that this viewer may not read."""
    message: str
    """The message that the bot got, as JSON."""


def decision_at(
    replay: Replay, turn: int, comparison: Comparison | None, clock: Clock | None, notes: frozenset[Seat]
) -> Decision | None:
    """The decision at a turn; None after the last one."""
    position = replay.at(turn)
    if position.played is None or position.seat is None:
        return None
    seat, played = position.seat, position.played
    counts = choices_at(comparison.own, turn, comparison.digest) if comparison is not None else None
    options, rest, choose = _options(replay, position, counts)
    legal = position.legal
    return Decision(
        seat=seat,
        name=replay.called[seat],
        chose=_chose(replay, turn, position),
        saw=_saw(replay, turn, seat),
        choose=choose,
        options=options,
        rest=rest,
        legal=legal.total() if legal is not None else 0,
        same=None if counts is None else sum(count.tables for count in counts),
        time=_time(replay, turn, clock),
        fault=_trouble(replay, turn),
        note=played.note if seat in notes else "",
        withheld=bool(played.note) and seat not in notes,
        message=message_text(replay.transcript, position),
    )


def _chose(replay: Replay, turn: int, position: Position) -> str:
    assert position.seat is not None
    assert position.played is not None
    before, after = replay.view(turn, None), replay.view(turn + 1, None)
    return sentence(
        replay.game, replay.called, position.seat, position.played.move, before, after, eyes=(position.seat,)
    )


def _saw(replay: Replay, turn: int, seat: Seat) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The mover's view in words: without its own heading, and other seats only where there is more than their count."""
    scene = scene_of(replay.game, {seat: replay.view(turn, seat)}, bottom=seat, names=replay.names, to_move=None)
    told = [(heading, tuple(line for line in lines if line != scene.status)) for heading, lines in as_text(scene)]
    return tuple((heading, lines) for heading, lines in told if lines)


def _options(
    replay: Replay, position: Position, counts: list[ChoiceCount] | None
) -> tuple[tuple[Option, ...], tuple[Option, ...], str]:
    """Options to show, further ones, and what was to be chosen where they are not listed."""
    assert position.played is not None
    assert position.legal is not None
    own = position.played.move
    known = {count.move: count for count in counts or ()}

    def option(move: str) -> Option:
        count = known.get(move)
        tables = None if counts is None else (count.tables if count is not None else 0)
        return Option(move, move == own, tables, count.score if count is not None else None)

    if isinstance(position.legal, Choose):
        size, cards = position.legal.size, replay.game.notation.names.list(position.legal.cards)
        chosen = [own, *(move for move in known if move != own)]
        return tuple(map(option, chosen)), (), f"any {size} of these {len(cards)}: {' '.join(cards)}"
    moves = [replay.game.notation.text(move) for move in position.legal.moves]
    if len(moves) <= SHOWN:
        return tuple(map(option, moves)), (), ""
    first = [move for move in moves if move == own or move in known]
    listed: Iterable[str] = dict.fromkeys([*first, *moves])
    ordered = list(listed)
    return tuple(map(option, ordered[:SHOWN])), tuple(map(option, ordered[SHOWN:])), ""


def _time(replay: Replay, turn: int, clock: Clock | None) -> Time:
    """What a turn took, and what there was, from the clock and the times of the seat's turns before."""
    moves = replay.transcript.moves
    if clock is None:
        return Time(moves[turn].elapsed_ms, None, None)
    running = SeatClock.new(clock)
    for move in moves[:turn]:
        if move.seat == moves[turn].seat:
            running.spend(move.elapsed_ms)
    return Time(moves[turn].elapsed_ms, running.limit_ms(), running.bank_ms)


def _trouble(replay: Replay, turn: int) -> Trouble | None:
    played = replay.transcript.moves[turn]
    if not played.fault:
        return None
    faults = replay.transcript.faults
    detail = next((fault.detail for fault in faults if fault.turn == turn and fault.seat == played.seat), "")
    known = CODES.get(played.fault)
    return Trouble(played.fault, known.meaning if known is not None else "", detail)
