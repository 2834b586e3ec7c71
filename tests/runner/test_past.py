"""Tables as they stood: what people type, which games and quarantines counted then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from arena.core.errors import ConfigError
from arena.games import make
from arena.record.results import GameKey, GameResult, Verdict
from arena.runner.past import At, parse
from arena.runner.standing import families_of, out_of, tables_of
from arena.store.store import Store
from arena.store.values import Entrant, NewTournament, StoredGame, Tournament
from arena.tournament.quarantine import Quarantine

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
GAME = make("crowsnest", {"max_hands": 1})
CONFIG = {
    "boards": 8,
    "board_plan": "shared",
    "unit": "deal",
    "clock": {"bank": 10.0, "increment": 0.1, "cap": 5.0},
}


@dataclass
class Clock:
    """A clock that is set by hand."""

    time: datetime = NOON

    def __call__(self) -> datetime:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[Store]:
    with Store.open(tmp_path / ".arena", now=clock) as opened:
        yield opened


@pytest.fixture
def cup(store: Store, clock: Clock) -> Tournament:
    """Four boards of round 1 at noon, of round 2 an hour later."""
    sources = {"fox-1": "registered:fox@1", "fox-2": "registered:fox@2", "owl": "bots/owl"}
    entrants = tuple(Entrant(name, str(number) * 64, source) for number, (name, source) in enumerate(sources.items()))
    made = store.create_tournament(
        NewTournament("cup", GAME.id, GAME.version, GAME.describe(), CONFIG, bytes(32), entrants)
    )
    for round_ in (1, 2):
        store.add_games(made.id, [game for board in range(4) for game in block(round_, 4 * round_ + board)])
        clock.time += timedelta(hours=1)
    return made


def block(round_: int, board: int) -> Iterator[StoredGame]:
    for table, pair in enumerate((("fox-1", "fox-2"), ("fox-1", "owl"), ("fox-2", "owl"))):
        for seating in (0, 1):
            bots = (pair[seating], pair[1 - seating]) * 2
            scores = (10.0, 5.0, 10.0, 5.0) if seating == 0 else (5.0, 9.0, 5.0, 9.0)
            ranks = (0, 1, 0, 1) if seating == 0 else (1, 0, 1, 0)
            result = GameResult(Verdict.FINISHED, scores, ranks, (0,) * 4, (), ())
            yield StoredGame(GameKey(round_, board, table, seating), bots, result, "D", 1)


def blocks_at(store: Store, cup: Tournament, at: At) -> int:
    return len(tables_of(store, cup, resamples=0, at=at)[0].blocks)


def test_a_table_has_the_games_that_were_stored_until_then(store: Store, cup: Tournament) -> None:
    half_past = NOON + timedelta(minutes=30)
    assert [blocks_at(store, cup, At(until=until)) for until in (NOON - timedelta(hours=1), NOON, half_past)] == [
        0,
        12,
        12,
    ]
    assert blocks_at(store, cup, At(until=NOON + timedelta(hours=1))) == 24
    assert tables_of(store, cup, resamples=0, at=At(until=half_past)) == tables_of(
        store, cup, resamples=0, at=At(round=1)
    )


def test_a_round_stands_for_everything_up_to_it(store: Store, cup: Tournament) -> None:
    assert [blocks_at(store, cup, At(round=number)) for number in (0, 1, 2, 9)] == [0, 12, 24, 24]
    assert tables_of(store, cup, resamples=0, at=At(round=2)) == tables_of(store, cup, resamples=0)


def test_a_quarantine_counts_from_when_it_was_found_until_it_was_lifted(
    store: Store, cup: Tournament, clock: Clock
) -> None:
    found = clock.time
    store.add_quarantines(cup.id, [Quarantine("owl", 3, "3 forfeits", (GameKey(2, 8, 1, 0),), ("CRASH",))])
    assert set(out_of(store, cup, At(until=found))) == {"owl"}
    assert out_of(store, cup, At(until=found - timedelta(minutes=1))) == {}
    assert [set(out_of(store, cup, At(round=number))) for number in (1, 2)] == [set(), {"owl"}]
    assert blocks_at(store, cup, At(until=found)) == 8
    assert blocks_at(store, cup, At(round=1)) == 12
    clock.time += timedelta(hours=1)
    store.lift(cup.id, "owl", "a fault of the arena")
    assert set(out_of(store, cup, At(until=found))) == {"owl"}
    assert out_of(store, cup, At(until=clock.time)) == out_of(store, cup) == {}


def test_versions_of_one_registered_bot_are_a_family(store: Store, cup: Tournament) -> None:
    assert families_of(cup) == {"fox-1": "fox", "fox-2": "fox"}
    assert tables_of(store, cup, resamples=0)[0].families == {"fox": ("fox-1", "fox-2")}


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2026-05-01T12:00", At(until=NOON)),
        ("2026-05-01 14:00+02:00", At(until=NOON)),
        ("2026-05-01T12:00:00Z", At(until=NOON)),
        ("2026-05-01", At(until=datetime(2026, 5, 1, 23, 59, 59, 999999, tzinfo=UTC))),
        ("round:3", At(round=3)),
    ],
)
def test_what_people_type(text: str, at: At) -> None:
    assert parse(text) == at


@pytest.mark.parametrize("text", ["yesterday", "round:", "round:-1", "", "2026-13-01"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(text)
    assert caught.value.code == "BAD_OPTION"


def test_a_moment_is_said_in_utc() -> None:
    assert str(parse("2026-05-01T14:00+02:00")) == "2026-05-01T12:00:00Z"
    assert str(At(round=3)) == "the end of round 3"
