"""The tournament file, `cup.toml`: what a tournament is made of, checked as a whole before anything starts.

    name = "spring"
    game = "crowsnest"
    bots = ["counter", "owl@3", "bots/fox"]     # house names, registered versions, folders relative to this file
    boards = 100                                # that every line-up plays
    format = "round_robin"                      # any of arena.tournament.formats, some with keys of their own
    board_plan = "shared"                       # or "per_round"; shared up to 20 bots
    unit = "deal"                               # or "match"
    isolation = "generation"                    # or "game": fresh processes for every game
    workers = 0                                 # 0: one for each processor
    tier_minimum = "A'"                         # the lowest sandbox tier to play on; left out: any
    sandbox = "auto"                            # or "none": house bots, or bots that are trusted
    seed = "lesson 3"                           # tests and teaching only
    [lobby]                                     # with bots named "remote:NAME" only: see events.rules
    late = "next_round"
    [options]                                   # fields of the ruleset
    max_hands = 8
    [clock]                                     # seconds
    bank = 10
    increment = 0.1
    cap = 5

Knows the keys and what they accept; does not know how a tournament is played or stored.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from arena import games
from arena.bots.manifest import Bot, find_bot
from arena.core.game import AnyGame
from arena.match.clock import Clock
from arena.runner.course import DEFAULT_FORMAT
from arena.runner.differences import Difference, differences
from arena.runner.events.rules import LobbyTable
from arena.tournament.formats import FORMATS, FOUND_OUT

if TYPE_CHECKING:
    from arena.runner.prepare import Settings

FREE_TO_CHANGE = frozenset({"workers", "sandbox", *FOUND_OUT})
"""Keys that may differ when a tournament is resumed: the number of workers changes no result, every game tells the tier
it was played on. So may all of `lobby`: what was played under other rules stays as it is."""
COMING_AND_GOING = frozenset({"bots", "open"})
"""Keys that may differ as well on a ladder."""
LONGEST_S = 86_400
Find = Callable[[str, Path], Bot]
"""(reference, folder that paths are relative to) -> the bot. Raises BotError."""
Seconds = Annotated[float, Field(ge=0, le=LONGEST_S, allow_inf_nan=False)]


def _listed(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _text(value: object) -> object:
    return str(value) if type(value) is int else value


def _known_format(value: str) -> str:
    if value not in FORMATS:
        raise ValueError("no such format")
    return value


class ClockTable(BaseModel):
    """[clock], in seconds."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    bank: Annotated[Seconds, Field(gt=0)] = 10.0
    increment: Seconds = 0.1
    cap: Annotated[Seconds, Field(gt=0)] = 5.0


class Cup(BaseModel):
    """A tournament file as it was meant: defaults filled in, `options` with all fields of the ruleset."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    name: str = Field(pattern=r"^[A-Za-z0-9_-]{1,48}\z")
    game: str
    options: dict[str, Any] = Field(default_factory=dict)  # Any: TOML, checked by the ruleset
    bots: Annotated[tuple[Annotated[str, Field(min_length=1)], ...], BeforeValidator(_listed)]
    format: Annotated[str, AfterValidator(_known_format)] = DEFAULT_FORMAT
    boards: int = Field(ge=1, le=1_000_000)
    board_plan: Literal["shared", "per_round"] | None = None
    unit: Literal["deal", "match"] = "deal"
    clock: ClockTable = ClockTable()
    isolation: Literal["generation", "game"] = "generation"
    workers: int = Field(default=0, ge=0, le=256)
    tier_minimum: Literal["A", "A'", "B", "C", "D"] | None = None
    sandbox: Literal["auto", "none"] = "auto"
    seed: Annotated[Annotated[str, Field(min_length=1)] | None, BeforeValidator(_text)] = None
    rounds: int | None = Field(default=None, ge=1, le=1_000_000)
    candidates: Annotated[tuple[Annotated[str, Field(min_length=1)], ...] | None, BeforeValidator(_listed)] = None
    opponents: str | None = Field(default=None, min_length=1)
    extra: int | None = Field(default=None, ge=0, le=20)
    seatings: Literal[2, 4] | None = None
    per_owner: int | None = Field(default=None, ge=1, le=4)
    seeds_from: str | None = Field(default=None, min_length=1)
    open: bool | None = None
    lobby: LobbyTable | None = None
    series: str = Field(default="", exclude=True)
    """The event of several games that it is a part of: a file with `games` makes several. No key of the file."""
    folder: Path = Field(default=Path(), exclude=True)
    """The file's folder: what the bots' paths are relative to. No key of the file."""
    find: Find = Field(default=find_bot, exclude=True)
    """What looks the bots up. No key of the file."""

    def make_game(self) -> AnyGame:
        """The game that is played: one deal of it where the unit is a deal."""
        game = games.make(self.game, self.options)
        return game.single_deal() if self.unit == "deal" else game

    def find_bots(self) -> tuple[Bot, ...]:
        """The bots as they are on disk now, in order. Raises BotError."""
        return tuple(self.find(reference, self.folder) for reference in self.bots)

    def clock_setting(self) -> Clock:
        """The clock in the referee's units."""
        clock = self.clock
        return Clock(round(clock.bank * 1000), round(clock.increment * 1000), round(clock.cap * 1000))

    def worker_count(self) -> int:
        """How many workers, at least 1."""
        return self.workers or len(os.sched_getaffinity(0))

    def open_secret(self) -> bytes | None:
        """The secret that a typed seed makes, SHA-256 of its text. None without a seed: it is drawn when first run."""
        return hashlib.sha256(self.seed.encode()).digest() if self.seed is not None else None

    def settings(self) -> Settings:
        """What `prepare` needs. Raises BotError when a bot has gone since the file was loaded."""
        from arena.runner.prepare import Settings  # loads the database layer

        return Settings(
            name=self.name,
            game=self.make_game(),
            unit=self.unit,
            bots=self.find_bots(),
            boards=self.boards,
            board_plan=self.board_plan,
            clock=self.clock_setting(),
            isolation=self.isolation,
            secret=self.open_secret(),
            open_seed=self.seed is not None,
            tier_minimum=self.tier_minimum or "",
            series=self.series,
            config=self.saved(),
        )

    def saved(self) -> dict[str, Any]:
        """The settings as JSON data, to be kept with the tournament and compared on resuming."""
        return self.model_dump(mode="json")

    def differences(self, saved: Mapping[str, Any]) -> list[Difference]:
        """The keys whose values are not those that `saved()` gave at the first run, with both values.

        `workers` and `sandbox` may change. Of the bots only their references are compared here, not what is in their
        folders.
        """
        required = {name for name, field in type(self).model_fields.items() if field.is_required()}
        blank = type(self).model_construct(**{name: getattr(self, name) for name in required})
        found = differences(saved, self.saved(), blank.saved())
        free = FREE_TO_CHANGE | (COMING_AND_GOING if FORMATS[self.format].ladder else frozenset())
        return [each for each in found if each.key not in free and each.key.partition(".")[0] != "lobby"]
