"""The site on a PostgreSQL server: links lead somewhere for every role, and data are those that a file's site gives."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from fastapi.testclient import TestClient
from postgres import Server
from sqlalchemy import func, insert, select, text
from web.acceptance.conftest import VISITOR
from web.acceptance.crawling import PATIENCE_S, ask, walk
from web.acceptance.life import AUTHORS, ORGANISERS, OWNED, RATED, SITTING, UNREADABLE
from web.acceptance.test_links import ANSWERED
from web.signing import sign_in

from arena.store.people import AUTHOR, ORGANISER
from arena.store.site_tables import Tables
from arena.store.store import Store
from arena.store.submissions import Submissions
from arena.web.app import create_app
from arena.web.site import Settings, Site

pytestmark = [pytest.mark.needs("postgres"), pytest.mark.xdist_group("acceptance")]
ROLES = {VISITOR: "", AUTHOR: AUTHORS, ORGANISER: ORGANISERS}
OWN = {VISITOR: "", AUTHOR: f"/(me|submission|submit|bot/{OWNED})", ORGANISER: "/admin"}
"""What is looked at by a role: all that a visitor comes by, of others what is theirs."""
DATA = re.compile(r"\.(json|csv)(\?|$)")
CHANGING = re.compile(r'"version": ?\d+')


class Both(NamedTuple):
    """The same in a file and on a server."""

    file: TestClient
    server: TestClient
    site: Site
    """On the server."""


def copied(file: Path, url: str) -> None:
    """Put all rows of a file's store on a server."""
    with (
        Store.open(file) as one,
        Store.open(url) as other,
        one.database.read() as read,
        other.database.write() as write,
    ):
        for table in Tables.metadata.sorted_tables:
            rows = [dict(row) for row in read.execute(select(table)).mappings()]
            if rows:
                write.execute(insert(table), rows)
            if rows and "id" in table.c:
                last = write.execute(select(func.max(table.c.id))).scalar_one()
                write.execute(text(f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), {last})"))


@pytest.fixture(scope="module")
def both(made: Path, server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    folder = tmp_path_factory.mktemp("both") / "data"
    shutil.copytree(made, folder)
    url = server.new_schema()
    copied(folder, url)
    sites = Site.open(Settings(folder, folder)), Site.open(Settings(folder, url))
    with (
        TestClient(create_app(sites[0]), base_url="http://127.0.0.1") as file,
        TestClient(create_app(sites[1]), base_url="http://127.0.0.1") as on_server,
    ):
        yield Both(file, on_server, sites[1])


@pytest.mark.parametrize("role", ROLES)
def test_every_link_leads_somewhere_and_data_are_those_of_a_file(both: Both, role: str) -> None:
    [submission] = Submissions(both.site.store.database).newest()
    start = ["/", f"/t/{RATED}", f"/t/{RATED}/faults", f"/bot/{OWNED}", f"/g/{SITTING}", "/me", "/submit", "/admin"]
    start += [f"/submission/{submission.public_id}"]
    both.server.cookies.clear()
    if ROLES[role]:
        sign_in(both.site, both.server, ROLES[role], role)
    only = re.compile(f"(?!(/embed)?/g/({'|'.join(UNREADABLE)})|/static/){OWN[role]}")
    found = list(walk(both.server, start, 1, only))
    assert len(found) > {VISITOR: 120, AUTHOR: 25, ORGANISER: 15}[role]
    assert [(each.status, each.url, each.found_on) for each in found if each.status not in ANSWERED] == []
    if role == VISITOR:
        data = [each for each in found if DATA.search(each.url) and each.status == 200]
        assert len(data) > 30
        for each in data:
            assert same(both, each.url), each.url


def same(both: Both, url: str) -> bool:
    """Whether both say the same at an address, once all is counted."""
    until = time.monotonic() + PATIENCE_S
    while True:
        one, other = (CHANGING.sub("", ask(client, url).text) for client in (both.file, both.server))
        if one == other or time.monotonic() > until:
            return one == other
        time.sleep(0.05)
