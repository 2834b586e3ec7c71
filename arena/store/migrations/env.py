"""Run by Alembic: takes the open connection it is handed and migrates inside the caller's transaction."""

from alembic import context

from arena.store.site_tables import Tables

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Tables.metadata,
    transactional_ddl=True,
    render_as_batch=True,
)
context.run_migrations()
