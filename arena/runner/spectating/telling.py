"""One running game as lines of JSON: a heading, then every position with the move that led to it, as spectators see it.

    {"schema": "arena.live/1", "id": "spring-r1-b3-t2-1", "game": "crowsnest", "options": {...}, "names": [...], ...}
    {"next": 2, "view": {...}}
    {"next": 3, "view": {...}, "seat": 2, "move": "bid 80", "ms": 41, "fault": ""}

A move whose cards only the mover knows is told by its kind and their number: "discard 5". Pure functions.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from arena.core.game import AnyGame, Seat
from arena.core.moves import Kind, Move
from arena.match.referee import MoveRecord

SCHEMA = "arena.live/1"
HIDDEN = frozenset({Kind.DISCARD, Kind.DROP})
"""Moves whose cards only the mover sees."""


def line(data: Mapping[str, Any]) -> bytes:
    """One line. Any: JSON."""
    return json.dumps(data, separators=(",", ":")).encode() + b"\n"


def heading(
    game: AnyGame, public_id: str, names: Sequence[str], options: Mapping[str, object], attempt: int, began: datetime
) -> bytes:
    """What is known before the first move; `began` in UTC."""
    return line(
        {
            "schema": SCHEMA,
            "id": public_id,
            "game": game.id,
            "options": dict(options),
            "names": list(names),
            "attempt": attempt,
            "began": began.astimezone(UTC).isoformat(timespec="milliseconds"),
        }
    )


def position(game: AnyGame, state: Any, record: MoveRecord | None = None) -> bytes:
    """A position, and the move that led to it; none: the first one. Any: the state of whichever game is told."""
    if record is None:
        return line(seen(game, state))
    return line(moved(game, state, record.seat, record.move, record.elapsed_ms, record.fault))


def seen(game: AnyGame, state: Any) -> dict[str, Any]:
    """A position as data. Any: as above; JSON."""
    return {"next": game.to_move(state), "view": game.view_data(game.view(state, None))}


def moved(game: AnyGame, state: Any, seat: Seat, move: Move, elapsed_ms: float, fault: str) -> dict[str, Any]:
    """A position with the move that led to it, as data. Any: as above."""
    return {
        **seen(game, state),
        "seat": seat,
        "move": public_text(game, move),
        "ms": round(elapsed_ms),
        "fault": fault,
    }


def public_text(game: AnyGame, move: Move) -> str:
    """A move as everybody at the table knows it: "B14", "drop 2"."""
    if move.kind in HIDDEN:
        return f"{move.kind.value} {len(move.cards)}"
    return game.notation.text(move)
