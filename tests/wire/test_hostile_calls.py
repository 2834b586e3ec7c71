"""Callers that are slow, many, heavy with headers or not who they say: refused, counted, and nobody is harmed."""

from __future__ import annotations

import asyncio
import time
from statistics import mean
from typing import Any

import grpc
import pytest
from arena_bot.v1 import arena_pb2 as pb
from wire.raw import IDLE, PING, PREFACE, Raw, block
from wire.tables import METHOD, Seats, beside, descriptors, dial, resident_mb, scene, seats

from arena.core.errors import BotError
from arena.record.results import Verdict
from arena.wire.limits import HELLO_S
from arena.wire.tokens import LiveTokens

SLACK = 5
pytestmark = pytest.mark.timed


def hello(token: str) -> bytes:
    return pb.BotFrame(events=[pb.BotEvent(hello=pb.Hello(versions=["1.0"], token=token))]).SerializeToString()


async def told(call: Any) -> str:
    """The reason of the goodbye that is all a call hears."""
    data = await asyncio.wait_for(call.read(), 60)
    [event] = pb.ArenaFrame.FromString(data).events
    assert await asyncio.wait_for(call.read(), 60) is grpc.aio.EOF
    return event.goodbye.reason


async def says(table: Seats, first: bytes, seat: int = 0, **others: Any) -> str:
    """What a caller with a first frame is told."""
    async with dial(table.servers[seat].address) as channel:
        call: Any = channel.stream_stream(METHOD)(**others)
        await call.write(first)
        return await told(call)


# --- handshakes


@pytest.mark.parametrize(("said", "limit_s"), [(b"", 2), (PREFACE[:10], 2), (PREFACE, 2), (IDLE, 5)])
@scene
async def test_a_connection_that_never_becomes_a_call_is_closed(said: bytes, limit_s: float) -> None:
    async with beside() as honest, seats({0: ""}) as table:
        raw = Raw(*await asyncio.open_unix_connection(table.servers[0].address.removeprefix("unix:")))
        began = time.monotonic()
        raw.write(said)
        assert await raw.closed(limit_s * SLACK)
        assert 0.5 < time.monotonic() - began < limit_s * SLACK
        await raw.close()
        assert not table.servers[0].hello.done(), "the bot may still come"
    assert honest.games


@scene
async def test_a_call_without_a_hello_is_refused_and_may_come_again() -> None:
    async with beside(), seats({0: ""}) as table, dial(table.servers[0].address) as channel:
        began = time.monotonic()
        call = channel.stream_stream(METHOD)()
        assert (await told(call)).startswith("HANDSHAKE: no hello came")
        assert HELLO_S - 0.5 < time.monotonic() - began < HELLO_S * SLACK
        assert table.servers[0].refused == {"HANDSHAKE": 1}
        call = channel.stream_stream(METHOD)()
        await call.write(hello(table.tokens[0]))
        assert pb.ArenaFrame.FromString(await call.read()).events[0].HasField("welcome")


@scene
async def test_a_bot_may_be_silent_for_longer_than_an_idle_connection_lives() -> None:
    async with seats() as table:
        await table.play()
        await asyncio.sleep(6)
        assert (await table.play(1)).result.verdict is Verdict.FINISHED
        assert all(server.session is not None and server.session.gone is None for server in table.servers)


@scene
async def test_a_bot_that_pings_all_the_time_is_not_sent_away() -> None:
    async with seats({0: ""}) as table:
        raw = await Raw.open(table.servers[0].address)
        raw.call()
        raw.send(hello(table.tokens[0]))
        session = await asyncio.shield(table.servers[0].hello)
        for number in range(100):
            raw.write(block(PING, 0, 0, number.to_bytes(8, "big")))
            await asyncio.sleep(0.01)
        assert not await raw.closed(0.5)
        assert session.gone is None
        await raw.close()


# --- many connections, many calls


@scene
async def test_of_400_connections_four_are_served() -> None:
    async with beside() as honest, seats({0: ""}) as table:
        server = table.servers[0]
        await asyncio.gather(*(asyncio.shield(honest.hello) for honest in table.servers[1:]))
        before, memory = descriptors(), resident_mb()
        raws = [await Raw.open(server.address) for _ in range(400)]
        async with asyncio.timeout(4 * SLACK):
            while len(alive := [raw for raw in raws if not await raw.closed(0)]) > 4:
                await asyncio.sleep(0.1)
        assert len(alive) == 4
        assert resident_mb() - memory < 32
        for raw in raws:
            await raw.close()
        for _ in range(50):
            if descriptors() <= before:
                break
            await asyncio.sleep(0.1)
        assert descriptors() <= before
    assert mean(honest.times_ms) < max(2 * SLACK * mean(honest.quiet_ms), 50)


@scene
async def test_when_the_connections_are_gone_the_bot_can_come() -> None:
    async with seats({0: ""}) as table:
        raws = [await Raw.open(table.servers[0].address) for _ in range(8)]
        assert all([await raw.closed(10) for raw in raws]), "the idle ones, too"
        async with dial(table.servers[0].address) as channel:
            call = channel.stream_stream(METHOD)()
            await call.write(hello(table.tokens[0]))
            assert pb.ArenaFrame.FromString(await call.read()).events[0].HasField("welcome")
        for raw in raws:
            await raw.close()


@scene
async def test_no_more_than_four_calls_wait_for_their_hello() -> None:
    async with beside(), seats({0: ""}) as table, dial(table.servers[0].address) as channel:
        waiting = [channel.stream_stream(METHOD)() for _ in range(4)]
        await asyncio.gather(*(call.wait_for_connection() for call in waiting))
        await asyncio.sleep(0.2)
        assert (await told(channel.stream_stream(METHOD)())).startswith("CONN_LIMIT: ")
        await waiting[0].write(hello(table.tokens[0]))
        assert pb.ArenaFrame.FromString(await waiting[0].read()).events[0].HasField("welcome")


@scene
async def test_the_first_connection_plays_on_through_many_others() -> None:
    async with beside(), seats({0: "duplicates"}) as table:
        server = table.servers[0]
        async with asyncio.timeout(60):
            while server.refused["DUPLICATE"] + server.refused["CONN_LIMIT"] < 160:
                played = await table.play()
                assert played.result.verdict is Verdict.FINISHED
                assert not played.result.faults
        assert (await table.play(1)).result.verdict is Verdict.FINISHED
        assert server.refused["DUPLICATE"] > 0
        assert not server.wrong_token


@scene
async def test_who_opens_a_second_connection_and_says_nothing_is_refused_as_well() -> None:
    async with seats() as table:
        await table.play()
        async with dial(table.servers[0].address) as channel:
            began = time.monotonic()
            assert (await told(channel.stream_stream(METHOD)())).startswith("DUPLICATE: ")
            assert time.monotonic() - began < SLACK
        assert (await says(table, b"\xff\xff")).startswith("DUPLICATE: ")
        assert (await table.play(1)).result.verdict is Verdict.FINISHED


# --- headers

HEAVY = {
    "20 KB": [("a", "x" * 20_000)],
    "9 KB in parts": [(f"a{n}", "x" * 1_000) for n in range(9)],
    "65 headers": [(f"a{n}", "x") for n in range(65)],
    "800 headers": [(f"a{n}", "x") for n in range(800)],
    "binary": [("a-bin", b"\x00" * 10_000)],
}


@pytest.mark.parametrize("kind", HEAVY)
@scene
async def test_too_many_headers_are_refused(kind: str) -> None:
    async with beside(), seats({0: ""}) as table:
        began = time.monotonic()
        reason = await says(table, hello(table.tokens[0]), metadata=HEAVY[kind])
        assert time.monotonic() - began < SLACK
        assert reason.startswith("METADATA: ")
        server = table.servers[0]
        assert server.refused == {"METADATA": 1}
        with pytest.raises(BotError) as refused:
            await server.hello
        assert refused.value.code == "METADATA", "known at once, not when the start limit is over"


@pytest.mark.parametrize("metadata", [[("a", "x" * 100_000)], [(f"a{n}", "x" * 20) for n in range(5_000)]])
@scene
async def test_grpc_refuses_what_is_larger_still(metadata: Any) -> None:
    async with beside(), seats({0: ""}) as table, dial(table.servers[0].address) as channel:
        began = time.monotonic()
        call: Any = channel.stream_stream(METHOD)(metadata=metadata)
        assert await asyncio.wait_for(call.code(), 10) is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert time.monotonic() - began < SLACK
        assert table.servers[0].session is None


@scene
async def test_headers_of_a_second_connection_harm_nobody() -> None:
    async with seats() as table:
        await table.play()
        assert (await says(table, hello(""), metadata=HEAVY["20 KB"])).startswith("METADATA: ")
        assert (await table.play(1)).result.verdict is Verdict.FINISHED


@scene
async def test_a_few_headers_are_fine() -> None:
    async with seats({0: ""}) as table, dial(table.servers[0].address) as channel:
        call: Any = channel.stream_stream(METHOD)(metadata=[(f"a{n}", "x" * 100) for n in range(40)])
        await call.write(hello(table.tokens[0]))
        assert pb.ArenaFrame.FromString(await call.read()).events[0].HasField("welcome")


# --- tokens


@scene
async def test_a_stolen_token_is_noticed_where_it_is_shown_and_its_owner_plays_on() -> None:
    tokens = LiveTokens()
    async with beside(tokens), seats(tokens=tokens) as table, seats({0: ""}, tokens=tokens) as other:
        await table.play()
        thief, owner = other.servers[0], table.servers[1]
        for _ in range(3):
            assert (await says(other, hello(table.tokens[1]))).startswith("BAD_TOKEN: ")
            assert thief.stolen
            assert thief.wrong_token
        assert not owner.stolen
        assert not owner.wrong_token
        assert (await table.play(1)).result.verdict is Verdict.FINISHED
        assert not thief.hello.done()


@pytest.mark.parametrize("how", ["another call", "its own stream", "behind its hello"])
@scene
async def test_a_bot_that_is_seated_stays_but_its_theft_is_known(how: str) -> None:
    tokens = LiveTokens()
    async with seats(tokens=tokens) as table, seats({0: ""}, tokens=tokens) as other:
        thief = other.servers[0]
        async with dial(thief.address) as channel:
            call: Any = channel.stream_stream(METHOD)()
            stolen = hello(table.tokens[0])
            own = hello(other.tokens[0])
            await call.write(own + stolen if how == "behind its hello" else own)
            assert pb.ArenaFrame.FromString(await call.read()).events[0].HasField("welcome")
            if how == "its own stream":
                await call.write(stolen)
            if how == "another call":
                assert (await says(other, stolen)).startswith("BAD_TOKEN: ")
            async with asyncio.timeout(5):
                while not thief.stolen:
                    await asyncio.sleep(0.01)
            assert thief.session is not None
            assert thief.session.gone is None
        assert (await table.play()).result.verdict is Verdict.FINISHED


@scene
async def test_a_token_of_nobody_is_wrong_but_not_stolen() -> None:
    tokens = LiveTokens()
    gone = tokens.issue()
    tokens.retire(gone)
    tokens.retire(gone)
    async with seats({0: ""}, tokens=tokens) as table:
        for token in ("", "x", "ünïcode", table.tokens[0] + "x", table.tokens[0][:-1], gone, "x" * 100_000):
            assert (await says(table, hello(token))).startswith("BAD_TOKEN: ")
        assert table.servers[0].wrong_token
        assert not table.servers[0].stolen


def test_a_seat_s_own_token_is_no_stolen_one() -> None:
    tokens = LiveTokens()
    first, second = tokens.issue(), tokens.issue()
    assert first != second
    is_token = tokens.others(first)
    assert not is_token(first)
    assert is_token(second)
    assert not is_token("\ud800")
    tokens.retire(second)
    assert not is_token(second)
