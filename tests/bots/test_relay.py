"""The relay from TCP to a seat's unix socket: bytes, ends, the bot's exit status; and bots that need it, in boxes."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from runner.bouts import DEADLINE_S, PATIENT, SECRET, nothing_left

from arena import games
from arena.bots.manifest import Bot, find_bot, read_bot
from arena.bots.sandbox import selftest
from arena.bots.sandbox.limits import BOT
from arena.bots.sandbox.means import NONE, Means
from arena.bots.sandbox.of_bot import box_of
from arena.core.errors import BotError
from arena.record.results import Verdict
from arena.record.tiers import Tier
from arena.runner.single import Single, play_single, seat_bots
from arena.store.values import StoredGame

RELAY = (sys.executable, "-P", "-m", "arena_bot.relay")


def relayed(code: str, address: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*RELAY, sys.executable, "-I", "-c", code, *words],
        env={**os.environ, "ARENA_ADDRESS": address},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


ECHO = """
import os, socket, sys
host, port = os.environ["ARENA_ADDRESS"].split(":")
sent = os.urandom(3_000_000)
with socket.create_connection((host, int(port))) as near:
    import threading
    threading.Thread(target=lambda: (near.sendall(sent), near.shutdown(socket.SHUT_WR))).start()
    got = b""
    while data := near.recv(65536):
        got += data
sys.exit(7 if got == sent else f"{len(got)} of {len(sent)} bytes came back")
"""


def test_bytes_and_ends_are_carried_both_ways_and_the_status_is_the_bot_s(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "seat"))
        server.listen()

        def echo() -> None:
            far, _ = server.accept()
            with far:
                while data := far.recv(65536):
                    far.sendall(data)

        thread = threading.Thread(target=echo)
        thread.start()
        done = relayed(ECHO, f"unix:{tmp_path}/seat")
        thread.join(60)
    assert (done.returncode, done.stderr) == (7, "")


def test_a_seat_that_is_gone_ends_the_connection(tmp_path: Path) -> None:
    done = relayed(ECHO.replace("sys.exit(7 if got == sent else", "sys.exit(3 if not got else"), f"unix:{tmp_path}/no")
    assert done.returncode in (1, 3), done.stderr


@pytest.mark.parametrize(
    ("command", "address", "said"),
    [
        ([], "unix:/x", "usage"),
        (["no-such-program"], "unix:/x", "no-such-program cannot be run: No such file or directory"),
        (["true"], "example.org:1", "ARENA_ADDRESS is 'example.org:1'"),
    ],
)
def test_what_it_cannot_do_is_told(command: list[str], address: str, said: str) -> None:
    done = subprocess.run(
        [*RELAY, *command], env={**os.environ, "ARENA_ADDRESS": address}, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert said in done.stderr


def tcp_bot(folder: Path) -> Bot:
    """A house bot that takes no other address than one of TCP."""
    folder.mkdir()
    (folder / "main.py").write_text(
        "import os, runpy, sys\nassert os.environ['ARENA_ADDRESS'].startswith('127.0.0.1:')\n"
        "sys.argv = ['', 'basic']\nrunpy.run_module('arena_house', run_name='__main__', alter_sys=True)\n"
    )
    (folder / "bot.toml").write_text('name = "tcp"\ncommand = ["python3", "main.py"]\ntransport = "tcp"\n')
    return read_bot(folder)


def play(bot: Bot, means: Means) -> StoredGame:
    game = games.make("goat").single_deal()
    with nothing_left():
        single = Single(game, seat_bots(game, (bot, find_bot("basic"))), SECRET, 1, PATIENT, None, means)
        (played,) = asyncio.run(asyncio.wait_for(play_single(single), DEADLINE_S * 2))
    return played


@pytest.mark.needs("bwrap")
@pytest.mark.parametrize("boxed", [False, True])
def test_a_bot_without_unix_sockets_plays(tmp_path: Path, boxed: bool) -> None:
    played = play(tcp_bot(tmp_path / "tcp"), next(selftest.candidates()) if boxed else NONE)
    assert (played.result.verdict, list(played.result.faults)) == (Verdict.FINISHED, [])


def test_without_a_network_namespace_it_is_refused(tmp_path: Path) -> None:
    bot = tcp_bot(tmp_path / "tcp")
    means = Means(Tier.C, landlock=True)
    with pytest.raises(BotError, match="asks for TCP, which tier C does not have") as refused:
        box_of(bot, tmp_path, "token", means, BOT)
    assert refused.value.code == "START_FAILED"
    assert box_of(replace(bot, transport="unix"), tmp_path, "token", means, BOT).command[1:] == ("main.py",)
