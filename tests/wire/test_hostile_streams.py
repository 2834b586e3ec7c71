"""Bots that never read, or send too much at a time: bounded memory, a deadline for writing, and their own code."""

from __future__ import annotations

import asyncio
import time

import grpc
import pytest
from arena_bot.v1 import arena_pb2 as pb
from virtual import run_virtual
from wire.raw import Raw
from wire.tables import METHOD, PATIENT, D, F, beside, dial, resident_mb, scene, seats

from arena.core.moves import LegalList, play
from arena.match.player import PlayerGone, Turn
from arena.match.referee import Played
from arena.record.results import Verdict
from arena.wire import session as session_module
from arena.wire.limits import LEAST_PATIENCE_S, MOST_PATIENCE_S, WAITING_EVENTS
from arena.wire.session import Session

SLACK = 5
pytestmark = pytest.mark.timed


@scene
async def test_a_bot_that_never_reads_runs_out_of_time() -> None:
    """A game's few turns fit into what its own library takes in: three turns pass, then the game is lost."""
    clock = PATIENT._replace(cap_ms=500)
    async with beside(), seats({0: "never_reads"}, clock) as table:
        played = await table.play()
        assert [(f.code, f.fault_class) for f in played.result.faults] == [
            ("TIMEOUT", D),
            ("TIMEOUT", D),
            ("TIMEOUT", F),
        ]
        assert played.result.forfeits == ((0, "TIMEOUT"),)


@pytest.mark.parametrize("much", [True, False])
@scene
async def test_a_bot_that_takes_nothing_off_its_socket_is_lost(monkeypatch: pytest.MonkeyPatch, much: bool) -> None:
    """Not one byte is read after the welcome, and the window is as wide as HTTP/2 has it: still little is kept."""
    monkeypatch.setattr(session_module, "LEAST_PATIENCE_S", 1.0)
    async with beside(), seats({0: ""}, PATIENT._replace(cap_ms=500)) as table:
        raw = await Raw.open(table.servers[0].address, window=2**31 - 1)
        raw.call()
        raw.send(pb.BotFrame(events=[_hello(table.tokens[0])]).SerializeToString())
        session = await asyncio.shield(table.servers[0].hello)
        raw.stop_reading()
        before = resident_mb()
        began = time.monotonic()
        largest = 0.0
        while session.gone is None and time.monotonic() - began < 20:
            if much or not session.waiting:
                session.event().rejected.reason = "x" * 20_000
            await asyncio.sleep(0 if much else 0.001)
            largest = max(largest, resident_mb() - before)
        assert session.gone is not None
        assert session.gone.code == "BACKPRESSURE"
        assert ("events wait" if much else "did not read its stream for 1 s") in session.gone.message
        assert largest < 64
        await asyncio.wait_for(table.servers[0].ended.wait(), 10)
        assert (await table.play()).result.forfeits == ((0, "BACKPRESSURE"),)
        await raw.close()


def _hello(token: str) -> pb.BotEvent:
    return pb.BotEvent(hello=pb.Hello(versions=["1.0"], token=token, concurrent_games=64))


def test_no_more_events_wait_than_a_reading_bot_would_leave() -> None:
    async def work() -> None:
        session = Session(64, lambda: 0.0)
        for _ in range(WAITING_EVENTS):
            session.event().rejected.reason = "x"
            assert session.gone is None
        session.event().rejected.reason = "x"
        assert session.gone is not None
        assert session.gone.code == "BACKPRESSURE"
        frame = await session.next_frame()
        assert frame is not None
        assert len(pb.ArenaFrame.FromString(frame).events) == 1, "what waited is dropped, but for why"
        assert await session.next_frame() is None

    run_virtual(work())


def test_a_write_may_take_longer_than_any_turn() -> None:
    async def work() -> None:
        session = Session(4, lambda: 0.0)
        assert session.patience_s == LEAST_PATIENCE_S
        for limit_ms, patience_s in ((1_000, 5), (20_000, 40), (1_000, 40), (None, MOST_PATIENCE_S)):
            turn = Turn(0, 0, None, LegalList((play(5),)), limit_ms, limit_ms)
            session.ask(session.open_game(), turn, lambda *_: None).cancel()
            assert session.patience_s == patience_s

    run_virtual(work())


@pytest.mark.parametrize(
    ("mode", "code"),
    [("size_1", "OVERSIZE"), ("size_8", "DISCONNECT"), ("size_17", "DISCONNECT")],
)
@scene
async def test_a_frame_that_is_far_too_large_forfeits(mode: str, code: str) -> None:
    """Above 2 MiB gRPC ends the stream without a reason that the arena could see; it tells the bot."""
    async with beside(), seats({0: mode}) as table:
        before = resident_mb()
        began = time.monotonic()
        played: Played = await table.play()
        assert time.monotonic() - began < SLACK
        assert played.result.verdict is Verdict.FORFEIT
        assert played.result.forfeits == ((0, code),)
        assert [(f.seat, f.fault_class) for f in played.result.faults] == [(0, F)]
        assert resident_mb() - before < 64
        [process] = table.processes
        await asyncio.wait_for(process.process.wait(), 10)
        [said] = await process.end()
        told = said["goodbye"] if "goodbye" in said else said["error"]
        assert ("OVERSIZE" if code == "OVERSIZE" else "larger than max") in told


@scene
async def test_a_compressed_bomb_is_not_unpacked() -> None:
    async with beside(), seats({0: ""}) as table, dial(table.servers[0].address) as channel:
        call = channel.stream_stream(METHOD)(compression=grpc.Compression.Gzip)
        await call.write(pb.BotFrame(events=[_hello(table.tokens[0])]).SerializeToString())
        assert pb.ArenaFrame.FromString(await call.read()).events[0].HasField("welcome")
        session = await table.servers[0].hello
        data = bytes(64 * 2**20)
        before = resident_mb()
        await call.write(data)
        with pytest.raises(grpc.RpcError):
            await call.read()
        assert resident_mb() - before < 48
        await asyncio.wait_for(table.servers[0].ended.wait(), 10)
        assert isinstance(session.gone, PlayerGone)
