"""Every code that a fault or an error can carry: what it means, whose fault it is, how to mend it.

`arena help CODE` prints a row of codes.toml, docs/faults.md lists the faults. Knows nothing of how a fault is noticed.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import NamedTuple


class Code(NamedTuple):
    """One code."""

    name: str
    fault_class: str
    """D, F, Q or A as in docs/faults.md; "" for what costs nothing at a table, or what only a command reports."""
    blame: str
    """Whose fault it is, in words: "your bot", "the arena", "what was typed", "the file"."""
    meaning: str
    mend: str
    exit_status: int
    """Of a command that stops because of it; see `EXIT_STATUSES`."""


EXIT_STATUSES: dict[int, tuple[str, str]] = {
    0: ("done, the answer is good", "also an empty list that was asked for"),
    1: ("done, the answer is no", "a replay does not verify; blocks were reported missing"),
    2: ("usage or configuration", "unknown key, missing file, a bot that cannot be used"),
    3: ("fault of the arena", "a bug, a full disk, a lost database; the report file is named"),
    4: ("not allowed", "cards of a board that is still being played"),
    5: ("nothing to work on", "no bot matches, no game was played"),
    6: ("busy", "another coordinator runs this tournament"),
    130: ("stopped by Ctrl-C", "what is finished is saved, the command that resumes is printed"),
    143: ("stopped by SIGTERM", "likewise"),
}
"""Exit status -> (meaning, example)."""


def _read() -> dict[str, Code]:
    rows = tomllib.loads((files("arena.record") / "codes.toml").read_text(encoding="utf-8"))
    return {
        name: Code(
            name,
            row.get("class", ""),
            row["blame"],
            row["meaning"],
            row["mend"],
            row.get("exit_status", 2),
        )
        for name, row in rows.items()
    }


CODES: dict[str, Code] = _read()
"""By name: first what can go wrong at a table, then what only commands report."""
