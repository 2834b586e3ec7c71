"""A bot that looks for everything it should not reach, in a real game in a box; it finds nothing and its games go on.

The same probes without a box find what they look for: a probe that finds nothing there would prove nothing here.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from runner.bouts import FOLDER
from sandbox.bait import bait
from sandbox.rows import Played, Row, best, check, play

from arena.bots.sandbox.means import NONE, Means
from arena.record.tiers import Tier

pytestmark = [pytest.mark.needs("bwrap"), pytest.mark.needs("root"), pytest.mark.xdist_group("test_probes")]

PROBES = (
    "network",
    "raw_sockets",
    "other_sockets",
    "files",
    "environment",
    "command_lines",
    "descriptors",
    "folders",
    "seat_folder",
    "others",
    "kernel",
    "terminal",
    "root",
    "core",
    "floods_its_seat",
    "signals_to_the_arena",
)
HARMLESS = ("network", "other_sockets", "files", "environment", "command_lines", "folders", "others")
"""Those that find something wherever there is no sandbox."""


def probed(names: tuple[str, ...], means: Means, folder: Path) -> Played:
    """A bot that tries one probe in each of its games, from the second one on, in a copy of its folder."""
    plan = {str(game): [f"do:probes.{name}", 1] for game, name in enumerate(names, 2)}
    shutil.copytree(FOLDER, folder / "bot", ignore=shutil.ignore_patterns("__pycache__"))
    with bait(private=means.tier is Tier.C) as told:  # without mounts the modes of folders guard sockets
        return play(Row(plan, boards=len(names) + 1, told=told, folder=folder / "bot"), means, beside=means.boxed)


@pytest.fixture(scope="module")
def inside(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return probed(PROBES, best(), tmp_path_factory.mktemp("inside"))


@pytest.mark.parametrize("name", PROBES)
def test_a_probe_finds_nothing_in_a_box(inside: Played, name: str) -> None:
    [items] = [line["items"] for line in inside.hostile[0].of("found") if line["of"] == f"do:probes.{name}"]
    assert items == []


def test_probing_costs_nothing(inside: Played) -> None:
    check(Row({}, boards=len(PROBES) + 1), inside)


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return probed(HARMLESS, NONE, tmp_path_factory.mktemp("outside"))


@pytest.mark.parametrize("name", HARMLESS)
def test_the_same_probe_finds_something_without_a_box(outside: Played, name: str) -> None:
    [items] = [line["items"] for line in outside.hostile[0].of("found") if line["of"] == f"do:probes.{name}"]
    assert items
