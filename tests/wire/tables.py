"""Whole games over real sockets: honest bots in this process, hostile ones in processes of their own.

`beside()` plays honest games for as long as something hostile happens and holds them against undisturbed ones.
"""

from __future__ import annotations

import asyncio
import gc
import inspect
import json
import os
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc.aio
from arena_bot.table import Table as BotTable
from arena_house.uniform import Random

from arena import games
from arena.core.chance import digest
from arena.core.game import AnyGame, SeededBoard
from arena.match.clock import Clock
from arena.match.player import PlayerGone
from arena.match.referee import MoveRecord, Played, Table, play_game
from arena.record.results import FaultClass, Verdict
from arena.wire.player import RemotePlayer
from arena.wire.server import SeatServer
from arena.wire.tokens import LiveTokens

GAME = games.make("crow_and_pitcher", {"rounds": 1, "players": 3})
FAMILY = games.catalog()[GAME.id].family
PATIENT = Clock(bank_ms=120_000, increment_ms=0, cap_ms=30_000)
HOSTILE = Path(__file__).with_name("hostile_bot.py")
DEADLINE_S = 90
BOARDS = 3
METHOD = "/arena.v1.Arena/Play"
D, F = FaultClass.DECISION, FaultClass.FORFEIT


def dial(address: str, **options: Any) -> grpc.aio.Channel:
    """A channel that shares no connection with others."""
    limits = {"grpc.use_local_subchannel_pool": 1, "grpc.max_send_message_length": -1, **options}
    return grpc.aio.insecure_channel(address, options=list(limits.items()))


async def honest_bot(server: SeatServer, token: str, bot: Callable[[], Any] = Random) -> None:
    """Plays as the SDK does, until goodbye or the end of the stream."""
    table = BotTable(bot)
    async with dial(server.address) as channel:
        call: Any = channel.stream_stream(METHOD)()
        await call.write(table.hello(token))
        while table.goodbye is None and (data := await call.read()) is not grpc.aio.EOF:
            for frame in table.frame(data):
                await call.write(frame)


class Process:
    """A hostile bot's own process; what it printed can be read when it has ended."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    async def end(self) -> list[dict[str, Any]]:
        """Kill it and read what it said, line by line."""
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGKILL)
        said, errors = await self.process.communicate()
        assert b"Traceback" not in errors, errors.decode()
        return [json.loads(line) for line in said.splitlines()]


class Seats:
    """A server for every seat of a game, with bots that dial them."""

    def __init__(self, folder: str, tokens: LiveTokens, clock: Clock, game: AnyGame = GAME) -> None:
        self.folder = folder
        self.game = game
        self.clock = clock
        self.tokens = [tokens.issue() for _ in range(game.seats)]
        self.servers = [
            SeatServer(f"unix:{folder}/{seat}.sock", token, 64, _lives_on, tokens.others(token))
            for seat, token in enumerate(self.tokens)
        ]
        self.bots: list[asyncio.Task[None]] = []
        self.processes: list[Process] = []

    async def start(self, hostile: dict[int, str] | None = None, bot: Callable[[], Any] = Random) -> None:
        """Listen and let the bots in; `hostile` by seat in which way, "" for a seat that the test plays itself."""
        for seat, server in enumerate(self.servers):
            await server.start()
            mode = (hostile or {}).get(seat)
            if mode:
                variables = {
                    "ARENA_ADDRESS": server.address,
                    "ARENA_TOKEN": self.tokens[seat],
                    "GRPC_VERBOSITY": "NONE",
                }
                process = await asyncio.create_subprocess_exec(
                    sys.executable,
                    str(HOSTILE),
                    mode,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=asyncio.subprocess.PIPE,
                    env={"PYTHONPATH": os.pathsep.join(sys.path), **variables},
                )
                self.processes.append(Process(process))
            elif mode is None:
                self.bots.append(asyncio.create_task(honest_bot(server, self.tokens[seat], bot)))

    async def players(self) -> list[RemotePlayer]:
        """New players on the sessions of all seats."""
        async with asyncio.timeout(DEADLINE_S):
            sessions = [await asyncio.shield(server.hello) for server in self.servers]
        return [RemotePlayer(session, FAMILY) for session in sessions]

    async def play(self, number: int = 0, watch: Callable[[MoveRecord, Any], None] | None = None) -> Played:
        """Play the board with a number."""
        board = SeededBoard(digest(b"tests/wire", number))
        players = await self.players()
        table = Table(self.game, board, players, range(self.game.seats), self.clock, watch=watch)
        async with asyncio.timeout(DEADLINE_S):
            return await play_game(table)

    async def stop(self) -> None:
        """Close all and look that nothing is left."""
        for server in self.servers:
            if server.session is not None:
                server.session.close("done")
        if self.bots:
            await asyncio.wait(self.bots, timeout=2)
        for process in self.processes:
            if process.process.returncode is None:
                process.process.kill()
                await process.process.communicate()
        for server in self.servers:
            await asyncio.wait_for(server.stop(), DEADLINE_S)
        for bot in self.bots:
            bot.cancel()
        await asyncio.gather(*self.bots, return_exceptions=True)
        assert os.listdir(self.folder) == [], "a socket is left"


async def _lives_on() -> PlayerGone:
    return PlayerGone("closed its stream and lives on", code="DISCONNECT")


@asynccontextmanager
async def seats(
    hostile: dict[int, str] | None = None,
    clock: Clock = PATIENT,
    tokens: LiveTokens | None = None,
    bot: Callable[[], Any] = Random,
) -> AsyncIterator[Seats]:
    """Seats that are served until the block ends."""
    with tempfile.TemporaryDirectory(prefix="t-") as folder:
        opened = Seats(folder, tokens or LiveTokens(), clock)
        try:
            await opened.start(hostile, bot)
            yield opened
        finally:
            await opened.stop()


def course(played: Played) -> Any:
    """What a game was, whenever it was played."""
    return played.result, [(move.seat, move.move) for move in played.course.moves]


class Beside:
    """Honest games, one after the other."""

    def __init__(self, seats: Seats) -> None:
        self._seats = seats
        self._undisturbed: list[Any] = []
        self.quiet_ms: list[float] = []
        self.times_ms: list[float] = []
        self.games = 0

    async def undisturbed(self) -> None:
        """Play every board once while nothing happens."""
        for board in range(BOARDS):
            played = await self._seats.play(board, lambda move, _state: self.quiet_ms.append(move.elapsed_ms))
            assert played.result.verdict is Verdict.FINISHED
            assert not played.result.faults
            self._undisturbed.append(course(played))

    async def play(self) -> None:
        """Play until cancelled, but at least one game, and compare."""
        while True:
            board = self.games % BOARDS
            played = await self._seats.play(board, lambda move, _state: self.times_ms.append(move.elapsed_ms))
            assert course(played) == self._undisturbed[board], "a hostile bot changed a game that it is not in"
            self.games += 1


@asynccontextmanager
async def beside(tokens: LiveTokens | None = None) -> AsyncIterator[Beside]:
    """Honest games in the same process for as long as the block runs; fails when one of them is not as it should be."""
    async with seats(tokens=tokens) as honest:
        games_beside = Beside(honest)
        await games_beside.undisturbed()
        playing = asyncio.create_task(games_beside.play())
        try:
            yield games_beside
            games_then = games_beside.games
            async with asyncio.timeout(DEADLINE_S):
                while games_beside.games <= games_then and not playing.done():
                    await asyncio.sleep(0.01)
        finally:
            playing.cancel()
            await asyncio.wait({playing})
        if not playing.cancelled():
            playing.result()


def scene(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test that is a coroutine, after which neither a task nor a descriptor is left."""

    async def work(**given: Any) -> None:
        async with seats() as first:  # what gRPC opens once stays open
            await first.play()
        before = descriptors()
        await asyncio.wait_for(test(**given), DEADLINE_S)
        for _ in range(1200):
            gc.collect()  # exceptions hold calls, calls hold connections
            if descriptors() <= before and len(asyncio.all_tasks()) == 1:
                return
            await asyncio.sleep(0.05)
        left = [str(task.get_coro()) for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        raise AssertionError(f"left: {descriptors() - before} descriptors, tasks {left}")

    def run(**given: Any) -> None:
        asyncio.run(work(**given))

    run.__name__ = test.__name__
    run.__doc__ = test.__doc__
    if hasattr(test, "pytestmark"):
        run.pytestmark = test.pytestmark  # type: ignore[attr-defined]
    run.__signature__ = inspect.signature(test)  # type: ignore[attr-defined]
    return run


def descriptors() -> int:
    """How many descriptors this process has open."""
    return len(os.listdir("/proc/self/fd"))


def resident_mb() -> float:
    """Memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
