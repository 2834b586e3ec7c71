"""Bots in every language dial in over TLS, as their authors start them, and say why when they cannot."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest
from languages.built import TEMPLATES, built, built_folder
from remote.dialling import DEADLINE_S, Tokens, hall, papers

from arena.bots.manifest import Bot
from arena.core.game import SeededBoard
from arena.games import make
from arena.match.clock import Clock
from arena.match.player import InProcessPlayer
from arena.match.referee import Table, play_game
from arena.record.results import GameResult, Verdict
from arena.runner.remote_slot import RemoteSlot

SDK = TEMPLATES / "python"
FOX = Bot("fox", Path(), (), ("*",), 64, "remote", house=False, remote=True)


def command(language: str) -> tuple[tuple[str, ...], Path]:
    """How an author starts a bot, and where."""
    if language == "python":
        return (sys.executable, "main.py"), SDK / "template"
    if language == "perl":
        bot = built_folder(TEMPLATES / "jsonl" / "perl")
        return (sys.executable, "-P", "-m", "arena_bot.bridge", *bot.command), bot.folder
    if language == "rust":  # TLS is a feature there, which takes as long to compile as all the rest
        manifest = (TEMPLATES / "rust" / "bot.toml").read_text(encoding="utf-8")
        bot = built_folder(
            TEMPLATES / "rust", {"bot.toml": manifest.replace('"--path"', '"--features", "tls", "--path"')}
        )
    else:
        bot = built(language)
    return bot.command, bot.folder


LANGUAGES = [
    "python",
    pytest.param("perl", marks=pytest.mark.needs("perl")),
    pytest.param("go", marks=[pytest.mark.needs("go"), pytest.mark.xdist_group("go")]),
    pytest.param("typescript", marks=[pytest.mark.needs("npm"), pytest.mark.xdist_group("typescript")]),
    pytest.param("java", marks=[pytest.mark.needs("mvn"), pytest.mark.xdist_group("java")]),
    pytest.param(
        "cpp", marks=[pytest.mark.needs("cmake"), pytest.mark.needs("grpc_cpp_plugin"), pytest.mark.xdist_group("cpp")]
    ),
    pytest.param("rust", marks=[pytest.mark.needs("cargo"), pytest.mark.xdist_group("rust"), pytest.mark.long]),
]
pytestmark = pytest.mark.needs("openssl")


async def start(language: str, address: str, **variables: str) -> asyncio.subprocess.Process:
    words, folder = command(language)
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
    surroundings["PYTHONPATH"] = str(SDK)
    surroundings["ARENA_ADDRESS"] = address
    return await asyncio.create_subprocess_exec(
        *words, cwd=folder, env=surroundings | variables, stderr=asyncio.subprocess.PIPE
    )


async def ended(process: asyncio.subprocess.Process) -> tuple[int | None, str]:
    """Exit status and last words of a bot that ends by itself."""
    try:
        _, said = await asyncio.wait_for(process.communicate(), 3 * DEADLINE_S)
    finally:
        if process.returncode is None:
            process.kill()
    return process.returncode, said.decode()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_game_over_tls(language: str) -> None:
    async def scenario() -> GameResult:
        async with hall(Tokens(fox=1)) as opened:
            bot = await start(
                language,
                f"localhost:{opened.door.port}",
                ARENA_TOKEN="token-of-fox",
                ARENA_TLS_CA=str(papers().authority),
            )
            slot = RemoteSlot(FOX, opened.door, 2 * DEADLINE_S, 0)
            game = make("crow_and_pitcher", {"rounds": 1})
            others = [InProcessPlayer(lambda _view, legal: legal.moves[0]) for _ in range(game.seats - 1)]
            players = [await slot.player("crow"), *others]
            clock = Clock(60_000, 0, 60_000)
            played = await play_game(Table(game, SeededBoard(b"x" * 32), players, range(game.seats), clock=clock))
            await slot.close()
            closing = asyncio.create_task(opened.door.stop())
            assert await ended(bot) == (0, "")
            await closing
            return played.result

    result = asyncio.run(scenario())
    assert result.verdict is Verdict.FINISHED
    assert result.faults == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bot_that_is_not_let_in_says_why(language: str) -> None:
    """And never its token."""

    async def scenario() -> None:
        async with hall(Tokens(fox=1)) as opened:
            address = f"127.0.0.1:{opened.door.port}"
            trusted, stranger = str(papers().authority), str(papers().strangers)
            sent_away = start(language, address, ARENA_TOKEN="secret-guess", ARENA_TLS_CA=trusted)
            distrusts = start(language, address, ARENA_TOKEN="secret-guess", ARENA_TLS_CA=stranger)
            no_file = start(language, address, ARENA_TOKEN="secret-guess", ARENA_TLS_CA="nowhere.pem")
            in_clear = start(language, "arena.invalid:1", ARENA_TOKEN="secret-guess", ARENA_INSECURE="1")
            for starting, words in (
                (sent_away, "the arena sent this bot away: BAD_TOKEN"),
                (distrusts, "the arena at"),
                (no_file, "ARENA_TLS_CA"),
                (in_clear, "ARENA_INSECURE is for this machine only"),
            ):
                status, said = await ended(await starting)
                assert status in (1, 2), said
                assert words in said
                assert "secret-guess" not in said
            assert opened.door.lines == ()

    asyncio.run(scenario())
