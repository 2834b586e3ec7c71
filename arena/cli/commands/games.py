"""`arena games`: the games, their variants and every option with its default."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from arena.cli.app import Command
from arena.cli.output import Column, Output


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("games", cls=Command)(games)


def complete_games(incomplete: str) -> list[str]:
    """Ids of games for the shell's completion."""
    from arena.games import catalog

    return [game for game in catalog() if game.startswith(incomplete)]


def games(
    ctx: typer.Context,
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="An id: its options.", autocompletion=complete_games)
    ] = None,
) -> None:
    """Games and variants, or the options of one.

    \b
    arena games
    arena games crowsnest
    arena games goat --json
    """
    output: Output = ctx.obj
    from arena.games import catalog, make

    wanted = [make(game)] if game else [variant.make({}) for variant in catalog().values()]
    if output.flags.json:
        output.document("games/1", [describe(one) for one in wanted])
    elif game:
        _show_options(output, wanted[0])
    else:
        _show_games(output, wanted)
    output.next_step("arena games crowsnest" if not game else f"arena simulate {game} --games 10 --seed 1")


def describe(game: Any) -> dict[str, Any]:  # Any: every game alike; JSON
    """One variant as JSON data."""
    from arena.core.options import describe as describe_options
    from arena.games import catalog

    variant = catalog()[game.id]
    return {
        "id": game.id,
        "title": variant.title,
        "family": variant.family,
        "summary": variant.summary,
        "version": game.version,
        "seats": game.seats,
        "sides": [list(side) for side in game.sides],
        "max_moves": game.max_moves,
        "options": [
            {"name": one.name, "kind": one.kind, "default": one.default, "accepted": one.accepted, "doc": one.doc}
            for one in describe_options(game.ruleset)
        ],
    }


def _show_games(output: Output, wanted: list[Any]) -> None:
    rows = [
        (one["id"], one["title"], one["seats"], len(one["options"]), one["summary"]) for one in map(describe, wanted)
    ]
    headings = ("game", "title", "seats", "options", "summary")
    if output.flags.csv:
        output.rows(headings, rows)
        return
    columns = [Column(heading, right=heading in ("seats", "options")) for heading in headings]
    output.table(columns, [[str(cell) for cell in row] for row in rows], wrap=True)


def _show_options(output: Output, game: Any) -> None:
    data = describe(game)
    rows = [
        (option["name"], json.dumps(option["default"]), option["accepted"], option["doc"]) for option in data["options"]
    ]
    headings = ("option", "default", "accepted", "meaning")
    if output.flags.csv:
        output.rows(headings, rows)
        return
    output.line(f"{data['id']}: {data['title']}, {data['seats']} seats. {data['summary']}")
    output.line()
    output.table([Column(heading) for heading in headings], rows, wrap=True)
