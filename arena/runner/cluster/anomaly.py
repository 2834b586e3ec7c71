"""Whether one machine's results or faults differ from the others': pure functions of stored games.

Bots are spread over machines without regard to who they are, so that on every machine the same line-up should come to
the same swings, and the same bot should be at fault as often, but for chance. Two tests for every machine, each against
all others together and within line-ups or bots only, so that it does not matter who happened to play where:

    faults    in how many bouts a bot was at fault more often than is usual for it: the exact test of stratified
              2 x 2 tables (sums of hypergeometric variables), one-sided; its normal limit where the tables are large
    results   the mean swings of every line-up with at least 5 blocks here and 5 elsewhere: Hotelling's distance with
              the moments of a permutation, summed over line-ups, against chi-square

A machine is flagged at 1 % by Holm's rule over all tests of an event; the one that stands out most is then left aside
and the others are compared anew, so that it makes no others look odd. What a flag means is for the organiser to find
out: a slow processor makes a bot that thinks until its clock says stop weaker, without any fault of the arena.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.rating.bands import holm
from arena.rating.blocks import Block
from arena.record.results import GameRow

ALPHA = 0.01
MIN_BLOCKS = 5
"""Of a line-up, here and elsewhere, for its mean swings to be compared."""
LARGE = 25.0
"""Variance from which on a sum of hypergeometric variables is taken for normal."""
Array = NDArray[np.float64]
BlockId = tuple[int, int, int]
"""(round, board, table)."""


class Swings(NamedTuple):
    """One complete block that one machine played."""

    machine: str
    lineup: tuple[str, ...]
    """Names it, see `Block.lineup`."""
    swings: tuple[float, ...]
    """By competitor, as in `Block.swings`."""


class Stint(NamedTuple):
    """One bot in one bout on one machine."""

    machine: str
    bot: str
    games: int
    faulty: int
    """Games in which it was at fault."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One machine against all others."""

    machine: str
    games: int
    blocks: int | None
    """Complete ones that it played alone; None: not looked at, since there is nothing to compare."""
    faulty: int | None
    """Games in which any bot was at fault."""
    faults_p: float | None
    """How likely so many faults or more are by chance; None: nothing to compare."""
    results_p: float | None
    """How likely results that differ so much or more are by chance; None: nothing to compare."""
    flags: tuple[str, ...]
    """"faults", "results": what stands out among all machines."""


def machine_of(worker: str) -> str:
    """The machine of a stored worker's name: the name without the number of a process."""
    return re.sub(r":\d+\Z", "", worker)


def gathered(
    rows: Iterable[tuple[str, GameRow]], blocks: Iterable[Block]
) -> tuple[list[Swings], list[Stint], Counter[str], Counter[str]]:
    """What the tests need from (worker, game) and the blocks that the games make: swings, stints, and by machine the
    games and those of them in which a bot was at fault. Games of which nobody knows who played them are left out."""
    players: dict[BlockId, set[str]] = defaultdict(set)
    counts: dict[tuple[str, int, int, str], list[int]] = defaultdict(lambda: [0, 0])
    games: Counter[str] = Counter()
    faulty: Counter[str] = Counter()
    for worker, row in rows:
        key, machine = row.key, machine_of(worker)
        players[key.round, key.board, key.table].add(machine)
        if not machine:
            continue
        games[machine] += 1
        faulty[machine] += bool(row.faults)
        guilty = {row.bots[seat] for seat, _code in row.faults}
        for bot in set(row.bots):
            count = counts[machine, key.round, key.table, bot]
            count[0] += 1
            count[1] += bot in guilty
    swings = []
    for block in blocks:
        who = players.get((block.round, block.board, block.table), set())
        if len(who) == 1 and (machine := next(iter(who))):
            swings.append(Swings(machine, block.lineup, block.swings))
    stints = [Stint(machine, bot, *count) for (machine, _round, _table, bot), count in sorted(counts.items())]
    return swings, stints, games, faulty


def examine(
    swings: Sequence[Swings], stints: Sequence[Stint], games: Mapping[str, int], faulty: Mapping[str, int]
) -> list[Finding]:
    """One finding for every machine, in the order of names; no p-values where there is one machine only."""
    machines = sorted(games)
    faults = _search(lambda left: _fault_tests([each for each in stints if each.machine in left]), machines)
    results = _search(lambda left: _result_tests([each for each in swings if each.machine in left]), machines)
    blocks = Counter(each.machine for each in swings)
    return [
        Finding(
            machine,
            games[machine],
            blocks[machine],
            faulty.get(machine, 0),
            faults.tails.get(machine),
            results.tails.get(machine),
            tuple(what for what, found in (("faults", faults), ("results", results)) if machine in found.odd),
        )
        for machine in machines
    ]


class _Found(NamedTuple):
    tails: dict[str, float]
    """By machine: p among those that were compared with it."""
    odd: frozenset[str]


def _search(test: Callable[[frozenset[str]], dict[str, float]], machines: Sequence[str]) -> _Found:
    """Test, leave the oddest machine aside, test again, until no further one stands out."""
    left, tails = frozenset(machines), dict[str, float]()
    odd: set[str] = set()
    while len(left) > 1:
        now = test(left)
        tails.update(now)
        names = sorted(now, key=lambda name: (now[name], name))
        fallen = holm(np.array([now[name] for name in names]), ALPHA / 2) if names else ()
        if not any(fallen):
            break
        level = (
            [name for name in names if math.isclose(now[name], now[names[0]], rel_tol=1e-6)]
            if len(left) == 2
            else names[:1]
        )
        odd.update(level)  # of two that differ, nobody can say which one is odd
        left -= set(level)
    return _Found(tails, frozenset(odd))


def _fault_tests(stints: Sequence[Stint]) -> dict[str, float]:
    strata: dict[str, list[Stint]] = defaultdict(list)
    for stint in stints:
        strata[stint.bot].append(stint)
    tables: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    seen: Counter[str] = Counter()
    for of_bot in strata.values():
        shares = [each.faulty / each.games for each in of_bot]
        high = [share > float(np.median(shares)) for share in shares]
        here = Counter(each.machine for each in of_bot)
        for each, is_high in zip(of_bot, high, strict=True):
            seen[each.machine] += is_high
        for machine, count in here.items():
            tables[machine].append((len(of_bot), sum(high), count))
    found = {machine: _tail(of_machine, seen[machine]) for machine, of_machine in tables.items()}
    return {machine: p for machine, p in found.items() if p is not None}


def _tail(tables: Iterable[tuple[int, int, int]], seen: int) -> float | None:
    """P(at least `seen`) of a sum of hypergeometric variables (total, marked, drawn); None when nothing is open."""
    from scipy import stats

    open_ones = [(total, marked, drawn) for total, marked, drawn in tables if marked > 0 and 0 < drawn < total]
    fixed = 0  # where all units of a bot were here, all marked ones are, too
    for total, marked, drawn in tables:
        if drawn == total:
            fixed += marked
    if not open_ones:
        return None
    mean = sum(drawn * marked / total for total, marked, drawn in open_ones)
    variance = sum(
        drawn * (marked / total) * (1 - marked / total) * (total - drawn) / (total - 1)
        for total, marked, drawn in open_ones
    )
    seen -= fixed
    if variance > LARGE:
        return float(stats.norm.sf((seen - 0.5 - mean) / variance**0.5))
    chances: Array = np.ones(1)
    for total, marked, drawn in open_ones:
        chances = np.convolve(chances, stats.hypergeom.pmf(np.arange(min(marked, drawn) + 1), total, marked, drawn))
    return float(min(1.0, chances[max(seen, 0) :].sum()))


def _result_tests(swings: Sequence[Swings]) -> dict[str, float]:
    from scipy import stats

    strata: dict[tuple[str, ...], list[Swings]] = defaultdict(list)
    for each in swings:
        strata[each.lineup].append(each)
    distance: dict[str, float] = defaultdict(float)
    freedom: Counter[str] = Counter()
    for of_lineup in strata.values():
        points = np.array([each.swings for each in of_lineup])
        total = len(points)
        centred = points - points.mean(axis=0)
        spread = np.atleast_2d(centred.T @ centred) / (total - 1 or 1)
        rank = int(np.linalg.matrix_rank(spread, hermitian=True))
        inverse = np.linalg.pinv(spread, hermitian=True)
        places: dict[str, list[int]] = defaultdict(list)
        for place, each in enumerate(of_lineup):
            places[each.machine].append(place)
        for machine, own in places.items():
            count = len(own)
            if rank and count >= MIN_BLOCKS and total - count >= MIN_BLOCKS:
                mean = centred[own].mean(axis=0)
                distance[machine] += float(mean @ inverse @ mean) * count * total / (total - count)
                freedom[machine] += rank
    return {machine: float(stats.chi2.sf(distance[machine], freedom[machine])) for machine in freedom}
