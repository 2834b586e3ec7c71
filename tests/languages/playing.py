"""Plays built templates against house bots and says what went wrong. It knows no language."""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import replace
from typing import Any

from runner.bouts import DEADLINE_S, PATIENT, SECRET, nothing_left

from arena import games
from arena.bots.manifest import Bot, find_bot
from arena.core.game import AnyGame
from arena.runner.single import Single, play_single, seat_bots
from arena.store.values import StoredGame

RULESETS: dict[str, tuple[str, dict[str, object]]] = {
    "crowsnest": ("crowsnest", {}),
    "tournament": ("tournament", {}),
    "partnership": ("partnership", {}),
    "one_high": ("one_high", {}),
    "red_one": ("red_one", {}),
    "buckeye": ("buckeye", {}),
    "goat": ("goat", {}),
    "goat-asked": ("goat", {"molodka": "before_trick"}),
    "crow": ("crow_and_pitcher", {}),
    "crow-three": ("crow_and_pitcher", {"players": 3}),
}
"""Every ruleset, and those of their options that change what a bot is asked."""


def make(name: str) -> AnyGame:
    """A game of RULESETS."""
    game_id, changed = RULESETS[name]
    return games.make(game_id, changed)


def against(game: AnyGame, bot: Bot, other: str = "basic") -> tuple[Bot, ...]:
    """The bot on the first side, a house bot on the others."""
    return seat_bots(game, (bot, *[find_bot(other)] * (len(game.sides) - 1)))


def play(game: AnyGame, bots: tuple[Bot, ...], boards: int = 1) -> list[StoredGame]:
    """Play some boards; asserts that nothing is left of the bots: no process, no file, no descriptor."""
    with nothing_left() as folder:
        (folder / "logs").mkdir()
        single = Single(game, bots, SECRET, boards, PATIENT, folder / "logs")
        played = asyncio.run(asyncio.wait_for(play_single(single), DEADLINE_S * 2))
        said = [(file.name, file.read_text(errors="replace")) for file in sorted((folder / "logs").iterdir())]
        shutil.rmtree(folder / "logs")
    faults = [(stored.bots, fault, said) for stored in played for fault in stored.result.faults]
    assert faults == []
    return played


def moves(played: list[StoredGame]) -> list[Any]:
    """What must be the same when the same games are played again: moves and notes, not times."""
    return [
        (stored.key, stored.result.scores, [{**move, "elapsed_ms": 0} for move in stored.result.transcript["moves"]])
        for stored in played
    ]


def alone(bot: Bot, name: str) -> Bot:
    """The same bot under another name, one game at a time."""
    return replace(bot, name=name, concurrent_games=1)
