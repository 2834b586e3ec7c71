"""The schedules of mixed partners and of the partner pool."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from arena.core.errors import ConfigError
from arena.rating.pool import Pool
from arena.record.results import Bout, GameRow, Verdict
from arena.tournament.entry import Entry
from arena.tournament.fixed import FixedSchedule
from arena.tournament.formats import FORMATS, make_schedule
from arena.tournament.history import History, added
from arena.tournament.partners import mixed_partners, opponents_of, partner_pool
from arena.tournament.schedule import keys_of

NAMES = tuple("abcdefghijklmnopqrst")
POOL = Pool("mixed", "goat", "{}", "mixed", "deal", ((0, 2), (1, 3)))


def entry(n: int = 8, boards: int = 3, plan: Any = None, **keys: Any) -> Entry:
    return Entry(NAMES[:n], 2, boards, b"secret", plan, seats=4, keys=keys)


def bouts(schedule: FixedSchedule) -> list[Bout]:
    return [bout for number in range(1, schedule.rounds() + 1) for bout in schedule.round(number) or ()]


def test_with_shared_boards_all_line_ups_play_the_same_boards() -> None:
    schedule = mixed_partners(entry(plan="shared"))
    played = bouts(schedule)
    assert schedule.rounds() == 1
    assert {bout.boards for bout in played} == {(1, 2, 3)}
    assert len(played) == 14
    totals = schedule.totals()
    assert (totals.pairings, totals.boards, totals.blocks, totals.games) == (14, 3, 42, 84)
    assert schedule.games_on(2) == 28


def test_per_round_every_whist_round_has_boards_of_its_own() -> None:
    schedule = mixed_partners(entry(plan="per_round"))
    assert schedule.rounds() == 7
    for number in range(1, 8):
        found = list(schedule.round(number) or ())
        assert {bout.boards for bout in found} == {tuple(range(3 * number - 2, 3 * number + 1))}
        assert sorted(bot for bout in found for bot in bout.lineup) == list(NAMES[:8])
    assert schedule.totals().games == 84
    assert schedule.round(8) is None


def test_everyone_partners_everyone_once_on_every_board() -> None:
    partners: Counter[frozenset[str]] = Counter()
    opponents: Counter[frozenset[str]] = Counter()
    for bout in bouts(mixed_partners(entry(8, 1))):
        a, b, c, d = bout.lineup
        partners.update(map(frozenset, ((a, c), (b, d))))
        opponents.update(map(frozenset, ((a, b), (a, d), (c, b), (c, d))))
    pairs = {frozenset(pair) for pair in combinations(NAMES[:8], 2)}
    assert partners == dict.fromkeys(pairs, 1)
    assert opponents == dict.fromkeys(pairs, 2)


@pytest.mark.parametrize("seatings", [2, 4])
def test_seatings_turn_the_line_up_by_one_seat(seatings: int) -> None:
    bout = bouts(mixed_partners(entry(4, 1, seatings=seatings)))[0]
    assert bout.seatings == seatings
    assert len(list(keys_of(bout))) == seatings
    a, b, c, d = bout.lineup
    seated = [tuple(bout.side(1, seating, seat) for seat in range(4)) for seating in range(seatings)]
    assert seated == [(a, b, c, d), (b, c, d, a), (c, d, a, b), (d, a, b, c)][:seatings]


def test_a_pool_of_partners_plays_everyone_with_everyone_and_with_itself() -> None:
    schedule = partner_pool(entry(4, 2))
    assert [bout.lineup for bout in bouts(schedule)] == [
        tuple(lineup) for lineup in ("adad", "adbd", "adcd", "bdbd", "bdcd", "cdcd")
    ]
    assert {bout.boards for bout in bouts(schedule)} == {(1, 2)}
    assert schedule.totals().games == 6 * 2 * 2
    bout = bouts(schedule)[1]
    assert [bout.side(1, 1, seat) for seat in range(4)] == ["d", "b", "d", "a"]
    assert [bout.place(1, 1, seat) for seat in range(4)] == [1, 2, 3, 0]


def test_opponents_and_candidates_of_a_pool_can_be_named() -> None:
    schedule = partner_pool(entry(4, 2, opponents="b", candidates=["c"]))
    assert [bout.lineup for bout in bouts(schedule)] == [tuple(lineup) for lineup in ("abcb", "cbcb", "cbdb")]
    assert opponents_of(NAMES, None) == "t"


def test_a_pool_is_on_shared_boards_however_many_bots_there_are() -> None:
    names = tuple(f"bot{number}" for number in range(30))
    schedule = partner_pool(Entry(names, 2, 2, b"", "per_round", seats=4))
    assert (schedule.rounds(), schedule.totals().pairings) == (1, 29 * 30 // 2)


@pytest.mark.parametrize("make", [mixed_partners, partner_pool])
@pytest.mark.parametrize(("places", "seats"), [(4, 4), (3, 3), (2, 2), (2, 0)])
def test_other_games_have_no_partners_to_mix(make: Any, places: int, seats: int) -> None:
    with pytest.raises(ConfigError, match="no partners to mix"):
        make(replace(entry(8), places=places, seats=seats))


@pytest.mark.parametrize(
    ("format", "wrong", "says"),
    [
        ("mixed_partners", entry(3), "3 bots are too few"),
        ("partner_pool", entry(2), "2 bots are too few"),
        ("partner_pool", entry(4, opponents="fox"), "'fox' is none of bots"),
        ("partner_pool", entry(4, candidates=["fox"]), "'fox' is none of bots"),
        ("partner_pool", entry(4, candidates=["d"]), "on the other side as well"),
        ("partner_pool", entry(4, candidates=["a", "a"]), "named twice"),
        ("mixed_partners", replace(entry(), competitors=tuple(f"b{i}" for i in range(101))), "101 bots are too many"),
    ],
)
def test_what_cannot_be_played_is_refused(format: str, wrong: Entry, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        make_schedule(format, wrong)


def test_both_formats_seat_bots_one_by_one() -> None:
    assert FORMATS["mixed_partners"].mixed
    assert FORMATS["partner_pool"].mixed
    assert FORMATS["partner_pool"].least == 3


def rows(bout: Bout, scores: tuple[float, float]) -> list[GameRow]:
    """The games of a bout; `scores` are those of its first side and its second, in every game."""
    found = []
    for key in keys_of(bout):
        bots = tuple(bout.side(key.board, key.seating, seat) for seat in range(4))
        by_seat = tuple(scores[bout.lineup.index(bot) % 2] for bot in bots)
        ranks = tuple(sum(other > own for other in by_seat[:2]) for own in by_seat)
        found.append(GameRow(key, bots, Verdict.FINISHED, by_seat, ranks, (0,) * 4, ()))
    return found


def test_history_folds_blocks_of_four_and_keeps_partnerships_apart() -> None:
    first, second, third = bouts(mixed_partners(entry(4, 2)))
    history = History.of(POOL, [*rows(first, (3, -3)), *rows(second, (0, 0)), *rows(third, (1, -1))])
    tables = list(history.of_round(1))
    assert [totals.bots for totals in tables] == [("a", "b", "c", "d")] * 3
    assert len({totals.teams for totals in tables}) == len(history.lineups()) == len(history.lineups_of(1)) == 3
    totals = tables[0]
    winner, loser = first.lineup[0], first.lineup[1]
    assert totals.of(winner) == totals.of(first.lineup[2]) == (2.0, 24.0)
    assert totals.of(loser) == (0.0, -24.0)
    assert tables[1].points == (1.0,) * 4
    assert history.blocks_of() == dict.fromkeys("abcd", 6)
    with pytest.raises(ValueError, match="different line-ups"):
        added(tables)
    sides = {frozenset(first.lineup[::2]), frozenset(first.lineup[1::2])}
    assert {frozenset(totals.lineup[:2]), frozenset(totals.lineup[2:])} == sides
