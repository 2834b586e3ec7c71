"""First tables: tournaments, bots, games, transcripts, faults and voids."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "tournament",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("name", sa.String(64), nullable=False, unique=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("game_version", sa.String(32), nullable=False),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("config", sa.Text(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("secret_hash", sa.String(64), nullable=False),
        sa.Column("open_seed", sa.Boolean(), nullable=False),
        sa.Column("tier_minimum", sa.String(8), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("started", sa.String(32)),
        sa.Column("finished", sa.String(32)),
    )
    op.create_table(
        "bot",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("manifest", sa.Text(), nullable=False),
        sa.UniqueConstraint("name", "version", "source", name="uq_bot_version"),
    )
    op.create_table(
        "entrant",
        sa.Column("tournament_id", sa.Integer(), sa.ForeignKey("tournament.id"), primary_key=True),
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("bot_id", sa.Integer(), sa.ForeignKey("bot.id"), nullable=False),
    )
    _games()
    op.create_table(
        "void",
        sa.Column("tournament_id", sa.Integer(), sa.ForeignKey("tournament.id"), primary_key=True),
        sa.Column("round", sa.Integer(), primary_key=True),
        sa.Column("board", sa.BigInteger(), primary_key=True),
        sa.Column("table", sa.Integer(), primary_key=True),
        sa.Column("seating", sa.Integer(), primary_key=True),
        sa.Column("attempt", sa.Integer(), primary_key=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
    )


def _games() -> None:
    op.create_table(
        "game",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("tournament_id", sa.Integer(), sa.ForeignKey("tournament.id"), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("board", sa.BigInteger(), nullable=False),
        sa.Column("table", sa.Integer(), nullable=False),
        sa.Column("seating", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(128), nullable=False),
        sa.Column("bots", sa.Text(), nullable=False),
        sa.Column("verdict", sa.String(16), nullable=False),
        sa.Column("scores", sa.Text(), nullable=False),
        sa.Column("ranks", sa.Text(), nullable=False),
        sa.Column("tiebreaks", sa.Text(), nullable=False),
        sa.Column("forfeits", sa.Text(), nullable=False),
        sa.Column("tier", sa.String(8), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("elapsed_ms", sa.BigInteger(), nullable=False),
        sa.Column("stored", sa.String(32), nullable=False),
        sa.UniqueConstraint("tournament_id", "round", "board", "table", "seating", name="uq_game_key"),
        sa.UniqueConstraint("public_id", name="uq_game_public_id"),
    )
    op.create_index("ix_game_board", "game", ["tournament_id", "board"])
    op.create_table(
        "transcript",
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("data", sa.LargeBinary(), nullable=False),
    )
    op.create_table(
        "fault",
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("bot", sa.String(32), nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("code", sa.String(32), nullable=False),
        sa.Column("fault_class", sa.String(1), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("elapsed_ms", sa.BigInteger(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
    )
    op.create_index("ix_fault_bot", "fault", ["bot"])
