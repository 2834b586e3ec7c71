"""The page for authors: its bots are played, its examples run, its numbers are true."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import arena_bot
import pytest
from arena_bot import Bot
from bots_python.loopback import ROOT, SDK
from bots_python.practice import RULESETS, Practice, Step

from arena.core.chance import board_seed
from arena.games import make

PAGE = (ROOT / "docs" / "write-a-bot-python.md").read_text()
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
PROGRAMS = [block for block in BLOCKS if "\nrun(" in block]
TEMPLATE = SDK / "template"


def bot_of(program: str, monkeypatch: pytest.MonkeyPatch) -> type[Bot]:
    """The bot that a program would run."""
    found: list[Any] = []
    monkeypatch.setattr(arena_bot, "run", found.append)
    exec(compile(program, "main.py", "exec"), {"__name__": "__main__"})
    (bot,) = found
    return bot


def test_the_first_bot_has_fewer_than_twenty_lines() -> None:
    assert len([line for line in PROGRAMS[0].splitlines() if line.strip()]) < 20
    assert len(PROGRAMS) == 5


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize("program", [*PROGRAMS, (TEMPLATE / "main.py").read_text()], ids=range(6))
def test_every_bot_of_the_page_plays_every_game(program: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = bot_of(program, monkeypatch)
    game_id, options = RULESETS[name]
    game = make(game_id, options).single_deal()
    for board in range(3):
        steps: list[Step] = []
        Practice(game).play(board_seed(b"page", name, "", board), [bot] * game.seats, steps)
        assert steps
        assert all(step.legal for step in steps)


def test_other_examples_run() -> None:
    examples = [block for block in BLOCKS if block not in PROGRAMS]
    assert len(examples) == 1
    for block in examples:
        exec(compile(block, "example.py", "exec"), {"__name__": "example"})


def test_the_manifest_of_the_page_is_the_template_s() -> None:
    (block,) = re.findall(r"^```toml\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert tomllib.loads(block) == tomllib.loads((TEMPLATE / "bot.toml").read_text())


def test_the_template_is_short() -> None:
    assert sorted(path.name for path in TEMPLATE.iterdir() if path.is_file()) == ["bot.toml", "main.py"]
    code = [line for line in (TEMPLATE / "main.py").read_text().splitlines() if line.strip()]
    assert len(code) < 20


def test_the_page_names_what_the_sdk_has() -> None:
    for name in re.findall(r"`turn\.(\w+)", PAGE):
        kinds = (arena_bot.Turn, arena_bot.RookTurn, arena_bot.CrowTurn, arena_bot.GoatTurn)
        assert any(hasattr(kind, name) for kind in kinds), name
    for name in re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE):
        assert hasattr(Bot, name), name
    assert Path(arena_bot.__file__).parent.parent == SDK
