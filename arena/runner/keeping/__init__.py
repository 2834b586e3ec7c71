"""What keeps an arena in order for years: backups, retention, removal, quotas.

Each module is imported by name, so that a command loads only what it needs.
"""
