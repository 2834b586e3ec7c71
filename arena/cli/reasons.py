"""The flag --reason of commands that take something away or give it back, and what a reason must be."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.flags import UsageError

Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; kept, and shown to everybody.")]
MAX_REASON = 500


def checked_reason(reason: str) -> str:
    """The reason, which people will read. Raises UsageError."""
    text = reason.strip()
    if not text or len(text) > MAX_REASON or not text.isprintable():
        raise UsageError(
            "a reason is needed",
            where="--reason",
            saw=repr(reason[:80]),
            fix=f"say why in one line of at most {MAX_REASON} characters",
        )
    return text
