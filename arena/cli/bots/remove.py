"""`arena bot remove`: a bot goes for good, with its files; its results, and why it went, stay."""

from __future__ import annotations

import select
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.app import settings_of
from arena.cli.bots.names import complete_registered, utc
from arena.cli.flags import UsageError
from arena.cli.output import Output
from arena.cli.reasons import Reason, checked_reason

if TYPE_CHECKING:
    from arena.runner.keeping.removal import Cleared

LOOK_S = 0.5
"""So often Ctrl-C is looked for while a question waits, seconds."""
Yes = Annotated[bool, typer.Option("-y", "--yes", help="Do not ask.")]


def remove(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The bot.", autocompletion=complete_registered)],
    reason: Reason,
    yes: Yes = False,
) -> None:
    """Remove all versions of a bot: files, builds and output go. Results stay; the name is never given again.

    \b
    arena bot remove fox --reason "its author asked for it"
    arena bot remove fox --reason "copied from owl" --yes
    """
    output: Output = ctx.obj
    from arena.runner.keeping.removal import remove_bot
    from arena.store.store import Store

    why = checked_reason(reason)
    confirm(output, f"remove {name} with all its versions, for good?", yes=yes)
    settings = settings_of(output)
    with Store.open(settings.store) as store:
        done = remove_bot(store, settings.data, settings.store, name, why)
    show_removal(output, done)


def confirm(output: Output, question: str, *, yes: bool) -> None:
    """Ask on a terminal, on stderr; elsewhere --yes must have been typed. Raises UsageError, Exit 1 unless agreed."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise UsageError(question, where="command line", saw="nobody to ask: stdin is no terminal", fix="add --yes")
    while True:  # Typer's own question writes on stdout, and takes Ctrl-C for a bug
        sys.stderr.write(output.plain(f"{question} [y/N] "))
        sys.stderr.flush()
        line = _typed()
        if not line.endswith("\n"):
            sys.stderr.write("\n")  # Ctrl-D
        answer = line.strip().lower()
        if answer in ("y", "yes"):
            return
        if answer in ("", "n", "no"):
            raise typer.Exit(1)


def _typed() -> str:
    """A line of stdin. No read begins before there is one: Ctrl-C in the moment before a read would not end it."""
    while not select.select([sys.stdin], [], [], LOOK_S)[0]:
        pass
    return sys.stdin.readline()


def show_removal(output: Output, done: Cleared) -> None:
    """What a removal came to."""
    removal = done.removal
    data: dict[str, Any] = {
        "kind": removal.kind,
        "name": removal.name,
        "reason": removal.reason,
        "at": utc(removal.at),
        "bots": [each.removal.name for each in done.bots],
        "versions": [str(version) for each in done.bots for version in each.versions],
        "tournaments": sorted({event for each in done.bots for event in each.events}),
        "tokens": done.tokens,
        "files": done.files,
    }
    if output.flags.json:
        output.document("removed/1", data)
        return
    if output.flags.csv:
        output.rows(list(data), [[" ".join(each) if isinstance(each, list) else each for each in data.values()]])
        return
    versions = ", ".join(data["versions"]) or "no version left"
    output.line(f"removed {removal.name} on {removal.at:%Y-%m-%d}: {removal.reason}")
    output.note(f"{versions}; {done.files} files and folders, {done.tokens} tokens revoked; results stay")
    if data["tournaments"]:
        output.note(f"out of {', '.join(data['tournaments'])}: what it had left to play there is left out")
    output.next_step("arena bot list")
