"""The tournament file, `cup.toml`: what a tournament is made of, checked as a whole before anything starts.

    name = "spring"
    game = "crowsnest"
    bots = ["counter", "owl@3", "bots/fox"]     # house names, registered versions, folders relative to this file
    boards = 100                                # that every line-up plays
    format = "round_robin"
    board_plan = "shared"                       # or "per_round"; shared up to 20 bots
    unit = "deal"                               # or "match"
    isolation = "generation"                    # or "game": fresh processes for every game
    workers = 0                                 # 0: one for each processor
    tier_minimum = "A'"                         # the lowest sandbox tier to play on; left out: any
    sandbox = "auto"                            # or "none": house bots, or bots that are trusted
    seed = "lesson 3"                           # tests and teaching only
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
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from arena import games
from arena.bots.manifest import Bot, find_bot
from arena.core import options
from arena.core.errors import BotError, ConfigError
from arena.core.game import AnyGame
from arena.match.clock import Clock
from arena.record.tiers import ORDER
from arena.runner.cup_errors import Source, explain
from arena.runner.differences import Difference, differences
from arena.runner.lines import error_line
from arena.tournament.round_robin import default_plan

if TYPE_CHECKING:
    from arena.runner.prepare import Settings

NOT_YET = ("gauntlet", "swiss", "knockout", "ladder")
"""Formats that have a name already, and no schedule yet."""
FREE_TO_CHANGE = frozenset({"workers", "sandbox"})
"""Keys that may differ when a tournament is resumed: the number of workers changes no result, and every game tells the
tier it was played on."""
NO_KEYS = ("folder", "find")
"""Fields that only the program sets."""
LONGEST_S = 86_400
Find = Callable[[str, Path], Bot]
"""(reference, folder that paths are relative to) -> the bot. Raises BotError."""
Seconds = Annotated[float, Field(ge=0, le=LONGEST_S, allow_inf_nan=False)]


def _listed(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _text(value: object) -> object:
    return str(value) if type(value) is int else value


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
    bots: Annotated[tuple[Annotated[str, Field(min_length=1)], ...], BeforeValidator(_listed), Field(min_length=1)]
    format: Literal["round_robin"] = "round_robin"
    boards: int = Field(ge=1, le=1_000_000)
    board_plan: Literal["shared", "per_round"] | None = None
    unit: Literal["deal", "match"] = "deal"
    clock: ClockTable = ClockTable()
    isolation: Literal["generation", "game"] = "generation"
    workers: int = Field(default=0, ge=0, le=256)
    tier_minimum: Literal["A", "A'", "B", "C", "D"] | None = None
    sandbox: Literal["auto", "none"] = "auto"
    seed: Annotated[Annotated[str, Field(min_length=1)] | None, BeforeValidator(_text)] = None
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
        return [each for each in found if each.key not in FREE_TO_CHANGE]


def load_cup(
    path: Path,
    *,
    make: Callable[[str, Mapping[str, object]], AnyGame] = games.make,
    find: Find = find_bot,
) -> Cup:
    """Read and check a tournament file: keys, values, ruleset, bots. `find` looks the bots up, now and later.

    Raises ConfigError with file and line, the nearest known key and what is accepted; BotError when a bot's own
    bot.toml is wrong.
    """
    source = Source(path, _read(path))
    try:
        data = tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as error:
        number = error_line(source.text, error)
        line = source.text.splitlines()[number - 1].strip() if source.text.strip() else ""
        raise ConfigError(
            f"the tournament file is not TOML: {error}",
            where=f"{path}:{number}   {line}".rstrip(),
            fix='write lines like  boards = 100  and texts in quotes, like  name = "spring"',
        ) from None
    except RecursionError:
        raise ConfigError("the tournament file is nested too deeply", where=f"{path}:1", fix="write it flat") from None
    _check_keys(source, data)
    try:
        cup = Cup.model_validate(data)
    except ValidationError as error:
        raise explain(source, data, error, _keys(), ACCEPTED, WORDS) from None
    game = _game(source, cup, make)
    _check_bots(source, cup, game, find)
    return cup.model_copy(
        update={
            "folder": path.parent,
            "find": find,
            "options": options.to_data(game.ruleset),
            "board_plan": cup.board_plan or default_plan(len(cup.bots)),
        }
    )


WORDS = {
    "format": ("round_robin",),
    "board_plan": ("shared", "per_round"),
    "unit": ("deal", "match"),
    "isolation": ("generation", "game"),
    "tier_minimum": tuple(tier.value for tier in ORDER),
    "sandbox": ("auto", "none"),
}
ACCEPTED = {
    "name": '1 to 48 letters, digits, - or _, like "spring"',
    "game": 'the id of a game, like "crowsnest" (arena games lists them)',
    "options": "a table of ruleset fields (arena games GAME lists them)",
    "bots": 'a list of house names, registered bots and folders, like ["basic", "fox@3", "bots/owl"]',
    "boards": "a whole number from 1 to 1000000",
    "clock": "a table with bank, increment and cap, in seconds",
    "clock.bank": f"seconds above 0, at most {LONGEST_S}",
    "clock.increment": f"seconds from 0 to {LONGEST_S}",
    "clock.cap": f"seconds above 0, at most {LONGEST_S}",
    "workers": "a whole number from 0 to 256; 0: one for each processor",
    "seed": 'a text, like "lesson 3"',
    **{key: " | ".join(words) for key, words in WORDS.items()},
}


def _keys() -> dict[str, list[str]]:
    return {"": [name for name in Cup.model_fields if name not in NO_KEYS], "clock": list(ClockTable.model_fields)}


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ConfigError(f"there is no tournament file {str(path)!r}", where=str(path), fix="check the path") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"the tournament file cannot be read: {error}", where=str(path), fix="a text file in UTF-8"
        ) from None


def _check_keys(source: Source, data: Mapping[str, Any]) -> None:
    """What the model cannot say: a key that only the program sets, and formats to come."""
    for name in NO_KEYS:
        if name in data:
            raise source.error(f"unknown key {name!r}", [name], f"accepted: {', '.join(_keys()[''])}")
    if data.get("format") in NOT_YET:
        raise source.error(
            f"the format {data['format']!r} is not available yet", ["format"], f"accepted: {ACCEPTED['format']}"
        )


def _game(source: Source, cup: Cup, make: Callable[[str, Mapping[str, object]], AnyGame]) -> AnyGame:
    try:
        return make(cup.game, cup.options)
    except ConfigError as error:
        if error.code == "BAD_GAME":
            place: list[str | int] = ["game"]
        else:
            place = ["options", *[name for name in cup.options if repr(name) in error.message][:1]]
        raise source.error(error.message, place, error.fix, error.code) from None


def _check_bots(source: Source, cup: Cup, game: AnyGame, find: Find) -> None:
    names: dict[str, str] = {}
    for number, reference in enumerate(cup.bots):
        place: list[str | int] = ["bots", number]
        try:
            bot = find(reference, source.file.parent)
        except BotError as error:
            if error.code == "NO_BOT":
                raise source.error(error.message, place, error.fix, error.code) from None
            raise
        if bot.name.casefold() in names:
            raise source.error(
                f"bot {bot.name!r} is named twice (first as {names[bot.name.casefold()]!r})",
                place,
                "a bot never plays itself for a rating: name it once, or rename one of the two in its bot.toml",
                "DUPLICATE_BOT",
            )
        names[bot.name.casefold()] = reference
        if not bot.plays(cup.game):
            raise source.error(
                f"bot {bot.name!r} does not play {cup.game!r}",
                place,
                f"add it to games in {bot.folder / 'bot.toml'} (now: {', '.join(bot.games)}), or leave the bot out",
                "NOT_ITS_GAME",
            )
    if len(cup.bots) < len(game.sides):
        raise source.error(
            f"{len(cup.bots)} bots cannot fill a table of {len(game.sides)} in {cup.game}",
            ["bots"],
            f"name at least {len(game.sides)} different bots",
            "TOO_FEW_BOTS",
        )
