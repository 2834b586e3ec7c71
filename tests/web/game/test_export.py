"""`arena replay export`: one file with every position, which asks nothing of anybody."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest
from cli.terminal import piped
from web.game.cups import FAMILIES, HOSTILE, THROWN, filled, first_of, opened, words

from arena.record.transcript import to_json
from arena.store.values import State
from arena.web.games.exported import FORMAT, export
from arena.web.games.positions import Shown, pieces
from arena.web.site import Site
from arena.web.table import cards


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("exported")


@pytest.fixture(scope="module")
def site(folder: Path) -> Site:
    return filled(folder / ".arena")


def island(text: str) -> Any:  # Any: JSON
    found = re.search(r'id="arena-positions" data-format="([^"]*)"[^>]*>([A-Za-z0-9+/=]+)</script>', text)
    assert found is not None
    assert found[1] == FORMAT
    data: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(found[2])))
    return {**data, "pieces": ["\n".join(data["lines"][line] for line in piece) for piece in data["pieces"]]}


@pytest.mark.parametrize("family", FAMILIES)
def test_a_file_has_every_position_as_the_site_shows_it(site: Site, family: str) -> None:
    found, replay = opened(site, first_of(family))
    text = export(found, replay)
    data = island(text)
    assert set(data["at"]) == {"all", *map(str, range(replay.game.seats))}
    assert {len(rows) for rows in data["at"].values()} == {replay.last + 1}
    shown = Shown(found, replay, links=False)
    for asked, turn in (("all", 0), ("1", 7), ("2", replay.last)):
        made = pieces(shown, turn, asked)
        told = [data["pieces"][place] for place in data["at"][asked][turn][:4]]
        assert told == [made.moves.replace(' aria-current="true"', ""), made.table, made.decision, made.why]
        assert data["at"][asked][turn][4] == made.said
    assert len(text) < 400_000


def test_a_file_leads_nowhere_and_runs_only_what_it_names(site: Site) -> None:
    text = export(*opened(site, THROWN))
    markup = text + "".join(island(text)["pieces"])
    assert set(re.findall(r'(?:href|src)="([^"#?]*)', markup)) <= {""}
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert policy[1].startswith("default-src &#39;none&#39;")
    for kind in ("script", "style"):
        inline = re.findall(rf"<{kind}>(.*?)</{kind}>", text, re.DOTALL)
        assert len(inline) == 1
        digest = base64.b64encode(hashlib.sha256(inline[0].encode()).digest()).decode()
        assert f"{kind}-src" in policy[1]
        assert digest in policy[1].replace("&#43;", "+")
    assert "alert(1)" not in markup


def test_notes_go_in_when_asked_for_and_are_text(site: Site) -> None:
    found, replay = opened(site, THROWN)
    text = export(found, replay, notes=frozenset(range(4)))
    whole = "".join(island(text)["pieces"])
    assert HOSTILE not in whole
    assert "&lt;script&gt;alert(1)" in whole
    assert "<script>alert" not in text + whole


@pytest.mark.parametrize("family", FAMILIES)
def test_the_file_of_a_seat_has_nothing_that_it_could_not_know(site: Site, family: str) -> None:
    found, replay = opened(site, first_of(family))
    text = export(found, replay, seat=2)
    data = island(text)
    assert set(data["at"]) == {"2"}
    every = set(cards.pack(replay.family))
    known: set[str] = set()
    for turn, row in enumerate(data["at"]["2"]):
        known |= words(replay.view(turn, 2)) & every
        markup = "".join(data["pieces"][place] for place in row[:4])
        shown = set(re.findall(r"#card-(\w+)\"", markup)) & every
        assert shown <= words(replay.view(turn, 2)), turn
    body = re.sub(r'<svg class="sprite".*?</svg>(?=\s)', "", text, flags=re.DOTALL)
    assert (set(re.findall(r"#card-(\w+)\"", body)) & every) <= known
    assert 'class="up"' not in body


def test_the_command_writes_a_file(site: Site, folder: Path) -> None:
    done = piped("replay", "export", THROWN, "game.html", folder=folder)
    assert (done.status, done.stderr) == (0, "")
    found, replay = opened(site, THROWN)
    size = (folder / "game.html").stat().st_size
    assert done.stdout == f"wrote game.html ({size / 1024:.0f} KiB, {replay.last + 1} positions)\n"
    text = (folder / "game.html").read_text(encoding="utf-8")
    assert "Go there" in text
    assert "other tables had the same view" in "".join(island(text)["pieces"])
    again = piped("replay", "export", THROWN, "game.html", folder=folder)
    assert again.status == 2
    assert "--force" in again.error()["fix"]
    (folder / "kept.arena").write_text(to_json(found.transcript), encoding="utf-8")
    alone = piped("replay", "export", "kept.arena", "game.html", "--seat", "1", "--force", "--json", folder=folder)
    told = json.loads(alone.stdout)
    assert told["schema"] == "arena.replay-export/1"
    assert told["data"] == {
        "file": "game.html", "bytes": (folder / "game.html").stat().st_size, "game": THROWN, "seat": 1,
    }  # fmt: skip
    assert piped("replay", "export", "kept.arena", "other.html", "--seat", "9", folder=folder).status == 2
    assert piped("replay", "export", "kept.arena", "no/such/folder.html", folder=folder).status == 2
    assert not (folder / "other.html").exists()


def test_sealed_games_are_refused(tmp_path: Path) -> None:
    filled(tmp_path / ".arena", ["goat"], leave=1, state=State.RUNNING).store.close()
    done = piped("replay", "export", first_of("goat"), "game.html", folder=tmp_path)
    assert done.status == 4
    assert "sealed until all its 6 games are done" in done.stderr
    assert not (tmp_path / "game.html").exists()
