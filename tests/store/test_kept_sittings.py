"""Games with a person in the store: what is kept of them, what becomes of those that were cut off, what goes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from arena.runner.sittings.room import STOPPED
from arena.store.sittings import FINISHED, LEFT, REMOVED, RUNNING, VOID, Sittings, new_id, new_key
from arena.store.store import Store

SECRET = b"\x07" * 32


def test_a_sitting_is_kept_with_no_more_than_the_hash_of_its_key(store: Store) -> None:
    kept, key, name = Sittings(store.database), new_key(), new_id()
    made = kept.add(name, game="goat", ruleset={"target": 12}, secret=SECRET, bots=["a", "", "b", "c"], seat=1, key=key)
    found = kept.find(name)
    assert found == made
    assert found is not None
    assert (found.opens(key), found.opens("other"), found.state) == (True, False, RUNNING)
    assert key not in repr(found)
    kept.end(name, FINISHED, "\0", {"moves": []})
    assert kept.transcript(name) == {"moves": []}
    ended = kept.find(name)
    assert ended is not None
    assert (ended.state, ended.reason) == (FINISHED, "\\x00")
    assert ended.finished is not None


def test_what_was_running_when_the_server_was_stopped_is_void_at_the_next_start(store: Store) -> None:
    kept = Sittings(store.database)
    for name in ("play-a", "play-b"):
        kept.add(name, game="goat", ruleset={}, secret=SECRET, bots=["a"] * 4)
    kept.end("play-a", FINISHED)
    assert kept.interrupted(STOPPED) == 1
    states = [(each.state, each.reason) for each in map(kept.find, ("play-a", "play-b")) if each is not None]
    assert states == [(FINISHED, ""), (VOID, STOPPED)]
    assert kept.transcript("play-b") is None
    assert kept.interrupted(STOPPED) == 0


def test_games_of_bots_on_the_same_cards_are_found_by_the_persons(store: Store) -> None:
    kept = Sittings(store.database)
    kept.add("play-p", game="goat", ruleset={}, secret=SECRET, bots=["a", "", "b", "c"], seat=1, key="k")
    for name in ("play-x", "play-y"):
        kept.add(name, game="goat", ruleset={}, secret=SECRET, bots=["a"] * 4, parent="play-p")
    assert [child.public_id for child in kept.children("play-p")] == ["play-x", "play-y"]
    assert kept.children("play-x") == []
    child = kept.find("play-x")
    assert child is not None
    assert not child.opens("")


def test_what_is_old_goes_and_its_address_says_why(store: Store) -> None:
    day = timedelta(days=1)
    now = datetime(2026, 3, 1, tzinfo=UTC)
    times = iter(now - days * day for days in (9, 8, 7, 6, 5, 4, 3, 2, 1, 0))
    kept = Sittings(store.database, lambda: at)
    people = {"play-old": None, "play-ada": 3, "play-young": None, "play-child": None, "play-busy": None}
    for name, person in people.items():
        at = next(times)
        parent = "play-old" if name == "play-child" else None
        kept.add(name, game="goat", ruleset={"a": 1}, secret=SECRET, bots=["x", ""], person_id=person, parent=parent)
        kept.end(name, LEFT if name == "play-ada" else FINISHED, "", {"moves": []})
    kept.add("play-on", game="goat", ruleset={}, secret=SECRET, bots=["x"], parent="play-busy")
    assert kept.remove_old(now - 6 * day, now - 30 * day, 9, "removed on 2026-03-01") == 2
    states = {name: found.state for name in people if (found := kept.find(name)) is not None}
    assert states == {
        "play-old": REMOVED,
        "play-ada": LEFT,
        "play-young": REMOVED,
        "play-child": REMOVED,
        "play-busy": FINISHED,
    }
    gone = kept.find("play-old")
    assert gone is not None
    assert (gone.reason, gone.secret, gone.bots, gone.ruleset) == ("removed on 2026-03-01", b"", (), {})
    assert (kept.transcript("play-old"), kept.transcript("play-ada")) == (None, {"moves": []})
    assert kept.remove_old(now + day, now - 30 * day, 9, "again") == 0, "a game on its cards is played"
    kept.end("play-on", FINISHED)
    assert kept.remove_old(now - 30 * day, now - 30 * day, 1, "too many") == 1
    left = {name for name in (*people, "play-on") if (found := kept.find(name)) is not None and found.state != REMOVED}
    assert left == {"play-ada"}
