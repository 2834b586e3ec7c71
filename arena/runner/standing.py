"""How a stored tournament stands: its tables, who was taken out and what with them, voids, tiers it was played on.

Everything is made from the store; nothing is shown here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple

from arena.rating import Crosstable, Table, crosstable, table
from arena.rating.blocks import sort_out
from arena.rating.tables import RESAMPLES, Disabled, without
from arena.record.tiers import ORDER, Tier
from arena.runner.course import format_of, is_remote, stored_pool, stored_schedule
from arena.runner.past import At, out_at
from arena.store.quarantines import REMOVED
from arena.store.store import Store
from arena.store.values import WITH_ITS_BLOCK, Tournament, VoidInfo
from arena.tournament.quarantine import is_left_out
from arena.tournament.schedule import Fixed, keys_of

NOW = At()
MANY_VOIDS = 10
"""From so many void attempts on it is worth saying that one bot sat at every table of them."""


class LeftOut(NamedTuple):
    """What is not played because bots were taken out."""

    blocks: int
    games: int


def out_of(store: Store, tournament: Tournament, at: At = NOW) -> dict[str, str]:
    """Who is out of a tournament, or was at some moment -> why, in words.

    A bot that was removed from the arena keeps its results on a ladder: that never ends, and others played against it.
    One that an organiser disabled keeps them everywhere, so that it is not among these.
    """
    stays = format_of(tournament.config).ladder
    return {
        each.quarantine.bot: f"since round {each.quarantine.since_round}: {each.quarantine.reason}"
        for each in out_at(store.quarantines(tournament.id), at)
        if not (stays and each.quarantine.reason.startswith(REMOVED)) and not each.disabled
    }


def disabled_in(store: Store, tournament: Tournament) -> tuple[Disabled, ...]:
    """Whom an organiser took out of a tournament, and why. What they played until then counts."""
    return tuple(
        Disabled(each.quarantine.bot, f"since round {each.quarantine.since_round}: {each.disabled}", each.at)
        for each in store.quarantines(tournament.id, active=True)
        if each.disabled
    )


def families_of(tournament: Tournament) -> dict[str, str]:
    """Registered versions -> the name that they are versions of."""
    sources = {each.name: each.source for each in tournament.entrants}
    return {
        name: source.removeprefix("registered:").partition("@")[0]
        for name, source in sources.items()
        if source.startswith("registered:")
    }


def tables_of(
    store: Store, tournament: Tournament, *, resamples: int = RESAMPLES, at: At = NOW
) -> tuple[Table, Crosstable]:
    """The official table and the crosstable, without all blocks of who is out; now, or as they stood at some moment.

    Versions that no longer play stand below all others, at the places that their results give them.
    The past is made of the games that are stored: those of a block that was voided since then are gone, and count from
    when they were played again.
    """
    pool, out = stored_pool(tournament), out_of(store, tournament, at)
    found = sort_out(without(store.rows(tournament.id, at.before_round, until=at.until), out), pool)
    made = table(found, pool, resamples=resamples, out=out, family=families_of(tournament))
    left = left_by(tournament, at, made)
    disabled = disabled_in(store, tournament) if at == NOW else ()
    standings = tuple(sorted(made.standings, key=lambda row: row.bot in left))
    made = replace(made, standings=standings, disabled=disabled)
    return made, crosstable(found, pool)


def left_by(tournament: Tournament, at: At = NOW, then: Table | None = None) -> dict[str, int]:
    """Who no longer plays an open-ended event, or did not at some moment -> its last round.

    `then`: the table of that moment; where `at` is a time it tells how far the event was.
    """
    ended = {each.name: each.until_round for each in tournament.entrants if each.until_round is not None}
    blocks = then.blocks if then is not None else ()
    now = at.round if at.until is None else max((block.round for block in blocks), default=0)
    return {name: last for name, last in ended.items() if now is None or last < now}


def left_out(store: Store, tournament: Tournament) -> LeftOut:
    """What the quarantines that hold leave out of the schedule, and remote bots that were not there."""
    since = {each.quarantine.bot: each.quarantine.since_round for each in store.quarantines(tournament.id, active=True)}
    blocks = games = 0
    schedule = stored_schedule(tournament)
    absent = absences(store, tournament)
    if not (since or absent) or not isinstance(schedule, Fixed):
        return LeftOut(0, 0)
    for number in range(min([*since.values(), *absent]), schedule.rounds() + 1):
        out = {bot for bot, first in since.items() if first <= number} | absent.get(number, set())
        done = set(store.done(tournament.id, number)) if number in since.values() else set()
        for bout in schedule.round(number) or ():
            if is_left_out(bout, out):
                left = [key for key in keys_of(bout) if key not in done]  # some may be played before it was out
                games += len(left)
                blocks += len({key.board for key in left})
    return LeftOut(blocks, games)


def absences(store: Store, tournament: Tournament) -> dict[int, set[str]]:
    """By round who did not take part in it, in events with remote bots; rounds that all played are not there."""
    if not is_remote(tournament.config):
        return {}
    names = {each.name for each in tournament.entrants}
    missing = {each.number: names - set(each.field) for each in store.rounds(tournament.id)}
    return {number: bots for number, bots in missing.items() if bots}


class Tiers(NamedTuple):
    """On which tiers the games of a tournament were played."""

    games: dict[str, int]
    """By tier, the best first."""
    unsandboxed: bool
    """Whether bots that did not come with the arena played without a sandbox."""


def tiers_of(store: Store, tournament: Tournament) -> Tiers:
    """The tiers of all stored games."""
    strangers = {each.name for each in tournament.entrants if not each.source.startswith("house:")}
    games: Counter[str] = Counter()
    unsandboxed = False
    for (tier, bots), count in store.tiers(tournament.id).items():
        games[tier] += count
        unsandboxed |= tier == Tier.D and not strangers.isdisjoint(bots)
    known = [tier.value for tier in ORDER]
    best_first = sorted(games, key=lambda tier: (known.index(tier) if tier in known else len(known), tier))
    return Tiers({tier: games[tier] for tier in best_first}, unsandboxed)


class Voids(NamedTuple):
    """The void attempts of a tournament."""

    attempts: int
    """How often a block was void."""
    reasons: dict[str, int]
    """By code, the games that were disturbed themselves."""
    bots: dict[str, int]
    """By bot: void attempts at its tables."""
    at_every: tuple[str, ...]
    """Bots that sat at every table that was void; empty under MANY_VOIDS attempts. For people to look at: nothing
    follows from it."""


def voids_of(voids: Collection[VoidInfo]) -> Voids:
    """Void attempts counted. Tables of which nobody noted who sat there count for no bot."""
    seated: dict[tuple[int, int, int, int], set[str]] = {}
    reasons: Counter[str] = Counter()
    for info in voids:
        void = info.void
        attempt = (*void.key[:3], void.attempt)
        seated.setdefault(attempt, set()).update(void.bots)
        reasons[void.reason] += 1
    reasons.pop(WITH_ITS_BLOCK, None)
    bots = Counter(bot for names in seated.values() for bot in names)
    many = len(seated) >= MANY_VOIDS
    at_every = tuple(sorted(bot for bot, count in bots.items() if many and count == len(seated)))
    return Voids(len(seated), dict(sorted(reasons.items())), dict(sorted(bots.items())), at_every)
