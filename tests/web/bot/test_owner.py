"""What the owner of a bot may do on its page, and nobody else: pause it, make a token, test its versions."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from web.signing import sign_in
from web.tournament.events import event

from arena.bots.kept import keep
from arena.bots.manifest import read_bot
from arena.core.errors import ArenaFault
from arena.store.lock import coordinator_lock
from arena.store.sessions import Sessions
from arena.store.values import State
from arena.web.app import create_app
from arena.web.botpages import trials
from arena.web.botpages.trials import told
from arena.web.people.accounts import audit_of
from arena.web.site import Settings, Site
from arena.web.submitting.checking import checking_of

ACTS = {
    "pause": {"paused": "1"},
    "token": {},
    "tests": {"new": "2", "old": "1", "game": "crowsnest"},
    "tests/test-0123/stop": {},
}
WAIT_S = 60.0


def two_versions(site: Site, name: str, owner: str, games: str = '["*"]') -> None:
    """A registered bot with two kept versions."""
    for number in (1, 2):
        folder = site.settings.data / "sent" / f"{name}{number}"
        folder.mkdir(parents=True)
        (folder / "bot.toml").write_text(f'name = "{name}"\ngames = {games}\ncommand = ["true"]\n# {number}\n')
        bot = keep(read_bot(folder), site.settings.data / "bots")
        site.store.register(bot.name, bot.version, bot.manifest, owner=owner)


@pytest.fixture
def site(tmp_path: Path) -> Site:
    made = Site.open(Settings(tmp_path / "data", tmp_path / "data", sandbox="none"))
    for name, owner in (("fox", "Ada"), ("owl", "Bob")):
        two_versions(made, name, owner)
    return made


@pytest.fixture
def asking(site: Site) -> Iterator[TestClient]:
    with TestClient(create_app(site), base_url="http://127.0.0.1", follow_redirects=False) as client:
        yield client


Program = Callable[[str], None]


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Program:
    """Sets what is run in the place of the arena's own program."""

    def run(text: str) -> None:
        monkeypatch.setattr(trials, "program_of", lambda _settings: [sys.executable, "-c", text])

    return run


def shown(client: TestClient) -> str:
    return client.get("/bot/fox/tests").text


def until(client: TestClient, words: str) -> str:
    """The page of tests once it has these words."""
    limit = time.monotonic() + WAIT_S
    while words not in (text := shown(client)):
        assert time.monotonic() < limit, text
        time.sleep(0.05)
    return text


@pytest.mark.parametrize("who", ["", "Bob"])
def test_nobody_else_may_do_or_see_any_of_it(site: Site, asking: TestClient, who: str, program: Program) -> None:
    program("raise SystemExit('never run')")
    key = sign_in(site, asking, who) if who else ""
    for act, fields in ACTS.items():
        refused = asking.post(f"/bot/fox/{act}", data={**fields, "csrf": key})
        assert refused.status_code == 403
        assert "private to the owner" in refused.text
    assert asking.get("/bot/fox/tests").status_code == 403
    page = asking.get("/bot/fox").text
    assert not any(f'action="/bot/fox/{act}"' in page for act in ACTS)
    assert "/bot/fox/tests" not in page
    assert asking.get("/bot/fox.json").json()["data"]["paused"] is False
    assert not (site.settings.data / "logs").exists()


def test_a_form_without_its_key_does_nothing(site: Site, asking: TestClient) -> None:
    sign_in(site, asking, "Ada")
    for act, fields in ACTS.items():
        assert asking.post(f"/bot/fox/{act}", data={**fields, "csrf": "wrong"}).status_code == 403
    assert asking.get("/bot/fox.json").json()["data"]["paused"] is False


def test_its_owner_pauses_it_and_lets_it_go_on(site: Site, asking: TestClient) -> None:
    key = sign_in(site, asking, "Ada")
    for paused, word, button in (("1", True, "Go on playing"), ("1", True, "Go on playing"), ("0", False, ">Pause<")):
        found = asking.post("/bot/fox/pause", data={"csrf": key, "paused": paused})
        assert (found.status_code, found.headers["location"]) == (303, "/bot/fox")
        page = asking.get("/bot/fox").text
        assert button in page
        assert ("paused by its owner" in page) == word
        assert asking.get("/bot/fox.json").json()["data"]["paused"] is word
    assert [(each.action, each.target) for each in audit_of(site).entries()] == [("go on", "fox"), ("pause", "fox")]
    key = sign_in(site, asking, "Root", "organiser")
    assert asking.post("/bot/basic/pause", data={"csrf": key}).status_code == 400


def test_a_token_is_its_owners_and_shown_once(site: Site, asking: TestClient) -> None:
    key = sign_in(site, asking, "Ada")
    made = asking.post("/bot/fox/token", data={"csrf": key})
    assert made.headers["cache-control"] == "no-store"
    [text] = re.findall(r"<pre data-copy>(\S+)</pre>", made.text)
    owner = Sessions(site.store.database).uploader(text)
    assert owner is not None
    assert owner.name == "Ada"
    assert text not in asking.get("/bot/fox").text + asking.get("/me").text
    assert "<bdi>fox</bdi>" in asking.get("/me").text.partition('id="tokens"')[2]
    key = sign_in(site, asking, "Root", "organiser")
    assert 'action="/bot/fox/token"' not in asking.get("/bot/fox").text
    assert asking.post("/bot/fox/token", data={"csrf": key}).status_code == 403


def test_one_test_of_an_owner_runs_at_a_time_and_says_why_it_broke(
    site: Site, asking: TestClient, program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = tmp_path / "go"
    program(
        f"import os, sys, time\nwhile not os.path.exists({str(go)!r}): time.sleep(0.02)\n"
        f"print('error: <b>no</b> room\\nwhere: {site.settings.data}/bots', sys.argv[1:], file=sys.stderr)\nsys.exit(3)"
    )
    monkeypatch.setattr(trials, "AT_ONCE", 2)
    key = sign_in(site, asking, "Ada")
    begun = asking.post("/bot/fox/tests", data={"csrf": key, **ACTS["tests"]})
    assert begun.status_code == 303
    name = begun.headers["location"].partition("#")[2]
    page = shown(asking)
    assert "fox@2 against fox@1" in page
    assert f'data-part="tournament:{name}"' in page
    assert '<noscript><meta http-equiv="refresh"' in page
    assert asking.post("/bot/fox/tests", data={"csrf": key, **ACTS["tests"]}).headers["location"].endswith(name)
    for other in ({"new": "1", "old": "2"}, {"game": "goat"}):
        busy = asking.post("/bot/fox/tests", data={"csrf": key, **ACTS["tests"], **other})
        assert (busy.status_code, "a test of yours runs already" in busy.text) == (409, True)
    monkeypatch.setattr(trials, "AT_ONCE", 1)
    key = sign_in(site, asking, "Bob")
    busy = asking.post("/bot/owl/tests", data={"csrf": key, **ACTS["tests"]})
    assert (busy.status_code, "as many tests now as it can" in busy.text) == (409, True)
    go.touch()
    sign_in(site, asking, "Ada")
    page = until(asking, "It could not be played")
    assert "error: &lt;b&gt;no&lt;/b&gt; room" in page
    assert str(site.settings.data) not in page
    assert "&#39;bot&#39;, &#39;test&#39;, &#39;--against=fox@1&#39;, &#39;--game=crowsnest&#39;" in page
    assert "&#39;--sandbox=none&#39;, &#39;--&#39;, &#39;fox@2&#39;" in page
    assert "refresh" not in page


@pytest.mark.parametrize(
    ("wrong", "status", "words"),
    [
        ({"old": "2"}, 400, "these are the same version"),
        ({"old": "7"}, 404, "has no version"),
        ({"new": "<b>"}, 404, "has no version"),
        ({"game": "crow_and_pitcher"}, 400, "cannot be tested in"),
        ({"game": "../x"}, 400, "cannot be tested in"),
        ({"game": "x" * 100}, 400, "is wrong"),
    ],
)
def test_what_cannot_be_tested(
    site: Site, asking: TestClient, program: Program, wrong: dict[str, str], status: int, words: str
) -> None:
    program("raise SystemExit('never run')")
    key = sign_in(site, asking, "Ada")
    refused = asking.post("/bot/fox/tests", data={"csrf": key, **ACTS["tests"], **wrong})
    assert (refused.status_code, words in refused.text) == (status, True)
    assert not (site.settings.data / "logs").exists()


def test_a_test_that_is_stored_is_shown_with_its_verdict_and_not_played_again(
    site: Site, asking: TestClient, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    program("import time; time.sleep(0.1)")
    monkeypatch.setattr(trials, "AT_ONCE", 2)
    key = sign_in(site, asking, "Ada")
    asked = asking.post("/bot/fox/tests", data={"csrf": key, **ACTS["tests"]})
    name = asked.headers["location"].partition("#")[2]
    cup = event(site.store, name, ("fox@2", "fox@1"), format="sequential", candidates=["fox@2"], boards=60)
    page = until(asking, "Stronger: ")
    while "data-again" in page:
        assert "refresh" in page, "it goes on counting, and so does the page"
        page = until(asking, "Stronger: ")
    assert "refresh" not in page
    assert f'<a href="/t/{name}">' in page
    assert asking.post("/bot/fox/tests", data={"csrf": key, **ACTS["tests"]}).headers["location"].endswith(name)
    assert asking.get("/bot/fox.json").json()["data"]["tournaments"][-1]["tournament"] == name
    asking.cookies.set("hide_results", "1")
    assert "Stronger: " not in shown(asking)
    asking.cookies.delete("hide_results")
    site.store.set_state(cup.id, State.RUNNING)
    with coordinator_lock(site.settings.data, name):
        sign_in(site, asking, "Ada")
        until(asking, "Stop</button>")
        other = {**ACTS["tests"], "game": "goat"}
        key = sign_in(site, asking, "Ada")
        assert asking.post("/bot/fox/tests", data={"csrf": key, **other}).status_code == 409
        stopped: list[tuple[int, int]] = []
        monkeypatch.setattr(os, "kill", lambda *told: stopped.append(told))
        assert asking.post(f"/bot/fox/tests/{name}/stop", data={"csrf": key}).status_code == 303
        assert len(stopped) == 1

        def gone(*_: object) -> None:
            raise ProcessLookupError

        monkeypatch.setattr(os, "kill", gone)
        assert asking.post(f"/bot/fox/tests/{name}/stop", data={"csrf": key}).status_code == 404
    assert asking.post(f"/bot/fox/tests/{name}/stop", data={"csrf": key}).status_code == 404
    bob = sign_in(site, asking, "Bob")
    assert asking.post(f"/bot/owl/tests/{name}/stop", data={"csrf": bob}).status_code == 404


def test_a_test_that_ends_while_the_store_is_away_runs_no_more(
    site: Site, asking: TestClient, program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = tmp_path / "go"
    program(f"import os, time\nwhile not os.path.exists({str(go)!r}): time.sleep(0.05)\n")
    data = {"csrf": sign_in(site, asking, "Ada"), **ACTS["tests"]}
    assert asking.post("/bot/fox/tests", data=data).status_code == 303

    def away(_name: str) -> None:
        raise ArenaFault("the store is away")

    service = trials.Trials.of_site(site)
    with monkeypatch.context() as patch:
        patch.setattr(site.store, "tournament", away)
        go.touch()
        until = time.monotonic() + WAIT_S
        while service._begun and time.monotonic() < until:
            time.sleep(0.05)
    assert service._begun == {}


def test_what_a_test_said_is_its_error_alone() -> None:
    folder = Path("/srv/arena")
    assert told("round 1\nerror: no\nwhere: /srv/arena/bots/x\n", folder) == "error: no\nwhere: bots/x"
    assert told("error: at once", folder) == "error: at once"
    assert told("nothing\n", folder) == "nothing"


@pytest.mark.long
def test_a_whole_test_of_two_equal_versions(site: Site, asking: TestClient, tmp_path: Path) -> None:
    from web.submit.sent import over, template

    key = sign_in(site, asking, "Ada")
    for number in (1, 2):
        data = template(tmp_path / str(number), "hare")
        files = {"file": (f"hare{number}.zip", data if number == 1 else _changed(data))}
        sent = asking.post("/submit", data={"csrf": key, "message": ""}, files=files)
        over(site, sent.headers["location"].removeprefix("/submission/"))
    assert len(checking_of(site).submissions.newest()) == 2
    asked = asking.post("/bot/hare/tests", data={"csrf": key, "new": "2", "old": "1", "game": "crowsnest"})
    assert asked.status_code == 303, asked.text
    limit = time.monotonic() + 600
    while "behaves identically in all 200 blocks" not in (text := asking.get("/bot/hare/tests").text):
        assert time.monotonic() < limit, text
        time.sleep(1)


def _changed(data: bytes) -> bytes:
    """The same bot with another hash."""
    import io
    import zipfile

    held = io.BytesIO(data)
    with zipfile.ZipFile(held, "a") as made:
        made.writestr("notes.txt", "nothing new")
    return held.getvalue()
