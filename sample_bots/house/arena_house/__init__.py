"""House bots of Arena: four players of every ruleset, from random to one that counts cards.

They use the Python SDK and import nothing of the arena. They draw from the generator of their game alone and keep
nothing between games, so that they play a game again exactly.
"""

from __future__ import annotations

from arena_bot import Bot

from arena_house.counter import Counter
from arena_house.simple import Basic, Cautious
from arena_house.uniform import Random

BOTS: dict[str, type[Bot]] = {"random": Random, "basic": Basic, "cautious": Cautious, "counter": Counter}
"""The bots by name; each name is also a folder here with its bot.toml."""

__all__ = ["BOTS", "Basic", "Cautious", "Counter", "Random"]
