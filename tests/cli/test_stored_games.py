"""Commands that read the store: ratings and replays of a small cup, played once for all tests of this file."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from cli.terminal import Ran, piped

from arena.record.results import GameKey
from arena.store.store import Store
from arena.store.values import NewTournament, State

CUP = 'name = "tiny"\ngame = "crowsnest"\nbots = ["basic", "random"]\nboards = 3\nseed = "test"\n'
pytestmark = pytest.mark.xdist_group("stored games")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("cup")
    (place / "cup.toml").write_text(CUP)
    ran = piped("tournament", "run", "cup.toml", "-q", folder=place)
    assert ran.status == 0, ran.stderr
    _begin_another(place)
    return place


def _begin_another(place: Path) -> None:
    """A tournament of which one seating is stored: all its boards are sealed."""
    with Store.open(place / ".arena") as store:
        done = store.tournament("tiny")
        assert done is not None
        new = NewTournament(
            "half",
            done.game,
            done.game_version,
            done.ruleset,
            dict(done.config, name="half"),
            done.secret,
            done.entrants,
        )
        half = store.create_tournament(new)
        games = [store.game(info.public_id) for info in store.games("tiny", limit=None)]
        first = [full.game for full in games if full is not None and full.game.key.seating == 0]
        store.add_games(half.id, [replace(game, key=GameKey(*game.key)) for game in first])
        store.set_state(half.id, State.STOPPED)


def arena(folder: Path, *words: str) -> Ran:
    return piped(*words, folder=folder)


def test_ratings_print_heading_table_and_notes(folder: Path) -> None:
    lines = arena(folder, "ratings", "tiny").stdout.splitlines()
    assert lines[0].startswith("tiny: CrowsNest, single deals, clock 10s+0.1")
    assert lines[1].startswith("open seed")
    assert lines[2].startswith("place  bot")
    assert {line.split()[1] for line in lines[3:5]} == {"basic", "random"}
    assert "provisional: fewer than 100 blocks each" in lines[5]


def test_ratings_as_json_and_csv_have_the_same_rows(folder: Path) -> None:
    data = json.loads(arena(folder, "ratings", "tiny", "--json").stdout)["data"]
    rows = list(csv.DictReader(io.StringIO(arena(folder, "ratings", "tiny", "--csv").stdout)))
    assert [row["bot"] for row in rows] == [row["bot"] for row in data["standings"]]
    assert [float(row["rating"]) for row in rows] == [row["rating"] for row in data["standings"]]
    assert len(data["crosstable"]["bots"]) == 2
    pairs = list(csv.DictReader(io.StringIO(arena(folder, "ratings", "tiny", "--cross", "--csv").stdout)))
    assert {(row["bot"], row["against"]) for row in pairs} == {("basic", "random"), ("random", "basic")}
    assert float(pairs[0]["swing"]) == -float(pairs[1]["swing"])


def test_ratings_explain_names_every_block_of_a_bot(folder: Path) -> None:
    changes = json.loads(arena(folder, "ratings", "tiny", "--explain", "basic", "--json").stdout)["data"]["changes"]
    assert [change["board"] for change in changes] == [1, 2, 3]
    text = arena(folder, "ratings", "tiny", "--explain", "basic").stdout.splitlines()
    assert [line.split()[0] for line in text[2:]] == [change["block"] for change in changes]


def test_ratings_as_they_stood(folder: Path) -> None:
    now, then = (
        json.loads(arena(folder, "ratings", "tiny", "--json", *at).stdout)["data"] for at in ((), ("--at", "round:1"))
    )
    assert (now["at"], then["at"]) == (None, "the end of round 1")
    assert now["standings"] == then["standings"]
    assert now["structure"] is None  # two bots
    early = arena(folder, "ratings", "tiny", "--at", "2001-01-01").stdout.splitlines()
    assert "as it stood at 2001-01-01T23:59:59Z" in early
    assert early[-1].startswith("0 blocks complete")
    for text in ("yesterday", "round:9"):
        wrong = arena(folder, "ratings", "tiny", "--at", text)
        assert (wrong.status, wrong.error()["where"]) == (2, "--at")


def test_an_unknown_name_offers_the_nearest(folder: Path) -> None:
    ran = arena(folder, "ratings", "--tournament", "tinny")
    assert ran.status == 2
    assert "did you mean 'tiny'?" in ran.error()["fix"]


def test_nothing_played_is_status_5(tmp_path: Path) -> None:
    assert [arena(tmp_path, *words).status for words in (("ratings",), ("replay", "list"))] == [5, 5]


def test_replay_list_names_every_game(folder: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(arena(folder, "replay", "list", "--tournament", "tiny", "--csv").stdout)))
    assert [row["game"] for row in rows] == [
        f"tiny-r1-b{board}-t1-{seating}" for board in (1, 2, 3) for seating in (1, 2)
    ]
    assert arena(folder, "replay", "list", "--bot", "nobody", "--json").status == 0


def test_replay_show_tells_the_game_and_hides_what_a_seat_could_not_see(folder: Path) -> None:
    whole = arena(folder, "replay", "show", "tiny-r1-b1-t1-1", "--all-hands").stdout
    assert whole.startswith("CrowsNest")
    assert "@" not in whole
    assert len([line for line in whole.splitlines() if line.startswith("trick ")]) == 9
    declarer = next(line for line in whole.splitlines() if line.startswith("discard")).split()[1]
    other = ("SWNE".index(declarer) + 1) % 4
    theirs = arena(folder, "replay", "show", "tiny-r1-b1-t1-1", "--all-hands", "--seat", str(other)).stdout
    assert "nest" not in theirs
    assert next(line for line in theirs.splitlines() if line.startswith("discard")).endswith(" 5")


def test_replay_verify_checks_rules_and_cards(folder: Path) -> None:
    ran = arena(folder, "replay", "verify", "--tournament", "tiny")
    assert (ran.status, ran.stdout) == (
        0,
        "✓ 6 games: cards match the published seed, every move legal, scores equal\n",
    )


def test_a_changed_file_does_not_verify(folder: Path, tmp_path: Path) -> None:
    data = json.loads(arena(folder, "replay", "show", "tiny-r1-b1-t1-1", "--json").stdout)["data"]
    data["scores"][0] += 5
    (tmp_path / "changed.arena").write_text(json.dumps(data))
    (tmp_path / "broken.arena").write_text("{")
    ran = piped("replay", "verify", str(tmp_path))
    assert ran.status == 1
    assert [line[0] for line in ran.stdout.splitlines()] == ["✗", "✗", "2"]
    assert "rules give" in ran.stdout


def test_sealed_cards_are_refused_with_status_4(folder: Path) -> None:
    ran = arena(folder, "replay", "show", "half-r1-b1-t1-1")
    assert (ran.status, ran.stdout) == (4, "")
    assert "sealed" in ran.error()["error"]
    assert arena(folder, "replay", "verify", "half-r1-b1-t1-1").status == 4
    assert arena(folder, "replay", "verify", "--tournament", "half").status == 5


def test_games_without_a_complete_block_are_no_table_but_no_error(folder: Path) -> None:
    ran = arena(folder, "ratings", "half")
    assert ran.status == 0
    assert "0 blocks complete, 3 begun" in ran.stdout


def test_bench_measures_engines(folder: Path) -> None:
    ran = arena(folder, "bench", "--engines-only", "--game", "goat", "--seconds", "0.2", "--json")
    engines = json.loads(ran.stdout)["data"]["engines"]
    assert [figures["game"] for figures in engines] == ["goat"]
    assert engines[0]["decisions_per_s"] > 100
