"""Playing a transcript again: position by position, and verification against the rules and the revealed secret.

Knows the games by their contract only. Nothing here trusts a transcript.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from arena import games
from arena.core import options
from arena.core.chance import Chances, board_seed
from arena.core.errors import ArenaError, MoveError, TranscriptError
from arena.core.game import AnyGame, Board, D, DealData, DealtBoard, Game, S, Seat, V, check_legal
from arena.core.moves import Legal, Move
from arena.record.keys import view_key
from arena.record.results import OUT, Fault, FaultClass, Verdict
from arena.record.settle import settle
from arena.record.transcript import PlayedMove, Transcript

STRIKES = 3
"""A seat's decision fault with this number is a forfeit."""


class Position(NamedTuple):
    """A position of a replayed game."""

    number: int
    """Moves played before it."""
    state: Any  # Any: the state of whichever game is replayed
    seat: Seat | None
    """To move; None when the match is over, or where the transcript of a void game stops."""
    view: Any  # Any: the view of the seat to move, likewise; of spectators where there is none
    legal: Legal | None
    move: Move | None
    played: PlayedMove | None
    """What the transcript says of the move from here; None in the last position."""


@lru_cache(maxsize=32)
def _made(game: str, ruleset: str) -> AnyGame:
    """A game, kept for the next transcript: verification goes through many of one ruleset."""
    return games.make(game, json.loads(ruleset))


def game_of(transcript: Transcript) -> AnyGame:
    """The game of a transcript, from its id and ruleset. Raises TranscriptError."""
    try:
        game = _made(transcript.game, options.canonical_json(transcript.ruleset))
    except ArenaError as error:
        raise TranscriptError(error.message, where="ruleset", fix=error.fix) from None
    if options.to_data(game.ruleset) != transcript.ruleset:
        raise TranscriptError("not all fields of the ruleset are given", where="ruleset", fix=game.describe())
    if game.version != transcript.game_version:
        raise TranscriptError(
            f"played by version {transcript.game_version!r} of {game.id}, these rules are {game.version!r}",
            where="game_version",
            fix="verify it with the arena that wrote it: " + transcript.arena,
        )
    return game


class ProvenBoard(NamedTuple):
    """A board made from a seed whose cards must be those written out."""

    seed: bytes
    deals: tuple[DealData, ...]

    def deal(self, game: Game[D, S, V], index: int, number: int, redeal: int) -> D:
        """The cards the seed fixes. Raises TranscriptError where the written ones are others."""
        deal = game.shuffle(Chances(self.seed), number, redeal)
        if index >= len(self.deals) or game.deal_data(deal) != self.deals[index]:
            raise TranscriptError("the cards are not those of the seed", where=f"deals[{index}]")
        return deal


def replay(transcript: Transcript, board: Board | None = None) -> Iterator[Position]:
    """Every position of a game in order, the last one included, each move checked for turn and legality.

    Cards come from `board`, by default from the written deals. Raises TranscriptError with the place of the first
    thing that the rules do not allow.
    """
    game = game_of(transcript)
    state = game.start(board if board is not None else DealtBoard(tuple(transcript.deals)))
    for number, record in enumerate(transcript.moves):
        where = f"moves[{number}]"
        seat = game.to_move(state)
        if seat is None:
            raise TranscriptError("moves go on after the match is over", where=where)
        if seat != record.seat:
            raise TranscriptError(f"log says seat {record.seat} moved, by the rules it is seat {seat}", where=where)
        view = game.view(state, seat)
        legal = game.legal_moves(view)
        try:
            move = game.notation.parse(record.move)
            check_legal(game.notation, legal, move)
        except MoveError as error:
            raise TranscriptError(error.message, where=where, fix=error.fix) from None
        yield Position(number, state, seat, view, legal, move, record)
        state = game.apply(state, move)
    seat = game.to_move(state)
    view = game.view(state, seat)
    last = game.legal_moves(view) if seat is not None else None
    yield Position(len(transcript.moves), state, seat, view, last, None, None)


def verify(transcript: Transcript, *, secret: bytes | None = None, board: int | None = None) -> None:
    """Check a transcript against the rules and, where the secret and the board's number are given, its cards.

    Raises TranscriptError with the first disagreement: deals, moves, view keys, default moves of faulted turns,
    forfeits, scores, ranks or tiebreaks.
    """
    game = game_of(transcript)
    if len(transcript.bots) != game.seats:
        raise TranscriptError(f"{len(transcript.bots)} bots, {game.id} has {game.seats} seats", where="bots")
    state: Any = None  # Any: the state of whichever game is replayed
    seat: Seat | None = None
    cards: Board | None = None
    if secret is not None and board is not None:
        cards = ProvenBoard(board_seed(secret, game.id, game.describe(), board), tuple(transcript.deals))
    for position in replay(transcript, cards):
        state, seat, record = position.state, position.seat, position.played
        if record is not None:
            _check_record(game, position, record)
    _check_deals(game, transcript, state)
    if transcript.verdict is not Verdict.VOID and seat is not None:
        raise TranscriptError("the moves stop before the match is over", where=f"moves[{len(transcript.moves)}]")
    _check_faults(transcript)
    _check_results(game, transcript, state)


def _check_record(game: AnyGame, position: Position, record: PlayedMove) -> None:
    where = f"moves[{position.number}]"
    expected = view_key(position.view)
    if record.view_key not in ("", expected):  # empty: left out while it was sealed
        raise TranscriptError(f"log says {record.view_key!r}, rules give {expected!r}", where=f"{where}.view_key")
    if record.fault:
        default = game.default_move(position.view)
        if position.move != default:
            raise TranscriptError(
                f"log says {record.move!r} was played for {record.fault}, the default move is "
                f"{game.notation.text(default)!r}",
                where=where,
            )


def _check_deals(game: AnyGame, transcript: Transcript, state: Any) -> None:
    """All deals were needed, and are written as the rules write them. Any: the state of whichever game."""
    dealt = [game.deal_data(deal) for deal in game.deals(state)]
    if len(dealt) != len(transcript.deals):
        raise TranscriptError(f"{len(transcript.deals)} deals, {len(dealt)} were played", where="deals")
    for index, data in enumerate(dealt):
        if data != transcript.deals[index]:
            raise TranscriptError("not written as the rules write it", where=f"deals[{index}]", fix=repr(data))


def _check_faults(transcript: Transcript) -> None:
    """Faults, faulted moves and forfeits tell one story."""
    strikes: dict[Seat, int] = {}
    forfeits: dict[Seat, Fault] = {}
    for index, fault in enumerate(transcript.faults):
        where = f"faults[{index}]"
        if fault.turn >= 0:
            if fault.turn >= len(transcript.moves):
                raise TranscriptError(f"there is no turn {fault.turn}", where=where)
            record = transcript.moves[fault.turn]
            told = (record.seat, record.fault)
            if fault.fault_class is not FaultClass.ARENA and told != (fault.seat, fault.code):
                raise TranscriptError(
                    f"seat {fault.seat} {fault.code!r}, but move {fault.turn} says seat {told[0]} {told[1]!r}",
                    where=where,
                )
        if fault.fault_class is FaultClass.DECISION:
            strikes[fault.seat] = strikes.get(fault.seat, 0) + 1
            if strikes[fault.seat] >= STRIKES:
                raise TranscriptError(f"strike {STRIKES} of seat {fault.seat} is no forfeit", where=where)
        elif fault.fault_class in OUT:
            forfeits.setdefault(fault.seat, fault)
    if dict(transcript.forfeits) != {seat: fault.code for seat, fault in forfeits.items()}:
        raise TranscriptError(f"log says {transcript.forfeits!r}, faults give {forfeits!r}", where="forfeits")
    faulted = {(fault.seat, fault.turn) for fault in transcript.faults}
    for number, record in enumerate(transcript.moves):
        out = record.seat in forfeits and forfeits[record.seat].turn <= number
        if bool(record.fault) != (out or (record.seat, number) in faulted):
            raise TranscriptError(
                f"fault {record.fault!r}, but the list of faults tells otherwise", where=f"moves[{number}].fault"
            )


def _check_results(game: AnyGame, transcript: Transcript, state: Any) -> None:
    """Verdict, scores, ranks, tiebreaks. Any: the state of whichever game was replayed."""
    verdict = transcript.verdict
    if verdict is Verdict.VOID:
        if transcript.scores or transcript.ranks or transcript.tiebreaks:
            raise TranscriptError("a void game has no scores", where="scores")
        return
    if (verdict is Verdict.FORFEIT) != bool(transcript.forfeits):
        raise TranscriptError(f"verdict {verdict.value!r} with forfeits {transcript.forfeits!r}", where="verdict")
    settled = settle(game, state, [seat for seat, _code in transcript.forfeits])
    for name in settled._fields:
        told, given = getattr(transcript, name), getattr(settled, name)
        if tuple(told) != tuple(given):
            raise TranscriptError(f"log says {list(told)}, rules give {list(given)}", where=name)
