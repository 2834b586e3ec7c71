"""`arena demo`: from installation to rated tables of all three games and their pages, with the house bots."""

from __future__ import annotations

import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.app import Command
from arena.cli.commands.games import complete_games
from arena.cli.output import Output
from arena.cli.sandboxing import means_of
from arena.cli.standings import show_table

if TYPE_CHECKING:
    from arena.rating.tables import Table
    from arena.runner.config import Cup
    from arena.runner.plan import Plan, Progress

GAMES = ("crowsnest", "goat", "crow_and_pitcher")
HOUSE = ("counter", "basic", "cautious", "random")
WORKERS = 2


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("demo", cls=Command)(demo)


def demo(
    ctx: typer.Context,
    game: Annotated[
        str | None, typer.Option("--game", metavar="ID", help="Only this game.", autocompletion=complete_games)
    ] = None,
    boards: Annotated[int, typer.Option("--boards", min=1, max=10_000, help="Boards that every line-up plays.")] = 30,
    keep: Annotated[
        Path | None, typer.Option("--keep", metavar="DIR", help="Keep games and tables there, for `arena replay`.")
    ] = None,
    seed: Annotated[
        str | None, typer.Option("--seed", metavar="S", help="Any text; the same seed gives the same tables.")
    ] = None,
    serve: Annotated[
        bool | None, typer.Option("--serve/--no-serve", help="Show the pages until Ctrl-C; by default on a terminal.")
    ] = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Of the pages; 0: any free one.")] = 0,
) -> None:
    """Round robins of the house bots in all three games, their rating tables, and the site to look at them.

    \b
    arena demo
    arena demo --game goat --boards 50
    """
    output: Output = ctx.obj
    from arena.runner.config import Cup

    ids = (game,) if game else GAMES
    documents = []
    with ExitStack() as stack:
        data = keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-demo-")))
        for number, each in enumerate(ids):
            cup = Cup(name=f"demo-{each}", game=each, bots=HOUSE, boards=boards, board_plan="shared", seed=seed)
            table, plan, reached, seconds = _play(output, cup, data)
            if output.flags.json:
                documents.append(_document(table, plan, reached))
                continue
            if number:
                output.line()
            _show(output, table, plan, reached, seconds)
        if output.flags.json:
            output.document("demo/1", documents)
        if keep is not None:
            output.note(f"kept: {keep}   (arena replay list --data {keep})")
        output.next_step(f"arena bot new mybot --game {ids[0]}")
        if serve or (serve is None and not output.flags.json and sys.stdin.isatty() and sys.stderr.isatty()):
            _serve(output, data, port)


def _serve(output: Output, data: Path, port: int) -> None:
    """The site on what was played, until Ctrl-C."""
    from arena.web.server import listen
    from arena.web.server import serve as run
    from arena.web.site import Settings, Site

    listening = listen("127.0.0.1", port)
    site = Site.open(Settings(data, data))
    run(site, listening, lambda: output.note(f"site: http://127.0.0.1:{listening.getsockname()[1]}   (Ctrl-C ends it)"))


def _play(output: Output, cup: Cup, data: Path) -> tuple[Table, Plan, Progress, float]:
    from arena.cli.running import run_plan
    from arena.core import options
    from arena.rating import table
    from arena.runner.course import stored_pool
    from arena.runner.prepare import prepare
    from arena.store.store import Store

    game = cup.make_game()
    cup = cup.model_copy(update={"options": options.to_data(game.ruleset)})
    began = time.monotonic()
    with Store.open(data) as store:
        made = cup.settings()
        plan = prepare(store, made, data, means=means_of(output, "auto", made.bots))
        again = f"arena demo --game {cup.game} --boards {cup.boards} --keep {data}"
        reached = run_plan(output, store, plan, WORKERS, 2, again)
        return (
            table(store.rows(plan.tournament.id), stored_pool(plan.tournament)),
            plan,
            reached,
            time.monotonic() - began,
        )


def _show(output: Output, table: Table, plan: Plan, reached: Progress, seconds: float) -> None:
    totals = reached.totals
    lineups = f"{totals.pairings} pairings" if len(plan.game.sides) == 2 else f"{totals.pairings} line-up"
    output.line(
        f"demo: {len(plan.bots)} house bots, {plan.game.title}, {totals.boards} boards x {lineups} "
        f"x {len(plan.game.sides)} seatings = {totals.games} games, {WORKERS} workers, sandbox tier {plan.means.tier}"
    )
    output.line(f"{reached.blocks}/{totals.blocks} blocks  {seconds:.0f} s  ({reached.rate():.0f} games/s)")
    show_table(output, table)


def _document(table: Table, plan: Plan, reached: Progress) -> dict[str, Any]:
    from arena.rating import table_to_data

    return {"tournament": plan.tournament.name, "games": reached.games, **table_to_data(table)}
