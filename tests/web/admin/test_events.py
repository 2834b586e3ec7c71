"""Events on the pages of organisers: kept for later, frozen, paused; bots taken out of them, and checked again."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from web.admin.test_admin import HOSTILE, Grace, stored
from web.signing import sign_in

from arena import games
from arena.bots.kept import keep
from arena.bots.manifest import read_bot
from arena.store.audit import Audit
from arena.store.freezes import Freezes
from arena.store.people import ORGANISER, People
from arena.store.rechecks import Outcome, Rechecks
from arena.store.site_settings import SiteSettings
from arena.store.store import utc_now
from arena.store.submissions import Status, Submissions
from arena.store.values import Entrant, NewTournament, Registered, State
from arena.web.app import create_app
from arena.web.site import Settings, Site
from arena.web.submitting import rechecking

WAIT_S = 60.0
TOML = 'name = "final"\ngame = "crowsnest"\nbots = ["fox", "basic"]\nboards = 1\n'
LADDER = {
    "name": "rungs", "game": "crowsnest", "format": "ladder", "bots": [], "open": True, "boards": 1, "unit": "deal",
    "board_plan": None, "clock": {"bank": 10, "increment": 0, "cap": 5},
}  # fmt: skip
HOLDER = """
import signal, sys
from pathlib import Path
from arena.store.lock import coordinator_lock
signal.signal(signal.SIGTERM, lambda *_: print("told", flush=True))
with coordinator_lock(Path(sys.argv[1]), sys.argv[2]):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """A site on an empty store, which checks bots without a sandbox."""
    made = Site.open(Settings(tmp_path / "data", tmp_path / "data", sandbox="none"))
    SiteSettings(made.store.database).set("check_boards", 0)
    return made


@pytest.fixture
def grace(site: Site) -> Iterator[Grace]:
    with TestClient(create_app(site), base_url="http://127.0.0.1", follow_redirects=False) as client:
        yield Grace(client, sign_in(site, client, "Grace", ORGANISER), site)


def seen(grace: Grace, path: str) -> str:
    found = grace.client.get(path)
    assert found.status_code == 200, found.text
    assert HOSTILE not in found.text
    return found.text


def added(site: Site, folder: Path, name: str, main: str = "raise SystemExit('boom')\n") -> Registered:
    """A registered bot with a kept copy."""
    (folder / name).mkdir()
    (folder / name / "bot.toml").write_text(f'name = "{name}"\ngames = ["crowsnest"]\ncommand = ["python3", "x.py"]\n')
    (folder / name / "x.py").write_text(main)
    bot = keep(read_bot(folder / name), site.settings.data / "bots")
    return site.store.register(bot.name, bot.version, bot.manifest, owner="Ada")


def ladder(site: Site, *names: str) -> int:
    """A ladder that was stopped, with these versions."""
    entrants = tuple(Entrant(name, name[0] * 64, f"registered:{name}", {}) for name in names)
    game = games.make("crowsnest", {}).single_deal()
    new = NewTournament("rungs", "crowsnest", game.version, game.describe(), LADDER, bytes(32), entrants)
    number = site.store.create_tournament(new).id
    site.store.set_state(number, State.STOPPED)
    return number


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT_S
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


# Freezes


def test_an_event_is_kept_for_later_frozen_extended_and_discarded(grace: Grace) -> None:
    grace.post("events", 400, toml=TOML.replace("final", "../x"), do="keep")
    grace.post("events", toml=TOML, do="keep")  # there is no fox yet
    assert grace.site.store.tournaments() == []
    assert "not begun" in seen(grace, "/admin/events")
    grace.post("events/final/freeze", at="2030-05-04T14:00+02:00")
    assert "open until" in seen(grace, "/submit")
    assert "2030-05-04 12:00 UTC" in seen(grace, "/submit")
    grace.post("events/final/freeze", do="day")
    assert "2030-05-05 12:00 UTC" in seen(grace, "/admin/events/final")
    for wrong in ("soon", "", "2030-05-04T12:00+99:00"):
        grace.post("events/final/freeze", 400, at=wrong)
    grace.post("events/final/freeze", do="now")
    until(lambda: "frozen since" in seen(grace, "/submit"))
    assert "not for <bdi>final</bdi>: your version before plays on there" in seen(grace, "/submit")
    assert ">begin</a>" in seen(grace, "/admin")
    [last, *_] = Audit(grace.site.store.database).entries()
    grace.post(f"audit/{last.id}/undo")
    assert "2030-05-05 12:00 UTC" in seen(grace, "/admin/events/final")
    grace.post("events/final/freeze", at="9999-12-31T12:00")
    grace.post("events/final/freeze", 400, do="day")
    grace.post("events/final/freeze", do="remove")
    [removed, *_] = Audit(grace.site.store.database).entries()
    assert "final" not in seen(grace, "/submit")
    grace.post("events/final/discard", 400, reason="")
    grace.post("events/final/discard", reason="nobody came")
    assert grace.client.get("/admin/events/final").status_code == 404
    [entry] = [each for each in Audit(grace.site.store.database).entries() if each.action == "discard event"]
    assert entry.data["toml"] == TOML
    grace.post(f"audit/{removed.id}/undo", 404)
    assert Freezes(grace.site.store.database).all() == {}, "another event of that name is not frozen"


def test_an_event_that_has_begun_takes_no_freeze_and_is_not_kept_anew(grace: Grace) -> None:
    stored(grace.site, State.STOPPED)
    grace.post("events/spring/freeze", 400, do="now")
    grace.post("events", 400, toml=TOML.replace("final", "spring"), do="keep")
    grace.post("events/spring/discard", 404, reason="x")
    assert 'id="freeze"' not in seen(grace, "/admin/events/spring")


def test_what_is_sent_after_a_freeze_says_so_as_long_as_it_holds(grace: Grace) -> None:
    ladder(grace.site, "fox@1")
    ada = People(grace.site.store.database).add("Ada")
    submissions = Submissions(grace.site.store.database)
    early = submissions.add(ada.id, "", "e" * 64, 9, "", {"shown": "fox.zip"})
    submissions.finish(early.id, Status.HELD, {"shown": "fox.zip", "games": ["crowsnest"]})
    Freezes(grace.site.store.database).set("rungs", utc_now())
    late = submissions.add(ada.id, "", "f" * 64, 9, "", {"shown": "fox.zip", "games": ["crowsnest"]})
    submissions.progress(late.id, {"shown": "fox.zip", "games": ["crowsnest"]}, "fox")
    submissions.finish(late.id, Status.ACCEPTED, {"shown": "fox.zip", "games": ["crowsnest"]}, version=2)
    other = submissions.add(ada.id, "", "a" * 64, 9, "", {"shown": "owl.zip", "games": ["goat"]})
    submissions.finish(other.id, Status.ACCEPTED, {"shown": "owl.zip", "games": ["goat"]}, version=1)
    document = f"/submission/{late.public_id}.json"
    told = grace.client.get(document).json()["data"]
    assert (told["late"], told["late_for"], told["joins"]) == (True, ["rungs"], [])
    assert "Sent after the freeze of" in seen(grace, f"/submission/{late.public_id}")
    assert grace.client.get(f"/submission/{other.public_id}.json").json()["data"]["late_for"] == []
    assert "1 sent before its freeze is not decided yet" in seen(grace, "/admin")
    assert "only versions sent until" in seen(grace, "/t/rungs")
    grace.post("events/rungs/freeze", do="day")
    told = grace.client.get(document).json()["data"]
    assert (told["late"], told["late_for"], told["joins"]) == (False, [], ["rungs"])
    assert "not decided yet" not in seen(grace, "/admin")


# Who plays


def test_a_bot_is_disabled_with_a_reason_that_all_read_and_enabled_again(grace: Grace) -> None:
    number = stored(grace.site, State.STOPPED)
    visitor = TestClient(grace.client.app, base_url="http://127.0.0.1")
    grace.post("events/spring/disable", 400, bot="counter", reason=" ")
    grace.post("events/spring/disable", 400, bot="nobody", reason="x")
    grace.post("events/spring/disable", bot="counter", reason=f"it stalls {HOSTILE}")
    grace.post("events/spring/disable", 400, bot="counter", reason="again")
    for path in ("/t/spring", "/t/spring/boards", "/bot/counter", "/bots"):
        page = visitor.get(path).text
        assert "it stalls" in page, path
        assert HOSTILE not in page, path
        assert "disabled" in page, path
    [out] = visitor.get("/t/spring.json").json()["data"]["disabled"]
    assert (out["bot"], out["reason"]) == ("counter", f"since round 1: it stalls {HOSTILE}")
    assert "lift or leave" in seen(grace, "/admin"), "of the one that its faults took out"
    assert "counter in spring" not in seen(grace, "/admin")
    grace.post("events/spring/lift", 400, bot="counter", reason="that is another thing")
    grace.post("events/spring/enable", bot="counter", reason="mended")
    grace.post("events/spring/enable", 400, bot="counter", reason="again")
    assert visitor.get("/t/spring.json").json()["data"]["disabled"] == []
    assert "it stalls" not in visitor.get("/t/spring").text
    [entry, before] = Audit(grace.site.store.database).entries()[:2]
    grace.post(f"audit/{entry.id}/undo")
    [out] = [each for each in grace.site.store.quarantines(number, active=True) if each.disabled]
    assert out.disabled.startswith("it stalls")
    grace.post(f"audit/{before.id}/undo")
    assert not any(each.disabled for each in grace.site.store.quarantines(number, active=True))
    grace.post("events/spring/disable", bot="counter", reason="it stalls")
    grace.post("events/spring/enable", bot="counter", reason="mended")
    grace.site.store.set_state(number, State.FINISHED)
    grace.post("events/spring/disable", 400, bot="counter", reason="too late")
    [entry, *_] = Audit(grace.site.store.database).entries()
    grace.post(f"audit/{entry.id}/undo", 400)
    assert not any(each.disabled for each in grace.site.store.quarantines(number, active=True))


def test_on_a_ladder_a_bot_is_disabled_in_all_its_versions(grace: Grace) -> None:
    number = ladder(grace.site, "fox@1", "fox@2", "owl@1")
    grace.site.store.leave(number, ["fox@1"], 3)
    grace.post("events/rungs/disable", bot="fox@2", reason="it stalls")
    out = grace.site.store.quarantines(number, active=True)
    assert [each.quarantine.bot for each in out] == ["fox@2"]
    grace.site.store.leave(number, ["fox@2"], 4)
    assert re.search(r"fox@2.*?disabled.*?it stalls", seen(grace, "/admin/events/rungs"), re.DOTALL)
    with held(grace.site, "rungs"):
        grace.post("events/rungs/enable", bot="fox@2", reason="mended")
    assert grace.site.store.quarantines(number, active=True) == []


# Pausing


@contextmanager
def held(site: Site, name: str = "spring") -> Iterator[subprocess.Popen[str]]:
    """Another process is the coordinator of an event; it says when it was told to stop, and stops when it may."""
    words = [sys.executable, "-c", HOLDER, str(site.settings.data), name]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline() == "held\n"
            yield holder
        finally:
            holder.kill()


def test_it_is_pausing_until_its_coordinator_has_stopped_and_then_paused(grace: Grace) -> None:
    number = stored(grace.site, State.RUNNING)
    with held(grace.site) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        assert ">Pause<" in seen(grace, "/admin/events?part=list")
        grace.post("events/spring/enable", 409, bot="basic", reason="while it runs")
        grace.post("events/spring/pause")
        assert holder.stdout.readline() == "told\n"
        page = seen(grace, "/admin/events?part=list")
        assert '<span class="state pausing">pausing</span>' in page
        assert ">Pause<" not in page
        grace.post("events/spring/pause")  # it was told once: a second word would drop games
        holder.stdin.close()
        assert holder.stdout.read() == ""
    grace.site.store.set_state(number, State.STOPPED)
    assert '<span class="state paused">paused</span>' in seen(grace, "/admin/events/spring?part=event")
    assert [each[1] for each in grace.done()] == ["pause event"]


def test_what_ends_just_when_it_is_to_pause_is_run_by_nobody(grace: Grace, monkeypatch: pytest.MonkeyPatch) -> None:
    stored(grace.site, State.RUNNING)

    def gone(*_: object) -> None:
        raise ProcessLookupError

    with held(grace.site), monkeypatch.context() as patch:
        patch.setattr(os, "kill", gone)
        assert "nobody runs" in grace.post("events/spring/pause", 400)
    assert grace.done() == []


# Checks


def test_bots_are_checked_again_and_who_fails_waits_for_an_organiser(
    grace: Grace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = grace.site
    grace.post("checks", 400)
    added(site, tmp_path, "fox")
    owl = added(site, tmp_path, "owl")
    number = ladder(site, "fox@1", "owl@1")
    whole = rechecking.examined

    async def quick(order: Any, wall_s: float, hear: Callable[[Any], Awaitable[None]]) -> Any:
        if order.name == "fox":
            return await whole(order, wall_s, hear)
        assert order.version == owl.version
        await hear({"step": {"number": 1, "name": "manifest", "state": "passed", "text": "owl"}})
        return {"passed": 1}

    monkeypatch.setattr(rechecking, "examined", quick)
    grace.post("checks")
    rechecks = Rechecks(site.store.database)
    until(lambda: all(each.is_over for each in rechecks.all()))
    fox, passed = rechecks.all()
    assert (fox.state, fox.report["error"]["code"], passed.state) == (Outcome.FAILED, "START_FAILED", Outcome.PASSED)
    page = seen(grace, "/admin/checks")
    assert "2 of 2 checked, 1 did not pass" in page
    assert "Disable in rungs" in page
    assert "disable or retire" in seen(grace, "/admin")
    assert site.store.quarantines(number, active=True) == [], "nobody is taken out by itself"
    grace.post("bots/fox/1/retire", reason="its check failed")
    assert "disable or retire" not in seen(grace, "/admin")
    grace.post("events/rungs/recheck")
    until(lambda: all(each.is_over for each in rechecks.all()))
    assert {each.event for each in rechecks.all()} == {"rungs"}
    assert 'class="state passed"' in seen(grace, "/admin/events/rungs?part=event")


def test_a_version_whose_copy_was_changed_fails(grace: Grace, tmp_path: Path) -> None:
    fox = added(grace.site, tmp_path, "fox")
    (grace.site.settings.data / "bots" / fox.version / "x.py").write_text("# another\n")
    grace.post("checks")
    rechecks = Rechecks(grace.site.store.database)
    until(lambda: all(each.is_over for each in rechecks.all()))
    [found] = rechecks.all()
    assert (found.state, found.report["error"]["code"]) == (Outcome.FAILED, "BOT_CHANGED")
    assert str(grace.site.settings.data) not in str(found.report)
