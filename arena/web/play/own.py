"""A table that the owner of the data folder opens from a program: any game, options, bots and cards.

What the form of /play offers is less: bots of folders are the owner's alone to name.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field

from arena.core.errors import ConfigError
from arena.games import make
from arena.match.clock import Clock
from arena.runner.roster import Roster
from arena.runner.sittings import Plan
from arena.runner.sittings.sitting import MOVE_S
from arena.store.place import Place
from arena.store.sittings import new_id
from arena.web.play.choosing import Wanted

OWNER = "the owner of the data folder"
"""Who holds such tables."""
PATIENT_S = 3600.0
"""What a bot has for a move where nobody hurries it: it may stand in a debugger."""


class Wish(BaseModel):
    """What a program asks for."""

    game: str
    options: dict[str, Any] = Field(default_factory=dict)  # Any: JSON
    bots: list[str | None]
    """References by seat, folders by their whole paths; None: the person's seat."""
    secret: str = Field(pattern="^[0-9a-f]{64}$")
    """Fixes the cards."""
    bank_ms: int | None = Field(default=None, ge=0)
    """Of the person's clock; None: there is none."""
    increment_ms: int = Field(default=0, ge=0)
    patient: bool = False
    """Whether bots may take an hour for a move."""


def wanted_of(wish: Wish, data: Path, store: Place) -> Wanted:
    """What a table is dealt for. Raises ConfigError, and BotError for bots that are nowhere or do not play the game."""
    game = make(wish.game, wish.options)
    if len(wish.bots) != game.seats or wish.bots.count(None) != 1:
        raise ConfigError(f"{wish.bots!r} does not fill {game.seats} seats", fix="a bot for each seat but one")
    finder = Roster(data, store)
    bots = tuple(finder.find(name) if name is not None else None for name in wish.bots)
    for bot in bots:
        if bot is not None:
            bot.must_play(game.id)
    plan = Plan(new_id(), game, bots, bytes.fromhex(wish.secret), PATIENT_S if wish.patient else MOVE_S)
    bank, more = wish.bank_ms, wish.increment_ms
    clock = Clock(bank, more, bank + more) if bank is not None else None  # a person may spend all of it on one move
    return Wanted(plan, clock, {"clock": "own" if clock is not None else "none", "pace": "calm"})
