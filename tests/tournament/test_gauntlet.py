"""The gauntlet: every candidate plays the same boards against the same panel, and nobody else meets."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tournament import rivals

from arena.core.errors import ConfigError
from arena.tournament.gauntlet import gauntlet
from arena.tournament.outcome import outcome
from arena.tournament.round_robin import round_robin
from arena.tournament.schedule import Fixed


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 4), st.integers(1, 3), st.integers(0, 12), st.integers(1, 40), st.integers(1, 25))
def test_candidates_meet_the_panel_on_common_boards(
    places: int, candidates: int, more: int, boards: int, chunk: int
) -> None:
    count = candidates + places - 1 + more
    named = rivals.names(count)[1 : candidates + 1] if count > candidates else rivals.names(candidates)
    schedule = gauntlet(rivals.entry(count, places, boards, chunk, candidates=list(named)))
    assert isinstance(schedule, Fixed)
    assert not schedule.adaptive
    rounds = [list(schedule.round(number) or ()) for number in range(1, schedule.rounds() + 1)]
    rivals_panel = set(rivals.names(count)) - set(named)
    lineups: Counter[tuple[str, ...]] = Counter()
    seen: Counter[tuple[str, str]] = Counter()
    on_board: dict[int, Counter[str]] = {}
    for bout in (bout for bouts in rounds for bout in bouts):
        [candidate] = [bot for bot in bout.lineup if bot in named]
        others = [bot for bot in bout.lineup if bot != candidate]
        assert len(set(others)) == places - 1 == len(set(others) & rivals_panel)
        lineups[tuple(sorted(bout.lineup))] += len(bout.boards)
        for board in bout.boards:
            on_board.setdefault(board, Counter())[candidate] += 1
        seen.update((candidate, other) for other in others)
    assert set(lineups.values()) == {boards}, "no line-up is there twice"
    assert sorted(on_board) == list(range(1, boards + 1))
    assert len({tuple(sorted(each.items())) for each in on_board.values()}) == 1, "every board sees the same tables"
    assert set(seen) == {(one, other) for one in named for other in rivals_panel}
    assert len(set(seen.values())) == 1, "everybody of the panel sits equally often with every candidate"
    assert schedule.totals().blocks == sum(lineups.values())
    assert all(schedule.games_on(board) == sum(each.values()) * places for board, each in on_board.items())


def test_the_first_bot_is_the_candidate_by_default_and_its_share_is_told() -> None:
    schedule = gauntlet(rivals.entry(4, boards=30))
    history, rounds = rivals.play(schedule, rivals.TWO_SIDES, lambda bot, _b, _r: {"bot00": 5, "bot01": 6}.get(bot, 4))
    assert [bout.lineup for bout in rounds[0]] == [("bot00", "bot01"), ("bot00", "bot02"), ("bot00", "bot03")]
    found = outcome(schedule, history, over=True)
    assert found is not None
    [row] = found.standing
    assert (row.candidate, row.blocks, round(row.share, 3)) == ("bot00", 90, 0.667)  # type: ignore[union-attr]
    assert [(each.bot, each.share) for each in row.panel] == [("bot01", 0), ("bot02", 1), ("bot03", 1)]  # type: ignore[union-attr]
    assert found.winners == (), "one candidate alone cannot win"
    assert found.words.startswith("bot00 took 66.7% of the points from the panel, +")


def test_the_best_of_several_candidates_wins() -> None:
    schedule = gauntlet(rivals.entry(5, 4, 5, candidates=["bot03", "bot00"]))
    history, _ = rivals.play(
        schedule,
        rivals.POOLS[4],
        rivals.by_strength({"bot00": 3, "bot03": 1} | dict.fromkeys(["bot01", "bot02", "bot04"], 2.0)),
    )
    found = outcome(schedule, history, over=True)
    assert found is not None
    assert found.winners == ("bot00",)
    assert [row.share for row in found.standing] == [1, 0]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("places", "keys", "message"),
    [
        (2, {"candidates": ["fox"]}, "candidates cannot be fox"),
        (2, {"candidates": ["bot00", "bot00"]}, "candidates cannot be bot00, bot00"),
        (2, {"candidates": list(rivals.names(5))}, "a panel of 0 cannot fill"),
        (4, {"candidates": ["bot00", "bot01", "bot02"]}, "a panel of 2 cannot fill"),
    ],
)
def test_what_cannot_be_played_is_refused(places: int, keys: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        gauntlet(rivals.entry(5, places, **keys))


@settings(max_examples=30, deadline=None)
@given(st.integers(4, 30), st.integers(3, 4), st.integers(1, 2), st.integers(2, 6), st.sampled_from(["rr", "g"]))
def test_owners_are_limited_at_every_table(count: int, places: int, limit: int, owners: int, kind: str) -> None:
    owner_of = {name: f"Owner{number % owners}" for number, name in enumerate(rivals.names(count)) if number % 4}
    entry = rivals.entry(count, places, 2, per_owner=limit, owners=owner_of)
    try:
        schedule = (round_robin if kind == "rr" else gauntlet)(entry)
    except ConfigError as error:
        if "owner" in error.message:
            return
        raise
    bouts = [bout for number in range(1, schedule.rounds() + 1) for bout in schedule.round(number) or ()]
    assert bouts
    lineups = [tuple(sorted(bout.lineup)) for bout in bouts]
    assert len(set(lineups)) == len(lineups)
    for lineup in lineups:
        counts = Counter(owner_of[bot] for bot in lineup if bot in owner_of)
        assert max(counts.values(), default=0) <= limit
    if kind == "rr" and count >= 12 and owners >= 4:
        sat = Counter(bot for lineup in lineups for bot in lineup)
        assert set(sat) == set(rivals.names(count))
        assert max(sat.values()) <= 2 * min(sat.values()), "nobody is left aside"
