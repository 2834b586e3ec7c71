"""A bot that plays by chance and misbehaves where its plan says so: `main.py PLAN`.

The plan is JSON: {"start": MODE} for what happens before the hello, {"2": [MODE, TIMES]} for the game with number 2 on
this connection, {"end": MODE} for after the goodbye, and {"on": EVENT} for what it cannot bear (see `Player.bear`). In
games it misbehaves in seat 0 or 1 only (not in a partner's seat), so that exactly one seat of a table is at fault.
Everything it is told is printed as JSON lines, which the arena keeps.

The MODE "do:MODULE.FUNCTION" calls a function of a module beside this one with the plan's "told"; it returns a list of
what it could do and should not, which is printed.
"""

from __future__ import annotations

import asyncio
import ctypes
import importlib
import json
import os
import secrets
import signal
import sys
from typing import Any

PLAN: dict[str, Any] = json.loads(sys.argv[1])
START = PLAN.get("start", "")
ON = PLAN.get("on", "")


def say(what: str, **data: object) -> None:
    print(json.dumps({"what": what, "pid": os.getpid(), **data}), flush=True)  # noqa: T201


def do(mode: str) -> None:
    """Call what a MODE names and print what it found."""
    module, function = mode.removeprefix("do:").split(".")
    say("found", of=mode, items=getattr(importlib.import_module(module), function)(PLAN.get("told", {})))


if START.startswith("do:"):
    do(START)
if START == "exits" or (START == "second_exits" and "-1/" not in os.environ["ARENA_ADDRESS"]):
    print("no luck today", flush=True)  # noqa: T201
    sys.exit(3)
if START == "import_error":
    import no_such_module  # noqa: F401
if START == "never_connects":
    signal.pause()

import grpc.aio  # noqa: E402
from arena_bot import Turn  # noqa: E402
from arena_bot.table import Table  # noqa: E402
from arena_bot.v1 import arena_pb2 as pb  # noqa: E402
from arena_house.uniform import Random  # noqa: E402
from google.protobuf.unknown_fields import UnknownFieldSet  # noqa: E402


class Spy(Random):
    """Plays by chance from the game's seed and writes down who it is and what it holds, for the test to read."""

    def any_move(self, turn: Turn) -> Any:
        turn.note(json.dumps({"pid": os.getpid(), "game": turn.game.number, "hand": list(turn.hand)}))
        if ON == "seed" and turn.moves:
            return secrets.choice(list(turn.moves))
        return super().any_move(turn)

    def bid(self, turn: Any) -> Any:
        turn.note(json.dumps({"pid": os.getpid(), "game": turn.game.number, "hand": list(turn.hand)}))
        return super().bid(turn)


def frame(*events: pb.BotEvent) -> bytes:
    return pb.BotFrame(events=events).SerializeToString()


def reply(game: int, turn: int, **answer: Any) -> pb.BotEvent:
    return pb.BotEvent(reply=pb.Reply(game=game, turn=turn, **answer))


def hello(versions: list[str], games: int) -> bytes:
    token = os.environ["ARENA_TOKEN"]
    return frame(pb.BotEvent(hello=pb.Hello(versions=versions, token=token, concurrent_games=games)))


FRAMES = {
    "too_high": lambda game, turn: frame(reply(game, turn, choice=2**63 - 1)),
    "negative": lambda game, turn: frame(reply(game, turn, choice=-1)),
    "illegal_move": lambda game, turn: frame(reply(game, turn, move=pb.Move(bid=9_999))),
    "garbage": lambda game, turn: b"\xff\xff\xff\xff",
    "empty_frame": lambda game, turn: b"",
    "empty_event": lambda game, turn: frame(pb.BotEvent()),
    "empty_reply": lambda game, turn: frame(reply(game, turn)),
    "empty_move": lambda game, turn: frame(reply(game, turn, move=pb.Move())),
    "second_hello": lambda game, turn: hello(["1.0"], 1),
    "huge": lambda game, turn: frame(reply(game, turn, choice=0, note="x" * 300_000)),
}
"""What is sent instead of an answer."""


class Player:
    """The loop of one connection."""

    def __init__(self, call: Any) -> None:
        self.call = call
        self.table = Table(Spy)
        self.seats: dict[int, int] = {}
        self.left = {int(game): times for game, (_, times) in self.faults().items()}
        self.held: dict[int, int] = {}
        self.running: set[int] = set()

    @staticmethod
    def faults() -> dict[str, Any]:
        return {game: fault for game, fault in PLAN.items() if game.isdigit()}

    async def hello(self) -> None:
        match START:
            case "no_hello":
                await asyncio.get_running_loop().create_future()
            case "version":
                await self.call.write(hello(["2.1", "3.0"], 1))
            case "reply_first":
                await self.call.write(frame(reply(1, 0, choice=0)))
            case "garbage_first":
                await self.call.write(b"\xff\xff\xff\xff")
            case "one_game":
                await self.call.write(hello(["1.0"], 0))
            case _:
                await self.call.write(hello(["0.3", "1.7"], 64))

    async def play(self) -> None:
        await self.hello()
        while self.table.goodbye is None:
            data = await self.call.read()
            if data is grpc.aio.EOF:
                say("eof")
                return
            honest = pb.ArenaFrame()
            frame = pb.ArenaFrame.FromString(data)
            self.bear("unknown" if len(UnknownFieldSet(frame)) else "")
            for event in frame.events:
                self.report(event)
                if not (event.HasField("turn") and await self.misbehave(event.turn)):
                    honest.events.add().CopyFrom(event)
            for answer in self.table.frame(honest.SerializeToString()):
                await self.call.write(answer)
        await self.call.done_writing()

    def bear(self, what: str) -> None:
        """Raise at an unknown field, a Rejected by its code, a second game at once, a forfeit, or two of Goodbye."""
        if what and what == ON:
            raise RuntimeError(f"cannot bear {what}")

    def report(self, event: pb.ArenaEvent) -> None:
        """Print what is told, but for turns."""
        match event.WhichOneof("event"):
            case "game_start":
                start = event.game_start
                self.seats[start.game] = start.seat
                self.running.add(start.game)
                self.bear("two games" if len(self.running) > 1 else "")
                fields = {field.name: value for field, value in start.ListFields()}
                fields["options"] = dict(start.options)
                if start.HasField("clock"):
                    fields["clock"] = [start.clock.bank_ms, start.clock.increment_ms, start.clock.cap_ms]
                say("start", game=start.game, fields=fields)
            case "game_over":
                over = event.game_over
                forfeit = over.forfeit_seat if over.HasField("forfeit_seat") else None
                self.running.discard(over.game)
                self.bear("forfeit" if forfeit is not None else "")
                say(
                    "over",
                    game=over.game,
                    seat=self.seats[over.game],
                    verdict=over.verdict,
                    scores=list(over.scores),
                    ranks=list(over.ranks),
                    forfeit=forfeit,
                    reason=over.reason,
                )
            case "rejected":
                say("rejected", game=event.rejected.game, turn=event.rejected.turn, reason=event.rejected.reason)
                self.bear(event.rejected.reason.partition(":")[0])
            case "goodbye":
                say("goodbye", reason=event.goodbye.reason)
                self.bear("goodbye")
                if ON == "goodbye, and stays":
                    signal.pause()

    async def misbehave(self, turn: pb.Turn) -> bool:
        """Whether the turn was dealt with, in whatever way."""
        game, number = turn.game, turn.turn
        if game in self.held:
            await self.call.write(frame(reply(game, self.held.pop(game), choice=0)))
        if not self.left.get(game) or self.seats[game] > 1:
            return False
        mode = PLAN[str(game)][0]
        if mode == "crash_losing" and len(getattr(turn, turn.WhichOneof("view")).hand) > 1:
            return False
        self.left[game] -= 1
        if mode.startswith("do:"):
            do(mode)
            return False
        if mode in FRAMES:
            await self.call.write(FRAMES[mode](game, number))
            return True
        match mode:
            case "silent":
                return True
            case "late":
                self.held[game] = number
                return True
            case "wrong_game":
                await self.call.write(frame(*[reply(77, number, choice=0)] * 11))
                return True
            case "stale":
                await self.call.write(frame(*[reply(game, number + 1, choice=0)] * 11))
                return True
            case "strays":
                await self.call.write(frame(*[reply(77, number, choice=0)] * 10))
            case "disconnect":
                self.call.cancel()
                await asyncio.get_running_loop().create_future()
            case "half_close":
                await self.call.done_writing()
                await asyncio.get_running_loop().create_future()
            case "exit":
                os._exit(0)
            case "status":
                os._exit(7)
            case "exception":
                raise RuntimeError("a mistake of the author")
            case "crash_losing":
                os.kill(os.getpid(), signal.SIGKILL)
            case "segfault":
                ctypes.string_at(0)
            case "stop":
                os.kill(os.getpid(), signal.SIGSTOP)
            case _:
                raise AssertionError(mode)
        return False


async def main() -> None:
    async with grpc.aio.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
        await Player(channel.stream_stream("/arena.v1.Arena/Play")()).play()


asyncio.run(main())
if PLAN.get("end"):
    do(PLAN["end"])
