"""Bots that an organiser takes out while an event is played, and versions that come after a freeze."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from runner.ladders import HEAD, Place

from arena.cli.standings import notes
from arena.core.errors import BotError
from arena.rating import table_to_data
from arena.runner import rounds
from arena.runner.crew import Stop
from arena.runner.cup_file import load_cup
from arena.runner.frozen import Find, with_frozen
from arena.runner.past import At
from arena.runner.plan import Progress
from arena.runner.prepare import Settings, prepare
from arena.runner.roster import Roster
from arena.runner.standing import disabled_in, left_out, tables_of
from arena.store.freezes import Freezes
from arena.store.site_settings import SiteSettings

NOW = datetime.now(UTC)
FAR = NOW + timedelta(days=9)
CUP = 'name = "rungs"\ngame = "crowsnest"\nboards = 2\nseed = "s"\nbots = [{}]\n[options]\nmax_hands = 1\n'


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    monkeypatch.setattr(rounds, "LOOK_S", 0.0)
    made = Place(tmp_path, f"bots = []\nopen = true\n{HEAD}")
    yield made
    made.store.close()


def fields(place: Place) -> list[set[str]]:
    return [set(each.field) for each in place.store.rounds(place.tournament.id)]


def test_a_disabled_bot_leaves_a_running_ladder_with_all_versions_and_comes_back(place: Place) -> None:
    for name in ("fox", "owl", "elk"):
        place.add(name)

    def report(now: Progress, _stop: Stop) -> None:
        if now.round == 2 and not disabled_in(place.store, place.tournament):
            place.store.disable(place.tournament.id, ["fox@1"], "it stalls")
            place.add("fox", "better")

    place.run(4, report)
    assert fields(place)[0] == {"fox@1", "owl@1", "elk@1"}
    assert fields(place)[2:] == [{"owl@1", "elk@1"}] * 2
    made, _ = tables_of(place.store, place.tournament, resamples=0)
    assert made.out == ()
    assert "fox@1" in {row.bot for row in made.standings}, "its results stay"
    [out] = disabled_in(place.store, place.tournament)
    assert (out.bot, out.reason) == ("fox@1", "since round 2: it stalls")
    place.store.lift(place.tournament.id, "fox@1", "mended", disabled=True)
    place.run(1)
    assert fields(place)[-1] == {"fox@2", "owl@1", "elk@1"}


def test_a_disabled_bot_plays_no_bout_of_a_round_that_was_not_begun(tmp_path: Path, place: Place) -> None:
    names = ("fox", "owl", "elk", "bat")
    for name in names:
        place.add(name)
    place.file.write_text(CUP.format(", ".join(f'"{name}"' for name in names)))
    gone: list[int] = []

    def report(now: Progress, _stop: Stop) -> None:
        if now.games >= 4 and not gone:
            place.store.disable(place.tournament.id, ["fox"], "it stalls")
            gone.append(sum("fox" in row.bots for row in place.rows()))

    reached = place.run(1, report)
    played = sum("fox" in row.bots for row in place.rows())
    assert played <= gone[0] + 4, "what was being played ends"
    assert 0 < played < 12
    assert (reached.games, reached.left_out, reached.missing) == (12 + played, 12 - played, 0)
    assert left_out(place.store, place.tournament).games == 12 - played
    assert "fox" in {row.bot for row in tables_of(place.store, place.tournament, resamples=0)[0].standings}
    place.store.lift(place.tournament.id, "fox", "mended", disabled=True)
    assert place.run(1).games == 24


def test_a_ladder_has_the_versions_that_were_sent_before_its_freeze(place: Place) -> None:
    freezes = Freezes(place.store.database)
    for name in ("fox", "owl"):
        place.add(name)
    place.run(1)
    freezes.set("rungs", datetime.now(UTC))
    place.add("fox", "late")
    place.add("elk")
    place.run(1)
    assert fields(place)[-1] == {"fox@1", "owl@1"}
    place.file.write_text(f'bots = ["fox@2"]\nopen = true\n{HEAD}')
    place.run(1)
    assert fields(place)[-1] == {"fox@2", "owl@1"}, "who names a version means it"
    place.file.write_text(f"bots = []\nopen = true\n{HEAD}")
    freezes.set("rungs", FAR)
    place.run(1)
    assert fields(place)[-1] == {"fox@2", "owl@1", "elk@1"}


def test_the_names_of_a_file_mean_what_was_sent_in_time_and_later_what_entered(place: Place) -> None:
    roster = Roster(place.data)
    find = with_frozen(roster.find, roster, place.file, place.data)
    place.file.write_text(CUP.format('"fox", "basic"'))
    place.add("fox")
    freezes = Freezes(place.store.database)
    freezes.set("rungs", datetime.now(UTC))
    place.add("fox", "late")
    place.add("elk")
    assert [find(name, None).number for name in ("fox", "FOX", "fox@2")] == [1, 1, 2]
    assert find("basic", None).house
    with pytest.raises(BotError, match="no version of elk was sent before the freeze") as none:
        find("elk", None)
    assert (none.value.code, "elk@1" in none.value.fix) == ("NO_BOT", True)
    freezes.set("rungs", None)
    assert find("fox", None).number == 2
    SiteSettings(place.store.database).set("deadline", "2020-01-01T00:00")
    with pytest.raises(BotError, match="no version of fox"):
        find("fox", None)
    SiteSettings(place.store.database).set("deadline", "")
    prepare(place.store, place_settings(place, find), place.data)
    place.add("fox", "still later")
    assert find("fox", None).number == 2, "it entered"
    prepare(place.store, place_settings(place, find), place.data)
    place.file.write_text(f'bots = ["fox"]\n{HEAD}'.replace("rungs", "other"))
    assert find("fox", None).number == 3, "a ladder decides before each round"


def place_settings(place: Place, find: Find) -> Settings:
    return load_cup(place.file, find=find).settings()


def test_the_table_of_a_terminal_says_who_is_disabled_and_why(place: Place) -> None:
    for name in ("fox", "owl"):
        place.add(name)
    place.run(1)
    place.store.disable(place.tournament.id, ["fox@1"], "it stalls")
    made, _ = tables_of(place.store, place.tournament, resamples=0)
    assert "disabled by an organiser, its blocks count: fox@1 (since round 2: it stalls)" in notes(made)
    [out] = place.store.quarantines(place.tournament.id, active=True)
    at = out.at.strftime("%Y-%m-%dT%H:%M:%SZ")
    assert table_to_data(made)["disabled"] == [{"bot": "fox@1", "reason": "since round 2: it stalls", "at": at}]
    past, _ = tables_of(place.store, place.tournament, resamples=0, at=At(round=1))
    assert table_to_data(past)["disabled"] == []
