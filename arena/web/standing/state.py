"""How far a tournament is, in one line: state, round, blocks, time left, tier, what was promised about the cards.

Asked at every view of a page, so that everything is either cheap or remembered for a second.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NamedTuple

from arena.runner.course import seatings_of, stored_schedule
from arena.store.lock import holder
from arena.store.values import Round, State, Tournament
from arena.tournament.schedule import Schedule, Totals
from arena.web.site import Site
from arena.web.standing.service import standing_service

REMEMBERED_S = 1.0
PACE_S = 120.0
"""The pace is that of the last two minutes."""


class Stand(NamedTuple):
    """How far a tournament is."""

    state: str
    """A tournament that says it runs and that nobody coordinates was killed: stopped."""
    games: int
    games_planned: int | None
    """None: it depends on results, or there is no end."""
    blocks_planned: int | None
    rounds: int
    """Begun."""
    closed: int
    rounds_planned: int | None
    left_s: float | None
    """How long it is likely to go on; None: nobody knows."""

    @property
    def is_over(self) -> bool:
        """Whether nothing more is to come by itself."""
        return self.state in ("finished", "failed")

    @property
    def left(self) -> str:
        """The time left in words; empty: nobody knows."""
        if self.left_s is None:
            return ""
        minutes = self.left_s / 60
        if minutes < 1:
            return "less than a minute left"
        if minutes < 90:
            return f"about {math.ceil(minutes)} min left"
        return f"about {math.ceil(minutes / 60)} h left"


class Course:
    """Knows how far tournaments are; one a site, for any number of threads."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._lock = threading.Lock()
        self._known: dict[int, tuple[float, Stand]] = {}
        self._paces: dict[int, deque[tuple[float, int]]] = {}
        """By tournament: (time, games), the oldest first."""

    def of(self, tournament: Tournament) -> Stand:
        """How far a tournament is, at most a second ago."""
        now = time.monotonic()
        known = self._known.get(tournament.id)
        if known is not None and now - known[0] < REMEMBERED_S:
            return known[1]
        stand = self._look(tournament, now)
        with self._lock:
            self._known[tournament.id] = now, stand
        return stand

    def _look(self, tournament: Tournament, now: float) -> Stand:
        site = self._site
        rounds = site.store.rounds(tournament.id)
        games = standing_service(site).watch.of(tournament.id).games
        state = tournament.state
        if state is State.RUNNING and holder(site.settings.data, tournament.name, site.settings.store) is None:
            state = State.STOPPED
        totals = totals_of(tournament)
        left = None
        if state is State.RUNNING and totals.exact:
            left = self._left(tournament, games, totals.games, rounds, now)
        return Stand(
            state.value,
            games,
            totals.games if totals.exact else None,
            totals.blocks if totals.exact else None,
            len(rounds),
            sum(each.closed is not None for each in rounds),
            totals.rounds if totals.exact else None,
            left,
        )

    def _left(self, tournament: Tournament, games: int, planned: int, rounds: list[Round], now: float) -> float | None:
        """Seconds left at the pace of late; at first at the pace of the round that is played."""
        with self._lock:
            pace = self._paces.setdefault(tournament.id, deque())
            pace.append((now, games))
            while now - pace[0][0] > PACE_S and len(pace) > 2:
                pace.popleft()
            (then, before) = pace[0]
        if now - then >= 10 and games > before:
            return (planned - games) * (now - then) / (games - before)
        if rounds and rounds[-1].closed is None:
            played = games - sum(each.games for each in rounds[:-1])
            took = (datetime.now(UTC) - rounds[-1].opened).total_seconds()
            if played > 0 and took > 1:
                return (planned - games) * took / played
        return None


def course_service(site: Site) -> Course:
    """The service of a site."""
    return site.service(Course, Course)


def schedule_of(tournament: Tournament) -> Schedule:
    """The schedule of a tournament, remembered: some are costly to make."""
    return _schedule(_Same(tournament))


def totals_of(tournament: Tournament) -> Totals:
    """What a tournament plans in all."""
    return schedule_of(tournament).totals()


class _Same:
    """Equal for tournaments with the same schedule."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self._key = (
            tournament.id,
            tournament.name,
            tournament.secret_hash,
            tournament.ruleset,
            tuple(each.name for each in tournament.entrants),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Same):
            return False
        return self._key == other._key and self.tournament.config == other.tournament.config

    def __hash__(self) -> int:
        return hash(self._key)


@lru_cache(maxsize=32)
def _schedule(same: _Same) -> Schedule:
    return stored_schedule(same.tournament)


def stand_data(tournament: Tournament, stand: Stand) -> dict[str, Any]:  # Any: JSON
    """A tournament as a row of the list."""
    return {
        "name": tournament.name,
        "series": tournament.series or None,
        "game": tournament.game,
        "format": tournament.config.get("format", "round_robin"),
        "state": stand.state,
        "bots": len(tournament.entrants),
        "games": stand.games,
        "games_planned": stand.games_planned,
        "seatings": seatings_of(tournament),
        "created": tournament.created.isoformat(timespec="seconds"),
        "finished": tournament.finished.isoformat(timespec="seconds") if tournament.finished else None,
    }
