"""`arena bench`: how fast the rules and the referee are on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from arena.cli.app import Command
from arena.cli.commands.games import complete_games
from arena.cli.output import Column, Output, brief, heading_of
from arena.cli.sandboxing import means_of

AT_ONCE = (1, 16, 64)
WORKERS = (1, 2)
TABLES = ("crowsnest", "goat", "crow_and_pitcher")
"""Games that the referee is measured with, unless others are named."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("bench", cls=Command)(bench)


def bench(
    ctx: typer.Context,
    game: Annotated[
        list[str] | None,
        typer.Option("--game", metavar="ID", help="Only this game; may be repeated.", autocompletion=complete_games),
    ] = None,
    seconds: Annotated[float, typer.Option("--seconds", min=0.1, max=600, help="How long each figure takes.")] = 2.0,
    engines_only: Annotated[bool, typer.Option("--engines-only", help="Only the rules, without bots.")] = False,
    language: Annotated[
        list[str] | None,
        typer.Option("--language", metavar="L", help="Only the template of this language; may be repeated; or all."),
    ] = None,
    sandbox: Annotated[
        str, typer.Option("--sandbox", metavar="WHICH", help="auto: trivial bots in the sandbox; none: without.")
    ] = "none",
) -> None:
    """Games and decisions a second: rules in process, referee with bot processes.

    \b
    arena bench
    arena bench --game crowsnest --seconds 10 --json
    arena bench --game goat --sandbox auto
    """
    output: Output = ctx.obj
    if language:
        from arena.cli.bench_languages import bench_languages

        bench_languages(output, language, (game or ["crowsnest"])[0], seconds)
        return
    from arena.cli import stoppable
    from arena.cli.progress import progress
    from arena.games import catalog, make
    from arena.runner.bench import measure_engine, measure_referee
    from arena.runner.bench_figures import figures_data

    ids = game or list(catalog())
    games = [make(each) for each in ids]
    tables = [] if engines_only else tables_of(game or TABLES)
    means = means_of(output, sandbox, ())
    engines, referees = [], []
    with progress(output, "bench", len(games) + len(tables), "figures") as shown:
        for each in games:
            engines.append(measure_engine(each, seconds))
            shown.update(len(engines), each.id)
        for each_id, many, workers in tables:
            referees.append(stoppable.run(measure_referee(each_id, many, workers, seconds, means=means)))
            shown.update(len(engines) + len(referees), f"{each_id}, {many} at once, {workers} workers")
    if output.flags.json:
        data = {
            "seconds": seconds,
            "engines": [figures_data(figures) for figures in engines],
            "referee": [figures_data(figures) for figures in referees],
        }
        output.document("bench/1", data)
        return
    kinds = [("rules", list(map(figures_data, engines))), ("referee", list(map(figures_data, referees)))]
    for title, rows in kinds:
        if not rows:
            continue
        headings = list(rows[0])
        if output.flags.csv:
            output.rows(["kind", *headings], [[title, *row.values()] for row in rows])
            continue
        output.line(
            "rules in process, random games, one core:"
            if title == "rules"
            else f"referee and trivial bot processes, real views, tier {means.tier}:"
        )
        columns = [Column(heading_of(heading), right=heading not in ("game", "bot")) for heading in headings]
        output.table(columns, [[brief(value) for value in row.values()] for row in rows])
        output.line()
    output.next_step("arena doctor")


def tables_of(games: Sequence[str]) -> list[tuple[str, int, int]]:
    """(game, games at once, workers) of every figure of the referee; no worker is left without a game."""
    return [(game, many, workers) for game in games for workers in WORKERS for many in AT_ONCE if many >= workers]
