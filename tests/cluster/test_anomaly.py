"""The tests for machines that differ: few false alarms, and those that are broken are found."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from arena.rating.blocks import Block
from arena.record.results import GameKey, GameRow, Verdict
from arena.runner.cluster.anomaly import Finding, Stint, Swings, examine, gathered, machine_of

MACHINES = ("m1", "m2", "m3", "m4")
BOTS = ("ant", "bee", "cat", "dog", "elk", "fox")
Rng = np.random.Generator


def event(rng: Rng, *, shift: float = 0.0, faults: dict[str, float] | None = None, odd: float = 0.0) -> list[Finding]:
    """A made-up event: pairs of bots, 20 bouts of 5 blocks for each pair, bouts on machines by chance.

    `shift`: of the swings on m1, in standard deviations, bee's loss. `faults`: chance of a fault in a game by bot;
    `odd`: added to it on m1.
    """
    swings: list[Swings] = []
    stints: list[Stint] = []
    games: Counter[str] = Counter()
    pairs = [(one, two) for place, one in enumerate(BOTS) for two in BOTS[place + 1 :]]
    for pair in pairs:
        strength = rng.normal()
        for _bout in range(20):
            machine = MACHINES[rng.integers(len(MACHINES))]
            games[machine] += 10
            for _block in range(5):
                swing = strength + rng.normal()
                if machine == "m1" and "bee" in pair:
                    swing += shift * (-1 if pair[0] == "bee" else 1)
                swings.append(Swings(machine, pair, (swing, -swing)))
            for bot in pair:
                chance = (faults or {}).get(bot, 0.0) + (odd if machine == "m1" else 0.0)
                stints.append(Stint(machine, bot, 10, int(rng.binomial(10, chance))))
    return examine(swings, stints, games, {})


def flags(findings: list[Finding]) -> dict[str, tuple[str, ...]]:
    return {each.machine: each.flags for each in findings if each.flags}


def test_machines_that_are_alike_are_rarely_flagged() -> None:
    rng = np.random.default_rng(5)
    alarms = sum(bool(flags(event(rng, faults={"cat": 0.3, "dog": 0.01}))) for _ in range(100))
    assert alarms <= 4, "1 % is meant"


def test_p_values_are_spread_evenly_where_machines_are_alike() -> None:
    rng = np.random.default_rng(6)
    found = [each for _ in range(40) for each in event(rng, faults={"cat": 0.3, "dog": 0.05})]
    results = [each.results_p for each in found if each.results_p is not None]
    assert len(results) == 160
    assert 0.4 < float(np.mean(results)) < 0.6
    assert float(np.mean([p < 0.1 for p in results])) < 0.2


def test_a_machine_on_which_one_bot_plays_weaker_is_flagged_for_its_results() -> None:
    assert flags(event(np.random.default_rng(7), shift=1.0)) == {"m1": ("results",)}


def test_a_machine_on_which_bots_time_out_more_is_flagged_for_faults() -> None:
    found = flags(event(np.random.default_rng(8), faults={"cat": 0.3}, odd=0.08))
    assert found == {"m1": ("faults",)}


def test_a_bot_that_is_often_at_fault_flags_no_machine_that_it_played_on() -> None:
    """It played on m1 more than others did: within its own bouts nothing differs."""
    stints = [Stint("m1", "cat", 10, 5)] * 40 + [Stint("m2", "cat", 10, 5)] * 2
    stints += [Stint("m1", "dog", 10, 0)] * 10 + [Stint("m2", "dog", 10, 0)] * 40
    found = examine([], stints, {"m1": 500, "m2": 420}, {})
    assert flags(found) == {}
    assert [each.faults_p for each in found] == [None, None]


def test_free_for_all_swings_are_compared_in_all_directions() -> None:
    rng = np.random.default_rng(9)

    def block(machine: str, loss: float) -> Swings:
        points = rng.normal(size=3) - np.array([0.0, 0.0, loss])
        points -= points.mean()
        return Swings(machine, ("ant", "bee", "cat"), tuple(points))

    alike = [block(machine, 0) for machine in ("m1", "m2") for _ in range(60)]
    games = {"m1": 180, "m2": 180}
    assert flags(examine(alike, [], games, {})) == {}
    odd = [block(machine, 1.5 * (machine == "m1")) for machine in ("m1", "m2") for _ in range(60)]
    assert set(flags(examine(odd, [], games, {}))) == {"m1", "m2"}, "of two, each differs from the other"


def test_one_machine_alone_has_nothing_to_be_compared_with() -> None:
    [found] = examine([Swings("m1", ("ant", "bee"), (1.0, -1.0))] * 20, [], {"m1": 40}, {"m1": 3})
    assert found == Finding("m1", 40, 20, 3, None, None, ())


@pytest.mark.parametrize(("worker", "machine"), [("h:12", "h"), ("node-3", "node-3"), ("", ""), ("a:b:7", "a:b")])
def test_a_process_belongs_to_its_machine(worker: str, machine: str) -> None:
    assert machine_of(worker) == machine


def row(board: int, seating: int, faults: tuple[tuple[int, str], ...] = ()) -> GameRow:
    bots = ("ant", "bee") if seating == 0 else ("bee", "ant")
    return GameRow(GameKey(1, board, 1, seating), bots, Verdict.FINISHED, (1.0, 0.0), (0, 1), (0, 0), faults)


def test_blocks_that_two_machines_share_count_for_neither() -> None:
    rows = [
        ("m1:5", row(1, 0)),
        ("m1:9", row(1, 1, ((0, "TIMEOUT"), (0, "TIMEOUT")))),
        ("m1:9", row(2, 0)),
        ("m2", row(2, 1)),
        ("", row(3, 0)),
        ("", row(3, 1)),
    ]
    blocks = [Block(1, board, 1, ("ant", "bee"), (3.0, 1.0), (0, 0), (0, 1)) for board in (1, 2, 3)]
    swings, stints, games, faulty = gathered(rows, blocks)
    assert swings == [Swings("m1", ("ant", "bee"), (2.0, -2.0))]
    assert stints == [
        Stint("m1", "ant", 3, 0),
        Stint("m1", "bee", 3, 1),
        Stint("m2", "ant", 1, 0),
        Stint("m2", "bee", 1, 0),
    ]
    assert (games, faulty) == ({"m1": 3, "m2": 1}, {"m1": 1, "m2": 0})
