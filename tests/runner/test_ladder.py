"""Ladders as they run: versions come, are replaced, leave and come back; rounds are played and awaited."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from runner.ladders import HEAD, Place

from arena.bots.sandbox.means import NONE
from arena.core.chance import round_secret
from arena.runner import tournament as running
from arena.runner.course import round_secrets, stored_schedule
from arena.runner.crew import Stop
from arena.runner.keeping.limits import Quotas
from arena.runner.plan import Progress
from arena.runner.sealing import open_boards, sealed_until
from arena.runner.standing import left_by, tables_of
from arena.store.bot_games import BotGames
from arena.store.values import State


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path, f"bots = []\nopen = true\n{HEAD}")
    yield made
    made.store.close()


def test_versions_come_are_replaced_leave_and_come_back(place: Place) -> None:
    for name in ("fox", "owl", "elk"):
        place.add(name)
    place.run(2)
    assert place.entrants() == {"elk@1": (1, None), "fox@1": (1, None), "owl@1": (1, None)}
    place.add("fox", "better")
    place.store.retire("elk")
    place.add("bat")
    place.run(2)
    assert place.entrants() == {
        "elk@1": (1, 2), "fox@1": (1, 2), "owl@1": (1, None), "bat@1": (3, None), "fox@2": (3, None),
    }  # fmt: skip
    place.add("elk")
    place.store.retire("fox", 2)
    place.run(1)
    assert place.entrants()["elk@1"] == (1, None)
    assert place.entrants()["fox@1"] == (1, None), "the version before is ready again"
    assert place.entrants()["fox@2"] == (3, 4)
    assert set(place.told[-2:]) == {"round 5: elk@1 joins", "round 5: fox@1 joins in place of fox@2"}
    assert "round 3: fox@2 joins in place of fox@1" in place.told
    assert "round 3: elk@1 leaves" in place.told
    by_round: dict[int, set[str]] = {}
    for row in place.rows():
        by_round.setdefault(row.key.round, set()).update(row.bots)
    assert all(names <= {"elk@1", "fox@1", "owl@1"} for number, names in by_round.items() if number < 3)
    assert by_round[3] | by_round[4] == {"bat@1", "fox@2", "owl@1"}
    fields = {each.number: each.field for each in place.store.rounds(place.tournament.id)}
    assert set(fields[3]) == {"owl@1", "bat@1", "fox@2"}
    table, _ = tables_of(place.store, place.tournament, resamples=0)
    assert [row.bot for row in table.standings][-1] == "fox@2", "who has left stands below"
    assert left_by(place.tournament) == {"fox@2": 4}


def test_a_bot_that_was_removed_plays_no_more_and_its_results_stay(place: Place) -> None:
    for name in ("owl", "fox", "elk"):
        place.add(name)
    place.run(2)
    before, _ = tables_of(place.store, place.tournament, resamples=0)
    place.store.remove("bot", "fox", "asked for")
    place.run(2)
    after, _ = tables_of(place.store, place.tournament, resamples=0)
    assert after.out == ()
    assert set(before.blocks) <= set(after.blocks)
    assert left_by(place.tournament) == {"fox@1": 2}
    assert [row.bot for row in after.standings][-1] == "fox@1", "who has left stands below"
    assert all("fox@1" not in row.bots for row in place.rows() if row.key.round > 2)


def test_who_cannot_be_made_ready_stays_out_and_the_older_version_plays_on(place: Place) -> None:
    place.add("owl")
    place.add("fox")
    place.run(1)
    broken = place.add("fox", "broken")
    shutil.rmtree(place.data / "bots" / broken.version)
    place.add("elk", games='["goat"]')
    place.run(2)
    assert place.entrants() == {"fox@1": (1, None), "owl@1": (1, None)}
    [said] = place.told
    assert said.startswith("fox@2 is left out: the kept copy of fox v2 is gone")


def test_bots_that_did_not_come_with_the_arena_wait_for_a_sandbox(place: Place) -> None:
    place.file.write_text(f'bots = ["basic", "random"]\nopen = true\n{HEAD}')
    place.add("fox")
    place.run(1, means=NONE, trusted=False)
    assert set(place.entrants()) == {"basic", "random"}
    assert "keep bots apart" in place.told[0]
    place.run(1, means=NONE)
    assert set(place.entrants()) == {"basic", "random", "fox@1"}


def test_a_run_that_was_stopped_goes_on_to_the_same_rows(place: Place, tmp_path: Path) -> None:
    other = Place(tmp_path / "other", place.file.read_text())
    for each in (place, other):
        for name in ("fox", "owl", "elk", "bat", "cat"):
            each.add(name)
    progress = place.run(6)
    assert (progress.complete, place.tournament.state) == (False, State.STOPPED)
    assert (progress.games, progress.round) == (6 * 2 * 2 * 2, 6)

    def press(now: Progress, stop: Stop) -> None:
        if now.games == 11:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        other.run(6, press)
    assert 0 < len(other.rows()) < 24
    closed = sum(each.closed is not None for each in other.store.rounds(other.tournament.id))
    other.run(6 - closed)
    assert other.rows() == place.rows()
    for _ in range(2):
        other.run(1)
    place.run(2)
    assert other.rows() == place.rows()
    other.store.close()


def test_it_waits_for_bots_without_turning_in_circles(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "LOOK_AGAIN_S", 0.05)
    place.add("fox")
    asked: Counter[str] = Counter()
    registered = place.store.registered
    monkeypatch.setattr(place.store, "registered", lambda *args: asked.update(["asked"]) or registered(*args))

    def report(now: Progress, _stop: Stop) -> None:
        if now.waiting:
            asked.update(["waited"])
            if asked["waited"] == 4:
                place.add("owl")

    progress = place.run(2, report)
    assert (progress.waiting, progress.games) == (False, 2 * 2 * 2)
    assert place.entrants() == {"fox@1": (1, None), "owl@1": (1, None)}
    assert asked["asked"] < 20
    assert [each.number for each in place.store.rounds(place.tournament.id)] == [1, 2]


def test_waiting_ends_when_told_to_stop(place: Place) -> None:
    progress = place.run(1, lambda now, stop: stop.press() if now.waiting and not stop.soft.is_set() else None)
    assert (progress.games, place.tournament.state) == (0, State.STOPPED)


def test_a_secret_is_published_when_its_round_is_closed(place: Place) -> None:
    for name in ("fox", "owl", "elk"):
        place.add(name)
    place.run(2)
    first, second, coming = round_secrets(place.store, place.tournament)
    assert first.secret == round_secret(place.tournament.secret, 1)
    assert sha256(second.secret or b"").hexdigest() == second.hash
    assert (coming.number, coming.secret) == (3, None)
    assert open_boards(place.store, place.tournament) == {1, 2, 3, 4}

    with pytest.raises(KeyboardInterrupt):
        place.run(1, lambda now, _stop: (_ for _ in ()).throw(KeyboardInterrupt) if now.games == 10 else None)
    assert len(place.rows()) >= 9
    assert [each.secret is None for each in round_secrets(place.store, place.tournament)] == [False, False, True]
    assert round_secrets(place.store, place.tournament)[2].hash == coming.hash
    assert sealed_until(place.store, place.tournament, 4) == ""
    assert sealed_until(place.store, place.tournament, 5) == "its round is closed"


def test_an_owner_whose_games_of_the_day_are_played_sits_out(place: Place) -> None:
    for name, owner in (("fox", "Ada"), ("owl", "Ada"), ("elk", "Bob"), ("bat", "Cid"), ("cat", "Dan")):
        place.add(name, owner=owner)
    place.run(12, lambda now, stop: stop.soft.set() if now.waiting else None, quotas=Quotas(games_per_day=16))
    fields = [set(each.field) for each in place.store.rounds(place.tournament.id)]
    assert {"fox@1", "owl@1"} <= fields[0]
    first = next(number for number, field in enumerate(fields) if "fox@1" not in field)
    assert "owl@1" not in fields[first], "the games of all bots of an owner count"
    assert any("bots of Ada sit out: 16 games a day are played" in said for said in place.told)
    assert place.tournament.state is State.STOPPED


def test_a_bot_that_its_owner_paused_sits_out_new_rounds_until_it_goes_on(place: Place) -> None:
    for name in ("fox", "owl", "elk"):
        place.add(name, owner="Ada")
    settings = BotGames(place.store.database)
    place.run(1)
    settings.pause("FOX", True)
    settings.publish_notes("fox", True)
    place.run(2)
    settings.pause("fox", False)
    place.run(1)
    fields = [set(each.field) for each in place.store.rounds(place.tournament.id)]
    assert fields == [{"fox@1", "owl@1", "elk@1"}, *[{"owl@1", "elk@1"}] * 2, {"fox@1", "owl@1", "elk@1"}]
    assert place.entrants()["fox@1"] == (1, None), "its place stays its own"
    assert sum("fox@1 sit out: paused by their owners" in said for said in place.told) == 1
    assert settings.settings() == {"fox": (True, False)}


def test_memory_and_time_are_flat_over_rounds(place: Place) -> None:
    for name in ("fox", "owl", "elk", "bat"):
        place.add(name)
    place.run(60)
    rounds = place.store.rounds(place.tournament.id)
    assert [each.number for each in rounds] == list(range(1, 61))
    assert {len(each.field) for each in rounds} == {4}
    assert stored_schedule(place.tournament).adaptive
    blocks = Counter(row.key.board for row in place.rows())
    assert set(blocks) == set(range(1, 121))
    assert set(blocks.values()) == {4}
