"""The JSON documents of the site and what they are made of: keys, and kinds of values. Programs read them.

    cd tests && python -m web.acceptance.documents

writes `documents.json` anew: what a change took away or gave another kind is in the difference.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient
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
Shape = Any
"""JSON: "text", "number", "truth", "null", several of these with "|"; {"[]": shape}; {key: shape}, "*" for any name."""


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
        found.setdefault(name, []).append(shape({"schema": {document["schema"]: ""}, "data": document["data"]}))
    client.cookies.clear()
    return {name: merged(shapes) for name, shapes in sorted(found.items())}


def shape(value: Any) -> Shape:
    """What a value is made of."""
    if isinstance(value, dict):
        if value and all(_is_a_name(key) for key in value):
            return {"*": merged([shape(each) for each in value.values()])}
        return {key: shape(each) for key, each in value.items()}
    if isinstance(value, list):
        return {"[]": merged([shape(each) for each in value])}
    kinds = {bool: "truth", int: "number", float: "number", str: "text", type(None): "null"}
    return kinds[type(value)]


def _is_a_name(key: str) -> bool:
    return key in NAMES or key.isdecimal() or key.isupper()


def merged(shapes: Iterable[Shape]) -> Shape:
    """One shape for several: keys that only some have end with "?"."""
    shapes = list(shapes)
    if not shapes:
        return "nothing"
    if all(isinstance(each, dict) for each in shapes):
        keys = sorted({key.removesuffix("?") for each in shapes for key in each})
        made = {}
        for key in keys:
            having = [each.get(key, each.get(f"{key}?")) for each in shapes if key in each or f"{key}?" in each]
            needed = len(having) == len(shapes) and not any(f"{key}?" in each for each in shapes)
            made[key if needed or key in ("*", "[]") else f"{key}?"] = merged(having)
        return made
    words = {word for each in shapes if isinstance(each, str) for word in each.split("|")} - {"nothing"}
    rest = [each for each in shapes if isinstance(each, dict)]
    if rest:
        return merged(rest) if not words else {**merged(rest), "|": "|".join(sorted(words))}
    return "|".join(sorted(words)) or "nothing"


def written(found: dict[str, Shape]) -> str:
    """As the file has it."""
    return json.dumps(found, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        lived(Path(folder))
        made = living(Path(folder))
        with TestClient(create_app(made.site), base_url="http://127.0.0.1") as asking:
            FILE.write_text(written(documents(made, asking)))
