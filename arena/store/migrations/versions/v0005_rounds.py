"""What open-ended events and many machines need: rounds, entrants that come and go, who played, what was removed."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns and the tables."""
    op.create_table(
        "round",
        sa.Column("tournament_id", sa.Integer(), sa.ForeignKey("tournament.id"), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("field", sa.Text(), nullable=False),
        sa.Column("blocks", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("opened", sa.String(32), nullable=False),
        sa.Column("closed", sa.String(32), nullable=True),
    )
    op.add_column("entrant", sa.Column("since_round", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("entrant", sa.Column("until_round", sa.Integer(), nullable=True))
    op.add_column("tournament", sa.Column("series", sa.String(64), nullable=False, server_default=""))
    op.add_column("game", sa.Column("worker", sa.String(64), nullable=False, server_default=""))
    op.add_column("registered", sa.Column("owner", sa.Text(), nullable=False, server_default=""))
    op.create_table(
        "removal",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("folded", sa.String(64), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.UniqueConstraint("kind", "folded", name="uq_removal_name"),
    )
