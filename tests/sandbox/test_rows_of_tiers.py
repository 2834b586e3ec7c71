"""The rows of bots that misbehave, on the lower tiers of this host: what a tier cannot hold is said by its promises."""

from __future__ import annotations

from pathlib import Path

import pytest
from runner.test_faults import SHORT
from sandbox.rows import SEAT, Played, Row, check, play, row
from sandbox.test_crossing import carried, talked
from sandbox.test_probes import probed

from arena.bots.sandbox.means import Means
from arena.bots.sandbox.promises import BY_NAME
from arena.bots.sandbox.selftest import candidates
from arena.record.results import Verdict
from arena.record.tiers import Tier

CANDIDATES = {f"{means.tier}{'' if means.groups else ' polled'}": means for means in candidates()}
LOWER = [name for name, means in CANDIDATES.items() if means.tier is not Tier.A]
FATAL = {
    "memory": row("greed.memory", "MEMORY", 2.0, boards=2),
    "memory of children": row("greed.memory_of_children", "MEMORY", 2.0, boards=2),
    "exit": row("exit", "EXIT", boards=2),
    "stop": row("stop", "TIMEOUT", 1.5, clock=SHORT, boards=2),
    "kills all": row("greed.kills_all", "CRASH", 2.0, boards=2),
    "leaves others behind": row("greed.leaves_and_exits", "EXIT", 3.0, also="DISCONNECT", boards=2),
}
PROBES = {
    "network": ("network", "raw_sockets", "other_sockets"),
    "files": ("files",),
    "environment": ("environment",),
    "descriptors": ("descriptors",),
    "folder": ("folders",),
    "processes": ("others", "command_lines"),
    "kernel": ("kernel", "terminal"),
    "privileges": ("root",),
    "limits": ("core",),
}
"""Promise -> the probes that would break it."""
SPACE = ("greed.disk", "greed.inodes")
QUIET = ("greed.output", "greed.hides")
pytestmark = [pytest.mark.long, pytest.mark.timed, pytest.mark.needs("bwrap"), pytest.mark.needs("root")]


@pytest.mark.parametrize("tier", LOWER)
@pytest.mark.parametrize("name", FATAL)
def test_a_bot_that_takes_too_much_or_ends(tier: str, name: str) -> None:
    check(FATAL[name], play(FATAL[name], CANDIDATES[tier]))


def kept(means: Means, promise: str, items: list[str]) -> None:
    """Nothing was found, or the tier lacks the promise."""
    assert not items or means.tier in BY_NAME[promise].lacking, (promise, items)


@pytest.mark.parametrize("tier", LOWER)
def test_probes_find_nothing_but_what_the_tier_lacks(tier: str, tmp_path: Path) -> None:
    means = CANDIDATES[tier]
    names = tuple(name for probes in PROBES.values() for name in probes)
    played = probed(names, means, tmp_path)
    assert played.tried == len(names)
    for promise, probes in PROBES.items():
        kept(means, promise, items_of(played, [f"do:probes.{name}" for name in probes]))


def items_of(played: Played, modes: list[str]) -> list[str]:
    lines = [line for heard in played.hostile for line in heard.of("found") if line["of"] in modes]
    return [item for line in lines for item in line["items"]]


@pytest.mark.parametrize("tier", LOWER)
def test_what_stays_within_the_limits_costs_nothing(tier: str) -> None:
    means = CANDIDATES[tier]
    modes = [f"do:{what}" for what in (*SPACE, *QUIET)]
    plan = {str(game): [mode, 1] for game, mode in enumerate(modes, 2)}
    played = play(Row(plan, boards=len(modes) + 1, told={"output_mib": 50}), means)
    assert [game.result.verdict for game in played.outcome.games] == [Verdict.FINISHED] * (len(modes) + 1)
    kept(means, "space", items_of(played, modes[: len(SPACE)]))


@pytest.mark.parametrize("tier", LOWER)
def test_nothing_crosses(tier: str, tmp_path: Path) -> None:
    assert carried(CANDIDATES[tier], tmp_path).found == []
    assert talked(CANDIDATES[tier]).found == []


@pytest.mark.parametrize("tier", LOWER)
def test_threads_are_bounded(tier: str) -> None:
    """By the kernel where there are control groups; else by the limit of its uid, or it is ended when it is seen."""
    wanted = row("greed.threads", "PIDS", 5.0, boards=2)
    played = play(wanted, CANDIDATES[tier], beside=False)
    [(seat, code)] = played.forfeits()
    assert seat == SEAT
    assert code == "PIDS" or (code == "CRASH" and not CANDIDATES[tier].groups)
    assert played.found == []


@pytest.mark.parametrize("tier", LOWER)
def test_a_fork_bomb_is_bounded(tier: str) -> None:
    """The game goes on where the kernel bounds it; else the bot is ended when it is seen, and its uid has a limit."""
    means = CANDIDATES[tier]
    played = play(row("greed.forks", boards=2), means, beside=False)
    assert {code for _seat, code in played.forfeits()} <= (set() if means.groups else {"PIDS", "MEMORY"})
    assert played.found == [] or not means.groups
