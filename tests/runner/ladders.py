"""Ladders in a folder of their own, whose games are over at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from arena.bots.kept import keep
from arena.bots.manifest import read_bot
from arena.record.results import GameKey, GameResult, Verdict
from arena.runner import tournament as running
from arena.runner.bout import BoutTask
from arena.runner.crew import Missing, Stop
from arena.runner.cup_file import load_cup
from arena.runner.plan import Plan, Progress
from arena.runner.prepare import prepare
from arena.runner.roster import Roster
from arena.store.store import Store
from arena.store.values import Registered, StoredGame, Tournament
from arena.tournament.schedule import keys_of

HEAD = 'name = "rungs"\ngame = "crowsnest"\nformat = "ladder"\nboards = 2\nseed = "s"\n[options]\nmax_hands = 1\n'


class Quick:
    """In the place of a crew: every game is over at once; who wins follows from names and board."""

    def __init__(self, *_: object) -> None:
        self.running = 0
        self.idle = True
        self.tasks: list[BoutTask] = []

    def put_again(self, task: BoutTask) -> None:
        raise AssertionError("nothing is void here")

    async def play(self, tasks: Iterator[BoutTask | None]) -> AsyncIterator[StoredGame | Missing]:
        for task in tasks:
            await asyncio.sleep(0)
            if task is None:
                return
            self.tasks.append(task)
            assert task.bots.keys() == set(task.bout.lineup)
            for key in keys_of(task.bout):
                if (key.board, key.seating) not in task.skip:
                    yield game_of(task, key)


def game_of(task: BoutTask, key: GameKey) -> StoredGame:
    sides = [task.bout.side(key.board, key.seating, side) for side in (0, 1)]
    points = [sha256(f"{name} {key.board}".encode()).digest()[0] for name in sides]
    ahead = points[0] > points[1]
    ranks = (0, 1, 0, 1) if ahead else (1, 0, 1, 0)
    scores = tuple(float(points[seat % 2]) for seat in range(4))
    result = GameResult(Verdict.FINISHED, scores, ranks, (0,) * 4, (), (), {"moves": []})  # type: ignore[arg-type]
    return StoredGame(key, (sides[0], sides[1]) * 2, result, "A", 1)


class Place:
    """An arena's folder with a ladder in it."""

    def __init__(self, folder: Path, text: str) -> None:
        self.data = folder / ".arena"
        self.data.mkdir(parents=True)
        self.store = Store.open(self.data)
        self.file = folder / "ladder.toml"
        self.file.write_text(text)
        self.told: list[str] = []

    def add(self, name: str, content: str = "", owner: str = "", games: str = '["*"]') -> Registered:
        """As `arena bot add`."""
        folder = self.data.parent / "bots" / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "bot.toml").write_text(f'name = "{name}"\ncommand = ["true"]\ngames = {games}\n')
        (folder / "main.py").write_text(f"# {content}\n")
        bot = keep(read_bot(folder), self.data / "bots")
        return self.store.register(bot.name, bot.version, bot.manifest, owner=owner)

    def plan(self, **given: Any) -> Plan:
        cup = load_cup(self.file, find=Roster(self.data).find)
        before = self.store.tournament(cup.name)
        differing = cup.differences(before.config) if before is not None else []
        return prepare(self.store, cup.settings(), self.data, differing, tell=self.told.append, **given)

    def run(
        self, rounds: int, report: Callable[[Progress, Stop], None] = lambda _now, _stop: None, **given: Any
    ) -> Progress:
        """Play so many further rounds."""
        plan = self.plan(**given)
        closed = sum(each.closed is not None for each in self.store.rounds(plan.tournament.id))

        async def main() -> Progress:
            stop = Stop()
            limited = replace(plan, last_round=closed + rounds)
            return await running.run_tournament(self.store, limited, 1, stop, lambda now: report(now, stop), Quick())

        return asyncio.run(main())

    @property
    def tournament(self) -> Tournament:
        found = self.store.tournament("rungs")
        assert found is not None
        return found

    def entrants(self) -> dict[str, tuple[int, int | None]]:
        return {each.name: (each.since_round, each.until_round) for each in self.tournament.entrants}

    def rows(self) -> list[Any]:
        return list(self.store.rows(self.tournament.id))
