"""An event on two boards to copy, and what a copy is looked at with."""

from __future__ import annotations

import base64
import io
import json
import re
import zipfile
import zlib
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from record.compare.boards import SECRET, a_game
from web.game.cups import CONFIG, games_of, names_of

from arena.record.results import Fault, FaultClass
from arena.store.store import Store
from arena.store.values import Entrant, NewTournament, State, StoredGame, Tournament, public_id

EVENT = "autumn"
EVIL = '"><img src=x onerror=alert(7)>'
"""The name of one of its bots."""
NAMES = {"basic": "Zanzibar", "cautious": "Quagga", "thrower": EVIL}
DETAIL = "Zanzibar </script><script>alert(8)</script> said no"
TAGS = re.compile(r"<[^>]*>")


def stored(folder: Path, *, leave: int = 0, state: State = State.FINISHED) -> tuple[Store, Tournament]:
    """The event in a store, without its last `leave` games. The second board has the same cards as the first."""
    store = Store.open(folder)
    game = a_game("crowsnest")
    entrants = tuple(
        Entrant(NAMES[name], str(place) * 64, f"bots/{name}") for place, name in enumerate(names_of(game)[:3])
    )
    config = {**CONFIG, "boards": 2, "bots": list(NAMES.values()), "notes": "Zanzibar is mine"}
    made = store.create_tournament(
        NewTournament(EVENT, game.id, game.version, game.describe(), config, SECRET, entrants)
    )
    games = [_on(board, each) for board in (1, 2) for each in games_of("crowsnest")]
    store.add_games(made.id, games[: len(games) - leave])
    store.set_state(made.id, state)
    known = store.tournament(EVENT)
    assert known is not None
    return store, known


def _on(board: int, game: StoredGame) -> StoredGame:
    key = game.key._replace(board=board)
    bots = tuple(NAMES[bot] for bot in game.bots)
    told = {**game.result.transcript, "public_id": public_id(EVENT, key), "bots": list(bots)}
    faults = (Fault(0, "LATE", FaultClass.DECISION, 3, 9, DETAIL),) if key.seating else ()
    return replace(game, key=key, bots=bots, result=replace(game.result, transcript=told, faults=faults))


class Page(HTMLParser):
    """What a page names, and what could run."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.runs: list[str] = []
        """Attributes and elements that could run a script or ask for something."""
        self.rows = 0
        """Of tables of data, but for headings and what opens."""
        self._plain = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Any tag."""
        told = dict(attrs)
        self.links += [value or "" for name, value in attrs if name in ("href", "src", "xlink:href", "action")]
        self.ids |= {value or "" for name, value in attrs if name == "id"}
        self.runs += [f"{tag} {name}" for name in told if name.startswith(("on", "hx-", "style", "srcdoc"))]
        self.runs += [tag] if tag in ("form", "iframe", "img", "object", "embed", "base") else []
        classes = (told.get("class") or "").split()
        self.rows += tag == "tr" and not {"group", "details"} & set(classes)

    handle_startendtag = handle_starttag


def island(text: str) -> dict[str, Any]:  # Any: JSON
    """The positions in a page of a game."""
    found = re.search(r'id="arena-positions"[^>]*>([A-Za-z0-9+/=]+)</script>', text)
    assert found is not None
    data: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(found[1])))
    return data


def everything(folder: Path) -> dict[str, str]:
    """By file: all text in it, packed or not."""
    found = {}
    for each in sorted(folder.rglob("*")):
        if not each.is_file():
            continue
        name, data = str(each.relative_to(folder)), each.read_bytes()
        if each.suffix == ".zip":
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                found[name] = "\n".join(archive.read(part).decode() for part in archive.namelist())
            continue
        found[name] = data.decode()
        if "arena-positions" in found[name] and each.suffix == ".html":
            found[f"{name} positions"] = "\n".join(island(found[name])["lines"])
    return found
