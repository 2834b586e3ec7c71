"""`arena bot`: make a bot from a template, check it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.app import Command, Group, settings_of
from arena.cli.output import Output

if TYPE_CHECKING:
    from arena.runner.check import Step

MARKS = {"ok": "✓", "reported": "✓", "failed": "✗", "not run": "-"}


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(name="bot", cls=Group, help="Make a bot, check it.", no_args_is_help=True)
    group.command("new", cls=Command)(new)
    group.command("check", cls=Command)(check)
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
        list[str] | None, typer.Option("--game", metavar="ID", help="A game it plays; may be repeated. Default: all.")
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
    output.next_step(f"arena bot check {place}")


def check(
    ctx: typer.Context,
    path: Annotated[str, typer.Argument(metavar="PATH", help="A folder with a bot.toml, or a house bot.")],
    every: Annotated[bool, typer.Option("--all", help="Go on after a step that failed.")] = False,
) -> None:
    """Does a bot obey the protocol and the rules, within its limits? Every step is a plain sentence.

    \b
    arena bot check bots/fox
    arena bot check bots/fox --json
    """
    output: Output = ctx.obj
    import asyncio

    from arena.bots.manifest import find_bot
    from arena.runner.check import check_bot

    bot = find_bot(path)
    data = settings_of(output).data
    logs = data / "logs" / "check"
    logs.mkdir(parents=True, exist_ok=True, mode=0o700)
    tell = None if output.flags.json or output.flags.csv else lambda step: show_step(output, step)
    steps = asyncio.run(check_bot(bot, data / "builds", every=every, logs=logs, tell=tell))
    failed = [step for step in steps if step.state == "failed"]
    if output.flags.json:
        from dataclasses import asdict

        output.document("check/1", {"bot": bot.name, "version": bot.version, "steps": [asdict(step) for step in steps]})
    elif output.flags.csv:
        rows = [(step.number, step.name, step.state, step.text, step.where, step.fix) for step in steps]
        output.rows(["number", "name", "state", "text", "where", "fix"], rows)
    else:
        for step in steps:
            if step.state == "not run":
                show_step(output, step)
        if failed:
            output.line(f"failed: {len(failed)} step{'s' if len(failed) > 1 else ''}, yours to fix; its output: {logs}")
        else:
            output.line(f"passed: {bot.name} {bot.version[:12]}")
            output.next_step(f"arena play crowsnest {path} basic")
    raise typer.Exit(1 if failed else 0)


def show_step(output: Output, step: Step) -> None:
    """One line for a step, and where and how to mend it when it failed."""
    text = step.text or step.state
    output.line(f"{MARKS[step.state]} {step.number:>2} {step.name:<12} {text}")
    if step.state == "failed":
        output.line(f"      demanded: {step.sentence}")
        for label, words in (("where", step.where), ("fix", step.fix)):
            if words:
                output.line(f"      {label}: {words}")
