"""The rules of a lobby, as the table [lobby] of a tournament file has them.

    [lobby]
    start = "2026-12-01T18:00"      # UTC where no zone is named; left out: once all are ready
    min_bots = 3                    # remote bots that must be ready; left out: all, or one where there is a start
    late = "next_round"             # or "refuse", "forfeit": what becomes of those who are not there at the start
    wait = 60                       # seconds that a game waits for a bot that is not there

Knows words and times, nobody who waits.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Annotated, Literal, NamedTuple

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

Late = Literal["next_round", "refuse", "forfeit"]
"""Bots that are not ready at the start: `next_round`: they may join each round that is opened later, what was before is
left out; `refuse`: they take no part; `forfeit`: they are in from the first round on and lose what they miss."""
LONGEST_S = 86_400


class Rules(NamedTuple):
    """What was agreed."""

    start: datetime | None = None
    """Not before; aware. None: once enough are ready."""
    min_bots: int = 0
    """So many remote bots must be ready; 0: all, or one where there is a start."""
    late: Late = "next_round"
    wait_s: float = 60.0
    """How long a game waits for a bot that is in the event and not there."""

    def least(self, bots: int) -> int:
        """How many of `bots` remote bots must be ready."""
        return min(bots, self.min_bots or (bots if self.start is None else 1))


def moment(text: str) -> datetime:
    """A time of ISO 8601, in UTC where it names no zone. Raises ValueError."""
    if "T" not in text and " " not in text.strip():
        raise ValueError("a time of day is missing")
    found = datetime.fromisoformat(text)
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def _text(value: object) -> object:
    """TOML has times of its own."""
    return value.isoformat() if isinstance(value, date) else value


def _normal(value: str) -> str:
    return moment(value).isoformat()


class LobbyTable(BaseModel):
    """[lobby], checked."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    start: Annotated[Annotated[str, AfterValidator(_normal)] | None, BeforeValidator(_text)] = None
    min_bots: int = Field(default=0, ge=0, le=1000)
    late: Late = "next_round"
    wait: float = Field(default=60.0, ge=0, le=LONGEST_S, allow_inf_nan=False)

    def rules(self) -> Rules:
        """As values."""
        return Rules(moment(self.start) if self.start is not None else None, self.min_bots, self.late, self.wait)


ACCEPTED = {
    "lobby": "a table with start, min_bots, late and wait",
    "lobby.start": 'a time, like "2026-12-01T18:00" (UTC) or "2026-12-01T18:00+01:00"',
    "lobby.min_bots": "a whole number from 0 to 1000; 0: all",
    "lobby.late": "next_round | refuse | forfeit",
    "lobby.wait": f"seconds from 0 to {LONGEST_S}",
}
"""What is accepted, in words."""
