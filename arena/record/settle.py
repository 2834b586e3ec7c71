"""What a finished game counts: scores, ranks and tiebreaks once forfeits are taken into account.

The referee settles a game with it, and verification settles the replayed game again.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from arena.core.game import AnyGame, Seat, ranks_of


class Settled(NamedTuple):
    """What counts, by seat."""

    scores: tuple[float, ...]
    ranks: tuple[int, ...]
    tiebreaks: tuple[int, ...]


def settle(game: AnyGame, state: Any, forfeits: Collection[Seat]) -> Settled:
    """Scores by seat of a game that is over, `forfeits` being the seats that forfeited it.

    Their sides get the ruleset's worst score (or the lowest at the table, where a match went below that), no tiebreak,
    and a place behind everyone who did not forfeit; the others keep what they have.
    """
    scores = game.scores(state)
    if not forfeits:
        return Settled(scores, game.ranks(state), game.tiebreaks(state))
    losers = {seat for side in game.sides if any(partner in forfeits for partner in side) for seat in side}
    worst = min(game.worst_score, *scores)
    counted = tuple(worst if seat in losers else score for seat, score in enumerate(scores))
    places = ranks_of([(seat not in losers, score) for seat, score in enumerate(counted)])
    tiebreaks = tuple(0 if seat in losers else points for seat, points in enumerate(game.tiebreaks(state)))
    return Settled(counted, places, tiebreaks)
