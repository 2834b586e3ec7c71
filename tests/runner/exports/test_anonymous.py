"""Other names for bots: nothing in the settings tells who they are, and nobody can find the names by trying."""

import json
from pathlib import Path

import pytest

from arena.core.errors import ArenaFault
from arena.runner.exports.anonymous import KEY_FILE, Names, key_of
from arena.store.store import Store
from arena.store.values import Entrant, NewTournament


def test_owners_stay_together_and_nameless(tmp_path: Path) -> None:
    owners = {"fox": "Ada", "owl": "ada", "elk": "Bob"}
    config = {"boards": 1, "per_owner": 1, "owners": owners, "candidates": ["fox"], "seeds": ["owl", "fox", "elk"]}
    entrants = tuple(Entrant(name, f"{number:064}", "a folder") for number, name in enumerate(owners))
    with Store.open(tmp_path) as store:
        known = store.create_tournament(NewTournament("x", "crowsnest", "1", "{}", config, bytes(32), entrants))
    names = Names(known, key_of(tmp_path))
    told = names.tournament(known).config
    text = json.dumps(dict(told)).lower()
    assert not [name for name in ("ada", "bob", "fox", "owl", "elk") if name in text]
    new = told["owners"]
    assert new[names("fox")] == new[names("owl")] != new[names("elk")]


@pytest.mark.parametrize("left", ["", "ab", "not hex"])
def test_a_key_that_was_not_written_whole_hides_nobody(left: str, tmp_path: Path) -> None:
    (tmp_path / KEY_FILE).write_text(left)
    with pytest.raises(ArenaFault, match="the key for anonymous names"):
        key_of(tmp_path)
    (tmp_path / KEY_FILE).unlink()
    assert len(key_of(tmp_path)) == 32
    assert key_of(tmp_path) == key_of(tmp_path)
