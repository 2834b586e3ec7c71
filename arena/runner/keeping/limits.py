"""The numbers that an organiser sets: how long things are kept, and how much each owner may have. Values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Retention:
    """What is kept, and how long; 0 for a limit: none. Days count from when a thing was written or stored."""

    logs_days: int = 0
    """Days that bots' output is kept."""
    logs_mb: int = 1024
    """Megabytes (10^6 bytes) of bots' output in all."""
    transcripts_days: int = 0
    """Days that transcripts of tournament games are kept."""
    transcripts_mb: int = 0
    """Megabytes of transcripts in all."""
    faults_days: int = 30
    """Days that transcript and output of a game with a fault are kept at least, whatever the other limits say."""

    @property
    def anything(self) -> bool:
        """Whether something may ever be removed."""
        return any((self.logs_days, self.logs_mb, self.transcripts_days, self.transcripts_mb))


@dataclass(frozen=True, slots=True)
class Quotas:
    """What one owner may have; 0: as much as it likes."""

    bots: int = 0
    """Names of bots with a version that is ready."""
    versions: int = 0
    """Kept versions of each bot."""
    megabytes: int = 0
    """Of kept files, all versions together (10^6 bytes)."""
    games_per_day: int = 0
    """Games of its bots in open-ended events, in the last 24 hours."""
    tokens: int = 0
    """Valid tokens."""


def retention_of(values: Mapping[str, int]) -> Retention:
    """The retention that settings say: `retention.logs_days` and so on."""
    return Retention(**{name: values[f"retention.{name}"] for name in Retention.__dataclass_fields__})


def quotas_of(values: Mapping[str, int]) -> Quotas:
    """The quotas that settings say: `quotas.bots` and so on."""
    return Quotas(**{name: values[f"quotas.{name}"] for name in Quotas.__dataclass_fields__})
