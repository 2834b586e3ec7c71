"""The tournament files of the docs are read as they stand, and make the schedule that the text tells of."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arena.runner.course import schedule_for
from arena.runner.cup_file import load_cups
from arena.tournament.gauntlet import Gauntlet
from arena.tournament.knockout import Knockout
from arena.tournament.swiss import Swiss

PAGE = (Path(__file__).parents[2] / "docs" / "tournaments.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^### ([^\n]+)\n\n```toml\n(.*?)```", PAGE, re.MULTILINE | re.DOTALL))
MADE = {"Gauntlet": Gauntlet, "Swiss": Swiss, "Knockout": Knockout}


@pytest.mark.parametrize("section", ["Gauntlet", "Swiss", "Knockout", "Several games"])
def test_an_example_can_be_played(section: str, tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(SECTIONS[section], encoding="utf-8")
    cups = load_cups(file)
    assert [cup.series for cup in cups] == (["decathlon"] * 2 if section == "Several games" else [""])
    for cup in cups:
        names = tuple(bot.name for bot in cup.find_bots())
        schedule = schedule_for(cup.make_game(), names, cup.saved(), b"")
        assert isinstance(schedule, MADE.get(section, object))
        assert schedule.totals().games > 0
