"""Moves as a bot sees them, and the set of legal ones, read from the messages only where somebody looks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, overload

from arena_bot.cards import Card, Names

if TYPE_CHECKING:
    from arena_bot.v1 import arena_pb2

Kind = Literal["play", "bid", "pass", "trump", "discard", "lead", "beat", "drop", "molodka", "unknown"]


class Move(NamedTuple):
    """One decision. Moves are equal if they mean the same, wherever they were made."""

    kind: Kind
    cards: tuple[Card, ...] = ()
    """One card of a play; the cards of a discard, lead, beat or drop, ascending; else empty."""
    number: int = 0
    """The points of a bid, the suit number of a trump; else 0."""

    @property
    def card(self) -> Card:
        """The first card of the move: of a play its only one."""
        return self.cards[0]


PASS = Move("pass")
MOLODKA = Move("molodka")


def of_set(kind: Kind, cards: Iterable[Card]) -> Move:
    """A move of several cards, put in order."""
    return Move(kind, tuple(sorted(cards)))


def text(move: Move, names: Names) -> str:
    """A move as the arena writes it: "R10", "bid 80", "pass", "trump green", "lead 6S 9S"."""
    match move.kind:
        case "play":
            return names.join(move.cards)
        case "bid":
            return f"bid {move.number}"
        case "trump":
            return f"trump {names.suits[move.number]}"
        case "discard" | "lead" | "beat" | "drop":
            return f"{move.kind} {names.join(move.cards)}"
        case _:
            return move.kind


def decode(message: arena_pb2.Move) -> Move:
    """A move from its message; of a kind newer than this SDK "unknown", which may still be chosen."""
    match message.WhichOneof("kind"):
        case "play":
            return Move("play", (message.play,))
        case "bid":
            return Move("bid", (), message.bid)
        case "pass":
            return PASS
        case "lead":
            return Move("lead", tuple(message.lead.cards))
        case "beat":
            return Move("beat", tuple(message.beat.cards))
        case "drop":
            return Move("drop", tuple(message.drop.cards))
        case "name_trump":
            return Move("trump", (), message.name_trump)
        case "molodka":
            return MOLODKA
        case "discard":
            return Move("discard", tuple(message.discard.cards))
        case _:
            return Move("unknown")


class Legal(Sequence[Move]):
    """All legal moves, in the arena's order. Each is decoded when it is first looked at."""

    __slots__ = ("_messages", "_moves")

    def __init__(self, messages: Sequence[arena_pb2.Move]) -> None:
        self._messages = messages
        self._moves: list[Move | None] = [None] * len(messages)

    def __len__(self) -> int:
        return len(self._moves)

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> list[Move]: ...
    def __getitem__(self, index: int | slice) -> Move | list[Move]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self._moves)))]
        move = self._moves[index]
        if move is None:
            move = self._moves[index] = decode(self._messages[index])
        return move

    def find(self, move: Move) -> int:
        """The place of a move, -1 when it is not legal."""
        for place, known in enumerate(self._moves):
            if known is move:
                return place
        for place in range(len(self._moves)):
            if self[place] == move:
                return place
        return -1


class Choose(NamedTuple):
    """Any `size` different cards of `cards`, where a list of all sets would be long."""

    kind: Kind
    size: int
    cards: tuple[Card, ...]
    """Ascending."""


_KINDS: dict[int, Kind] = {1: "discard", 2: "lead", 3: "beat", 4: "drop"}


def read_legal(message: arena_pb2.Legal) -> Legal | Choose:
    """What a Turn allows."""
    if message.HasField("choose"):
        choose = message.choose
        return Choose(_KINDS.get(choose.kind, "unknown"), choose.count, tuple(choose.cards))
    return Legal(message.moves)
