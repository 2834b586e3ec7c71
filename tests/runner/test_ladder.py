"""Ladders as they run: versions come, are replaced, leave and come back; rounds are played and awaited."""

from __future__ import annotations

import asyncio
import shutil
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from arena.bots.kept import keep
from arena.bots.manifest import read_bot
from arena.bots.sandbox.means import NONE
from arena.cli.tournaments.ladder import until_of
from arena.core.chance import round_secret
from arena.core.errors import ConfigError
from arena.record.results import GameKey, GameResult, Verdict
from arena.runner import tournament as running
from arena.runner.bout import BoutTask
from arena.runner.course import round_secrets, stored_schedule
from arena.runner.crew import Missing, Stop
from arena.runner.cup_file import load_cup
from arena.runner.keeping.limits import Quotas
from arena.runner.plan import Plan, Progress
from arena.runner.prepare import prepare
from arena.runner.roster import Roster
from arena.runner.sealing import open_boards, sealed_until
from arena.runner.standing import left_by, tables_of
from arena.runner.wanted import Wanted, changes, label, wanted
from arena.store.bot_games import BotGames
from arena.store.store import Store
from arena.store.values import BotState, Entrant, Registered, State, StoredGame, Tournament
from arena.tournament.schedule import keys_of

HEAD = 'name = "rungs"\ngame = "crowsnest"\nformat = "ladder"\nboards = 2\nseed = "s"\n[options]\nmax_hands = 1\n'


class Quick:
    """In the place of a crew: every game is over at once; who wins follows from names and board."""

    def __init__(self, *_: object) -> None:
        self.running = 0
        self.idle = True
        self.tasks: list[BoutTask] = []

    def put_again(self, task: BoutTask) -> None:
        raise AssertionError("nothing is void here")

    async def play(self, tasks: Iterator[BoutTask | None]) -> AsyncIterator[StoredGame | Missing]:
        for task in tasks:
            await asyncio.sleep(0)
            if task is None:
                return
            self.tasks.append(task)
            assert task.bots.keys() == set(task.bout.lineup)
            for key in keys_of(task.bout):
                if (key.board, key.seating) not in task.skip:
                    yield game_of(task, key)


def game_of(task: BoutTask, key: GameKey) -> StoredGame:
    sides = [task.bout.side(key.board, key.seating, side) for side in (0, 1)]
    points = [sha256(f"{name} {key.board}".encode()).digest()[0] for name in sides]
    ahead = points[0] > points[1]
    ranks = (0, 1, 0, 1) if ahead else (1, 0, 1, 0)
    scores = tuple(float(points[seat % 2]) for seat in range(4))
    result = GameResult(Verdict.FINISHED, scores, ranks, (0,) * 4, (), (), {"moves": []})  # type: ignore[arg-type]
    return StoredGame(key, (sides[0], sides[1]) * 2, result, "A", 1)


class Place:
    """An arena's folder with a ladder in it."""

    def __init__(self, folder: Path, text: str) -> None:
        self.data = folder / ".arena"
        self.data.mkdir(parents=True)
        self.store = Store.open(self.data)
        self.file = folder / "ladder.toml"
        self.file.write_text(text)
        self.told: list[str] = []

    def add(self, name: str, content: str = "", owner: str = "", games: str = '["*"]') -> Registered:
        """As `arena bot add`."""
        folder = self.data.parent / "bots" / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "bot.toml").write_text(f'name = "{name}"\ncommand = ["true"]\ngames = {games}\n')
        (folder / "main.py").write_text(f"# {content}\n")
        bot = keep(read_bot(folder), self.data / "bots")
        return self.store.register(bot.name, bot.version, bot.manifest, owner=owner)

    def plan(self, **given: Any) -> Plan:
        cup = load_cup(self.file, find=Roster(self.data).find)
        before = self.store.tournament(cup.name)
        differing = cup.differences(before.config) if before is not None else []
        return prepare(self.store, cup.settings(), self.data, differing, tell=self.told.append, **given)

    def run(
        self, rounds: int, report: Callable[[Progress, Stop], None] = lambda _now, _stop: None, **given: Any
    ) -> Progress:
        """Play so many further rounds."""
        plan = self.plan(**given)
        closed = sum(each.closed is not None for each in self.store.rounds(plan.tournament.id))

        async def main() -> Progress:
            stop = Stop()
            limited = replace(plan, last_round=closed + rounds)
            return await running.run_tournament(self.store, limited, 1, stop, lambda now: report(now, stop), Quick())

        return asyncio.run(main())

    @property
    def tournament(self) -> Tournament:
        found = self.store.tournament("rungs")
        assert found is not None
        return found

    def entrants(self) -> dict[str, tuple[int, int | None]]:
        return {each.name: (each.since_round, each.until_round) for each in self.tournament.entrants}

    def rows(self) -> list[Any]:
        return list(self.store.rows(self.tournament.id))


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


# What is read, and what is wanted


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
