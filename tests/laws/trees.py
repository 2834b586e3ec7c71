"""Whole trees of the tiny rulesets: counts kept as data in data/trees.json. `python tests/laws/trees.py` writes them.

A tree is every match that can be played on one board. Its counts are the nodes by depth and the finished matches by
their scores; where they change, the rules have changed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from laws.course import seeded
from laws.rulesets import TINY, game_of

from arena.core import drivers

DATA = Path(__file__).parent / "data" / "trees.json"
BOARDS = (1, 2)
"""Boards walked of each ruleset."""


def counted(name: str) -> list[dict[str, Any]]:
    """The counts of a tiny ruleset on each board."""
    return [{"board": number, **drivers.walk(game_of(name), seeded(number))} for number in BOARDS]


def stored() -> dict[str, list[dict[str, Any]]]:
    """What the file says, by ruleset."""
    data: dict[str, list[dict[str, Any]]] = json.loads(DATA.read_text(encoding="utf-8"))
    return data


def write() -> None:
    """Count everything and write the file."""
    DATA.parent.mkdir(exist_ok=True)
    rows = {name: counted(name) for name in TINY}
    lines = [
        f" {json.dumps(name)}: [\n" + ",\n".join(f"  {json.dumps(row)}" for row in boards) + "\n ]"
        for name, boards in rows.items()
    ]
    DATA.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    write()
