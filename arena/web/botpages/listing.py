"""The list of all bots."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from arena.bots.manifest import house_names
from arena.runner.roster import newest
from arena.store.bot_games import LastCheck
from arena.store.quarantines import REMOVED
from arena.store.removals import BOT
from arena.store.values import Quarantined, Registered, Tournament
from arena.web.botpages.service import BotPages
from arena.web.rendering import bdi, moment
from arena.web.sheets import Column, Sheet

Row = dict[str, Any]  # Any: JSON
GROUPS = {"registered": "", "house": "house bots", "folder": "entered from a folder", "removed": "removed"}


def bots_sheet(pages: BotPages) -> tuple[Sheet, bool]:
    """The list, and whether everything in it is counted."""
    store = pages.site.store
    tournaments = store.tournaments()
    games, faults, complete = _totals(pages, tournaments)
    out = _out(pages)
    checks, settings = pages.games.last_checks(), pages.games.settings()
    rows: dict[str, Row] = {}
    for version in newest(store.registered()):
        rows[version.name.casefold()] = _registered(version, checks.get(version.name.casefold()))
    for name in house_names():
        rows.setdefault(name, {**_row(name, "house", "comes with the arena"), "plays": ["*"]})
    for tournament in tournaments:
        for entrant in tournament.entrants:
            name = entrant.name.partition("@")[0]
            rows.setdefault(name.casefold(), _row(name, "folder", "not registered"))
    for removal in store.removals():
        if removal.kind == BOT:
            rows[removal.name.casefold()] = _row(removal.name, "removed", f"removed: {removal.reason}")
    for folded, row in rows.items():
        row["games"] = games[folded] if complete or folded in games else None
        row["faults"] = faults[folded] if complete or folded in faults else None
        if row["source"] != "removed":
            row["out"] = out.get(folded, [])
            row["quarantined"] = [_told(each, each.quarantine.reason) for each in row["out"]]
            if settings.get(folded, (False, False))[1]:
                row["state"] = "paused by its owner"
    order = list(GROUPS)
    shown = sorted(rows.values(), key=lambda row: (order.index(row["source"]), row["name"].casefold()))
    return (
        Sheet(
            "bots",
            "arena.bots/1",
            COLUMNS,
            tuple(shown),
            empty="no bots yet: send one at /submit, or arena bot add PATH",
            group=lambda row: GROUPS[row["source"]],
        ),
        complete,
    )


def _totals(pages: BotPages, tournaments: list[Tournament]) -> tuple[Counter[str], Counter[str], bool]:
    """Games and faults of every bot, by its name in small letters, all its versions together."""
    games: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    complete = True
    for tournament in tournaments:
        told = pages.tally(tournament, patient=complete)
        complete &= told.value is not None
        if told.value is None:
            continue
        for bots, count in told.value.lineups.games.items():
            for name in {bot.partition("@")[0].casefold() for bot in bots}:
                games[name] += count
        for (bot, _), count in told.value.faults.items():
            faults[bot.partition("@")[0].casefold()] += count
    return games, faults, complete


def _out(pages: BotPages) -> dict[str, list[Quarantined]]:
    """By name in small letters: where a bot is out, by its faults or an organiser's order."""
    found: dict[str, list[Quarantined]] = defaultdict(list)
    for each in pages.site.store.quarantines(active=True):
        if not each.quarantine.reason.startswith(REMOVED):
            found[each.quarantine.bot.partition("@")[0].casefold()].append(each)
    return found


def _told(out: Quarantined, why: str) -> str:
    return f"{out.tournament} since round {out.quarantine.since_round}: {why}"


def _row(name: str, source: str, state: str) -> Row:
    return {
        "name": name, "version": None, "hash": None, "owner": None, "plays": [], "source": source, "state": state,
        "games": None, "faults": None, "checked": None, "check": None, "submission": None, "quarantined": [],
        "out": [],
    }  # fmt: skip


def _registered(version: Registered, check: LastCheck | None) -> Row:
    return {
        **_row(version.name, "registered", version.state.value),
        "version": f"v{version.number}",
        "hash": version.version,
        "owner": version.owner or None,
        "plays": list(version.manifest.get("games", ["*"])),
        "checked": check.at.isoformat(timespec="seconds") if check is not None else None,
        "check": check.state if check is not None else None,
        "submission": check.public_id if check is not None else None,
    }


def _name(row: Mapping[str, Any]) -> Markup:
    return Markup('<a href="/bot/{}">{}</a>').format(row["name"], bdi(row["name"]))


def _state(row: Mapping[str, Any]) -> Markup:
    state = Markup('<span class="state {}">{}</span>').format(row["state"].split()[0].rstrip(":"), row["state"])
    if row["source"] != "registered":
        state = Markup('<span class="dim">{}</span>').format(bdi(row["state"]))
    for each in row["out"]:
        word, why = ("disabled", each.disabled) if each.disabled else ("quarantined", each.quarantine.reason)
        state += Markup(' <span class="state quarantined">{}</span> <span class="dim">{}</span>').format(
            word, bdi(_told(each, why))
        )
    return state


def _faults(row: Mapping[str, Any]) -> object:
    if not row["faults"]:
        return 0 if row["faults"] == 0 else "–"
    rate = 1000 * row["faults"] / max(1, row["games"] or 0)
    return Markup('<a href="/bot/{}/games?fault=any">{}</a> <span class="dim">{:.3g} in 1000</span>').format(
        row["name"], row["faults"], rate
    )


def _check(row: Mapping[str, Any]) -> object:
    if row["submission"] is None:
        return "–"
    from datetime import datetime

    at = moment(datetime.fromisoformat(row["checked"]))
    return Markup('<a href="/submission/{}">{}</a> {}').format(row["submission"], row["check"], at)


COLUMNS = (
    Column("name", "bot", _name, pinned=True),
    Column("version", "version"),
    Column("hash", "hash", hidden=True),
    Column("owner", "owner", lambda row: bdi(row["owner"]) if row["owner"] else "–"),
    Column(
        "plays", "plays", lambda row: ", ".join("all games" if each == "*" else each for each in row["plays"]) or "–"
    ),
    Column("state", "state", _state),
    Column("quarantined", "quarantined", hidden=True),
    Column("games", "games", right=True),
    Column("faults", "faults", _faults, right=True, help="of all its versions, and in 1000 games"),
    Column("checked", "last check", _check),
    Column("check", "check", hidden=True),
    Column("submission", "submission", hidden=True),
    Column("source", "source", hidden=True),
)
