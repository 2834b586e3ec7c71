"""What organisers do is done, written down, and undone where it can be."""

from __future__ import annotations

import csv
import io
import re
import threading
import time
from typing import NamedTuple

import psutil
import pytest
from fastapi.testclient import TestClient
from web.signing import sign_in

from arena import games
from arena.core.errors import ArenaError
from arena.record.results import GameKey, GameResult, Verdict
from arena.store.audit import Audit
from arena.store.people import ORGANISER, BadPerson, People
from arena.store.site_settings import SiteSettings
from arena.store.tokens import Tokens, hash_of
from arena.store.values import BotState, Entrant, NewTournament, State, StoredGame
from arena.tournament.quarantine import Quarantine
from arena.web.organising import classes
from arena.web.organising.handed import Handed
from arena.web.organising.health import coordinator
from arena.web.organising.runs import name_in
from arena.web.site import Site

HOSTILE = "<script>alert(1)</script>"
WAIT_S = 90.0


class Grace(NamedTuple):
    """An organiser."""

    client: TestClient
    csrf: str
    site: Site

    def post(self, path: str, status: int = 303, **fields: object) -> str:
        """Do something; the page that came."""
        found = self.client.post(f"/admin/{path}", data={"csrf": self.csrf, **{k: str(v) for k, v in fields.items()}})
        assert found.status_code == status, found.text
        return found.text

    def done(self) -> list[tuple[str, str, str]]:
        """What the log says: who, what, to what."""
        return [(each.who, each.action, each.target) for each in Audit(self.site.store.database).entries()]


@pytest.fixture
def grace(site: Site, client: TestClient) -> Grace:
    client.follow_redirects = False
    return Grace(client, sign_in(site, client, "Grace", ORGANISER), site)


def test_a_class_of_thirty_has_its_links_in_one_go(grace: Grace) -> None:
    listed = "Name;Student ID\n" + "\n".join(f"Student {n};s{n}" for n in range(29)) + "\n=cmd();s29\n"
    shown = grace.post("people", 200, listed=listed)
    [key] = re.findall(r'/admin/people/links/([\w-]+)\.csv"', shown)
    file = grace.client.get(f"/admin/people/links/{key}.csv")
    rows = list(csv.DictReader(io.StringIO(file.text)))
    assert 'filename="links.csv"' in file.headers["content-disposition"]
    assert len(rows) == 30
    assert (rows[3]["name"], rows[3]["student"]) == ("Student 3", "s3")
    assert rows[29]["name"] == "'=cmd()"
    people = People(grace.site.store.database)
    linked = people.linked(rows[3]["link"].rpartition("/")[2])
    assert linked is not None
    assert (linked.person.name, linked.person.student) == ("Student 3", "s3")
    other = TestClient(grace.client.app, base_url="http://127.0.0.1")
    sign_in(grace.site, other, "Eve", ORGANISER)
    assert other.get(f"/admin/people/links/{key}.csv").status_code == 404
    again = grace.post("people", 200, listed="student 3")
    assert "was there" in again
    assert len([each for each in people.all() if each.name.startswith("Student")]) == 29
    assert rows[3]["link"] not in grace.client.get("/admin/people").text


def test_an_anonymous_class_has_made_up_names(grace: Grace) -> None:
    people = People(grace.site.store.database)
    lines = classes.read("Ada Lovelace,s1\nAlan Turing")
    made = classes.make(people, lines, anonymous=True, address="x/")
    assert [each.student for each in made] == ["s1", "Alan Turing"]
    assert not any(word in each.name for each in made for word in ("Ada", "Alan"))
    again = classes.make(people, lines, anonymous=True, address="x/")
    assert [each.name for each in again] == [each.name for each in made]


@pytest.mark.parametrize(
    ("listed", "said"),
    [
        ("", "the list is empty"),
        ("Ada\n\nada", "line 3: 'ada' is in line 1 already"),
        ("Ada,s1\nB\x00b,s2", "has a NUL in it"),
        ("x" * 65, "line 1: nobody can be called"),
        ("grace", "line 1: grace is an organiser"),
        ("\n".join(f"p{n}" for n in range(501)), "more than 500"),
        (HOSTILE + "\nremoved person 2", "line 2"),
    ],
)
def test_a_list_that_is_wrong_adds_nobody(grace: Grace, listed: str, said: str) -> None:
    shown = grace.client.post("/admin/people", data={"csrf": grace.csrf, "listed": listed})
    if not listed:
        assert shown.status_code == 400
        with pytest.raises(BadPerson, match=said):
            classes.read(listed)
    else:
        assert shown.status_code == 400
        assert said.replace("'", "&#39;") in shown.text
        assert HOSTILE not in shown.text
    assert [each.name for each in People(grace.site.store.database).all()] == ["Grace"]


def test_people_are_revoked_let_in_again_and_given_roles(grace: Grace) -> None:
    people = People(grace.site.store.database)
    ada, me = people.add(HOSTILE), people.named("Grace")
    assert me is not None
    grace.post(f"people/{ada.id}/revoke", reason="left the course")
    revoked = people.person(ada.id)
    assert revoked is not None
    assert revoked.revoked is not None
    grace.post(f"people/{me.id}/revoke", 403, reason="oops")
    shown = grace.post(f"people/{ada.id}/link", 200)
    assert "/in/" in shown
    assert HOSTILE not in shown
    assert people.person(ada.id) == ada
    grace.post(f"people/{ada.id}/role", role="organiser")
    grace.post(f"people/{ada.id}/role", 403, role="emperor")
    grace.post(f"people/{me.id}/role", 403, role="author")
    assert [each[1] for each in grace.done()] == ["give role", "new link", "revoke person"]


def test_versions_are_retired_and_come_back(grace: Grace) -> None:
    store = grace.site.store
    store.register("fox", "ab" * 32, {"name": "fox"}, HOSTILE, "Ada")
    grace.post("bots/fox/1/retire", 400, reason="  ")
    grace.post("bots/fox/1/retire", reason="too slow")
    assert store.registered()[0].state is BotState.RETIRED
    assert HOSTILE not in grace.client.get("/admin/bots").text
    grace.post("bots/fox/1/retire", 404, reason="again")
    [entry] = Audit(store.database).entries()
    assert (entry.who, entry.action, entry.target, entry.reason) == ("Grace", "retire", "fox@1", "too slow")
    assert "Undo" in grace.client.get("/admin").text
    grace.post(f"audit/{entry.id}/undo")
    [back] = store.registered()
    assert (back.state, back.message, back.owner) == (BotState.READY, HOSTILE, "Ada")
    grace.post(f"audit/{entry.id}/undo", 404)
    assert grace.client.get("/admin/audit.json").json()["data"]["entries"][1]["undone"] is not None
    assert grace.client.get("/admin/audit.csv").text.startswith("at,who,action")


def test_settings_are_chosen_written_down_and_undone(grace: Grace) -> None:
    choices = SiteSettings(grace.site.store.database)
    chosen = {"open_signup": "code", "approval": "manual", "check_boards": 1, "daily_uploads": 5}
    grace.post("settings", 400, **chosen)
    assert 'href="/join"' not in grace.client.get("/admin/settings").text, "nobody can join: no link leads there"
    grace.post("settings", code="owls", deadline="2026-05-04T12:00", **chosen)
    assert choices.get("signup_code") == hash_of("owls")
    assert 'href="/join"' in grace.client.get("/admin/settings").text
    assert choices.get("deadline") == "2026-05-04T12:00+00:00"
    assert "owls" not in str(Audit(grace.site.store.database).entries())
    for wrong in ({"approval": "never"}, {"check_boards": 51}, {"deadline": "soon"}):
        grace.post("settings", 400, **{**chosen, **wrong})
    [entry] = [each for each in Audit(grace.site.store.database).entries() if each.target == "approval"]
    grace.post(f"audit/{entry.id}/undo")
    assert choices.get("approval") == "auto"


def test_tokens_are_shown_once_and_revoked_by_number(grace: Grace) -> None:
    shown = grace.post("tokens", 200, bot="fox", owner=HOSTILE, slots=2, days=1)
    [text] = re.findall(r"arena_[\w-]{43}", shown)
    assert HOSTILE not in shown
    tokens = Tokens(grace.site.store.database)
    found = tokens.admitted(text)
    assert found is not None
    assert (found.name, found.slots) == ("fox", 2)
    assert text not in grace.client.get("/admin/tokens").text
    grace.post("tokens", 409, bot="FOX")
    grace.post("tokens", 400, bot="no name")
    grace.post(f"tokens/{found.id}/revoke")
    grace.post(f"tokens/{found.id}/revoke", 404)
    assert tokens.admitted(text) is None


def stored(site: Site, state: State) -> int:
    """A tournament with one game and a bot that was taken out."""
    store = site.store
    entrants = tuple(Entrant(name, name * 10, f"house:{name}", {}) for name in ("basic", "counter"))
    config = {"name": "spring", "game": "crowsnest", "bots": ["basic", "counter"], "boards": 1, "format": "round_robin",
              "board_plan": "shared", "unit": "deal", "clock": {"bank": 10, "increment": 0, "cap": 5}}  # fmt: skip
    game = games.make("crowsnest", {}).single_deal()
    new = NewTournament("spring", "crowsnest", game.version, game.describe(), config, bytes(32), entrants)
    number = store.create_tournament(new).id
    seats = ("basic", "counter", "basic", "counter")
    result = GameResult(Verdict.FINISHED, (1, 0, 1, 0), (0, 2, 0, 2), (0, 0, 0, 0), (), ())
    store.add_games(number, [StoredGame(GameKey(1, 1, 1, 1), seats, result, "D", 100)])
    store.add_quarantines(number, [Quarantine("basic", 1, HOSTILE, (), ())])
    store.set_state(number, state)
    return number


def test_a_quarantine_is_lifted_with_a_reason(grace: Grace) -> None:
    number = stored(grace.site, State.STOPPED)
    needs = grace.client.get("/admin").text
    assert "lift or leave" in needs
    assert HOSTILE not in needs
    grace.post("events/spring/lift", bot="basic", reason="the disk was full")
    assert grace.site.store.quarantines(number, active=True) == []
    grace.post("events/spring/lift", 400, bot="basic", reason="again")
    grace.post("events/winter/lift", 404, bot="basic", reason="x")
    assert grace.done() == [("Grace", "lift", "spring: basic")]


def test_a_block_is_void_for_a_reason(grace: Grace) -> None:
    number = stored(grace.site, State.FINISHED)
    [game] = grace.site.store.games("spring")
    grace.post("events/spring/void", 404, game="spring-r9-b9-t9-9", reason="x")
    grace.post("events/spring/void", game=f"http://127.0.0.1/g/{game.public_id}", reason="the host slept")
    assert grace.site.store.count(number) == 0
    found = grace.site.store.tournament("spring")
    assert found is not None
    assert found.state is State.STOPPED
    assert len(list(grace.site.store.voids(number))) == 1
    assert grace.done()[0][1:] == ("void", game.public_id)


@pytest.mark.parametrize("text", ["", "x = ", "name = 3\nx = 1", f'name = "{HOSTILE}"', 'name = "../x"', "a" * 70_000])
def test_a_file_without_a_name_is_none(text: str) -> None:
    with pytest.raises(ArenaError):
        name_in(text)


def test_an_event_is_planned_begun_and_seen_to_the_end(grace: Grace) -> None:
    toml = 'name = "spring"\ngame = "crowsnest"\nbots = ["random", "basic"]\nboards = 1\nworkers = 1\n'
    assert "2 games" in grace.post("events", 200, toml=toml, do="plan")
    wrong = grace.post("events", 400, toml=toml.replace("crowsnest", "crownest"), do="start")
    assert "did you mean &#39;crowsnest&#39;" in wrong
    assert "spring.toml:2" in wrong
    assert str(grace.site.settings.data) not in wrong
    assert grace.site.store.tournaments() == []
    grace.post("events", toml=toml, do="start")
    until = time.monotonic() + WAIT_S
    while time.monotonic() < until:
        found = grace.site.store.tournament("spring")
        if found is not None and found.state is State.FINISHED and coordinator(grace.site, "spring") is None:
            break
        time.sleep(0.2)
    log = (grace.site.settings.data / "logs" / "spring.run.log").read_text()
    assert found is not None, log
    assert found.state is State.FINISHED, log
    while any(each.name == "run of spring" for each in threading.enumerate()):
        assert time.monotonic() < until, "who waits for what was begun here is done when it has ended"
        time.sleep(0.05)
    zombies = [each for each in psutil.Process().children() if each.status() == psutil.STATUS_ZOMBIE]
    assert zombies == [], "and nothing is left of it"
    grace.post("events/spring/pause", 400)
    results = grace.client.get("/admin/results/spring.csv").text.splitlines()
    assert results[0].startswith("student,person,bot,place_low")
    assert {row.split(",")[2] for row in results[1:]} == {"random", "basic"}
    assert grace.done() == [("Grace", "start event", "spring")]


def test_an_event_that_somebody_else_runs_is_not_begun_twice(grace: Grace) -> None:
    stored(grace.site, State.RUNNING)
    assert "it says running, and nobody runs it" in grace.client.get("/admin").text
    assert "NO_TOURNAMENT" in grace.post("events/spring/resume", 404)
    toml = 'name = "spring"\ngame = "crowsnest"\nbots = ["random", "basic"]\nboards = 1\n'
    refused = grace.post("events", 400, toml=toml, do="start")
    assert "NAME_TAKEN" in refused or "CHANGED" in refused


def test_files_are_handed_over_for_a_while() -> None:
    now = [0.0]
    handed = Handed(lambda: now[0])
    key = handed.keep(1, "links")
    assert (handed.get(1, key), handed.get(2, key), handed.get(None, key)) == ("links", None, None)
    now[0] = 901
    assert handed.get(1, key) is None
