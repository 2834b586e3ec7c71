"""A real bot process on a real stream: a scripted arena on a unix socket, the SDK started as the launcher starts it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from arena_bot.v1 import arena_pb2 as pb
from bots_python import loopback
from bots_python import messages as m
from bots_python.loopback import SDK, Wire, arena, start

TEMPLATE = SDK / "template"
PATIENCE = 60.0
"""Seconds after which a bot that should have ended counts as hanging."""


def event(message: pb.GameStart | pb.Turn | pb.Goodbye | pb.GameOver | pb.Welcome) -> pb.ArenaEvent:
    return pb.ArenaFrame.FromString(m.frame(message)).events[0]


async def ended(process: asyncio.subprocess.Process) -> tuple[int | None, str]:
    """Exit status and stderr. Fails when the process does not end by itself."""
    try:
        out, err = await asyncio.wait_for(process.communicate(), PATIENCE)
    finally:
        if process.returncode is None:
            process.kill()
    assert out == b""
    return process.returncode, err.decode()


def test_a_bot_plays_several_games_and_leaves_at_goodbye(tmp_path: Path) -> None:
    seen: list[object] = []

    async def script(wire: Wire) -> None:
        (hello,) = await wire.receive()
        seen.append((hello.hello.token, list(hello.hello.versions), hello.hello.concurrent_games))
        await wire.send(event(pb.Welcome(version="1.0")))
        await wire.send(*[event(m.start(game)) for game in (1, 2)])
        await wire.send(*[event(m.rook(4, m.plays(5, 26), game=game, turn=game)) for game in (1, 2)])
        seen.append([(reply.reply.game, reply.reply.turn, reply.reply.choice) for reply in await wire.receive()])
        await wire.send(event(pb.GameOver(game=1, verdict=1)), event(m.rook(1, m.BIDS, game=2, turn=3)))
        seen.append([(reply.reply.game, reply.reply.turn, reply.reply.choice) for reply in await wire.receive()])
        await wire.send(event(pb.Goodbye(reason="done")))
        seen.append(await wire.closed())

    async def scenario() -> tuple[int | None, str]:
        async with arena(tmp_path / "seat.sock", script):
            return await ended(await start(tmp_path / "seat.sock", "main.py", cwd=TEMPLATE))

    assert asyncio.run(scenario()) == (0, "")
    assert seen == [("secret", ["1.0"], 64), [(1, 1, 1), (2, 2, 1)], [(2, 3, 1)], True]


def test_a_house_bot_starts_by_its_name(tmp_path: Path) -> None:
    answers: list[pb.Reply] = []

    async def script(wire: Wire) -> None:
        await wire.receive()
        await wire.send(event(m.start(ruleset="goat")), event(m.goat(2, m.LEADS, hand=m.goat_cards("KD 6S 9S"))))
        answers.extend(reply.reply for reply in await wire.receive())
        await wire.send(event(pb.Goodbye(reason="done")))
        await wire.closed()

    async def scenario() -> tuple[int | None, str]:
        async with arena(tmp_path / "seat.sock", script):
            return await ended(await start(tmp_path / "seat.sock", "-m", "arena_house", "basic", cwd=tmp_path))

    assert asyncio.run(scenario()) == (0, "")
    assert [reply.WhichOneof("answer") for reply in answers] == ["choice"]


def test_a_bot_leaves_when_the_stream_ends_without_goodbye(tmp_path: Path) -> None:
    async def script(wire: Wire) -> None:
        await wire.receive()

    async def scenario() -> tuple[int | None, str]:
        async with arena(tmp_path / "seat.sock", script):
            return await ended(await start(tmp_path / "seat.sock", "main.py", cwd=TEMPLATE))

    assert asyncio.run(scenario()) == (0, "")


def test_a_bot_ends_by_itself_when_the_arena_vanishes(tmp_path: Path) -> None:
    async def scenario() -> tuple[int | None, str]:
        waiting = asyncio.Event()

        async def script(wire: Wire) -> None:
            await wire.receive()
            await wire.send(event(m.start()))
            waiting.set()
            await asyncio.sleep(3600)

        async with arena(tmp_path / "seat.sock", script) as server:
            process = await start(tmp_path / "seat.sock", "main.py", cwd=TEMPLATE)
            await asyncio.wait_for(waiting.wait(), PATIENCE)
            await server.stop(None)
            return await ended(process)

    status, err = asyncio.run(scenario())
    assert status == 1
    assert err.startswith("the connection to the arena at 'unix:")
    assert "Traceback" not in err


def test_a_bot_ends_by_itself_when_the_arena_is_killed(tmp_path: Path) -> None:
    async def scenario() -> tuple[int | None, str]:
        socket = tmp_path / "seat.sock"
        server = await start(None, loopback.__file__, str(socket), cwd=tmp_path)
        try:
            assert server.stdout is not None
            assert await asyncio.wait_for(server.stdout.readline(), PATIENCE) == b"listens\n"
            process = await start(socket, "main.py", cwd=TEMPLATE)
            assert await asyncio.wait_for(server.stdout.readline(), PATIENCE) == b"hello\n"
        finally:
            server.kill()
        await server.communicate()
        return await ended(process)

    status, err = asyncio.run(scenario())
    assert status == 1
    assert err.startswith("the connection to the arena at 'unix:")
    assert "Traceback" not in err


def test_a_bot_ends_by_itself_when_nobody_listens(tmp_path: Path) -> None:
    async def scenario() -> tuple[int | None, str]:
        return await ended(await start(tmp_path / "nobody.sock", "main.py", cwd=TEMPLATE))

    status, err = asyncio.run(scenario())
    assert status == 1
    assert "UNAVAILABLE" in err
    assert "Traceback" not in err


BROKEN = """
from arena_bot import Bot, run

class Broken(Bot):
    def play(self, turn):
        return {}[turn.number]

run(Broken)
"""


def test_an_exception_ends_the_process_with_its_traceback(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(BROKEN)

    async def script(wire: Wire) -> None:
        await wire.receive()
        await wire.send(event(m.start()), event(m.rook(4, m.plays(5, 26), turn=17)))
        await wire.closed()

    async def scenario() -> tuple[int | None, str]:
        async with arena(tmp_path / "seat.sock", script):
            return await ended(await start(tmp_path / "seat.sock", "main.py", cwd=tmp_path))

    status, err = asyncio.run(scenario())
    assert status == 1
    assert "return {}[turn.number]" in err
    assert "KeyError: 17" in err
    assert "in Broken.play, game 1 (crowsnest), turn 17" in err


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (("-c", "from arena_bot import Bot, run; run(Bot)"), "ARENA_ADDRESS is not set"),
        (("-m", "arena_house", "fox"), "no house bot 'fox', expected one of: random, basic, cautious, counter"),
    ],
)
def test_a_bot_started_by_hand_says_how(tmp_path: Path, command: tuple[str, ...], expected: str) -> None:
    async def scenario() -> tuple[int | None, str]:
        return await ended(await start(None, *command, cwd=tmp_path))

    status, err = asyncio.run(scenario())
    assert status == 2
    assert expected in err
    assert "Traceback" not in err
