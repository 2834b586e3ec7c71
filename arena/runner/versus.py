"""Is a new version stronger? Sets up the sequential test of one bot against another or a panel, and says how it stands.

The test is a tournament like any other, named after what is compared, so that asking again goes on with it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.bots.manifest import Bot
from arena.core import options
from arena.core.errors import ConfigError
from arena.core.game import AnyGame
from arena.core.options import canonical_json
from arena.rating.sequential import MOST, Evidence
from arena.runner.config import ClockTable, Cup
from arena.runner.course import pool_of, stored_game
from arena.store.store import Store
from arena.store.values import Tournament
from arena.tournament.history import History
from arena.tournament.sequential import evidence_of

PREFIX, FORMAT = "test-", "sequential"


def versus(
    game: AnyGame,
    bots: Sequence[Bot],
    *,
    unit: str = "deal",
    most: int = MOST,
    clock: ClockTable | None = None,
    seed: str | None = None,
) -> Cup:
    """The test of the first bot against all others. `most`: blocks after which it is given up.

    Raises ConfigError when there are too few others to fill a table.
    """
    named = distinct(bots)
    needed = len(game.sides)
    if len(named) < needed:
        raise ConfigError(
            f"{len(named)} bots cannot fill a table of {needed} in {game.id}",
            where="--against",
            fix=f"name {needed - 1} or more others: a table of a free for all needs {needed} different bots",
            code="TOO_FEW_BOTS",
        )
    by_name = {bot.name: bot for bot in named}
    cup = Cup(
        name=_name(game, named, unit, most, seed),
        game=game.id,
        options=options.to_data(game.ruleset),
        bots=tuple(by_name),
        format=FORMAT,
        boards=most,
        candidates=(named[0].name,),
        board_plan="per_round",
        unit="match" if unit == "match" else "deal",
        clock=clock or ClockTable(),
        seed=seed,
    )

    def find(reference: str, _near: Path) -> Bot:
        return by_name[reference]

    return cup.model_copy(update={"find": find})


def distinct(bots: Sequence[Bot]) -> list[Bot]:
    """The bots under names that tell them apart: versions of a name by number, else by hash, then by 2, 3, ...

    A bot may meet a copy of itself: then all swings are 0, which tests the whole arena.
    """
    counts = Counter(bot.name.casefold() for bot in bots)
    found: list[Bot] = []
    taken: Counter[str] = Counter()
    for bot in bots:
        name = bot.name
        if counts[name.casefold()] > 1:
            name = f"{name}@{bot.number or bot.version[:8]}"
        taken[name] += 1
        found.append(replace(bot, name=name if taken[name] == 1 else f"{name}-{taken[name]}"))
    return found


def _name(game: AnyGame, bots: Sequence[Bot], unit: str, most: int, seed: str | None) -> str:
    """The same for the same question."""
    parts: list[Any] = [game.id, game.describe(), unit, most, seed, [[bot.name, bot.version] for bot in bots]]
    return f"{PREFIX}{hashlib.sha256(canonical_json(parts).encode()).hexdigest()[:12]}"


def is_test(tournament: Tournament) -> bool:
    """Whether a tournament is such a test, which is of interest to few."""
    return tournament.name.startswith(PREFIX) and tournament.config.get("format") == FORMAT


def standing_of(store: Store, tournament: Tournament) -> Evidence:
    """How a stored test stands after its closed rounds."""
    config = tournament.config
    history = History(pool_of(stored_game(tournament), config, config["unit"]))
    for each in store.rounds(tournament.id):
        if each.closed is None:
            break
        history.close(each.number, store.rows(tournament.id, round_=each.number))
    return evidence_of(history, config["candidates"][0], config["boards"])
