"""What the file of a ladder may say, which bots it wants, and until when it is told to run."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from runner.ladders import HEAD

from arena.cli.tournaments.ladder import until_of
from arena.core.errors import ConfigError
from arena.runner.cup_file import load_cup
from arena.runner.wanted import Wanted, changes, label, wanted
from arena.store.values import BotState, Entrant, Registered


def write(folder: Path, text: str) -> Path:
    file = folder / "ladder.toml"
    file.write_text(text)
    return file


def test_the_file_of_an_open_ladder_needs_neither_bots_nor_boards(tmp_path: Path) -> None:
    cup = load_cup(write(tmp_path, 'name = "l"\ngame = "goat"\nformat = "ladder"\nopen = true\n'))
    assert (cup.bots, cup.boards, cup.open) == ((), 10, True)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('bots = []\nformat = "ladder"', "0 bots cannot fill"),
        ('bots = ["basic"]\nformat = "ladder"', "1 bots cannot fill"),
        ('bots = ["basic", "random"]\nboards = 2\nopen = true', "'open' says nothing in a round_robin"),
        ('bots = ["basic", "random"]\nformat = "ladder"\nrounds = 3', "'rounds' says nothing in a ladder"),
        ('bots = ["basic", "random"]\nformat = "ladder"\nopen = 1', "open"),
    ],
)
def test_what_a_ladder_file_cannot_say(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        load_cup(write(tmp_path, f'name = "l"\ngame = "goat"\n{text}\n'))


def test_bots_may_change_between_runs_of_a_ladder_and_nothing_else(tmp_path: Path) -> None:
    first = load_cup(write(tmp_path, f'bots = ["basic", "random"]\n{HEAD}'))
    second = load_cup(write(tmp_path, f'bots = ["basic", "cautious", "random"]\nopen = true\n{HEAD}'))
    assert second.differences(first.saved()) == []
    third = load_cup(write(tmp_path, f'bots = ["basic", "random"]\n{HEAD.replace("boards = 2", "boards = 3")}'))
    assert [str(each) for each in third.differences(first.saved())] == ["boards (2 -> 3)"]


def version(name: str, number: int, state: BotState = BotState.READY, games: tuple[str, ...] = ("*",)) -> Registered:
    return Registered(name, number, f"{name}{number}".ljust(64, "0"), {"games": list(games)}, "", state, datetime.min)


def numbers(found: list[Wanted]) -> list[list[str]]:
    return [[bot.name for bot in each.bots] or [f"{one.name}@{one.number}" for one in each.versions] for each in found]


def test_who_is_wanted(tmp_path: Path) -> None:
    from arena.bots.manifest import find_bot

    fox, owl = replace(find_bot("basic"), name="fox", number=2), replace(find_bot("basic"), name="owl", number=1)
    registry = [
        version("elk", 1, games=("goat",)), version("fox", 1), version("fox", 2), version("owl", 1),
        version("owl", 2), version("yak", 1), version("yak", 2, BotState.RETIRED),
    ]  # fmt: skip
    listed = (["basic", "fox", "owl@1"], [find_bot("basic"), fox, owl])
    closed = wanted(*listed, registry, "crowsnest", open=False)
    assert numbers(closed) == [["basic"], ["fox@2", "fox@1"], ["owl@1"]]
    assert numbers(wanted(*listed, registry, "crowsnest", open=True))[3:] == [["yak@1"]]
    assert numbers(wanted(*listed, registry, "goat", open=True))[3:] == [["elk@1"], ["yak@1"]]
    assert numbers(wanted(*listed, registry[4:], "crowsnest", open=False)) == [["basic"]]


def test_names_and_changes() -> None:
    from arena.bots.manifest import find_bot

    basic = find_bot("basic")
    assert label(replace(basic, name="fox", number=3), {}) == "fox@3"
    assert label(basic, {"basic": basic.version}) == "basic"
    assert label(basic, {"basic": "another"}) == f"basic@{basic.version[:8]}"
    there = [Entrant("fox@1", "1" * 64, "", until_round=4), Entrant("fox@2", "2" * 64, ""), Entrant("owl@1", "3", "")]
    assert changes(there, ["fox@1", "owl@1", "elk@1"]) == (("elk@1",), ("fox@1",), ("fox@2",))


NOW = datetime.fromisoformat("2026-12-01T17:30:15+01:00")


@pytest.mark.parametrize(
    ("text", "then"),
    [
        ("18:00", "2026-12-01T18:00:00+01:00"),
        ("7:05", "2026-12-02T07:05:00+01:00"),
        ("2026-12-24T18:00", "2026-12-24T18:00:00+01:00"),
        ("2026-12-24T18:00Z", "2026-12-24T18:00:00+00:00"),
    ],
)
def test_until_a_time_of_this_machine(text: str, then: str) -> None:
    assert until_of(text, NOW) == datetime.fromisoformat(then)


@pytest.mark.parametrize("text", ["24:00", "soon", "2026-11-30T18:00", ""])
def test_until_no_time(text: str) -> None:
    with pytest.raises(ConfigError, match="time") as error:
        until_of(text, NOW)
    assert error.value.where == "--until"
    assert until_of("17:31", NOW) - NOW < timedelta(minutes=1)
