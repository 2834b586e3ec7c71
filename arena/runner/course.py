"""The course of a stored tournament: its game, its schedule and its pool, made again from what is stored."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from arena import games
from arena.core.chance import round_secret
from arena.core.errors import ConfigError
from arena.core.game import AnyGame
from arena.rating.pool import Pool, Unit
from arena.store.values import Tournament, secret_hash
from arena.tournament.entry import Entry
from arena.tournament.formats import FORMATS, Format, keys_of_format, make_schedule
from arena.tournament.partners import MIXED_SEATINGS
from arena.tournament.remote_pairs import remote_round_robin
from arena.tournament.schedule import Schedule

if TYPE_CHECKING:
    from arena.store.store import Store

DEFAULT_FORMAT = "round_robin"
REMOTE = "remote:"
"""What a reference to a bot on a machine of its own begins with."""


def format_of(config: Mapping[str, Any]) -> Format:  # Any: JSON
    """The format of stored settings."""
    return FORMATS[config.get("format", DEFAULT_FORMAT)]


def is_remote(config: Mapping[str, Any]) -> bool:  # Any: JSON
    """Whether bots on machines of their own take part, so that every board is played once and the pool is theirs."""
    return any(reference.startswith(REMOTE) for reference in config.get("bots", ()))


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
    if is_remote(config):
        if format.name != DEFAULT_FORMAT:
            raise ConfigError(
                f"a {format.name} takes no bots on machines of their own",
                fix=f'format = "{DEFAULT_FORMAT}", or leave the bots out that are named {REMOTE}NAME',
            )
        return remote_round_robin(entry)
    return make_schedule(format.name, entry)


def pool_of(game: AnyGame, config: Mapping[str, Any], unit: Unit) -> Pool:
    """The pool that results of some settings are rated in."""
    clock = config["clock"]
    text = f"{clock['bank']:g}s+{clock['increment']:g}, at most {clock['cap']:g}s a move"
    if format_of(config).mixed:
        return Pool.mixed(game, unit, seatings=config.get("seatings") or MIXED_SEATINGS, clock=text)
    return Pool.of(game, unit, clock=text, remote=is_remote(config))


def stored_game(tournament: Tournament) -> AnyGame:
    """The game that a stored tournament plays."""
    return _made(tournament.game, tournament.ruleset)


@lru_cache(maxsize=64)
def _made(game: str, ruleset: str) -> AnyGame:
    """Games never change: one is made once for all who ask, pages of a site many times a second."""
    return games.make(game, json.loads(ruleset))


def stored_schedule(tournament: Tournament) -> Schedule:
    """The schedule of a stored tournament."""
    names = tuple(entrant.name for entrant in tournament.entrants)
    return schedule_for(stored_game(tournament), names, tournament.config, tournament.secret)


def stored_pool(tournament: Tournament) -> Pool:
    """The pool that a stored tournament's results are rated in."""
    return pool_of(stored_game(tournament), tournament.config, tournament.config["unit"])


def seatings_of(tournament: Tournament) -> int:
    """How many games make a block."""
    config = tournament.config
    if format_of(config).mixed:
        return config.get("seatings") or MIXED_SEATINGS
    return 1 if is_remote(config) else len(stored_game(tournament).sides)


def redraw_of(schedule: Schedule, config: Mapping[str, Any]) -> int:  # Any: JSON
    """By how much the number of a board's cards grows with every attempt after the first; 0: they stay the same.

    Remote bots remember the cards of a game that was void, so that it is played again on a board behind all planned.
    """
    return schedule.totals().boards if is_remote(config) else 0


def stored_cards(tournament: Tournament, board: int, attempt: int) -> int:
    """The number of the board whose cards a stored game was played with."""
    return board + (attempt - 1) * redraw_of(stored_schedule(tournament), tournament.config)


def stored_secret(tournament: Tournament, number: int) -> bytes:
    """The secret that decides the cards of a round."""
    ladder = format_of(tournament.config).ladder
    return round_secret(tournament.secret, number) if ladder else tournament.secret


class RoundSecret(NamedTuple):
    """What is published of the secret of one round of a ladder."""

    number: int
    hash: str
    """SHA-256, hex: published before the round's first game."""
    secret: bytes | None
    """None while the round is played, or not yet."""


def round_secrets(store: Store, tournament: Tournament) -> list[RoundSecret]:
    """Of a ladder: the secrets of its closed rounds, and the hash of the one that is played or comes next.

    Empty for every other format, whose one secret decides all rounds, and for one that was imported without its secret.
    """
    if not (format_of(tournament.config).ladder and tournament.secret):
        return []
    closed = [each.number for each in store.rounds(tournament.id) if each.closed is not None]
    found = []
    for number in [*closed, max(closed, default=0) + 1]:
        secret = round_secret(tournament.secret, number)
        found.append(RoundSecret(number, secret_hash(secret), secret if number <= len(closed) else None))
    return found
