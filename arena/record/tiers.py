"""Sandbox tiers: how well the bots of a game were kept apart, best first. Knows their order and nothing of how."""

from __future__ import annotations

import enum


class Tier(enum.StrEnum):
    """What a host can promise; docs/sandbox.md says what each one lacks."""

    A = "A"
    """Root, user namespaces and control groups: every promise holds."""
    A_PRIME = "A'"
    """No root: memory and processes of a bot's tree are polled instead of limited by the kernel."""
    B = "B"
    """Inside a container with a masked /proc: bots have no /proc."""
    C = "C"
    """No user namespaces, but root: Landlock, a uid of its own, seccomp, control groups."""
    D = "D"
    """Nothing but resource limits: for trusted bots alone."""


ORDER: tuple[Tier, ...] = tuple(Tier)
"""Best first."""


def holds(tier: Tier | str, minimum: Tier | str) -> bool:
    """Whether a tier is at least `minimum`. Raises ValueError for a text that is no tier."""
    return ORDER.index(Tier(tier)) <= ORDER.index(Tier(minimum))


def lowest(tiers: list[Tier]) -> Tier:
    """The worst of some tiers."""
    return max(tiers, key=ORDER.index)
