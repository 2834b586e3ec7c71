"""How a stored tournament stands: who is out, what that leaves out, on which tiers it was played, its voids."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from arena.bots.sandbox.means import NONE, Means
from arena.core.errors import ConfigError
from arena.games import make
from arena.record.results import GameKey, GameResult, Verdict
from arena.record.tiers import Tier, holds
from arena.runner.cup_file import load_cup
from arena.runner.prepare import prepare
from arena.runner.standing import MANY_VOIDS, LeftOut, left_out, out_of, tables_of, tiers_of, voids_of
from arena.store.store import Store
from arena.store.values import Entrant, NewTournament, State, StoredGame, Tournament, Void, VoidInfo
from arena.tournament.quarantine import Quarantine
from arena.tournament.schedule import keys_of

GAME = make("crowsnest", {"max_hands": 1})
CONFIG = {
    "boards": 60,
    "board_plan": "shared",
    "unit": "deal",
    "clock": {"bank": 10.0, "increment": 0.1, "cap": 5.0},
}
"""Sixty boards: three rounds of twenty, in each three tables of forty games."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / ".arena") as opened:
        yield opened


@pytest.fixture
def cup(store: Store) -> Tournament:
    sources = {"basic": "house:basic", "fox": "registered:fox@1", "owl": "bots/owl"}
    entrants = tuple(Entrant(name, name[0] * 64, source) for name, source in sources.items())
    return store.create_tournament(
        NewTournament("cup", GAME.id, GAME.version, GAME.describe(), CONFIG, bytes(32), entrants)
    )


def play(store: Store, cup: Tournament, boards: int, tier: str = "A", lineup: frozenset[str] = frozenset()) -> None:
    """Store all games on the first boards (of one pair, if told), with a score that is no tie."""
    from arena.runner.course import stored_schedule

    played = []
    for bout in stored_schedule(cup).round(1):
        if lineup and set(bout.lineup) != lineup:
            continue
        for key in keys_of(bout):
            if key.board <= boards:
                bots = tuple(bout.side(key.board, key.seating, seat % 2) for seat in range(4))
                result = GameResult(Verdict.FINISHED, (10, -10) * 2, (0, 1) * 2, (0,) * 4, (), (), {"moves": []})
                played.append(StoredGame(key, bots, result, tier, 1))
    store.add_games(cup.id, played)


OUT = Quarantine("fox", 2, "3 forfeits in its last 9 games (CRASH)", (GameKey(1, 1, 1, 0),), ("CRASH",))


def test_who_is_out_is_told_with_the_reason_and_rated_nowhere(store: Store, cup: Tournament) -> None:
    play(store, cup, 3)
    before, cross = tables_of(store, cup, resamples=0)
    assert {row.bot for row in before.standings} == set(cross.bots) == {"basic", "fox", "owl"}
    store.add_quarantines(cup.id, [OUT])
    reason = "since round 2: 3 forfeits in its last 9 games (CRASH)"
    assert out_of(store, cup) == {"fox": reason}
    after, cross = tables_of(store, cup, resamples=0)
    assert {row.bot for row in after.standings} == set(cross.bots) == {"basic", "owl"}
    assert after.out == (("fox", reason),)
    store.lift(cup.id, "fox", "mended")
    assert out_of(store, cup) == {}
    assert tables_of(store, cup, resamples=0)[0] == before


def test_what_is_left_out_begins_with_the_round_after(store: Store, cup: Tournament) -> None:
    assert left_out(store, cup) == LeftOut(0, 0)
    store.add_quarantines(cup.id, [OUT])
    assert left_out(store, cup) == LeftOut(2 * 2 * 20, 2 * 2 * 40)
    store.add_quarantines(cup.id, [OUT._replace(bot="owl", since_round=3)])
    assert left_out(store, cup) == LeftOut(2 * 20 + 3 * 20, 2 * 40 + 3 * 40)
    store.lift(cup.id, "fox", "mended")
    assert left_out(store, cup) == LeftOut(2 * 20, 2 * 40)


def test_a_bot_out_after_the_last_round_leaves_out_nothing(store: Store, cup: Tournament) -> None:
    store.add_quarantines(cup.id, [OUT._replace(since_round=4)])
    assert left_out(store, cup) == LeftOut(0, 0)


def test_tiers_are_told_and_strangers_without_a_sandbox_above_all(store: Store, cup: Tournament) -> None:
    assert tiers_of(store, cup) == ({}, False)
    play(store, cup, 1, "A", frozenset({"basic", "fox"}))
    assert tiers_of(store, cup) == ({"A": 2}, False)
    play(store, cup, 1, "A'", frozenset({"basic", "owl"}))
    play(store, cup, 1, "D", frozenset({"fox", "owl"}))
    assert tiers_of(store, cup) == ({"A": 2, "A'": 2, "D": 2}, True)
    assert list(tiers_of(store, cup).games) == ["A", "A'", "D"]


def test_house_bots_without_a_sandbox_are_like_others(store: Store, cup: Tournament) -> None:
    house = replace(cup, entrants=tuple(replace(each, source=f"house:{each.name}") for each in cup.entrants))
    play(store, cup, 1, "D")
    assert tiers_of(store, house) == ({"D": 6}, False)


def void(number: int, *bots: str, reason: str = "LAG") -> VoidInfo:
    return VoidInfo(Void(GameKey(1, number, 1, 0), 1, reason, bots), datetime(2026, 3, 2, tzinfo=UTC))


def test_voids_are_counted_by_attempt_and_by_bot() -> None:
    first = void(1, "fox", "owl")
    beside = VoidInfo(first.void._replace(key=GameKey(1, 1, 1, 1), reason="BLOCK"), first.at)
    again = VoidInfo(first.void._replace(attempt=2, reason="WALL"), first.at)
    counted = voids_of([first, beside, again, void(2, "owl", "elk")])
    assert counted.attempts == 3
    assert counted.reasons == {"LAG": 2, "WALL": 1}
    assert counted.bots == {"elk": 1, "fox": 2, "owl": 3}
    assert counted.at_every == ()


def test_a_bot_at_every_table_of_many_voids_is_pointed_out() -> None:
    many = [void(number, "owl", ("fox", "elk")[number % 2]) for number in range(MANY_VOIDS)]
    assert voids_of(many).at_every == ("owl",)
    assert voids_of(many[1:]).at_every == ()
    assert voids_of([*many, void(99, "fox", "elk")]).at_every == ()
    assert voids_of([*many, void(99)]).at_every == (), "of a table nobody noted nothing is known"


def test_tiers_have_an_order() -> None:
    order = ["A", "A'", "B", "C", "D"]
    for place, tier in enumerate(order):
        assert [holds(tier, least) for least in order] == [place <= other for other in range(5)]


@pytest.mark.parametrize(("least", "tier", "fits"), [("A'", "A", True), ("A'", "B", False), ("D", "D", True)])
def test_an_event_is_not_played_below_its_least_tier(
    tmp_path: Path, store: Store, least: str, tier: str, fits: bool
) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(f'name = "c"\ngame = "goat"\nbots = ["basic", "random"]\nboards = 2\ntier_minimum = "{least}"\n')
    cup = load_cup(file)
    if fits:
        plan = prepare(store, cup.settings(), tmp_path, (), Means(Tier(tier)))
        assert (plan.tournament.tier_minimum, plan.means.tier) == (least, tier)
        return
    with pytest.raises(ConfigError, match=f"asks for sandbox tier {least} or better") as refused:
        prepare(store, cup.settings(), tmp_path, (), Means(Tier(tier)))
    assert refused.value.code == "TIER"
    assert store.tournaments() == []


def test_an_event_without_a_least_tier_is_played_on_any(tmp_path: Path, store: Store) -> None:
    file = tmp_path / "cup.toml"
    file.write_text('name = "c"\ngame = "goat"\nbots = ["basic", "random"]\nboards = 2\n')
    assert prepare(store, load_cup(file).settings(), tmp_path, (), NONE).tournament.tier_minimum == ""


def test_after_lifting_a_finished_event_is_taken_up_again_with_the_bots_that_entered(
    tmp_path: Path, store: Store
) -> None:
    file = tmp_path / "cup.toml"
    file.write_text('name = "c"\ngame = "goat"\nbots = ["basic", "random"]\nboards = 2\n')
    settings = load_cup(file).settings()
    first = prepare(store, settings, tmp_path)
    store.set_state(first.tournament.id, State.FINISHED)
    other = replace(settings, bots=(replace(settings.bots[0], version="f" * 64), settings.bots[1]))
    assert prepare(store, other, tmp_path).tournament.state is State.FINISHED, "nothing is played any more"
    store.add_quarantines(first.tournament.id, [OUT._replace(bot="basic")])
    store.lift(first.tournament.id, "basic", "mended")
    assert prepare(store, settings, tmp_path).tournament.state is State.FINISHED
    with pytest.raises(ConfigError, match="the content of basic is not what was entered"):
        prepare(store, other, tmp_path)
