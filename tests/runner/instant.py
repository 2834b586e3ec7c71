"""Players without processes: every game is over at once, and whose scores are higher is decided by a rule."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator

from arena.record.results import Bout, GameKey, GameResult, Verdict
from arena.runner.bout import BoutTask
from arena.runner.crew import Missing
from arena.store.values import StoredGame
from arena.tournament.schedule import keys_of

Rule = Callable[[str, GameKey], float]
"""(bot, game) -> its score there."""


class Instant:
    """`Players` of a game of two partnerships, of which the seats 0 and 2 are the first."""

    idle = True
    running = 0

    def __init__(self, rule: Rule, void: Callable[[GameKey], bool] = lambda _: False) -> None:
        self._rule = rule
        self._void = void
        self._again: list[BoutTask] = []

    def put_again(self, task: BoutTask) -> None:
        self._again.append(task)

    async def play(self, tasks: Iterator[BoutTask | None]) -> AsyncIterator[StoredGame | Missing]:
        for task in tasks:
            waiting = [task] if task is not None else []
            while waiting:
                one = waiting.pop()
                for key in keys_of(one.bout):
                    if (key.board, key.seating) not in one.skip:
                        yield self._game(one.bout, key, one.attempt)
                waiting += self._again
                self._again.clear()

    def _game(self, bout: Bout, key: GameKey, attempt: int) -> StoredGame:
        bots = tuple(bout.side(key.board, key.seating, seat % 2) for seat in range(4))
        if self._void(key):
            result = GameResult(Verdict.VOID, (), (), (), (), (), {"moves": []}, "WALL", {})
        else:
            scores = tuple(self._rule(bot, key) for bot in bots)
            ranks = tuple(sum(other > own for other in set(scores)) for own in scores)
            result = GameResult(Verdict.FINISHED, scores, ranks, (0,) * 4, (), (), {"moves": []})
        return StoredGame(key, bots, result, "D", 1, attempt)
