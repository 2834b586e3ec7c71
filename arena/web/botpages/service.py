"""What pages of bots ask again and again, kept: line-ups, chronicles, splits. Small things are made while a page waits,
large ones beside it, in a process of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from arena.core.errors import ArenaFault, TranscriptError
from arena.record.results import Verdict
from arena.record.transcript import Transcript, from_data
from arena.runner.sealing import open_boards
from arena.store import codec
from arena.store.bot_games import BotGames, Lineups
from arena.store.snapshots import Snapshots, unpacked
from arena.store.store import utc_now
from arena.store.values import State, Tournament
from arena.web.botpages.chronicle import Data, chronicle
from arena.web.botpages.counting import Counted, Counting
from arena.web.botpages.split import Split, split_of
from arena.web.botpages.split.counts import Sample
from arena.web.games.stored import clock_of
from arena.web.site import Site
from arena.web.standing.service import Standing, standing_service

LARGE = 4000
"""A chronicle of more games is made in another process and kept in the store."""
NEWEST = 500
"""So many games of a bot are split, the newest ones."""
KIND, FORMAT = "chronicle", "1"
Played = Sequence[tuple[Tournament, str]]
"""(tournament, the bot's name there), newest first."""


class Tally(NamedTuple):
    """What is known of all games of a tournament without reading them."""

    lineups: Lineups
    faults: dict[tuple[str, str], int]
    """(competitor, code) -> how often."""

    def of(self, name: str) -> dict[str, int]:
        """A competitor's faults by code, most often first."""
        own = {code: count for (bot, code), count in self.faults.items() if bot == name}
        return dict(sorted(own.items(), key=lambda pair: (-pair[1], pair[0])))


class BotPages:
    """The service of a site; for any number of threads."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.games = BotGames(site.store.database)
        self.counting = Counting.of(site)
        self.standing: Standing = standing_service(site)
        self._snapshots = Snapshots(site.store.database)

    @classmethod
    def of(cls, site: Site) -> BotPages:
        """The one of a site."""
        return site.service(cls, cls)

    def version(self, tournament: Tournament) -> str:
        """Differs whenever anything differs that is made of a tournament's games."""
        return self.standing.watch.of(tournament.id).version

    def tally(self, tournament: Tournament, *, patient: bool = True) -> Counted[Tally]:
        """Line-ups and faults of a tournament; waited for only by who is patient."""
        store = self.site.store

        def make() -> Tally:
            return Tally(self.games.lineups(tournament.id), store.fault_counts(tournament.id))

        patience = None if patient else 0.0
        return self.counting.ask(("tally", tournament.id), self.version(tournament), make, patience=patience)

    def chronicle(self, tournament: Tournament, *, patient: bool = True) -> Counted[Data]:
        """Ratings over time and opponents of all bots of a tournament, see `chronicle`."""
        reading = self.standing.watch.of(tournament.id)

        large = reading.games > LARGE

        def make() -> Data:
            return self._chronicle(tournament, reading.version, large=large)

        patience = None if patient else 0.0
        return self.counting.ask(("chronicle", tournament.id), reading.version, make, patience=patience, apart=large)

    def _chronicle(self, tournament: Tournament, version: str, *, large: bool) -> Data:
        if not large:
            return chronicle(self.site.store, tournament)
        version = f"{FORMAT}-{version}"
        kept = self._snapshots.load(tournament.id, KIND)
        if kept is not None and kept.version == version:
            data: Data = kept.data
            return data
        begun = utc_now()
        order = {"store": str(self.site.settings.store), "tournament": tournament.name}
        made = self.counting.elsewhere("arena.web.botpages.chronicle", order)
        took = round(1000 * (utc_now() - begun).total_seconds())
        data = unpacked(made)
        with suppress(ArenaFault):  # where nothing can be written it is in memory all the same
            self._snapshots.save(tournament.id, {KIND: made}, version, begun, took)
        return data

    def split(self, name: str, played: Played) -> Counted[Split]:
        """What a bot does in which role, over its newest games on open boards in these tournaments."""
        key = ("split", name.casefold(), *((tournament.id, known) for tournament, known in played))
        version = tuple(self.version(tournament) for tournament, _ in played)
        return self.counting.ask(key, version, lambda: split_of(self._samples(played)))

    def _samples(self, played: Played) -> Iterator[Sample]:
        left = NEWEST
        for tournament, known in played:
            opened = None if tournament.state is State.FINISHED else open_boards(self.site.store, tournament)
            lineups = self.games.lineups(tournament.id)
            own = [bots for bots in lineups.games if known in bots]
            clock = clock_of(tournament) if tournament.config.get("clock") else None
            before: int | None = None
            while left:
                found = self.games.page(own, [tournament.id], games=lineups.of(known), before=before, limit=100)
                wanted = {
                    number: info
                    for number, info in zip(found.ids, found.games, strict=True)
                    if (opened is None or info.row.key.board in opened) and info.row.verdict is not Verdict.VOID
                }
                for number, data in self.games.transcripts(list(wanted)).items():
                    row = wanted[number].row
                    seats = tuple(seat for seat, bot in enumerate(row.bots) if bot == known)
                    if left:
                        yield Sample(f"{tournament.id}-{row.key.board}", _read(data), seats, clock)
                        left -= 1
                before = found.further
                if before is None:
                    break


def _read(data: bytes) -> Transcript | None:
    """A stored transcript; None when it cannot be read."""
    try:
        return from_data(codec.unpacked(data))
    except (TranscriptError, ValueError):
        return None
