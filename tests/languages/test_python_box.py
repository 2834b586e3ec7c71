"""What a Python bot may import inside a box, and where programs of other runtimes are found."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest

from arena.bots.launcher import Exit, Launcher
from arena.bots.manifest import Bot, read_bot
from arena.bots.sandbox import runtimes, selftest
from arena.bots.sandbox.box import Bind
from arena.bots.sandbox.limits import BOT
from arena.bots.sandbox.means import Means
from arena.bots.sandbox.of_bot import box_of
from arena.core.errors import BotError
from arena.record.tiers import Tier

LIMIT_S = 60
THERE = ("numpy", "grpc", "grpc.aio", "google.protobuf", "typing_extensions", "arena_bot", "arena_bot.v1.arena_pb2")
NOT_THERE = ("arena", "sqlalchemy", "typer", "pyseccomp", "trueskill")
IMPORTS = f"""
import importlib, json
said = {{}}
for name in {THERE + NOT_THERE}:
    try:
        importlib.import_module(name)
        said[name] = ""
    except BaseException as error:
        said[name] = type(error).__name__
import numpy
assert (numpy.arange(4) @ numpy.ones(4)) == 6
print(json.dumps(said))
"""
pytestmark = pytest.mark.needs("bwrap")


def bot_of(folder: Path, command: list[str], program: str = "") -> Bot:
    folder.mkdir()
    (folder / "bot.toml").write_text(f'name = "fox"\ncommand = {json.dumps(command)}\n')
    (folder / "main.py").write_text(program)
    return read_bot(folder)


def run(bot: Bot, means: Means, seat: Path) -> Exit:
    """The bot in its box, without a seat that answers."""

    async def work() -> Exit:
        launcher = await Launcher.open(means)
        try:
            async with asyncio.timeout(LIMIT_S):
                return await (await launcher.start_box(box_of(bot, seat, "token", means, BOT), None)).exit
        finally:
            await launcher.close()

    seat.mkdir()
    return asyncio.run(work())


def check_imports(means: Means, tmp_path: Path) -> None:
    ending = run(bot_of(tmp_path / "fox", ["python3", "main.py"], IMPORTS), means, tmp_path / "seat")
    assert ending.code == 0, ending
    said = json.loads(ending.last_line)
    assert {name: said[name] for name in THERE} == dict.fromkeys(THERE, "")
    if sys.prefix != sys.base_prefix:  # what the machine's own Python has, bots see too
        assert [name for name in NOT_THERE if said[name] != "ModuleNotFoundError"] == []


def test_a_python_bot_has_its_packages_and_none_of_the_arena_s(tmp_path: Path) -> None:
    check_imports(next(selftest.candidates()), tmp_path)


@pytest.mark.long
@pytest.mark.needs("root")
@pytest.mark.parametrize("tier", [Tier.B, Tier.C])
def test_so_it_has_in_the_lower_tiers(tmp_path: Path, tier: Tier) -> None:
    check_imports(next(means for means in selftest.candidates() if means.tier is tier), tmp_path)


RUNTIME = '#!/bin/sh\necho "$1 by fox-run"\n'


def runtime(place: Path) -> Path:
    """An interpreter in a folder of its own."""
    (place / "bin").mkdir(parents=True)
    (place / "bin" / "fox-run").write_text(RUNTIME)
    (place / "bin" / "fox-run").chmod(0o755)
    return place


def test_a_runtime_elsewhere_is_named_by_a_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = runtime(tmp_path / "opt")
    bot = bot_of(tmp_path / "fox", ["fox-run", "main.py"])
    means = next(selftest.candidates())
    with pytest.raises(BotError, match="there is no 'fox-run' in the sandbox") as missing:
        run(bot, means, tmp_path / "seat")
    assert missing.value.code == "START_FAILED"
    assert runtimes.EXTRA in missing.value.fix
    monkeypatch.setenv(runtimes.EXTRA, f"/nowhere:{place}")
    ending = run(bot, means, tmp_path / "seat2")
    assert (ending.code, ending.last_line) == (0, "main.py by fox-run")


def test_a_link_that_leads_out_is_no_program(tmp_path: Path) -> None:
    place = runtime(tmp_path / "opt")
    (tmp_path / "links" / "bin").mkdir(parents=True)
    (tmp_path / "links" / "bin" / "fox-run").symlink_to(place / "bin" / "fox-run")
    links, whole = Bind(str(tmp_path / "links"), "/links"), Bind(str(place), "/opt/fox")
    path = f"{tmp_path}/links/bin:{place}/bin"
    assert not runtimes.is_inside("fox-run", tmp_path, path, (links,))
    assert runtimes.is_inside("fox-run", tmp_path, path, (links, whole))
    assert runtimes.is_inside("sh", tmp_path, "/usr/bin", ())
    assert not runtimes.is_inside("./fox", tmp_path, path, ())
