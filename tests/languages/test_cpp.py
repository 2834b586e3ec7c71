"""The C++ template: its own tests, real games of every ruleset, the strategy of the Rook family, how it ends."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import socket
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from languages.built import ROOT, TEMPLATES, VECTORS, built, built_folder, run
from languages.playing import RULESETS, against, alone, make, play

from arena.bots.manifest import Bot, read_bot
from arena.store.values import StoredGame
from arena.wire.server import SeatServer

pytestmark = [pytest.mark.needs("cmake"), pytest.mark.needs("grpc_cpp_plugin"), pytest.mark.xdist_group("cpp")]
SOURCE = TEMPLATES / "cpp"
PAGE = ROOT / "docs" / "write-a-bot-cpp.md"
TOKEN = "correct-horse"
DEADLINE_S = 60
MAX_STRATEGY_LINES = 200


@pytest.fixture(scope="module")
def bot() -> Bot:
    return built("cpp")


@pytest.fixture(scope="module")
def tests() -> Path:
    """A folder of its own in which its tests are built."""
    manifest = (SOURCE / "bot.toml").read_text().replace('"--target", "bot"', '"--target", "bot_test", "sdk_test"')
    assert "bot_test" in manifest
    return built_folder(SOURCE, {"bot.toml": manifest}).folder


def test_its_own_tests_pass_and_read_the_vectors(tests: Path) -> None:
    said = run(["ctest", "--test-dir", "build", "--verbose"], tests, {"ARENA_VECTORS": str(VECTORS)})
    assert f"{len(VECTORS.read_text().splitlines())} frames were read" in said
    assert "100% tests passed" in said
    assert "Skipped" not in said
    assert "Strategy.NamesTheLongSuit" in said


def test_without_vectors_only_their_tests_pass_over_them(tests: Path) -> None:
    said = run(["ctest", "--test-dir", "build", "--verbose"], tests, {"ARENA_VECTORS": "/nowhere"})
    assert "no vectors were read: set ARENA_VECTORS" in said
    passed_over = {line.split()[3] for line in said.splitlines() if line.endswith("sec") and "Skipped" in line}
    assert {name.partition(".")[0] for name in passed_over} == {"Vectors"}


@pytest.mark.parametrize("name", RULESETS)
def test_it_plays_every_ruleset(bot: Bot, name: str) -> None:
    game = make(name)
    [stored] = play(game, against(game, bot))
    assert stored.result.scores


def test_the_same_seed_gives_the_same_moves_alone_and_among_others(bot: Bot) -> None:
    for name in ("partnership", "goat"):
        game = make(name)
        one_by_one = play(game, against(game, alone(bot, "cpp"), "random"), boards=3)
        together = play(game, against(game, bot, "random"), boards=3)
        assert decisions(one_by_one) == decisions(together)


@pytest.mark.parametrize("name", ["partnership", "crowsnest"])
def test_its_strategy_beats_random_play_and_rules_of_thumb(bot: Bot, name: str) -> None:
    game = make(name)
    for other, boards, least in (("random", 6, 6), ("basic", 16, 10)):
        played = play(game, against(game, bot, other), boards)
        assert sum(stored.result.ranks[0] < stored.result.ranks[1] for stored in played) >= least


@pytest.mark.parametrize("kind", ["unix", "host"])
def test_a_goodbye_ends_it_with_status_0(bot: Bot, kind: str) -> None:
    async def work() -> None:
        async with seat(kind) as server:
            process = await start(bot, server.address)
            session = await asyncio.wait_for(server.hello, DEADLINE_S)
            assert session.concurrent_games == 4
            session.close("done")
            assert await ended(process) == (0, "")

    asyncio.run(work())


def test_no_arena_and_no_address_are_told(bot: Bot) -> None:
    async def work() -> None:
        status, said = await ended(await start(bot, "unix:/nowhere/seat.sock"))
        assert status == 1
        assert said.startswith("the connection to the arena at 'unix:/nowhere/seat.sock' ended: ")
        status, said = await ended(await start(bot, ""))
        assert status == 2
        assert "ARENA_ADDRESS is not set" in said

    asyncio.run(work())


def test_a_lost_connection_is_told(bot: Bot) -> None:
    async def work() -> None:
        async with seat("unix") as server:
            process = await start(bot, server.address)
            await asyncio.wait_for(server.hello, DEADLINE_S)
            await server.stop()
            status, said = await ended(process)
            assert status == 1
            assert said.startswith("the connection to the arena at ")

    asyncio.run(work())


@pytest.mark.parametrize("name", ["arena", "rook", "crow", "goat"])
def test_its_messages_are_those_of_the_protocol(name: str) -> None:
    copy = SOURCE / "sdk" / "proto" / "arena" / "v1" / f"{name}.proto"
    assert copy.read_bytes() == (ROOT / "protos" / "arena" / "v1" / f"{name}.proto").read_bytes()


@pytest.mark.parametrize(("number", "games"), [(0, ["crowsnest"]), (1, ["crow", "goat"])])
def test_the_bots_of_the_page_play(bot: Bot, number: int, games: list[str], tmp_path: Path) -> None:
    blocks = re.findall(r"^```cpp\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert len(blocks) == 2
    (tmp_path / "bot.cpp").write_text(blocks[number])
    shutil.copy(bot.folder / "bot.toml", tmp_path)
    relink(bot, tmp_path)
    for name in games:
        game = make(name)
        assert decisions(play(game, against(game, read_bot(tmp_path)))) != decisions(play(game, against(game, bot)))


def test_an_author_has_five_files_to_read_and_a_short_strategy() -> None:
    assert {path.name for path in SOURCE.iterdir() if path.is_file() and not path.name.startswith(".")} == {
        "README.md",
        "bot.toml",
        "bot.cpp",
        "bot_test.cpp",
        "CMakeLists.txt",
    }
    assert len((SOURCE / "bot.cpp").read_text().splitlines()) < MAX_STRATEGY_LINES


def relink(bot: Bot, folder: Path) -> None:
    """Make a folder's build/bot of its bot.cpp and all else that was built already."""
    build = bot.folder / "build"
    includes = [f"-I{SOURCE / 'sdk'}", f"-I{build / 'sdk' / 'generated'}"]
    strategy = str(folder / "bot.o")
    run(["g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", *includes, "-c", "bot.cpp", "-o", strategy], folder)
    (folder / "build").mkdir()
    changed = {"bot": str(folder / "build" / "bot"), "libstrategy.a": strategy}
    words = (build / "CMakeFiles" / "bot.dir" / "link.txt").read_text().split()
    run([changed.get(word, word) for word in words], build)


def decisions(played: list[StoredGame]) -> list[list[tuple[Any, ...]]]:
    """Who did what, and with which note, in every game."""
    return [
        [(move["seat"], move["move"], move.get("note", "")) for move in stored.result.transcript["moves"]]
        for stored in played
    ]


@asynccontextmanager
async def seat(kind: str) -> AsyncIterator[SeatServer]:
    """A server that waits for the bot."""
    with tempfile.TemporaryDirectory(prefix="t-") as folder:
        server = SeatServer(f"unix:{folder}/seat.sock" if kind == "unix" else f"127.0.0.1:{free_port()}", TOKEN, 4)
        await server.start()
        try:
            yield server
        finally:
            await server.stop()


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


async def start(bot: Bot, address: str) -> asyncio.subprocess.Process:
    variables = {**os.environ, "ARENA_ADDRESS": address, "ARENA_TOKEN": TOKEN, "ARENA_INSECURE": "1"}
    return await asyncio.create_subprocess_exec(
        *bot.command, cwd=bot.folder, env=variables, stderr=asyncio.subprocess.PIPE
    )


async def ended(process: asyncio.subprocess.Process) -> tuple[int | None, str]:
    """Exit status and stderr of a process that ends by itself."""
    try:
        _, said = await asyncio.wait_for(process.communicate(), DEADLINE_S)
    except TimeoutError:
        process.kill()
        await process.wait()
        raise
    return process.returncode, said.decode()
