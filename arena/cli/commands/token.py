"""`arena token`: lets bots on machines of their own in, and out again."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.app import Command, Group, settings_of
from arena.cli.bots.add import checked_owner
from arena.cli.bots.names import utc
from arena.cli.output import Column, Output

if TYPE_CHECKING:
    from arena.store.tokens import Token, Tokens

HEADINGS = ("id", "bot", "owner", "slots", "state", "created", "expires", "seen")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(
        name="token", cls=Group, help="Let bots on machines of their own in, and out again.", no_args_is_help=True
    )
    group.command("issue", cls=Command)(issue)
    group.command("list", cls=Command)(list_tokens)
    group.command("revoke", cls=Command)(revoke)
    app.add_typer(group)


def complete_tokens(incomplete: str) -> list[str]:
    """Names of tokens that are not revoked, for the shell's completion."""
    import os
    from pathlib import Path

    from arena.cli.config import load
    from arena.core.errors import ArenaError
    from arena.store.tokens import Tokens

    try:
        with Tokens.open(load(None, os.environ, Path.cwd()).store, create=False) as tokens:
            known = [token.name for token in tokens.all() if token.revoked is None]
    except ArenaError:
        return []
    return [name for name in known if name.startswith(incomplete)]


def issue(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The bot's: 1 to 32 letters, digits, - or _.")],
    slots: Annotated[
        int, typer.Option("--slots", metavar="N", min=1, max=64, help="Connections at once; each plays one seat.")
    ] = 1,
    days: Annotated[int, typer.Option("--days", metavar="D", min=1, max=3650, help="How long it holds.")] = 90,
    owner: Annotated[str, typer.Option("--owner", metavar="TEXT", help="Whose it is, for the list.")] = "",
) -> None:
    """A token for a bot on its author's machine. It is printed this once and kept nowhere.

    \b
    arena token issue fox
    arena token issue fox --slots 2 --days 7 --owner "Ada, group 3" > fox.token
    """
    output: Output = ctx.obj
    from arena.bots.manifest import NAME
    from arena.core.errors import BotError
    from arena.store.lock import one_at_a_time
    from arena.store.store import utc_now

    if not NAME.fullmatch(name):
        raise BotError(f"no bot can be called {name!r}", fix="1 to 32 letters, digits, - or _", code="BAD_NAME")
    whose = checked_owner(owner)
    with one_at_a_time(settings_of(output).data, "quota"):
        if whose:
            _refuse_more(output, whose)
        with _open(output) as tokens:
            token, text = tokens.issue(name, whose, slots, utc_now() + timedelta(days=days))
    data = {**_row(token), "token": text}
    output.record("token/1", data, text)
    output.note(f"number {token.id}, for {token.name}, until {data['expires']}; it cannot be shown again")
    output.note("its owner sets  ARENA_TOKEN  to it and  ARENA_ADDRESS  to host:port, and starts the bot")
    if token.slots == 1:
        output.note("one slot is one seat: games of partnerships need two (--slots 2)")
    output.next_step(f"arena play GAME basic remote:{token.name} --listen HOST:PORT --tls-cert C --tls-key K")


def _refuse_more(output: Output, owner: str) -> None:
    """Raises OverQuota when a further token is more than an owner may have."""
    from arena.cli.commands.quota import usages_of
    from arena.runner.keeping import quotas
    from arena.store.store import Store

    with Store.open(settings_of(output).store) as store:
        usage = usages_of(output, store).get(owner.casefold(), quotas.Usage(owner))
    quotas.refuse(quotas.over_quota(quotas.with_token(usage), settings_of(output).quotas, ("tokens",)), owner)


def list_tokens(
    ctx: typer.Context,
    every: Annotated[bool, typer.Option("--all", help="Also those that are revoked.")] = False,
) -> None:
    """The tokens: for whom, until when, and when each was last used.

    \b
    arena token list
    arena token list --all --json
    """
    output: Output = ctx.obj
    with _open(output) as tokens:
        rows = [_row(token) for token in tokens.all() if every or token.revoked is None]
    if output.flags.json:
        output.document("tokens/1", rows)
    elif output.flags.csv:
        output.rows(HEADINGS, [[row[heading] for heading in HEADINGS] for row in rows])
    elif rows:
        columns = [Column(heading, right=heading in ("id", "slots")) for heading in HEADINGS]
        cells = [["-" if row[heading] is None else str(row[heading]) for heading in HEADINGS] for row in rows]
        output.table(columns, cells)
    else:
        output.note("no token yet; issue one:  arena token issue NAME")
    if rows:
        output.next_step("arena token revoke ID  takes one back")


def revoke(
    ctx: typer.Context,
    token: Annotated[
        str,
        typer.Argument(metavar="NAME|ID", help="A name or a number of the list.", autocompletion=complete_tokens),
    ],
) -> None:
    """Take a token back: it lets nobody in any more, and who is inside is sent away within seconds.

    \b
    arena token revoke fox
    arena token revoke 3
    """
    output: Output = ctx.obj
    from arena.core.errors import ConfigError

    with _open(output) as tokens:
        found = tokens.revoke(token)
        if found is None:
            names = ", ".join(each.name for each in tokens.all() if each.revoked is None)
            raise ConfigError(
                f"no token {token!r} to revoke",
                saw=f"tokens: {names or 'none'}",
                fix="arena token list",
                code="NO_TOKEN",
            )
    if output.flags.json:
        output.document("revoked/1", _row(found))
    elif output.flags.csv:
        output.rows(HEADINGS, [[_row(found)[heading] for heading in HEADINGS]])
    else:
        output.line(f"revoked the token of {found.name}, number {found.id}")
    output.next_step(f"arena token issue {found.name}  makes a new one")


def _open(output: Output) -> Tokens:
    from arena.store.tokens import Tokens

    return Tokens.open(settings_of(output).store)


def _row(token: Token) -> dict[str, Any]:
    """A token as flat JSON data."""
    from arena.store.store import utc_now

    return {
        "id": token.id,
        "bot": token.name,
        "owner": token.owner,
        "slots": token.slots,
        "state": token.state(utc_now()),
        "created": utc(token.created),
        "expires": utc(token.expires) if token.expires is not None else None,
        "seen": utc(token.seen) if token.seen is not None else None,
    }
