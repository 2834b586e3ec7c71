"""Moves and numbers in sentences: "played G9", "+12", "few tables"."""

from __future__ import annotations

from arena.core.game import AnyGame, Seat
from arena.core.moves import Kind
from arena.record.text import seat_names

FEW = 5
"""Under so many tables it is said that they are few."""
PAST = {
    Kind.BID: "bid",
    Kind.DISCARD: "discarded",
    Kind.LEAD: "led",
    Kind.BEAT: "beat with",
    Kind.DROP: "dropped",
}
WHOLE = {Kind.PASS.value: "passed", Kind.MOLODKA.value: "called molodka"}


def did(move: str) -> str:
    """What was done with a move, from its text: "bid 80", "passed", "led 6S 9S", "played G9"."""
    if move in WHOLE:
        return WHOLE[move]
    word, _, rest = move.partition(" ")
    if word == Kind.TRUMP.value:
        return f"named {rest} trump"
    past = next((past for kind, past in PAST.items() if kind.value == word), None)
    return f"{past} {rest}" if past else f"played {move}"


def seat_word(game: AnyGame, seat: Seat) -> str:
    """A seat in a sentence: "seat N"."""
    return f"seat {seat_names(game.seats)[seat]}"


def signed(value: float) -> str:
    """A number with its sign, "+12", "−0.4": whole where it is, or is far from 0."""
    text = f"{value:+.0f}" if abs(value) >= 10 else f"{value:+.1f}".removesuffix(".0")
    return "0" if float(text) == 0 else text.replace("-", "−")


def amount(value: float) -> str:
    """The size of a number, without a sign."""
    return signed(abs(value)).removeprefix("+")


def tables_word(count: int, word: str = "other ") -> str:
    """So many tables: "7 other tables", "1 other table", with a remark where they are few."""
    few = " (few tables)" if count < FEW else ""
    return f"{count} {word}{'table' if count == 1 else 'tables'}{few}"
