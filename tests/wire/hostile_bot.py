"""A bot that plays by chance until its first turn and then does what its one argument says: `hostile_bot.py MODE`.

What it is told in farewell, and how long that took, is printed as a JSON line.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from typing import Any

import grpc.aio
from arena_bot.table import Table
from arena_bot.v1 import arena_pb2 as pb
from arena_house.uniform import Random

METHOD = "/arena.v1.Arena/Play"
TOKEN = os.environ["ARENA_TOKEN"]
STRAY = pb.BotEvent(reply=pb.Reply(game=99, turn=7, choice=0))
HELLO = pb.BotEvent(hello=pb.Hello(versions=["1.0"], token=TOKEN))


def frame(*events: pb.BotEvent) -> bytes:
    return pb.BotFrame(events=events).SerializeToString()


ENDLESS = {
    "flood": frame(STRAY),
    "flood_events": frame(*[STRAY] * 10_000),
    "flood_empty_events": b"\x0a\x00" * 131_072,
    "flood_garbage": b"\xff\xff\xff\xff",
    "flood_empty_frames": b"",
    "flood_hellos": frame(HELLO),
    "flood_large": b"\xff" * 300_000,
    "flood_notes": frame(pb.BotEvent(reply=pb.Reply(game=99, note="x" * 250_000))),
}
"""What is sent without end."""
ONCE = {"size_1": 2**20 + 1, "size_8": 2**23, "size_17": 17 * 2**20}
"""One frame of so many bytes."""


class Bot:
    def __init__(self, channel: Any, mode: str) -> None:
        self.channel = channel
        self.mode = mode
        self.began = 0.0
        self.sent = 0
        self.table = Table(Random)
        self.call: Any = channel.stream_stream(METHOD)()

    def say(self, **data: Any) -> None:
        seconds = round(time.monotonic() - self.began, 3) if self.began else None
        sys.stdout.write(json.dumps({"sent": self.sent, "seconds": seconds, **data}) + "\n")
        sys.stdout.flush()

    async def play(self) -> None:
        await self.call.write(self.table.hello(TOKEN))
        if self.mode == "never_reads":
            await asyncio.sleep(3600)
        doing = None
        while self.table.goodbye is None and (data := await self.call.read()) is not grpc.aio.EOF:
            answers = self.table.frame(data)
            if answers and doing is None:
                self.began = time.monotonic()
                doing = asyncio.create_task(self.misbehave())
            if self.mode not in ENDLESS and self.mode not in ONCE:
                for answer in answers:
                    await self.call.write(answer)
        self.say(goodbye=self.table.goodbye or "")
        if doing is not None:
            doing.cancel()
            await asyncio.wait({doing})

    async def misbehave(self) -> None:
        try:
            if self.mode in ENDLESS:
                while True:
                    await self.call.write(ENDLESS[self.mode])
                    self.sent += 1
            if self.mode in ONCE:
                await self.call.write(b"\x0a" * ONCE[self.mode])
            if self.mode == "flood_calls":
                while True:
                    await asyncio.gather(*(self.again() for _ in range(50)))
            if self.mode == "flood_other_calls":
                while True:
                    await asyncio.gather(*(self.again("/arena.v1.Arena/Watch") for _ in range(50)))
            if self.mode == "duplicates":
                for _ in range(40):
                    await asyncio.gather(*(self.again() for _ in range(4)))
                self.say(duplicates="done")
        except (grpc.RpcError, asyncio.InvalidStateError, asyncio.CancelledError):
            return

    async def again(self, method: str = METHOD) -> None:
        call = self.channel.stream_stream(method)()
        self.sent += 1
        try:
            await call.write(frame(HELLO))
            while (data := await call.read()) is not grpc.aio.EOF:
                said = pb.ArenaFrame.FromString(data).events[0].goodbye.reason
                assert said.startswith(("DUPLICATE", "CONN_LIMIT")), said
        except (grpc.RpcError, asyncio.InvalidStateError):
            return


async def main() -> None:
    options = [("grpc.max_send_message_length", -1)]
    async with grpc.aio.insecure_channel(os.environ["ARENA_ADDRESS"], options=options) as channel:
        bot = Bot(channel, sys.argv[1])
        try:
            await bot.play()
        except (grpc.RpcError, asyncio.InvalidStateError) as error:
            bot.say(error=str(error))


asyncio.run(main())
