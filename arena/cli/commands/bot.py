"""`arena bot`: make a bot from a template, check it, put it into the arena, look at it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.app import Command, Group, settings_of
from arena.cli.bots import stronger
from arena.cli.bots.add import add, retire
from arena.cli.bots.listing import list_bots, show
from arena.cli.bots.logs import logs
from arena.cli.bots.names import complete_bots
from arena.cli.bots.remove import remove
from arena.cli.bots.steps import show_step, show_steps
from arena.cli.commands.games import complete_games
from arena.cli.output import Output
from arena.cli.sandboxing import Sandbox, means_of


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(
        name="bot", cls=Group, help="Make a bot, check it, add it, see how it does.", no_args_is_help=True
    )
    group.command("new", cls=Command)(new)
    group.command("check", cls=Command)(check)
    group.command("add", cls=Command)(add)
    group.command("list", cls=Command)(list_bots)
    group.command("show", cls=Command)(show)
    group.command("logs", cls=Command)(logs)
    group.command("retire", cls=Command)(retire)
    group.command("test", cls=Command)(stronger.compare)
    group.command("remove", cls=Command)(remove)
    app.add_typer(group)


def complete_languages(incomplete: str) -> list[str]:
    """Languages that have a template, for the shell's completion."""
    from arena.bots.templates import PLACES

    return [language for language in PLACES if language.startswith(incomplete)]


def new(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="1 to 32 letters, digits, - or _.")],
    language: Annotated[
        str,
        typer.Option(
            "--language",
            metavar="L",
            help="python, typescript, go, rust, java, cpp, perl or lua.",
            autocompletion=complete_languages,
        ),
    ] = "python",
    game: Annotated[
        list[str] | None,
        typer.Option(
            "--game",
            metavar="ID",
            help="A game it plays; may be repeated. Default: all.",
            autocompletion=complete_games,
        ),
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("--dir", metavar="DIR", help="Where the new folder goes; default: here.")
    ] = None,
) -> None:
    """A runnable bot in a folder of its own: it plays legally at once, and shows where the strategy goes.

    \b
    arena bot new fox
    arena bot new fox --language rust --game goat
    """
    output: Output = ctx.obj
    from arena.bots.templates import new_bot
    from arena.games import make

    for each in game or []:
        make(each)  # an unknown game is told before anything is written
    place = (folder or Path()) / name
    files = new_bot(name, language, place, tuple(game or ()))
    if output.flags.json:
        output.document("new/1", {"folder": str(place), "files": [str(file) for file in files]})
    else:
        output.line(str(place))
        readme = place / "README.md"
        if readme in files:
            output.note(f"read {readme} first")
    output.next_step(f"arena bot check {reference_of(place)}")


def reference_of(place: Path) -> str:
    """A folder as a command takes it for a folder, whatever bots are called."""
    return str(place) if "/" in str(place) else f"./{place}"


def check(
    ctx: typer.Context,
    path: Annotated[
        str, typer.Argument(metavar="BOT", help="A folder with a bot.toml, or a name.", autocompletion=complete_bots)
    ],
    every: Annotated[bool, typer.Option("--all", help="Go on after a step that failed.")] = False,
    sandbox: Sandbox = "auto",
) -> None:
    """Does a bot obey the protocol and the rules, within its limits? Every step is a plain sentence.

    \b
    arena bot check bots/fox
    arena bot check bots/fox --json
    """
    output: Output = ctx.obj
    from arena.cli import stoppable
    from arena.runner.check import Setting, check_bot
    from arena.runner.roster import Roster

    settings = settings_of(output)
    data = settings.data
    bot = Roster(data, settings.store).find(path)
    kept = data / "logs" / "check"
    kept.mkdir(parents=True, exist_ok=True, mode=0o700)
    machine = output.flags.json or output.flags.csv
    tell = None if machine else lambda step: show_step(output.line, step)
    setting = Setting(data / "builds", kept, means=means_of(output, sandbox, [bot]))
    steps = list(stoppable.run(check_bot(bot, setting, every=every, tell=tell)))
    failed = [step for step in steps if step.state == "failed"]
    show_steps(output, "check/1", {"bot": bot.name, "version": bot.version, "passed": not failed}, steps)
    if not machine:
        for step in steps:
            if step.state == "not run":
                show_step(output.line, step)
        if failed:
            output.line(f"failed: {len(failed)} step{'s' if len(failed) > 1 else ''}, yours to fix")
        else:
            output.line(f"passed: {bot.name} {bot.version[:12]}")
    if not failed:
        output.next_step(f"arena bot add {path}" if not bot.house and not bot.number else f"arena play goat {path}")
    raise typer.Exit(1 if failed else 0)
