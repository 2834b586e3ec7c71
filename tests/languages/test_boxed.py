"""Every language plays inside the sandbox, in every tier that this machine can make."""

from __future__ import annotations

import asyncio
import shutil

import pytest
from languages.built import built
from languages.playing import against, make
from runner.bouts import DEADLINE_S, PATIENT, SECRET, nothing_left

from arena.bots.sandbox import selftest
from arena.bots.sandbox.means import Means
from arena.record.results import Verdict
from arena.record.tiers import Tier
from arena.runner.single import Single, play_single

LANGUAGES = {
    "python/template": (),
    "typescript": ("node", "npm"),
    "go": ("go",),
    "rust": ("cargo",),
    "java": ("javac", "mvn"),
    "cpp": ("cmake", "grpc_cpp_plugin"),
    "jsonl/perl": ("perl",),
    "jsonl/lua": ("lua5.4",),
}
"""Template -> the tools that it needs."""
pytestmark = pytest.mark.needs("bwrap")


def templates() -> list[object]:
    """A parameter for each template, with its marks; in the group whose tests have it built."""
    return [
        pytest.param(
            name,
            marks=[*[pytest.mark.needs(tool) for tool in tools], pytest.mark.xdist_group(name.rpartition("/")[2])],
        )
        for name, tools in LANGUAGES.items()
    ]


def play_boxed(name: str, means: Means) -> None:
    """Two whole games at once against a house bot, in boxes, without a fault and with nothing left."""
    game = make("crowsnest").single_deal()
    with nothing_left() as folder:
        (folder / "logs").mkdir()
        single = Single(game, against(game, built(name)), SECRET, 2, PATIENT, folder / "logs", means)
        played = asyncio.run(asyncio.wait_for(play_single(single), DEADLINE_S * 2))
        said = [(file.name, file.read_text(errors="replace")) for file in sorted((folder / "logs").iterdir())]
        shutil.rmtree(folder / "logs")
    assert [(stored.result.verdict, stored.tier) for stored in played] == [(Verdict.FINISHED, means.tier)] * 2, said
    assert [fault for stored in played for fault in stored.result.faults] == [], said


@pytest.mark.parametrize("name", templates())
def test_every_language_plays_in_the_best_sandbox(name: str) -> None:
    play_boxed(name, next(selftest.candidates()))


@pytest.mark.long
@pytest.mark.needs("root")
@pytest.mark.parametrize("tier", [Tier.B, Tier.C])
@pytest.mark.parametrize("name", templates())
def test_every_language_plays_in_the_lower_tiers(name: str, tier: Tier) -> None:
    play_boxed(name, next(means for means in selftest.candidates() if means.tier is tier))
