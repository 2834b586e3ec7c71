"""`arena user`: who may sign in on the site, and the links by which they do so once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.app import Command, Group, settings_of
from arena.cli.bots.names import utc
from arena.cli.flags import UsageError
from arena.cli.output import Column, Output

if TYPE_CHECKING:
    from arena.store.audit import Audit
    from arena.store.people import People, Person

HEADINGS = ("id", "name", "role", "student", "state", "created", "revoked")
SITE = "http://127.0.0.1:8000"

Site = Annotated[
    str,
    typer.Option(
        "--site", metavar="URL", help=f"Where the printed link leads; by default the site of this folder, else {SITE}."
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(name="user", cls=Group, help="Who may sign in on the site.", no_args_is_help=True)
    group.command("add", cls=Command)(add)
    group.command("list", cls=Command)(list_users)
    group.command("link", cls=Command)(link)
    group.command("revoke", cls=Command)(revoke)
    app.add_typer(group)


def add(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="As others see it; owns the bots.")],
    role: Annotated[str, typer.Option("--role", metavar="ROLE", help="author or organiser.")] = "author",
    student: Annotated[str, typer.Option("--student", metavar="ID", help="For organisers only.")] = "",
    site: Site = "",
) -> None:
    """Somebody new, with a link that signs in once within 7 days. The link is printed this once and kept nowhere.

    \b
    arena user add Ada
    arena user add Grace --role organiser --site https://arena.example.org
    """
    output: Output = ctx.obj
    from arena.store.people import ROLES

    if role not in ROLES:
        raise UsageError(f"--role cannot be {role!r}", saw=f"--role {role}", fix=f"accepted: {', '.join(ROLES)}")
    site = site or _running(output)
    with _Opened(output) as (people, audit):
        person = people.add(name, role, student)
        text = people.link(person.id)
        _note(audit, "add person", person)
    _show_link(output, person, site, text)


def link(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Who lost the way in.")],
    site: Site = "",
) -> None:
    """A new link for somebody who is there; somebody who was revoked may sign in again.

    \b
    arena user link Ada
    arena user link Ada --json
    """
    output: Output = ctx.obj
    site = site or _running(output)
    with _Opened(output) as (people, audit):
        person = _named(people, name)
        people.restore(person.id)
        text = people.link(person.id)
        _note(audit, "new link", person)
    _show_link(output, person._replace(revoked=None), site, text)


def list_users(ctx: typer.Context) -> None:
    """Everybody who may sign in, or might once.

    \b
    arena user list
    arena user list --csv
    """
    output: Output = ctx.obj
    with _Opened(output) as (people, _):
        rows = [_row(person) for person in people.all()]
    if output.flags.json:
        output.document("users/1", rows)
    elif output.flags.csv:
        output.rows(HEADINGS, [[row[heading] for heading in HEADINGS] for row in rows])
    elif rows:
        cells = [["-" if row[heading] in (None, "") else str(row[heading]) for heading in HEADINGS] for row in rows]
        output.table([Column(heading, right=heading == "id") for heading in HEADINGS], cells)
    else:
        output.note("nobody yet; add somebody:  arena user add NAME")
    if rows:
        output.next_step("arena user link NAME  lets somebody in again, or on a second device")


def revoke(
    ctx: typer.Context, name: Annotated[str, typer.Argument(metavar="NAME", help="Who may not sign in any more.")]
) -> None:
    """Take back all that somebody may: links, sessions and upload tokens end at once. Bots and results stay.

    \b
    arena user revoke Ada
    arena user link Ada        lets Ada in again
    """
    output: Output = ctx.obj
    with _Opened(output) as (people, audit):
        person = _named(people, name)
        people.revoke(person.id)
        _note(audit, "revoke person", person)
        changed = _named(people, name)
    if output.flags.json:
        output.document("revoked-user/1", _row(changed))
    elif output.flags.csv:
        output.rows(HEADINGS, [[_row(changed)[heading] for heading in HEADINGS]])
    else:
        output.line(f"revoked {person.name}: signed out everywhere")
    output.next_step(f"arena user link {person.name}  lets them in again; arena person remove erases the name")


class _Opened:
    """The people and the audit log of the store, until the block ends."""

    def __init__(self, output: Output) -> None:
        from arena.store.database import open_database

        self._database = open_database(settings_of(output).store)

    def __enter__(self) -> tuple[People, Audit]:
        from arena.store.audit import Audit
        from arena.store.people import People

        return People(self._database), Audit(self._database)

    def __exit__(self, *_: object) -> None:
        self._database.close()


def _named(people: People, name: str) -> Person:
    from arena.core.errors import ArenaError

    found = people.named(name)
    if found is None:
        names = ", ".join(person.name for person in people.all()[:20])
        raise ArenaError(
            f"there is no person {name!r}", saw=f"people: {names or 'none'}", fix="arena user list", code="NOTHING"
        )
    return found


def _note(audit: Audit, action: str, person: Person) -> None:
    from arena.store.audit import typed_by

    audit.note(None, typed_by(), action, f"person {person.id}")


def _show_link(output: Output, person: Person, site: str, text: str) -> None:
    address = f"{site.rstrip('/')}/in/{text}"
    data = {**_row(person), "link": address}
    output.record("user-link/1", data, address)
    output.note(f"signs {person.name} in once, within 7 days; it cannot be shown again")
    output.next_step("arena user list")


def _running(output: Output) -> str:
    """Where the site of the data folder is served from this machine; where it usually is, when it is not."""
    from arena.store.lock import Busy
    from arena.web.reach import reach

    settings = settings_of(output)
    try:
        found = reach(settings.data, settings.store, wait_s=0)
    except Busy:
        return SITE
    return found.address if found is not None else SITE


def _row(person: Person) -> dict[str, Any]:
    """A person as flat JSON data."""
    return {
        "id": person.id,
        "name": person.name,
        "role": person.role,
        "student": person.student,
        "state": "may sign in" if person.revoked is None else "revoked",
        "created": utc(person.created),
        "revoked": utc(person.revoked) if person.revoked is not None else None,
    }
