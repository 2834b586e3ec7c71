"""What the site writes itself: people, links, sessions, what was sent, games of people, pages kept ready."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "person",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("folded", sa.String(64), nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("student", sa.String(64), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("revoked", sa.String(32), nullable=True),
        sa.UniqueConstraint("folded", name="uq_person_name"),
    )
    op.create_table(
        "link",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("person_id", sa.Integer(), sa.ForeignKey("person.id"), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("expires", sa.String(32), nullable=False),
        sa.Column("used", sa.String(32), nullable=True),
        sa.UniqueConstraint("hash", name="uq_link_hash"),
    )
    op.create_table(
        "session",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("person_id", sa.Integer(), sa.ForeignKey("person.id"), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("label", sa.String(128), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("expires", sa.String(32), nullable=False),
        sa.Column("seen", sa.String(32), nullable=True),
        sa.UniqueConstraint("hash", name="uq_session_hash"),
    )
    op.create_table(
        "upload_token",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("person_id", sa.Integer(), sa.ForeignKey("person.id"), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("seen", sa.String(32), nullable=True),
        sa.Column("revoked", sa.String(32), nullable=True),
        sa.UniqueConstraint("hash", name="uq_upload_token_hash"),
    )
    op.create_table(
        "submission",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("public_id", sa.String(32), nullable=False),
        sa.Column("person_id", sa.Integer(), sa.ForeignKey("person.id"), nullable=False),
        sa.Column("file", sa.String(128), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("bot", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("report", sa.Text(), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("started", sa.String(32), nullable=True),
        sa.Column("finished", sa.String(32), nullable=True),
        sa.UniqueConstraint("public_id", name="uq_submission_id"),
    )
    op.create_table(
        "bot_setting",
        sa.Column("folded", sa.String(32), primary_key=True),
        sa.Column("notes_public", sa.Boolean(), nullable=False),
        sa.Column("paused", sa.Boolean(), nullable=False),
    )
    op.create_table(
        "site_setting",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("value", sa.Text(), nullable=False),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("who", sa.String(64), nullable=False),
        sa.Column("action", sa.String(32), nullable=False),
        sa.Column("target", sa.String(128), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("undone", sa.String(32), nullable=True),
    )
    op.create_table(
        "sitting",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("public_id", sa.String(128), nullable=False),
        sa.Column("parent", sa.String(128), nullable=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("bots", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("key_hash", sa.String(64), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("finished", sa.String(32), nullable=True),
        sa.Column("transcript", sa.LargeBinary(), nullable=True),
        sa.UniqueConstraint("public_id", name="uq_sitting_id"),
    )
    op.create_table(
        "snapshot",
        sa.Column("tournament_id", sa.Integer(), sa.ForeignKey("tournament.id"), primary_key=True),
        sa.Column("kind", sa.String(32), primary_key=True),
        sa.Column("version", sa.String(128), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("cost_ms", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
    )
    op.create_index("ix_audit_target", "audit", ["target"])
    op.create_index("ix_sitting_parent", "sitting", ["parent"])
    op.create_index("ix_submission_state", "submission", ["state"])
