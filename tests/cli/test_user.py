"""`arena user`: people and links from the terminal, written down as the command line's."""

from __future__ import annotations

import json
import os
import pwd
from pathlib import Path

from cli.terminal import piped

from arena.store.audit import Audit, typed_by
from arena.store.database import open_database
from arena.store.lock import site_lock
from arena.store.people import People
from arena.web.reach import announced
from arena.web.site import Settings, Site


def test_people_come_lose_their_way_and_go(tmp_path: Path) -> None:
    added = piped("user", "add", "Ada", "--student", "s1", "--site", "https://arena.example/", folder=tmp_path)
    assert added.status == 0, added.stderr
    assert added.stdout.startswith("https://arena.example/in/")
    grace = json.loads(piped("user", "add", "Grace", "--role", "organiser", "--json", folder=tmp_path).stdout)["data"]
    assert (grace["role"], grace["state"]) == ("organiser", "may sign in")
    taken = piped("user", "add", "ADA", folder=tmp_path)
    assert (taken.status, taken.error()["code"].partition(" ")[0]) == (2, "BAD_PERSON")
    assert piped("user", "add", "Bob", "--role", "king", folder=tmp_path).status == 2
    assert piped("user", "revoke", "ada", folder=tmp_path).status == 0
    assert piped("user", "link", "Bob", folder=tmp_path).status == 5
    listed = json.loads(piped("user", "list", "--json", folder=tmp_path).stdout)["data"]
    assert [(each["name"], each["student"], each["state"]) for each in listed] == [
        ("Ada", "s1", "revoked"),
        ("Grace", "", "may sign in"),
    ]
    link = piped("user", "link", "ada", "--csv", folder=tmp_path).stdout.splitlines()[1].rpartition("/in/")[2]
    database = open_database(tmp_path / ".arena")
    found = People(database).linked(link)
    entries = Audit(database).entries()
    database.close()
    assert found is not None
    assert found.person.name == "Ada"
    assert found.person.revoked is None
    assert [(each.who, each.action, each.target) for each in entries][:2] == [
        (typed_by(), "new link", "person 1"),
        (typed_by(), "revoke person", "person 1"),
    ]
    assert typed_by() == f"command line ({pwd.getpwuid(os.geteuid()).pw_name})"


def test_links_lead_to_the_site_of_the_folder_while_it_is_served(tmp_path: Path) -> None:
    data = tmp_path / ".arena"
    before = piped("user", "add", "Ada", folder=tmp_path)
    assert before.stdout.startswith("http://127.0.0.1:8000/in/")
    with site_lock(data):
        unknown = piped("user", "link", "Ada", folder=tmp_path)
        assert unknown.stdout.startswith("http://127.0.0.1:8000/in/")
        with announced(Site.open(Settings(data, data)), "http://127.0.0.1:8765"):
            links = [piped("user", *typed, folder=tmp_path).stdout for typed in (("link", "Ada"), ("add", "Bob"))]
            other = piped("user", "link", "Ada", "--site", "https://arena.example", folder=tmp_path).stdout
    assert all(link.startswith("http://127.0.0.1:8765/in/") for link in links)
    assert other.startswith("https://arena.example/in/")
