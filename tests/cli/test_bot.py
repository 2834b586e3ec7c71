"""`arena bot` end to end with the Python template: new, check, add, list, show, logs, retire."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
import zipfile
from pathlib import Path
from typing import Any

import pytest
from cli.terminal import Ran, piped

from arena.bots.manifest import read_bot
from arena.store.store import Store
from arena.store.values import State

CUP = """
name = "spring"
game = "goat"
boards = 1
bots = ["fox", "random"]
seed = "lesson 3"
[clock]
bank = 120
cap = 60
"""


def data_of(ran: Ran) -> Any:
    assert ran.stdout, ran.stderr
    return json.loads(ran.stdout)["data"]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A working folder with a new bot for one game."""
    assert piped("bot", "new", "fox", "--game", "goat", folder=tmp_path).stdout == "fox\n"
    return tmp_path


def edit(place: Path, old: str = "max(turn.cards", new: str = "min(turn.cards") -> None:
    main = place / "fox" / "main.py"
    assert old in main.read_text()
    main.write_text(main.read_text().replace(old, new))


def test_new_makes_a_folder_that_passes_its_check(place: Path) -> None:
    ran = piped("bot", "check", "./fox", folder=place)
    lines = ran.stdout.splitlines()
    assert ran.status == 0, ran.stdout
    assert [line.split()[1] for line in lines[:12]] == [str(number) for number in range(1, 13)]
    assert lines[-1] == f"passed: fox {read_bot(place / 'fox').version[:12]}"
    again = piped("bot", "new", "fox", folder=place)
    assert (again.status, again.error()["error"]) == (2, "fox exists already")


def test_new_as_json_lists_the_files(tmp_path: Path) -> None:
    data = data_of(piped("bot", "new", "owl", "--dir", "bots", "--json", folder=tmp_path))
    assert data["folder"] == "bots/owl"
    assert all((tmp_path / file).is_file() for file in data["files"])


def test_a_line_of_strategy_takes_effect(tmp_path: Path) -> None:
    """The template plays its highest card; turned round, it plays its lowest."""
    piped("bot", "new", "fox", folder=tmp_path)

    def cards() -> list[str]:
        ran = piped("play", "crow_and_pitcher", "./fox", "random", "random", "random", "--board", "7", folder=tmp_path)
        game = json.loads(Path(ran.stderr.splitlines()[0].removeprefix("replay: ")).read_text())
        return [move["move"] for move in game["moves"] if move["seat"] == 0]

    before = cards()
    assert cards() == before
    edit(tmp_path)
    assert cards() != before


def test_a_failed_check_tells_what_was_sent_and_what_came_back(place: Path) -> None:
    (place / "fox" / "main.py").write_text(
        "import sys\nfrom arena_bot import Bot, run\n\n\nclass Fox(Bot):\n    def any_move(self, turn):\n"
        "        print('think \\x1b[2J', file=sys.stderr)\n        raise ValueError('no idea')\n\n\nrun(Fox)\n"
    )
    ran = piped("bot", "check", "./fox", folder=place)
    assert ran.status == 1
    text = ran.stdout
    assert "✗  4 games        CRASH: " in text
    for words in (
        "demanded:  it plays",
        "where:     goat, seat 0, turn ",
        "sent:      ruleset goat",
        "legal ",
        "hand ",
    ):
        assert words in text
    assert "came back: fox exited with status 1" in text
    assert "ValueError: no idea" in text
    assert "\x1b" not in text
    assert text.splitlines()[-1] == "failed: 1 step, yours to fix"
    data = data_of(piped("bot", "check", "./fox", "--json", folder=place))
    failed = data["steps"][3]
    assert (data["passed"], failed["state"], failed["sent"]["ruleset"]) == (False, "failed", "goat")
    assert failed["sent"]["view"]["hand"]
    assert any("ValueError: no idea" in line for line in failed["output"])
    shown = piped("bot", "logs", "fox", "--last", folder=place)
    assert r"think \x1b[2J" in shown.stdout
    assert shown.stdout.startswith("== check: process 1, start 1  (")
    table = list(csv.DictReader(io.StringIO(piped("bot", "check", "./fox", "--csv", folder=place).stdout)))
    assert [row["state"] for row in table][:5] == ["ok", "ok", "ok", "failed", "not run"]


def test_versions_come_in_are_shown_play_and_are_retired(place: Path) -> None:
    added = piped("bot", "add", "fox", "--message", "first try", folder=place)
    version = read_bot(place / "fox").version
    assert (added.status, added.stdout) == (0, f"added fox v1 (sha256 {version[:12]}...)\n"), added.stderr
    assert "✓ 13 self-play" in added.stderr
    assert piped("bot", "add", "fox", folder=place).stdout == "already there as v1\n"
    kept = place / ".arena" / "bots"
    assert [path.name for path in kept.iterdir() if path.name != ".lock"] == [version]
    assert kept.stat().st_mode & 0o777 == 0o700

    edit(place)
    archive = place / "fox.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for file in sorted((place / "fox").iterdir()):
            packed.write(file, f"fox/{file.name}")
    second = data_of(piped("bot", "add", "fox.zip", "--message", "plays low", "--json", folder=place))
    assert (second["bot"], second["number"], second["added"], len(second["steps"])) == ("fox", 2, True, 13)
    assert second["version"] == read_bot(place / "fox").version

    assert [row["number"] for row in data_of(piped("bot", "list", "--json", folder=place))] == [2]
    rows = list(csv.DictReader(io.StringIO(piped("bot", "list", "--all-versions", "--csv", folder=place).stdout)))
    assert [(row["bot"], row["number"], row["message"]) for row in rows] == [
        ("fox", "1", "first try"),
        ("fox", "2", "plays low"),
    ]
    assert data_of(piped("bot", "list", "--game", "crowsnest", "--json", folder=place)) == []
    assert "house bots: basic" in piped("bot", "list", folder=place).stderr

    assert piped("bot", "retire", "fox@2", folder=place).stdout == "retired fox v2\n"
    assert piped("bot", "retire", "fox@2", folder=place).stdout == "fox@2 was retired before\n"
    played = piped("play", "goat", "fox", "random", "--n", "2", "--json", folder=place)
    assert played.status == 0
    game = json.loads(Path(data_of(played)[0]["replay"]).read_text())
    assert f"fox@{version[:12]}" in game["bots"]
    assert piped("bot", "add", "fox", folder=place).stdout == "already there as v2, ready again\n"
    assert piped("bot", "retire", "fox", folder=place).stdout == "retired fox v1, fox v2\n"
    gone = piped("play", "goat", "fox.old", "random", folder=place)
    assert gone.error()["code"].startswith("NO_BOT")


def test_a_registered_bot_in_a_tournament_is_shown_with_its_row_and_its_logs_stay_sealed(place: Path) -> None:
    main = place / "fox" / "main.py"
    main.write_text(main.read_text().replace("if __name__", 'print("fox is here", flush=True)\nif __name__'))
    assert piped("bot", "add", "fox", "-q", folder=place).status == 0
    (place / "fox").rename(place / "source")
    (place / "cup.toml").write_text(CUP)
    ran = piped("tournament", "run", "cup.toml", "--workers", "1", folder=place)
    assert ran.status == 0, ran.stderr

    shown = data_of(piped("bot", "show", "fox", "--json", folder=place))
    assert (shown["bot"], shown["source"], shown["manifest"]["games"]) == ("fox", "registered", ["goat"])
    [row] = shown["tournaments"]
    assert (row["tournament"], row["state"], row["standing"]["blocks"], row["faults"]) == ("spring", "finished", 1, {})
    assert row["version"] == shown["versions"][0]["version"]
    assert {game["game"] for game in shown["games"]} == {"spring-r1-b1-t1-1", "spring-r1-b1-t1-2"}
    text = piped("bot", "show", "fox@1", folder=place).stdout
    assert text.startswith("fox (registered)\n")
    assert re.search(r"^spring +goat +finished +[0-9a-f]{12} +\S+ ", text, re.MULTILINE)
    house = data_of(piped("bot", "show", "random", "--json", folder=place))
    assert (house["source"], len(house["tournaments"]), len(house["games"])) == ("house", 1, 2)
    [line] = csv.DictReader(io.StringIO(piped("bot", "show", "fox", "--csv", folder=place).stdout))
    assert (line["tournament"], line["blocks"]) == ("spring", "1")

    logs = data_of(piped("bot", "logs", "fox", "--game", "spring-r1-b1-t1-2", "--json", folder=place))
    texts = {(log["event"], log["seating"], log["text"].partition("[arena: ")[0]) for log in logs}
    assert texts == {("spring", 2, "fox is here\n")}
    assert len(logs) == 2
    faults = piped("bot", "logs", "fox", "--faults", folder=place)
    assert (faults.status, faults.stdout) == (0, "")

    seal(place / ".arena")
    sealed = piped("bot", "logs", "fox", "--game", "spring-r1-b1-t1-1", folder=place)
    assert (sealed.status, sealed.stdout, sealed.error()["code"][:11]) == (4, "", "NOT_ALLOWED")
    last = piped("bot", "logs", "fox", folder=place)
    assert last.stdout.startswith("== check: ")
    assert "4 logs are left out" in last.stderr


def seal(data: Path) -> None:
    """Make it as if a game of the only board were still to be played."""
    with Store.open(data) as store:
        store.set_state(next(iter(store.tournaments())).id, State.RUNNING)
    with sqlite3.connect(data / "arena.db") as raw:
        raw.execute("DELETE FROM transcript WHERE game_id = 2")
        raw.execute("DELETE FROM game WHERE id = 2")
        raw.commit()
    raw.close()


def test_a_bot_that_fails_is_refused_with_its_step_and_leaves_nothing(place: Path) -> None:
    edit(place, "import Bot, run", "import Bot, run, no_such_thing")
    ran = piped("bot", "add", "fox", "-q", folder=place)
    assert ran.status == 1
    assert "✗  3 hello" in ran.stdout
    assert "cannot import name 'no_such_thing'" in ran.stdout
    assert ran.stdout.splitlines()[-1] == "refused: fox is not added, it fails step 3 (hello)"
    data = data_of(piped("bot", "add", "fox", "--json", folder=place))
    assert (data["added"], data["steps"][2]["state"]) == (False, "failed")
    assert [each for each in (place / ".arena" / "bots").iterdir() if each.name != ".lock"] == []
    assert data_of(piped("bot", "list", "--json", folder=place)) == []


def test_a_hostile_archive_is_refused(place: Path) -> None:
    with zipfile.ZipFile(place / "evil.zip", "w") as packed:
        packed.write(place / "fox" / "bot.toml", "bot.toml")
        packed.writestr("../evil\x1b[2J", "x")
    ran = piped("bot", "add", "evil.zip", folder=place)
    assert (ran.status, ran.error()["code"][:11]) == (1, "BAD_ARCHIVE")
    assert r"'../evil\x1b[2J'" in ran.error()["error"]
    assert not (place.parent / "evil\x1b[2J").exists()


@pytest.mark.parametrize(
    ("words", "status", "code"),
    [
        (("bot", "show", "nobody"), 2, "NO_BOT"),
        (("bot", "show", "nobody@3"), 2, "NO_BOT"),
        (("bot", "retire", "nobody"), 2, "NO_BOT"),
        (("bot", "logs", "nobody"), 5, "NO_LOG"),
        (("bot", "logs", "nobody", "--game", "spring-r1-b1-t1-1"), 2, "NO_GAME"),
        (("bot", "logs", "fox", "--last", "--faults"), 2, "USAGE"),
        (("bot", "check", "nobody"), 2, "NO_BOT"),
        (("bot", "add", "nothing.zip"), 2, "NO_BOT"),
        (("bot", "list", "--game", "chess"), 2, "BAD_GAME"),
    ],
)
def test_what_cannot_be_done_has_its_status_and_code(
    tmp_path: Path, words: tuple[str, ...], status: int, code: str
) -> None:
    ran = piped(*words, folder=tmp_path)
    assert (ran.status, ran.error()["code"].split()[0]) == (status, code)


def test_an_empty_list_is_an_answer(tmp_path: Path) -> None:
    ran = piped("bot", "list", folder=tmp_path)
    assert (ran.status, ran.stdout) == (0, "")
    assert "no registered bot yet" in ran.stderr
    assert not (tmp_path / ".arena").exists()
