"""That the check of secrecy would notice: every planted leak is found, in every family in which it can be made."""

from __future__ import annotations

import pytest
from laws.rulesets import game_of
from secrecy.checking import Told, check, sample
from secrecy.leaks import LEAKS
from secrecy.tape import Parts, record
from secrecy.worlds import house_world, random_world

from arena.core.chance import Chance

RULESETS = {"rook": "crowsnest", "crow": "crow", "goat": "goat"}
EACH = [(leak, family) for leak in LEAKS for family in LEAKS[leak].families]


def look(family: str, parts: Parts) -> int:
    """Compare worlds until a leak is found; how many were compared."""
    compared = 0
    for number in (3, 4, 7, 8):
        game = game_of(RULESETS[family])
        match = random_world(game, number) if number < 7 else house_world(game, number)
        chance = Chance(b"leaks", family, number)
        mine = record(match.world, parts)
        for viewer, position in sample(match, 12, chance):
            check(match, viewer, position, chance, parts, mine, lawful=False)
            compared += 1
    return compared


@pytest.mark.parametrize(("leak", "family"), EACH)
def test_a_planted_leak_is_found(leak: str, family: str) -> None:
    with pytest.raises(Told):
        look(family, LEAKS[leak].parts)


@pytest.mark.parametrize("family", RULESETS)
def test_without_a_leak_nothing_is_found(family: str) -> None:
    assert look(family, Parts()) == 4 * 13
