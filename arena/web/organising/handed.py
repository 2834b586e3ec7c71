"""Files that are handed over to one person for a while, in memory only: lists of links, which nobody finds again."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable

KEPT_S = 900.0


class Handed:
    """Files by key."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._files: dict[str, tuple[int, float, str]] = {}
        self._lock = threading.Lock()
        self._now = now

    def keep(self, person: int, text: str) -> str:
        """Keep a file for a person; its key."""
        key = secrets.token_urlsafe(16)
        with self._lock:
            self._forget()
            self._files[key] = (person, self._now() + KEPT_S, text)
        return key

    def get(self, person: int | None, key: str) -> str | None:
        """The file of a key, for the person it was kept for."""
        with self._lock:
            self._forget()
            owner, _, text = self._files.get(key, (None, 0.0, ""))
        return text if owner is not None and owner == person else None

    def _forget(self) -> None:
        self._files = {key: file for key, file in self._files.items() if file[1] > self._now()}
