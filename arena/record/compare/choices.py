"""What tables chose that had the same view: a seat that knew exactly the same, and what came of each choice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from arena.record.compare.tables import Told, Worth, mean, same_cards, score, worth


class ChoiceCount(NamedTuple):
    """One move that was chosen with the same view."""

    move: str
    tables: int
    """How many other tables chose it; 0 is possible for the own choice only."""
    score: float | None
    """Mean score of the mover's side at those tables; None where there are none."""
    margin: float | None
    """The same for its margin."""
    own: bool
    """Whether this table chose it."""


class Chosen(NamedTuple):
    """What one table chose at a turn, and what that came to for the mover's side."""

    table: Told
    move: str
    score: float
    worth: Worth


@dataclass(frozen=True, slots=True)
class Digest:
    """All choices at the tables of a board by the key of the mover's view: made once, asked often."""

    tables: tuple[Told, ...]
    """All that were given, also those that do not count."""
    at: Mapping[str, tuple[Chosen, ...]]
    """View key -> what was chosen, at tables that count, in their order. A move made for a seat that was at fault is
    among them: it was played."""

    @classmethod
    def of(cls, tables: Iterable[Told]) -> Digest:
        """The choices of the tables of one board."""
        tables = tuple(tables)
        found: dict[str, list[Chosen]] = defaultdict(list)
        for table in tables:
            if not table.counts:
                continue
            game = table.game
            results = [(score(table, side), worth(table, side)) for side in range(len(game.sides))]
            sides = [game.side_of(seat) for seat in range(game.seats)]
            for key, move in zip(table.keys, table.transcript.moves, strict=True):
                found[key].append(Chosen(table, move.move, *results[sides[move.seat]]))
        return cls(tables, {key: tuple(chosen) for key, chosen in found.items()})

    def others(self, own: Told, turn: int) -> tuple[Chosen, ...]:
        """What other tables chose that had the view of a table's mover at a turn."""
        chosen = self.at.get(own.keys[turn], ())
        return tuple(each for each in chosen if each.table.public_id != own.public_id and same_cards(own, each.table))


def choices_at(own: Told, turn: int, digest: Digest) -> list[ChoiceCount]:
    """The choices of all tables with the view of the mover at `turn`, the own one first, then the most common first.

    Raises IndexError when the game has no such turn.
    """
    mine = own.transcript.moves[turn].move
    by_move: dict[str, list[Chosen]] = {mine: []}
    for each in digest.others(own, turn):
        by_move.setdefault(each.move, []).append(each)
    counts = [
        ChoiceCount(
            move,
            len(chosen),
            mean([each.score for each in chosen]) if chosen else None,
            mean([each.worth.margin for each in chosen]) if chosen else None,
            move == mine,
        )
        for move, chosen in by_move.items()
    ]
    return sorted(counts, key=lambda count: (not count.own, -count.tables, count.move))
