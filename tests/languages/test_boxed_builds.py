"""The templates are built in boxes: their packages fetched by lock file, their own steps without a network.

What takes so long is not done for every change: `test_new.py` builds nearly all of them in the best box.
"""

from __future__ import annotations

import asyncio

import pytest
from languages.built import BUILD_S, CACHE, TEMPLATES, files
from languages.playing import against, make
from runner.bouts import DEADLINE_S, PATIENT, SECRET

from arena.bots.build import built
from arena.bots.manifest import read_bot
from arena.bots.sandbox import selftest
from arena.bots.sandbox.means import Means
from arena.record.results import Verdict
from arena.record.tiers import Tier
from arena.runner.single import Single, play_single

TOOLS = {
    "typescript": ("node", "npm"),
    "java": ("javac", "mvn"),
    "go": ("go",),
    "rust": ("cargo",),
    "cpp": ("cmake", "grpc_cpp_plugin"),
}
LANGUAGES = [
    pytest.param(name, marks=[*[pytest.mark.needs(tool) for tool in tools], pytest.mark.xdist_group(name)])
    for name, tools in TOOLS.items()
]
pytestmark = [pytest.mark.needs("bwrap"), pytest.mark.long]


def build_and_play(language: str, means: Means) -> None:
    """Build a template in a box and play with what was made."""
    source = TEMPLATES / language
    before = sorted(map(str, files(source)))
    bot = built(read_bot(source), CACHE / f"boxed-{means.tier}", BUILD_S, means)
    assert sorted(map(str, files(source))) == before
    game = make("goat").single_deal()
    single = Single(game, against(game, bot), SECRET, 1, PATIENT, None, means)
    (played,) = asyncio.run(asyncio.wait_for(play_single(single), DEADLINE_S * 2))
    assert (played.result.verdict, list(played.result.faults)) == (Verdict.FINISHED, [])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_template_is_built_in_a_box(language: str) -> None:
    build_and_play(language, next(selftest.candidates()))


@pytest.mark.needs("root")
@pytest.mark.parametrize("tier", [Tier.B, Tier.C])
@pytest.mark.parametrize("language", LANGUAGES)
def test_templates_are_built_in_the_lower_tiers(language: str, tier: Tier) -> None:
    build_and_play(language, next(means for means in selftest.candidates() if means.tier is tier))
