"""Floor 4: what is kept, in SQLite beside the tournament file or in any database SQLAlchemy opens by URL.

The only package that knows SQLAlchemy and Alembic. `values` is what goes in and out, `store` the way in, `lock` keeps a
second coordinator out; import them by name, so that commands without a store stay quick.
"""
