"""Answers that take long, made outside of requests: an answer that is not ready in a moment is waited for by the page.

Each answer has a key and a version that says what it is made of. What is kept is shown while a newer one is counted.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from arena.web.children import Children
from arena.web.site import Site

LOG = logging.getLogger("arena.web")
T = TypeVar("T")
PATIENCE_S = 0.25
"""So long a request waits for an answer that it asked for first ..."""
LESS_S = 0.02
"""... and so long for one that somebody waited for already."""
KEPT = 256
"""So many answers are kept in memory, those asked for last."""
REST = 4.0
"""An answer is made again no sooner than after so many times what it took ..."""
DEADLINE_S = 1800.0
LEAST_REST_S = 2.0
"""... and no sooner than after this, so that a running event does not keep the server busy."""


class Counted(NamedTuple, Generic[T]):
    """An answer as it is now."""

    value: T | None
    """None: it was never ready so far."""
    current: bool
    """Whether it is made of what is stored now, or cannot be made of it."""
    failed: bool = False
    """Whether it cannot be made; the value is an older one, if there was one."""


@dataclass
class _Answer:
    """What is kept of one answer. Any: answers of every type."""

    version: Hashable = None
    value: Any = None
    there: bool = False
    failed: bool = False
    took: float = 0.0
    made: float = 0.0
    running: Future[Any] | None = None


class Counting:
    """Makes answers in a thread of its own, one after the other, and keeps them."""

    def __init__(self, patience: float = PATIENCE_S) -> None:
        self._patience = patience
        self._lock = threading.Lock()
        self._answers: OrderedDict[Hashable, _Answer] = OrderedDict()
        self._children = Children()
        self._stopped = False
        self._crew = ThreadPoolExecutor(1, thread_name_prefix="counting")
        self._apart = ThreadPoolExecutor(1, thread_name_prefix="apart")
        """Waits for other processes, so that small things need not wait behind large ones."""

    @classmethod
    def of(cls, site: Site) -> Counting:
        """The one of a site; asked for first while the application is made."""
        return site.service(cls, lambda site: cls._started(site))

    @classmethod
    def _started(cls, site: Site) -> Counting:
        made = cls()
        site.stopping.append(made.stop)
        return made

    async def stop(self) -> None:
        """The same as `close`, for the end of a server."""
        self.close()

    def close(self) -> None:
        """Give up what is not begun, and what other processes do."""
        self._stopped = True
        for crew in (self._crew, self._apart):
            crew.shutdown(wait=False, cancel_futures=True)
        self._children.stop()

    def elsewhere(self, module: str, order: Mapping[str, str]) -> bytes:
        """What `python -m module` writes, given an order as JSON on its standard input; called by a `make`.

        Raises ArenaFault with what it said where it fails, or takes longer than DEADLINE_S.
        """
        return self._children.output(module, order, DEADLINE_S)

    def ask(
        self,
        key: Hashable,
        version: Hashable,
        make: Callable[[], T],
        *,
        patience: float | None = None,
        apart: bool = False,
    ) -> Counted[T]:
        """The answer of a key. `make` is called in the background unless the kept answer has this version.

        An error of `make` is logged; it is not called again for the same version. `patience`: seconds to wait at most,
        by default little, and less for who can be shown an older answer. `apart`: `make` waits for another process.
        """
        with self._lock:
            answer = self._answers.setdefault(key, _Answer())
            self._answers.move_to_end(key)
            self._forget()
            if answer.there and answer.version == version:
                return Counted(answer.value, True, answer.failed)
            rested = not answer.there or time.monotonic() - answer.made > max(LEAST_REST_S, REST * answer.took)
            first = answer.running is None and not answer.there
            if answer.running is None and rested and not self._stopped:
                answer.running = (self._apart if apart else self._crew).submit(self._make, answer, version, make)
            running = answer.running
        if running is not None:
            wait([running], patience if patience is not None else self._patience if first else LESS_S)
        with self._lock:
            return Counted(answer.value, answer.there and answer.version == version, answer.failed)

    def _make(self, answer: _Answer, version: Hashable, make: Callable[[], Any]) -> None:
        begun = time.monotonic()
        value, failed = answer.value, False
        try:
            value = make()
        except Exception:
            failed = True
            if not self._stopped:
                LOG.exception("counting failed")
        with self._lock:
            answer.value, answer.version, answer.there, answer.failed = value, version, True, failed
            answer.running, answer.made = None, time.monotonic()
            answer.took = answer.made - begun

    def _forget(self) -> None:
        while len(self._answers) > KEPT:
            oldest = next(iter(self._answers))
            if self._answers[oldest].running is not None:
                break
            del self._answers[oldest]
