"""A game in units: calls, tricks, and what each trick brought every side. The bars of the strip above the scrubber.

Knows no game: a trick is as many moves of cards as there are seats, points stand in fields of views. Everything is
told, unseen cards too, so that it is for open boards only.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from arena.core.game import AnyGame
from arena.core.moves import Kind
from arena.record.compare.tables import course
from arena.record.outcomes import TALLIES, new_result
from arena.record.replay import game_of
from arena.record.text import TRICK_MOVES
from arena.record.transcript import Transcript

CALLS = "calls"


class Unit(NamedTuple):
    """A trick, or the calls between two tricks (bids, discard, trump, answers to a question)."""

    deal: int
    """From 0, passed-out deals too."""
    trick: int
    """From 1 within the deal; 0: calls."""
    label: str
    """"trick 3", or the phase of the calls: "auction"."""
    first: int
    """Its first turn."""
    last: int
    """Its last turn."""
    points: tuple[int, ...]
    """By side: card points that it brought; zeros for calls."""
    scores: tuple[int, ...]
    """By side: by how much it changed the score of the match."""


def units(transcript: Transcript) -> tuple[Unit, ...]:
    """The units of a game in order; an unfinished trick at the end of a void game is one too."""
    game = game_of(transcript)
    teller = _Teller(game)
    states = course(transcript)
    before, move = next(states)
    for turn, (after, following) in enumerate(states):
        assert move is not None
        kind = game.notation.parse(move.move).kind
        teller.take(turn, kind, before, after)
        before, move = after, following
    return teller.told()


def bring_scores(transcript: Transcript) -> bool:
    """Whether tricks bring points of the score itself, not card points that decide it."""
    game, (state, _move) = game_of(transcript), next(course(transcript))
    return "round_scores" in game.view(state, None)._fields


class _Teller:
    """Collects units move by move."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._units: list[Unit] = []
        self._zeros = (0,) * len(game.sides)
        self._first = 0
        self._last = -1
        self._begun: Any = None  # Any: the state before the open unit, of whichever game
        self._cards = 0
        """Moves of the open trick that count."""
        self._deal = 0
        self._tricks = 0
        self._label = ""

    def take(self, turn: int, kind: Kind, before: Any, after: Any) -> None:  # Any: as above
        """One move."""
        game = self._game
        trick = kind in TRICK_MOVES
        label = "" if trick else str(game.view_data(game.view(before, None)).get("phase", CALLS))
        if self._begun is not None and (label != self._label or (trick and not self._cards)):
            self._close(before)
        if self._begun is None:
            self._begun, self._first, self._label = before, turn, label
            self._tricks += trick
        self._last = turn
        if trick:
            self._cards = 1 if kind is Kind.MOLODKA else self._cards + 1
        over = len(game.deals(after)) > len(game.deals(before)) or game.to_move(after) is None
        if over or self._cards == game.seats:
            self._close(after)
        if over:
            self._deal, self._tricks = self._deal + 1, 0

    def told(self) -> tuple[Unit, ...]:
        """All of them, a last one that was broken off too."""
        if self._begun is not None:
            self._add(self._zeros, self._zeros)
        return tuple(self._units)

    def _close(self, after: Any) -> None:
        """End the open unit with the state after its last move. Any: as above."""
        game = self._game
        then, now = game.scores(self._begun), game.scores(after)
        changed = tuple(now[seats[0]] - then[seats[0]] for seats in game.sides)
        self._add(_gains(game, self._begun, after) if self._cards else self._zeros, changed)

    def _add(self, points: tuple[int, ...], scores: tuple[int, ...]) -> None:
        number = self._tricks if not self._label else 0
        label = self._label or f"trick {number}"
        self._units.append(Unit(self._deal, number, label, self._first, self._last, points, scores))
        self._begun, self._cards, self._label = None, 0, ""


def _gains(game: AnyGame, before: Any, after: Any) -> tuple[int, ...]:  # Any: states of whichever game
    """What the deal's points of each side grew by."""
    sides = len(game.sides)
    told = [game.view_data(game.view(state, None)) for state in (before, after)]
    ended = new_result(told[0], told[1], sides)
    now = ended.points if ended is not None else _points(game, after)
    return tuple(new - old for new, old in zip(now, _points(game, before), strict=True))


def _points(game: AnyGame, state: Any) -> list[int]:  # Any: as above
    """Points of the running deal by side, of unseen cards too: what everybody sees, and what each seat knows beside."""
    seen = game.view(state, None)
    field = next((name for name in TALLIES if name in seen._fields), None)
    if field is None:
        return [0] * len(game.sides)
    public = getattr(seen, field)
    points = list(public)
    for seat in range(game.seats):
        known = getattr(game.view(state, seat), field)
        points = [point + own - shown for point, own, shown in zip(points, known, public, strict=True)]
    return points
