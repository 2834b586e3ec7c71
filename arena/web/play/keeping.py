"""How long games of people are kept. Of what goes the address stays, and answers with the reason."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from threading import Lock

from arena.store.sittings import Sittings
from arena.store.store import utc_now

DAYS = 90
"""After the end, of those who were not signed in."""
PEOPLE_DAYS = 365
"""After the end, of those who were."""
MOST = 5000
"""So many in all, with the games of bots on their cards; then the oldest go, of those first who were not signed in."""
EVERY = timedelta(hours=1)


class Keeping:
    """Removes what is too old, now and then. Any thread may call it."""

    def __init__(self, kept: Sittings, now: Callable[[], datetime] = utc_now) -> None:
        self.most = MOST
        self._kept = kept
        self._now = now
        self._lock = Lock()
        self._last: datetime | None = None

    def __call__(self) -> int:
        """Remove what may go, unless that was done within the hour; how many games went."""
        with self._lock:
            now = self._now()
            if self._last is not None and now - self._last < EVERY:
                return 0
            self._last = now
            reason = (
                f"removed on {now:%Y-%m-%d}: games with people are kept {DAYS} days, {PEOPLE_DAYS} days for who was "
                f"signed in, and no more than {self.most} of them"
            )
            before, before_of_people = now - timedelta(days=DAYS), now - timedelta(days=PEOPLE_DAYS)
            return self._kept.remove_old(before, before_of_people, self.most, reason)
