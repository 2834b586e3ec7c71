"""Competitors of an open-ended event are versions, "fox@3": their names are longer than those of bots.

SQLite keeps texts of any length whatever a column says: nothing has to change there.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

COLUMNS = (("bot", "name"), ("entrant", "name"), ("fault", "bot"), ("quarantine", "bot"))


def upgrade() -> None:
    """Make room."""
    if op.get_bind().dialect.name != "sqlite":
        for table, column in COLUMNS:
            op.alter_column(table, column, type_=sa.String(64))
