"""`arena tournament`: run a cup, take it up again, see how it stands."""

from __future__ import annotations

import os
import shlex
import sys
from collections import Counter
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.app import Command, Group, settings_of
from arena.cli.output import Column, Output
from arena.core.errors import ConfigError

if TYPE_CHECKING:
    from arena.runner.config import Cup
    from arena.runner.tournament import Plan, Progress
    from arena.store.store import Store
    from arena.store.values import Tournament


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(name="tournament", cls=Group, help="Run a cup, see how it stands.", no_args_is_help=True)
    group.command("run", cls=Command)(run)
    group.command("status", cls=Command)(status)
    app.add_typer(group)


def run(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The tournament file.")],
    workers: Annotated[
        int | None, typer.Option("--workers", metavar="N", min=1, max=256, help="Worker processes; any number.")
    ] = None,
    secret_file: Annotated[
        Path | None, typer.Option("--secret-file", metavar="F", help="32 bytes in hex that reproduce an event.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be played.")] = False,
) -> None:
    """Play a tournament, or go on with one that was stopped, and print its table.

    \b
    arena tournament run cup.toml
    arena tournament run cup.toml --workers 4
    """
    output: Output = ctx.obj
    from arena.runner.config import load_cup
    from arena.runner.prepare import prepare
    from arena.runner.roster import Roster
    from arena.store.lock import coordinator_lock
    from arena.store.store import Store

    settings = settings_of(output)
    cup = load_cup(file, find=Roster(settings.data).find)
    count = workers or cup.workers or settings.workers
    if dry_run:
        _plan_only(output, cup, count, settings.data)
        return
    with coordinator_lock(settings.data, cup.name), Store.open(settings.data) as store:
        store.check()
        before = store.tournament(cup.name)
        differing = cup.differences(before.config) if before is not None else []
        made = cup.settings()
        if secret_file is not None:
            made = replace(made, secret=read_secret(secret_file), open_seed=False)
        plan = prepare(store, made, settings.data, differing)
        if plan.logs is None:
            output.error_line(f"the bots' output is not kept: {settings.data / 'logs'} cannot be written")
        if before is None:
            output.note(f"secret drawn; its SHA-256, published before the first game: {plan.tournament.secret_hash}")
        elif before.state.value != "finished":
            output.note(f"going on with {cup.name}: {store.count(before.id)} games are stored")
        reached = _play(output, store, plan, count, settings.grace_s, shlex.join(["arena", *sys.argv[1:]]))
        rated = _show(output, store, cup.name)
    output.next_step(f"arena ratings {cup.name} --cross")
    raise typer.Exit(_exit_status(output, reached, rated))


def _show(output: Output, store: Store, name: str) -> int:
    """Print the table as `arena ratings` does; returns the number of rated blocks."""
    from arena.cli.commands.ratings import show
    from arena.cli.stored import find_tournament
    from arena.rating import crosstable, table
    from arena.runner.prepare import stored_pool

    tournament = find_tournament(store, name)
    pool, rows = stored_pool(tournament), list(store.rows(tournament.id))
    made = table(rows, pool)
    show(output, tournament, made, crosstable(rows, pool), cross=False)
    return len(made.blocks)


def read_secret(file: Path) -> bytes:
    """The secret in a file: 64 hexadecimal digits. Raises ConfigError."""
    try:
        secret = bytes.fromhex(file.read_text(encoding="ascii").strip())
    except (OSError, ValueError) as error:
        raise ConfigError(f"the secret cannot be read: {error}", where=str(file), fix="64 hexadecimal digits") from None
    if len(secret) != 32:
        raise ConfigError(f"the secret has {len(secret)} bytes", where=str(file), fix="64 hexadecimal digits")
    return secret


def _play(output: Output, store: Store, plan: Plan, workers: int, grace_s: float, resume: str) -> Progress:
    from arena.cli.running import run_plan
    from arena.runner.tournament import Progress
    from arena.store.values import State

    if plan.tournament.state is State.FINISHED:
        totals = plan.schedule.totals()
        games = store.count(plan.tournament.id)
        return Progress(totals, games=games, missing=totals.games - games)
    return run_plan(output, store, plan, workers, grace_s, resume)


def _exit_status(output: Output, reached: Progress, rated: int) -> int:
    if not rated:
        output.error_line("not one block could be rated: see the faults in  arena tournament status")
        return 5
    if reached.missing:
        output.error_line(f"{reached.missing} games are missing: they ended void each time they were played")
        return 1
    if reached.lost:
        output.error_line(f"{reached.lost} games were not played, since workers were lost; the same command plays them")
        return 1
    return 0


def _plan_only(output: Output, cup: Cup, workers: int, data_folder: Path) -> None:
    """What a run would play, without drawing a secret or storing anything. Raises ConfigError as a run would."""
    from arena.runner.prepare import compare, schedule_of
    from arena.store.database import FILE
    from arena.store.store import Store

    if (data_folder / FILE).is_file():
        with Store.open(data_folder, create=False) as store:
            before = store.tournament(cup.name)
        if before is not None:
            compare(before, cup.settings(), cup.differences(before.config))
    bots = [bot.name for bot in cup.find_bots()]
    totals = schedule_of(cup.settings(), b"").totals()
    data = {"name": cup.name, "game": cup.game, "bots": bots, "workers": workers, **totals._asdict()}
    if output.flags.json:
        output.document("plan/1", data)
        return
    for key, value in data.items():
        output.line(f"{key:<10}{', '.join(value) if isinstance(value, list) else value}")


def complete_tournaments(incomplete: str) -> list[str]:
    """Names of stored tournaments, for the shell's completion."""
    from arena.cli.config import load
    from arena.store.store import Store

    try:
        with Store.open(load(None, os.environ, Path.cwd()).data, create=False) as store:
            return [each.name for each in store.tournaments() if each.name.startswith(incomplete)]
    except ConfigError:
        return []


def status(
    ctx: typer.Context,
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A tournament.", autocompletion=complete_tournaments)
    ] = None,
) -> None:
    """How tournaments stand: state, progress, voids, faults, who coordinates.

    \b
    arena tournament status
    arena tournament status spring --json
    """
    output: Output = ctx.obj
    from arena.cli.stored import find_tournament, open_store

    data_folder = settings_of(output).data
    with open_store(output) as store:
        found = [find_tournament(store, name)] if name is not None else store.tournaments()
        rows = [state_of(store, each, data_folder) for each in found]
    if output.flags.json:
        output.document("tournaments/1", rows)
    elif output.flags.csv:
        headings = ["name", "game", "state", "blocks", "blocks_planned", "games", "games_planned", "voids", "faults"]
        output.rows(headings, [[_flat(row[heading]) for heading in headings] for row in rows])
    elif name is not None:
        for key, value in rows[0].items():
            output.line(f"{key:<16}{_flat(value)}")
    elif rows:
        headings = ["name", "game", "state", "blocks", "games", "voids", "faults"]
        output.table(
            [Column(heading) for heading in headings],
            [
                [
                    row["name"],
                    row["game"],
                    row["state"],
                    f"{row['blocks']}/{row['blocks_planned']}",
                    f"{row['games']}/{row['games_planned']}",
                    str(row["voids"]),
                    str(sum(row["faults"].values())),
                ]
                for row in rows
            ],
        )
    else:
        output.note("no tournament yet; begin one:  arena tournament run cup.toml")


def state_of(store: Store, tournament: Tournament, data: Path) -> dict[str, Any]:
    """One tournament as JSON data. A tournament that says it runs and has no coordinator was killed: stopped."""
    from arena.runner.prepare import stored_schedule
    from arena.store.lock import holder
    from arena.store.values import State

    totals = stored_schedule(tournament).totals()
    sides = totals.games // totals.blocks
    blocks = Counter((key.round, key.board, key.table) for key in store.keys(tournament.id))
    who = holder(data, tournament.name)
    state = tournament.state
    if state is State.RUNNING and who is None:
        state = State.STOPPED
    faults: Counter[str] = Counter()
    for (_bot, code), count in store.fault_counts(tournament.id).items():
        faults[code] += count
    finished = state is State.FINISHED
    return {
        "name": tournament.name,
        "game": tournament.game,
        "state": state.value,
        "blocks": sum(count == sides for count in blocks.values()),
        "blocks_planned": totals.blocks,
        "games": blocks.total(),
        "games_planned": totals.games,
        "voids": sum(1 for _ in store.voids(tournament.id)),
        "faults": dict(sorted(faults.items())),
        "bots": [f"{bot.name}@{bot.version[:12]}" for bot in tournament.entrants],
        "coordinator": f"process {who.pid} on {who.host}" if who is not None else None,
        "open_seed": tournament.open_seed,
        "secret_hash": tournament.secret_hash,
        "secret": tournament.secret.hex() if finished else None,
        "created": _time(tournament.created),
        "started": _time(tournament.started),
        "finished": _time(tournament.finished),
    }


def _time(time: datetime | None) -> str | None:
    return time.isoformat(timespec="seconds").replace("+00:00", "Z") if time is not None else None


def _flat(value: object) -> object:
    if isinstance(value, dict):
        return ", ".join(f"{code} {count}" for code, count in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "-" if value is None else value
