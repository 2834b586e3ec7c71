"""Measures what a referee cannot beat: the same turns to the same trivial bot over a bare pipe and a bare gRPC stream.

Nothing is refereed: recorded turns go out `at_once` to a frame, the replies are read and dropped. The difference to the
referee's figures is what the rules, the clocks and the bookkeeping cost.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import AsyncIterator

import grpc
import grpc.aio

from arena import games
from arena.bots.folders import work_folder
from arena.bots.launcher import sdk_paths, variables_for
from arena.core.chance import Chance, digest
from arena.core.drivers import random_move
from arena.core.errors import ArenaFault
from arena.core.game import AnyGame, SeededBoard
from arena.match.player import GameInfo, Turn
from arena.runner.bench_figures import BareFigures
from arena.wire.limits import OPTIONS
from arena.wire.player import RemotePlayer
from arena.wire.session import Session

FRAMES = 64
"""So many different frames are sent in turn."""
LENGTH_BYTES = 4
PIPE_BOT = """
import sys
from arena_bot import Bot
from arena_bot.table import Table
table = Table(Bot)
read, write = sys.stdin.buffer.read, sys.stdout.buffer.write
while head := read(4):
    for frame in table.frame(read(int.from_bytes(head, "big"))):
        write(len(frame).to_bytes(4, "big") + frame)
    sys.stdout.buffer.flush()
"""
STREAM_BOT = "from arena_bot import Bot, run; run(Bot)"


async def recorded(game: AnyGame, at_once: int) -> tuple[bytes, list[bytes]]:
    """(a frame that starts `at_once` games, frames with a turn of each of them) of one seat of real games."""
    session = Session(at_once, asyncio.get_running_loop().time)
    family = games.catalog()[game.id].family
    turns = _turns_of_seat_0(game, FRAMES)
    players = [RemotePlayer(session, family) for _ in range(at_once)]
    for player in players:
        player.start(GameInfo(game, 0, None, 1))
    start = await session.next_frame()
    frames = []
    for turn in turns:
        for player in players:
            player.choose(turn)
        frames.append(await session.next_frame())
    assert start is not None, "games were started"
    return start, [frame for frame in frames if frame is not None]


def _turns_of_seat_0(game: AnyGame, count: int) -> list[Turn]:
    turns: list[Turn] = []
    number = 0
    while len(turns) < count:
        seed = digest(b"arena bench", game.id, number)
        chance, state = Chance(seed, "moves"), game.start(SeededBoard(seed))
        while (seat := game.to_move(state)) is not None and len(turns) < count:
            view = game.view(state, seat)
            legal = game.legal_moves(view)
            if seat == 0:
                turns.append(Turn(len(turns), 0, view, legal, None, None))
            state = game.apply(state, random_move(chance, legal))
        number += 1
    return turns


async def measure_pipe(game: AnyGame, at_once: int, seconds: float) -> BareFigures:
    """Turns a second over the standard streams of a child process."""
    start, frames = await recorded(game, at_once)
    environment = variables_for("", "", *sdk_paths())
    process = subprocess.Popen(
        [sys.executable, "-c", PIPE_BOT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    )
    assert process.stdin is not None, "stdin is a pipe"
    assert process.stdout is not None, "stdout is a pipe"
    turns, began = 0, 0.0
    try:
        process.stdin.write(len(start).to_bytes(LENGTH_BYTES, "big") + start)
        while not began or time.perf_counter() - began < seconds:
            for frame in frames:
                process.stdin.write(len(frame).to_bytes(LENGTH_BYTES, "big") + frame)
                process.stdin.flush()
                process.stdout.read(int.from_bytes(process.stdout.read(LENGTH_BYTES), "big"))
                turns += at_once
            if not began:
                turns, began = 0, time.perf_counter()  # the first round warms up
        elapsed = time.perf_counter() - began
    finally:
        process.stdin.close()
        process.wait(timeout=10)
        process.stdout.close()
    return BareFigures("bare pipe", game.id, at_once, turns / elapsed)


async def measure_stream(game: AnyGame, at_once: int, seconds: float) -> BareFigures:
    """Turns a second over one bidirectional gRPC stream on a unix socket."""
    start, frames = await recorded(game, at_once)
    measured: asyncio.Future[float] = asyncio.get_running_loop().create_future()

    async def play(incoming: AsyncIterator[bytes], context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        replies = aiter(incoming)
        await anext(replies)  # hello
        await context.write(start)
        turns, began = 0, 0.0
        while not began or time.perf_counter() - began < seconds:
            for frame in frames:
                await context.write(frame)
                await anext(replies)
                turns += at_once
            if not began:
                turns, began = 0, time.perf_counter()
        measured.set_result(turns / (time.perf_counter() - began))

    class Handlers(grpc.GenericRpcHandler):
        def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[bytes, bytes] | None:
            return grpc.stream_stream_rpc_method_handler(play)

    with work_folder() as folder:
        address = f"unix:{folder}/seat.sock"
        server = grpc.aio.server(options=OPTIONS)
        server.add_generic_rpc_handlers((Handlers(),))
        server.add_insecure_port(address)
        await server.start()
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", STREAM_BOT, env=variables_for(address, "", *sdk_paths())
        )
        try:
            rate = await asyncio.wait_for(measured, seconds * 5 + 30)
        except TimeoutError:
            raise ArenaFault("the bare stream did not come to an end") from None
        finally:
            await server.stop(0)
            process.kill()
            await process.wait()
    return BareFigures("bare gRPC stream", game.id, at_once, rate)
