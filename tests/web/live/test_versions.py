"""Versions only grow, whoever asks and whatever the clock does; who waits is told once of many changes."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest

from arena.web.live import versions as module
from arena.web.live.versions import PART, Change, Versions, Waiting


def test_versions_grow_also_where_the_clock_stands_still_or_goes_back() -> None:
    times = iter([1000, 1000, 1000, 400, 2000])
    versions = Versions(lambda: next(times))
    assert versions.of("home") == 1000
    found = [versions.bump("home") for _ in range(4)]
    assert all(late > early for early, late in pairwise([1000, *found]))
    assert versions.of("home") == found[-1] == 2000


def test_a_server_that_starts_again_is_later_than_all_that_it_ever_said() -> None:
    first = Versions(lambda: 5000)
    first.bump("home")
    assert Versions(lambda: 6000).of("home") > first.of("home")


def test_what_is_final_is_not_any_more_after_a_change() -> None:
    versions = Versions()
    versions.finish(["tournament:spring"])
    assert versions.change("tournament:spring").final
    versions.bump("tournament:spring")
    assert versions.change("tournament:spring") == Change(
        "tournament:spring", versions.of("tournament:spring"), final=False
    )


def test_parts_that_are_forgotten_are_as_late_as_the_latest_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KNOWN_MOST", 3)
    versions = Versions()
    said = {part: versions.bump(part) for part in ("a", "b", "c", "d", "e")}
    assert all(versions.of(part) >= version for part, version in said.items())


def test_who_waits_is_woken_once_and_told_of_each_part_once() -> None:
    async def run() -> tuple[list[str], list[str], int]:
        versions, woken = Versions(), []
        versions.attach(asyncio.get_running_loop())
        waiting = Waiting(["home", "tournament:spring"], lambda: woken.append(1))
        versions.add(waiting)
        await asyncio.to_thread(lambda: [versions.bump("home") for _ in range(5)])
        versions.bump("running")
        versions.finish(["tournament:spring"])
        await asyncio.sleep(0)
        told = waiting.take()
        versions.remove(waiting)
        versions.bump("home")
        await asyncio.sleep(0)
        return told, waiting.take(), len(versions.watched())

    assert asyncio.run(run()) == (["home", "tournament:spring"], [], 0)


@pytest.mark.parametrize(
    ("text", "good"),
    [(text, True) for text in ("home", "tournament:spring", "game:a-r1-b3-t2-1", "sitting:9f3", "bot:fox@3")]
    + [(text, False) for text in ("", "Home", "game:", "game:a b", "a:b:c", "game:" + "x" * 200, "game:<b>")],
)  # fmt: skip
def test_names_of_parts(text: str, good: bool) -> None:
    assert bool(PART.fullmatch(text)) is good
