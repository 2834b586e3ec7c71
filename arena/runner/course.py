"""The course of a stored tournament: its game, its schedule and its pool, made again from what is stored."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from arena import games
from arena.core.chance import round_secret
from arena.core.game import AnyGame
from arena.rating.pool import Pool, Unit
from arena.store.values import Tournament
from arena.tournament.entry import Entry
from arena.tournament.formats import FORMATS, Format, keys_of_format, make_schedule
from arena.tournament.schedule import Schedule

DEFAULT_FORMAT = "round_robin"


def format_of(config: Mapping[str, Any]) -> Format:  # Any: JSON
    """The format of stored settings."""
    return FORMATS[config.get("format", DEFAULT_FORMAT)]


def schedule_for(game: AnyGame, names: tuple[str, ...], config: Mapping[str, Any], secret: bytes) -> Schedule:
    """The schedule of some settings under a secret. Raises ConfigError when it cannot be played."""
    format = format_of(config)
    entry = Entry(
        names,
        len(game.sides),
        config["boards"],
        secret,
        config["board_plan"],
        seats=game.seats,
        keys=keys_of_format(format.name, config),
    )
    return make_schedule(format.name, entry)


def pool_of(game: AnyGame, config: Mapping[str, Any], unit: Unit) -> Pool:
    """The pool that results of some settings are rated in."""
    clock = config["clock"]
    text = f"{clock['bank']:g}s+{clock['increment']:g}, at most {clock['cap']:g}s a move"
    return Pool.of(game, unit, clock=text)


def stored_game(tournament: Tournament) -> AnyGame:
    """The game that a stored tournament plays."""
    return games.make(tournament.game, json.loads(tournament.ruleset))


def stored_schedule(tournament: Tournament) -> Schedule:
    """The schedule of a stored tournament."""
    names = tuple(entrant.name for entrant in tournament.entrants)
    return schedule_for(stored_game(tournament), names, tournament.config, tournament.secret)


def stored_pool(tournament: Tournament) -> Pool:
    """The pool that a stored tournament's results are rated in."""
    return pool_of(stored_game(tournament), tournament.config, tournament.config["unit"])


def seatings_of(tournament: Tournament) -> int:
    """How many games make a block."""
    return len(stored_game(tournament).sides)


def stored_secret(tournament: Tournament, number: int) -> bytes:
    """The secret that decides the cards of a round."""
    ladder = format_of(tournament.config).ladder
    return round_secret(tournament.secret, number) if ladder else tournament.secret
