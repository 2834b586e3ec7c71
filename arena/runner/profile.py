"""How a bot does: its versions, its row in each tournament, its last games. JSON data; nothing is shown here."""

from __future__ import annotations

from collections import Counter
from typing import Any

from arena.rating.data import standing_to_data
from arena.runner.standing import tables_of, voids_of
from arena.store.store import Store
from arena.store.values import Registered, Tournament

Data = dict[str, Any]  # Any: JSON
LAST = 10


def row_in(store: Store, tournament: Tournament, name: str) -> Data:
    """A bot's row in a tournament: its standing (None before its first complete block) and its faults by code."""
    made, _ = tables_of(store, tournament)
    standing = next((row for row in made.standings if row.bot == name), None)
    counts: Counter[str] = Counter()
    for (bot, code), count in store.fault_counts(tournament.id).items():
        counts[code] += count * (bot == name)
    return {
        "tournament": tournament.name,
        "name": name,
        "game": tournament.game,
        "state": tournament.state.value,
        "version": next(entrant.version for entrant in tournament.entrants if entrant.name == name),
        "standing": standing_to_data(standing) if standing is not None else None,
        "quarantined": dict(made.out).get(name),
        "voids": voids_of(list(store.voids(tournament.id))).bots.get(name, 0),
        "faults": {code: count for code, count in sorted(counts.items()) if count},
    }


def tournaments_of(store: Store, name: str, version: Registered | None) -> list[tuple[Tournament, str]]:
    """(tournament, the name there) of every tournament of a bot or of one version of it, newest first.

    On a ladder each version of it is there under a name of its own, "fox@3".
    """
    return [
        (tournament, entrant.name)
        for tournament in reversed(store.tournaments())
        for entrant in tournament.entrants
        if entrant.name.partition("@")[0].casefold() == name.casefold()
        and (version is None or entrant.version == version.version)
    ]


def last_games(store: Store, tournaments: list[tuple[Tournament, str]], count: int = LAST) -> list[Data]:
    """The games that were stored last, newest first."""
    found = [
        (info, name)
        for tournament, name in tournaments
        for info in store.games(tournament.name, bot=name, limit=count, newest=True)
    ]
    found.sort(key=lambda pair: pair[0].stored, reverse=True)
    return [
        {
            "game": info.public_id,
            "tournament": info.tournament,
            "seats": [seat for seat, bot in enumerate(info.row.bots) if bot == name],
            "bots": list(info.row.bots),
            "scores": list(info.row.scores),
            "verdict": info.row.verdict.value,
            "faults": [code for seat, code in info.row.faults if info.row.bots[seat] == name],
        }
        for info, name in found[:count]
    ]
