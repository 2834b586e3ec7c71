"""Answers that are made beside requests."""

from __future__ import annotations

import logging
import threading

import pytest

from arena.core.errors import ArenaFault
from arena.web.botpages import counting
from arena.web.botpages.counting import Counted, Counting


def test_an_answer_is_made_once_a_version() -> None:
    kept, made = Counting(patience=20), []
    for _ in range(3):
        assert kept.ask("key", 1, lambda: made.append(1) or len(made)) == Counted(1, True)
    assert made == [1]
    assert kept.ask("other", 1, lambda: "else") == Counted("else", True)


def test_nobody_waits_longer_than_patience_and_the_old_one_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "LEAST_REST_S", 0.0)
    monkeypatch.setattr(counting, "REST", 0.0)
    kept, go = Counting(patience=0.05), threading.Event()

    def slow() -> str:
        go.wait(20)
        return "new"

    assert kept.ask("key", 1, slow) == Counted(None, False)
    go.set()
    assert kept.ask("key", 1, slow, patience=20) == Counted("new", True)
    go.clear()
    assert kept.ask("key", 2, slow) == Counted("new", False)
    go.set()
    assert kept.ask("key", 2, slow, patience=20) == Counted("new", True)


def test_an_answer_rests_before_it_is_made_again() -> None:
    kept = Counting(patience=20)
    assert kept.ask("key", 1, lambda: "old") == Counted("old", True)
    assert kept.ask("key", 2, lambda: "new") == Counted("old", False)


def test_what_fails_is_logged_and_not_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    kept, tries = Counting(patience=20), []

    def failing() -> str:
        tries.append(1)
        raise ValueError("no such thing")

    with caplog.at_level(logging.CRITICAL, logger="arena.web"):
        assert kept.ask("key", 1, failing) == Counted(None, True, True)
        assert kept.ask("key", 1, failing) == Counted(None, True, True)
    assert tries == [1]


def test_little_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "KEPT", 2)
    kept, made = Counting(patience=20), []
    for key in ("a", "b", "c", "a"):
        kept.ask(key, 1, lambda key=key: made.append(key))
    assert made == ["a", "b", "c", "a"]


def test_another_process_that_fails_says_why() -> None:
    with pytest.raises(ArenaFault, match="failed"):
        Counting().elsewhere("arena.web.botpages.chronicle", {"store": "/nowhere/at.db", "tournament": "spring"})


def test_after_the_stop_nothing_is_begun() -> None:
    kept = Counting(patience=0.05)
    kept.close()
    assert kept.ask("key", 1, lambda: "late") == Counted(None, False)
