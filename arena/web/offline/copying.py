"""A store of its own for one tournament, with nothing in it but what may leave: pages made of it can show no more.

Cards of sealed boards, words of bots, other tournaments, people: what is not copied cannot be shown by any page. With
other names for the bots the copy has these names and no others. Knows stores and what may leave; nothing of pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from arena.runner.course import REMOTE, is_remote
from arena.runner.exports.anonymous import Names
from arena.runner.exports.leaving import Counts, Leaving, games_of
from arena.runner.series import members_of
from arena.store.lock import coordinator_lock
from arena.store.place import Place
from arena.store.store import Store, utc_now
from arena.store.values import BotState, StoredGame, Tournament

BATCH = 200
REGISTERED = "registered:"


class Source(NamedTuple):
    """What is copied."""

    store: Store
    tournament: Tournament
    names: Names | None = None
    """Other names for the bots; None: their own."""
    notes: bool = False
    """Whether notes of bots come along, as far as they are open; never under other names."""
    running: bool = False
    """Whether somebody plays it on now."""


class Copied(NamedTuple):
    """What the copy has."""

    tournament: Tournament
    """As the copy knows it."""
    counts: Counts
    """Of its games, and what was withheld."""


@contextmanager
def copied(source: Source, folder: Path, tell: Callable[[int], None] = lambda _: None) -> Iterator[Copied]:
    """Make the copy in an empty folder. `tell`: told how many games are copied. A tournament that is played on counts
    as running in the copy, too, for the time of the block.
    """
    tournament = source.tournament
    counts = Counts()
    with ExitStack() as held:
        if source.running:
            held.enter_context(coordinator_lock(folder, tournament.name))
        _bring_bots(source, folder)
        with Store.open(folder) as target:
            for member in members_of(source.store, tournament.series):
                if member.id != tournament.id:  # it says whether the secret of the series is published
                    target.bring_in(replace(member, config={}, entrants=(), secret=b""))
                    target.bring_state(replace(member, secret=b""))
            known = _bring_games(source, target, counts, tell)
        yield Copied(known, counts)


def _bring_games(source: Source, target: Store, counts: Counts, tell: Callable[[int], None]) -> Tournament:
    store, tournament, names = source.store, source.tournament, source.names
    shown = tournament if names is None else _renamed(tournament, names)
    number = target.bring_in(
        shown,
        [each if names is None else names.round(each) for each in store.rounds(tournament.id)],
        [each if names is None else names.void(each) for each in store.voids(tournament.id)],
        [each if names is None else names.quarantine(each) for each in store.quarantines(tournament.id)],
    )
    games = (_leaving(source, each) for each in games_of(store, tournament, counts))
    while batch := list(islice(games, BATCH)):
        target.add_games(number, [each.game for each in batch], [each.info.stored for each in batch])
        tell(counts.games)
    target.bring_state(shown)
    known = target.tournament(tournament.name)
    assert known is not None, "it was just stored"
    return known


def _leaving(source: Source, leaving: Leaving) -> Leaving:
    if source.names is not None:
        return source.names.game(leaving)
    return leaving if source.notes else leaving._replace(game=_without_notes(leaving.game))


def _without_notes(game: StoredGame) -> StoredGame:
    transcript = dict(game.result.transcript)
    if "moves" not in transcript:
        return game
    transcript["moves"] = [{key: told for key, told in move.items() if key != "note"} for move in transcript["moves"]]
    return replace(game, result=replace(game.result, transcript=transcript))


def _renamed(tournament: Tournament, names: Names) -> Tournament:
    """A tournament with other names in the order of its own: its schedule stays the same."""
    shown = names.tournament(tournament)
    by_name = {each.name: each for each in shown.entrants}
    entrants = tuple(by_name[names(each.name)] for each in tournament.entrants)
    config = dict(shown.config)
    if is_remote(tournament.config):
        config["bots"] = [f"{REMOTE}{name}" for name in sorted(by_name)]
    return replace(shown, entrants=entrants, config=config)


def _bring_bots(source: Source, place: Place) -> None:
    """The registered bots that play, with all their versions up to the last one that does, as they were added."""
    if source.names is not None:
        return
    last: dict[str, int] = {}
    for entrant in source.tournament.entrants:
        if entrant.source.startswith(REGISTERED):
            name, _, version = entrant.source.removeprefix(REGISTERED).rpartition("@")
            last[name] = max(last.get(name, 0), int(version) if version.isdigit() else 0)
    now = [utc_now()]
    with Store.open(place, now=lambda: now[0]) as target:
        for name, number in last.items():
            for each in source.store.registered(name)[:number]:
                now[0] = each.added
                target.register(each.name, each.version, each.manifest, each.message, each.owner)
                if each.state is BotState.RETIRED:
                    target.retire(each.name, each.number)
