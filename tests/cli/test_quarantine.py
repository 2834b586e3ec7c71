"""Who was taken out of an event is told wherever its table is, and let back in by `arena tournament lift`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.terminal import piped

from arena.record.results import GameKey
from arena.store.audit import Audit, typed_by
from arena.store.lock import coordinator_lock
from arena.store.store import Store
from arena.store.values import Void
from arena.tournament.quarantine import Quarantine

CUP = 'name = "tiny"\ngame = "crowsnest"\nbots = ["basic", "random", "cautious"]\nboards = 2\nseed = "test"\n'
REASON = "3 forfeits in its last 4 games (CRASH)"
pytestmark = pytest.mark.xdist_group("quarantine")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cup")
    (folder / "cup.toml").write_text(CUP)
    ran = piped("tournament", "run", "cup.toml", "-q", folder=folder)
    assert ran.status == 0, ran.stderr
    with Store.open(folder / ".arena") as store:
        [cup] = store.tournaments()
        keys = (GameKey(1, 1, 1, 0), GameKey(1, 1, 1, 1), GameKey(1, 2, 1, 0))
        store.add_quarantines(cup.id, [Quarantine("random", 2, REASON, keys, ("CRASH",) * 3)])
        store.add_voids(cup.id, [Void(keys[0], 1, "LAG", ("basic", "random") * 2, {"cause": "loop"})])
    return folder


def test_the_table_leaves_its_blocks_out_and_says_why(place: Path) -> None:
    lines = piped("ratings", "tiny", folder=place).stdout.splitlines()
    assert f"quarantined, all its blocks left out: random (since round 2: {REASON})" in lines
    assert not any(line.split()[1:2] == ["random"] for line in lines)
    data = json.loads(piped("ratings", "tiny", "--json", folder=place).stdout)["data"]
    assert data["quarantined"] == [{"bot": "random", "reason": f"since round 2: {REASON}"}]
    assert {row["bot"] for row in data["standings"]} == {"basic", "cautious"}
    assert data["blocks"] == 2


def test_its_rating_cannot_be_explained(place: Path) -> None:
    ran = piped("ratings", "tiny", "--explain", "random", folder=place)
    assert ran.status == 2
    assert ran.error()["code"].startswith("QUARANTINED")
    assert REASON in ran.error()["saw"]


def test_the_status_tells_quarantines_and_voids(place: Path) -> None:
    lines = piped("tournament", "status", "tiny", folder=place).stdout.splitlines()
    assert any(line.split(maxsplit=1) == ["quarantines", f"random since round 2: {REASON}"] for line in lines)
    [status] = json.loads(piped("tournament", "status", "tiny", "--json", folder=place).stdout)["data"]
    [out] = status["quarantines"]
    assert (out["bot"], out["since_round"], out["reason"], out["lifted"]) == ("random", 2, REASON, None)
    assert out["games"] == ["tiny-r1-b1-t1-1", "tiny-r1-b1-t1-2", "tiny-r1-b2-t1-1"]
    assert (status["voids"], status["voids_by_reason"]) == (1, {"LAG": 1})
    assert status["voids_by_bot"] == {"basic": 1, "random": 1}
    assert sum(status["tiers"].values()) == status["games"] == 12
    assert (status["games_left_out"], status["tier_minimum"]) == (0, None)


def test_the_bots_page_tells_it(place: Path) -> None:
    shown = piped("bot", "show", "random", folder=place).stdout
    assert f"quarantined in tiny since round 2: {REASON}" in shown
    [row] = json.loads(piped("bot", "show", "random", "--json", folder=place).stdout)["data"]["tournaments"]
    assert row["quarantined"] == f"since round 2: {REASON}"
    assert row["standing"] is None
    assert row["voids"] == 1
    assert "void attempts at its tables in tiny: 1" in shown


def test_lifting_is_refused_while_it_runs_and_without_cause_or_reason(place: Path) -> None:
    lift = ("tournament", "lift", "tiny")
    with coordinator_lock(place / ".arena", "tiny"):
        assert piped(*lift, "random", "--reason", "x", folder=place).status == 6
    ran = piped(*lift, "basic", "--reason", "x", folder=place)
    assert (ran.status, ran.error()["code"].split()[0]) == (2, "NOT_QUARANTINED")
    assert ran.error()["fix"] == "taken out: random"
    assert piped(*lift, "random", folder=place).status == 2
    assert piped(*lift, "random", "--reason", " ", folder=place).status == 2
    assert piped("tournament", "lift", "tony", "random", "--reason", "x", folder=place).status == 2
    with Store.open(place / ".arena") as store:
        assert Audit(store.database).entries() == [], "what was refused was not done"


def test_lifting_is_kept_with_its_reason_and_brings_the_blocks_back(place: Path) -> None:
    lifted = piped("tournament", "lift", "tiny", "random", "--reason", "the host's disk was full", folder=place)
    line = f"lifted: random, the host's disk was full (it was out for {REASON})\n"
    assert (lifted.status, lifted.stdout) == (0, line)
    with Store.open(place / ".arena") as store:
        [entry] = Audit(store.database).entries()
    assert entry[2:7] == (None, typed_by(), "lift", "tiny: random", "the host's disk was full")
    assert "random" in piped("ratings", "tiny", folder=place).stdout
    told = piped("tournament", "status", "tiny", folder=place).stdout
    assert f"random since round 2: {REASON}; lifted 20" in told
    assert "the host's disk was full" in told
    ran = piped("tournament", "run", "cup.toml", "-q", folder=place)
    assert ran.status == 0, ran.stderr
    assert len(json.loads(piped("ratings", "--json", folder=place).stdout)["data"]["standings"]) == 3


@pytest.mark.parametrize(
    ("more", "words", "code"),
    [
        ("", ("--sandbox", "some"), "USAGE"),
        ('sandbox = "none"\n', (), "NO_SANDBOX"),
        ('tier_minimum = "C"\n', ("--sandbox", "none"), "TIER"),
    ],
)
def test_a_sandbox_is_done_without_only_when_that_was_typed(
    tmp_path: Path, more: str, words: tuple[str, ...], code: str
) -> None:
    made = piped("bot", "new", "fox", folder=tmp_path)
    assert made.status == 0, made.stderr
    (tmp_path / "cup.toml").write_text(CUP.replace('"cautious"', '"fox"') + more)
    ran = piped("tournament", "run", "cup.toml", *words, folder=tmp_path)
    assert ran.status == 2
    assert ran.error()["code"].split()[0] == code
