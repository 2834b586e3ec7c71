"""The standing over all games of a series: computed when it is asked for and something is new, by a process of its own
where that takes long; one at a time. Meanwhile everybody sees the one before.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from markupsafe import Markup

from arena.core.errors import ArenaError, ArenaFault
from arena.store.snapshots import Snapshot, Snapshots, packed, unpacked
from arena.store.store import utc_now
from arena.store.values import Tournament
from arena.web.rendering import number
from arena.web.sheets import Column, Sheet
from arena.web.site import Site
from arena.web.standing.compute import combined_data
from arena.web.standing.links import bot_link
from arena.web.standing.service import LARGE_PAUSE_S, LOG, NOT_YET, SHARE, SMALL, Made, computed_apart, standing_service
from arena.web.standing.table import interval, scale_of, share

KIND = "combined"


class SeriesStanding:
    """The service; one a site. The standing of a series is kept with the last of its members."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._kept = Snapshots(site.store.database)
        self._memory: dict[int, Snapshot] = {}
        self._rests: dict[int, float] = {}
        self._lock = threading.Lock()
        self._busy: set[int] = set()
        """Series that another process computes now."""

    def of(self, members: Sequence[Tournament]) -> Made:
        """The standing over the members of a series: `combined_data`."""
        last = members[-1].id
        readings = [standing_service(self._site).watch.of(each.id) for each in members]
        version = hashlib.sha256(" ".join(each.version for each in readings).encode()).hexdigest()
        found = self._memory.get(last)
        if found is None:
            with suppress(ArenaFault):
                found = self._kept.load(last, KIND)
        if found is not None and found.version == version:
            self._memory[last] = found
            return Made(found.data, found.at, True)
        if time.monotonic() >= self._rests.get(last, 0.0):
            if sum(each.games for each in readings) < SMALL:
                with self._lock:
                    self._compute(members, version, large=False)
                new = self._memory[last]
                return Made(new.data, new.at, True)
            self._begin(members, version)
        return Made(found.data, found.at, False) if found is not None else NOT_YET

    def _begin(self, members: Sequence[Tournament], version: str) -> None:
        with self._lock:
            if members[-1].id in self._busy:
                return
            self._busy.add(members[-1].id)

        def run() -> None:
            try:
                self._compute(members, version, large=True)
            except Exception:  # whatever it is: pages go on with what they have
                LOG.exception("computing %s failed", members[0].series)
                self._rests[members[-1].id] = time.monotonic() + 60.0
            finally:
                self._busy.discard(members[-1].id)

        threading.Thread(target=run, name="series", daemon=True).start()

    def _compute(self, members: Sequence[Tournament], version: str, *, large: bool) -> None:
        begun, at, last = time.monotonic(), utc_now(), members[-1].id
        if large:
            [data] = computed_apart(self._site, {"series": members[0].series}, 1)
        else:
            data = packed(combined_data(self._site.store, members))
        cost = time.monotonic() - begun
        self._rests[last] = time.monotonic() + max(LARGE_PAUSE_S if large else 1.0, SHARE * cost)
        self._memory[last] = Snapshot(version, at, round(1000 * cost), unpacked(data))
        try:
            self._kept.save(last, {KIND: data}, version, at, round(1000 * cost))
        except ArenaError as error:
            LOG.warning("the standing of %s is not kept: %s", members[0].series, error)


def series_service(site: Site) -> SeriesStanding:
    """The service of a site."""
    return site.service(SeriesStanding, SeriesStanding)


def combined_sheet(data: dict[str, Any]) -> Sheet:  # Any: JSON
    """The standing as a sheet; every pool has a column of its own."""
    found = data["combined"]
    pools = [each["name"] for each in found["pools"]]
    rows = tuple(
        {**row, **{f"rating in {pool}": rating for pool, rating in zip(pools, row["ratings"], strict=True)}}
        for row in found["standings"]
    )
    bounds = scale_of(rows)
    return Sheet(
        "combined",
        "arena.combined/1",
        (
            Column("place", "Place", lambda row: row["place"].replace("-", "–"), right=True, pinned=True, sorts=False),
            Column("bot", "Bot", lambda row: bot_link(row["bot"]), pinned=True, sorts=False),
            Column("rating", "Rating", lambda row: number(row["rating"], 1), right=True, sorts=False),
            Column("rating_low", "95 % interval", lambda row: interval(row, bounds), sorts=False),
            *[
                Column(f"rating in {pool}", pool, _rating_in(pool), right=True, sorts=False)
                for pool in pools
            ],
            Column("p_best", "P(best)", lambda row: share(row["p_best"]), right=True, sorts=False),
            Column("provisional", "Provisional in", lambda row: Markup('<span class="dim">{}</span>').format(
                ", ".join(row["provisional"]) or "–"), sorts=False),
        ),
        rows,
        empty="No bot has a block in every game yet.",
    )  # fmt: skip


def _rating_in(pool: str) -> Any:  # Any: a function of rows
    return lambda row: number(row[f"rating in {pool}"], 1)
