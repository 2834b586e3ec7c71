"""A gauntlet that is really played, at tables of four: stopped and gone on with it comes to the same; owners."""

from __future__ import annotations

from pathlib import Path

from runner import small_event

from arena.bots.manifest import read_bot
from arena.core.game import AnyGame
from arena.games import make
from arena.runner.found_out import find_out, kept
from arena.store.store import Store
from arena.tournament.gauntlet import Row

HEAD = 'name = "cup"\ngame = "crow_and_pitcher"\nformat = "gauntlet"\nboards = 1\nseed = "a"\n'
GAME: AnyGame = make("crow_and_pitcher", {"players": 3})


def test_a_gauntlet_comes_to_the_same_whether_it_was_stopped_or_not(tmp_path: Path) -> None:
    file = small_event.write(tmp_path, HEAD + small_event.BOTS, "[options]\nplayers = 3\nrounds = 1\n")
    outcome, rows, progress = small_event.both_ways(tmp_path, file, "cup", 1)
    assert (progress.blocks, len(rows)) == (1, 3)
    assert outcome is not None
    [row] = outcome.standing
    assert isinstance(row, Row)
    assert (row.candidate, row.blocks, {each.bot for each in row.panel}) == ("random", 1, {"basic", "cautious"})


def test_owners_are_found_out_when_an_event_is_stored_and_kept(tmp_path: Path) -> None:
    from dataclasses import replace

    folder = tmp_path / "fox"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "fox"\ngames = ["*"]\ncommand = ["python3", "main.py"]\n')
    (folder / "main.py").write_text("")
    fox = read_bot(folder)
    with Store.open(tmp_path / ".arena") as store:
        known = store.register("fox", fox.version, fox.manifest, owner="ada")
        registered = replace(fox, number=known.number)
        found = find_out(store, GAME, [registered, replace(fox, name="owl")], {"per_owner": 1, "boards": 3})
        assert found == {"owners": {"fox": "ada"}}
        assert find_out(store, GAME, [registered], {"per_owner": None}) == {}
        assert kept({**found, "boards": 3}) == found
