"""A scripted arena on a unix socket, and a real process of the SDK that dials it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
from arena_bot.v1 import arena_pb2

ROOT = Path(__file__).resolve().parents[2]
SDK = ROOT / "sample_bots" / "python"
HOUSE = ROOT / "sample_bots" / "house"

Script = Callable[["Wire"], Awaitable[None]]


class Wire:
    """The arena's end of one stream."""

    def __init__(self, context: Any) -> None:
        self._context = context

    async def send(self, *events: arena_pb2.ArenaEvent) -> None:
        await self._context.write(arena_pb2.ArenaFrame(events=events).SerializeToString())

    async def frame(self) -> bytes:
        data: bytes = await self._context.read()
        assert data is not grpc.aio.EOF, "the bot closed its stream"
        return data

    async def receive(self) -> list[arena_pb2.BotEvent]:
        return list(arena_pb2.BotFrame.FromString(await self.frame()).events)

    async def fail(self, code: grpc.StatusCode, details: str) -> None:
        """End the stream with an error."""
        self._context.set_code(code)
        self._context.set_details(details)

    async def closed(self) -> bool:
        return (await self._context.read()) is grpc.aio.EOF


@contextlib.asynccontextmanager
async def arena(socket: Path, script: Script) -> AsyncIterator[grpc.aio.Server]:
    """A server that plays a script with the bot that calls."""

    async def play(_requests: Any, context: Any) -> None:
        await script(Wire(context))

    server = grpc.aio.server()
    handler = grpc.method_handlers_generic_handler(
        "arena.v1.Arena", {"Play": grpc.stream_stream_rpc_method_handler(play)}
    )
    server.add_generic_rpc_handlers((handler,))
    server.add_insecure_port(f"unix:{socket}")
    await server.start()
    try:
        yield server
    finally:
        await server.stop(None)


async def start(socket: Path | None, *command: str, cwd: Path, token: str = "secret") -> asyncio.subprocess.Process:
    """A bot process as the arena's launcher starts it."""
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join((str(SDK), str(HOUSE))),
        "ARENA_TOKEN": token,
    }
    if socket is not None:
        environment["ARENA_ADDRESS"] = f"unix:{socket}"
    return await asyncio.create_subprocess_exec(
        sys.executable, *command, cwd=cwd, env=environment, stdout=-1, stderr=-1
    )


def serve_for_ever(socket: str) -> None:
    """An arena that takes bots and never asks them anything, to be killed: prints a line once it listens, and one
    when a bot has said hello."""

    async def script(wire: Wire) -> None:
        await wire.receive()
        print("hello", flush=True)  # noqa: T201
        await asyncio.sleep(3600)

    async def serve() -> None:
        async with arena(Path(socket), script):
            print("listens", flush=True)  # noqa: T201
            await asyncio.sleep(3600)

    asyncio.run(serve())


if __name__ == "__main__":
    serve_for_ever(sys.argv[1])
