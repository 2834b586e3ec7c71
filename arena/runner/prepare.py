"""From settings to a plan: looks up the bots, fixes secret and schedule, stores the tournament, or takes it up again.

A tournament's settings are fixed when it is first run. Taking it up again with other settings, or with bots whose
content has changed, is refused with what differs. What is stored is enough to make its game, schedule and pool again.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from arena.bots.build import built
from arena.bots.kept import keep
from arena.bots.manifest import Bot
from arena.bots.sandbox.means import NONE, Means
from arena.core.errors import ConfigError
from arena.core.game import AnyGame
from arena.match.clock import Clock
from arena.rating.pool import Unit
from arena.record.tiers import Tier, holds
from arena.runner.course import DEFAULT_FORMAT, REMOTE, format_of, pool_of, redraw_of, schedule_for
from arena.runner.differences import Difference, differences
from arena.runner.found_out import find_out, kept
from arena.runner.keeping.limits import Quotas
from arena.runner.plan import Plan
from arena.runner.spectating.room import live_place
from arena.store.store import Store
from arena.store.values import Entrant, NewTournament, State, Tournament
from arena.tournament.entry import BoardPlan
from arena.tournament.schedule import Schedule

SECRET_BYTES = 32


@dataclass(frozen=True, slots=True)
class Settings:
    """What a tournament is made of, whoever wrote it down."""

    name: str
    game: AnyGame
    """As it is played: cut to one deal where a board is a deal."""
    unit: Unit
    bots: tuple[Bot, ...]
    boards: int
    board_plan: BoardPlan | None = None
    clock: Clock | None = field(default_factory=Clock)
    isolation: Literal["generation", "game"] = "generation"
    secret: bytes | None = field(default=None, repr=False)
    """None: drawn at the first run."""
    tier_minimum: str = ""
    """The lowest sandbox tier to play on; empty: any."""
    open_seed: bool = False
    """The secret comes from a seed that was typed in: the table says so."""
    series: str = ""
    """The event of several games that it is a part of; empty: it stands alone."""
    config: Mapping[str, Any] = field(default_factory=dict)  # Any: JSON
    """As stored, for comparison and for making the schedule and the pool again: `Cup.saved()`."""


def schedule_of(settings: Settings, secret: bytes) -> Schedule:
    """The schedule under a secret. Raises ConfigError when it cannot be played."""
    names = tuple(bot.name for bot in settings.bots)
    known = {"boards": settings.boards, "board_plan": settings.board_plan, "format": DEFAULT_FORMAT}
    return schedule_for(settings.game, names, {**known, **settings.config}, secret)


def prepare(
    store: Store,
    settings: Settings,
    data: Path,
    differing: Sequence[Difference] = (),
    means: Means = NONE,
    *,
    elsewhere: bool = False,
    tell: Callable[[str], None] | None = None,
    quotas: Quotas | None = None,
    trusted: bool = True,
) -> Plan:
    """The plan of a tournament, stored now or taken up again.

    `differing`: settings that differ from the stored ones (the caller knows how to compare them). `means`: how bots are
    kept apart. `elsewhere`: other machines play, which build the bots and keep them apart as they can. `tell`,
    `quotas`, `trusted`: of a ladder, where words about who comes and goes go, what each owner may have, and whether who
    comes may play without a sandbox. Raises ConfigError
    TIER when the means are worse than the event asks for, CHANGED when settings differ or a bot's content has changed,
    BotError when a bot does not play the game.
    """
    if not elsewhere:
        check_tier(settings, means.tier)
    for bot in settings.bots:
        bot.must_play(settings.game.id)
    stored = store.tournament(settings.name)
    gone = [bot.name for bot in settings.bots if not _can_play(bot)]
    if stored is None and gone:
        raise ConfigError(f"{', '.join(gone)} was removed from the arena", where="bots", code="REMOVED")
    if stored is None:
        found = find_out(store, settings.game, settings.bots, settings.config)
        settings = replace(settings, config={**settings.config, **found})
        stored = _create(store, settings)
    else:
        settings = replace(settings, config={**settings.config, **kept(stored.config)})
        again = any(each.lifted is not None for each in store.quarantines(stored.id))
        compare(stored, settings, differing, again=again)
    format, schedule = format_of(settings.config), schedule_of(settings, stored.secret)
    building = None if elsewhere else means
    bots = [bot for bot in settings.bots if _can_play(bot)]
    plan = Plan(
        tournament=stored,
        game=settings.game,
        bots={bot.name: fixed(bot, data, building) for bot in bots if not format.ladder},
        schedule=schedule,
        redraw=redraw_of(schedule, settings.config),
        pool=pool_of(settings.game, settings.config, settings.unit) if settings.config else None,
        secret_per_round=format.ladder,
        clock=settings.clock,
        isolation=settings.isolation,
        logs=logs_folder(data, settings.name),
        live=live_place(data, settings.name),
        means=means,
    )
    if not format.ladder:
        return plan
    from arena.runner.ladder import Members, on_ladder

    config = settings.config
    named = [each for each, bot in zip(config["bots"], settings.bots, strict=True) if _can_play(bot)]
    members = Members(store, stored, named, bots, bool(config.get("open")), data, building, tell, quotas, trusted)
    return on_ladder(plan, members, config)


def _can_play(bot: Bot) -> bool:
    """Whether a bot is there, or may dial in."""
    return bool(bot.command) or bot.remote


def check_tier(settings: Settings, tier: Tier) -> None:
    """Raises ConfigError TIER when a tier is below the least that an event asks for."""
    least = settings.tier_minimum
    if least and not holds(tier, least):
        untyped = "leave out --sandbox none if you typed it, " if tier == "D" else ""
        raise ConfigError(
            f"{settings.name!r} asks for sandbox tier {least} or better; here bots would be kept apart by tier {tier}",
            where="tier_minimum",
            saw=f"tier {tier}",
            fix=f"{untyped}run it on another machine (arena doctor says what is missing), "
            "or begin anew with a lower minimum",
            code="TIER",
        )


def logs_folder(data: Path, name: str) -> Path | None:
    """Where the bots' output of a tournament goes; None when nothing can be written there, which stops no game."""
    logs = data / "logs" / name
    try:
        logs.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:
        return None
    return logs if os.access(logs, os.W_OK) else None


def fixed(bot: Bot, data: Path, means: Means | None = NONE) -> Bot:
    """The bot as it plays a whole tournament, whatever becomes of its folder meanwhile: a built copy of its version.

    House bots belong to the arena and stay where they are, remote ones are elsewhere. `means` None: it is not built
    here. Raises BotError.
    """
    if bot.house or bot.remote:
        return bot
    kept = keep(bot, data / "bots")
    return built(kept, data / "builds", means=means) if means is not None else kept


def _create(store: Store, settings: Settings) -> Tournament:
    secret = settings.secret if settings.secret is not None else secrets.token_bytes(SECRET_BYTES)
    schedule_of(settings, secret)
    return store.create_tournament(
        NewTournament(
            name=settings.name,
            game=settings.game.id,
            game_version=settings.game.version,
            ruleset=settings.game.describe(),
            config=settings.config,
            secret=secret,
            entrants=()
            if format_of(settings.config).ladder
            else tuple(Entrant(bot.name, bot.version, source_of(bot), bot.manifest) for bot in settings.bots),
            open_seed=settings.open_seed,
            tier_minimum=settings.tier_minimum,
            series=settings.series,
        )
    )


def source_of(bot: Bot) -> str:
    """Where a bot came from, as it is stored with the tournament."""
    if bot.house:
        return f"house:{bot.name}"
    if bot.remote:
        return f"{REMOTE}{bot.name}"
    return f"registered:{bot.name}@{bot.number}" if bot.number else str(bot.folder)


def compare(stored: Tournament, settings: Settings, differing: Sequence[Difference], *, again: bool = False) -> None:
    """Raises ConfigError CHANGED, naming what differs, unless a stored tournament can go on with these settings.

    `again`: games of a finished tournament may be played yet, so that bots and rules still have to be the same.
    """
    if not stored.secret:
        raise ConfigError(
            f"tournament {stored.name!r} was imported unfinished, without the secret that decides its cards",
            saw=f"SHA-256 of the secret {stored.secret_hash}",
            fix="go on with it where it was begun, and import it again; or begin anew under another name",
            code="CHANGED",
        )
    changed = [str(each) for each in differing]
    keys = {each.key for each in differing}
    if settings.secret is not None and settings.secret != stored.secret and "seed" not in keys:
        changed.append("the secret")
    if stored.ruleset != settings.game.describe() and keys.isdisjoint({"game", "unit"}):
        then, now = json.loads(stored.ruleset), json.loads(settings.game.describe())
        known = {each.removeprefix("options.") for each in keys}
        rules = differences({"options": then}, {"options": now}, {})
        changed += [str(each) for each in rules if each.key.removeprefix("options.") not in known]
    ladder = format_of(settings.config).ladder
    if again or stored.state is not State.FINISHED:
        if stored.game_version != settings.game.version:
            changed.append(f"the rules (version {stored.game_version} -> {settings.game.version})")
        changed += [] if ladder else _changed_bots(stored, settings, compare_names="bots" not in keys)
    if changed:
        raise ConfigError(
            f"tournament {stored.name!r} was begun with other settings: {', '.join(changed)}",
            saw=f"first run {stored.created:%Y-%m-%d %H:%M} UTC, state {stored.state.value}",
            fix="put them back to go on, or begin anew under another name: the key `name` of the file",
            code="CHANGED",
        )


def _changed_bots(stored: Tournament, settings: Settings, *, compare_names: bool) -> list[str]:
    """What differs between the bots that entered and those that are there now, in words."""
    entered = {entrant.name: entrant.version for entrant in stored.entrants}
    now = {bot.name: bot.version for bot in settings.bots}
    if compare_names and list(entered) != list(now):
        return [f"bots ({', '.join(entered)} -> {', '.join(now)})"]
    return [
        f"bots (the content of {name} is not what was entered: {entered[name][:12]} -> {version[:12]})"
        for name, version in now.items()
        if name in entered and entered[name] != version
    ]
