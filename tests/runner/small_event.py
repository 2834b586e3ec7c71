"""Small events of house bots from a tournament file: played at once, or stopped after a few games and gone on with."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.runner.crew import Stop
from arena.runner.cup_file import load_cups
from arena.runner.outcome import outcome_of
from arena.runner.plan import Plan, Progress
from arena.runner.prepare import prepare
from arena.runner.series import check_names, shared_secret
from arena.runner.standing import tables_of
from arena.runner.tournament import run_tournament
from arena.store.store import Store
from arena.store.values import State
from arena.tournament.outcome import Outcome

FINISHED = State.FINISHED
PATIENT = "[clock]\nbank = 120\nincrement = 0\ncap = 30\n"
BOTS = 'bots = ["random", "basic", "cautious"]\n'


def write(folder: Path, head: str, tail: str = "") -> Path:
    """A tournament file of patient clocks; the tables of `tail` come behind."""
    file = folder / "cup.toml"
    file.write_text(f"{head}{PATIENT}{tail}")
    return file


def play(store: Store, file: Path, data: Path, stop_after: int | None = None, workers: int = 2) -> list[Progress]:
    """Play what is not stored of all tournaments of a file; `stop_after`: stop the first once it has so many games."""
    cups = load_cups(file)
    check_names(store, cups)
    secret = shared_secret(store, cups[0].series)
    plans, reached = [], []
    for cup in cups:
        before = store.tournament(cup.name)
        settings = cup.settings()
        if secret is not None and not settings.open_seed:
            settings = replace(settings, secret=secret)
        plans.append(prepare(store, settings, data, cup.differences(before.config) if before is not None else []))
        secret = plans[-1].tournament.secret if cup.series else None
    for plan in plans:
        reached.append(asyncio.run(_run(store, plan, stop_after, workers)))
        if not reached[-1].complete:
            break
    return reached


async def _run(store: Store, plan: Plan, stop_after: int | None, workers: int) -> Progress:
    stop = Stop()

    def report(progress: Progress) -> None:
        if stop_after is not None and progress.games >= stop_after and not stop.soft.is_set():
            stop.press()

    return await run_tournament(store, plan, workers, stop, report)


def both_ways(folder: Path, file: Path, name: str, stop_after: int) -> tuple[Outcome | None, list[Any], Progress]:
    """Play an event at once, and stopped and gone on with in another place; both come to the same, which is returned:
    outcome, rows, and how far the run at once came."""
    found = []
    for place, stops in (("at_once", None), ("in_parts", stop_after)):
        with Store.open(folder / place) as store:
            if stops is not None:
                [stopped] = play(store, file, folder / place, stops, workers=1)
                assert stops <= stopped.games
                assert not stopped.complete
            [progress] = play(store, file, folder / place)
            assert progress.complete
            tournament = store.tournament(name)
            assert tournament is not None
            assert tournament.state.value == "finished"
            table, _ = tables_of(store, tournament, resamples=50)
            standings = [(row.bot, row.rating, row.place) for row in table.standings]
            rows = list(store.rows(tournament.id))
            found.append((outcome_of(store, tournament), rows, standings))
            if stops is None:
                first = progress
    assert found[0] == found[1]
    return found[0][0], found[0][1], first
