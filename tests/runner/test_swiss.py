"""A Swiss of whole matches that is really played: stopped and gone on with it comes to the same."""

from __future__ import annotations

from pathlib import Path

from runner import small_event

from arena.tournament.swiss import Row

HEAD = 'name = "cup"\ngame = "goat"\nformat = "swiss"\nrounds = 2\nboards = 1\nunit = "match"\nseed = "a"\n'


def test_a_swiss_comes_to_the_same_whether_it_was_stopped_or_not(tmp_path: Path) -> None:
    file = small_event.write(tmp_path, HEAD + small_event.BOTS, "[options]\nmax_deals = 2\n")
    outcome, rows, progress = small_event.both_ways(tmp_path, file, "cup", 1)
    assert outcome is not None
    assert outcome.over
    assert (progress.blocks, len(rows)) == (2, 4), "three bots: one pairing a round, one has a bye"
    standing = [row for row in outcome.standing if isinstance(row, Row)]
    assert sum(row.points for row in standing) == 4
    assert sorted(row.byes for row in standing) == [0, 1, 1]
    assert {frozenset(row.bots) for row in rows if row.key.round == 1} != {
        frozenset(row.bots) for row in rows if row.key.round == 2
    }
