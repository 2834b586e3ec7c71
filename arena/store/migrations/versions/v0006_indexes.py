"""Line-ups and tiers in one index, so that a table's head and a tournament's status read no rows of games."""

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the index anew."""
    op.drop_index("ix_game_bots", "game")
    op.create_index("ix_game_bots", "game", ["tournament_id", "bots", "tier"])
