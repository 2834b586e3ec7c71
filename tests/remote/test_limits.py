"""Strangers and floods at the door: they are shut out or cut off, and an honest game beside them goes on."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Callable
from typing import Any

import pytest
from arena_bot.v1 import arena_pb2 as pb
from remote.dialling import DEADLINE_S, Hall, Tokens, ask, goodbye, hall, hello, papers, reply

from arena.wire.allowance import Allowance, Rate
from arena.wire.caller import Limits, counted
from arena.wire.line import KeepAlive

pytestmark = [pytest.mark.needs("openssl"), pytest.mark.timed]
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS = b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"
QUICK = Limits(hello_s=0.5)


async def cut_off(opened: Hall, data: bytes, *, tls: bool) -> None:
    """Connect, say something, and wait for the end."""
    context: ssl.SSLContext | None = None
    if tls:
        context = ssl.create_default_context(cafile=str(papers().authority))
        context.set_alpn_protocols(["h2"])
    reader, writer = await asyncio.open_connection("127.0.0.1", opened.door.port, ssl=context)
    writer.write(data)
    with contextlib.suppress(OSError):
        while await asyncio.wait_for(reader.read(65536), DEADLINE_S):
            pass
    writer.transport.abort()


async def honest(opened: Hall, name: str, turns: int = 200) -> None:
    """Play some turns, each answered in good time whatever else goes on."""
    bot = await opened.enters(name)
    line = await opened.line(name)
    game = line.session.open_game()
    for turn in range(turns):
        answer = ask(line.session, game, turn)
        [event] = await bot.hears("turn")
        await bot.says(reply(event.turn))
        await asyncio.wait_for(answer, DEADLINE_S)
        await asyncio.sleep(0.005)


def settled(condition: Callable[[], Any]) -> Any:
    async def wait() -> None:
        async with asyncio.timeout(DEADLINE_S):
            while not condition():
                await asyncio.sleep(0.01)

    return wait()


@pytest.mark.parametrize(
    ("data", "tls"),
    [(b"", False), (b"\x16\x03", False), (b"", True), (PREFACE[:10], True), (PREFACE + SETTINGS, True)],
    ids=["silent", "half a handshake", "no preface", "half a preface", "preface and idle"],
)
def test_a_slow_handshake_is_closed(data: bytes, tls: bool) -> None:
    async def scenario() -> None:
        async with hall(Tokens(), QUICK) as opened:
            await cut_off(opened, data, tls=tls)
            await settled(lambda: opened.door.gate.refused["HANDSHAKE"] == 1)

    asyncio.run(scenario())


def test_a_call_without_a_hello_is_closed() -> None:
    async def scenario() -> None:
        async with hall(Tokens(fox=1), QUICK) as opened:
            assert await opened.dial().is_cut_off()
            await settled(lambda: opened.door.gate.refused["HANDSHAKE"] >= 1)

    asyncio.run(scenario())


def test_a_stranger_may_not_send_much() -> None:
    async def scenario() -> None:
        async with hall(Tokens(fox=1)) as opened:
            bot = opened.dial()
            await bot.says(hello("x" * 100_000))
            assert await bot.is_cut_off()
            await settled(lambda: opened.door.gate.refused["HANDSHAKE"] >= 1)
            assert opened.door.lines == ()

    asyncio.run(scenario())


def test_a_client_that_speaks_no_http2_is_closed() -> None:
    async def scenario() -> None:
        async with hall(Tokens()) as opened:
            context = ssl.create_default_context(cafile=str(papers().authority))
            reader, writer = await asyncio.open_connection("127.0.0.1", opened.door.port, ssl=context)
            writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            with contextlib.suppress(OSError):
                assert await asyncio.wait_for(reader.read(), DEADLINE_S) == b""
            writer.transport.abort()

    asyncio.run(scenario())


def test_a_flood_of_connections_shuts_nobody_out_who_is_in() -> None:
    async def scenario() -> None:
        limits = Limits(strangers_per_address=8, arrivals=Rate(50, 20))
        async with hall(Tokens(fox=1), limits) as opened:
            playing = asyncio.create_task(honest(opened, "fox"))
            await settled(lambda: opened.door.lines)
            sockets = []
            for _ in range(400):
                stranger = socket.socket()
                stranger.setblocking(False)
                sockets.append(stranger)
                with contextlib.suppress(OSError):
                    await asyncio.wait_for(
                        asyncio.get_running_loop().sock_connect(stranger, ("127.0.0.1", opened.door.port)), 1
                    )
            await playing
            gate = opened.door.gate
            assert gate.refused["CONN_LIMIT"] >= 350
            assert len(opened.door.lines) == 1
            for stranger in sockets:
                stranger.close()

    asyncio.run(scenario())


def test_an_address_has_so_many_connections() -> None:
    async def scenario() -> None:
        async with hall(Tokens(fox=9), Limits(per_address=2)) as opened:
            await opened.enters("fox")
            await opened.enters("fox")
            assert await opened.dial().is_cut_off()
            assert opened.door.gate.refused["CONN_LIMIT"] >= 1
            assert len(opened.door.lines) == 2

    asyncio.run(scenario())


def test_guessing_tokens_gets_slow_and_then_nowhere() -> None:
    async def scenario() -> None:
        tokens = Tokens(fox=1)
        async with hall(tokens, Limits(guesses=Rate(0.001, 3))) as opened:
            for guess in range(3):
                assert goodbye(await opened.refused(f"guess {guess}")).startswith("BAD_TOKEN")
            assert await opened.dial().is_cut_off()
            assert opened.door.gate.refused["BAD_TOKEN"] >= 1
            assert tokens.asked == 3

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("limits", "size"),
    [(Limits(frames=Rate(50, 100)), 1), (Limits(data=Rate(50_000, 100_000)), 20_000)],
    ids=["frames", "bytes"],
)
def test_a_flood_of_messages_ends_its_own_connection_only(limits: Limits, size: int) -> None:
    async def scenario() -> None:
        async with hall(Tokens(fox=1, owl=1), limits._replace(hello_bytes=200_000)) as opened:
            flooder = await opened.enters("fox")
            line = await opened.line("fox")
            playing = asyncio.create_task(honest(opened, "owl", 20))
            with contextlib.suppress(Exception):
                for number in range(2000):
                    junk = pb.Reply(game=1, turn=10_000 + number, choice=0, note="x" * size)
                    await flooder.says(pb.BotEvent(reply=junk))
            await settled(lambda: line.session.gone)
            assert line.session.gone is not None
            assert line.session.gone.code == "FLOOD"
            assert await flooder.is_cut_off()
            await playing
            assert [each.grant.name for each in opened.door.lines] == ["owl"]

    asyncio.run(scenario())


def test_a_bot_that_pings_all_the_time_and_one_that_is_silent_stay() -> None:
    """Ten minutes of thinking, in short: pings of both sides every few milliseconds while nothing is said."""

    async def scenario() -> None:
        async with hall(Tokens(fox=1, owl=1), keepalive=KeepAlive(0.05, 5)) as opened:
            eager = (
                ("grpc.keepalive_time_ms", 20),
                ("grpc.keepalive_timeout_ms", 5_000),
                ("grpc.http2.max_pings_without_data", 0),
                ("grpc.http2.min_time_between_pings_ms", 20),
            )
            bots = [await opened.enters("fox", *eager), await opened.enters("owl")]
            lines = [await opened.line("fox"), await opened.line("owl")]
            answers = [ask(line.session, line.session.open_game(), 0) for line in lines]
            turns = [(await bot.hears("turn"))[0].turn for bot in bots]
            await asyncio.sleep(3)
            for bot, turn in zip(bots, turns, strict=True):
                await bot.says(pb.BotEvent(reply=pb.Reply(game=turn.game, turn=turn.turn, choice=1)))
            assert [(await asyncio.wait_for(answer, DEADLINE_S)).move.cards for answer in answers] == [(6,), (6,)]

    asyncio.run(scenario())


@pytest.mark.long
def test_a_bot_that_thinks_for_ten_minutes_stays() -> None:
    async def scenario() -> None:
        async with hall(Tokens(fox=1, owl=1)) as opened:
            eager = (("grpc.keepalive_time_ms", 10_000), ("grpc.http2.max_pings_without_data", 0))
            bots = [await opened.enters("fox", *eager), await opened.enters("owl")]
            lines = [await opened.line("fox"), await opened.line("owl")]
            answers = [ask(line.session, line.session.open_game(), 0) for line in lines]
            turns = [(await bot.hears("turn"))[0].turn for bot in bots]
            await asyncio.sleep(601)
            for bot, turn in zip(bots, turns, strict=True):
                await bot.says(pb.BotEvent(reply=pb.Reply(game=turn.game, turn=turn.turn, choice=1)))
            assert [(await asyncio.wait_for(answer, DEADLINE_S)).move.cards for answer in answers] == [(6,), (6,)]

    asyncio.run(scenario())


def test_addresses_are_counted_by_what_one_host_can_have() -> None:
    assert counted("192.0.2.7") == "192.0.2.7"
    assert counted("::ffff:192.0.2.7") == "192.0.2.7"
    assert counted("2001:db8::1") == counted("2001:db8::ffff:2") == "2001:db8::/64"
    assert counted("fe80::1%eth0") == "fe80::/64"


def test_an_allowance_refills_with_time_up_to_its_burst() -> None:
    now = 0.0
    allowance = Allowance(Rate(2, 3), lambda: now)
    assert [allowance.take() for _ in range(4)] == [True, True, True, False]
    assert allowance.is_empty()
    now = 0.5
    assert allowance.take()
    assert not allowance.take()
    now = 100.0
    assert allowance.is_full()
    assert not allowance.take(4)
    assert allowance.take(3)
