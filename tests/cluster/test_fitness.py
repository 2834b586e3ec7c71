"""Which worker may play which bout: what bots need, what workers state, and the words for what does not fit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from arena.bots.manifest import Bot, find_bot
from arena.record.tiers import Tier
from arena.runner.cluster.fitness import Needs, needs_of, refusal, unfit
from arena.runner.cluster.order import Statement, code_of_arena

BASIC = find_bot("basic")
STATED = Statement(
    name="node-1",
    host="node-1",
    version="1.0",
    code="c" * 64,
    house={BASIC.name: BASIC.version},
    languages=("go", "rust"),
    programs=("lua5.4",),
    cores=4,
    slots=4,
    tier=Tier.B,
)


def stranger(
    *build: tuple[str, ...], command: tuple[str, ...] = ("./bot",), language: str = "", name: str = "fox"
) -> Bot:
    return Bot(name, Path("/nowhere"), command, ("*",), 1, name * 8, False, language=language, build=build)


BOTS = {
    "go": (stranger(("go", "build", "-o", "bot", ".")), ("go",), ()),
    "rust by its language alone": (stranger(language="Rust"), ("rust",), ()),
    "java, built and run": (stranger(("mvn", "package"), command=("java", "-jar", "x")), ("java",), ()),
    "python is the arena's own": (stranger(command=("python3", "main.py")), (), ()),
    "lua": (stranger(command=("lua5.4", "main.lua")), (), ("lua5.4",)),
    "its own program": (stranger(), (), ()),
    "a language that nobody knows": (stranger(language="Befunge"), (), ()),
}


@pytest.mark.parametrize("what", BOTS)
def test_what_a_bot_needs(what: str) -> None:
    bot, languages, programs = BOTS[what]
    needs = needs_of([bot, BASIC])
    assert needs == Needs(
        house=((BASIC.name, BASIC.version),),
        languages=languages,
        programs=programs,
        strangers=("fox",),
        versions=(bot.version,),
    )


def test_equal_bouts_have_equal_needs() -> None:
    one, two = stranger(name="a"), stranger(("go", "build"), name="b")
    assert needs_of([one, two]) == needs_of([two, one])
    assert hash(needs_of([one, two])) == hash(needs_of([two, one]))


UNFIT = {
    "nothing is wrong": ({}, Needs(languages=("go",), strangers=("fox",)), "B", "auto", ""),
    "a language": ({}, Needs(languages=("go", "java")), "", "auto", "no tools for java"),
    "a program": ({}, Needs(programs=("perl",)), "", "auto", "not there: perl"),
    "a house bot": ({}, Needs(house=(("basic", "0" * 64),)), "", "auto", "'basic' is another version"),
    "a tier": ({}, Needs(), "A'", "auto", "tier B, and the event asks for A' or better"),
    "no sandbox": ({"tier": Tier.D}, Needs(strangers=("fox",)), "", "auto", "cannot keep bots apart, and fox"),
    "no sandbox, typed": ({"tier": Tier.D}, Needs(strangers=("fox",)), "", "none", ""),
    "no sandbox, house bots": ({"tier": Tier.D}, Needs(), "", "auto", ""),
}


@pytest.mark.parametrize("case", UNFIT)
def test_why_a_worker_may_not_play_a_bout(case: str) -> None:
    changed, needs, minimum, shelter, words = UNFIT[case]
    why = unfit(replace(STATED, **changed), needs, minimum, shelter)
    assert words in why
    assert bool(why) == bool(words)


def test_another_version_or_other_code_is_refused_in_words() -> None:
    assert refusal(STATED, "c" * 64, "1.0") == ""
    assert refusal(STATED, "d" * 64, "1.1") == "it has arena 1.0, the coordinator 1.1: install the same on both"
    assert "arena 1.0 has other code (cccccccccccc, the coordinator's dddddddddddd)" in refusal(STATED, "d" * 64, "1.0")


def test_the_code_of_the_arena_has_one_name() -> None:
    code = code_of_arena()
    assert len(bytes.fromhex(code)) == 32
    code_of_arena.cache_clear()
    assert code_of_arena() == code
