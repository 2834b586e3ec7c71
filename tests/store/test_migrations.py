"""Every revision with data in it, brought up to date on both databases: nothing is lost, and the tables are alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from store.samples import forfeit, game, new_tournament

from arena.core.options import canonical_json
from arena.record.results import GameKey
from arena.store import codec
from arena.store.database import locate, open_database
from arena.store.place import Place
from arena.store.schema import HEAD, MIGRATIONS
from arena.store.site_tables import Tables
from arena.store.store import Store
from arena.store.values import Void, secret_hash

AT = "2026-03-02T12:00:00.000000+00:00"
CONFIG = Config()
CONFIG.set_main_option("script_location", str(MIGRATIONS))
REVISIONS = sorted(script.revision for script in ScriptDirectory.from_config(CONFIG).walk_revisions())


def build(place: Place, revision: str) -> dict[str, list[dict[str, Any]]]:
    """A database at a revision, with a row or more in every table that it has; returns the rows."""
    url, file = locate(place)
    if file is not None:
        file.parent.mkdir(exist_ok=True)
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        CONFIG.attributes["connection"] = connection
        command.upgrade(CONFIG, revision)
        found = sa.MetaData()
        found.reflect(connection)
        for name, rows in data_rows().items():
            if name in found.tables:
                known = {column.name for column in found.tables[name].columns}
                for row in rows:
                    connection.execute(
                        found.tables[name].insert(), {key: row[key] for key in row if key in known and key != "id"}
                    )
    rows = content(engine)
    engine.dispose()
    return rows


def content(engine: sa.Engine) -> dict[str, list[dict[str, Any]]]:
    """All rows of all tables."""
    found = sa.MetaData()
    found.reflect(engine)
    with engine.connect() as connection:
        return {
            name: sorted((dict(row) for row in connection.execute(table.select()).mappings()), key=repr)
            for name, table in found.tables.items()
            if name != "alembic_version"
        }


def data_rows() -> dict[str, list[dict[str, Any]]]:
    """By table, in an order that foreign keys allow: rows as they were written, columns that came later too."""
    new = new_tournament()
    games = []
    for board in (1, 2):
        columns = codec.game_columns(1, new.name, forfeit(1, board), None)  # type: ignore[arg-type]  # set below
        games.append({**columns, "stored": AT})
    return {
        "tournament": [
            {
                **{name: getattr(new, name) for name in ("name", "game", "game_version", "ruleset", "secret")},
                "config": canonical_json(new.config),
                "secret_hash": secret_hash(new.secret),
                "open_seed": False,
                "tier_minimum": "B",
                "state": "running",
                "created": AT,
                "started": AT,
                "series": "cups",
            }
        ],
        "bot": [
            {"name": one.name, "version": one.version, "source": one.source, "manifest": canonical_json(one.manifest)}
            for one in new.entrants
        ],
        "entrant": [
            {"tournament_id": 1, "name": each.name, "place": place, "bot_id": place + 1, "since_round": 1}
            for place, each in enumerate(new.entrants)
        ],
        "game": games,
        "transcript": [
            {"game_id": number, "data": codec.packed({"moves": [], "note": "naïve ♠"})} for number in (1, 2)
        ],
        "fault": [
            {**row, "process": "x9" if row["number"] else ""}
            for row in codec.fault_columns(1, forfeit(1, 1), {each.name: each.version for each in new.entrants})
        ],
        "void": [
            {
                "tournament_id": 1, **GameKey(1, 3, 1, 0)._asdict(), "attempt": 1, "reason": "LAG", "at": AT,
                "bots": '["fox","owl","fox","owl"]', "evidence": '{"ms":7}',
            }
        ],
        "registered": [
            {
                "name": "Fox", "folded": "fox", "number": 1, "version": "f" * 64, "manifest": "{}", "message": "♠",
                "state": "ready", "added": AT, "owner": "Ada",
            }
        ],
        "quarantine": [
            {
                "tournament_id": 1, "bot": "owl", "since_round": 2, "version": "0" * 64, "reason": "CRASH twice",
                "games": "[[1,1,1,0]]", "codes": '["CRASH"]', "at": AT, "lifted": None, "lift_reason": "",
            }
        ],
        "token": [{"name": "fox", "active": "fox", "owner": "Ada", "hash": "a" * 64, "slots": 2, "created": AT}],
        "round": [{"tournament_id": 1, "number": 1, "field": '["fox","owl"]', "blocks": 2, "games": 4, "opened": AT}],
        "removal": [{"kind": "bot", "name": "Elk", "folded": "elk", "reason": "asked", "at": AT}],
        "person": [{"name": "Ada", "folded": "ada", "role": "author", "student": "s1", "created": AT}],
        "link": [{"person_id": 1, "hash": "b" * 64, "created": AT, "expires": AT}],
        "session": [{"person_id": 1, "hash": "c" * 64, "label": "Firefox", "created": AT, "expires": AT}],
        "upload_token": [{"person_id": 1, "name": "laptop", "hash": "d" * 64, "created": AT}],
        "submission": [
            {
                "public_id": "s1", "person_id": 1, "file": "s1.zip", "hash": "e" * 64, "size": 9, "message": "♠",
                "state": "accepted", "bot": "Fox", "number": 1, "tries": 1, "report": "{}", "created": AT,
            }
        ],
        "bot_setting": [{"folded": "fox", "notes_public": True, "paused": False}],
        "freeze": [{"event": "spring", "at": AT}],
        "recheck": [
            {"bot": "Fox", "number": 1, "event": "", "state": "passed", "report": "{}", "asked": AT, "finished": AT}
        ],
        "site_setting": [{"name": "open_signup", "value": '"off"'}],
        "audit": [
            {
                "at": AT, "person_id": 1, "who": "Ada", "action": "lift", "target": "spring", "reason": "mended",
                "data": "{}",
            }
        ],
        "sitting": [
            {
                "public_id": "p-1", "game": "goat", "ruleset": "{}", "secret": b"s", "bots": "[]", "key_hash": "",
                "settings": "{}", "state": "finished", "reason": "", "created": AT, "transcript": b"t",
            }
        ],
        "snapshot": [
            {"tournament_id": 1, "kind": "table", "version": "7", "at": AT, "cost_ms": 3, "data": codec.packed({})}
        ],
    }  # fmt: skip


def test_the_sample_has_rows_for_every_table_of_today() -> None:
    assert set(data_rows()) == set(Tables.metadata.tables)


@pytest.mark.parametrize("revision", REVISIONS)
def test_data_of_every_revision_is_kept(place: Place, revision: str) -> None:
    before = build(place, revision)
    assert all(before.values()), "every table has a row"
    with Store.open(place) as store:
        after = content(store._database.engine)
        for name, rows in before.items():
            kept = [{key: row[key] for key in rows[0]} for row in after[name]]
            assert sorted(kept, key=repr) == rows, f"{name} keeps what it had"
        check(store, revision)


def check(store: Store, revision: str) -> None:
    """The store reads and writes what an older one has left; what it did not know yet has a plain default."""
    [found] = store.tournaments()
    new = new_tournament()
    assert (found.name, found.secret, found.config, found.tier_minimum) == (new.name, new.secret, new.config, "B")
    assert found.series == ("cups" if revision >= "0005" else "")
    assert [(each.name, each.version, each.since_round, each.until_round) for each in found.entrants] == [
        (each.name, each.version, 1, None) for each in new.entrants
    ]
    first, second = store.rows(found.id)
    assert (first.key, second.key) == (GameKey(1, 1, 1, 0), GameKey(1, 2, 1, 0))
    assert (first.scores, first.faults) == (forfeit(1, 1).result.scores, ((1, "LATE"), (3, "CRASH")))
    full = store.game("spring-r1-b2-t1-1")
    assert full is not None
    assert full.game.result.transcript == {"moves": [], "note": "naïve ♠"}
    assert [fault.process for fault in next(store.conduct(found.id, 1)).faults] == ["x9" if revision >= "0003" else ""]
    [void] = store.voids(found.id)
    known = {"bots": ("fox", "owl", "fox", "owl"), "evidence": {"ms": 7}} if revision >= "0003" else {}
    assert void.void == Void(GameKey(1, 3, 1, 0), 1, "LAG", **known)
    assert len(store.registered()) == (1 if revision >= "0002" else 0)
    assert len(store.quarantines()) == (1 if revision >= "0003" else 0)
    assert store.add_games(found.id, [game(1, 1), game(1, 9)]) == 1, "what is there is never overwritten"
    assert store.register("fox" if revision < "0002" else "Fox", "e" * 64, {}).number == (1 if revision < "0002" else 2)


def test_the_newest_migration_is_head_and_makes_exactly_the_tables(place: Place) -> None:
    assert ScriptDirectory.from_config(CONFIG).get_heads() == [HEAD] == REVISIONS[-1:]
    opened = open_database(place)
    with opened.read() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": differs(connection.dialect)})
        assert compare_metadata(context, Tables.metadata) == []
    opened.close()


def differs(dialect: sa.Dialect) -> Callable[..., bool]:
    """Whether a column that was found has another type than is wanted."""

    def compare(_context: object, _inspected: object, _column: object, found: Any, wanted: Any) -> bool:
        wanted = getattr(wanted, "impl_instance", getattr(wanted, "impl", wanted))
        return bool(found.compile(dialect) != wanted.compile(dialect))

    return compare
