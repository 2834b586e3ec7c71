"""Where a store is: a data folder, a file, or the URL of a database; and URLs for people, without their passwords.

Knows texts and paths only; needs no SQLAlchemy.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TypeAlias

Place: TypeAlias = str | Path
"""A data folder (it holds arena.db), a file ending in .db, or a URL as `accepted` has it."""
ACCEPTED = re.compile(r"(postgres|postgresql|postgresql\+psycopg)://.+|sqlite:///.+", re.DOTALL)
SHAPE = "postgresql://USER@HOST:5432/DATABASE or sqlite:////folder/file.db"
"""What a URL looks like, for messages."""
HIDDEN = "***"


def accepted(text: str) -> bool:
    """Whether a text is the URL of a database that can hold a store."""
    return ACCEPTED.fullmatch(text) is not None


def is_url(place: Place) -> bool:
    """Whether a place is a URL, of whatever kind."""
    return "://" in str(place)


def is_shared(place: Place) -> bool:
    """Whether a place is a database that other machines may use at the same time."""
    return str(place).startswith("postgres")


def masked(text: str) -> str:
    """A text with a URL in it, without the password."""
    text = re.sub(r"://([^:/@\s]*):\S*@", rf"://\1:{HIDDEN}@", text)
    return re.sub(r"(?i)(pass(?:word|file)?=)[^&\s]*", rf"\1{HIDDEN}", text)
