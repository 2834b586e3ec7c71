"""What can be chosen before the cards are dealt, and the plan that a filled form means."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from arena.bots.manifest import Bot, find_bot, house_names
from arena.core.errors import ConfigError
from arena.core.game import AnyGame
from arena.games import catalog, make
from arena.match.clock import Clock
from arena.runner.roster import Roster, newest
from arena.runner.sittings import Plan
from arena.store.place import Place
from arena.store.sittings import new_id
from arena.store.values import BotState

ANY = "any"
STRENGTHS = (("strong", ("counter",)), ("middle", ("basic", "cautious")), ("beginner", ("random",)))
"""House bots by strength, as they were measured against each other."""
OTHERS = "bots of this server"
CLOCKS: Mapping[str, tuple[str, Clock | None]] = {
    "none": ("none", None),
    "slow": ("10 min and 10 s a move", Clock(600_000, 10_000, 120_000)),
    "fast": ("3 min and 5 s a move", Clock(180_000, 5_000, 60_000)),
}
LENGTHS = {"one": "one hand", "match": "a whole match"}
PACES = {"calm": "0.6 s between moves", "fast": "no pauses"}
SEATS = ("left", "top", "right")
"""Places at the table other than the person's, clockwise; with three seats there is no top."""


class GameChoice(NamedTuple):
    """One game of the form."""

    value: str
    title: str
    family: str
    seats: int


class BotGroup(NamedTuple):
    """Bots of like strength."""

    label: str
    names: tuple[str, ...]


class Wanted(NamedTuple):
    """A filled form, read."""

    plan: Plan
    clock: Clock | None
    settings: dict[str, str]


def game_choices() -> list[GameChoice]:
    """Every game, CrowsNest first, as many seats as it may have."""
    found = [GameChoice(each.id, each.title, each.family, 4) for each in catalog().values()]
    crow = next(place for place, each in enumerate(found) if each.family == "crow")
    found[crow] = found[crow]._replace(title=f"{found[crow].title}, four players")
    fewer = choice_of(make(found[crow].value, {"players": 3}))
    found.insert(crow + 1, found[crow]._replace(value=fewer, title="The same, three players", seats=3))
    found.sort(key=lambda each: each.value != "crowsnest")
    return found


def choice_of(game: AnyGame) -> str:
    """What the form calls a game: its id, with its number of seats where that is not the usual one."""
    return game.id if game.seats == 4 else f"{game.id}:{game.seats}"


def bot_groups(data: Path, store: Place) -> list[BotGroup]:
    """All bots that may be met, strongest first."""
    known = set(house_names())
    groups = [BotGroup(label, tuple(name for name in names if name in known)) for label, names in STRENGTHS]
    ready = [each for each in newest(Roster(data, store).registered()) if each.state is BotState.READY]
    listed = {name for _, names in STRENGTHS for name in names}
    rest = (*sorted(known - listed), *sorted(each.name for each in ready))
    return [group for group in (*groups, BotGroup(OTHERS, rest)) if group.names]


def game_of(value: str, length: str) -> AnyGame:
    """The game of a choice. Raises ConfigError."""
    name, _, players = value.partition(":")
    if name not in catalog():
        raise ConfigError(f"no game {name!r}", fix=f"games: {', '.join(catalog())}", code="BAD_GAME")
    crow = catalog()[name].family == "crow"
    options: dict[str, object] = {}
    if crow and players == "3":
        options["players"] = 3
    if crow and length != "match":
        options["rounds"] = 1
    game = make(name, options)
    return game if length == "match" else game.single_deal()


def read_form(form: Mapping[str, str], data: Path, store: Place) -> Wanted:
    """The plan of a form; what it leaves out is the usual choice. Raises ConfigError and BotError for wrong values."""
    game = game_of(form.get("game", "crowsnest"), form.get("length", "one"))
    clock = form.get("clock", "none")
    if clock not in CLOCKS:
        raise ConfigError(f"no clock {clock!r}", fix=f"clocks: {', '.join(CLOCKS)}")
    seat = _seat(form.get("seat", ANY), game)
    places = SEATS if game.seats == 4 else ("left", "right")
    finder = Roster(data, store)
    bots: list[Bot | None] = [None] * game.seats
    for step, place in enumerate(places, 1):
        bots[(seat + step) % game.seats] = _bot(form.get(place) or ANY, game, finder)
    plan = Plan(new_id(), game, tuple(bots), secrets.token_bytes(32))
    pace = form.get("pace", "calm")
    return Wanted(plan, CLOCKS[clock][1], {"clock": clock, "pace": pace if pace in PACES else "calm"})


def _seat(text: str, game: AnyGame) -> int:
    if text == ANY:
        return secrets.randbelow(game.seats)
    if text in "0123" and len(text) == 1 and int(text) < game.seats:
        return int(text)
    raise ConfigError(f"no seat {text!r} at a table of {game.seats}", fix="choose any seat")


def _bot(name: str, game: AnyGame, finder: Roster) -> Bot:
    """The bot of a name; names of files and folders are nobody's here."""
    if name == ANY:
        usual = [each for _, names in STRENGTHS[:2] for each in names if each in house_names()]
        return find_bot(secrets.choice(usual))
    if not name.replace("_", "-").replace("-", "").replace("@", "").isalnum():
        raise finder.nobody(name[:80])
    known = name in house_names() or any(
        each.name.casefold() == name.partition("@")[0].casefold() for each in finder.registered()
    )
    if not known:
        raise finder.nobody(name[:80])
    bot = finder.find(name)
    bot.must_play(game.id)
    if bot.remote:
        raise ConfigError(f"{bot.name} is on a machine of its own", fix="choose another bot", code="NO_BOT")
    return bot


def house_bots(game: AnyGame, besides: Sequence[str] = ()) -> list[Bot]:
    """The house bots that are put on a person's cards, strongest first."""
    names = [name for _, group in STRENGTHS for name in group if name in house_names() and name not in besides]
    found = [find_bot(name) for name in names]
    return [bot for bot in found if bot.plays(game.id)]
