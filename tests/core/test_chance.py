"""Chance: the vectors of docs/chance.md, against the arena and against a second implementation."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.core.chance import Chance, Chances, board_seed, bot_seed, digest

PAGE = Path(__file__).parents[2] / "docs" / "chance.md"
SECRET = bytes(range(32))
SEED = board_seed(SECRET, "crowsnest", '{"a":1}', 7)


# The second implementation: the page in a few lines, without a look at arena/core/chance.py.


def other_hmac(key: bytes, *parts: str) -> bytes:
    return hmac.new(key, "\x1f".join(parts).encode(), hashlib.sha256).digest()


def other_words(seed: bytes, *stream: str) -> Iterator[int]:
    block = 0
    while True:
        data = other_hmac(seed, *stream, str(block))
        yield from (int.from_bytes(data[at : at + 4], "big") for at in range(0, 32, 4))
        block += 1


def other_below(words: Iterator[int], bound: int) -> int:
    return next(word % bound for word in words if word // bound < 2**32 // bound)


def other_shuffled(words: Iterator[int], items: list[int]) -> list[int]:
    for last in reversed(range(1, len(items))):
        swap = other_below(words, last + 1)
        items[last], items[swap] = items[swap], items[last]
    return items


def vectors() -> dict[str, str]:
    table = PAGE.read_text(encoding="utf-8").split("## Test vectors")[1]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("|")]
    return {row[0]: row[1] for row in rows[2:]}


def spaced(values: list[int]) -> str:
    return " ".join(map(str, values))


def draws(name: tuple[str | int, ...], bound: int, count: int) -> str:
    chance = Chance(SEED, *name)
    return spaced([chance.below(bound) for _ in range(count)])


def other_draws(name: tuple[str, ...], bound: int, count: int) -> str:
    words = other_words(SEED, *name)
    return spaced([other_below(words, bound) for _ in range(count)])


OURS: dict[str, Callable[[], str]] = {
    "board seed": lambda: SEED.hex(),
    "block 0 of cards 0 0": lambda: digest(SEED, "cards", 0, 0, 0).hex(),
    "words of cards 0 0": lambda: draws(("cards", 0, 0), 2**32, 9),
    "shuffle of 0..9 by cards 0 0": lambda: spaced(Chances(SEED).stream("cards", 0, 0).shuffled(range(10))),
    "shuffle of 0..9 by cards 1 0": lambda: spaced(Chances(SEED).stream("cards", 1, 0).shuffled(range(10))),
    "words of x": lambda: draws(("x",), 2**32, 8),
    "draws below 3221225472 by x": lambda: draws(("x",), 3221225472, 8),
    "draw below 4 by dealer": lambda: draws(("dealer",), 4, 1),
    "bot seed of seat 0": lambda: str(bot_seed(SEED, 0)),
    "bot seed of seat 3": lambda: str(bot_seed(SEED, 3)),
}
OTHERS: dict[str, Callable[[], str]] = {
    "board seed": lambda: other_hmac(SECRET, "crowsnest", '{"a":1}', "7").hex(),
    "block 0 of cards 0 0": lambda: other_hmac(SEED, "cards", "0", "0", "0").hex(),
    "words of cards 0 0": lambda: other_draws(("cards", "0", "0"), 2**32, 9),
    "shuffle of 0..9 by cards 0 0": lambda: spaced(other_shuffled(other_words(SEED, "cards", "0", "0"), [*range(10)])),
    "shuffle of 0..9 by cards 1 0": lambda: spaced(other_shuffled(other_words(SEED, "cards", "1", "0"), [*range(10)])),
    "words of x": lambda: other_draws(("x",), 2**32, 8),
    "draws below 3221225472 by x": lambda: other_draws(("x",), 3221225472, 8),
    "draw below 4 by dealer": lambda: other_draws(("dealer",), 4, 1),
    "bot seed of seat 0": lambda: str(int.from_bytes(other_hmac(SEED, "bot", "0")[:8], "big")),
    "bot seed of seat 3": lambda: str(int.from_bytes(other_hmac(SEED, "bot", "3")[:8], "big")),
}


def test_every_vector_of_the_page_is_tested() -> None:
    assert set(vectors()) == set(OURS) == set(OTHERS)


@pytest.mark.parametrize("what", OURS)
def test_the_arena_agrees_with_the_page(what: str) -> None:
    assert OURS[what]() == vectors()[what]


@pytest.mark.parametrize("what", OTHERS)
def test_a_second_implementation_agrees_with_the_page(what: str) -> None:
    assert OTHERS[what]() == vectors()[what]


@pytest.mark.parametrize("bound", [1, 2, 3, 20, 57, 2**31 + 1, 2**32])
def test_draws_are_below_their_bound_and_agree(bound: int) -> None:
    chance, words = Chance(SECRET, "any", bound), other_words(SECRET, "any", str(bound))
    for _ in range(50):
        draw = chance.below(bound)
        assert draw < bound
        assert draw == other_below(words, bound)


def test_streams_are_apart_by_name() -> None:
    names: list[tuple[str | int, ...]] = [("a", 1, 2), ("a", 12), ("a", 1, 3), ("b", 1, 2), ("a", "1", 21)]
    assert len({Chance(SECRET, *name).below(2**32) for name in names}) == len(names)


def test_a_board_differs_by_secret_game_ruleset_and_number() -> None:
    seeds = {
        board_seed(secret, game, ruleset, board)
        for secret in (SECRET, bytes(32))
        for game in ("goat", "buckeye")
        for ruleset in ("{}", '{"a":1}')
        for board in (0, 1)
    }
    assert len(seeds) == 16


def test_a_shuffle_is_a_fair_permutation_and_leaves_its_items_alone() -> None:
    items = [1, 2, 3]
    chance = Chance(SECRET, "fair")
    counts = Counter(tuple(chance.shuffled(items)) for _ in range(6000))
    assert items == [1, 2, 3]
    assert len(counts) == 6
    assert all(abs(count - 1000) < 150 for count in counts.values())


def test_a_sample_keeps_the_order_of_the_items() -> None:
    chance = Chance(SECRET, "sample")
    samples = [chance.sample("abcde", 3) for _ in range(200)]
    assert all(sample == sorted(set(sample)) and len(sample) == 3 for sample in samples)
    assert len({tuple(sample) for sample in samples}) == 10
    assert chance.choice("a") == "a"
