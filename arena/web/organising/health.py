"""How the server is."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from arena.core.errors import ArenaError
from arena.store.lock import Holder, holder
from arena.store.recent import void_counts
from arena.store.submissions import Status
from arena.web.people.accounts import choices_of
from arena.web.site import Site
from arena.web.submitting.checking import checking_of

LOW_SPACE = 5_000_000_000


class Health(NamedTuple):
    """How the server is."""

    voids: Mapping[int, int]
    """By number of a tournament."""
    waiting: int
    """Submissions that are not checked yet."""
    checking: bool
    free: int
    """Bytes on the data folder's disk ..."""
    size: int
    """... of so many."""
    backup: datetime | None
    """When the last one was made from here."""

    @property
    def is_low(self) -> bool:
        """Whether the disk is nearly full."""
        return self.free < LOW_SPACE


def health(site: Site) -> Health:
    """How the server is now."""
    queue = checking_of(site).submissions.queue()
    disk = shutil.disk_usage(site.settings.data)
    last = str(choices_of(site).get("last_backup"))
    return Health(
        void_counts(site.store.database),
        len(queue),
        any(each.status is Status.CHECKING for each in queue),
        disk.free,
        disk.total,
        datetime.fromisoformat(last) if last else None,
    )


def coordinator(site: Site, name: str) -> Holder | None:
    """Who runs a tournament now, as far as that can be known."""
    try:
        return holder(site.settings.data, name, site.settings.store)
    except ArenaError:
        return None
