"""What a schedule needs that no tournament file says: owners of bots, and seeds from an earlier tournament.

It is found out when a tournament is stored and kept with its settings, so that going on is the same as playing on,
whoever registers what meanwhile. What is found out is used by `arena.tournament`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.bots.manifest import Bot
from arena.core.errors import ConfigError
from arena.core.game import AnyGame
from arena.runner.course import stored_game
from arena.runner.standing import tables_of
from arena.store.store import Store
from arena.tournament.formats import FOUND_OUT


def find_out(
    store: Store, game: AnyGame, bots: Sequence[Bot], config: Mapping[str, Any]
) -> dict[str, Any]:  # Any: JSON
    """What the settings of a new tournament ask for, by the names in FOUND_OUT.

    Raises ConfigError for seeds from a tournament that is not there, or of another game.
    """
    found: dict[str, Any] = {}
    if config.get("per_owner"):
        found["owners"] = owners_of(store, bots)
    if config.get("seeds_from"):
        found["seeds"] = seeds_from(store, config["seeds_from"], game, [bot.name for bot in bots])
    return found


def kept(config: Mapping[str, Any]) -> dict[str, Any]:  # Any: JSON
    """What was found out when settings were stored."""
    return {key: config[key] for key in FOUND_OUT if key in config}


def owners_of(store: Store, bots: Sequence[Bot]) -> dict[str, str]:
    """Registered bots -> their owners; the organiser's, house bots and mere folders have none."""
    owners = {}
    for bot in bots:
        known = store.registered(bot.name.partition("@")[0]) if bot.number and not bot.house else []
        owner = next((each.owner for each in known if each.number == bot.number), "")
        if owner:
            owners[bot.name] = owner
    return owners


def seeds_from(store: Store, name: str, game: AnyGame, bots: Sequence[str]) -> list[str]:
    """The bots by their rating in a tournament, the strongest first; who was not rated there comes behind, in order.

    Raises ConfigError when there is no such tournament, none of its blocks can be rated, or it played another game.
    """
    earlier = store.tournament(name)
    if earlier is None:
        names = ", ".join(each.name for each in store.tournaments()) or "none"
        raise ConfigError(f"no tournament {name!r} to take seeds from", where="seeds_from", fix=f"tournaments: {names}")
    if stored_game(earlier).describe() != game.describe() or earlier.game != game.id:
        raise ConfigError(
            f"tournament {name!r} played {earlier.game} under other rules, whose levels say nothing here",
            where="seeds_from",
            fix="name one of the same game, options and unit, or leave seeds_from out: then the order of bots counts",
        )
    made, _ = tables_of(store, earlier, resamples=0)
    levels = {row.bot: row.rating for row in made.standings if row.blocks and not made.unrated}
    if not levels:
        raise ConfigError(
            f"tournament {name!r} has no rated block yet", where="seeds_from", fix=f"arena tournament status {name}"
        )
    return sorted(bots, key=lambda bot: -levels.get(bot, float("-inf")))
