"""Addresses and the files that they become."""

from __future__ import annotations

import pytest

from arena.web.offline.places import Places, link, safe

PLACES = Places("spring", "crowsnest", frozenset({1, 17}), frozenset({"spring-r1-b1-t1-1"}), pairs=True)


@pytest.mark.parametrize(
    ("address", "file", "query"),
    [
        ("/t/spring", "index.html", ""),
        ("/t/spring.csv?sort=-rating", "t/spring.csv", ""),
        ("/t/spring/boards?page=2", "t/spring/boards-page-2.html", ""),
        ("/t/spring/schedule.json?round=3", "t/spring/schedule-round-3.json", ""),
        ("/t/spring/files/replays.zip", "t/spring/files/replays.zip", ""),
        ("/t/spring/b/17", "t/spring/b/17.html", ""),
        ("/g/spring-r1-b1-t1-1?turn=3&seat=1", "g/spring-r1-b1-t1-1.html", "turn=3&seat=1"),
        ("/bot/fox?v=3", "bot/fox.html", ""),
        ("/bot/fox%403/vs/owl?t=spring", "bot/fox~403/vs/owl.html", ""),
        ("/bot/fox/games?before=70&v=3", "bot/fox/games-before-70.html", ""),
        ("/bot/con/history.svg", "bot/~con/history.svg", ""),
        ("/rules/crowsnest", "rules/crowsnest.html", ""),
    ],
)
def test_pages_of_the_event_have_files(address: str, file: str, query: str) -> None:
    found = PLACES.of(address)
    assert found is not None
    assert (found.file, found.query) == (file, query)


@pytest.mark.parametrize(
    "address",
    [
        "/t/spring?sort=-rating", "/t/summer", "/t/spring/b/2", "/t/spring/boards?worse=fox", "/g/other", "/play",
        "/bot/fox/logs", "/bot/fox/games?fault=LATE", "/rules/goat", "/me", "//evil.example/t/spring",
        "https://evil.example/t/spring", "/t/spring/b/1/../../../me",
    ],
)  # fmt: skip
def test_everything_else_has_none(address: str) -> None:
    assert PLACES.of(address) is None


def test_pairs_have_none_where_there_are_too_many() -> None:
    few = Places("spring", "crowsnest", frozenset(), frozenset(), pairs=False)
    assert few.of("/bot/fox/vs/owl?t=spring") is None


def test_different_names_are_different_files_that_every_system_has() -> None:
    names = ["fox", "Fox", "f/x", "..", ".x", "nul", "NUL.txt", "a b", "a~20b", "~2e", "\u202eevil", "a:b", "a?b"]
    files = [safe(name) for name in names]
    assert len({*files}) == len(names)
    assert all(set(file) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~-") for file in files)
    assert not [file for file in files if file.startswith(".")]


def test_links_are_relative_to_the_file_that_has_them() -> None:
    assert link("index.html", "t/spring/b/1.html") == "t/spring/b/1.html"
    assert link("t/spring/b/1.html", "g/x.html", "turn=3") == "../../../g/x.html?turn=3"
    assert link("bot/a~203.html", "bot/a~203.html", fragment="x") == "a~203.html#x"
