"""Events of several games: their files, names and secret; stopped in the first game, all are played in the end."""

from __future__ import annotations

from pathlib import Path

import pytest
from runner import small_event

from arena.core.errors import ConfigError
from arena.runner.cup_file import load_cup, load_cups
from arena.runner.series import is_published, members_of
from arena.store.store import Store

HEAD = 'name = "spring"\ngames = ["crowsnest", "goat"]\nboards = 1\nbots = ["random", "basic"]\n'
TAIL = "[options.goat]\nmax_deals = 6\n"


def test_a_file_of_several_games_is_one_tournament_for_each(tmp_path: Path) -> None:
    file = small_event.write(tmp_path, HEAD, TAIL)
    crowsnest, goat = load_cups(file)
    assert [(cup.name, cup.game, cup.series) for cup in (crowsnest, goat)] == [
        ("spring-crowsnest", "crowsnest", "spring"),
        ("spring-goat", "goat", "spring"),
    ]
    assert goat.options["max_deals"] == 6
    assert "series" not in goat.saved()
    with pytest.raises(ConfigError, match="a file of several games, where one is needed") as caught:
        load_cup(file)
    assert "cup.toml:2" in caught.value.where
    file.write_text('name = "one"\ngame = "goat"\nboards = 1\nbots = ["random", "basic"]\n')
    assert [cup.series for cup in load_cups(file)] == [""]


@pytest.mark.parametrize(
    ("head", "tail", "line", "message"),
    [
        (HEAD.replace('["crowsnest", "goat"]', '["goat"]'), "", 2, r"games cannot be \['goat'\]"),
        (HEAD.replace('"goat"]', '"crowsnest"]'), "", 2, "game 'crowsnest' is named twice"),
        (HEAD.replace('"goat"]', '"chess"]'), "", 2, "chess"),
        (HEAD + 'game = "goat"\n', "", 5, "either game or games"),
        (HEAD.replace("spring", "s" * 40), "", 1, "is too long: its members are called like s+-crowsnest"),
        (HEAD.replace("spring", "s p"), "", 1, "name cannot be"),
        (HEAD, "[options]\nmax_deals = 6\n", 10, "unknown key 'max_deals' in .options."),
        (HEAD, "[options.goat]\nmax_deal = 6\n", 10, "max_deal"),
        (HEAD + 'format = "ladder"\n', "", 2, "a ladder never ends"),
        (HEAD + "round = 3\n", "", 5, "unknown key 'round'"),
    ],
)
def test_what_is_wrong_with_it_is_named_with_its_line(
    tmp_path: Path, head: str, tail: str, line: int, message: str
) -> None:
    file = small_event.write(tmp_path, head, tail)
    with pytest.raises(ConfigError, match=message) as caught:
        load_cups(file)
    assert f"cup.toml:{line}" in caught.value.where


def test_names_that_stand_for_something_else_are_refused(tmp_path: Path) -> None:
    one = 'name = "{}"\ngame = "goat"\nboards = 1\nbots = ["random", "basic"]\n'
    for taken, message in (("spring", "'spring' is taken"), ("spring-goat", "'spring-goat' is taken")):
        with Store.open(tmp_path / taken) as store:
            cups = load_cups(small_event.write(tmp_path, one.format(taken)))
            small_event.prepare(store, cups[0].settings(), tmp_path / taken)
            with pytest.raises(ConfigError, match=message) as caught:
                small_event.play(store, small_event.write(tmp_path, HEAD), tmp_path / taken)
            assert caught.value.code == "NAME_TAKEN"


def test_all_games_are_played_with_one_secret_which_is_published_behind_the_last(tmp_path: Path) -> None:
    data, file = tmp_path / ".arena", small_event.write(tmp_path, HEAD)
    with Store.open(data) as store:
        [stopped] = small_event.play(store, file, data, stop_after=1, workers=1)
        assert not stopped.complete
        assert [each.state.value for each in members_of(store, "spring")] == ["stopped", "waiting"]
        first, second = small_event.play(store, file, data)
        assert (first.complete, second.complete, second.games) == (True, True, 2)
        crowsnest, goat = members_of(store, "spring")
        assert crowsnest.secret == goat.secret
        assert is_published(store, crowsnest)
        with pytest.raises(ConfigError, match="'spring' is taken: it is a series"):
            small_event.play(
                store, small_event.write(tmp_path, HEAD.replace('games = ["crowsnest", "goat"]', 'game = "goat"')), data
            )
        more = HEAD.replace('"goat"]', '"goat", "one_high"]')
        with pytest.raises(ConfigError, match="was begun with other games: crowsnest, goat") as caught:
            small_event.play(store, small_event.write(tmp_path, more), data)
        assert caught.value.code == "CHANGED"


def test_the_secret_of_a_finished_member_stays_secret_while_another_is_to_be_played(tmp_path: Path) -> None:
    data, file = tmp_path / ".arena", small_event.write(tmp_path, HEAD)
    with Store.open(data) as store:
        for cup in load_cups(file):
            small_event.prepare(store, cup.settings(), data)
        crowsnest, goat = members_of(store, "spring")
        store.set_state(crowsnest.id, small_event.FINISHED)
        crowsnest, goat = members_of(store, "spring")
        assert not is_published(store, crowsnest)
        store.set_state(goat.id, small_event.FINISHED)
        crowsnest, goat = members_of(store, "spring")
        assert is_published(store, crowsnest)
        assert is_published(store, goat)
