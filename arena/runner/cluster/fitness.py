"""Which worker may play which bout, and in words why another may not: pure functions of what a worker states."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePath

from arena.bots.manifest import Bot
from arena.record.tiers import Tier, holds
from arena.runner.cluster.order import Statement
from arena.runner.toolchains import TOOLS

LANGUAGE_OF = {
    "python": "python",
    "python3": "python",
    "node": "typescript",
    "npm": "typescript",
    "npx": "typescript",
    "go": "go",
    "cargo": "rust",
    "rustc": "rust",
    "java": "java",
    "javac": "java",
    "mvn": "java",
    "cmake": "cpp",
    "make": "cpp",
    "g++": "cpp",
}
"""Program of a manifest -> the language whose tools it belongs to."""


@dataclass(frozen=True, slots=True)
class Needs:
    """What a bout needs of a worker."""

    house: tuple[tuple[str, str], ...] = ()
    """(name, version) of house bots."""
    languages: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    """That belong to no language."""
    strangers: tuple[str, ...] = ()
    """Names of bots that did not come with the arena."""
    versions: tuple[str, ...] = ()
    """Of the strangers."""


def needs_of(bots: Iterable[Bot]) -> Needs:
    """What these bots need, each thing once and sorted, so that equal needs are equal."""
    named = list(bots)
    strangers = [bot for bot in named if not bot.house]
    languages: set[str] = set()
    programs: set[str] = set()
    for bot in strangers:
        if bot.language.lower() in TOOLS:
            languages.add(bot.language.lower())
        for words in (*bot.build, bot.command):
            program = words[0]
            if "/" not in program:
                (languages if program in LANGUAGE_OF else programs).add(LANGUAGE_OF.get(program, program))
    return Needs(
        house=tuple(sorted((bot.name, bot.version) for bot in named if bot.house)),
        languages=tuple(sorted(languages - {"python"})),  # the arena itself is Python
        programs=tuple(sorted(programs)),
        strangers=tuple(sorted(bot.name for bot in strangers)),
        versions=tuple(sorted(bot.version for bot in strangers)),
    )


def refusal(stated: Statement, code: str, version: str) -> str:
    """Why a worker may play nothing here at all, in words; empty: it may."""
    if stated.code == code:
        return ""
    if stated.version != version:
        return f"it has arena {stated.version}, the coordinator {version}: install the same on both"
    return f"its arena {version} has other code ({stated.code[:12]}, the coordinator's {code[:12]}): install the same"


def unfit(stated: Statement, needs: Needs, tier_minimum: str, shelter: str) -> str:
    """Why a worker may not play a bout, in words; empty: it may."""
    for name, version in needs.house:
        if stated.house.get(name) != version:
            return f"its house bot {name!r} is another version than the coordinator's: install the same arena"
    missing = [each for each in needs.languages if each not in stated.languages]
    if missing:
        return f"it has no tools for {', '.join(missing)} (arena doctor there says what is missing)"
    absent = [each for each in needs.programs if each not in stated.programs]
    if absent:
        return f"these programs of bots are not there: {', '.join(PurePath(each).name for each in absent)}"
    if tier_minimum and not holds(stated.tier, tier_minimum):
        return f"it keeps bots apart by sandbox tier {stated.tier}, and the event asks for {tier_minimum} or better"
    if needs.strangers and shelter != "none" and stated.tier is Tier.D:
        return f"it cannot keep bots apart, and {', '.join(needs.strangers)} did not come with the arena"
    return ""
