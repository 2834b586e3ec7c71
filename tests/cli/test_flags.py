"""Flags that every command takes."""

import pytest

from arena.cli.flags import Flags, UsageError, split


def test_flags_are_found_anywhere() -> None:
    flags, rest = split(["--json", "simulate", "goat", "-qq", "--games", "3", "--color=never"])
    assert flags == Flags(json=True, quiet=2, color="never")
    assert rest == ["simulate", "goat", "--games", "3"]


@pytest.mark.parametrize(("words", "count"), [(["-v"], 1), (["-v", "-v"], 2), (["-vv"], 2), (["-vv", "-v"], 2)])
def test_verbosity_adds_up_to_two(words: list[str], count: int) -> None:
    assert split(words)[0].verbose == count


def test_words_after_two_dashes_are_left_alone() -> None:
    assert split(["play", "--", "--json"]) == (Flags(), ["play", "--", "--json"])


@pytest.mark.parametrize("words", [["--color"], ["--color", "pink"], ["--config"], ["--json", "--csv"]])
def test_what_cannot_be_read_is_an_error_with_a_fix(words: list[str]) -> None:
    with pytest.raises(UsageError) as caught:
        split(words)
    assert caught.value.fix
    assert caught.value.saw
