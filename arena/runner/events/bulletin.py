"""The bulletin of an event: a small file of the data folder that says who is in its lobby, for `tournament status`.

It is for people only: nothing is decided by it. Who cannot write it plays on.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any


def bulletin_file(data: Path, event: str) -> Path:
    """Where the bulletin of an event is, in a data folder."""
    return data / "lobby" / f"{event}.json"


def publish(file: Path, state: dict[str, Any]) -> None:
    """Write a state (JSON data), whole or not at all."""
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        new = file.with_suffix(".new")
        new.write_text(json.dumps(state, ensure_ascii=False), encoding="utf-8")
        new.replace(file)


def withdraw(file: Path) -> None:
    """The lobby is closed."""
    with suppress(OSError):
        file.unlink(missing_ok=True)


def read(file: Path) -> dict[str, Any] | None:
    """The state as it was last written (JSON data); None where there is no lobby."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None
