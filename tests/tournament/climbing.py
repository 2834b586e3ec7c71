"""Ladders of bots with known strengths, played without any game: every block is decided by a drawn performance."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from tournament.rivals import POOLS, entry, names, rows_of

from arena.rating.trueskill_env import BETA
from arena.record.results import Bout, GameRow
from arena.tournament.ladder import Ladder, ladder
from arena.tournament.running import Running

Field = Callable[[int], Sequence[str]]


def strengths(count: int, spread: float, seed: int) -> dict[str, float]:
    """Around 25, in units of the ratings."""
    chance = random.Random(f"strengths {seed}")
    return {name: chance.gauss(25, spread) for name in names(count)}


def made(count: int, places: int = 2, boards: int = 1, **keys: object) -> Ladder:
    """The ladder of that many bots."""
    return ladder(entry(count, places, boards, **keys))


def played(bouts: Sequence[Bout], places: int, strength: dict[str, float], seed: int) -> list[GameRow]:
    """All games of a round; draws are as frequent as performances that round to the same."""
    chance = random.Random(f"{seed} {bouts[0].round}")
    rows = []
    for bout in bouts:
        score = {
            (name, board): round(chance.gauss(strength[name], BETA)) for name in bout.lineup for board in bout.boards
        }
        rows += rows_of(bout, POOLS[places], lambda bot, board, _round, score=score: float(score[bot, board]))
    return rows


def climb(
    schedule: Ladder,
    strength: dict[str, float],
    rounds: int,
    *,
    seed: int = 0,
    field: Field | None = None,
    after: Callable[[int, Running], None] = lambda _number, _history: None,
) -> tuple[Running, list[list[Bout]]]:
    """Play rounds; the history and the bouts of each. `after`: called when a round is closed."""
    places = schedule.entry.places
    history, all_bouts = Running(POOLS[places]), []
    for number in range(1, rounds + 1):
        there = tuple(field(number)) if field is not None else tuple(strength)
        found = schedule.round(number, history, there)
        assert found is not None, "a ladder has no end"
        bouts = list(found)
        all_bouts.append(bouts)
        history.close(number, played(bouts, places, strength, seed), there)
        after(number, history)
    return history, all_bouts
