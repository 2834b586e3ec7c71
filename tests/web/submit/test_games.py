"""A bot may be sent for some of its games alone: it is checked for these, and enters the events of no others."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from web.submit.conftest import Author
from web.submit.sent import bot, over, zipped
from web.tournament.events import created

from arena.bots.templates import new_bot
from arena.core.errors import BotError
from arena.runner.eligibility import takes_part_anew
from arena.runner.keeping.removal import UPLOADS
from arena.runner.roster import Roster
from arena.runner.wanted import wanted
from arena.store.people import People
from arena.store.sessions import Sessions
from arena.store.site_settings import SiteSettings
from arena.store.submissions import Status, Submissions
from arena.store.values import State
from arena.web.site import Site
from arena.web.submitting.report import joins

GAMES = ("goat", "buckeye")


def of_two_games(folder: Path) -> bytes:
    files = new_bot("fox", "python", folder / "fox", GAMES)
    return zipped({file.name: file.read_bytes() for file in files})


def send(author: Author, data: bytes, *games: str) -> str:
    fields = {"csrf": author.csrf, "message": "", "games": list(games)}
    found = author.client.post("/submit", data=fields, files={"file": ("fox.zip", data)})
    assert found.status_code == 303, found.text
    return found.headers["location"].removeprefix("/submission/")


def test_it_is_checked_and_entered_for_what_is_ticked_until_it_is_sent_for_more(
    site: Site, ada: Author, tmp_path: Path
) -> None:
    SiteSettings(site.store.database).set("check_boards", 0)
    data = of_two_games(tmp_path)
    for game in GAMES:
        created(site.store, game, (), format="ladder", open=True, game=game)
    number = send(ada, data, "goat")
    one = over(site, number)
    assert (one.status, one.number, one.report.get("error")) == (Status.ACCEPTED, 1, None)
    told = ada.client.get(f"/submission/{number}.json").json()["data"]
    assert (told["games"], told["joins"]) == (["goat"], ["goat"])
    assert "goat alone" in ada.client.get(f"/submission/{number}").text
    assert "plays goat" in ada.client.get("/bot/fox").text
    registered = site.store.registered()
    assert [len(wanted([], [], registered, game, open=True)) for game in GAMES] == [1, 0]
    with pytest.raises(BotError, match="does not play buckeye"):
        Roster(site.settings.data).find("fox").must_play("buckeye")
    assert over(site, send(ada, data, "goat")).report["same"] == 1
    more = over(site, send(ada, data))
    assert (more.status, more.number, more.report.get("same")) == (Status.ACCEPTED, 1, None)
    assert more.report["steps"], "it was never checked for the other game"
    [both] = site.store.registered()
    assert set(both.manifest["games"]) == set(GAMES)
    Roster(site.settings.data).find("fox").must_play("buckeye")


@pytest.mark.parametrize("state", State)
def test_an_accepted_version_joins_the_open_ladders_that_take_new_ones(site: Site, state: State) -> None:
    for name, keys in {"rungs": {"format": "ladder", "open": True}, "own": {"format": "ladder"}, "cup": {}}.items():
        site.store.set_state(created(site.store, name, (), game="goat", **keys).id, state)
    submissions = Submissions(site.store.database)
    sent = submissions.add(People(site.store.database).add("Ada").id, "", "e" * 64, 9, "", {"shown": "fox.zip"})
    assert joins(site.store, sent) == [], "it waits"
    submissions.finish(sent.id, Status.ACCEPTED, {"shown": "fox.zip", "games": ["goat"]}, version=1)
    [accepted], rungs = submissions.newest(), site.store.tournament("rungs")
    assert rungs is not None
    assert joins(site.store, accepted) == (["rungs"] if takes_part_anew(rungs) else [])
    assert takes_part_anew(rungs) == (state is not State.FINISHED)


def test_a_tick_that_bot_toml_does_not_claim_is_refused_with_a_word(site: Site, ada: Author) -> None:
    found = over(site, send(ada, bot("owl"), "crowsnest", "goat"))
    assert (found.status, found.report["error"]["code"]) == (Status.REFUSED, "NOT_ITS_GAME")
    shown = ada.client.get(f"/submission/{found.public_id}").text
    assert "it was sent for goat, which bot.toml does not claim" in shown
    assert "add &#34;goat&#34; to games in bot.toml, or send it without that tick" in shown
    assert "steps" not in found.report
    assert site.store.registered() == []


def test_games_that_there_are_not_are_refused_before_anything_is_kept(site: Site, ada: Author) -> None:
    for wrong in ("chess", "<b>", "../goat", "goat\nchess"):
        fields = {"csrf": ada.csrf, "games": wrong}
        refused = ada.client.post("/submit", data=fields, files={"file": ("fox.zip", bot("owl"))})
        assert (refused.status_code, "there is no game" in refused.text) == (400, True)
        assert "<b>" not in refused.text
    _, text = Sessions(site.store.database).issue(ada.person.id, "laptop")
    program = TestClient(ada.client.app, base_url="http://127.0.0.1", headers={"Authorization": f"Bearer {text}"})
    assert program.post("/api/submissions?games=goat&games=chess", content=b"no zip").status_code == 400
    assert list((site.settings.data / UPLOADS).glob("*")) == []
    sent = program.post("/api/submissions?games=goat,crowsnest", content=b"no zip").json()["data"]["id"]
    assert program.get(f"/api/submissions/{sent}").json()["data"]["games"] == ["crowsnest", "goat"]
