"""The key `games` of a tournament file: one file for several games, taken apart into one set of data for each.

Every game has the other keys of the file, its own table [options.GAME], and a name of its own, NAME-GAME. Knows where
that stands in the file; what the keys mean is checked as in any other file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from arena.runner.cup_errors import Source
from arena.runner.lines import Place
from arena.tournament.formats import FORMATS

LONGEST_NAME = 48


def split(source: Source, data: Mapping[str, Any]) -> Iterator[tuple[dict[str, Place], dict[str, Any]]]:
    """For each game: where its keys stand in the file, and its data. Raises ConfigError, with file and line, for what
    is wrong with `games` itself."""
    games = data["games"]
    accepted = 'a list of two or more ids of games, each once, like ["crowsnest", "goat"] (arena games lists them)'
    if not isinstance(games, list) or len(games) < 2 or not all(isinstance(each, str) for each in games):
        raise source.error(f"games cannot be {games!r}", ["games"], f"accepted: {accepted}")
    for number, game in enumerate(games):
        if game in games[:number]:
            raise source.error(f"game {game!r} is named twice", ["games", number], f"accepted: {accepted}")
    if "game" in data:
        raise source.error("a file has either game or games", ["game"], "leave one of the two out")
    format = FORMATS.get(data["format"]) if isinstance(data.get("format"), str) else None
    if format is not None and format.ladder:
        fix = "a file for each game: game = ..."
        raise source.error(f"a {format.name} never ends, so that no second game would be played", ["games"], fix)
    if not isinstance(data.get("name"), str):
        raise source.error("the series has no name", ["name"], 'name = "spring"; its members are called NAME-GAME')
    longest = max(games, key=len)
    if len(data["name"]) + 1 + len(longest) > LONGEST_NAME:
        raise source.error(
            f"the name {data['name']!r} is too long: its members are called like {data['name']}-{longest}",
            ["name"],
            f"at most {LONGEST_NAME - 1 - len(longest)} characters",
        )
    yield from _members(source, data, games)


def _members(
    source: Source, data: Mapping[str, Any], games: list[str]
) -> Iterator[tuple[dict[str, Place], dict[str, Any]]]:
    options = data.get("options", {})
    if not isinstance(options, dict):
        raise source.error(f"options cannot be {options!r}", ["options"], "tables [options.GAME]")
    for key, value in options.items():
        if key not in games or not isinstance(value, dict):
            raise source.error(
                f"unknown key {key!r} in [options]",
                ["options", key],
                f"with several games each has its table: {', '.join(f'[options.{game}]' for game in games)}",
            )
    rest = {key: value for key, value in data.items() if key not in ("games", "options", "name")}
    for number, game in enumerate(games):
        moved: dict[str, Place] = {"game": ("games", number), "options": ("options", game)}
        yield moved, {**rest, "name": f"{data['name']}-{game}", "game": game, "options": options.get(game, {})}
