"""Reads the tournament file and checks it as a whole, before anything starts: keys, values, ruleset, bots, schedule.

Knows what is accepted, in words; what a tournament file may hold is `config.Cup`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from arena import games
from arena.bots.manifest import find_bot
from arena.core import options
from arena.core.errors import BotError, ConfigError
from arena.core.game import AnyGame
from arena.record.tiers import ORDER
from arena.runner.config import LONGEST_S, ClockTable, Cup, Find
from arena.runner.course import DEFAULT_FORMAT, REMOTE, is_remote, schedule_for
from arena.runner.cup_errors import Source, explain
from arena.runner.events import rules
from arena.runner.games_key import split
from arena.runner.lines import error_line
from arena.tournament.entry import default_plan
from arena.tournament.formats import FORMATS, KEYS
from arena.tournament.ladder import BOARDS

NO_KEYS = ("folder", "find", "series")
"""Fields that only the program sets."""


def load_cup(
    path: Path,
    *,
    make: Callable[[str, Mapping[str, object]], AnyGame] = games.make,
    find: Find = find_bot,
) -> Cup:
    """Read and check a tournament file of one game: keys, values, ruleset, bots. `find` looks the bots up, now and
    later.

    Raises ConfigError with file and line, the nearest known key and what is accepted; BotError when a bot's own
    bot.toml is wrong.
    """
    source, data = _parsed(path)
    if "games" in data:
        raise source.error("a file of several games, where one is needed", ["games"], 'game = "crowsnest"')
    return _cup(source, data, make, find)


def load_cups(
    path: Path,
    *,
    make: Callable[[str, Mapping[str, object]], AnyGame] = games.make,
    find: Find = find_bot,
) -> list[Cup]:
    """The tournaments of a file, one for each of its `games`, called NAME-GAME; of a file with `game` the only one.

    Raises as `load_cup` does.
    """
    source, data = _parsed(path)
    if "games" not in data:
        return [_cup(source, data, make, find)]
    return [
        _cup(source._replace(moved=moved), member, make, find).model_copy(update={"series": data["name"]})
        for moved, member in split(source, data)
    ]


def _parsed(path: Path) -> tuple[Source, dict[str, Any]]:
    source = Source(path, _read(path))
    try:
        return source, tomllib.loads(source.text)
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


def _cup(
    source: Source, data: Mapping[str, Any], make: Callable[[str, Mapping[str, object]], AnyGame], find: Find
) -> Cup:
    path = source.file
    _check_keys(source, data)
    data = {**_assumed(data), **data}
    try:
        cup = Cup.model_validate(data)
    except ValidationError as error:
        raise explain(source, data, error, _keys(), ACCEPTED, WORDS) from None
    _check_remote(source, data, cup)
    game = _game(source, cup, make)
    _check_bots(source, cup, game, find)
    return cup.model_copy(
        update={
            "folder": path.parent,
            "find": find,
            "options": options.to_data(game.ruleset),
            "board_plan": cup.board_plan
            or ("per_round" if FORMATS[cup.format].ladder else default_plan(len(cup.bots))),
        }
    )


WORDS = {
    "format": tuple(FORMATS),
    "board_plan": ("shared", "per_round"),
    "unit": ("deal", "match"),
    "isolation": ("generation", "game"),
    "tier_minimum": tuple(tier.value for tier in ORDER),
    "sandbox": ("auto", "none"),
    "lobby.late": ("next_round", "refuse", "forfeit"),
}
ACCEPTED = {
    "name": '1 to 48 letters, digits, - or _, like "spring"',
    "game": 'the id of a game, like "crowsnest" (arena games lists them); or games = [...] for several',
    "options": "a table of ruleset fields (arena games GAME lists them)",
    "bots": 'a list of house names, registered bots and folders, like ["basic", "fox@3", "bots/owl"]',
    **rules.ACCEPTED,
    "boards": "a whole number from 1 to 1000000",
    "clock": "a table with bank, increment and cap, in seconds",
    "clock.bank": f"seconds above 0, at most {LONGEST_S}",
    "clock.increment": f"seconds from 0 to {LONGEST_S}",
    "clock.cap": f"seconds above 0, at most {LONGEST_S}",
    "workers": "a whole number from 0 to 256; 0: one for each processor",
    **{key: each.accepted for key, each in KEYS.items()},
    "seed": 'a text, like "lesson 3"',
    **{key: " | ".join(words) for key, words in WORDS.items()},
}


def _keys() -> dict[str, list[str]]:
    return {
        "": [*[name for name in Cup.model_fields if name not in NO_KEYS], "games"],
        "clock": list(ClockTable.model_fields),
        "lobby": list(rules.LobbyTable.model_fields),
    }


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
    """What the model cannot say: a key that only the program sets, or that belongs to other formats."""
    for name in NO_KEYS:
        if name in data:
            raise source.error(f"unknown key {name!r}", [name], f"accepted: {', '.join(_keys()[''])}")
    format = data.get("format", DEFAULT_FORMAT)
    for key in KEYS.keys() & data.keys() if format in FORMATS else ():
        if key not in FORMATS[format].keys:
            formats = ", ".join(each.name for each in FORMATS.values() if key in each.keys) or "no format"
            raise source.error(f"the key {key!r} says nothing in a {format}", [key], f"it belongs to: {formats}")


def _assumed(data: Mapping[str, Any]) -> dict[str, Any]:  # Any: TOML
    """What a ladder need not say: boards of a round, and bots where every registered one takes part."""
    ladder = data.get("format") in FORMATS and FORMATS[data["format"]].ladder
    bots: dict[str, Any] = {"bots": []} if data.get("open") is True else {}
    return {"boards": BOARDS, **bots} if ladder else {}


def _check_remote(source: Source, data: Mapping[str, Any], cup: Cup) -> None:
    """Keys that say nothing with remote bots, or without them."""
    if not is_remote(data):
        if "lobby" in data:
            fix = 'it is for bots that dial in, named "remote:NAME" in bots: leave it out'
            raise source.error("[lobby] without a remote bot", ["lobby"], fix)
        return
    for key, why in (
        ("board_plan", "with remote bots every board is played once"),
        ("tier_minimum", "games with remote bots have the tier 'remote', which nobody vouches for"),
    ):
        if key in data:
            raise source.error(f"the key {key!r} says nothing here: {why}", [key], "leave it out")
    most = sum(reference.startswith(REMOTE) for reference in cup.bots)
    if cup.lobby is not None and cup.lobby.min_bots > most:
        place: list[str | int] = ["lobby", "min_bots"]
        raise source.error(f"min_bots is {cup.lobby.min_bots}, of {most} remote bots", place, f"at most {most}")


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
    found: list[str] = []
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
        found.append(bot.name)
        if not bot.plays(cup.game):
            raise source.error(
                f"bot {bot.name!r} does not play {cup.game!r}",
                place,
                f"add it to games in {bot.folder / 'bot.toml'} (now: {', '.join(bot.games)}), or leave the bot out",
                "NOT_ITS_GAME",
            )
    format = FORMATS[cup.format]
    places = format.least or (game.seats if format.mixed else len(game.sides))
    if len(cup.bots) < places and not cup.open:
        raise source.error(
            f"{len(cup.bots)} bots cannot fill a table of {places} in {cup.game}",
            ["bots"],
            f"name at least {places} different bots",
            "TOO_FEW_BOTS",
        )
    try:
        schedule_for(cup.make_game(), tuple(found), {**cup.saved(), "board_plan": cup.board_plan}, b"")
    except ConfigError as error:
        place = [error.where if error.where in KEYS else "format"]
        raise source.error(error.message, place, error.fix, error.code) from None
