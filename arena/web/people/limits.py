"""How often somebody may try something: counts in memory, by address or by person; a restart forgets them."""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable

from fastapi import Request

from arena.core.errors import ArenaError

MOST_KEYS = 10_000
"""So many are remembered; the one that tried longest ago is forgotten first."""


class TooMany(ArenaError):
    """It was tried too often."""

    code = "TOO_MANY"


class Limit:
    """At most `count` tries of one key in any `seconds`. Any thread may ask."""

    def __init__(self, what: str, count: int, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self._what, self._count, self._seconds, self._now = what, count, seconds, now
        self._tried: OrderedDict[Hashable, deque[float]] = OrderedDict()
        self._lock = threading.Lock()

    def check(self, key: Hashable) -> None:
        """Raises TooMany when there is no further try now."""
        with self._lock:
            tried = self._recent(key)
            if len(tried) >= self._count:
                left = max(1, round(tried[0] + self._seconds - self._now()))
                raise TooMany(
                    f"{self._what} were too many",
                    where="this server",
                    saw=f"{len(tried)} within {self._seconds / 60:g} min",
                    fix=f"try again in {left} s" if left < 120 else f"try again in {left // 60} min",
                )

    def note(self, key: Hashable) -> None:
        """Count a try."""
        with self._lock:
            self._recent(key).append(self._now())
            self._tried.move_to_end(key)
            while len(self._tried) > MOST_KEYS:
                self._tried.popitem(last=False)

    def take(self, key: Hashable) -> None:
        """Count a try, if there is one left. Raises TooMany."""
        self.check(key)
        self.note(key)

    def _recent(self, key: Hashable) -> deque[float]:
        tried = self._tried.setdefault(key, deque(maxlen=self._count))
        while tried and tried[0] <= self._now() - self._seconds:
            tried.popleft()
        return tried


def address_of(request: Request, *, behind_proxy: bool) -> str:
    """Where a request comes from, for counting: what the proxy in front says last, which no client can choose; of
    IPv6 the first half, which is one household."""
    host = request.client.host if request.client is not None else ""
    if behind_proxy:
        host = [host, *request.headers.getlist("x-forwarded-for")][-1].rpartition(",")[2].strip()
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host[:64]
    return str(ipaddress.ip_network((address, 64), strict=False)) if address.version == 6 else str(address)
