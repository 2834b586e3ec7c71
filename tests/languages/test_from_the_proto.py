"""The page for languages of one's own: a bot made from the .proto files and nothing of the arena's plays every game."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest
from languages.built import ROOT, run
from languages.playing import RULESETS, against, make, play

from arena.bots.manifest import Bot, find_bot

PAGE = (ROOT / "docs" / "write-a-bot-any-language.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    [found] = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    return str(found)


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Bot:
    folder = tmp_path_factory.mktemp("mybot")
    (folder / "protos").symlink_to(ROOT / "protos")
    (folder / "main.py").write_text(block("python"))
    (folder / "bot.toml").write_text(block("toml"))
    for line in block("sh").splitlines():
        command = shlex.split(line)
        run([sys.executable, "-m", "grpc_tools.protoc", *command[1:]] if command[0] == "protoc" else command, folder)
    (folder / "protos").unlink()
    return find_bot(str(folder))


@pytest.mark.needs("grpc_tools")
@pytest.mark.parametrize("rules", RULESETS)
def test_the_bot_of_the_page_plays_every_game(bot: Bot, rules: str) -> None:
    game = make(rules).single_deal()
    play(game, against(game, bot))


@pytest.mark.needs("grpc_tools")
def test_it_plays_several_games_at_once(bot: Bot) -> None:
    game = make("crow").single_deal()
    assert len(play(game, against(game, bot), 8)) == 8


def test_the_page_names_all_protos() -> None:
    protos: set[Path] = set((ROOT / "protos").rglob("*.proto"))
    assert {ROOT / word for word in shlex.split(block("sh")) if word.endswith(".proto")} == protos
