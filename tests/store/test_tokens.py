"""Tokens in the store: shown once, found by their hash, over when they are expired or revoked."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from arena.core.errors import BotError
from arena.store.place import Place
from arena.store.tokens import Tokens

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.time = NOON

    def __call__(self) -> datetime:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tokens(place: Place, clock: Clock) -> Iterator[Tokens]:
    with Tokens.open(place, now=clock) as opened:
        yield opened


def test_a_token_admits_and_is_not_stored(tokens: Tokens) -> None:
    token, text = tokens.issue("fox", "Ada", 2, NOON + timedelta(days=1))
    assert (token.name, token.owner, token.slots, token.seen) == ("fox", "Ada", 2, None)
    assert len(text) == len("arena_") + 43
    assert tokens.admitted(text) == token
    assert tokens.named("FOX") == token
    tokens.saw(token.id)
    assert tokens.all()[0].seen == NOON
    with tokens._database.read() as connection:
        dumped = repr(connection.exec_driver_sql("SELECT * FROM token").all())
    assert "Ada" in dumped
    assert text not in dumped
    assert text.removeprefix("arena_") not in dumped
    assert text not in repr(token)


@pytest.mark.parametrize("text", ["", "arena_", "unknown", "\udcff", "x" * 100_000])
def test_what_is_no_token_admits_nobody(tokens: Tokens, text: str) -> None:
    tokens.issue("fox", "", 1, None)
    assert tokens.admitted(text) is None


def test_a_token_ends_when_it_expires(tokens: Tokens, clock: Clock) -> None:
    _, text = tokens.issue("fox", "", 1, NOON + timedelta(days=1))
    clock.time += timedelta(days=1, microseconds=-1)
    assert tokens.admitted(text) is not None
    clock.time += timedelta(microseconds=1)
    assert tokens.admitted(text) is None
    assert tokens.named("fox") is None
    assert tokens.all()[0].state(clock.time) == "expired"
    assert tokens.revoked(frozenset({1})) == frozenset(), "who is inside stays"
    _, again = tokens.issue("Fox", "", 1, None)
    assert tokens.admitted(again) is not None
    assert [token.state(clock.time) for token in tokens.all()] == ["revoked", "valid"]


def test_a_token_ends_when_it_is_revoked(tokens: Tokens) -> None:
    _, text = tokens.issue("fox", "", 1, None)
    tokens.issue("owl", "", 1, None)
    found = tokens.revoke("FOX")
    assert found is not None
    assert found.revoked == NOON
    assert tokens.admitted(text) is None
    assert tokens.revoked(frozenset({1, 2})) == {1}
    assert tokens.revoke("fox") is None
    assert tokens.revoke("1") is None
    by_number = tokens.revoke("2")
    assert by_number is not None
    assert by_number.name == "owl"


def test_a_name_goes_before_a_number(tokens: Tokens) -> None:
    tokens.issue("fox", "", 1, None)
    tokens.issue("1", "", 1, None)
    found = tokens.revoke("1")
    assert found is not None
    assert found.id == 2


def test_names_are_unique_without_case(tokens: Tokens) -> None:
    tokens.issue("fox", "", 1, None)
    with pytest.raises(BotError, match="fox has a token already") as caught:
        tokens.issue("FOX", "", 1, None)
    assert caught.value.code == "NAME_TAKEN"
    assert len(tokens.all()) == 1
