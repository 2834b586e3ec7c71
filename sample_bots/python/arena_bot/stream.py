"""A bot's connection to the arena: one stream over gRPC, from hello to goodbye. It knows frames as bytes only."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import Callable
from typing import Any

from arena_bot.bot import Bot, log
from arena_bot.dial import CannotDial, channel
from arena_bot.table import Table

METHOD = "/arena.v1.Arena/Play"
PARTING = 5.0
"""Seconds that the arena has to end the stream after its goodbye."""


def run(bot: Callable[[], Bot]) -> None:
    """Play until the arena says goodbye: the main program of a bot.

    `bot` is called once for each game; usually it is the class itself. Reads ARENA_TOKEN, and the variables of
    `arena_bot.dial`. Ends the process: with status 0 after a goodbye or the end of the stream, 1 when the arena does
    not let it in, the connection is lost or the bot raises, 2 without an address that can be dialled.
    """
    address = os.environ.get("ARENA_ADDRESS")
    if not address:
        log(
            "this program plays when the arena starts it: ARENA_ADDRESS is not set, a gRPC target was expected\n"
            'fix: play it with "arena play GAME FOLDER", or check it with "arena bot check FOLDER"'
        )
        sys.exit(2)
    try:
        sys.exit(asyncio.run(_play(Table(bot), address, os.environ.get("ARENA_TOKEN", ""))))
    except CannotDial as error:
        log(str(error))
        sys.exit(2)


async def _play(table: Table, address: str, token: str) -> int:
    """Play over a stream; returns the exit status."""
    os.environ.setdefault("GRPC_VERBOSITY", "ERROR")  # its notices would stand among the bot's own lines
    import grpc.aio  # slow to import, and not needed by tests and practice

    async with channel(address, os.environ) as line:
        call: Any = line.stream_stream(METHOD)()  # Any: raw bytes both ways, which the stubs cannot say
        try:
            await call.write(table.hello(token))
            while table.goodbye is None:
                data: Any = await call.read()  # Any: bytes or EOF
                if data is grpc.aio.EOF:
                    break
                for frame in table.frame(data):
                    await call.write(frame)
            if table.goodbye is not None:
                await call.done_writing()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(call.code(), PARTING)
                return parted(table.goodbye)
            code, details = await call.code(), await call.details()
        except grpc.aio.AioRpcError as error:
            code, details = error.code(), error.details()
        except asyncio.InvalidStateError:
            code, details = await call.code(), await call.details()
        if code is grpc.StatusCode.OK:
            return 0
        log(f"the connection to the arena at {address!r} ended: {code.name}: {details}")
        return 1


def parted(reason: str) -> int:
    """The exit status after a goodbye: 1 for one that sends the bot away, which is told."""
    if reason in ("", "done"):
        return 0
    log(f"the arena sent this bot away: {reason}")
    return 1
