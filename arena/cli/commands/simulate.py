"""`arena simulate`: random games in process, one JSON object a line."""

from __future__ import annotations

import secrets
import sys
from typing import Annotated

import typer

from arena.cli.app import Command
from arena.cli.commands.games import complete_games
from arena.cli.output import Output
from arena.cli.progress import progress


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("simulate", cls=Command)(simulate)


def simulate(
    ctx: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help="An id of `arena games`.", autocompletion=complete_games)],
    games: Annotated[int, typer.Option("--games", metavar="N", min=0, help="How many games.")] = 10,
    seed: Annotated[
        str | None, typer.Option("--seed", metavar="S", help="Any text; the same seed gives the same lines.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", metavar="FIELD=VALUE", help="A ruleset field; may be repeated.")
    ] = None,
    views: Annotated[bool, typer.Option("--views", help="With each move the view of the seat that makes it.")] = False,
) -> None:
    """Random games as JSON lines: every legal move is equally likely.

    \b
    arena simulate crowsnest --games 1000 --seed 7 > games.jsonl
    arena simulate goat --option molodka=off --games 10 --views
    """
    output: Output = ctx.obj
    from arena.games import make
    from arena.record.simulate import line
    from arena.record.simulate import simulate as simulated

    ruleset = make(game, options_of(option or []))
    if seed is None:
        seed = secrets.token_hex(8)
        output.note(f"seed: {seed}")
    with progress(output, f"simulate {game}", games, "games", streams=True) as shown:
        for number, data in enumerate(simulated(ruleset, seed, games, views), 1):
            sys.stdout.write(line(data) + "\n")
            shown.update(number)
    output.next_step(f"arena games {game}")


def options_of(texts: list[str]) -> dict[str, object]:
    """Ruleset fields from `--option field=value` words; the last of a name counts. Raises ConfigError."""
    from arena.core.options import from_text

    return dict(from_text(text) for text in texts)
