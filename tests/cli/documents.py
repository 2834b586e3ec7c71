"""The documents that `--json` prints and what they are made of, by schema.

    cd tests && python -m cli.documents

writes `documents.json` anew: what a change took away or gave another kind is in the difference.
"""

from __future__ import annotations

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from shapes import Shape, merged, shape

FILE = Path(__file__).with_name("documents.json")
MEASURED = ("arena.doctor/1", "arena.bench/1")
"""What is in them depends on the machine."""
NAMES = frozenset({"basic", "cautious", "counter", "random", "fox"})


@cache
def known() -> dict[str, Shape]:
    """By schema what its documents are made of."""
    found: dict[str, Shape] = json.loads(FILE.read_text())
    return found


def check(text: str) -> dict[str, Any]:
    """The document that a command printed: its keys and kinds of values are those that are known."""
    document: dict[str, Any] = json.loads(text)
    assert list(document) == ["schema", "data"]
    schema = document["schema"]
    if schema not in MEASURED:
        found = known()[schema]
        assert merged([found, shape(document["data"], NAMES)]) == found, schema
    return document


def documents(folder: Path) -> dict[str, Shape]:
    """All documents that commands print on a folder with something of everything."""
    from cli.inside import copied, furnish, inside
    from cli.test_every_look import DOCUMENTS, RELAXED, WRITING, command_of

    place = furnish(folder)
    found: dict[str, list[Shape]] = {}
    for number, line in enumerate([*DOCUMENTS, *(line for line in WRITING if command_of(line) not in RELAXED)]):
        where = place if line in DOCUMENTS else copied(place, folder.with_name(f"{folder.name}-{number}"))
        document = json.loads(inside(*line.split(), "--json", folder=where).stdout)
        found.setdefault(document["schema"], []).append(shape(document["data"], NAMES))
    return {schema: merged(shapes) for schema, shapes in sorted(found.items()) if schema not in MEASURED}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder) / "here"
        here.mkdir()
        FILE.write_text(json.dumps(documents(here), indent=1, sort_keys=True) + "\n")
