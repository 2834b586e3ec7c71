"""Logs by their names: whose they are, of which games, and that a block played again writes to its own."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

from laws.rulesets import game_of
from runner.bouts import GAME, house, task

from arena.bots.manifest import read_bot
from arena.runner.bout import Generation, Listener
from arena.runner.outputs import logs_of, of_turn, turns_of
from arena.runner.single import Single, play_single

SAYS = """
from arena_bot import Bot, run


class Fox(Bot):
    def any_move(self, turn):
        print("says", turn.number, flush=True)
        return super().any_move(turn)


run(Fox)
"""


def test_logs_are_found_by_their_names(tmp_path: Path) -> None:
    folder = tmp_path / "spring"
    folder.mkdir()
    for name in (
        "fox-r1-t2-g1-2-3.log",
        "fox-r1-t2-g2-1-b7-a2-1.log",
        "fox-2-r1-t2-g1-1-1.log",
        "fox-r1-t2-g1-1-b7-1.log",
        "fox-r1.log",
    ):
        (folder / name).write_text(name)
    found = {
        log.file.name: (log.round, log.table, log.seating, log.process, log.start) for log in logs_of(tmp_path, "fox")
    }
    assert found == {"fox-r1-t2-g1-2-3.log": (1, 2, 1, 2, 3), "fox-r1-t2-g2-1-b7-a2-1.log": (1, 2, 2, 1, 1)}


def test_what_a_bot_writes_is_marked_with_its_turns_and_silent_bots_have_no_log(tmp_path: Path) -> None:
    folder = tmp_path / "fox"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "fox"\ncommand = ["python3", "main.py"]\n')
    (folder / "main.py").write_text(SAYS)
    game = game_of("crowsnest").single_deal()
    bots = (read_bot(folder), house("basic"))
    (tmp_path / "play").mkdir()
    (played,) = asyncio.run(play_single(Single(game, bots, bytes(32), logs=tmp_path / "play")))
    moves = played.result.transcript["moves"]
    logs = sorted(logs_of(tmp_path, "fox"), key=lambda log: log.process)
    assert [log.process for log in logs] == [1, 2]
    for log, seat in zip(logs, (0, 2), strict=True):
        turns = [number for number, move in enumerate(moves) if move["seat"] == seat]
        said = [(turn, line) for turn, line in turns_of(log.text().splitlines()) if line.startswith("says ")]
        assert said == [(turn, f"says {turn}") for turn in turns]
        assert of_turn(log.text(), turns[2]) == f"[turn {turns[2]}]\nsays {turns[2]}\n"
    assert not any("[turn" in log.text() for log in logs_of(tmp_path, "basic"))


def test_a_block_that_is_played_again_has_logs_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "spring").mkdir()
    first = task({"basic": house("basic"), "random": house("random")}, 1)
    nobody: Any = None
    for attempt in (1, 2, 3):
        generation = Generation(replace(first, attempt=attempt), GAME, nobody, 0, Listener(print), nobody)
        (tmp_path / "spring" / f"{generation.process_name('basic', 1)}-1.log").touch()
    assert {log.file.stem for log in logs_of(tmp_path, "basic")} == {
        "basic-r1-t1-g1-2-1",
        "basic-r1-t1-g1-2-b1-a2-1",
        "basic-r1-t1-g1-2-b1-a3-1",
    }


def test_output_of_versions_belongs_to_the_bot_and_to_each_version(tmp_path: Path) -> None:
    folder = tmp_path / "rungs"
    folder.mkdir()
    for name in ("fox@3", "fox@12", "fox", "fox@9c1e42ab", "foxy@3"):
        (folder / f"{name}-r2-t1-g1-1-1.log").write_text(name)
    assert sorted(log.text() for log in logs_of(tmp_path, "fox")) == ["fox", "fox@12", "fox@3", "fox@9c1e42ab"]
    assert [log.text() for log in logs_of(tmp_path, "fox@3")] == ["fox@3"]
