"""`arena tournament`: run a cup and take it up again; its other commands are in `arena.cli.tournaments`."""

from __future__ import annotations

import shlex
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.app import Command, Group, settings_of
from arena.cli.clusters import CA, CERT, KEY, WAIT, WHERE, cluster_of
from arena.cli.commands.export import export
from arena.cli.events import Start, check_event_flags, event_of
from arena.cli.output import Output
from arena.cli.remote import Insecure, Listen, Reconnect, listening_of
from arena.cli.sandboxing import means_of
from arena.cli.tournaments.disable import disable, enable
from arena.cli.tournaments.freeze import freeze
from arena.cli.tournaments.ladder import Rounds, Until, check_ladder_flags, limited
from arena.cli.tournaments.lift import lift
from arena.cli.tournaments.outcome import outcome, show_outcome
from arena.cli.tournaments.planned import plan_only
from arena.cli.tournaments.series import show_series
from arena.cli.tournaments.status import status
from arena.cli.tournaments.void import void
from arena.core.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from arena.bots.manifest import Bot
    from arena.runner.cluster.event import Cluster
    from arena.runner.config import Cup
    from arena.runner.events.remote_event import RemoteEvent
    from arena.runner.plan import Plan, Progress
    from arena.store.store import Store


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(name="tournament", cls=Group, help="Run a cup, see how it stands.", no_args_is_help=True)
    group.command("run", cls=Command)(run)
    group.command("status", cls=Command)(status)
    group.command("outcome", cls=Command)(outcome)
    group.command("freeze", cls=Command)(freeze)
    group.command("disable", cls=Command)(disable)
    group.command("enable", cls=Command)(enable)
    group.command("lift", cls=Command)(lift)
    group.command("export", cls=Command)(export)
    group.command("void", cls=Command)(void)
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
    sandbox: Annotated[
        str | None,
        typer.Option(
            "--sandbox", metavar="auto|none", help="none: bots that you trust, on a machine without a sandbox."
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be played.")] = False,
    where: WHERE = None,
    tls_ca: CA = None,
    tls_cert: CERT = None,
    tls_key: KEY = None,
    wait: WAIT = None,
    listen: Listen = None,
    insecure: Insecure = False,
    reconnect: Reconnect = 30,
    start: Start = None,
    rounds: Rounds = None,
    until: Until = None,
) -> None:
    """Play a tournament, or go on with one that was stopped, and print its table.

    \b
    arena tournament run cup.toml --workers 4
    arena tournament run cup.toml --cluster scheduler.example:8786 --tls-ca c.pem --tls-cert c.pem --tls-key c.pem
    arena tournament run open.toml --listen 0.0.0.0:4443 --tls-cert arena.pem --tls-key arena.key
    """
    output: Output = ctx.obj
    from arena.runner.cup_file import load_cups
    from arena.runner.events.remote_event import with_remote
    from arena.runner.frozen import with_frozen
    from arena.runner.keeping.removal import with_withdrawn
    from arena.runner.prepare import prepare
    from arena.runner.roster import Roster
    from arena.runner.series import check_names, shared_secret
    from arena.store.lock import coordinator_lock
    from arena.store.store import Store

    settings = settings_of(output)
    roster = Roster(settings.data, settings.store)
    find = with_frozen(with_withdrawn(roster, file, settings.store), roster, file, settings.store)
    cups = load_cups(file, find=with_remote(find, settings.store, file))
    cup = cups[0]
    count = workers or cup.workers or settings.workers
    end = check_ladder_flags(cup, rounds, until)
    remote = check_event_flags(cup, where, listen, insecure, start)
    pair = (None, None) if remote else (tls_cert, tls_key)
    cluster = cluster_of(where, tls_ca, *pair, wait, workers=count, data=settings.data)
    if dry_run:
        plan_only(output, cups, count, settings.store)
        output.next_step(f"arena tournament run {file}")
        return
    if remote and cup.series:
        raise ConfigError(
            "a series takes no bots on machines of their own", where="games", fix="a file for each game: game = ..."
        )
    listening = listening_of(cup.bots, listen, tls_cert, tls_key, insecure, 0, reconnect) if remote else None
    with ExitStack() as held:
        for name in filter(None, [cup.series, *[each.name for each in cups]]):
            held.enter_context(coordinator_lock(settings.data, name, settings.store))
        store = held.enter_context(Store.open(settings.store))
        store.check()
        check_names(store, cups)
        secret = read_secret(secret_file) if secret_file is not None else shared_secret(store, cup.series)
        plans: list[Plan] = []
        for each in cups:
            before = store.tournament(each.name)
            differing = each.differences(before.config) if before is not None else []
            made = each.settings()
            if secret_file is not None or (secret is not None and not made.open_seed):
                made = replace(made, secret=secret, open_seed=False)
            refuse_untyped(sandbox, each, made.bots)
            elsewhere = cluster is not None
            means = means_of(
                output, sandbox or cup.sandbox, () if elsewhere else [bot for bot in made.bots if not bot.remote]
            )
            plan = prepare(
                store,
                made,
                settings.data,
                differing,
                means,
                elsewhere=elsewhere,
                tell=output.warning,
                quotas=settings.quotas,
                trusted=sandbox == "none",
            )
            plan = limited(output, store, plan, settings, rounds)
            if plan.logs is None:
                output.warning(f"the bots' output is not kept: {settings.data / 'logs'} cannot be written")
            if before is None and not plans:
                output.note(
                    f"secret drawn; its SHA-256, published before the first game: {plan.tournament.secret_hash}"
                )
            elif before is not None and before.state.value != "finished":
                output.note(f"going on with {each.name}: {store.count(before.id)} games are stored")
            secret = plan.tournament.secret if each.series else secret
            plans.append(plan)
        if cluster is not None:
            shelter, least = sandbox or cup.sandbox, plans[0].tournament.tier_minimum
            cluster = replace(cluster, shelter=shelter, tier_minimum=least)
        resume = shlex.join(["arena", *sys.argv[1:]])
        reached = []
        for each, plan in zip(cups, plans, strict=True):
            event = event_of(output, store, plan, each, listening, start) if listening is not None else None
            reached.append(_play(output, store, plan, count, settings.grace_s, resume, cluster, event, end))
        rated = _show(output, store, cups)
    output.next_step(f"arena ratings {cup.series or cup.name} --cross")
    raise typer.Exit(_exit_status(output, reached, rated, ends=not plans[0].open_ended))


def refuse_untyped(typed: str | None, cup: Cup, bots: Sequence[Bot]) -> None:
    """Raises ConfigError NO_SANDBOX for bots that did not come with the arena when only the file says "none"."""
    strangers = [bot.name for bot in bots if not (bot.house or bot.remote)]
    if typed is None and cup.sandbox == "none" and strangers:
        raise ConfigError(
            f"the tournament file says sandbox = 'none', and {', '.join(strangers)} did not come with the arena",
            where="sandbox",
            fix="type --sandbox none as well if you trust the bots, or leave the key out",
            code="NO_SANDBOX",
        )


def _show(output: Output, store: Store, cups: Sequence[Cup]) -> int:
    """Print the tables as `arena ratings` does and, for people, outcomes; returns the number of rated blocks."""
    from arena.cli.commands.ratings import show
    from arena.cli.stored import find_tournament
    from arena.runner.standing import tables_of, tiers_of

    played = [find_tournament(store, cup.name) for cup in cups]
    if len(played) > 1:
        rated = show_series(output, store, played)
    else:
        made, against = tables_of(store, played[0])
        show(output, played[0], made, against, tiers_of(store, played[0]), cross=False)
        rated = len(made.blocks)
    if not (output.flags.json or output.flags.csv):
        for tournament in played:
            show_outcome(output, store, tournament, brief=True)
    return rated


def read_secret(file: Path) -> bytes:
    """The secret in a file: 64 hexadecimal digits. Raises ConfigError."""
    try:
        secret = bytes.fromhex(file.read_text(encoding="ascii").strip())
    except (OSError, ValueError) as error:
        raise ConfigError(f"the secret cannot be read: {error}", where=str(file), fix="64 hexadecimal digits") from None
    if len(secret) != 32:
        raise ConfigError(f"the secret has {len(secret)} bytes", where=str(file), fix="64 hexadecimal digits")
    return secret


def _play(
    output: Output,
    store: Store,
    plan: Plan,
    workers: int,
    grace_s: float,
    resume: str,
    cluster: Cluster | None = None,
    event: RemoteEvent | None = None,
    until: datetime | None = None,
) -> Progress:
    """Play what is left. Of a finished tournament that is something only after a quarantine was lifted."""
    from arena.cli.running import run_plan
    from arena.runner.course import seatings_of
    from arena.runner.ledger import Ledger
    from arena.runner.plan import Progress
    from arena.runner.standing import left_out
    from arena.store.values import State

    known = store.quarantines(plan.tournament.id)
    if plan.tournament.state is State.FINISHED and all(each.lifted is None for each in known):
        totals = plan.schedule.totals()
        if plan.schedule.adaptive:
            reached = Progress(totals, over=True)
            Ledger(store, plan.tournament.id, seatings_of(plan.tournament), reached)  # counts what is stored
            return reached
        games, without = store.count(plan.tournament.id), left_out(store, plan.tournament).games
        return Progress(totals, games=games, missing=totals.games - games - without, left_out=without)
    if event is not None:
        return run_plan(output, store, event.plan, workers, grace_s, resume, event.players)
    if cluster is None:
        return run_plan(output, store, plan, workers, grace_s, resume, until=until)
    from arena.runner.cluster.connect import quiet
    from arena.runner.cluster.event import crew_on

    quiet(debug=output.flags.debug)
    return run_plan(
        output, store, plan, workers, grace_s, resume, lambda stop: crew_on(cluster, stop, output.note), until
    )


def _exit_status(output: Output, reached: Sequence[Progress], rated: int, *, ends: bool = True) -> int:
    """`ends` false: of a ladder, whose games that went missing once are no news for ever."""
    if not rated:
        output.error_line("not one block could be rated: see the faults in  arena tournament status")
        return 5
    missing, lost = sum(each.missing for each in reached), sum(each.lost for each in reached)
    if missing:
        output.error_line(f"{missing} games are missing: they ended void each time they were played")
        if ends:
            return 1
    if lost:
        output.error_line(f"{lost} games were not played, since workers were lost; the same command plays them")
        return 1
    return 0
