"""What leaves a store and comes into another one: everything but sealed cards, and ratings are as they were."""

import csv
import json
import re
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from cli.terminal import Ran, piped
from postgres import Server

from arena.core.errors import TranscriptError
from arena.record.replay import verify
from arena.record.results import GameKey
from arena.record.transcript import from_data, without_words
from arena.runner.exports.coming import check
from arena.runner.exports.plain_text import read_games
from arena.store.store import Store
from arena.store.values import NewTournament, State, Void

CUP = 'name = "tiny"\ngame = "crowsnest"\nbots = ["basic", "random", "first"]\nboards = 2\nseed = "test"\n'
pytestmark = pytest.mark.xdist_group("exports")


def arena(folder: Path, *words: str) -> Ran:
    return piped(*words, folder=folder)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished tournament, one of which every board is sealed, and a void and a pruned game in the first."""
    place = tmp_path_factory.mktemp("cup")
    (place / "cup.toml").write_text(CUP.replace(', "first"', ""))
    ran = piped("tournament", "run", "cup.toml", "-q", folder=place)
    assert ran.status == 0, ran.stderr
    with Store.open(place / ".arena") as store:
        done = store.tournament("tiny")
        assert done is not None
        store.add_voids(done.id, [Void(GameKey(1, 1, 1, 0), 1, "LAG", ("basic", "random") * 2, {"ms": 7})])
        config = dict(done.config, name="half")
        fixed = (done.game, done.game_version, done.ruleset, config, done.secret, done.entrants)
        half = store.create_tournament(NewTournament("half", *fixed))
        games = [store.game(info.public_id) for info in store.games("tiny", limit=None)]
        store.add_games(half.id, [full.game for full in games if full is not None and full.game.key.seating == 0])
        store.set_state(half.id, State.STOPPED)
    return place


@pytest.fixture(scope="module")
def lines(folder: Path) -> Path:
    file = folder / "tiny.jsonl"
    ran = arena(folder, "export", "tiny", "--out", str(file))
    assert (ran.status, ran.stdout) == (0, f"{file}\n"), ran.stderr
    return file


def ratings(folder: Path, name: str, *words: str) -> dict[str, object]:
    ran = arena(folder, "ratings", "--tournament", name, "--json", *words)
    assert ran.status == 0, ran.stderr
    return dict(json.loads(ran.stdout)["data"])


def everything(place: Path | str, name: str = "tiny") -> list[object]:
    """All that is stored of a tournament, with its times."""
    with Store.open(place, create=False) as store:
        found = store.tournament(name)
        assert found is not None
        return [
            replace(found, id=0),
            list(store.full_games(found.id)),
            list(store.voids(found.id)),
            store.rounds(found.id),
            store.quarantines(found.id),
        ]


def test_a_tournament_comes_into_a_fresh_store_as_it_was(folder: Path, lines: Path, tmp_path: Path) -> None:
    ran = arena(tmp_path, "import", str(lines))
    assert (ran.status, ran.stdout) == (0, "tiny: 4 of 4 games are new, 4 were played again by the rules\n"), ran.stderr
    assert everything(tmp_path / ".arena") == everything(folder / ".arena")
    assert ratings(tmp_path, "tiny") == ratings(folder, "tiny")
    again = arena(tmp_path, "import", str(lines), "--json")
    assert json.loads(again.stdout)["data"][0]["new"] == 0
    assert everything(tmp_path / ".arena") == everything(folder / ".arena")
    verified = arena(tmp_path, "replay", "verify", "--tournament", "tiny")
    assert "cards match the published seed" in verified.stdout


@pytest.mark.needs("postgres")
def test_a_tournament_moves_to_a_server(folder: Path, lines: Path, tmp_path: Path, server: Server) -> None:
    url = server.new_schema()
    (tmp_path / "arena.toml").write_text(f'store = "{url}"\n')
    assert arena(tmp_path, "import", str(lines)).status == 0
    assert not (tmp_path / ".arena" / "arena.db").exists()
    assert everything(url) == everything(folder / ".arena")
    assert ratings(tmp_path, "tiny") == ratings(folder, "tiny")
    status = arena(tmp_path, "tournament", "status", "tiny", "--json")
    assert status.status == 0, status.stderr
    assert json.loads(status.stdout)["data"][0]["games"] == 4
    assert "first" not in arena(tmp_path, "replay", "list").stdout


def test_it_may_come_in_under_another_name(lines: Path, tmp_path: Path) -> None:
    assert arena(tmp_path, "import", str(lines)).status == 0
    assert arena(tmp_path, "import", str(lines), "--as", "copy").status == 0
    first, second = ratings(tmp_path, "tiny"), ratings(tmp_path, "copy")
    assert first.pop("tournament") != second.pop("tournament")
    assert first == second
    shown = arena(tmp_path, "replay", "show", "copy-r1-b1-t1-1")
    assert shown.status == 0, shown.stderr


def changed(lines: Path, file: Path, number: int, old: str, new: str) -> Path:
    every = lines.read_text().splitlines(keepends=True)
    assert old in every[number]
    every[number] = every[number].replace(old, new, 1)
    file.write_text("".join(every))
    return file


def first_game(lines: Path) -> int:
    return next(number for number, line in enumerate(lines.read_text().splitlines()) if '"kind":"game"' in line)


def test_what_differs_from_what_is_stored_is_refused_whole(lines: Path, tmp_path: Path) -> None:
    assert arena(tmp_path, "import", str(lines)).status == 0
    before = everything(tmp_path / ".arena")
    other = changed(lines, tmp_path / "other.jsonl", first_game(lines), '"ranks":[', '"ranks":[1')
    ran = arena(tmp_path, "import", str(other), "--no-verify")
    assert (ran.status, ran.error()["code"].split()[0]) == (2, "CHANGED")
    assert "tiny-r1-b1-t1-1: stored with other ranks" in ran.error()["saw"]
    assert everything(tmp_path / ".arena") == before


def test_a_game_that_does_not_agree_with_the_rules_is_refused(lines: Path, tmp_path: Path) -> None:
    number = first_game(lines)
    line = lines.read_text().splitlines()[number]
    bid = re.search(r'"move":"(bid \d+)"', line)
    assert bid is not None
    other = changed(lines, tmp_path / "other.jsonl", number, bid[1], "bid 300")
    ran = arena(tmp_path, "import", str(other))
    assert (ran.status, ran.error()["code"].split()[0]) == (2, "CHANGED")
    assert "1 games of" in ran.error()["error"]
    with Store.open(tmp_path / ".arena") as store:
        assert store.tournaments() == []
    assert arena(tmp_path, "import", str(other), "--no-verify").status == 0


BROKEN = [
    ("cut", lambda text: text[: len(text) // 2].rpartition("\n")[0] + "\n", "not whole"),
    ("half a line", lambda text: text[:-20], "no JSON"),
    ("no games", lambda text: "", "KeyError"),
    ("another format", lambda text: text.replace("arena.results/1", "arena.results/9", 1), "expected arena.results/1"),
    ("no time zone", lambda text: text.replace('Z","transcript"', '","transcript"', 1), "names no time zone"),
    ("another secret", lambda text: re.sub(r'"secret":"..', '"secret":"00', text, count=1), "hash was published"),
    ("a stranger", lambda text: text.replace('"bots":["basic"', '"bots":["cat"', 3), "not in the tournament"),
    ("a list", lambda text: "[]\n" + text, "no object"),
]


@pytest.mark.parametrize(("what", "damage", "said"), BROKEN, ids=[each[0] for each in BROKEN])
def test_a_damaged_file_is_refused_with_its_place(what: str, damage, said: str, lines: Path, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "broken.jsonl"
    file.write_text(damage(lines.read_text()))
    with (
        Store.open(tmp_path / ".arena") as store,
        pytest.raises(TranscriptError) as refused,
    ):
        check(store, file, None, rules=False, tell=lambda _: None)
    error = refused.value
    assert error.where.startswith(str(file)), what
    assert said in f"{error.message} {error.fix}"


def test_sealed_cards_never_leave(folder: Path, tmp_path: Path) -> None:
    secret = "Nobody knows"
    for ending in ("jsonl", "csv", "txt", "zip", "parquet"):
        file = tmp_path / f"half.{ending}"
        ran = arena(folder, "export", "half", "--out", str(file))
        assert ran.status == 0, ran.stderr
        if ending in ("jsonl", "txt", "zip"):
            assert "2 of 2 games are on sealed boards" in ran.stderr
    archive = zipfile.ZipFile(tmp_path / "half.zip")
    texts = [archive.read(name).decode() for name in archive.namelist()]
    texts += [(tmp_path / f"half.{ending}").read_text() for ending in ("jsonl", "csv", "txt")]
    for text in texts:
        assert "view_key" not in text
        assert "dealer" not in text
        assert "bid " not in text
        assert secret not in text
    first, *_ = (json.loads(line) for line in (tmp_path / "half.jsonl").read_text().splitlines())
    assert first["secret"] is None
    assert "seed" not in first["config"], "the cards could be told from it"
    ran = arena(tmp_path, "import", str(tmp_path / "half.jsonl"))
    assert ran.status == 0, ran.stderr
    assert arena(tmp_path, "replay", "show", "half-r1-b1-t1-1").status == 4
    (tmp_path / "cup.toml").write_text((folder / "cup.toml").read_text().replace('"tiny"', '"half"'))
    again = arena(tmp_path, "tournament", "run", "cup.toml")
    assert (again.status, "without the secret" in again.error()["error"]) == (2, True)
    first_one, *_ = read_games((tmp_path / "half.txt").read_text().splitlines())
    assert first_one.transcript is None


def test_text_comes_back_as_it_was_but_for_words(folder: Path) -> None:
    ran = arena(folder, "export", "tiny", "--format", "text")
    games = list(read_games(ran.stdout.splitlines(), "stdout"))
    with Store.open(folder / ".arena") as store:
        found = store.tournament("tiny")
        assert found is not None
        stored = [from_data(dict(full.game.result.transcript)) for full in store.full_games(found.id)]
    assert [game.transcript for game in games] == [without_words(each) for each in stored]
    assert [game.tags["Seat0"] for game in games] == ["basic", "random"] * 2
    for game in games:
        assert game.transcript is not None
        verify(game.transcript)


def test_csv_and_parquet_say_the_same_as_the_store(folder: Path, tmp_path: Path) -> None:
    import duckdb

    assert arena(folder, "export", "tiny", "--out", str(tmp_path / "games.csv")).status == 0
    assert arena(folder, "export", "tiny", "--out", str(tmp_path / "games.parquet")).status == 0
    rows = list(csv.DictReader((tmp_path / "games.csv").read_text().splitlines()))
    with Store.open(folder / ".arena") as store:
        infos = store.games("tiny", limit=None)
    assert [row["game"] for row in rows] == [info.public_id for info in infos]
    assert [float(row["score2"]) for row in rows] == [info.row.scores[2] for info in infos]
    assert [row["bot1"] for row in rows] == [info.row.bots[1] for info in infos]
    assert {row["stored"][-1] for row in rows} == {"Z"}
    with duckdb.connect() as connection:
        query = "SELECT game, board, score2, stored FROM read_parquet(?) ORDER BY board, seating"
        found = connection.execute(query, [str(tmp_path / "games.parquet")]).fetchall()
        kinds = [kind[1] for kind in connection.execute(query, [str(tmp_path / "games.parquet")]).description]
    assert [row[:3] for row in found] == [(info.public_id, info.row.key.board, info.row.scores[2]) for info in infos]
    assert [str(kind) for kind in kinds] == ["VARCHAR", "BIGINT", "DOUBLE", "TIMESTAMP WITH TIME ZONE"]


def test_blocks_are_those_of_the_table(folder: Path) -> None:
    rows = list(csv.DictReader(arena(folder, "export", "tiny", "--blocks").stdout.splitlines()))
    table = ratings(folder, "tiny")
    assert len(rows) == 2
    assert {(row["bot0"], row["bot1"]) for row in rows} == {("basic", "random")}
    standings = {row["bot"]: row for row in table["standings"]}  # type: ignore[attr-defined]
    mean = sum(float(row["swing0"]) for row in rows) / 2
    assert standings["basic"]["points_per_block"] == pytest.approx(mean)


def test_anonymous_names_agree_in_all_formats_and_tell_nothing(folder: Path, tmp_path: Path) -> None:
    texts = {}
    for format in ("jsonl", "csv", "text"):
        ran = arena(folder, "export", "tiny", "--format", format, "--anonymous")
        assert ran.status == 0, ran.stderr
        texts[format] = ran.stdout
        assert not re.search(r"basic|random|house|note", ran.stdout), format
    games = [json.loads(line) for line in texts["jsonl"].splitlines() if '"kind":"game"' in line]
    rows = list(csv.DictReader(texts["csv"].splitlines()))
    told = list(read_games(texts["text"].splitlines()))
    assert [game["bots"][1] for game in games] == [row["bot1"] for row in rows] == [one.tags["Seat1"] for one in told]
    (tmp_path / "anonymous.jsonl").write_text(texts["jsonl"])
    assert arena(tmp_path, "import", "anonymous.jsonl").status == 0
    plain, masked = ratings(folder, "tiny"), ratings(tmp_path, "tiny")
    assert [row["rating"] for row in plain["standings"]] == [row["rating"] for row in masked["standings"]]  # type: ignore[attr-defined]
    assert {row["bot"] for row in masked["standings"]} == {"bot1", "bot2"}  # type: ignore[attr-defined]


def test_a_file_is_replaced_only_when_told(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    file.write_text("mine")
    ran = arena(folder, "export", "tiny", "--out", str(file))
    assert (ran.status, file.read_text()) == (2, "mine")
    assert arena(folder, "export", "tiny", "--out", str(file), "--force").status == 0
    assert file.read_text().startswith("game,tournament,")
    assert [each.name for each in tmp_path.iterdir()] == ["games.csv"]


@pytest.mark.parametrize("words", [("--format", "parquet"), ("--out", "x.doc"), ("--format", "text", "--blocks")])
def test_what_cannot_be_written_is_told(folder: Path, words: tuple[str, ...]) -> None:
    ran = arena(folder, "export", "tiny", *words)
    assert ran.status == 2
    assert ran.error()["fix"]
