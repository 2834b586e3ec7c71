"""What verdicts need: exits behind faults, who sat at a void table and what shows it, quarantines and their lifting."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns and the table."""
    op.add_column("fault", sa.Column("process", sa.String(128), nullable=False, server_default=""))
    op.create_index("ix_fault_version", "fault", ["version", "code"])
    op.add_column("void", sa.Column("bots", sa.Text(), nullable=False, server_default="[]"))
    op.add_column("void", sa.Column("evidence", sa.Text(), nullable=False, server_default="{}"))
    op.create_index("ix_game_bots", "game", ["tournament_id", "bots"])
    op.create_table(
        "quarantine",
        sa.Column("tournament_id", sa.Integer(), sa.ForeignKey("tournament.id"), primary_key=True),
        sa.Column("bot", sa.String(32), primary_key=True),
        sa.Column("since_round", sa.Integer(), primary_key=True),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("games", sa.Text(), nullable=False),
        sa.Column("codes", sa.Text(), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("lifted", sa.String(32)),
        sa.Column("lift_reason", sa.Text(), nullable=False),
    )
