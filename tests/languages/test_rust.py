"""The Rust template: its own tests, real games of every ruleset, the strategy of The Crow and the Pitcher."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import socket
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from languages.built import CACHE, ROOT, TEMPLATES, VECTORS, built, run, steps
from languages.playing import RULESETS, against, alone, make, moves, play

from arena.bots.manifest import Bot, read_bot
from arena.wire.server import SeatServer

pytestmark = [pytest.mark.needs("cargo"), pytest.mark.xdist_group("rust")]
SOURCE = TEMPLATES / "rust"
TOKEN = "correct-horse"
DEADLINE_S = 60
PROTOS = ROOT / "protos"
PAGE = ROOT / "docs" / "write-a-bot-rust.md"
FILES = ("arena", "crow", "goat", "rook")


@pytest.fixture(scope="module")
def bot() -> Bot:
    return built("rust")


@pytest.fixture(scope="module")
def copy(bot: Bot, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built bot, to work in."""
    folder = tmp_path_factory.mktemp("rust") / "bot"
    shutil.copytree(bot.folder, folder, ignore=shutil.ignore_patterns("target"))
    return folder


def test_its_own_tests_pass_and_read_the_vectors(copy: Path) -> None:
    said = cargo(copy, "test", "--workspace", "--", "--nocapture", vectors=str(VECTORS))
    assert f"{len(VECTORS.read_text().splitlines())} frames were read" in said


def test_without_vectors_only_their_test_passes_over_them(copy: Path) -> None:
    assert "no vectors were read" in cargo(copy, "test", "-p", "arena_bot", "--test", "vectors", "--", "--nocapture")


def test_a_change_of_one_line_takes_effect(bot: Bot, copy: Path) -> None:
    main = copy / "src" / "main.rs"
    text = main.read_text()
    main.write_text(text.replace("(0..cards.len()).max_by_key", "(0..cards.len()).min_by_key"))
    assert main.read_text() != text
    install(copy)
    game = make("crow")
    assert moves(play(game, against(game, read_bot(copy)))) != moves(play(game, against(game, bot)))


def test_the_bots_of_the_documentation_play(copy: Path) -> None:
    """The manifest of the page is the template's under another name."""
    text = PAGE.read_text()
    [said] = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    assert said.replace("mybot", "rust") == (SOURCE / "bot.toml").read_text()
    found = re.findall(r"```rust\n(.*?)```", text, re.DOTALL)
    (copy / "src" / "bin").mkdir()
    for number, code in enumerate(found):
        (copy / "src" / "bin" / f"doc{number}.rs").write_text(code)
    assert "generated" not in install(copy), "no warnings were expected"
    for number in range(len(found)):
        bot = replace(read_bot(copy), command=(f"./bin/doc{number}",))
        for name in ("crowsnest", "crow", "goat"):
            game = make(name).single_deal()
            play(game, against(game, bot, "random"))


@pytest.mark.parametrize("name", RULESETS)
def test_it_plays_every_ruleset(bot: Bot, name: str) -> None:
    game = make(name)
    [stored] = play(game, against(game, bot))
    assert stored.result.scores


def test_the_same_seed_gives_the_same_moves_alone_and_among_others(bot: Bot) -> None:
    game = make("crow")
    together = play(game, against(game, alone(bot, "rust"), "random"), boards=3)
    again = play(game, against(game, bot, "random"), boards=3)
    assert moves(together) == moves(again)


def test_its_strategy_beats_random_play(bot: Bot) -> None:
    for name in ("crow", "crow-three"):
        game = make(name)
        played = play(game, against(game, bot, "random"), boards=12)
        totals = [sum(stored.result.scores[seat] for stored in played) for seat in range(game.seats)]
        assert totals[0] == max(totals)
        first = sum(stored.result.ranks[0] == 0 for stored in played)
        assert first >= 8, totals


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
        assert said.startswith('cannot connect to the arena at "unix:/nowhere/seat.sock": ')
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


def test_its_generated_code_is_that_of_the_protocol() -> None:
    total = 0xCBF29CE484222325
    for name in FILES:
        for byte in (PROTOS / "arena" / "v1" / f"{name}.proto").read_bytes():
            total = (total ^ byte) * 0x100000001B3 % 2**64
    head = (SOURCE / "sdk" / "src" / "v1.rs").read_text().splitlines()[1]
    assert head == f"// FNV-1a of the .proto files: {total:016x}", "run sdk/generate"


@pytest.mark.long
def test_generating_it_again_gives_the_same_code(tmp_path: Path) -> None:
    folder = SOURCE / "sdk" / "generate"
    variables = {"CARGO_TARGET_DIR": str(CACHE / "rust-generate")}
    run(["cargo", "run", "--locked", "--quiet", "--", str(PROTOS), str(tmp_path / "v1.rs")], folder, variables)
    assert (tmp_path / "v1.rs").read_bytes() == (SOURCE / "sdk" / "src" / "v1.rs").read_bytes()


@pytest.mark.needs("rustfmt")
def test_it_is_formatted(copy: Path) -> None:
    run(["cargo", "fmt", "--all", "--check"], copy)


def test_it_names_no_registry_and_no_path_of_a_machine() -> None:
    for path in SOURCE.rglob("Cargo.lock"):
        sources = {line for line in path.read_text().splitlines() if line.startswith("source = ")}
        assert sources == {'source = "registry+https://github.com/rust-lang/crates.io-index"'}


def cargo(folder: Path, *arguments: str, vectors: str | None = None) -> str:
    """Run cargo in the copy; returns what was printed."""
    variables = {"ARENA_VECTORS": vectors} if vectors is not None else {}
    first, *others = arguments
    return run(["cargo", first, "--release", "--locked", "--quiet", *others], folder, variables)


def install(folder: Path) -> str:
    """Run the steps of bot.toml; returns what was printed."""
    return "".join([run(step, folder) for step in steps(SOURCE)])


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
