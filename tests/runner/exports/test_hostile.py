"""Files from anywhere: whatever they hold, they are refused with their place, and nothing of them is stored."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cli.terminal import piped

from arena.core.errors import ArenaError
from arena.runner.exports.coming import bring_in, check
from arena.store.store import Store
from arena.store.values import NewTournament, State

CUP = 'name = "tiny"\ngame = "crowsnest"\nbots = ["basic", "random"]\nboards = 2\n'
Lines = list[dict[str, Any]]
pytestmark = pytest.mark.xdist_group("exports")


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> Lines:
    """The lines of a finished tournament."""
    place = tmp_path_factory.mktemp("cup")
    (place / "cup.toml").write_text(CUP)
    assert piped("tournament", "run", "cup.toml", "-q", folder=place).status == 0
    ran = piped("export", "tiny", "--format", "jsonl", folder=place)
    return [json.loads(line) for line in ran.stdout.splitlines()]


def written(lines: Lines, file: Path) -> Path:
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return file


HOSTILE: list[tuple[str, Callable[[Lines], object]]] = [
    ("a path", lambda lines: lines[0].update(name="../../evil")),
    ("a name that a terminal obeys", lambda lines: lines[0].update(name="a\n\x1b[31m")),
    ("no name", lambda lines: lines[0].update(name="")),
    ("a bot's name", lambda lines: lines[0]["entrants"][0].update(name="\x1b]0;x")),
    ("a surrogate", lambda lines: lines[0]["entrants"][0].update(source="\ud800")),
    ("two of one name", lambda lines: lines[0]["entrants"].append(lines[0]["entrants"][0])),
    ("a clock", lambda lines: lines[0]["config"].update(clock=[])),
    ("not a number", lambda lines: lines[-2].update(scores=[float("nan")] * 4)),
    ("infinite", lambda lines: lines[-2].update(tiebreaks=[1e400] * 4)),
    ("a huge number", lambda lines: lines[-2].update(attempt=2**70)),
    ("text for a number", lambda lines: lines[-2].update(ranks=["0"] * 4)),
    ("too few seats", lambda lines: lines[-2].update(ranks=[0])),
    ("twice", lambda lines: lines.insert(-2, lines[-2])),
    ("a time before time", lambda lines: lines[-2].update(stored="0001-01-01T00:00:00+23:00")),
    ("a fault's field", lambda lines: lines[-2].update(faults=[{"seat": 0}])),
    ("no number of a round", lambda lines: lines[1].update(number=-1)),
    ("a kind", lambda lines: lines[-2].update(kind=["game"])),
]


@pytest.mark.parametrize(("what", "damage"), HOSTILE, ids=[each[0] for each in HOSTILE])
def test_hostile_lines_are_refused_and_nothing_is_stored(
    what: str, damage: Callable[[Lines], object], lines: Lines, tmp_path: Path
) -> None:
    changed = json.loads(json.dumps(lines))
    damage(changed)
    file = written(changed, tmp_path / "hostile.jsonl")
    with Store.open(tmp_path / "data") as store:
        with pytest.raises(ArenaError) as refused:
            check(store, file, None, rules=False, tell=lambda _: None)
        assert refused.value.where.startswith(str(file)), what
        assert store.tournaments() == []


def test_cards_that_the_secret_did_not_deal_are_found(lines: Lines, tmp_path: Path) -> None:
    changed = json.loads(json.dumps(lines))
    secret = bytes(32)
    changed[0].update(secret=secret.hex(), secret_hash=hashlib.sha256(secret).hexdigest())
    with Store.open(tmp_path / "data") as store:
        checked = check(store, written(changed, tmp_path / "a.jsonl"), None, rules=True, tell=lambda _: None)
        assert len(checked.problems) == checked.games == 4


def test_no_file_opens_the_cards_of_a_tournament_that_goes_on(lines: Lines, tmp_path: Path) -> None:
    file = written(lines, tmp_path / "whole.jsonl")
    forged = json.loads(json.dumps(lines))
    forged = [forged[0], forged[-1]]
    forged[0].update(secret=None)
    forged[-1].update(games=0)
    with Store.open(tmp_path / "data") as store:
        found = check(store, file, None, rules=False, tell=lambda _: None).tournament
        fixed = (found.game, found.game_version, found.ruleset, found.config, found.secret, found.entrants)
        own = store.create_tournament(NewTournament("tiny", *fixed))
        store.set_state(own.id, State.STOPPED)
        checked = check(store, written(forged, tmp_path / "forged.jsonl"), None, rules=True, tell=lambda _: None)
        bring_in(store, checked, lambda _: None)
        after = store.tournament("tiny")
        assert after is not None
        assert after == replace(own, state=State.STOPPED, started=after.started, finished=after.finished)
        bring_in(store, check(store, file, None, rules=True, tell=lambda _: None), lambda _: None)
        after = store.tournament("tiny")
        assert after is not None
        assert (after.state, store.count(own.id)) == (State.FINISHED, 4)


def test_verifying_what_came_without_its_secret_accuses_nobody(lines: Lines, tmp_path: Path) -> None:
    changed = json.loads(json.dumps(lines))
    changed[0].update(secret=None)
    file = written(changed, tmp_path / "secretless.jsonl")
    assert piped("import", str(file), folder=tmp_path).status == 0
    ran = piped("replay", "verify", folder=tmp_path)
    assert (ran.status, "cards not checked" in ran.stdout) == (0, True), ran.stderr
    status = piped("tournament", "status", "tiny", "--json", folder=tmp_path)
    assert json.loads(status.stdout)["data"][0]["secret"] is None
