"""A remote slot and the games on it: a bot that lost its connection may come back while its clock runs."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from arena_bot.v1 import arena_pb2 as pb
from remote.dialling import DEADLINE_S, Bot, Hall, Tokens, hall, reply

from arena.bots.manifest import Bot as BotVersion
from arena.core.game import SeededBoard
from arena.games import make
from arena.match.clock import Clock
from arena.match.player import InProcessPlayer, PlayerGone
from arena.match.referee import Played, Table, play_game
from arena.record.results import Verdict
from arena.runner.remote_slot import RemoteSlot
from arena.wire.session import Session

pytestmark = [pytest.mark.needs("openssl"), pytest.mark.timed]
FOX = BotVersion("fox", Path(), (), ("*",), 64, "remote", house=False, remote=True)
CLOCK = Clock(60_000, 100, 60_000)


async def table(slot: RemoteSlot, clock: Clock = CLOCK) -> Played:
    """One deal of The Crow and the Pitcher between a remote bot and three that play their first card."""
    game = make("crow_and_pitcher", {"rounds": 1})
    others = [InProcessPlayer(lambda _view, legal: legal.moves[0]) for _ in range(game.seats - 1)]
    players = [await slot.player("crow"), *others]
    return await play_game(Table(game, SeededBoard(b"x" * 32), players, range(game.seats), clock=clock))


async def answers(bot: Bot, count: int) -> list[pb.ArenaEvent]:
    """Answer so many turns; all that the bot was told meanwhile, with the turn after them."""
    told: list[pb.ArenaEvent] = []
    while True:
        data = await asyncio.wait_for(bot.call.read(), DEADLINE_S)
        for event in pb.ArenaFrame.FromString(data).events:
            told.append(event)
            if event.WhichOneof("event") == "game_over":
                return told
            if event.WhichOneof("event") == "turn":
                if not count:
                    return told
                count -= 1
                await bot.says(reply(event.turn))


async def vanishes(opened: Hall, bot: Bot) -> None:
    await bot.channel.close()
    async with asyncio.timeout(DEADLINE_S):
        while opened.door.lines:
            await asyncio.sleep(0.01)


def test_a_bot_that_comes_back_goes_on_with_the_turn_that_waits() -> None:
    async def scenario() -> None:
        async with hall(Tokens(fox=1)) as opened:
            bot = await opened.enters("fox")
            slot = RemoteSlot(FOX, opened.door, 5, 10)
            playing = asyncio.create_task(table(slot))
            before = await answers(bot, 3)
            pending = before[-1].turn
            await asyncio.sleep(0.3)
            await vanishes(opened, bot)
            again = await opened.enters("fox")
            told = await answers(again, 0)
            assert [event.WhichOneof("event") for event in told] == ["game_start", "turn"]
            start, turn = told[0].game_start, told[1].turn
            first = next(event.game_start for event in before if event.WhichOneof("event") == "game_start")
            assert start == first
            assert (turn.game, turn.turn) == (1, pending.turn)
            assert turn.crow == pending.crow
            assert turn.legal == pending.legal
            assert turn.limit_ms <= pending.limit_ms - 300
            assert turn.bank_ms <= pending.bank_ms - 300
            await again.says(reply(turn))
            assert (await answers(again, 100))[-1].WhichOneof("event") == "game_over"
            played = await asyncio.wait_for(playing, DEADLINE_S)
            assert played.result.verdict is Verdict.FINISHED
            assert played.result.faults == ()
            await slot.close()

    asyncio.run(scenario())


def test_a_bot_that_stays_away_forfeits() -> None:
    async def scenario() -> None:
        async with hall(Tokens(fox=1)) as opened:
            bot = await opened.enters("fox")
            slot = RemoteSlot(FOX, opened.door, 5, 0.3)
            playing = asyncio.create_task(table(slot))
            await answers(bot, 2)
            await vanishes(opened, bot)
            played = await asyncio.wait_for(playing, DEADLINE_S)
            assert played.result.verdict is Verdict.FORFEIT
            assert played.result.forfeits == ((0, "DISCONNECT"),)

    asyncio.run(scenario())


@pytest.mark.parametrize("reconnect_s", [0.0, 10.0])
def test_its_clock_runs_while_it_is_away(reconnect_s: float) -> None:
    """Without leave to come back the game is lost at once; with it the turn is, when its time is up."""

    async def scenario() -> None:
        async with hall(Tokens(fox=1)) as opened:
            bot = await opened.enters("fox")
            slot = RemoteSlot(FOX, opened.door, 5, reconnect_s)
            playing = asyncio.create_task(table(slot, Clock(200, 0, 200)))
            await vanishes(opened, bot)
            played = await asyncio.wait_for(playing, DEADLINE_S)
            code = "TIMEOUT" if reconnect_s else "DISCONNECT"
            assert played.result.forfeits == ((0, code),)
            assert {fault.code for fault in played.result.faults} == {code}

    asyncio.run(scenario())


def test_a_revoked_bot_does_not_come_back() -> None:
    async def scenario() -> None:
        tokens = Tokens(fox=1)
        async with hall(tokens) as opened:
            bot = await opened.enters("fox")
            slot = RemoteSlot(FOX, opened.door, 5, 600)
            playing = asyncio.create_task(table(slot))
            await answers(bot, 1)
            tokens.revoked.add(0)
            played = await asyncio.wait_for(playing, DEADLINE_S)
            assert played.result.forfeits == ((0, "DISCONNECT"),)
            assert "revoked" in played.result.faults[-1].detail

    asyncio.run(scenario())


def test_a_bot_that_never_dials_in_is_absent() -> None:
    async def scenario() -> None:
        async with hall(Tokens(fox=1)) as opened:
            slot = RemoteSlot(FOX, opened.door, 0.1, 0)
            with pytest.raises(PlayerGone) as caught:
                await slot.session()
            assert caught.value.code == "NO_HELLO"
            assert await slot.concurrent_games() == 64

    asyncio.run(scenario())


def test_two_slots_never_share_a_connection_and_a_closed_one_gives_it_back() -> None:
    async def scenario() -> None:
        async with hall(Tokens(fox=2)) as opened:
            await opened.enters("fox")
            first, second = (RemoteSlot(FOX, opened.door, 5, 0) for _ in range(2))
            mine = await first.session()
            waiting: asyncio.Task[Session] = asyncio.create_task(second.session())
            await asyncio.sleep(0.1)
            assert not waiting.done()
            await first.close()
            assert await asyncio.wait_for(waiting, DEADLINE_S) is mine

    asyncio.run(scenario())
