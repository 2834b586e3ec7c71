"""A tournament as files: every link leads somewhere, the same rows in every form, and nothing that may not leave."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from cli.terminal import piped
from record.compare.boards import SECRET
from web.offline.conftest import Commanded, Copy
from web.offline.copies import DETAIL, EVENT, EVIL, NAMES, Page, everything, island, stored

from arena.core.errors import ArenaError, ConfigError
from arena.runner.exports.anonymous import Names
from arena.store.values import State
from arena.web.offline import replays
from arena.web.offline.copying import Source
from arena.web.offline.places import INDEX, safe
from arena.web.offline.writing import MARK, write_site

pytestmark = pytest.mark.xdist_group("offline")
NOTE = "alert(1)"
"""Of what every bot of the event notes."""


def pages(copy: Copy | Commanded) -> Iterator[tuple[Path, Page]]:
    for each in sorted(copy.folder.rglob("*.html")):
        yield each, Page(each.read_text(encoding="utf-8"))


def test_every_link_leads_to_a_file_of_the_copy(copy: Copy, sealed: Commanded) -> None:
    for one in (copy, sealed):
        wrong = []
        for file, page in pages(one):
            for link in page.links:
                parts = urlsplit(link)
                there = (file.parent / unquote(parts.path)).resolve() if parts.path else file
                inside = not parts.scheme and not parts.netloc and not link.startswith("/")
                if not (inside and there.is_file() and there.is_relative_to(one.folder)):
                    wrong.append(f"{file.name}: {link}")
                elif parts.fragment and there == file and parts.fragment not in page.ids:
                    wrong += [] if parts.fragment.startswith(("card-", "suit-")) else [f"{file.name}: {link}"]
        assert wrong == []
        markup = "\n".join(
            text for name, text in everything(one.folder).items() if name.endswith((".html", "positions"))
        )
        assert "http:" not in markup
        assert "https:" not in markup


def test_every_page_is_reached_from_the_first_one(copy: Copy) -> None:
    waiting, known = [copy.folder / INDEX], {copy.folder / INDEX}
    while waiting:
        file = waiting.pop()
        for link in Page(file.read_text(encoding="utf-8")).links:
            there = (file.parent / unquote(urlsplit(link).path)).resolve()
            if there not in known and there.suffix == ".html":
                known.add(there)
                waiting.append(there)
    assert known == set(copy.folder.rglob("*.html"))


@pytest.mark.parametrize(
    ("page", "data", "key"),
    [
        (INDEX, f"t/{EVENT}", "standings"),
        (f"t/{EVENT}/boards.html", f"t/{EVENT}/boards", "boards"),
        (f"t/{EVENT}/b/1.html", f"t/{EVENT}/b/1", "tables"),
        ("bot/Zanzibar/opponents.html", "bot/Zanzibar/opponents", "opponents"),
        ("bot/Zanzibar/vs/Quagga.html", "bot/Zanzibar/vs/Quagga", "blocks"),
    ],
)
def test_tables_csv_and_json_have_the_same_rows(copy: Copy, page: str, data: str, key: str) -> None:
    text = copy.page(page)
    table = re.search(r'<div class="sheet[^>]*>.*?</table>', text, re.DOTALL)
    assert table is not None
    rows = list(csv.DictReader(io.StringIO(copy.page(f"{data}.csv"))))
    document = json.loads(copy.page(f"{data}.json"))["data"]
    listed = document[key]
    assert len(rows) == len(listed) == Page(table[0]).rows - 1 > 0


def test_names_and_words_from_outside_are_text(copy: Copy) -> None:
    for file, page in pages(copy):
        assert page.runs == [], file.name
    told = everything(copy.folder)
    markup = [text for name, text in told.items() if name.endswith((".html", "positions"))]
    assert not [text for text in markup if EVIL in text or "<script>alert" in text]
    assert any("&lt;img src=x onerror=alert(7)&gt;" in text for text in markup)
    assert (copy.folder / f"bot/{safe(EVIL)}.html").is_file()


def test_games_have_all_positions_and_share_what_is_the_same(copy: Copy) -> None:
    games = sorted((copy.folder / "g").iterdir())
    assert len(games) == copy.written.replays == 12
    assert f"All {len(games)} games can be stepped through" in copy.page(INDEX)
    for each in games:
        text = each.read_text(encoding="utf-8")
        assert set(island(text)["at"]) == {"all", "0", "1", "2", "3"}
        assert "<symbol" not in text
        assert f'"board":"../t/{EVENT}/b/' in text
        assert each.stat().st_size < 120_000
    assert "<symbol" in (copy.folder / "static/cards-rook.js").read_text(encoding="utf-8")


def test_sealed_boards_stay_sealed(sealed: Commanded) -> None:
    assert len(list((sealed.folder / "g").iterdir())) == 6
    assert "5 games are on sealed boards" in sealed.page(INDEX)
    assert ">running</span>" in sealed.page(INDEX)
    assert not (sealed.folder / f"t/{EVENT}/b/2.html").exists()
    assert [each.name for each in (sealed.folder / "g").iterdir() if "-b2-" in each.name] == []
    lines = [json.loads(line) for line in sealed.page(f"t/{EVENT}/files/results.jsonl").splitlines()]
    games = [line for line in lines if line["kind"] == "game"]
    assert {game["board"]: game["transcript"] is None for game in games} == {1: False, 2: True}
    assert not [name for name, text in everything(sealed.folder).items() if SECRET.hex() in text]


def test_notes_stay_out(copy: Copy, sealed: Commanded) -> None:
    for one in (copy, sealed):
        assert not [name for name, text in everything(one.folder).items() if NOTE in text]


def test_notes_come_along_when_they_are_asked_for_and_a_zip_is_the_folder(tmp_path: Path) -> None:
    store, tournament = stored(tmp_path / "data")
    with store:
        made = write_site(Source(store, tournament, notes=True), tmp_path / "out.zip", most=7)
    assert (made.replays, made.chosen.left_out, made.bytes) == (6, 6, (tmp_path / "out.zip").stat().st_size)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["data", "out.zip"]
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        archive.extractall(tmp_path / "all")
    copy = Copy(tmp_path / "all/out", made)
    assert "6 of 12 games can be stepped through: those of the 1 board on which" in copy.page(INDEX)
    assert len(list((copy.folder / "g").iterdir())) == 6
    told = everything(copy.folder)
    noted = [name for name, text in told.items() if NOTE in text]
    assert noted
    assert all(name.startswith("g/") for name in noted)
    assert not [name for name in noted if "<script>alert(1)" in told[name]]


def test_other_names_leave_nothing_of_the_old_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "FEW", 0)  # by several processes
    store, tournament = stored(tmp_path / "data")
    names = Names(tournament, b"k" * 32)
    with store:
        write_site(Source(store, tournament, names), tmp_path / "out")
    told = everything(tmp_path / "out")
    for name in (*NAMES.values(), DETAIL, NOTE, "is mine", *(f"bots/{each}" for each in NAMES)):
        assert not [file for file, text in told.items() if name in text or name in file], name
    assert {names(name) for name in NAMES.values()} == {"bot1", "bot2", "bot3"}
    for new in ("bot1", "bot2", "bot3"):
        assert f"bot/{new}.html" in told
    lineups = json.loads(told[f"t/{EVENT}/schedule-round-1.json"])["data"]["lineups"]
    games = csv.DictReader(io.StringIO(told[f"t/{EVENT}/files/games.csv"]))
    at = {
        (row["table"], frozenset(value for key, value in row.items() if key.startswith("bot") and value))
        for row in games
    }
    assert at == {(str(line["table"]), frozenset(line["lineup"])) for line in lineups}


def test_nothing_is_written_while_all_is_sealed(tmp_path: Path) -> None:
    store, tournament = stored(tmp_path / "data", leave=7, state=State.RUNNING)
    with store, pytest.raises(ArenaError, match="all boards of 'autumn' are sealed") as raised:
        write_site(Source(store, tournament), tmp_path / "out")
    assert raised.value.code == "NOT_ALLOWED"
    assert [each.name for each in tmp_path.iterdir()] == ["data"]


def test_an_interrupt_leaves_no_half_copy_and_the_older_one_whole(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / MARK).write_text("{}")

    def interrupted(what: str, done: int, _total: int | None) -> None:
        if what == "pages" and done > 2:
            raise KeyboardInterrupt

    store, tournament = stored(tmp_path / "data")
    with store, pytest.raises(KeyboardInterrupt):
        write_site(Source(store, tournament), out, replace=True, tell=interrupted)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["data", "out"]
    assert [each.name for each in out.iterdir()] == [MARK]


def test_only_an_older_copy_is_replaced(tmp_path: Path) -> None:
    store, tournament = stored(tmp_path / "data", leave=7, state=State.RUNNING)
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.txt").write_text("years of work")
    with store:
        for replace in (False, True):
            with pytest.raises(ConfigError, match="is there already") as raised:
                write_site(Source(store, tournament), mine, replace=replace)
            assert raised.value.code == "FILE_EXISTS"
            assert "no copy of a tournament" in raised.value.saw
        with pytest.raises(ConfigError, match="no folder"):
            write_site(Source(store, tournament), tmp_path / "none/out")
    assert (mine / "thesis.txt").read_text() == "years of work"


def test_the_command_says_what_a_copy_has(sealed: Commanded) -> None:
    told = json.loads(sealed.ran.stdout)["data"]
    assert told["file"] == f"{EVENT}-pages"
    assert (told["games"], told["replays"], told["left_out"], told["sealed"]) == (11, 6, 0, 5)
    assert told["files"] == sum(each.is_file() for each in sealed.folder.rglob("*"))
    assert "5 of 11 games are on sealed boards" in sealed.ran.stderr


def test_the_command_refuses_what_does_not_fit(tmp_path: Path) -> None:
    store, _ = stored(tmp_path / ".arena", leave=7, state=State.STOPPED)
    store.close()
    assert piped("export", EVENT, "--format", "html", folder=tmp_path).status == 4
    for words in (["--format", "html", "--notes", "--anonymous"], ["--most", "3"]):
        assert piped("export", EVENT, *words, folder=tmp_path).status == 2
