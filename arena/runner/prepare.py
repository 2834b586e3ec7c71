"""From a tournament file to a plan: fixes bots and secret, stores the tournament, or takes it up again.

A tournament's settings are fixed when it is first run. Taking it up again with other settings, or with bots whose
content has changed, is refused with what differs. What is stored is enough to make its game, schedule and pool again.
"""

from __future__ import annotations

import json
from pathlib import Path

from arena import games
from arena.bots.manifest import Bot
from arena.core.errors import ConfigError
from arena.core.game import AnyGame
from arena.match.clock import Clock
from arena.rating.pool import Pool
from arena.runner.config import ClockTable, Cup, bot_differences
from arena.runner.tournament import Plan
from arena.store.store import Store
from arena.store.values import Entrant, NewTournament, State, Tournament
from arena.tournament.round_robin import Entry, RoundRobin, round_robin


def prepare(store: Store, cup: Cup, data: Path, *, secret: bytes | None = None) -> Plan:
    """The plan of a cup, stored now or taken up again.

    `data`: the folder that keeps the bots' logs. `secret`: reproduces an event; else it is drawn at the first run.
    Raises ConfigError CHANGED naming what differs from the first run, BotError when a bot cannot be used.
    """
    game, bots = cup.make_game(), cup.find_bots()
    stored = store.tournament(cup.name)
    if stored is None:
        stored = _create(store, cup, game, bots, secret)
    else:
        _compare(stored, cup, bots, secret)
    logs = data / "logs" / cup.name
    logs.mkdir(parents=True, exist_ok=True, mode=0o700)
    return Plan(
        tournament=stored,
        game=game,
        bots={bot.name: bot for bot in bots},
        schedule=stored_schedule(stored),
        clock=cup.clock_setting(),
        isolation=cup.isolation,
        logs=logs,
    )


def _create(store: Store, cup: Cup, game: AnyGame, bots: tuple[Bot, ...], secret: bytes | None) -> Tournament:
    drawn, open_seed = cup.draw_secret()
    new = NewTournament(
        name=cup.name,
        game=game.id,
        game_version=game.version,
        ruleset=game.describe(),
        config=cup.saved(),
        secret=secret or drawn,
        entrants=tuple(
            Entrant(bot.name, bot.version, f"house:{bot.name}" if bot.house else str(bot.folder)) for bot in bots
        ),
        open_seed=open_seed and secret is None,
    )
    cup.schedule([bot.name for bot in bots], new.secret)  # refuses what cannot be played before anything is stored
    return store.create_tournament(new)


def _compare(stored: Tournament, cup: Cup, bots: tuple[Bot, ...], secret: bytes | None) -> None:
    changed = cup.differences(stored.config)
    if secret is not None and secret != stored.secret:
        changed.append("the secret")
    if stored.state is not State.FINISHED:
        changed += bot_differences(
            [(bot.name, bot.version) for bot in bots], [(bot.name, bot.version) for bot in stored.entrants]
        )
    if changed:
        raise ConfigError(
            f"tournament {stored.name!r} was begun with other settings: {', '.join(changed)}",
            saw=f"first run {stored.created:%Y-%m-%d %H:%M} UTC, {stored.state.value}",
            fix="put them back to go on, or give the file another name to begin anew",
            code="CHANGED",
        )


def stored_game(tournament: Tournament) -> AnyGame:
    """The game that a stored tournament plays."""
    return games.make(tournament.game, json.loads(tournament.ruleset))


def stored_schedule(tournament: Tournament) -> RoundRobin:
    """The schedule of a stored tournament."""
    config = tournament.config
    names = tuple(entrant.name for entrant in tournament.entrants)
    sides = len(stored_game(tournament).sides)
    return round_robin(Entry(names, sides, config["boards"], tournament.secret, config["board_plan"]))


def stored_pool(tournament: Tournament) -> Pool:
    """The pool that a stored tournament's results are rated in."""
    clock = clock_text(_clock(tournament))
    return Pool.of(stored_game(tournament), tournament.config["unit"], clock=clock)


def _clock(tournament: Tournament) -> Clock:
    table = ClockTable.model_validate(tournament.config["clock"])
    return Clock(round(table.bank * 1000), round(table.increment * 1000), round(table.cap * 1000))


def clock_text(clock: Clock) -> str:
    """A clock for people and for the identity of pools: bank, increment and cap."""
    return f"{clock.bank_ms / 1000:g}s+{clock.increment_ms / 1000:g}, at most {clock.cap_ms / 1000:g}s a move"
