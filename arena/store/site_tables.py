"""The tables that the site writes: people and how they sign in, what they send, games they play, pages kept ready.

Same rules as in `models`. Of links, sessions and tokens only hashes are stored.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Boolean, ForeignKey, Index, LargeBinary, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from arena.store.models import Tables as Tables
from arena.store.models import UtcTime


class PersonTable(Tables):
    """Somebody who may sign in."""

    __tablename__ = "person"
    __table_args__ = (UniqueConstraint("folded", name="uq_person_name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(64))
    folded: Mapped[str] = mapped_column(String(64))
    role: Mapped[str] = mapped_column(String(16))
    student: Mapped[str] = mapped_column(String(64))
    created: Mapped[datetime] = mapped_column(UtcTime)
    revoked: Mapped[datetime | None] = mapped_column(UtcTime)


class LinkTable(Tables):
    """One link by which a person signs in, once."""

    __tablename__ = "link"
    __table_args__ = (UniqueConstraint("hash", name="uq_link_hash"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"))
    hash: Mapped[str] = mapped_column(String(64))
    created: Mapped[datetime] = mapped_column(UtcTime)
    expires: Mapped[datetime] = mapped_column(UtcTime)
    used: Mapped[datetime | None] = mapped_column(UtcTime)


class SessionTable(Tables):
    """One browser that is signed in."""

    __tablename__ = "session"
    __table_args__ = (UniqueConstraint("hash", name="uq_session_hash"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"))
    hash: Mapped[str] = mapped_column(String(64))
    label: Mapped[str] = mapped_column(String(128))
    created: Mapped[datetime] = mapped_column(UtcTime)
    expires: Mapped[datetime] = mapped_column(UtcTime)
    seen: Mapped[datetime | None] = mapped_column(UtcTime)


class UploadTokenTable(Tables):
    """One token with which a program sends bots for a person; it can do nothing else."""

    __tablename__ = "upload_token"
    __table_args__ = (UniqueConstraint("hash", name="uq_upload_token_hash"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"))
    name: Mapped[str] = mapped_column(String(64))
    hash: Mapped[str] = mapped_column(String(64))
    created: Mapped[datetime] = mapped_column(UtcTime)
    seen: Mapped[datetime | None] = mapped_column(UtcTime)
    revoked: Mapped[datetime | None] = mapped_column(UtcTime)


class SubmissionTable(Tables):
    """One bot that was sent, from the moment its bytes were kept; `report` is JSON: steps, errors, times."""

    __tablename__ = "submission"
    __table_args__ = (UniqueConstraint("public_id", name="uq_submission_id"), Index("ix_submission_state", "state"))

    id: Mapped[int] = mapped_column(primary_key=True)
    public_id: Mapped[str] = mapped_column(String(32))
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"))
    file: Mapped[str] = mapped_column(String(128))
    hash: Mapped[str] = mapped_column(String(64))
    size: Mapped[int]
    message: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(16))
    bot: Mapped[str] = mapped_column(String(32))
    number: Mapped[int | None]
    tries: Mapped[int]
    report: Mapped[str] = mapped_column(Text)
    created: Mapped[datetime] = mapped_column(UtcTime)
    started: Mapped[datetime | None] = mapped_column(UtcTime)
    finished: Mapped[datetime | None] = mapped_column(UtcTime)


class BotSettingTable(Tables):
    """What an owner chose for a bot."""

    __tablename__ = "bot_setting"

    folded: Mapped[str] = mapped_column(String(32), primary_key=True)
    notes_public: Mapped[bool] = mapped_column(Boolean)
    paused: Mapped[bool] = mapped_column(Boolean)


class FreezeTable(Tables):
    """Until when what is sent counts for an event, by its name: it may not have begun yet."""

    __tablename__ = "freeze"

    event: Mapped[str] = mapped_column(String(64), primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcTime)


class RecheckTable(Tables):
    """The last check of a registered version that an organiser asked for; `event`: for which, empty: for all."""

    __tablename__ = "recheck"

    bot: Mapped[str] = mapped_column(String(32), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    event: Mapped[str] = mapped_column(String(64))
    state: Mapped[str] = mapped_column(String(16))
    report: Mapped[str] = mapped_column(Text)
    asked: Mapped[datetime] = mapped_column(UtcTime)
    finished: Mapped[datetime | None] = mapped_column(UtcTime)


class SiteSettingTable(Tables):
    """What an organiser chose for the site; values are JSON."""

    __tablename__ = "site_setting"

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    value: Mapped[str] = mapped_column(Text)


class AuditTable(Tables):
    """One thing that somebody did with rights of their own."""

    __tablename__ = "audit"
    __table_args__ = (Index("ix_audit_target", "target"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcTime)
    person_id: Mapped[int | None]
    who: Mapped[str] = mapped_column(String(64))
    action: Mapped[str] = mapped_column(String(32))
    target: Mapped[str] = mapped_column(String(128))
    reason: Mapped[str] = mapped_column(Text)
    data: Mapped[str] = mapped_column(Text)
    undone: Mapped[datetime | None] = mapped_column(UtcTime)


class SittingTable(Tables):
    """One game outside of all tournaments, with a person in a seat or, with `parent`, bots on the same cards."""

    __tablename__ = "sitting"
    __table_args__ = (UniqueConstraint("public_id", name="uq_sitting_id"), Index("ix_sitting_parent", "parent"))

    id: Mapped[int] = mapped_column(primary_key=True)
    public_id: Mapped[str] = mapped_column(String(128))
    parent: Mapped[str | None] = mapped_column(String(128))
    game: Mapped[str] = mapped_column(String(64))
    ruleset: Mapped[str] = mapped_column(Text)
    secret: Mapped[bytes] = mapped_column(LargeBinary)
    bots: Mapped[str] = mapped_column(Text)
    seat: Mapped[int | None]
    person_id: Mapped[int | None]
    key_hash: Mapped[str] = mapped_column(String(64))
    settings: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(16))
    reason: Mapped[str] = mapped_column(Text)
    created: Mapped[datetime] = mapped_column(UtcTime)
    finished: Mapped[datetime | None] = mapped_column(UtcTime)
    transcript: Mapped[bytes | None] = mapped_column(LargeBinary)


class SnapshotTable(Tables):
    """What a page shows of a tournament, computed beforehand: compressed JSON; `version`: what it is made of."""

    __tablename__ = "snapshot"

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(32), primary_key=True)
    version: Mapped[str] = mapped_column(String(128))
    at: Mapped[datetime] = mapped_column(UtcTime)
    cost_ms: Mapped[int]
    data: Mapped[bytes] = mapped_column(LargeBinary)
