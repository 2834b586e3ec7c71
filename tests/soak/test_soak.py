"""Many games with faulty bots among them: nothing that the arena holds grows with them."""

from __future__ import annotations

import pytest
from soak.soak import PLANS, Held, grown, run

GAMES = 1_000
NONE_YET = Held(0, 0.0, 100 << 20, 30 << 20, 1, 8, 40, 12, 0, 3)


def test_growth_is_seen() -> None:
    """A leak of any kind is named; the noise of an interpreter is none."""
    assert grown([NONE_YET, NONE_YET._replace(memory=105 << 20, threads=10)]) == []
    leaks = {"memory": 150 << 20, "launcher_memory": 60 << 20, "processes": 2, "threads": 20, "descriptors": 60}
    leaks |= {"launcher_descriptors": 14, "groups": 1, "files": 4}
    for name, value in leaks.items():
        [found] = grown([NONE_YET, NONE_YET._replace(**{name: value})])
        assert found.startswith(f"{name}: ")


@pytest.mark.long
@pytest.mark.needs("bwrap")
def test_nothing_grows_with_the_number_of_games() -> None:
    held, ended = run(GAMES, "auto", every=100)
    assert grown(held) == []
    assert ended["games"] >= GAMES
    assert {"EXIT", "CRASH", "MEMORY", "MALFORMED", "START_FAILED", "DISCONNECT"} <= set(ended)
    assert ended["void"] == 0
    assert len(PLANS) * 25 < GAMES
