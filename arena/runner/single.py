"""Plays a few games now, in this process, without a store: what `arena play` does."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from arena.bots.launcher import Launcher
from arena.bots.manifest import Bot
from arena.bots.sandbox.means import NONE, Means
from arena.core import options
from arena.core.errors import ConfigError
from arena.core.game import AnyGame
from arena.match.clock import Clock
from arena.record.results import Bout
from arena.runner.bout import BoutTask, Listener, Remotes, Watch, play_bout
from arena.runner.spectating.onlookers import looked_on
from arena.store.values import StoredGame

EVENT = "played"
"""What the ids of games begin with that belong to no tournament; then follow digits that nobody can guess."""


@dataclass(frozen=True, slots=True)
class Single:
    """Games between bots at one table, without duplicates and without a rating."""

    game: AnyGame
    bots: tuple[Bot, ...]
    """One for each side; the same bot may sit on several."""
    secret: bytes = field(repr=False)
    boards: int = 1
    clock: Clock | None = field(default_factory=Clock)
    logs: Path | None = None
    means: Means = NONE
    """How bots are kept apart here."""
    live: Path | None = None
    """Where those who look on are told of the games; None: nobody looks on."""


def seat_bots(game: AnyGame, bots: Sequence[Bot]) -> tuple[Bot, ...]:
    """A bot for each side: one bot fills the table, as many as sides are taken in order.

    Raises ConfigError for any other number, BotError for a bot that does not play the game.
    """
    sides = len(game.sides)
    if len(bots) == 1:
        bots = list(bots) * sides
    if len(bots) != sides:
        what = "two partnerships" if sides == 2 else f"{sides} seats"
        raise ConfigError(
            f"{len(bots)} bots for {what} of {game.id}", fix=f"name 1 bot or {sides} bots", code="WRONG_NUMBER"
        )
    for bot in bots:
        bot.must_play(game.id)
    return tuple(bots)


def competitor_names(bots: Sequence[Bot]) -> tuple[str, ...]:
    """Names that differ, also where a bot sits on several sides: fox, fox-2."""
    names: list[str] = []
    for bot in bots:
        count = sum(other.name == bot.name for other in bots[: len(names)])
        names.append(bot.name if not count else f"{bot.name}-{count + 1}")
    return tuple(names)


async def play_single(single: Single, watch: Watch | None = None, remotes: Remotes | None = None) -> list[StoredGame]:
    """Play the games, one after the other when somebody watches; in order of boards."""
    names = competitor_names(single.bots)
    order = tuple(range(len(names)))
    played: list[StoredGame] = []
    event = f"{EVENT}-{secrets.token_hex(4)}"
    launcher = await Launcher.open(single.means)
    try:
        boards = range(1, single.boards + 1)
        for batch in [(board,) for board in boards] if watch is not None else [tuple(boards)]:
            task = BoutTask(
                bout=Bout(1, 1, names, batch, (order,) * len(batch), 1),
                game=single.game.id,
                options=options.to_data(single.game.ruleset),
                secret=single.secret,
                bots=dict(zip(names, single.bots, strict=True)),
                clock=single.clock,
                logs=str(single.logs) if single.logs is not None else "",
                event=event,
                live=str(single.live) if single.live is not None and remotes is None else "",
            )
            async with looked_on(task, Listener(played.append, watch=watch)) as listener:
                await play_bout(task, launcher, listener, remotes)
    finally:
        await asyncio.shield(launcher.close())
    return sorted(played, key=lambda game: game.key)
