"""The schedule of a sequential test: boards of its own for every line-up, and an end as soon as it is decided."""

import pytest

from arena.core.errors import ConfigError
from arena.games import make
from arena.rating.pool import Pool
from arena.rating.sequential import BOUND, Decision
from arena.record.results import Bout, GameRow, Verdict
from arena.tournament.entry import Entry
from arena.tournament.history import NOTHING, History
from arena.tournament.schedule import keys_of
from arena.tournament.sequential import ROUND, Sequential, evidence_of, sequential

SECRET = b"\x07" * 32
POOL = Pool.of(make("crowsnest").single_deal(), "deal")
NAMES = ("new", "old", "elk", "owl")


def schedule(names: tuple[str, ...] = NAMES, places: int = 2, most: int = 300, candidate: str = "new") -> Sequential:
    return sequential(Entry(names, places, most, SECRET, keys={"candidates": (candidate,)}))


def played(bouts: list[Bout], margin: float) -> list[GameRow]:
    """The games of some bouts, in which the candidate has `margin` points more in every second block, else 1 less."""
    rows = []
    for bout in bouts:
        for key in keys_of(bout):
            sides = [bout.side(key.board, key.seating, side) for side in (0, 1)]
            won = margin if key.board % 2 else -1.0
            scores = tuple(won if sides[seat % 2] == bout.lineup[0] else 0.0 for seat in range(4))
            bots = tuple(sides[seat % 2] for seat in range(4))
            rows.append(GameRow(key, bots, Verdict.FINISHED, scores, (0, 0, 0, 0), (0, 0, 0, 0), ()))
    return rows


def test_every_line_up_has_boards_and_tables_of_its_own() -> None:
    bouts = [bout for number in (1, 2) for bout in schedule().round(number, NOTHING, NAMES)]
    places = [(bout.round, bout.table) for bout in bouts]
    boards = [board for bout in bouts for board in bout.boards]
    assert len(places) == len(set(places))
    assert len(boards) == len(set(boards))
    assert {bout.lineup for bout in bouts} == {("new", "old"), ("new", "elk"), ("new", "owl")}
    assert all(len(bout.boards) <= 25 for bout in bouts)
    assert len(boards) == 2 * (ROUND // 3) * 3


def test_asking_again_gives_the_same() -> None:
    made = schedule(("new", "a", "b", "c", "d"), places=4)
    assert list(made.round(3, NOTHING, made.entry.competitors)) == list(made.round(3, NOTHING, made.entry.competitors))


def test_it_ends_when_the_test_has_decided() -> None:
    made, history = schedule(("new", "old"), most=1000), History(POOL)
    number = 0
    while (bouts := made.round(number := number + 1, history, ("new", "old"))) is not None:
        history.close(number, played(list(bouts), 60.0))
    found = evidence_of(history, "new", 1000)
    assert (found.decision, found.blocks) == (Decision.STRONGER, 100)
    assert found.likelihood >= BOUND
    assert evidence_of(history, "old", 1000).decision is Decision.NOT_STRONGER


def test_it_ends_at_the_most_and_never_plays_more() -> None:
    made, history = schedule(("new", "old"), most=130), History(POOL)
    number = 0
    while (bouts := made.round(number := number + 1, history, ("new", "old"))) is not None:
        history.close(number, played(list(bouts), 1.08))
    found = evidence_of(history, "new", 130)
    assert (found.decision, found.blocks, history.closed) == (Decision.UNDECIDED, 130, 2)


def test_a_bot_that_was_taken_out_is_left_out_and_without_the_candidate_it_is_over() -> None:
    bouts = list(schedule().round(2, NOTHING, ("new", "elk")))
    assert {bout.lineup for bout in bouts} == {("new", "elk")}
    assert schedule().round(2, NOTHING, ("old", "elk")) is None
    assert schedule().round(2, NOTHING, ("new",)) is None


def test_a_candidate_that_does_not_take_part_is_refused() -> None:
    with pytest.raises(ConfigError, match="candidates cannot be"):
        schedule(candidate="fox")


def test_totals_are_the_most() -> None:
    totals = schedule().totals()
    assert (totals.blocks, totals.games, totals.exact) == (300, 600, False)
