"""What stands at the top of a bot's page: versions, games, faults; and all of it as one document."""

from __future__ import annotations

from typing import Any, NamedTuple

from arena.store.values import Quarantined, Tournament
from arena.web.botpages.chronicle import Data
from arena.web.botpages.identity import SHORT, Known, version_word
from arena.web.botpages.ratings import MOST, numbers_of, ratings_sheet
from arena.web.botpages.service import BotPages


class Version(NamedTuple):
    """One version, registered or not."""

    word: str
    """"v3", or the start of its hash."""
    version: str
    added: Any
    """A time; None for one that is not registered. Any: datetime or None."""
    message: str
    state: str
    events: tuple[str, ...]
    """Where it plays or played."""


class Faults(NamedTuple):
    """Faults in all games that are looked at."""

    games: int | None
    """None: not counted yet."""
    codes: dict[str, int]

    @property
    def total(self) -> int:
        """Of any code."""
        return sum(self.codes.values())


class Profile(NamedTuple):
    """The top of the page."""

    versions: tuple[Version, ...]
    """Newest first."""
    faults: Faults
    quarantines: tuple[tuple[Quarantined, tuple[str, ...]], ...]
    """With the ids of the games that brought each about."""
    check: str
    """The id of its newest submission; empty: none."""


def profile_of(pages: BotPages, bot: Known) -> Profile:
    """The profile of a bot or version."""
    from arena.store.values import public_id

    found = [
        (each, tuple(public_id(each.tournament, key) for key in each.quarantine.games)) for each in bot.quarantines
    ]
    check = pages.games.last_checks().get(bot.name.casefold()) if bot.source == "registered" else None
    return Profile(_versions(bot), faults_of(pages, bot), tuple(found), check.public_id if check is not None else "")


def _versions(bot: Known) -> tuple[Version, ...]:
    events: dict[str, list[str]] = {}
    for tournament, known in bot.played:
        content = next(entrant.version for entrant in tournament.entrants if entrant.name == known)
        events.setdefault(content, []).append(tournament.name)
    registered = [
        Version(
            f"v{each.number}", each.version, each.added, each.message, each.state.value,
            tuple(events.pop(each.version, ())),
        )
        for each in reversed(bot.versions)
    ]  # fmt: skip
    others = [
        Version(content[:SHORT], content, None, "", bot.source, tuple(names)) for content, names in events.items()
    ]
    return (*registered, *others)


def faults_of(pages: BotPages, bot: Known) -> Faults:
    """Games and faults by code, most often first."""
    games: int | None = 0
    codes: dict[str, int] = {}
    for tournament, known in bot.played:
        told = pages.tally(tournament, patient=games is not None).value
        if told is None:
            games = None
            continue
        if games is not None:
            games += told.lineups.of(known)
        for code, count in told.of(known).items():
            codes[code] = codes.get(code, 0) + count
    return Faults(games, dict(sorted(codes.items(), key=lambda pair: (-pair[1], pair[0]))))


def told_of(pages: BotPages, bot: Known) -> tuple[list[tuple[Tournament, str, Data]], bool]:
    """The chronicles of its newest tournaments, and whether all are there."""
    found = []
    complete = True
    for tournament, known in bot.played[:MOST]:
        made = pages.chronicle(tournament, patient=complete)
        complete &= made.value is not None
        if made.value is not None:
            found.append((tournament, known, made.value))
    return found, complete


def profile_data(pages: BotPages, bot: Known) -> dict[str, Any]:  # Any: JSON
    """All of it as one document."""
    profile = profile_of(pages, bot)
    ratings, complete = ratings_sheet(pages, bot)
    numbers = numbers_of(bot)
    return {
        "bot": bot.name,
        "version": bot.version or None,
        "source": bot.source,
        "owner": bot.owner or None,
        "games": list(bot.games),
        "paused": bot.paused,
        "versions": [
            {
                "number": numbers.get(each.version), "version": each.version, "message": each.message,
                "state": each.state, "tournaments": list(each.events),
                "added": each.added.isoformat(timespec="seconds") if each.added is not None else None,
            }
            for each in profile.versions
        ],
        "played": profile.faults.games,
        "faults": profile.faults.codes,
        "quarantined": [
            {
                "tournament": each.tournament, "name": each.quarantine.bot, "since_round": each.quarantine.since_round,
                "reason": each.quarantine.reason, "games": list(games),
            }
            for each, games in profile.quarantines
        ],
        "tournaments": [
            {**row, "version": version_word(tournament, row["name"], numbers)}
            for (tournament, _), row in zip(bot.played, ratings.rows, strict=False)
        ],
        "complete": complete and profile.faults.games is not None,
    }  # fmt: skip
