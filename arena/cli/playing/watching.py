"""`arena play --watch`: steps through the game in the terminal while it is played; elsewhere one line a move.

All hands are open: whoever runs the command has the bots and the cards, and the game belongs to no event.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from arena.cli.output import Output
from arena.cli.playing.telling import first_state
from arena.cli.replays.course import Course, Made

if TYPE_CHECKING:
    from arena.match.referee import MoveRecord
    from arena.record.results import GameKey
    from arena.runner.bout import Watch
    from arena.runner.single import Single
    from arena.store.values import StoredGame

Playing = Callable[["Watch"], Coroutine[Any, Any, "list[StoredGame]"]]


class Watcher:
    """Makes a course of a game that runs. `moved` is called after each move."""

    def __init__(self, single: Single, seed: str, moved: Callable[[Course], None] = lambda _course: None) -> None:
        self._single = single
        self._seed = seed
        self._moved = moved
        self.begun: asyncio.Future[Course] = asyncio.get_running_loop().create_future()

    def begin(self, key: GameKey, names: tuple[str, ...]) -> Callable[[MoveRecord, Any], None]:
        """A game begins."""
        game = self._single.game
        course = Course(
            game, names, first_state(game, self._single.secret, key.board), f"{game.title}, board {self._seed}"
        )
        self.begun.set_result(course)

        def move(record: MoveRecord, after: Any) -> None:  # Any: the state of whichever game
            course.add(Made(record.seat, record.move, record.fault), after)
            self._moved(course)

        return move


async def watched(output: Output, single: Single, seed: str, playing: Playing) -> list[StoredGame]:
    """Play the game; a person at a terminal steps through it meanwhile, and as long after its end as they like."""
    from arena.cli.replays.stepping import is_terminal, step

    if not is_terminal():
        watcher = Watcher(single, seed, lambda course: output.line(course.line(course.last)))
        return await playing(watcher.begin)
    watcher = Watcher(single, seed)
    game = asyncio.create_task(playing(watcher.begin))
    try:
        first: list[asyncio.Future[Any]] = [game, watcher.begun]
        await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
        if watcher.begun.done():
            stepping = asyncio.create_task(step(output, watcher.begun.result(), playing=True))
            try:
                await asyncio.shield(stepping)
            finally:
                stepping.cancel()
                await asyncio.wait({stepping})
        return await game
    finally:
        game.cancel()
        await asyncio.wait({game})
