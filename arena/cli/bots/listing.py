"""`arena bot list` and `arena bot show`: which bots there are, and how they do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.app import settings_of
from arena.cli.bots.add import registered_data
from arena.cli.bots.names import complete_bots
from arena.cli.commands.games import complete_games
from arena.cli.output import Column, Output

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arena.runner.roster import Roster
    from arena.store.store import Store
    from arena.store.values import Rate, Registered, Tournament

HEADINGS = (
    "bot",
    "number",
    "version",
    "state",
    "owner",
    "games",
    "language",
    "played",
    "faults",
    "registered",
    "message",
)


def list_bots(
    ctx: typer.Context,
    game: Annotated[
        str | None,
        typer.Option("--game", metavar="ID", help="Only bots that play it.", autocompletion=complete_games),
    ] = None,
    all_versions: Annotated[bool, typer.Option("--all-versions", help="Also older and retired versions.")] = False,
) -> None:
    """Registered bots: the newest version that is ready of each, or all versions.

    \b
    arena bot list
    arena bot list --game goat --all-versions
    """
    output: Output = ctx.obj
    from arena.bots.manifest import house_names
    from arena.games import make
    from arena.runner.roster import Roster, newest
    from arena.store.store import Store

    if game is not None:
        make(game)
    settings = settings_of(output)
    known = Roster(settings.data, settings.store).registered()
    shown = [each for each in (known if all_versions else newest(known)) if game is None or _plays(each, game)]
    rows = []
    if shown:
        with Store.open(settings.store) as store:
            rates, out = store.rates(), _out(store)
        rows = [_row(each, rates, out) for each in shown]
    if output.flags.json:
        output.document("bot-versions/1", rows)
    elif output.flags.csv:
        output.rows(HEADINGS, [[_cell(row[heading]) for heading in HEADINGS] for row in rows])
    elif rows:
        columns = [Column(heading, right=heading in ("number", "played")) for heading in HEADINGS]
        output.table(columns, [[_text(heading, row) for heading in HEADINGS] for row in rows], wrap=True)
        output.line("faults: in a thousand games")
        for row in rows:
            for why in row["quarantined"]:
                output.line(f"quarantined: {row['bot']} v{row['number']} in {why}")
    else:
        output.note("no registered bot yet; add one:  arena bot add PATH")
    output.note(f"house bots: {', '.join(house_names())}")
    output.next_step(f"arena bot show {rows[0]['bot']}" if rows else "arena bot new NAME")


def _plays(version: Registered, game: str) -> bool:
    return not {"*", game}.isdisjoint(version.manifest.get("games", ["*"]))


def _out(store: Store) -> dict[str, list[str]]:
    """Version -> the quarantines that hold for it, in words."""
    found: dict[str, list[str]] = {}
    for each in store.quarantines(active=True):
        why = f"{each.tournament} since round {each.quarantine.since_round}: {each.quarantine.reason}"
        found.setdefault(each.version, []).append(why)
    return found


def _row(version: Registered, rates: Mapping[str, Rate], out: Mapping[str, list[str]]) -> dict[str, Any]:
    """A version as JSON data; `faults` by code in all its games, `faults_per_1000` of them."""
    rate = rates.get(version.version)
    return {
        **registered_data(version),
        "games": list(version.manifest.get("games", ["*"])),
        "language": version.manifest.get("language", ""),
        **(_rate(rate) if rate is not None else {"played": 0, "faults": {}, "faults_per_1000": {}}),
        "quarantined": out.get(version.version, []),
    }


def _rate(rate: Rate) -> dict[str, Any]:
    return {"played": rate.games, "faults": dict(rate.faults), "faults_per_1000": rate.per_thousand()}


def _versions(registered: Sequence[Registered], played: Sequence[tuple[Tournament, str]]) -> list[str]:
    """The versions of a bot by content hash, registered or not, each once."""
    entered = [entrant.version for cup, name in played for entrant in cup.entrants if entrant.name == name]
    return list(dict.fromkeys([*(each.version for each in registered), *entered]))


def _cell(value: object) -> object:
    if isinstance(value, dict):
        return " ".join(f"{code} {count}" for code, count in value.items())
    return " ".join(map(str, value)) if isinstance(value, list) else value


def _rated(row: dict[str, Any]) -> str:
    """Faults for people: in a thousand games, by code."""
    rates: dict[str, float] = row["faults_per_1000"]
    return ", ".join(f"{code} {rate:g}" for code, rate in rates.items()) or "none"


def _text(heading: str, row: dict[str, Any]) -> str:
    """A cell for people: versions short, faults in a thousand games, and whether a version is out of an event."""
    if heading == "faults":
        return _rated(row)
    text = str(_cell(row[heading]))
    if heading == "state" and row["quarantined"]:
        return f"{text}, quarantined"
    return text[:12] if heading == "version" else text


def show(
    ctx: typer.Context,
    name: Annotated[
        str,
        typer.Argument(metavar="NAME[@V]", help="A bot, or one version of it.", autocompletion=complete_bots),
    ],
) -> None:
    """One bot: its manifest and versions, its row in each tournament, its last games.

    \b
    arena bot show fox
    arena bot show fox@3 --json
    """
    output: Output = ctx.obj
    from arena.runner.roster import Roster
    from arena.store.store import Store

    settings = settings_of(output)
    roster = Roster(settings.data, settings.store)
    with Store.open(settings.store) as store:
        found = _profile(store, roster, name)
    if output.flags.json:
        output.document("bot-record/1", found)
    elif output.flags.csv:
        output.rows(("tournament", *_STANDING), [_standing_cells(row, number=False) for row in found["tournaments"]])
    else:
        _show(output, found)
    if found["games"]:
        output.next_step(f"arena replay show {found['games'][0]['game']}")
    else:
        output.next_step(f"arena play GAME {name} basic")


def _profile(store: Store, roster: Roster, reference: str) -> dict[str, Any]:
    """All that is known of a bot, as JSON data. Raises BotError: NO_BOT, REMOVED."""
    from arena.bots.manifest import find_bot, house_names
    from arena.runner.profile import last_games, row_in, tournaments_of
    from arena.runner.roster import chosen
    from arena.store.removals import BOT, removed_error

    name, _, wanted = reference.partition("@")
    removal = store.removal(BOT, name)
    if removal is not None:
        raise removed_error(removal)
    versions = roster.registered(name)
    version = chosen(versions, wanted) if versions and wanted else None
    played = tournaments_of(store, name, version)
    house = name in house_names()
    if not (versions or house or played) or (wanted and not versions):
        raise roster.nobody(reference)
    rates, out = store.rates(), _out(store)
    meant = version or (versions[-1] if versions else None)
    if meant is not None:
        manifest = dict(meant.manifest)
    elif house:
        manifest = find_bot(name).manifest
    else:
        tournament, known = played[0]
        manifest = dict(next(each.manifest for each in tournament.entrants if each.name == known))
    return {
        "bot": meant.name if meant is not None else name,
        "source": "registered" if versions else "house" if house else "folder",
        "manifest": manifest,
        "versions": [_row(each, rates, out) for each in ([version] if version is not None else versions)],
        "rates": {version: _rate(rates[version]) for version in _versions(versions, played) if version in rates},
        "tournaments": [row_in(store, tournament, known) for tournament, known in played],
        "games": last_games(store, played),
    }


_STANDING = ("game", "state", "version", "place", "rating", "low", "high", "points", "W-D-L", "blocks", "faults")


def _standing_cells(row: dict[str, Any], *, number: bool) -> list[Any]:  # Any: cells of a table or of a CSV
    """A tournament's row; numbers rounded for people, or as they are."""
    standing = row["standing"]
    event = f"{row['tournament']}: {row['name']}" if number and "@" in row["name"] else row["tournament"]
    head = [event, row["game"], row["state"], row["version"][:12] if number else row["version"]]
    faults = sum(row["faults"].values())
    if standing is None:
        return [*head, *[None] * 6, faults]
    values = [standing["rating"], standing["rating_low"], standing["rating_high"], standing["points_per_block"]]
    if number:
        values = [f"{value:.1f}" if value is not None else None for value in values]
    record = f"{standing['wins']}-{standing['draws']}-{standing['losses']}"
    return [*head, standing["place"], *values, record, standing["blocks"], faults]


def _show(output: Output, found: dict[str, Any]) -> None:
    from arena.cli.failure import one_line

    output.line(output.style(f"{found['bot']}", "bold") + f" ({found['source']})")
    for key, value in found["manifest"].items():
        if key != "name":
            text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            output.line(f"  {one_line(key):<17} {one_line(text)}")
    if found["versions"]:
        output.line()
        headings = ("number", "version", "state", "registered", "played", "faults", "message")
        rows = [[one_line(_text(heading, row)) for heading in headings] for row in found["versions"]]
        output.table([Column(heading) for heading in headings], rows, wrap=True)
        output.line("faults: in a thousand games")
    registered = {row["version"] for row in found["versions"]}
    for version, rate in found["rates"].items():
        if version not in registered:
            output.line(f"{version[:12]}: {rate['played']} games, faults in a thousand: {_rated(rate)}")
    output.line()
    if found["tournaments"]:
        cells = [_standing_cells(row, number=True) for row in found["tournaments"]]
        output.table(
            [Column(heading) for heading in ("tournament", *_STANDING)],
            [["-" if cell is None else str(cell) for cell in row] for row in cells],
        )
        for row in found["tournaments"]:
            if row["quarantined"] is not None:
                output.line(f"quarantined in {row['tournament']} {row['quarantined']}")
            if row["voids"]:
                output.line(f"void attempts at its tables in {row['tournament']}: {row['voids']}")
        output.line()
    else:
        output.line("no tournament yet")
    if found["games"]:
        output.table(
            [Column(heading) for heading in ("last games", "bots by seat", "scores", "verdict", "faults")],
            [
                [
                    game["game"],
                    " ".join(game["bots"]),
                    " ".join(f"{score:g}" for score in game["scores"]),
                    game["verdict"],
                    " ".join(game["faults"]),
                ]
                for game in found["games"]
            ],
        )
