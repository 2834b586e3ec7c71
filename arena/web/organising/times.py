"""Times that organisers type."""

from __future__ import annotations

from datetime import UTC, datetime

from arena.core.errors import ArenaError


def time_in(text: str, where: str) -> datetime | None:
    """A time that was typed, in UTC unless it says otherwise; None: nothing was typed. Raises ArenaError."""
    words = text.strip().removesuffix("UTC").strip()
    if not words:
        return None
    try:
        at = datetime.fromisoformat(words)
        return (at if at.tzinfo is not None else at.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise ArenaError(
            "this is no time", where=where, saw=repr(text), fix="2026-05-04T12:00, in UTC", code="USAGE"
        ) from None
