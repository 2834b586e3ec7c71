"""A bot that is sent is checked and plays, or it is said why not; a server may be killed, a check may break."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from web.signing import sign_in
from web.submit.conftest import Author
from web.submit.sent import TOML, bot, over, template, zipped

from arena.bots.kept import keep
from arena.bots.manifest import read_bot
from arena.runner.keeping.limits import Quotas
from arena.runner.keeping.removal import UPLOADS
from arena.store.people import ORGANISER, People
from arena.store.sessions import Sessions
from arena.store.site_settings import SiteSettings
from arena.store.submissions import Status, Submissions
from arena.store.values import BotState
from arena.web.app import create_app
from arena.web.site import Site
from arena.web.submitting.admitting import admit
from arena.web.submitting.checking import checking_of

HOSTILE = "import sys\nprint('\\x1b[31m<script>alert(1)</script>\\u202e', file=sys.stderr)\nsys.exit(3)\n"


def test_a_bot_is_accepted_registered_and_known_again(tmp_path: Path, site: Site, ada: Author) -> None:
    data = template(tmp_path, "fox")
    number = ada.send(data, message="bids less")
    found = over(site, number)
    assert (found.status, found.bot, found.number, found.report.get("error")) == (Status.ACCEPTED, "fox", 1, None)
    [registered] = site.store.registered("fox")
    assert (registered.owner, registered.message) == ("Ada", "bids less")
    told = ada.client.get(f"/submission/{number}.json").json()["data"]
    assert [step["name"] for step in told["steps"]][-1] == "self-play"
    assert told["words"] == "accepted as v1"
    shown = ada.client.get(f"/submission/{number}").text
    assert 'data-part="submission:' in shown
    assert shown.count('<li class="step ok">') >= 10
    part = ada.client.get(f"/submission/{number}?part=stands").text
    assert part.strip() in shown
    again = over(site, ada.send(data))
    assert (again.status, again.number, again.report["same"]) == (Status.ACCEPTED, 1, 1)
    assert "identical to v1" in ada.client.get(f"/submission/{again.public_id}").text
    assert list((site.settings.data / UPLOADS).iterdir()) == []
    site.store.retire("fox", 1)
    retired = over(site, ada.send(data))
    assert retired.status is Status.ACCEPTED
    assert site.store.registered("fox")[0].state is BotState.READY


def test_what_a_bot_says_is_shown_harmlessly_and_to_its_owner_only(site: Site, ada: Author, bob: Author) -> None:
    number = ada.send(bot("owl", HOSTILE), name='<img src="x">.zip', message="<b>new</b>")
    found = over(site, number)
    assert (found.status, found.report["error"]["code"]) == (Status.REFUSED, "START_FAILED")
    for path in (f"/submission/{number}", f"/submission/{number}?part=stands", "/submit"):
        shown = ada.client.get(path).text
        for raw in ("<script>alert", "\x1b", "\u202e", '<img src="x">', "<b>new"):
            assert raw not in shown
    assert "\\x1b[31m&lt;script&gt;" in ada.client.get(f"/submission/{number}").text
    visitor = TestClient(ada.client.app, base_url="http://127.0.0.1")
    for other in (bob.client, visitor):
        for path in (f"/submission/{number}", f"/submission/{number}.json", f"/submission/{number}?part=stands"):
            refused = other.get(path)
            assert refused.status_code == 403
            assert "alert(1)" not in refused.text
    assert ada.client.get("/submission/nothing").status_code == 404


def test_a_program_sends_with_a_token_that_can_do_nothing_else(site: Site, ada: Author, bob: Author) -> None:
    _, text = Sessions(site.store.database).issue(ada.person.id, "laptop")
    program = TestClient(ada.client.app, base_url="http://127.0.0.1", headers={"Authorization": f"Bearer {text}"})
    sent = program.post("/api/submissions?message=hi&name=fox.zip", content=b"no zip")
    assert sent.status_code == 202
    number = sent.json()["data"]["id"]
    assert over(site, number).report["error"]["code"] == "BAD_ARCHIVE"
    told = program.get(sent.headers["location"]).json()["data"]
    assert (told["state"], told["over"], told["archive"]) == ("refused", True, "fox.zip")
    for path in ("/me", f"/submission/{number}", "/admin"):
        assert program.get(path).status_code == 403
    _, other = Sessions(site.store.database).issue(bob.person.id, "phone")
    assert program.get(f"/api/submissions/{number}", headers={"Authorization": f"Bearer {other}"}).status_code == 403
    for wrong in ("", "Bearer ", "Bearer arenaup_x", f"Basic {text}", "Bearer " + "x" * 300):
        refused = program.post("/api/submissions", content=b"x", headers={"Authorization": wrong})
        assert (refused.status_code, refused.json()["data"]["code"]) == (403, "BAD_TOKEN")


def test_limits_of_people_and_of_the_server(
    site: Site, ada: Author, bob: Author, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = ada.client.post("/submit", data={"csrf": "x"}, files={"file": ("x.zip", b"x")})
    assert (refused.status_code, "FORGED" in refused.text) == (403, True)
    monkeypatch.setattr("arena.web.pages.submit.LIMIT", 1000)
    wanted = {"Accept": "application/json", "X-CSRF": ada.csrf}
    large = ada.client.post("/submit", files={"file": ("x.zip", b"x" * 2000)}, headers=wanted)
    assert (large.status_code, large.json()["data"]["code"]) == (413, "TOO_LARGE")
    huge = ada.client.post("/submit", files={"file": ("x.zip", b"x" * 100_000)}, headers=wanted)
    assert huge.status_code == 413
    assert list((site.settings.data / UPLOADS).glob("*")) == []
    SiteSettings(site.store.database).set("daily_uploads", 1)
    ada.send(b"no zip")
    assert ada.client.post("/submit", files={"file": ("x.zip", b"x")}, headers=wanted).status_code == 429
    bob.send(b"no zip")
    visitor = TestClient(ada.client.app, base_url="http://127.0.0.1")
    assert visitor.post("/submit", files={"file": ("x.zip", b"x")}).status_code == 403
    assert "Sign in first" in visitor.get("/submit").text
    SiteSettings(site.store.database).set("deadline", "2020-01-01T00:00+00:00")
    assert "for the ladders, not for the next event" in ada.client.get("/submit").text


def checked(site: Site, folder: Path, author: Author, name: str) -> str:
    """The id of a submission whose examination has gone well just now."""
    made = folder / name
    made.mkdir()
    (made / "bot.toml").write_text(TOML.format(name=name))
    kept = keep(read_bot(made), site.settings.data / "bots")
    submissions = checking_of(site).submissions
    sent = submissions.add(author.person.id, "", "", 1, "", {"shown": "x.zip", "version": kept.version})
    admit(site, submissions, sent, dict(sent.report), {"checked": {"manifest": kept.manifest, "size": 1}})
    return sent.public_id


def copies(site: Site) -> int:
    """Kept copies of bots."""
    return len(list((site.settings.data / "bots").glob("[0-9a-f]*")))


def test_what_a_person_may_have_holds_for_what_is_sent(tmp_path: Path, site: Site, ada: Author, bob: Author) -> None:
    limited = Site(replace(site.settings, quotas=Quotas(bots=1)), site.store, site.services)
    assert over(site, checked(limited, tmp_path, ada, "fox")).status is Status.ACCEPTED
    found = over(site, checked(limited, tmp_path, ada, "owl"))
    assert (found.status, found.report["error"]["code"]) == (Status.REFUSED, "QUOTA")
    found = over(site, checked(limited, tmp_path, bob, "FOX"))
    assert (found.status, found.report["error"]["code"]) == (Status.REFUSED, "BAD_NAME")
    People(site.store.database).revoke(bob.person.id)
    found = over(site, checked(limited, tmp_path, bob, "elk"))
    assert (found.status, found.report["error"]["code"]) == (Status.REFUSED, "NOT_ALLOWED")
    assert [(each.name, each.owner) for each in site.store.registered()] == [("fox", "Ada")]
    assert copies(site) == 1


def test_with_approval_an_organiser_decides(tmp_path: Path, site: Site, ada: Author) -> None:
    SiteSettings(site.store.database).set("approval", "manual")
    client = TestClient(ada.client.app, base_url="http://127.0.0.1", follow_redirects=False)
    csrf = sign_in(site, client, "Grace", ORGANISER)
    first, second = (checked(site, tmp_path, ada, name) for name in ("fox", "owl"))
    assert over(site, first).status is Status.HELD
    assert site.store.registered() == []
    assert "an organiser decides" in ada.client.get(f"/submission/{first}").text
    assert "let in or refuse" in client.get("/admin").text
    assert ada.client.post(f"/admin/submissions/{first}/approve", data={"csrf": ada.csrf}).status_code == 403
    assert client.post(f"/admin/submissions/{first}/approve", data={"csrf": csrf}).status_code == 303
    assert client.post(f"/admin/submissions/{second}/refuse", data={"csrf": csrf, "reason": " "}).status_code == 400
    why = {"csrf": csrf, "reason": "copied <b>"}
    assert client.post(f"/admin/submissions/{second}/refuse", data=why).status_code == 303
    assert client.post(f"/admin/submissions/{second}/approve", data={"csrf": csrf}).status_code == 404
    assert [each.name for each in site.store.registered()] == ["fox"]
    assert over(site, first).number == 1
    assert "copied &lt;b&gt;" in ada.client.get(f"/submission/{second}").text
    assert copies(site) == 1


def test_a_check_that_breaks_is_tried_again_and_never_the_author_s_fault(
    site: Site, ada: Author, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.store.submissions.PAUSE", timedelta(0))
    monkeypatch.setattr(sys, "executable", "/bin/false")
    number = ada.send(b"whatever")
    found = over(site, number)
    assert (found.status, found.tries) == (Status.FAILED, 3)
    assert found.report["error"]["error"] == "the check itself broke"
    shown = ada.client.get(f"/submission/{number}").text
    assert "failed: our side" in shown
    assert "yours to fix" not in shown
    monkeypatch.undo()
    client = TestClient(ada.client.app, base_url="http://127.0.0.1", follow_redirects=False)
    csrf = sign_in(site, client, "Grace", ORGANISER)
    assert "check again" in client.get("/admin").text
    assert client.post(f"/admin/submissions/{number}/again", data={"csrf": csrf}).status_code == 303
    assert over(site, number).status is Status.REFUSED


def test_a_check_without_end_is_ended(site: Site, ada: Author) -> None:
    checking_of(site).wall_s = 2.0
    waits = "import signal\nsignal.pause()\n"
    began = time.monotonic()
    found = over(site, ada.send(bot("owl", waits)))
    assert time.monotonic() - began < 60
    assert (found.status, found.report["error"]["code"]) == (Status.REFUSED, "TIMEOUT")


def test_a_server_that_was_killed_while_it_checked_checks_again(tmp_path: Path, site: Site) -> None:
    submissions = Submissions(site.store.database)
    person = People(site.store.database).add("Ada")
    uploads = site.settings.data / UPLOADS
    uploads.mkdir(parents=True)
    (uploads / "a.zip").write_bytes(zipped({"main.py": "x"}))
    (uploads / "b.part").write_bytes(b"half")
    sent = submissions.add(person.id, "a.zip", "00" * 32, 1, "", {"shown": "a.zip"})
    assert submissions.start(sent.id)
    assert not submissions.start(sent.id)
    with TestClient(create_app(site), base_url="http://127.0.0.1"):
        found = over(site, sent.public_id)
    assert (found.status, found.tries, found.report["error"]["code"]) == (Status.REFUSED, 2, "BAD_MANIFEST")
    assert list(uploads.iterdir()) == []


def test_a_server_that_stops_in_order_costs_no_try_and_leaves_no_process(tmp_path: Path, site: Site) -> None:
    waits = "import signal\nsignal.pause()\n"
    with TestClient(create_app(site), base_url="http://127.0.0.1", follow_redirects=False) as client:
        csrf = sign_in(site, client)
        sent = client.post("/submit", data={"csrf": csrf}, files={"file": ("x.zip", bot("owl", waits))})
        number = sent.headers["location"].removeprefix("/submission/")
        until = time.monotonic() + 30
        while time.monotonic() < until:
            found = checking_of(site).submissions.get(number)
            assert found is not None
            if found.bot:
                break
            time.sleep(0.05)
        assert found.status is Status.CHECKING
    again = Site.open(site.settings)
    left = Submissions(again.store.database).get(number)
    again.store.close()
    assert left is not None
    assert (left.status, left.tries) == (Status.WAITING, 0)


def test_the_queue_is_in_order_and_says_how_long(site: Site) -> None:
    submissions = Submissions(site.store.database)
    person = People(site.store.database).add("Ada")
    first, second = (submissions.add(person.id, f"{n}.zip", "", 1, "", {}) for n in "ab")
    assert submissions.next() == first
    assert submissions.usual_seconds() == 20
    submissions.start(first.id)
    submissions.finish(first.id, Status.FAILED, {}, keep_file=True)
    queue = submissions.queue()
    assert [each.id for each in queue] == [second.id, first.id]
    assert queue[1].again
    assert submissions.next() == second
    assert submissions.usual_seconds() < 5
