"""The tables. Portable types only: JSON and times are text, so that SQLite and PostgreSQL keep the same thing.

A change here needs a new file in migrations/versions; a test compares the two.
"""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import BigInteger, Boolean, Dialect, ForeignKey, Index, LargeBinary, String, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator

Competitor = String(64).with_variant(String(32), "sqlite")
"""A name in a tournament, "fox@3". SQLite keeps texts of any length; its tables say what they said at first."""


class UtcTime(TypeDecorator[datetime]):
    """An aware time as ISO text in UTC with microseconds: sorts as text, equal on every database."""

    impl = String(32)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> str | None:
        """Time -> text."""
        return None if value is None else value.astimezone(UTC).isoformat(timespec="microseconds")

    def process_result_value(self, value: str | None, dialect: Dialect) -> datetime | None:
        """Text -> time."""
        return None if value is None else datetime.fromisoformat(value)


class Tables(DeclarativeBase):
    """All tables of the store."""


class TournamentTable(Tables):
    """One tournament: fixed settings, the secret, and how it stands."""

    __tablename__ = "tournament"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(64), unique=True)
    game: Mapped[str] = mapped_column(String(64))
    game_version: Mapped[str] = mapped_column(String(32))
    ruleset: Mapped[str] = mapped_column(Text)
    config: Mapped[str] = mapped_column(Text)
    secret: Mapped[bytes] = mapped_column(LargeBinary)
    secret_hash: Mapped[str] = mapped_column(String(64))
    open_seed: Mapped[bool] = mapped_column(Boolean)
    tier_minimum: Mapped[str] = mapped_column(String(8))
    state: Mapped[str] = mapped_column(String(16))
    created: Mapped[datetime] = mapped_column(UtcTime)
    started: Mapped[datetime | None] = mapped_column(UtcTime)
    finished: Mapped[datetime | None] = mapped_column(UtcTime)
    series: Mapped[str] = mapped_column(String(64), server_default="")


class BotTable(Tables):
    """One version of one bot, by content."""

    __tablename__ = "bot"
    __table_args__ = (UniqueConstraint("name", "version", "source", name="uq_bot_version"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(Competitor)
    version: Mapped[str] = mapped_column(String(64))
    source: Mapped[str] = mapped_column(Text)
    manifest: Mapped[str] = mapped_column(Text)


class RegisteredTable(Tables):
    """One registered version of a bot; its files are kept under its hash, outside the database."""

    __tablename__ = "registered"
    __table_args__ = (
        UniqueConstraint("folded", "number", name="uq_registered_number"),
        UniqueConstraint("folded", "version", name="uq_registered_version"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(32))
    folded: Mapped[str] = mapped_column(String(32))
    number: Mapped[int]
    version: Mapped[str] = mapped_column(String(64))
    manifest: Mapped[str] = mapped_column(Text)
    message: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(16))
    added: Mapped[datetime] = mapped_column(UtcTime)
    owner: Mapped[str] = mapped_column(Text, server_default="")


class EntrantTable(Tables):
    """Which bot version plays under which name in a tournament."""

    __tablename__ = "entrant"

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id"), primary_key=True)
    name: Mapped[str] = mapped_column(Competitor, primary_key=True)
    place: Mapped[int]
    bot_id: Mapped[int] = mapped_column(ForeignKey("bot.id"))
    since_round: Mapped[int] = mapped_column(server_default="1")
    until_round: Mapped[int | None]


class RoundTable(Tables):
    """One round of a tournament, from the moment it was opened: who takes part, and when all of it was settled."""

    __tablename__ = "round"

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    field: Mapped[str] = mapped_column(Text)
    blocks: Mapped[int]
    games: Mapped[int]
    opened: Mapped[datetime] = mapped_column(UtcTime)
    closed: Mapped[datetime | None] = mapped_column(UtcTime)


class GameTable(Tables):
    """One finished game; its transcript is elsewhere, so that rows stay light."""

    __tablename__ = "game"
    __table_args__ = (
        UniqueConstraint("tournament_id", "round", "board", "table", "seating", name="uq_game_key"),
        UniqueConstraint("public_id", name="uq_game_public_id"),
        Index("ix_game_board", "tournament_id", "board"),
        Index("ix_game_bots", "tournament_id", "bots", "tier"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id"))
    round: Mapped[int]
    board: Mapped[int] = mapped_column(BigInteger)
    table: Mapped[int]
    seating: Mapped[int]
    public_id: Mapped[str] = mapped_column(String(128))
    bots: Mapped[str] = mapped_column(Text)
    verdict: Mapped[str] = mapped_column(String(16))
    scores: Mapped[str] = mapped_column(Text)
    ranks: Mapped[str] = mapped_column(Text)
    tiebreaks: Mapped[str] = mapped_column(Text)
    forfeits: Mapped[str] = mapped_column(Text)
    tier: Mapped[str] = mapped_column(String(8))
    attempt: Mapped[int]
    elapsed_ms: Mapped[int] = mapped_column(BigInteger)
    stored: Mapped[datetime] = mapped_column(UtcTime)
    worker: Mapped[str] = mapped_column(String(64), server_default="")


class TranscriptTable(Tables):
    """What happened in a game: JSON compressed by zlib."""

    __tablename__ = "transcript"

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"), primary_key=True)
    data: Mapped[bytes] = mapped_column(LargeBinary)


class FaultTable(Tables):
    """One fault of one seat."""

    __tablename__ = "fault"
    __table_args__ = (Index("ix_fault_bot", "bot"), Index("ix_fault_version", "version", "code"))

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    seat: Mapped[int]
    bot: Mapped[str] = mapped_column(Competitor)
    version: Mapped[str] = mapped_column(String(64))
    code: Mapped[str] = mapped_column(String(32))
    fault_class: Mapped[str] = mapped_column(String(1))
    turn: Mapped[int]
    elapsed_ms: Mapped[int] = mapped_column(BigInteger)
    detail: Mapped[str] = mapped_column(Text)
    process: Mapped[str] = mapped_column(String(128))


class VoidTable(Tables):
    """One attempt at a game that counted for nobody."""

    __tablename__ = "void"

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id"), primary_key=True)
    round: Mapped[int] = mapped_column(primary_key=True)
    board: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    table: Mapped[int] = mapped_column(primary_key=True)
    seating: Mapped[int] = mapped_column(primary_key=True)
    attempt: Mapped[int] = mapped_column(primary_key=True)
    reason: Mapped[str] = mapped_column(Text)
    bots: Mapped[str] = mapped_column(Text)
    evidence: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(UtcTime)


class QuarantineTable(Tables):
    """Who was taken out of a tournament, and whether that was lifted."""

    __tablename__ = "quarantine"

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id"), primary_key=True)
    bot: Mapped[str] = mapped_column(Competitor, primary_key=True)
    since_round: Mapped[int] = mapped_column(primary_key=True)
    version: Mapped[str] = mapped_column(String(64))
    reason: Mapped[str] = mapped_column(Text)
    games: Mapped[str] = mapped_column(Text)
    codes: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(UtcTime)
    lifted: Mapped[datetime | None] = mapped_column(UtcTime)
    lift_reason: Mapped[str] = mapped_column(Text)


class TokenTable(Tables):
    """One token of a bot on a machine of its own; of the token itself only the hash."""

    __tablename__ = "token"
    __table_args__ = (
        UniqueConstraint("active", name="uq_token_active"),
        UniqueConstraint("hash", name="uq_token_hash"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(32))
    active: Mapped[str | None] = mapped_column(String(32))
    owner: Mapped[str] = mapped_column(Text)
    hash: Mapped[str] = mapped_column(String(64))
    slots: Mapped[int]
    created: Mapped[datetime] = mapped_column(UtcTime)
    expires: Mapped[datetime | None] = mapped_column(UtcTime)
    revoked: Mapped[datetime | None] = mapped_column(UtcTime)
    seen: Mapped[datetime | None] = mapped_column(UtcTime)


class RemovalTable(Tables):
    """A bot or a person that was removed: the name stays taken, and whoever asks is told why."""

    __tablename__ = "removal"
    __table_args__ = (UniqueConstraint("kind", "folded", name="uq_removal_name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(8))
    name: Mapped[str] = mapped_column(String(64))
    folded: Mapped[str] = mapped_column(String(64))
    reason: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(UtcTime)
