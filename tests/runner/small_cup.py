"""A small tournament of house bots: `python -m runner.small_cup FOLDER WORKERS` plays what is not stored there yet."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.bots.manifest import Bot, find_bot
from arena.core import options
from arena.core.game import AnyGame
from arena.games import make
from arena.match.clock import Clock
from arena.runner.crew import Stop
from arena.runner.plan import Plan, Progress
from arena.runner.tournament import run_tournament
from arena.store.store import Store
from arena.store.values import Entrant, NewTournament
from arena.tournament.entry import Entry
from arena.tournament.round_robin import round_robin

NAMES = ("random", "basic", "cautious")
BOARDS = 4
ROUNDS = 3
GAME = make("crowsnest", {"max_hands": 1})
SECRET = bytes(range(32))
PATIENT = Clock(bank_ms=120_000, increment_ms=0, cap_ms=30_000)


def plan(store: Store, bots: dict[str, Bot] | None = None, game: AnyGame = GAME, boards: int = BOARDS) -> Plan:
    """The tournament's plan; it is created in the store unless it is there."""
    bots = bots or {name: find_bot(name) for name in NAMES}
    stored = store.tournament("small") or store.create_tournament(
        NewTournament(
            name="small",
            game=game.id,
            game_version=game.version,
            ruleset=options.canonical(game.ruleset),
            config={},
            secret=SECRET,
            entrants=tuple(Entrant(name, bot.version, str(bot.folder)) for name, bot in bots.items()),
        )
    )
    entry = Entry(tuple(bots), len(game.sides), boards, SECRET)
    return Plan(stored, game, bots, round_robin(entry), PATIENT, "generation", None)


def in_rounds(store: Store) -> Plan:
    """Three bots, three rounds of two boards: twelve games a round, eight of them with any one bot."""
    entry = Entry(NAMES, 2, 2 * ROUNDS, SECRET, "shared", chunk=2)
    return replace(plan(store), schedule=round_robin(entry))


def run(store: Store, work: Plan, workers: int = 1, report: Callable[[Progress, Stop], None] | None = None) -> Progress:
    """Play what is not stored; `report` sees the progress and may stop it."""

    async def main() -> Progress:
        stop = Stop()
        return await run_tournament(
            store, work, workers, stop, lambda progress: report(progress, stop) if report is not None else None
        )

    return asyncio.run(main())


def rows(store: Store) -> list[Any]:
    """Everything stored that must not depend on how it came about: rows, and moves without times and notes."""
    [tournament] = store.tournaments()
    found = []
    for info in store.games("small", limit=None):
        full = store.game(info.public_id)
        assert full is not None
        moves = [(move["seat"], move["move"]) for move in full.game.result.transcript["moves"]]
        found.append((info.row, info.forfeits, info.attempt, moves, full.game.result.transcript["deals"]))
    assert [row for row, *_ in found] == list(store.rows(tournament.id))
    return found


if __name__ == "__main__":
    with Store.open(Path(sys.argv[1])) as opened:
        run(opened, plan(opened), int(sys.argv[2]), lambda _progress, _stop: print("going on", flush=True))  # noqa: T201
