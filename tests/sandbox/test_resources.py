"""Bots that take more than their share, in boxes: what it costs them, and that it costs nobody else."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from bots_faulty.greed import NASTY
from cli.terminal import piped
from runner.bouts import FOLDER
from sandbox.rows import GAME, Played, Row, best, check, play, row

from arena.bots.output import KEEP
from arena.cli.failure import one_line

pytestmark = [
    pytest.mark.needs("bwrap"),
    pytest.mark.needs("root"),
    pytest.mark.xdist_group("test_resources"),
    pytest.mark.timed,
]

FATAL = {
    "memory": row("greed.memory", "MEMORY", 2.0),
    "memory of children": row("greed.memory_of_children", "MEMORY", 2.0),
    "memory files": row("greed.shared_memory", "MEMORY", 2.0, boards=2),
    "fork bomb": row("greed.forks_and_dies", "PIDS", 2.0, also="DISCONNECT", boards=2),
    "threads": row("greed.threads", "PIDS", 2.0, boards=2),
}
OUTPUT_MIB = 1000
QUIET = {
    "2": "greed.forks",
    "3": "greed.disk",
    "4": "greed.inodes",
    "5": "greed.sparse",
    "6": "greed.deep",
    "7": "greed.arguments",
    "8": "greed.output",
    "9": "greed.nasty",
    "10": "greed.spins",
    "11": "greed.hides",
}
"""Game -> what the bot tries in it and survives."""
BOARDS = 1 + len(QUIET)


@pytest.mark.parametrize("name", FATAL)
def test_a_bot_that_takes_too_much_forfeits(name: str) -> None:
    wanted: Row = FATAL[name]
    check(wanted, play(wanted))


@pytest.fixture(scope="module")
def greedy() -> Played:
    told = {"output_mib": OUTPUT_MIB}
    plan = {game: [f"do:{what}", 1] for game, what in QUIET.items()}
    played = play(Row(plan, boards=BOARDS, told=told))
    check(Row(plan, boards=BOARDS), played)
    return played


def test_what_stays_within_the_limits_costs_nothing(greedy: Played) -> None:
    """Every attempt came to its end and got nothing, every game is the same as with an honest bot."""
    assert greedy.tried == len(QUIET)
    assert greedy.found == []


def test_output_is_kept_from_both_ends_and_never_blocks(greedy: Played) -> None:
    [ending] = greedy.exits
    [kept] = [log for name, log in greedy.raw.items() if name.startswith("hostile")]
    assert b"the first words" in kept[:KEEP]
    assert b"the last words" in kept[-KEEP:]
    left_out = f"\n[{ending.left_out} bytes left out]\n".encode()
    assert left_out in kept
    assert 2 * KEEP <= len(kept) - len(left_out) <= 2 * KEEP + 64 * 1024
    assert OUTPUT_MIB * 2**20 <= ending.left_out + len(kept) <= (OUTPUT_MIB + 1) * 2**20


def test_bytes_that_are_no_text_are_kept_as_they_are_and_shown_escaped(greedy: Played) -> None:
    [kept] = [log for name, log in greedy.raw.items() if name.startswith("hostile")]
    assert NASTY in kept
    assert one_line(NASTY.decode("utf-8", "replace")).isprintable()


def test_the_command_for_logs_shows_them_escaped(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "nasty", ignore=shutil.ignore_patterns("__pycache__"))
    plan = json.dumps({"1": ["do:greed.nasty", 1]})
    (tmp_path / "nasty" / "bot.toml").write_text(
        f'name = "nasty"\ngames = ["*"]\ncommand = ["python3", "main.py", {json.dumps(plan)}]\n'
    )
    played = piped("play", GAME.id, "./nasty", "random", "random", "--option", "players=3", folder=tmp_path)
    assert played.status == 0, played.stderr
    shown = piped("bot", "logs", "nasty", folder=tmp_path).stdout
    assert r"\x1b[31mred" in shown
    assert "</script>" in shown, "no terminal minds it"
    assert all(letter == "\n" or letter.isprintable() for letter in shown)


def test_the_whole_tree_gets_one_processor(greedy: Played) -> None:
    """Twice as many burning processes as processors, with the highest priority."""
    if best().groups:
        [ending] = greedy.exits
        assert ending.cpu_s <= 1.1 * greedy.took_s
