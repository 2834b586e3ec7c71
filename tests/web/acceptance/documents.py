"""The JSON documents of the site and what they are made of: keys, and kinds of values. Programs read them.

    cd tests && python -m web.acceptance.documents

writes `documents.json` anew: what a change took away or gave another kind is in the difference.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from fastapi.testclient import TestClient
from shapes import Shape, merged, shape
from web.acceptance.crawling import ask, kind
from web.acceptance.life import HALF, LIVE, ORGANISERS, OWNED, RATED, Life, lived, living
from web.game.cups import first_of
from web.signing import sign_in
from web.tournament.events import BOTS

from arena.store.people import ORGANISER
from arena.web.app import create_app

FILE = Path(__file__).with_name("documents.json")
NAMES = frozenset({*BOTS, "basic", "cautious", "thrower", "random", "rude", "N", "S", "W", "E"})
EVENTS = (RATED, HALF, "crow_and_pitcher", "knockout", "swiss", "gauntlet")


def addresses(life: Life) -> list[str]:
    """Every kind of document, some of them several times."""
    tabs = ("", "/cross", "/boards", "/schedule", "/faults")
    found = ["/t.json", "/bots.json", f"/bot/{OWNED}/logs.json", "/admin/audit.json", "/t/half/b/2.json", "/no.json"]
    found += [f"/t/{event}{tab}.json" for event in EVENTS for tab in tabs]
    found += [f"/t/{RATED}/schedule.json?round=1", f"/t/{RATED}/b/1.json", "/t/crowsnest/b/1.json"]
    found += [f"/t/{HALF}/b/1.json", "/t/crow_and_pitcher/b/1.json"]
    parts = ("", "/ratings", "/opponents", "/history", "/split", "/games")
    found += [f"/bot/{bot}{part}.json" for bot in (OWNED, "basic") for part in parts]
    found += [f"/bot/{OWNED}/vs/owl.json?t={RATED}", f"/submission/{life.submission}.json"]
    return [*found, f"/g/{first_of('crowsnest')}/game.json", f"/g/{LIVE}/game.json"]


def documents(life: Life, client: TestClient) -> dict[str, Shape]:
    """By kind of address what its documents are made of."""
    sign_in(life.site, client, ORGANISERS, ORGANISER)
    found: dict[str, list[Shape]] = {}
    for url in addresses(life):
        answer = ask(client, url)
        document = json.loads(answer.text)
        name = f"{kind(url)} {answer.status}"
        found.setdefault(name, []).append(shape({"schema": {document["schema"]: ""}, "data": document["data"]}, NAMES))
    client.cookies.clear()
    return {name: merged(shapes) for name, shapes in sorted(found.items())}


def written(found: dict[str, Shape]) -> str:
    """As the file has it."""
    return json.dumps(found, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        lived(Path(folder))
        made = living(Path(folder))
        with TestClient(create_app(made.site), base_url="http://127.0.0.1") as asking:
            FILE.write_text(written(documents(made, asking)))
