"""`arena bot test`: is the new version stronger?"""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.app import settings_of
from arena.cli.bots.names import complete_bots
from arena.cli.commands.games import complete_games
from arena.cli.output import Output
from arena.cli.sandboxing import Sandbox, means_of
from arena.cli.standings import signed

if TYPE_CHECKING:
    from arena.rating.sequential import Evidence
    from arena.runner.config import Cup


def compare(
    ctx: typer.Context,
    new: Annotated[str, typer.Argument(metavar="NEW", help="A name, version or folder.", autocompletion=complete_bots)],
    against: Annotated[
        list[str],
        typer.Option("--against", metavar="OLD", help="Another one; repeated: a panel.", autocompletion=complete_bots),
    ],
    game: Annotated[
        str, typer.Option("--game", metavar="ID", help="What is played.", autocompletion=complete_games)
    ] = "crowsnest",
    most: Annotated[
        int, typer.Option("--max", metavar="N", min=50, max=1_000_000, help="Blocks after which it is given up.")
    ] = 3000,
    unit: Annotated[str, typer.Option("--unit", metavar="deal|match", help="What one board is.")] = "deal",
    option: Annotated[
        list[str] | None, typer.Option("--option", metavar="FIELD=VALUE", help="A ruleset field; may be repeated.")
    ] = None,
    seed: Annotated[str | None, typer.Option("--seed", metavar="S", help="Any text: the same boards again.")] = None,
    workers: Annotated[int | None, typer.Option("--workers", metavar="N", min=1, max=256)] = None,
    sandbox: Sandbox = "auto",
) -> None:
    """Is a new version stronger than an old one, or than a panel? A sequential test, which stops as soon as it knows.

    Exit status 0: stronger. 1: not stronger, the same, or undecided. Asking again goes on with a test that was stopped.

    \b
    arena bot test fox@5 --against fox@4
    arena bot test bots/fox --against counter --against basic --game goat
    """
    output: Output = ctx.obj
    from arena.cli.commands.simulate import options_of
    from arena.cli.flags import UsageError
    from arena.games import make
    from arena.rating.sequential import Decision
    from arena.runner.roster import Roster
    from arena.runner.versus import versus

    if unit not in ("deal", "match"):
        raise UsageError(f"--unit cannot be {unit!r}", saw=f"--unit {unit}", fix="accepted: deal | match")
    settings = settings_of(output)
    roster = Roster(settings.data, settings.store)
    ruleset = make(game, options_of(option or []))
    bots = [roster.find(reference) for reference in (new, *against)]
    for bot in bots:
        bot.must_play(ruleset.id)
    cup = versus(ruleset, bots, unit=unit, most=most, seed=seed)
    found = _run(output, cup, workers or settings.workers, sandbox, settings)
    show(output, cup, found)
    output.next_step(f"arena ratings {cup.name} --cross")
    raise typer.Exit(0 if found.decision is Decision.STRONGER else 1)


def _run(output: Output, cup: Cup, workers: int, sandbox: str, settings: Any) -> Evidence:  # Any: `config.Settings`
    from dataclasses import replace

    from arena.cli.running import run_plan
    from arena.runner.prepare import prepare
    from arena.runner.versus import standing_of
    from arena.store.lock import coordinator_lock
    from arena.store.store import Store
    from arena.store.values import State

    with coordinator_lock(settings.data, cup.name, settings.store), Store.open(settings.store) as store:
        before = store.tournament(cup.name)
        made = cup.settings()
        plan = prepare(store, made, settings.data, means=means_of(output, sandbox, made.bots))
        if before is not None and before.state is not State.FINISHED:
            output.note(f"going on with {cup.name}: {store.count(before.id)} games are stored")

        def closed(_number: int) -> None:
            output.note(line_of(cup, standing_of(store, plan.tournament)))

        if plan.tournament.state is not State.FINISHED:
            resume = shlex.join(["arena", *sys.argv[1:]])
            run_plan(output, store, replace(plan, closed=closed), workers, settings.grace_s, resume)
        return standing_of(store, plan.tournament)


def line_of(cup: Cup, found: Evidence) -> str:
    """How the test stands, in a line."""
    from arena.rating.sequential import BOUND

    new, *old = cup.bots
    against = old[0] if len(old) == 1 else f"a panel ({', '.join(old)})"
    return (
        f"{new} against {against}   blocks {found.blocks}   swing {signed(found.mean)} a block   "
        f"evidence {found.likelihood:.2f} (needs ±{BOUND:.2f})"
    )


def show(output: Output, cup: Cup, found: Evidence) -> None:
    """Print what came out."""
    from arena.rating.sequential import BOUND, ERROR, Decision

    decision = found.decision
    if output.flags.json:
        data = {
            "test": cup.name,
            "game": cup.game,
            "new": cup.bots[0],
            "against": list(cup.bots[1:]),
            "blocks": found.blocks,
            "mean_swing": found.mean,
            "deviation": found.deviation,
            "evidence": found.likelihood,
            "bound": BOUND,
            "error_rate": ERROR,
            "decision": decision.value if decision is not None else None,
        }
        output.document("test/1", data)
        return
    output.line(line_of(cup, found))
    rates = f"fixed error rates {100 * ERROR:g} % / {100 * ERROR:g} %; looking early does not change them"
    answer = {
        Decision.STRONGER: f"stronger: yes, {cup.bots[0]} ({rates})",
        Decision.NOT_STRONGER: f"stronger: no ({rates})",
        Decision.IDENTICAL: f"stronger: no, it behaves identically in all {found.blocks} blocks",
        Decision.UNDECIDED: f"stronger: undecided after {found.blocks} blocks; they are close (--max N plays more)",
        None: "stronger: undecided, a bot was taken out or games are missing: arena tournament status " + cup.name,
    }
    output.line(answer[decision])
