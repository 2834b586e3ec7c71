"""Accounts of people on an open connection: by what a name is found, and how an account is forgotten."""

from __future__ import annotations

import unicodedata
from datetime import datetime

from sqlalchemy import Connection, delete, func, select, update

from arena.store.site_tables import (
    AuditTable,
    LinkTable,
    PersonTable,
    SessionTable,
    SittingTable,
    SubmissionTable,
    UploadTokenTable,
)

MAX_NAME = 64
RESERVED = "removed person"
"""How the name of a person that was removed begins."""


def folded(name: str) -> str:
    """By what a name is found: whatever its case, and however its letters are composed."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())[:MAX_NAME]


def exists(connection: Connection, name: str) -> bool:
    """Whether somebody of a name has an account."""
    query = select(func.count()).select_from(PersonTable).where(PersonTable.folded == folded(name))
    return bool(connection.execute(query).scalar_one())


def uploads(connection: Connection, name: str) -> list[str]:
    """Names of the files that a person sent and that were kept."""
    query = select(SubmissionTable.file).join(PersonTable, PersonTable.id == SubmissionTable.person_id)
    return [file for (file,) in connection.execute(query.where(PersonTable.folded == folded(name))) if file]


def forget(connection: Connection, name: str, stands: str, now: datetime) -> None:
    """Put `stands` where the name of a person stands, and delete all by which it could sign in.

    What it sent and played stays, as that of a removed person; its words about it do not.
    """
    query = select(PersonTable.id).where(PersonTable.folded == folded(name))
    for (number,) in connection.execute(query).all():
        for table in (LinkTable, SessionTable, UploadTokenTable):
            connection.execute(delete(table).where(table.person_id == number))
        values = {"name": stands, "folded": f"{stands} ({number})", "student": "", "revoked": now}
        connection.execute(update(PersonTable).where(PersonTable.id == number).values(**values))
        sent = update(SubmissionTable).where(SubmissionTable.person_id == number)
        connection.execute(sent.values(file="", message=""))
        connection.execute(update(AuditTable).where(AuditTable.person_id == number).values(who=stands))
        connection.execute(update(SittingTable).where(SittingTable.person_id == number).values(person_id=None))
