"""`arena bot add` and `arena bot retire`: versions come into the arena, and leave it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.app import settings_of
from arena.cli.bots.names import complete_registered, utc
from arena.cli.bots.steps import show_step, show_steps
from arena.cli.commands.games import complete_games
from arena.cli.flags import UsageError
from arena.cli.output import Output
from arena.cli.sandboxing import Sandbox, means_of
from arena.core.errors import ArenaError, BotError

if TYPE_CHECKING:
    from arena.bots.manifest import Bot
    from arena.bots.sandbox.means import Means
    from arena.runner.check_report import Step
    from arena.store.store import Store
    from arena.store.values import Registered

MAX_OWNER = 100
BOARDS = 2
"""Boards that a new version plays against itself in each ruleset it claims."""


def add(
    ctx: typer.Context,
    path: Annotated[Path, typer.Argument(metavar="PATH|ZIP", help="A folder with a bot.toml, or a zip file of one.")],
    name: Annotated[
        str | None, typer.Option("--name", metavar="N", help="Under another name than bot.toml says.")
    ] = None,
    message: Annotated[str, typer.Option("--message", metavar="TEXT", help="What is new in this version.")] = "",
    owner: Annotated[
        str | None,
        typer.Option("--owner", metavar="NAME", help="Whose it is; default: as before, or nobody's."),
    ] = None,
    to: Annotated[
        str | None, typer.Option("--to", metavar="URL", help="Send it to a site; its upload token is in ARENA_TOKEN.")
    ] = None,
    game: Annotated[
        list[str] | None,
        typer.Option(
            "--game",
            metavar="ID",
            help="With --to: send it for this game; may be repeated. Default: those of bot.toml.",
            autocompletion=complete_games,
        ),
    ] = None,
    sandbox: Sandbox = "auto",
) -> None:
    """Put a version of a bot into the arena: it is copied, built, checked, plays itself, and gets a number.

    \b
    arena bot add bots/fox
    arena bot add fox.zip --name fox --message "bids less"
    arena bot add bots/fox --to https://arena.example.org --game goat
    """
    output: Output = ctx.obj
    if to is not None:
        from arena.cli.bots.sending import send

        if name is not None or owner is not None:
            raise UsageError(
                "--name and --owner are not sent", where="--to", fix="the name is in bot.toml, the owner you"
            )
        send(output, path, to, message, game or ())
        return
    if game:
        raise UsageError(
            "--game needs --to", saw=f"--game {game[0]}", fix="a bot that is added here plays the games of its bot.toml"
        )
    from arena.bots.archive import check_folder
    from arena.bots.kept import keep
    from arena.runner.enroll import admissible, known_as
    from arena.store.lock import one_at_a_time
    from arena.store.store import Store

    settings = settings_of(output)
    data = settings.data
    with _folder_of(path) as folder, Store.open(settings.store) as store:
        bot = admissible(folder, name)
        check_folder(bot.folder, built=bool(bot.build))
        before = known_as(store, bot)
        whose = _admitted(output, store, bot, before, owner)
        was_kept = (data / "bots" / bot.version).is_dir()
        kept = keep(bot, data / "bots")
        steps: list[Step] = []
        if before is None:
            steps = _checked(output, kept, data, means_of(output, sandbox, [kept]))
        with one_at_a_time(data, "quota"):
            try:
                if any(step.state == "failed" for step in steps):
                    _refuse(output, bot, path, steps)
                # Others may have been added, or this name removed, while it was checked.
                whose = _admitted(output, store, bot, known_as(store, bot), owner)
            except (ArenaError, typer.Exit):
                if not was_kept and all(each.version != bot.version for each in store.registered()):
                    shutil.rmtree(kept.folder)
                raise
            registered = store.register(bot.name, bot.version, bot.manifest, message, whose)
        _show(output, registered, before, steps)
    output.next_step(f"arena play {_some_game(bot)} {bot.name} basic")


def _admitted(output: Output, store: Store, bot: Bot, before: Registered | None, owner: str | None) -> str:
    """Whose the bot is. Raises OverQuota when that is more than its owner may have, BotError for another's name."""
    from arena.runner.admission import owner_for, refuse_over_quota
    from arena.store.store import utc_now
    from arena.store.tokens import Tokens

    whose = owner_for(
        store,
        bot,
        checked_owner(owner) if owner is not None else None,
        where="--owner",
        fix="leave out --owner, or add it under another name with --name",
    )
    settings = settings_of(output)
    with Tokens.open(settings.store) as tokens:
        known = tokens.all()
    refuse_over_quota(store, bot, before, whose, settings.quotas, known, settings.data, utc_now())
    return whose


def checked_owner(owner: str) -> str:
    """The name of an owner as it is kept. Raises UsageError."""
    text = owner.strip()
    if len(text) > MAX_OWNER or not text.isprintable():
        raise UsageError(f"--owner cannot be {text[:MAX_OWNER]!r}", fix=f"at most {MAX_OWNER} characters, no controls")
    return text


@contextmanager
def _folder_of(path: Path) -> Iterator[Path]:
    """The folder of a bot: the path itself, or what an archive holds."""
    from arena.bots.archive import unpack
    from arena.bots.folders import work_folder

    if path.is_dir():
        yield path
        return
    if not path.exists():
        where = str(path.absolute())
        raise BotError(f"no folder or zip file {str(path)!r}", where=where, fix="name one that exists", code="NO_BOT")
    with work_folder() as place:
        unpack(path, place / "bot")
        yield place / "bot"


def _checked(output: Output, bot: Bot, data: Path, means: Means) -> list[Step]:
    from arena.cli import stoppable
    from arena.runner.check import Setting, check_bot

    logs = data / "logs" / "check"
    logs.mkdir(parents=True, exist_ok=True, mode=0o700)
    setting = Setting(data / "builds", logs, means=means, boards=BOARDS)
    return list(stoppable.run(check_bot(bot, setting, tell=lambda step: show_step(output.note, step))))


def _refuse(output: Output, bot: Bot, path: Path, steps: list[Step]) -> None:
    """Say which step failed and why; nothing was registered. Raises Exit."""
    [failed] = [step for step in steps if step.state == "failed"]
    show_steps(output, "add/1", {"bot": bot.name, "version": bot.version, "added": False}, steps)
    if not (output.flags.json or output.flags.csv):
        if output.flags.quiet:
            show_step(output.line, failed)
        output.line(f"refused: {bot.name} is not added, it fails step {failed.number} ({failed.name})")
    raise typer.Exit(1)


def _show(output: Output, added: Registered, before: Registered | None, steps: list[Step]) -> None:
    if output.flags.json or output.flags.csv:
        data = {**registered_data(added), "added": before is None}
        if output.flags.json:
            from arena.cli.bots.steps import step_data

            output.document("add/1", {**data, "steps": [step_data(step) for step in steps]})
        else:
            output.rows(list(data), [list(data.values())])
    elif before is None:
        output.line(f"added {added} (sha256 {added.version[:12]}...)")
    elif before.state is not added.state:
        output.line(f"already there as v{added.number}, ready again")
    else:
        output.line(f"already there as v{added.number}")


def registered_data(version: Registered) -> dict[str, Any]:
    """A registered version as flat JSON data."""
    return {
        "bot": version.name,
        "number": version.number,
        "version": version.version,
        "state": version.state.value,
        "owner": version.owner,
        "message": version.message,
        "registered": utc(version.added),
    }


def _some_game(bot: Bot) -> str:
    return "crowsnest" if bot.plays("crowsnest") else bot.games[0]


def retire(
    ctx: typer.Context,
    name: Annotated[
        str,
        typer.Argument(metavar="NAME[@V]", help="One version, or all of a name.", autocompletion=complete_registered),
    ],
) -> None:
    """Retire a version, or all of a name: it is no longer meant by the name alone. Its results stay.

    \b
    arena bot retire fox@2
    arena bot retire fox
    """
    output: Output = ctx.obj
    from arena.runner.roster import Roster
    from arena.store.store import Store

    settings = settings_of(output)
    found = Roster(settings.data, settings.store).versions(name)
    with Store.open(settings.store) as store:
        retired = store.retire(found[0].name, found[0].number if "@" in name else None)
    if output.flags.json:
        output.document("retire/1", {"retired": [registered_data(each) for each in retired]})
    elif output.flags.csv:
        rows = [registered_data(each) for each in retired]
        output.rows(list(registered_data(found[0])), [list(row.values()) for row in rows])
    elif retired:
        output.line(f"retired {', '.join(map(str, retired))}")
    else:
        output.line(f"{name} was retired before")
    output.next_step("arena bot list --all-versions")
