"""A knockout that is really played: stopped and gone on with it comes to the same; seeds from an earlier event."""

from __future__ import annotations

from pathlib import Path

import pytest
from runner import small_event

from arena.core.errors import ConfigError
from arena.store.store import Store
from arena.tournament.knockout import Fate

HEAD = 'name = "cup"\ngame = "crowsnest"\nformat = "knockout"\nboards = 1\nextra = 1\nseed = "a"\n' + small_event.BOTS


def test_a_knockout_comes_to_the_same_whether_it_was_stopped_or_not(tmp_path: Path) -> None:
    outcome, rows, progress = small_event.both_ways(tmp_path, small_event.write(tmp_path, HEAD), "cup", 1)
    assert outcome is not None
    assert outcome.over
    semi, final = (fate for fate in outcome.matches if isinstance(fate, Fate) and fate.by != "bye")
    assert semi.sides == ("basic", "cautious")
    assert set(final.sides) == {"random", semi.winner}
    assert outcome.winners == (final.winner,)
    played = sum(fate.blocks for fate in (semi, final))
    assert (progress.blocks, len(rows)) == (played, 2 * played)
    assert {row.key.board for row in rows} == {*semi.rounds, *final.rounds}, "every round has its own board"


def test_seeds_are_those_of_an_earlier_tournament_and_stay_what_they_were(tmp_path: Path) -> None:
    first = HEAD.replace('"cup"', '"first"').replace('"knockout"', '"round_robin"').replace("extra = 1\n", "")
    other = 'seeds_from = "first"\n' + HEAD
    with Store.open(tmp_path / ".arena") as store:
        with pytest.raises(ConfigError, match="no tournament 'first' to take seeds from"):
            small_event.play(store, small_event.write(tmp_path, other), tmp_path / ".arena")
        small_event.play(store, small_event.write(tmp_path, first), tmp_path / ".arena")
        goat = other.replace("crowsnest", "goat").replace('"cup"', '"other"')
        with pytest.raises(ConfigError, match="played crowsnest under other rules"):
            small_event.play(store, small_event.write(tmp_path, goat), tmp_path / ".arena")
        for _ in range(2):
            small_event.play(store, small_event.write(tmp_path, other), tmp_path / ".arena")
        tournament = store.tournament("cup")
        assert tournament is not None
        seeds = tournament.config["seeds"]
        assert sorted(seeds) == ["basic", "cautious", "random"]
        [opened, *_] = store.rounds(tournament.id)
        lineups = {frozenset(row.bots) for row in store.rows(tournament.id) if row.key.round == opened.number}
        assert lineups == {frozenset(seeds[1:])}, "the first has a bye"
