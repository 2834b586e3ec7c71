"""What organisers set for events and ask of bots: freezes, and checks of registered versions."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "freeze",
        sa.Column("event", sa.String(64), primary_key=True),
        sa.Column("at", sa.String(32), nullable=False),
    )
    op.create_table(
        "recheck",
        sa.Column("bot", sa.String(32), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("event", sa.String(64), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("report", sa.Text(), nullable=False),
        sa.Column("asked", sa.String(32), nullable=False),
        sa.Column("finished", sa.String(32), nullable=True),
    )
