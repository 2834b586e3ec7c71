"""Who may play an event is ordered from the terminal as on the pages of organisers, and written down as there."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cli.terminal import Ran, piped
from web.tournament.events import created

from arena.runner.eligibility import CUPS, UNDOES, Desk
from arena.store.audit import Audit, Entry, typed_by
from arena.store.freezes import Freezes
from arena.store.lock import coordinator_lock
from arena.store.site_settings import SiteSettings
from arena.store.store import Store
from arena.store.values import Quarantined, State

CUP = 'game = "crowsnest"\nbots = ["fox", "owl"]\nboards = 1\n'
WHY = ("--reason", "it stalls")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A ladder and another event that wait."""
    with Store.open(tmp_path / ".arena") as store:
        rungs = created(store, "rungs", ("fox@1", "fox@2", "owl@1"), format="ladder", open=True)
        store.leave(rungs.id, ["fox@1"], 3)
        created(store, "spring", ("fox", "owl"))
    return tmp_path


def ask(place: Path, *words: str) -> Ran:
    return piped("tournament", *words, folder=place)


def told(place: Path, *words: str) -> Any:
    """The data that a command answers with."""
    ran = ask(place, *words, "--json")
    assert ran.status == 0, ran.stderr
    return json.loads(ran.stdout)["data"]


def refused(place: Path, *words: str) -> tuple[int, str, str]:
    """The exit status, code and fix of an error."""
    ran = ask(place, *words)
    assert ran.stdout == ""
    assert all(ran.error()[part] for part in ("error", "where", "saw", "fix", "code"))
    return ran.status, ran.error()["code"].split()[0], ran.error()["fix"]


def written(place: Path) -> list[Entry]:
    with Store.open(place / ".arena") as store:
        return Audit(store.database).entries()


def frozen(place: Path) -> dict[str, datetime]:
    with Store.open(place / ".arena") as store:
        return Freezes(store.database).all()


def out_of(place: Path, name: str) -> list[Quarantined]:
    with Store.open(place / ".arena") as store:
        event = store.tournament(name)
        assert event is not None
        return store.quarantines(event.id, active=True)


# Freezes


def test_a_ladder_is_frozen_later_at_once_and_no_more(place: Path) -> None:
    assert ask(place, "freeze", "rungs").stdout == "rungs has no freeze: the newest ready versions play\n"
    first = told(place, "freeze", "rungs", "--at", "2030-05-04T14:00+02:00")
    assert first == {"event": "rungs", "freeze": "2030-05-04T12:00:00Z", "own": True, "before": None}
    assert ask(place, "freeze", "rungs").stdout == "in rungs play versions that were sent until 2030-05-04 12:00 UTC\n"
    at_once = ask(place, "freeze", "rungs", "--now")
    assert "it was 2030-05-04 12:00 UTC before" in at_once.stderr
    assert abs(frozen(place)["rungs"] - datetime.now(UTC)) < timedelta(minutes=5)
    assert told(place, "freeze", "rungs", "--remove")["freeze"] is None
    assert frozen(place) == {}
    removed, moved, begun = written(place)
    assert {each.who for each in (removed, moved, begun)} == {typed_by()}
    assert (begun.action, begun.target, begun.reason) == ("freeze event", "rungs", "until 2030-05-04 12:00 UTC")
    assert (removed.reason, moved.data["before"]) == ("no freeze", "2030-05-04T12:00:00+00:00")
    assert ask(place, "freeze", "rungs", "--remove").status == 0
    assert len(written(place)) == 3, "nothing was changed"


def test_what_begins_later_is_named_by_its_file_or_as_the_site_keeps_it(place: Path) -> None:
    (place / "cup.toml").write_text(f'name = "final"\n{CUP}')
    assert told(place, "freeze", "cup.toml", "--at", "2030-01-02")["event"] == "final"
    cups = place / ".arena" / CUPS
    cups.mkdir()
    (cups / "later.toml").write_text(f'name = "later"\n{CUP}')
    told(place, "freeze", "later", "--at", "2030-01-01T00:00")
    assert list(frozen(place)) == ["later", "final"]
    told(place, "freeze", "later", "--remove")
    with Store.open(place / ".arena") as store:
        SiteSettings(store.database).set("deadline", "2031-01-01T00:00")
    said = ask(place, "freeze", "later").stdout
    assert said == "in later play versions that were sent until 2031-01-01 00:00 UTC, the deadline of all events\n"
    assert told(place, "freeze", "rungs")["freeze"] is None, "a ladder has none but its own"


def test_freezes_that_cannot_be_are_refused(place: Path) -> None:
    assert refused(place, "freeze", "spring", "--now") == (5, "NOTHING", "ladders can be frozen")
    (place / "spring.toml").write_text(f'name = "spring"\n{CUP}')
    assert refused(place, "freeze", "spring.toml", "--now")[1] == "NOTHING", "it has begun"
    assert refused(place, "freeze", "final", "--now")[:2] == (2, "NO_TOURNAMENT")
    (place / "cup.toml").write_text(CUP)
    assert refused(place, "freeze", "cup.toml", "--now") == (2, "CONFIG", 'name = "spring"')
    assert refused(place, "freeze", "none.toml", "--now")[0] == 2
    for wrong in (("--at", "soon"), ("--at", " "), ("--now", "--remove"), ("--at", "2030-01-01", "--now")):
        assert refused(place, "freeze", "rungs", *wrong)[:2] == (2, "USAGE"), wrong
    assert frozen(place) == {}
    assert written(place) == []


# Bots


def test_on_a_ladder_a_bot_is_disabled_by_its_name_and_enabled_while_it_runs(place: Path) -> None:
    [out] = told(place, "disable", "rungs", "fox", *WHY)["bots"]
    assert (out["bot"], out["reason"]) == ("fox@2", "disabled by an organiser: it stalls")
    assert refused(place, "disable", "rungs", "fox", *WHY) == (5, "NOTHING", "who plays: owl@1")
    lift = refused(place, "lift", "rungs", "fox@2", *WHY)
    assert lift == (2, "NOT_QUARANTINED", "arena tournament enable rungs fox@2 --reason TEXT")
    [entry] = written(place)
    assert entry[2:7] == (None, typed_by(), "disable bot", "rungs: fox", "it stalls")
    with coordinator_lock(place / ".arena", "rungs"):
        enabled = ask(place, "enable", "rungs", "FOX", "--reason", "mended")
    assert (enabled.status, enabled.stdout) == (0, "enabled: fox@2, mended (it was out for it stalls)\n")
    assert out_of(place, "rungs") == []
    nobody = refused(place, "enable", "rungs", "fox", "--reason", "again")
    assert nobody == (2, "NOT_QUARANTINED", "nobody is disabled")


def test_a_bot_that_was_disabled_in_all_its_versions_comes_back_with_all(place: Path) -> None:
    with Store.open(place / ".arena") as store:
        event = store.tournament("rungs")
        assert event is not None
        store.disable(event.id, ["fox@1", "fox@2"], "it stalls")
    assert [each["bot"] for each in told(place, "enable", "rungs", "fox@2", *WHY)["bots"]] == ["fox@1", "fox@2"]
    assert out_of(place, "rungs") == []


def test_elsewhere_a_bot_comes_back_while_the_event_does_not_run(place: Path) -> None:
    with coordinator_lock(place / ".arena", "spring"):
        done = ask(place, "disable", "spring", "fox", *WHY)
        assert (done.status, done.stdout) == (0, "disabled: fox, it stalls; its results stay\n")
        assert refused(place, "enable", "spring", "fox", *WHY)[:2] == (6, "BUSY")
    [row] = ask(place, "enable", "spring", "fox", "--reason", "mended", "--csv").stdout.splitlines()[1:]
    assert row.startswith("spring,fox,1,disabled by an organiser: it stalls,")
    assert [(each.action, each.target, each.reason) for each in written(place)] == [
        ("enable bot", "spring: fox", "mended"),
        ("disable bot", "spring: fox", "it stalls"),
    ]


def test_bots_that_cannot_be_taken_out_are_told_from_those_that_can(place: Path) -> None:
    assert refused(place, "disable", "spring", "elk", *WHY) == (5, "NOTHING", "who plays: fox, owl")
    assert refused(place, "disable", "spring", "fox", "--reason", " ")[:2] == (2, "USAGE")
    assert refused(place, "disable", "sprign", "fox", *WHY)[:2] == (2, "NO_TOURNAMENT")
    with Store.open(place / ".arena") as store:
        event = store.tournament("spring")
        assert event is not None
        store.set_state(event.id, State.FINISHED)
    assert refused(place, "disable", "spring", "fox", *WHY) == (5, "NOTHING", "results stay as they are")
    assert written(place) == []


def test_a_reason_is_written_as_it_was_typed(place: Path) -> None:
    done = ask(place, "disable", "spring", "fox", "--reason", "crashed with {'seat': 2}, {}")
    assert (done.status, done.stdout) == (0, "disabled: fox, crashed with {'seat': 2}, {}; its results stay\n")


def test_what_was_ordered_in_a_terminal_is_undone_as_what_was_ordered_on_a_page(place: Path) -> None:
    told(place, "freeze", "rungs", "--at", "2030-01-01")
    told(place, "disable", "rungs", "fox", *WHY)
    with Store.open(place / ".arena") as store:
        desk = Desk(store, place / ".arena", place / ".arena")
        for entry in Audit(store.database).entries():
            UNDOES[entry.action](desk, entry.data)
    assert (frozen(place), out_of(place, "rungs")) == ({}, [])
