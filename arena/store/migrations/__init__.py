"""Migrations of the store, run by `arena.store.schema`; no alembic.ini is needed."""
