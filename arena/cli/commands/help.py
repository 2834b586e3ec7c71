"""`arena help`: commands, exit codes, and what a code of an error or a fault means."""

from __future__ import annotations

import difflib
from typing import Annotated, Any

import typer

from arena.cli.app import Command
from arena.cli.flags import UsageError
from arena.cli.output import Column, Output

CLASSES = {
    "D": "D: the default move is played for the seat; the third such fault in a game forfeits it",
    "F": "F: the game is forfeited",
    "Q": "Q: the game is forfeited, and the bot is taken out of the event from the next round on",
    "A": "A: fault of the arena; the block is void and played again, no bot pays for it",
    "": "-: costs nothing at a table",
}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("help", cls=Command)(explain)


def complete_topics(incomplete: str) -> list[str]:
    """Topics for the shell's completion."""
    from arena.record.codes import CODES

    return [topic for topic in ("exit-codes", "codes", *CODES) if topic.startswith(incomplete)]


def explain(
    ctx: typer.Context,
    topics: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[TOPIC]", help="exit-codes, codes, a code, or a command.", autocompletion=complete_topics
        ),
    ] = None,
) -> None:
    """What a command, a code or an exit status means.

    \b
    arena help exit-codes
    arena help NO_HELLO
    arena help simulate
    """
    output: Output = ctx.obj
    from arena.record.codes import CODES

    match topics or []:
        case []:
            typer.echo(ctx.find_root().get_help())
        case ["exit-codes"]:
            _exit_codes(output)
        case ["codes"]:
            _codes(output)
        case [word] if word.upper() in CODES and not _is_command(ctx, word):
            _code(output, CODES[word.upper()])
        case words:
            _command_help(ctx, words)
            return
    output.next_step("arena --help")


def _is_command(ctx: typer.Context, word: str) -> bool:
    """Whether a word is a command as it stands: `quota` is one, QUOTA a code."""
    root: Any = ctx.find_root()
    return root.command.get_command(root, word) is not None


def _exit_codes(output: Output) -> None:
    from arena.record.codes import EXIT_STATUSES

    rows = [(status, meaning, example) for status, (meaning, example) in EXIT_STATUSES.items()]
    headings = ("code", "meaning", "example")
    if output.flags.json:
        output.document("exit-codes/1", [dict(zip(headings, row, strict=True)) for row in rows])
    elif output.flags.csv:
        output.rows(headings, rows)
    else:
        output.table([Column(heading) for heading in headings], [[str(cell) for cell in row] for row in rows])


def _codes(output: Output) -> None:
    from arena.record.codes import CODES

    if output.flags.json:
        output.document("codes/1", [code._asdict() for code in CODES.values()])
        return
    headings = ("code", "class", "whose fault", "meaning")
    rows = [(code.name, code.fault_class or "-", code.blame, code.meaning) for code in CODES.values()]
    if output.flags.csv:
        output.rows(headings, rows)
    else:
        output.table([Column(heading) for heading in headings], rows, wrap=True)


def _code(output: Output, code: Any) -> None:
    if output.flags.json:
        output.document("code/1", code._asdict())
        return
    output.line(f"{code.name}: {code.meaning}")
    output.line(f"whose fault: {code.blame}")
    output.line(f"class {CLASSES[code.fault_class]}")
    output.line(f"fix: {code.mend}")


def _command_help(ctx: typer.Context, words: list[str]) -> None:
    from arena.record.codes import CODES

    here: Any = ctx.find_root()
    for place, word in enumerate(words):
        found = here.command.get_command(here, word) if hasattr(here.command, "get_command") else None
        if found is None:
            known = [*here.command.list_commands(here), "exit-codes", "codes", *CODES]
            near = difflib.get_close_matches(word, known, 1, 0.5) or difflib.get_close_matches(word.upper(), known, 1)
            raise UsageError(
                f"no help on {word!r}",
                where="command line",
                saw=f"arena help {' '.join(words)}",
                fix=f"did you mean  arena help {' '.join([*words[:place], near[0]])}"
                if near
                else "topics: a command, exit-codes, codes, or a code",
            )
        here = type(here)(found, info_name=word, parent=here)
    typer.echo(here.get_help())
