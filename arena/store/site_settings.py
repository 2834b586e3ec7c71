"""What an organiser chose for the site. Values are JSON; what is not chosen has a default here."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import select, update

from arena.store.database import Database
from arena.store.site_tables import SiteSettingTable
from arena.store.tournaments import insert_new

DEFAULTS: Mapping[str, Any] = {  # Any: JSON
    "open_signup": "off",
    "signup_code": "",
    "form_key": "",
    "approval": "auto",
    "check_boards": 2,
    "daily_uploads": 30,
    "deadline": "",
    "last_backup": "",
}
"""open_signup: off, code, or proxy (whoever a trusted proxy vouches for); signup_code: the SHA-256 of the class code;
form_key: hex, what forms of people without a session are signed with; approval: auto, or manual (an organiser lets
checked bots in); check_boards: boards that a submission plays against itself in each ruleset, 0 to 50; daily_uploads:
of one person; deadline: ISO time after which what is sent is for the ladders only, empty: none."""


class SiteSettings:
    """The settings of a site."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, name: str) -> Any:  # Any: JSON
        """What is chosen, or the default. Raises KeyError for what is no setting."""
        query = select(SiteSettingTable.value).where(SiteSettingTable.name == name)
        with self._database.read() as connection:
            found = connection.execute(query).scalar()
        return DEFAULTS[name] if found is None else json.loads(found)

    def set(self, name: str, value: Any) -> None:
        """Choose a value. Raises KeyError for what is no setting."""
        DEFAULTS[name]
        text = json.dumps(value)
        with self._database.write() as connection:
            connection.execute(insert_new(connection, SiteSettingTable).values(name=name, value=text))
            chosen = update(SiteSettingTable).where(SiteSettingTable.name == name)
            connection.execute(chosen.values(value=text))
