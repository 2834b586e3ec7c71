"""The first bot and the cup of the README work as printed."""

import asyncio
import re
from pathlib import Path

from arena.bots.manifest import find_bot
from arena.games import make
from arena.record.results import Verdict
from arena.runner.cup_file import load_cup
from arena.runner.single import Single, play_single, seat_bots

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def block(language: str, start: str) -> str:
    found = re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
    return next(text for text in found if text.startswith(start))


def write_fox(folder: Path) -> Path:
    fox = folder / "bots" / "fox"
    fox.mkdir(parents=True)
    (fox / "bot.toml").write_text(block("toml", 'name = "fox"'))
    (fox / "main.py").write_text(block("python", "from arena_bot"))
    return fox


def test_the_first_bot_plays_whole_matches_without_a_fault(tmp_path: Path) -> None:
    game = make("crowsnest")
    bots = seat_bots(game, [find_bot(str(write_fox(tmp_path))), find_bot("basic")])
    played = asyncio.run(play_single(Single(game, bots, secret=bytes(32), boards=3)))
    assert [(each.result.verdict, each.result.faults) for each in played] == [(Verdict.FINISHED, ())] * 3


def test_the_first_bot_has_under_twenty_lines() -> None:
    assert len([line for line in block("python", "from arena_bot").splitlines() if line.strip()]) < 20


def test_the_cup_of_the_readme_can_be_read(tmp_path: Path) -> None:
    write_fox(tmp_path)
    (tmp_path / "cup.toml").write_text(block("toml", 'name = "spring"'))
    cup = load_cup(tmp_path / "cup.toml")
    assert (cup.boards, len(cup.bots)) == (25, 5)
