"""The bridge as a real process, between a scripted arena and bots that are a few lines of shell or Python."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
from arena_bot.v1 import arena_pb2 as pb
from bots_python.loopback import Wire, arena, start

BRIDGE = ("-P", "-m", "arena_bot.bridge")
PATIENT = (
    "-P",
    "-c",
    "import sys; from arena_bot import bridge; bridge.HELLO_WAIT_S, bridge.LEAVE_S = map(float, sys.argv[1:3]);"
    " sys.exit(bridge.main(sys.argv[3:]))",
)
"""The same with other waits: for the bot's hello, and for its leaving. However busy the machine is, a bot that says one
is heard, and one that leaves may."""
HELLO = '{"hello":{"versions":["1.0"],"sdk":"mine 2","concurrentGames":3}}'
TURN = pb.ArenaEvent(turn=pb.Turn(game=1, turn=4, legal=pb.Legal(moves=[pb.Move(play=5)])))
DONE = pb.ArenaEvent(goodbye=pb.Goodbye(reason="done"))
LIMIT_S = 30
"""No bridge takes longer, however busy the machine is."""


async def farewell(wire: Wire) -> None:
    await wire.send(DONE)
    assert await wire.closed()


async def nothing(wire: Wire) -> None:
    await wire.receive()
    await farewell(wire)


def bridged(
    folder: Path, *bot: str, script: Callable[[Wire], Awaitable[Any]] = nothing, patient: bool = True
) -> tuple[int, str, list[Any]]:
    """Run a bot behind the bridge; its exit status, its stderr, and what the script returned. `patient`: a bot that is
    to say hello, or to leave, has the time it needs."""
    hello_wait_s = LIMIT_S if any(HELLO in word for word in bot) else 0.3
    bridge_of = (*PATIENT, str(hello_wait_s), str(LIMIT_S)) if patient else BRIDGE
    returned: list[Any] = []

    async def scripted(wire: Wire) -> None:
        returned.append(await script(wire))

    async def play() -> tuple[int, str]:
        async with arena(folder / "s", scripted):
            bridge = await start(folder / "s", *bridge_of, *bot, cwd=folder)
            async with asyncio.timeout(2 * LIMIT_S):
                _, errors = await bridge.communicate()
            assert bridge.returncode is not None
            return bridge.returncode, errors.decode()

    status, errors = asyncio.run(play())
    return status, errors, returned


def shell(text: str) -> tuple[str, ...]:
    return "sh", "-c", text


def python(text: str) -> tuple[str, ...]:
    return sys.executable, "-I", "-c", text


# --- hello ------------------------------------------------------------------------------------------------------------


def test_the_bridge_says_hello_for_a_bot_that_says_none(tmp_path):
    async def script(wire: Wire) -> Any:
        [event] = await wire.receive()
        await farewell(wire)
        return event.hello

    status, errors, [hello] = bridged(tmp_path, *shell("cat >&2"), script=script)
    assert (status, hello.versions, hello.token, hello.sdk) == (0, ["1.0"], "secret", "arena-jsonl 0.1")
    assert hello.concurrent_games == 1024
    assert errors == '{"goodbye":{"reason":"done"}}\n'


def test_a_hello_of_the_bot_s_own_gets_the_token(tmp_path):
    async def script(wire: Wire) -> Any:
        [event] = await wire.receive()
        await farewell(wire)
        return event.hello

    status, errors, [hello] = bridged(tmp_path, *shell(f"echo '{HELLO}'; cat >/dev/null"), script=script)
    assert (status, errors) == (0, "")
    assert hello == pb.Hello(versions=["1.0"], token="secret", sdk="mine 2", concurrent_games=3)


def test_a_first_line_that_is_no_hello_follows_the_bridge_s(tmp_path):
    async def script(wire: Wire) -> Any:
        events = await wire.receive()
        await farewell(wire)
        return [event.WhichOneof("event") for event in events]

    said = f"printf 'loading\\n{HELLO}\\n'; cat >/dev/null"
    status, errors, [events] = bridged(tmp_path, *shell(said), script=script)
    assert (status, events) == (0, ["hello", None])
    assert "line 1 of the bot's stdout is not JSON" in errors
    assert "line 2: the hello came too late" in errors


def test_the_bot_sees_no_address_and_no_token(tmp_path):
    status, errors, _ = bridged(tmp_path, *shell("env >&2; cat >/dev/null"))
    assert status == 0
    assert "PATH=" in errors
    assert "ARENA_" not in errors


# --- turns ------------------------------------------------------------------------------------------------------------

ANSWERS = """
import json, sys
for line in sys.stdin:
    event = json.loads(line)
    print(line.strip(), file=sys.stderr, flush=True)
    if "turn" in event:
        print(json.dumps({"reply": {"game": event["turn"]["game"], "turn": event["turn"]["turn"], "choice": 0}}))
    if event.get("turn", {}).get("turn") == 4:
        sys.stdout.flush()
"""


def test_events_go_in_one_a_line_and_replies_written_together_come_as_one_frame(tmp_path):
    first = pb.ArenaEvent(turn=pb.Turn(game=2, turn=9, legal=pb.Legal(moves=[pb.Move(play=5)])))

    async def script(wire: Wire) -> Any:
        await wire.receive()
        await wire.send(pb.ArenaEvent(welcome=pb.Welcome(version="1.0")), first, TURN)
        events = await wire.receive()
        await farewell(wire)
        return [(event.reply.game, event.reply.turn, event.reply.WhichOneof("answer")) for event in events]

    status, errors, [replies] = bridged(tmp_path, *python(ANSWERS), script=script)
    assert (status, replies) == (0, [(2, 9, "choice"), (1, 4, "choice")])
    assert [next(iter(json.loads(line))) for line in errors.splitlines()] == ["welcome", "turn", "turn", "goodbye"]


@pytest.mark.parametrize(
    ("said", "heard", "complaint"),
    [
        ("let me think", pb.BotEvent(), "is not JSON"),
        (
            '{"reply":{"game":1,"turn":4,"choice":"first"}}',
            pb.BotEvent(reply=pb.Reply(game=1, turn=4)),
            "cannot be read",
        ),
    ],
)
def test_the_referee_gets_to_see_what_cannot_be_read_and_the_author_where_it_was(tmp_path, said, heard, complaint):
    async def script(wire: Wire) -> Any:
        await wire.receive()
        await wire.send(TURN)
        events = await wire.receive()
        await farewell(wire)
        return events

    bot = shell(f"echo '{HELLO}'; read turn; echo '{said}'; cat >/dev/null")
    status, errors, [events] = bridged(tmp_path, *bot, script=script)
    assert (status, events) == (0, [heard])
    assert f"bridge: line 2 of the bot's stdout {complaint}" in errors
    assert said in errors


def test_a_line_that_is_too_long_is_a_frame_that_is_too_large(tmp_path):
    async def script(wire: Wire) -> Any:
        await wire.receive()
        await wire.send(TURN)
        size = len(await wire.frame())
        await farewell(wire)
        return size

    bot = python(
        f"import sys; print('{HELLO}', flush=True); input(); print('x' * 500_000, flush=True); sys.stdin.read()"
    )
    status, errors, [size] = bridged(tmp_path, *bot, script=script)
    assert (status, size) == (0, 256 * 1024 + 1)
    assert "line 2 of the bot's stdout is longer than 262144 bytes" in errors


def test_many_wrong_lines_are_not_all_reported(tmp_path):
    async def script(wire: Wire) -> Any:
        heard = 0
        while heard < 1001:
            heard += len(await wire.receive())
        await farewell(wire)

    bot = shell(f"echo '{HELLO}'; yes | head -1000; cat >/dev/null")
    status, errors, _ = bridged(tmp_path, *bot, script=script)
    assert status == 0
    assert errors.count("is not JSON") == 20
    assert "further wrong lines are not reported" in errors


# --- the end ----------------------------------------------------------------------------------------------------------


async def waiting(wire: Wire) -> None:
    """An arena that asks once and then waits for the bot to end."""
    await wire.receive()
    await wire.send(TURN)
    while not await wire.closed():
        continue


@pytest.mark.parametrize(
    ("how", "status"), [("exit 0", 0), ("exit 3", 3), ("kill -SEGV $$", 139), ("kill -KILL $$", 137)]
)
def test_the_bridge_ends_as_the_bot_ends(tmp_path, how, status):
    ended, errors, _ = bridged(tmp_path, *shell(f"echo '{HELLO}'; read turn; {how}"), script=waiting)
    assert ended == status
    assert ("was ended by signal" in errors) == (status > 128)


def test_a_child_of_the_bot_does_not_hold_the_bridge_up(tmp_path):
    left = f"echo '{HELLO}'; read turn; sleep 600 2>/dev/null & echo $! >pid; exit 3"
    try:
        assert bridged(tmp_path, *shell(left), script=waiting)[0] == 3
    finally:
        os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)


def test_what_the_bot_said_last_is_sent(tmp_path):
    async def script(wire: Wire) -> Any:
        await wire.receive()
        await wire.send(TURN)
        return await wire.receive()

    last = '{"reply":{"game":1,"turn":4,"choice":0}}'
    bot = shell(f"echo '{HELLO}'; read turn; printf '{last}'; exec >&-; read more")
    status, errors, [[event]] = bridged(tmp_path, *bot, script=script)
    assert event.reply == pb.Reply(game=1, turn=4, choice=0)
    assert errors == ""
    assert status == 1  # of the second read, at the end of the input


def test_a_bot_that_ends_before_its_hello_is_never_announced(tmp_path):
    status, errors, scripts = bridged(tmp_path, *shell("echo 'no card table' >&2; exit 4"))
    assert (status, errors, scripts) == (4, "no card table\n", [])


def test_a_bot_that_does_not_leave_is_killed(tmp_path):
    status, errors, _ = bridged(tmp_path, *python("import time; time.sleep(600)"), patient=False)
    assert status == 137
    assert "did not leave within 0.8 s" in errors


def test_a_bot_that_does_not_listen_holds_nothing_up(tmp_path):
    status, _, _ = bridged(tmp_path, *shell(f"echo '{HELLO}'; exec <&-; sleep 1; exit 5"), script=waiting)
    assert status == 5


def test_a_lost_connection_is_an_error(tmp_path):
    async def script(wire: Wire) -> None:
        await wire.receive()
        raise RuntimeError("the script ends here")

    status, errors, _ = bridged(tmp_path, *shell("cat >/dev/null"), script=script)
    assert status == 1
    assert "the connection to the arena at 'unix:" in errors


def test_a_bot_never_outlives_the_bridge(tmp_path):
    async def play() -> None:
        said_hello = asyncio.Event()

        async def script(wire: Wire) -> None:
            await wire.receive()
            said_hello.set()
            await wire.closed()

        async with arena(tmp_path / "s", script):
            bridge = await start(tmp_path / "s", *BRIDGE, *python("import time; time.sleep(600)"), cwd=tmp_path)
            async with asyncio.timeout(LIMIT_S):
                await said_hello.wait()
                [bot] = psutil.Process(bridge.pid).children()
                os.kill(bridge.pid, signal.SIGKILL)
                await bridge.communicate()
                while bot.is_running() and bot.status() != psutil.STATUS_ZOMBIE:
                    await asyncio.sleep(0.01)

    asyncio.run(play())


@pytest.mark.parametrize(("command", "status"), [("./nothing", 127), ("./bot.toml", 126)])
def test_a_command_that_cannot_be_run(tmp_path, command, status):
    (tmp_path / "bot.toml").touch()
    ended, errors, _ = bridged(tmp_path, command)
    assert ended == status
    assert f"{command!r} cannot be run: " in errors


@pytest.mark.parametrize("command", [(), ("--",), ("sh",)])
def test_a_wrong_call_says_how_to_call(tmp_path, command):
    async def call() -> tuple[int | None, bytes]:
        bridge = await start(None, *BRIDGE, *command, cwd=tmp_path)
        _, errors = await bridge.communicate()
        return bridge.returncode, errors

    status, errors = asyncio.run(call())
    assert status == 2
    assert errors.startswith(b"usage: python3 -P -m arena_bot.bridge COMMAND...; ")


def test_files_in_the_bot_s_folder_are_not_taken_for_the_bridge_s(tmp_path):
    for name in ("json.py", "grpc.py", "asyncio.py"):
        (tmp_path / name).write_text("raise SystemExit(9)")
    assert bridged(tmp_path, *shell("cat >/dev/null"), patient=False)[0] == 0
