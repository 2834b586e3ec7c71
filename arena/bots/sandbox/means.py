"""What this host gives to keep bots apart with, as found by the self-test; travels to workers and launchers as JSON."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arena.record.tiers import Tier


@dataclass(frozen=True, slots=True)
class Means:
    """How bots are started on this host."""

    tier: Tier
    bwrap: str = ""
    """Path of bubblewrap; empty where it is not used."""
    proc: bool = True
    """Whether a box can have a /proc of its own."""
    groups: bool = False
    """Whether control groups limit a box; else its memory and processes are polled."""
    uids: bool = False
    """Whether every box gets a uid of its own (root)."""
    filter: bytes = b""
    """The seccomp program; empty where there is none."""
    landlock: bool = False
    """Whether Landlock stands in for namespaces."""

    @property
    def boxed(self) -> bool:
        """Whether bots run in a sandbox at all."""
        return self.tier is not Tier.D

    def to_data(self) -> dict[str, Any]:  # Any: JSON
        """As JSON data."""
        return {
            "tier": self.tier.value,
            "bwrap": self.bwrap,
            "proc": self.proc,
            "groups": self.groups,
            "uids": self.uids,
            "filter": base64.b64encode(self.filter).decode(),
            "landlock": self.landlock,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Means:
        """Back from JSON data."""
        fields = {**data, "tier": Tier(data["tier"]), "filter": base64.b64decode(data["filter"])}
        return cls(**fields)


NONE = Means(Tier.D)
"""No sandbox: resource limits only."""
