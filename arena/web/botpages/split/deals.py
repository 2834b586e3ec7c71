"""A game taken apart into deals: who did what in each, and what it came to. Knows no game; trusts its transcripts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from arena.core.game import AnyGame, DealData, Seat
from arena.core.moves import Kind, Move
from arena.record.compare.tables import course
from arena.record.replay import game_of
from arena.record.text import TRICK_MOVES
from arena.record.transcript import Transcript


class DealPlay(NamedTuple):
    """One deal that was played to its end."""

    game: AnyGame
    deal: DealData
    dealer: Seat
    moves: tuple[tuple[Seat, Move], ...]
    facts: Mapping[str, Any]  # Any: JSON
    """The game's own facts of the deal."""

    def place(self, seat: Seat) -> int:
        """Which seat after the dealer it is: 1 for the next, as many as seats for the dealer."""
        return (seat - self.dealer - 1) % self.game.seats + 1


class LedTrick(NamedTuple):
    """One trick of single cards."""

    leader: Seat
    cards: tuple[int, ...]
    """In order of play."""


def deals_of(transcript: Transcript) -> Iterator[DealPlay]:
    """The finished deals of a game, in order; deals that all passed and were dealt again are left out."""
    game = game_of(transcript)
    moves: list[list[tuple[Seat, Move]]] = []
    state = None
    for state, record in course(transcript):
        place = len(game.deals(state)) - 1
        while len(moves) <= place:
            moves.append([])
        if record is not None:
            moves[place].append((record.seat, game.notation.parse(record.move)))
    place = 0
    for facts in game.facts(state):
        place += facts.get("redeals", 0)
        deal = transcript.deals[place]
        yield DealPlay(game, deal, deal["dealer"], tuple(moves[place]), facts)
        place += 1


def tricks_of(play: DealPlay) -> list[LedTrick]:
    """The tricks of a deal in which every seat plays one card."""
    played = [(seat, move.cards[0]) for seat, move in play.moves if move.kind is Kind.PLAY]
    size = play.game.seats
    parts = [played[first : first + size] for first in range(0, len(played), size)]
    return [LedTrick(part[0][0], tuple(card for _, card in part)) for part in parts if len(part) == size]


def led_sides(play: DealPlay, tricks_by_side: Sequence[int]) -> list[tuple[Seat, int]]:
    """(leader, side that won) of every trick, where the winner of a trick leads the next: the last one's winner follows
    from how many tricks each side has."""
    leaders = _leaders(play)
    left = list(tricks_by_side)
    found = []
    for leader, following in pairwise(leaders):
        side = play.game.side_of(following)
        left[side] -= 1
        found.append((leader, side))
    if leaders and max(left) == 1:
        found.append((leaders[-1], left.index(1)))
    return found


def _leaders(play: DealPlay) -> list[Seat]:
    """Who led each trick; a molodka takes the lead of the trick that it breaks off."""
    found: list[Seat] = []
    cards = 0
    for seat, move in play.moves:
        if move.kind not in TRICK_MOVES:
            continue
        if move.kind is Kind.MOLODKA and cards:
            found[-1], cards = seat, 0
        elif not cards:
            found.append(seat)
        cards = (cards + 1) % play.game.seats
    return found
