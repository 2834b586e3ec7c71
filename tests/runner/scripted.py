"""A crew without processes, which reports what a test wants."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

from arena.record.results import NOBODY_STARTED, Fault, FaultClass, GameKey, GameResult, Verdict
from arena.runner.bout import BoutTask
from arena.runner.crew import Missing, Stop
from arena.store.values import StoredGame
from arena.tournament.schedule import keys_of

Outcome = Callable[[GameKey, int], str]
"""(key, how often it was asked for before) -> why it is void, or empty."""


class Scripted:
    """In the place of a crew: every game is over at once, as the script says; a bout may be lost."""

    asked: Counter[GameKey]
    script: Outcome
    faults: Callable[[GameKey, tuple[str, ...]], tuple[Fault, ...]] = staticmethod(lambda _key, _bots: ())
    """(key, competitors by seat) -> the faults of a game that is not void."""
    lose_table = 0

    def __init__(self, size: int, stop: Stop, *_: Any, **_more: Any) -> None:
        self.again: list[BoutTask] = []
        self.idle = True
        self.running = 0

    def put_again(self, task: BoutTask) -> None:
        self.again.append(task)

    async def play(self, tasks: Iterator[BoutTask | None]) -> AsyncIterator[StoredGame | Missing]:
        for task in tasks:
            if task is None:
                return  # nothing is being played that might settle what is missing
            if task.bout.table == self.lose_table:
                yield Missing(task, "its worker died three times")
                continue
            self.again.append(task)
            while self.again:
                one = self.again.pop()
                for key in keys_of(one.bout):
                    if (key.board, key.seating) not in one.skip:
                        yield self.game(one, key)

    def game(self, task: BoutTask, key: GameKey) -> StoredGame:
        cls = type(self)
        reason = cls.script(key, cls.asked[key])
        cls.asked[key] += 1
        first, second = (task.bout.side(key.board, key.seating, side) for side in (0, 1))
        blamed = tuple((seat, "START_FAILED") for seat in range(4)) if reason == NOBODY_STARTED else ()
        bots = (first, second, first, second)
        found = cls.faults(key, bots)
        forfeits = tuple((fault.seat, fault.code) for fault in found)
        verdict = Verdict.FORFEIT if found else Verdict.FINISHED
        scores, ranks, tiebreaks = (10, -10, 10, -10), (0, 1, 0, 1), (0,) * 4
        result = GameResult(verdict, scores, ranks, tiebreaks, forfeits, found, {"moves": []})
        if reason:
            faults = tuple(Fault(seat, code, FaultClass.FORFEIT, 0, 0) for seat, code in blamed)
            result = GameResult(Verdict.VOID, (), (), (), blamed, faults, {"moves": []}, reason, {"cap_ms": 7})
        return StoredGame(key, bots, result, "D", 1, task.attempt)
