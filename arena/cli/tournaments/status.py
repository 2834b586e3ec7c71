"""`arena tournament status`: how tournaments stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.app import settings_of
from arena.cli.output import Column, Output
from arena.cli.tournaments.names import complete_tournaments

if TYPE_CHECKING:
    from arena.store.place import Place
    from arena.store.store import Store
    from arena.store.values import Quarantined, Tournament, VoidInfo


def status(
    ctx: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="A tournament or a series.", autocompletion=complete_tournaments),
    ] = None,
) -> None:
    """How tournaments stand: state, progress, voids, faults, who coordinates; of one also what it came to.

    \b
    arena tournament status
    arena tournament status spring --json
    """
    output: Output = ctx.obj
    from arena.cli.stored import find_event, open_store
    from arena.runner.outcome import outcome_of

    settings = settings_of(output)
    with open_store(output) as store:
        found = find_event(store, name) if name is not None else store.tournaments()
        rows = [state_of(store, each, settings.data, settings.store) for each in found]
        if name is not None:
            for row, each in zip(rows, found, strict=True):
                came_to = outcome_of(store, each)
                row["outcome"] = came_to.words if came_to is not None else None
        for row, each in zip(rows, found if name is not None else (), strict=False):
            row["workers"] = workers_of(store, each)
    if output.flags.json:
        output.document("status/1", rows)
    elif output.flags.csv:
        headings = ["name", "game", "state", "blocks", "blocks_planned", "games", "games_planned", "voids", "faults"]
        output.rows(headings, [[_flat(row[heading]) for heading in headings] for row in rows])
    elif name is not None and len(rows) == 1:
        for key, value in rows[0].items():
            output.line(f"{key:<16}{_shown(key, value, name)}")
    elif rows:
        headings = ["name", "game", "state", "blocks", "games", "voids", "faults"]
        output.table(
            [Column(heading) for heading in headings],
            [
                [
                    row["name"],
                    row["game"],
                    row["state"],
                    _of(row["blocks"], row["blocks_planned"]),
                    _of(row["games"], row["games_planned"]),
                    str(row["voids"]),
                    str(sum(row["faults"].values())),
                ]
                for row in rows
            ],
        )
    else:
        output.note("no tournament yet; begin one:  arena tournament run cup.toml")
    output.next_step(f"arena ratings {rows[0]['name']}" if rows else "arena tournament run cup.toml")


def state_of(store: Store, tournament: Tournament, data: Path, place: Place | None = None) -> dict[str, Any]:
    """One tournament as JSON data. A tournament that says it runs and has no coordinator was killed: stopped."""
    from arena.runner.course import round_secrets, seatings_of, stored_schedule
    from arena.runner.events.bulletin import bulletin_file, read
    from arena.runner.series import is_published
    from arena.runner.standing import left_out, tiers_of, voids_of
    from arena.store.lock import holder
    from arena.store.values import State

    totals = stored_schedule(tournament).totals()
    seatings = seatings_of(tournament)
    rounds = store.rounds(tournament.id)
    who = holder(data, tournament.name, place)
    state = tournament.state
    if state is State.RUNNING and who is None:
        state = State.STOPPED
    faults: Counter[str] = Counter()
    for (_bot, code), count in store.fault_counts(tournament.id).items():
        faults[code] += count
    stored = list(store.voids(tournament.id))
    voids, without = voids_of(stored), left_out(store, tournament)
    board = read(bulletin_file(data, tournament.name)) if who is not None else None
    return {
        "name": tournament.name,
        "series": tournament.series or None,
        "game": tournament.game,
        "state": state.value,
        "format": tournament.config.get("format", "round_robin"),
        "rounds_closed": sum(each.closed is not None for each in rounds),
        "rounds_planned": totals.rounds if totals.exact else None,
        "blocks": store.count_blocks(tournament.id, seatings),
        "blocks_planned": totals.blocks if totals.exact else None,
        "games": store.count(tournament.id),
        "games_planned": totals.games if totals.exact else None,
        "blocks_left_out": without.blocks,
        "games_left_out": without.games,
        "voids": voids.attempts,
        "voids_by_reason": voids.reasons,
        "voids_by_bot": voids.bots,
        "at_every_void": list(voids.at_every),
        "void_attempts": [void_data(tournament.name, each) for each in stored],
        "quarantines": [quarantine_data(each) for each in store.quarantines(tournament.id)],
        "tiers": tiers_of(store, tournament).games,
        "tier_minimum": tournament.tier_minimum or None,
        "faults": dict(sorted(faults.items())),
        "bots": [f"{bot.name}@{bot.version[:12]}" for bot in tournament.entrants],
        "lobby": board,
        "coordinator": f"process {who.pid} on {who.host}" if who is not None else None,
        "open_seed": tournament.open_seed,
        "secret_hash": tournament.secret_hash,
        "round_secrets": [
            {"round": each.number, "hash": each.hash, "secret": each.secret.hex() if each.secret else None}
            for each in round_secrets(store, tournament)
        ],
        "secret": tournament.secret.hex() if is_published(store, tournament) else None,
        "created": _time(tournament.created),
        "started": _time(tournament.started),
        "finished": _time(tournament.finished),
    }


def workers_of(store: Store, tournament: Tournament) -> list[dict[str, Any]]:
    """Who played, and whether a machine's faults or results differ from the others' (docs/clusters.md). Any: JSON."""
    from arena.runner.cluster.inspection import findings

    return [
        {
            "worker": each.machine,
            "games": each.games,
            "blocks": each.blocks,
            "games_with_faults": each.faulty,
            "faults_p": each.faults_p,
            "results_p": each.results_p,
            "flags": list(each.flags),
        }
        for each in findings(store, tournament)
    ]


def worker_text(worker: Mapping[str, Any]) -> str:
    """A machine that played, for people. Any: JSON."""
    tails = [f"{what} p {worker[f'{what}_p']:.2g}" for what in ("faults", "results") if worker[f"{what}_p"] is not None]
    flagged = [f"DIFFERS in {' and '.join(worker['flags'])}"] if worker["flags"] else []
    return ", ".join([f"{worker['worker']} {worker['games']} games", *tails, *flagged])


def void_data(tournament: str, each: VoidInfo) -> dict[str, Any]:
    """An attempt that counted for nobody, with what shows why. Any: JSON."""
    from arena.store.values import public_id

    void = each.void
    return {
        "game": public_id(tournament, void.key),
        "attempt": void.attempt,
        "reason": void.reason,
        "bots": list(void.bots),
        "evidence": dict(void.evidence),
        "at": _time(each.at),
    }


def quarantine_data(each: Quarantined) -> dict[str, Any]:
    """A quarantine as JSON data. Any: JSON."""
    from arena.store.values import public_id

    why = each.quarantine
    return {
        "bot": why.bot,
        "since_round": why.since_round,
        "reason": why.reason,
        "codes": list(why.codes),
        "games": [public_id(each.tournament, key) for key in why.games],
        "at": _time(each.at),
        "lifted": _time(each.lifted),
        "lift_reason": each.lift_reason or None,
    }


def lobby_text(lobby: Mapping[str, Any]) -> str:
    """Who is in the lobby of an event, as its bulletin says. Any: JSON."""
    bots = [
        each["bot"] + f" {each['state']}" + (f" ({each['here']} of {each['needed']})" if each["needed"] > 1 else "")
        for each in lobby["bots"]
    ]
    start = f", start {lobby['start']}" if lobby["start"] else ""
    ready = f"{lobby['ready']} of {len(bots)} ready, {lobby['min_bots']} needed"
    return f"{lobby['state']}, port {lobby['port']}, {ready}{start}, late: {lobby['late']}; {', '.join(bots)}"


def _of(done: int, planned: int | None) -> str:
    """`12/40`, or what is done where nobody knows how much there will be."""
    return f"{done}/{planned}" if planned is not None else str(done)


def _time(time: datetime | None) -> str | None:
    return time.isoformat(timespec="seconds").replace("+00:00", "Z") if time is not None else None


def _shown(key: str, value: Any, name: str) -> object:  # Any: JSON
    """A value for people: of long lists the end, and where the rest is."""
    if key == "void_attempts" and value:
        return f"{len(value)}; each with what shows why:  arena tournament status {name} --json"
    return _flat(value[-2:] if key == "round_secrets" else value)


def _flat(value: object) -> object:
    if isinstance(value, dict):
        if "games_with_faults" in value:
            return worker_text(value)
        if "hash" in value:
            told = f"secret {value['secret']}" if value["secret"] else f"not closed, hash {value['hash']}"
            return f"round {value['round']}: {told}"
        if "since_round" in value:
            lifted = f"; lifted {value['lifted']}: {value['lift_reason']}" if value["lifted"] else ""
            return f"{value['bot']} since round {value['since_round']}: {value['reason']}{lifted}"
        if "ready" in value:
            return lobby_text(value)
        return ", ".join(f"{code} {count}" for code, count in value.items()) or "none"
    if isinstance(value, list):
        return (
            "; ".join(str(_flat(each)) for each in value)
            if any(isinstance(each, dict) for each in value)
            else (", ".join(map(str, value)) or "none")
        )
    return "-" if value is None else value
