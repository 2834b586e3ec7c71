"""One game on a board as comparisons need it, and what it came to for a side.

A *margin* is what blocks are decided by: a side's score minus the mean of the other sides' scores. A *worth* has beside
it the same of what decides between level scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from arena.core.game import AnyGame, DealtBoard, Team
from arena.record.keys import view_key
from arena.record.replay import game_of, replay
from arena.record.results import Verdict
from arena.record.transcript import PlayedMove, Transcript


class Told(NamedTuple):
    """One game on the board."""

    public_id: str
    label: str
    """Names the table among those of its board, "r1-t2-1"."""
    transcript: Transcript
    keys: tuple[str, ...]
    """By turn: the key of the mover's view."""
    game: AnyGame
    """The rules it was played by."""

    @classmethod
    def of(cls, transcript: Transcript, label: str = "") -> Told:
        """A table from its transcript. Raises TranscriptError for one that these rules do not know or allow."""
        return cls(
            transcript.public_id, label or transcript.public_id, transcript, keys_of(transcript), game_of(transcript)
        )

    @property
    def bots(self) -> tuple[str, ...]:
        """Names by seat."""
        return self.transcript.bots

    @property
    def counts(self) -> bool:
        """Whether what it came to is what its moves made of the cards: it is not void, and nobody forfeited."""
        return self.transcript.verdict is Verdict.FINISHED

    @property
    def void(self) -> bool:
        """Whether it counts for nobody, and has no scores."""
        return self.transcript.verdict is Verdict.VOID


class Worth(NamedTuple):
    """What a game or a choice came to for a side; more is better, the margin first."""

    margin: float
    tie: float
    """Of the tiebreaks: card points, where a game has such."""

    def over(self, other: Worth) -> Worth:
        """How much more it is: what is only rounding counts as 0."""
        return Worth(
            *(0.0 if abs(more) < LEAST else more for more in (self.margin - other.margin, self.tie - other.tie))
        )


LEAST = 1e-6
"""Less is no difference of points, but of rounding."""


def score(table: Told, side: Team) -> float:
    """What a side scored. The game must not be void."""
    return table.transcript.scores[table.game.sides[side][0]]


def margin(table: Told, side: Team) -> float:
    """The score of a side minus the mean score of the other sides. The game must not be void."""
    return margin_of([score(table, each) for each in range(len(table.game.sides))], side)


def worth(table: Told, side: Team) -> Worth:
    """Margin and tiebreak of a side. The game must not be void."""
    ties = [float(table.transcript.tiebreaks[seats[0]]) for seats in table.game.sides]
    return Worth(margin(table, side), margin_of(ties, side))


def mean_worth(values: Sequence[Worth]) -> Worth:
    """The mean of at least one."""
    return Worth(mean([each.margin for each in values]), mean([each.tie for each in values]))


def margin_of(points: Sequence[float], side: Team) -> float:
    """Points of a side minus the mean of the others'; `points` by side."""
    others = [each for place, each in enumerate(points) if place != side]
    return points[side] - sum(others) / len(others)


def mean(values: Sequence[float]) -> float:
    """The mean of at least one value."""
    return sum(values) / len(values)


def same_cards(one: Told, other: Told) -> bool:
    """Whether two games began with the same deal; later deals are the same wherever the course was."""
    return one.transcript.deals[:1] == other.transcript.deals[:1]


def field_of(own: Told, tables: Iterable[Told]) -> tuple[Told, ...]:
    """The other tables that played the same cards and count."""
    return tuple(each for each in tables if each.public_id != own.public_id and each.counts and same_cards(own, each))


def differences(tables: Sequence[Told]) -> dict[str, tuple[float, ...]]:
    """By game (public id), by side: its margin minus the mean margin of the same side at the other tables.

    Tables that do not count have no entry, nor has a table that nobody else can be compared with.
    """
    groups: list[list[tuple[Told, list[float]]]] = []
    for table in tables:
        if table.counts:
            margins = [margin(table, side) for side in range(len(table.game.sides))]
            group = next((each for each in groups if same_cards(each[0][0], table)), None)
            if group is None:
                groups.append([(table, margins)])
            else:
                group.append((table, margins))
    found = {}
    for group in groups:
        others = len(group) - 1
        sums = [sum(of_side) for of_side in zip(*(margins for _, margins in group), strict=True)]
        for table, margins in group if others else ():
            found[table.public_id] = tuple(
                own - (total - own) / others for own, total in zip(margins, sums, strict=True)
            )
    return found


def course(transcript: Transcript) -> Iterator[tuple[Any, PlayedMove | None]]:  # Any: the state of whichever game
    """Every state of a game with the move made from it, None at the last one. Trusts the transcript: see `replay`."""
    game = game_of(transcript)
    state = game.start(DealtBoard(tuple(transcript.deals)))
    for move in transcript.moves:
        yield state, move
        state = game.apply(state, game.notation.parse(move.move))
    yield state, None


def keys_of(transcript: Transcript) -> tuple[str, ...]:
    """By turn the key of the mover's view: those that are written, or, where they are left out, made again.

    Raises TranscriptError where the rules do not allow what is written."""
    if all(move.view_key for move in transcript.moves):
        return tuple(move.view_key for move in transcript.moves)
    return tuple(view_key(position.view) for position in replay(transcript) if position.played is not None)
