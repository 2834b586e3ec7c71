"""Tokens of bots on machines of their own; only their hashes are kept."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "token",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("active", sa.String(32), nullable=True),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("slots", sa.Integer(), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("expires", sa.String(32), nullable=True),
        sa.Column("revoked", sa.String(32), nullable=True),
        sa.Column("seen", sa.String(32), nullable=True),
        sa.UniqueConstraint("active", name="uq_token_active"),
        sa.UniqueConstraint("hash", name="uq_token_hash"),
    )
