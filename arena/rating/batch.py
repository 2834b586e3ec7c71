"""The order-free fit: levels that agree with all results at once, by expectation propagation over TrueSkill factors.

Each (kind of result, competitor) has one Gaussian message and a count; a sweep makes every message anew from the levels
without it. It knows competitors as indices and results as rankings; not what a block or a board is. The same sweeps fit
many weightings of the same results side by side, which is what the bootstrap asks for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.rating.factors import INNER, Array, messages
from arena.rating.teams import team_messages
from arena.rating.trueskill_env import MU, SIGMA, draw_margin

STEP = 0.7
"""How far a message moves towards the new one in a sweep, at first. All messages move at once: with whole steps two
bots that only meet each other overshoot for ever, and a candidate against a panel likewise."""
SHORTER, SHORTEST = 0.7, 0.02
"""Where levels swing to and fro without coming to rest, the step becomes shorter by this factor, down to the second."""
PRECISION = 1e-5
SWEEPS = 2000


Mask = NDArray[np.bool_]
Places = NDArray[np.intp]


class Kind(NamedTuple):
    """All results that say the same: these competitors in this order."""

    bots: tuple[int, ...]
    """Best place first; tied ones in the order in which they are fed to the chain."""
    ties: tuple[bool, ...]
    """Whether places x and x + 1 are tied."""
    size: int = 1
    """Bots that share a place: in `bots` those of one side follow each other."""


class _Group(NamedTuple):
    """Kinds with as many competitors and the same ties: their factors are computed together."""

    ties: tuple[bool, ...]
    size: int
    margin: float
    columns: list[int]
    """Which kinds."""
    bots: Places
    """(places, kinds)"""


class Messages(NamedTuple):
    """The state of a fit: for each group, (places, kinds, weightings)."""

    pi: tuple[Array, ...]
    tau: tuple[Array, ...]


class Levels(NamedTuple):
    """What came out: (competitors, weightings), the mean of the field at 25 in each weighting."""

    mu: Array
    sigma: Array


class Fit:
    """The fit of a fixed list of kinds of results among `size` competitors at one draw probability."""

    def __init__(self, kinds: Iterable[Kind], size: int, draw: float) -> None:
        self.kinds = tuple(kinds)
        self._size = size
        by_ties: dict[tuple[int, int, tuple[bool, ...]], list[int]] = {}
        for column, kind in enumerate(self.kinds):
            by_ties.setdefault((kind.size, len(kind.ties), kind.ties), []).append(column)
        self._groups = [
            _Group(
                ties,
                each,
                draw_margin(draw, 2 * each),
                columns,
                np.array([self.kinds[column].bots for column in columns], dtype=np.intp).T,
            )
            for (each, _, ties), columns in sorted(by_ties.items())
        ]
        entries = np.concatenate([group.bots.ravel() for group in self._groups]) if self._groups else np.zeros(0, int)
        self._by_bot = np.argsort(entries, kind="stable")
        present, starts = np.unique(entries[self._by_bot], return_index=True)
        self._present, self._starts = present, starts

    def silent(self, weightings: int = 1) -> Messages:
        """Messages that say nothing yet."""
        shapes = [(*group.bots.shape, weightings) for group in self._groups]
        return Messages(tuple(np.zeros(shape) for shape in shapes), tuple(np.zeros(shape) for shape in shapes))

    def repeated(self, state: Messages, weightings: int) -> Messages:
        """The messages of one weighting as the start of many."""
        return Messages(
            tuple(np.repeat(part, weightings, axis=2) for part in state.pi),
            tuple(np.repeat(part, weightings, axis=2) for part in state.tau),
        )

    def run(
        self,
        counts: Array,
        state: Messages,
        *,
        sweeps: int = SWEEPS,
        precision: float = PRECISION,
        inner: int = INNER,
    ) -> tuple[Levels, Messages]:
        """Sweep each weighting until none of its mu (the field's mean removed) and sigma would move by `precision`.

        `counts` (kinds, weightings): how often each result happened. Stops after `sweeps` at the latest. Gives levels
        and messages.
        """
        settled = Messages(tuple(map(np.empty_like, state.pi)), tuple(map(np.empty_like, state.tau)))
        pi, tau = self._levels(counts, state)
        where = _position(pi, tau)
        final = np.empty_like(where)
        change = np.zeros_like(where)
        columns = np.arange(counts.shape[1])
        step = np.full(len(columns), STEP)
        for sweep in range(1, sweeps + 1):
            state = self._sweep(counts, state, pi, tau, inner, step)
            pi, tau = self._levels(counts, state)
            there = _position(pi, tau)
            last, change, where = change, there - where, there
            moving = np.max(np.abs(change), axis=0, initial=0.0) >= precision * step
            if sweep == sweeps:
                moving[:] = False
            if not moving.all():
                final[:, columns[~moving]] = where[:, ~moving]
                _put(settled, state, columns[~moving], ~moving)
                if not moving.any():
                    break
                state = _taken(state, moving)
                counts, pi, tau, columns = counts[:, moving], pi[:, moving], tau[:, moving], columns[moving]
                last, change, where, step = last[:, moving], change[:, moving], where[:, moving], step[moving]
            to_and_fro = -np.sum(change * last, axis=0) > 0.5 * np.sum(last * last, axis=0)
            step = np.where(to_and_fro & (sweep > 1), np.maximum(step * SHORTER, SHORTEST), step)
        return Levels(MU + final[: self._size], final[self._size :]), settled

    def _levels(self, counts: Array, state: Messages) -> tuple[Array, Array]:
        """Prior times all messages: (competitors, weightings)."""
        weightings = counts.shape[1]
        pi = np.full((self._size, weightings), SIGMA**-2)
        tau = pi * MU
        for total, parts in ((pi, state.pi), (tau, state.tau)):
            said = [
                (part * counts[group.columns]).reshape(-1, weightings)
                for group, part in zip(self._groups, parts, strict=True)
            ]
            if said:
                ordered = np.concatenate(said)[self._by_bot]
                total[self._present] += np.add.reduceat(ordered, self._starts, axis=0)
        return pi, tau

    def _sweep(self, counts: Array, state: Messages, pi: Array, tau: Array, inner: int, step: Array) -> Messages:
        new_pi, new_tau = [], []
        for group, old_pi, old_tau in zip(self._groups, state.pi, state.tau, strict=True):
            own = np.minimum(counts[group.columns], 1.0)  # a result that did not happen is in no level
            without_pi = pi[group.bots] - own * old_pi
            without_tau = tau[group.bots] - own * old_tau
            flat = (len(group.bots), -1)
            mu, var = (without_tau / without_pi).reshape(flat), (1.0 / without_pi).reshape(flat)
            if group.size == 1:
                said = messages(mu, var, group.ties, group.margin, inner)
            else:
                said = team_messages(mu, var, group.ties[0], group.margin)
            new_pi.append(old_pi + step * (said[0].reshape(old_pi.shape) - old_pi))
            new_tau.append(old_tau + step * (said[1].reshape(old_tau.shape) - old_tau))
        return Messages(tuple(new_pi), tuple(new_tau))


def counted(kinds: Iterable[Kind]) -> list[tuple[Kind, int]]:
    """Equal results together, in an order that does not depend on the order given."""
    return sorted(Counter(kinds).items())


def _taken(state: Messages, columns: Mask) -> Messages:
    """The messages of some weightings."""
    return Messages(tuple(part[:, :, columns] for part in state.pi), tuple(part[:, :, columns] for part in state.tau))


def _put(into: Messages, state: Messages, places: Places, columns: Mask) -> None:
    """Copy the messages of some weightings to their places among all."""
    for goal, parts in ((into.pi, state.pi), (into.tau, state.tau)):
        for whole, part in zip(goal, parts, strict=True):
            whole[:, :, places] = part[:, :, columns]


def _position(pi: Array, tau: Array) -> Array:
    """Where a fit stands: every mu without the field's mean, then every sigma."""
    mu = tau / pi
    return np.concatenate([mu - mu.mean(axis=0) if len(mu) else mu, 1.0 / np.sqrt(pi)])
