"""A session with a bot at its far end, without gRPC, and with a clock that tests set."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from arena_bot.v1 import arena_pb2 as pb
from virtual import run_virtual

from arena.core.moves import Choose, Kind, LegalList, play
from arena.match.player import Answer, BadAnswer, Turn
from arena.wire.session import Session

LEGAL = LegalList((play(5), play(6), play(7)))
CHOICE = Choose(Kind.DISCARD, 2, (5, 6, 7))


class Far:
    """A session and, in a few words, what the bot at its far end does."""

    def __init__(self) -> None:
        self.time = 100.0
        self.session = Session(8, lambda: self.time)
        self.asked: dict[tuple[int, int], asyncio.Future[Answer]] = {}

    def open(self, games: int) -> Far:
        for _ in range(games):
            self.session.open_game()
        return self

    async def ask(self, game: int, turn: int, legal: Any = LEGAL) -> None:
        """Put a turn to the bot; the answer is read with `answer`."""
        self.asked[game, turn] = self.session.ask(
            game, Turn(turn, 0, None, legal, 5_000.0, 9_000.0), lambda _turn, _view: None
        )

    async def expire(self, game: int, turn: int) -> None:
        """The referee's deadline has passed."""
        assert self.asked.pop((game, turn)).cancel()

    async def answer(self, game: int, turn: int) -> Answer:
        return await asyncio.wait_for(self.asked[game, turn], 1)

    async def code(self, game: int, turn: int) -> str:
        """The fault of a turn that was answered badly."""
        with pytest.raises(BadAnswer) as bad:
            await self.answer(game, turn)
        return bad.value.code

    def waits(self, game: int, turn: int) -> bool:
        return not self.asked[game, turn].done()

    async def says(self, *events: pb.BotEvent) -> None:
        self.session.receive(pb.BotFrame(events=events).SerializeToString())
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    async def sends(self, data: bytes) -> None:
        self.session.receive(data)
        await asyncio.sleep(0)
        await asyncio.sleep(0)


def reply(game: int, turn: int, choice: int | None = 0, **others: Any) -> pb.BotEvent:
    message = pb.Reply(game=game, turn=turn, **others)
    if choice is not None:
        message.choice = choice
    return pb.BotEvent(reply=message)


def scene(test: Callable[[Far], Any]) -> Callable[[], None]:
    """A test that is a coroutine, in virtual time."""

    def run() -> None:
        async def work() -> None:
            await test(Far())

        run_virtual(work())

    run.__name__ = test.__name__
    run.__doc__ = test.__doc__
    return run
