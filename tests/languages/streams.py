"""Starts a built bot as the launcher does and talks to it over a unix socket: how it answers, and how it ends.

It knows no language; each check raises AssertionError with what the bot said.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import grpc
from arena_bot.v1 import arena_pb2 as pb
from bots_python import messages as m
from bots_python.loopback import Script, Wire, arena

from arena.bots.manifest import Bot

PATIENCE_S = 60.0
"""A bot that should have ended by then counts as hanging."""
UNKNOWN_FIELD = b"\xf2\x3f\x03new"


def ending(bot: Bot, address: str | None) -> tuple[int | None, str]:
    """Start a bot without an arena; its exit status and stderr."""
    return asyncio.run(_ended(bot, address))


def talk(bot: Bot, folder: Path, script: Script) -> tuple[int | None, str]:
    """Start a bot and play a script with it; its exit status and stderr."""

    async def scenario() -> tuple[int | None, str]:
        async with arena(folder / "seat.sock", script):
            return await _ended(bot, f"unix:{folder / 'seat.sock'}")

    return asyncio.run(scenario())


async def _ended(bot: Bot, address: str | None) -> tuple[int | None, str]:
    variables = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "ARENA_TOKEN": "secret"}
    if address is not None:
        variables["ARENA_ADDRESS"] = address
    command = [sys.executable if word == "python3" else word for word in bot.command]
    process = await asyncio.create_subprocess_exec(*command, cwd=bot.folder, env=variables, stdout=-1, stderr=-1)
    try:
        out, err = await asyncio.wait_for(process.communicate(), PATIENCE_S)
    finally:
        if process.returncode is None:
            process.kill()
    assert out == b"", "stdout is no place for logs"
    return process.returncode, err.decode()


def _event(message: pb.GameStart | pb.Turn | pb.Goodbye | pb.GameOver | pb.Welcome | pb.Rejected) -> pb.ArenaEvent:
    return pb.ArenaFrame.FromString(m.frame(message)).events[0]


def _turn(game: int, turn: int) -> pb.ArenaEvent:
    return _event(m.rook(4, m.plays(5, 26), game=game, turn=turn))


async def _welcome(wire: Wire) -> pb.Hello:
    (event,) = await wire.receive()
    await wire.send(_event(pb.Welcome(version="1.0")))
    return event.hello


async def _answers(wire: Wire) -> list[tuple[int, int]]:
    return [(event.reply.game, event.reply.turn) for event in await wire.receive()]


def check_a_session(bot: Bot, folder: Path) -> None:
    """Hello; two games at once, answered in one frame; what is new, rejected or over is taken; goodbye ends it."""
    seen: list[object] = []

    async def script(wire: Wire) -> None:
        hello = await _welcome(wire)
        seen.append((hello.token, list(hello.versions), hello.sdk.startswith("arena-"), hello.concurrent_games >= 2))
        await wire.send(*[_event(m.start(game)) for game in (1, 2)])
        await wire.send(_turn(1, 0), _turn(2, 3))
        seen.append(await _answers(wire))
        newer = pb.ArenaEvent.FromString(UNKNOWN_FIELD)
        rejected = _event(pb.Rejected(game=1, turn=0, reason="TIMEOUT: late"))
        await wire.send(newer, rejected, _event(pb.GameOver(game=1, verdict=2, forfeit_seat=1)), _turn(2, 7))
        seen.append(await _answers(wire))
        await wire.send(_event(m.start(3)), _turn(3, 1))
        seen.append(await _answers(wire))
        await wire.send(_event(pb.Goodbye(reason="done")))
        seen.append(await wire.closed())

    status, said = talk(bot, folder, script)
    assert status == 0, said
    assert seen == [("secret", ["1.0"], True, True), [(1, 0), (2, 3)], [(2, 7)], [(3, 1)], True], (seen, said)


def check_the_end_of_the_stream(bot: Bot, folder: Path) -> None:
    """A stream that the arena ends in good order ends the bot in good order."""

    async def script(wire: Wire) -> None:
        await _welcome(wire)

    status, said = talk(bot, folder, script)
    assert (status, said) == (0, "")


def check_a_lost_connection(bot: Bot, folder: Path) -> None:
    """A stream that fails, or was never there, ends the bot with a line that says why."""

    async def script(wire: Wire) -> None:
        await _welcome(wire)
        await wire.fail(grpc.StatusCode.UNAUTHENTICATED, "not your seat")

    status, said = talk(bot, folder, script)
    assert status not in (0, None), said
    assert "not your seat" in said
    status, said = ending(bot, f"unix:{folder / 'nobody.sock'}")
    assert status not in (0, None), said
    assert said != ""


def check_no_address(bot: Bot) -> None:
    """Started by hand, the bot says what it misses."""
    status, said = ending(bot, None)
    assert status not in (0, None), said
    assert "ARENA_ADDRESS" in said
