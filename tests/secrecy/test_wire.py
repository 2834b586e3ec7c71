"""No byte sent to a seat depends on what it must not know: every ruleset, every seat, every kind of turn."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from laws.rulesets import FULL, game_of
from secrecy.checking import check, everywhere, other_places, sample
from secrecy.tape import Parts, record
from secrecy.worlds import Match, house_world, random_world

from arena.core.chance import Chance
from arena.core.game import AnyGame
from arena.games import catalog

PLAYED: dict[str, Callable[[AnyGame, int], Match]] = {"random": random_world, "house": house_world}


def test_every_game_is_looked_at() -> None:
    assert {variant for variant, _ in FULL.values()} == set(catalog())
    assert {game_of(name).seats for name in FULL if name.startswith("crow-") or name == "crow"} == {3, 4}


@pytest.mark.parametrize("played", PLAYED)
@pytest.mark.parametrize("name", FULL)
def test_bytes_do_not_depend_on_hidden_things(name: str, played: str) -> None:
    moved = 0
    for number in (3, 4):
        match = PLAYED[played](game_of(name), number)
        chance = Chance(b"wire", name, number)
        mine = record(match.world)
        assert mine.result is not None
        for viewer, position in sample(match, 12, chance):
            moved += other_places(match, check(match, viewer, position, chance, Parts(), mine, lawful=False))
    assert moved > 10


@pytest.mark.parametrize("name", FULL)
def test_bytes_are_equal_where_the_other_cards_were_played_lawfully(name: str) -> None:
    moved = 0
    for number in (5, 6):
        match = house_world(game_of(name), number) if number % 2 else random_world(game_of(name), number)
        chance = Chance(b"lawful", name, number)
        mine = record(match.world)
        for viewer, position in sample(match, 6, chance):
            moved += other_places(match, check(match, viewer, position, chance, Parts(), mine, lawful=True))
    assert moved > 5


@pytest.mark.long
@pytest.mark.parametrize("lawful", [False, True])
@pytest.mark.parametrize("played", PLAYED)
@pytest.mark.parametrize("name", FULL)
def test_bytes_of_every_seat_at_every_turn(name: str, played: str, lawful: bool) -> None:
    match = PLAYED[played](game_of(name), 1)
    chance = Chance(b"everywhere", name)
    mine = record(match.world)
    for viewer, position in everywhere(match):
        check(match, viewer, position, chance, Parts(), mine, lawful=lawful)
