"""The door over real TLS: who is let in, who is not, and what both of them are told."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import grpc
import pytest
from remote.dialling import DEADLINE_S, Tokens, ask, goodbye, hall, hello, papers, reply

from arena.core.errors import ConfigError
from arena.match.player import PlayerGone
from arena.wire.door import Door
from arena.wire.line import Grant
from arena.wire.tls import tls_of

pytestmark = pytest.mark.needs("openssl")


def test_a_bot_with_a_token_plays_over_tls() -> None:
    async def scenario() -> None:
        async with hall(Tokens(fox=1)) as opened:
            bot = await opened.enters("fox")
            line = await opened.line("fox")
            assert (line.grant.name, line.session.concurrent_games) == ("fox", 4)
            answer = ask(line.session, line.session.open_game(), 0)
            [event] = await bot.hears("turn")
            await bot.says(reply(event.turn, 2))
            assert (await asyncio.wait_for(answer, DEADLINE_S)).move.cards == (7,)

    asyncio.run(scenario())


def test_a_client_that_does_not_trust_the_certificate_sends_no_token() -> None:
    async def scenario() -> None:
        tokens = Tokens(fox=1)
        async with hall(tokens) as opened:
            bot = opened.dial(papers().strangers)
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await bot.call.read()
            assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
            assert tokens.asked == 0
            assert await opened.enters("fox") is not None

    asyncio.run(scenario())


def test_a_client_without_tls_is_not_heard() -> None:
    async def scenario() -> None:
        tokens = Tokens(fox=1)
        async with hall(tokens) as opened, grpc.aio.insecure_channel(f"127.0.0.1:{opened.door.port}") as channel:
            with pytest.raises(grpc.aio.AioRpcError):
                await channel.stream_stream("/arena.v1.Arena/Play")().read()
            assert tokens.asked == 0
            assert opened.door.lines == ()

    asyncio.run(scenario())


@pytest.mark.timed
def test_tokens_that_let_nobody_in_are_answered_alike() -> None:
    async def scenario() -> None:
        tokens = Tokens(fox=1, expired=1, revoked=1)
        tokens.revoked.add(tokens.grants["token-of-revoked"].id)
        tokens.grants["token-of-expired"] = Grant(99, "expired", 1)
        tokens.revoked.add(99)
        async with hall(tokens) as opened:
            answers, seconds = set(), []
            for token in ("", "unknown", "token-of-expired", "token-of-revoked", "token-of-fox\0", "é" * 500):
                began = time.monotonic()
                answers.add(await opened.refused(token))
                seconds.append(time.monotonic() - began)
            assert {goodbye(answer) for answer in answers} == {"BAD_TOKEN: this token lets nobody in"}
            assert len(answers) == 1
            assert max(seconds) - min(seconds) < 0.5
            assert min(seconds) >= 0.25
            # A token is looked at before anything else, so that strangers learn nothing of the arena.
            assert await opened.refused("unknown", "9.9") in answers
            assert goodbye(await opened.refused("token-of-fox", "9.9")).startswith("BAD_VERSION: ")

    asyncio.run(scenario())


def test_a_stolen_token_does_not_help_while_its_owner_is_there() -> None:
    async def scenario() -> None:
        async with hall(Tokens(fox=1)) as opened:
            owner = await opened.enters("fox")
            line = await opened.line("fox")
            for _ in range(3):
                assert goodbye(await opened.refused("token-of-fox")).startswith("DUPLICATE: ")
            answer = ask(line.session, line.session.open_game(), 0)
            [event] = await owner.hears("turn")
            await owner.says(reply(event.turn))
            await asyncio.wait_for(answer, DEADLINE_S)
            assert line.is_open

    asyncio.run(scenario())


def test_a_token_lets_in_as_many_as_it_has_slots_and_each_is_one_line() -> None:
    async def scenario() -> None:
        async with hall(Tokens(fox=2, owl=1)) as opened:
            first = await opened.enters("fox")
            await opened.enters("fox")
            await opened.enters("owl")
            assert goodbye(await opened.refused("token-of-fox")).startswith("DUPLICATE: ")
            lines = [await opened.line("fox"), await opened.line("fox")]
            assert lines[0] is not lines[1]
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(opened.door.take("fox"), 0.1)
            await opened.door.release(lines[0])
            assert await opened.line("fox") is lines[0]
            await first.channel.close()
            while len(opened.door.lines) == 3:
                await asyncio.sleep(0.01)
            await opened.enters("fox")

    asyncio.run(scenario())


def test_one_connection_has_one_call() -> None:
    """Two seats of one bot over one connection would be two hands in one place."""

    async def scenario() -> None:
        async with hall(Tokens(fox=2)) as opened:
            bot = await opened.enters("fox")
            second = type(bot)(bot.channel)
            await second.says(hello("token-of-fox"))
            [event] = await second.hears("goodbye")
            assert event.goodbye.reason.startswith("DUPLICATE: ")
            assert len(opened.door.lines) == 1

    asyncio.run(scenario())


def test_revoking_ends_a_connection_within_seconds() -> None:
    async def scenario() -> None:
        tokens = Tokens(fox=1, owl=1)
        async with hall(tokens) as opened:
            bot = await opened.enters("fox")
            other = await opened.enters("owl")
            line = await opened.line("fox")
            answer = ask(line.session, line.session.open_game(), 0)
            await bot.hears("turn")
            tokens.revoked.add(line.grant.id)
            with pytest.raises(PlayerGone, match="the token of fox was revoked"):
                await asyncio.wait_for(answer, DEADLINE_S)
            [event] = await bot.hears("goodbye")
            assert event.goodbye.reason == "BAD_TOKEN: this token lets nobody in"
            assert await bot.is_cut_off()
            assert line.revoked
            assert [each.grant.name for each in opened.door.lines] == ["owl"]
            assert other.call.done() is False

    asyncio.run(scenario())


def test_all_get_a_goodbye_when_the_door_closes() -> None:
    async def scenario() -> None:
        async with hall(Tokens(fox=1)) as opened:
            bot = await opened.enters("fox")
            closing = asyncio.create_task(opened.door.stop())
            [event] = await bot.hears("goodbye")
            assert event.goodbye.reason == "done"
            await bot.call.done_writing()
            await asyncio.wait_for(closing, DEADLINE_S)

    asyncio.run(scenario())


def test_plain_tcp_is_for_this_machine_only() -> None:
    async def scenario() -> None:
        with pytest.raises(ConfigError) as caught:
            Door("0.0.0.0", 0, None, Tokens())
        assert caught.value.code == "INSECURE"
        async with hall(Tokens(fox=1), tls=False) as opened:
            await opened.enters("fox")
            assert len(opened.door.lines) == 1

    asyncio.run(scenario())


def test_an_address_that_is_taken_is_said_so() -> None:
    async def scenario() -> None:
        async with hall(Tokens()) as opened:
            other = Door("127.0.0.1", opened.door.port, None, Tokens())
            with pytest.raises(ConfigError, match="cannot listen at") as caught:
                await other.start()
            assert caught.value.code == "ADDRESS"
            await other.stop()

    asyncio.run(scenario())


@pytest.mark.parametrize("case", ["missing", "no certificate", "not its key"])
def test_certificates_that_cannot_be_used_are_named(case: str, tmp_path: Path) -> None:
    found = papers()
    wrong = tmp_path / "wrong.pem"
    if case != "missing":
        wrong.write_text("nothing")
    pair = {"not its key": (found.strangers, found.key)}.get(case, (wrong, found.key))
    with pytest.raises(ConfigError, match=pair[0].name) as caught:
        tls_of(*pair)
    assert caught.value.code == "BAD_TLS"
