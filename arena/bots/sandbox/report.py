"""What the self-test found, as one report: the tier, every promise, what the tier lacks, what would lift it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from arena.bots.sandbox import provoke, selftest
from arena.bots.sandbox.hints import Hint, find_facts, hints
from arena.bots.sandbox.means import NONE, Means
from arena.bots.sandbox.promises import PROMISES, tier_of
from arena.bots.sandbox.selftest import Finding, Told
from arena.record.tiers import Tier


class Kept(NamedTuple):
    """One promise on this machine."""

    name: str
    text: str
    held: bool | None
    """None when it was not tried."""
    possible: str
    """What was possible when it did not hold."""


@dataclass(frozen=True, slots=True)
class Report:
    """All of it."""

    means: Means
    """NONE when no way holds."""
    full: bool
    promises: tuple[Kept, ...]
    """Of the tier that was found; for D of bots without any sandbox."""
    tried: tuple[Finding, ...]
    """The ways that were tried, best first; the last one is `means` unless that is NONE."""
    quick_tier: Tier
    """What commands find, who look only quickly."""
    lacks: tuple[str, ...]
    hints: tuple[Hint, ...]

    @property
    def tier(self) -> Tier:
        """The tier of this machine."""
        return self.means.tier

    def to_data(self) -> dict[str, Any]:  # Any: JSON
        """As JSON data."""
        return {
            "tier": self.tier.value,
            "quick_tier": self.quick_tier.value,
            "full": self.full,
            "promises": [kept._asdict() for kept in self.promises],
            "tried": [
                {
                    "tier": finding.wanted.value,
                    "way": way(finding.tried),
                    "held": finding.means.boxed,
                    "broken": finding.broken,
                }
                for finding in self.tried
            ],
            "lacks": list(self.lacks),
            "hints": [hint._asdict() for hint in self.hints],
        }


async def examine_host(*, full: bool, told: Told = lambda _what: None) -> Report:
    """Try this machine. Leaves nothing behind."""
    tried = [finding async for finding in selftest.findings(full=full, told=told)]
    found = tried[-1] if tried and tried[-1].means.boxed else await selftest.examine_none()
    facts = find_facts()
    broken = {finding.wanted: finding.broken for finding in tried if not finding.means.boxed}
    return Report(
        means=found.means,
        full=full,
        promises=tuple(_kept(found)),
        tried=tuple(tried),
        quick_tier=quick_tier(tried),
        lacks=tuple(lacks(found.means, found.broken)),
        hints=tuple(hints(found.means.tier, facts, broken)),
    )


def _kept(finding: Finding) -> list[Kept]:
    return [
        Kept(
            promise.name,
            promise.text,
            None if promise.name in finding.untried else promise.name not in finding.broken,
            finding.broken.get(promise.name, ""),
        )
        for promise in PROMISES
    ]


def quick_tier(tried: Sequence[Finding]) -> Tier:
    """The tier that a look without provoked limits finds by the same evidence."""
    for finding in tried:
        seen = frozenset(finding.broken) - frozenset(provoke.ATTEMPTS)
        if selftest.START not in seen and (tier := tier_of(finding.wanted, seen)) is not Tier.D:
            return tier
    return Tier.D


def lacks(means: Means, broken: dict[str, str]) -> list[str]:
    """What a tier does without, in words."""
    if means == NONE:
        return ["everything: bots run with the rights of the arena, resource limits aside"]
    found = []
    if not means.groups:
        found.append("memory and processes of a bot are counted four times a second, not limited by the kernel")
        found.append("processor time is neither limited nor counted")
    if not means.uids:
        found.append("bots have no uid of their own: only namespaces stand between them and the arena's files")
    if means.bwrap and not means.proc:
        found.append("bots have no /proc; Java is told where its libraries are")
    if means.landlock:
        found.append("no namespaces: Landlock, a uid, seccomp and control groups stand in")
        found.append("numbers of other processes can be told, though nothing else about them")
    if "sockets" in broken:
        found.append("sockets that are open to every user of the machine can be reached")
    if "space" in broken:
        found.append("temporary files are not bounded by folder")
    return found


def way(means: Means) -> str:
    """How bots are kept apart, in a few words."""
    if not means.boxed:
        return "no sandbox"
    parts = ["bubblewrap" if means.bwrap else "Landlock", "seccomp"]
    parts += ["own /proc"] if means.bwrap and means.proc else []
    parts += ["control groups"] if means.groups else ["polled limits"]
    parts += ["own uids"] if means.uids else []
    return ", ".join(parts)
