"""Fills a store with as many blocks as you like, and measures what commands take with them.

    cd tests && python -m scale.million PLACE [--blocks 1000000] [--bots 8] [--measure]

PLACE is a data folder or the URL of an empty database. The tournament is a round robin with its real schedule, scores
that a fixed seed draws, and one small transcript for all games. `--measure` prints seconds and memory of each step.
"""

from __future__ import annotations

import argparse
import random
import resource
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

from arena.core import options
from arena.games import make
from arena.record.results import Fault, FaultClass, GameKey, GameResult, Verdict
from arena.runner.course import stored_schedule
from arena.store.place import Place
from arena.store.store import Store
from arena.store.values import Entrant, NewTournament, State, StoredGame, Tournament
from arena.tournament.schedule import keys_of

GAME = make("crowsnest", {"max_hands": 1})
BATCH = 5000
TRANSCRIPT = {"moves": [{"seat": 0, "move": "bid 80"}], "note": "one for all"}
LATE = Fault(1, "LATE", FaultClass.DECISION, 17, 5200, "late")
FAULT_EVERY = 1000


def new_tournament(store: Store, blocks: int, bots: int, name: str = "million") -> Tournament:
    """A round robin of at least so many blocks; a bot's number is its strength."""
    names = tuple(f"bot{number}" for number in range(bots))
    pairs = bots * (bots - 1) // 2
    config = {
        "format": "round_robin",
        "boards": -(-blocks // pairs),
        "board_plan": "shared",
        "unit": "deal",
        "clock": {"bank": 10.0, "increment": 0.1, "cap": 5.0},
    }
    return store.create_tournament(
        NewTournament(
            name=name,
            game=GAME.id,
            game_version=GAME.version,
            ruleset=options.canonical(GAME.ruleset),
            config=config,
            secret=bytes(32),
            entrants=tuple(Entrant(name, f"{place:064x}", f"house:{name}") for place, name in enumerate(names)),
        )
    )


def games_of(tournament: Tournament, blocks: int) -> Iterator[StoredGame]:
    """Both games of each of the first so many blocks, in the order of the schedule."""
    draw = random.Random(7).random
    schedule = stored_schedule(tournament)
    number = made = 0
    while made < blocks:
        number += 1
        bouts = schedule.round(number)
        assert bouts is not None
        for bout in bouts:
            strengths = [int(name.removeprefix("bot")) for name in bout.lineup]
            for key in sorted(keys_of(bout)):
                if made == blocks:
                    return
                sides = [bout.side(key.board, key.seating, side) for side in range(2)]
                edge = (strengths[0] - strengths[1]) * (-1 if key.seating else 1)
                swing = round((draw() - 0.5) * 40 + edge) * 5
                yield game(key, (sides[0], sides[1]) * 2, swing, faulty=draw() * FAULT_EVERY < 1)
                made += key.seating


def game(key: GameKey, bots: tuple[str, ...], swing: int, *, faulty: bool) -> StoredGame:
    """A game that the first side won by so much."""
    scores = (max(swing, 0.0), max(-swing, 0.0)) * 2
    ranks = tuple(int(score < max(scores)) for score in scores)
    faults = (LATE,) if faulty else ()
    result = GameResult(Verdict.FINISHED, scores, ranks, (0, 0, 0, 0), (), faults, TRANSCRIPT)
    return StoredGame(key, bots, result, "A", 1234, worker="host:1")


def fill(place: Place, blocks: int, bots: int = 8) -> Tournament:
    """Store so many blocks, as a coordinator would; returns the tournament, finished."""
    with Store.open(place) as store:
        tournament = new_tournament(store, blocks, bots)
        store.set_state(tournament.id, State.RUNNING)
        games = games_of(tournament, blocks)
        while batch := list(islice(games, BATCH)):
            store.add_games(tournament.id, batch)
        store.set_state(tournament.id, State.FINISHED)
        return replace(tournament, state=State.FINISHED)


def steps(place: Place, resamples: int) -> Iterator[tuple[str, Any]]:
    """What commands do with a store: (what, a call that does it)."""
    from arena.cli.tournaments.status import state_of
    from arena.runner.standing import tables_of

    def opened(use: Any) -> Any:
        with Store.open(place, create=False) as store:
            return use(store, store.tournaments()[0])

    yield "list 100 games", lambda: opened(lambda store, one: len(store.games(one.name)))
    yield "list the newest", lambda: opened(lambda store, one: len(store.games(one.name, newest=True)))
    yield "games of a bot", lambda: opened(lambda store, one: len(store.games(one.name, bot="bot3")))
    yield "status", lambda: opened(lambda store, one: state_of(store, one, _folder(place))["games"])
    yield "open boards", lambda: opened(lambda store, one: len(store.open_boards(one.id, lambda board: 1)))
    yield "read all rows", lambda: opened(lambda store, one: sum(1 for _ in store.rows(one.id)))
    yield "ratings", lambda: opened(lambda store, one: tables_of(store, one, resamples=resamples)[0].boards)


def _folder(place: Place) -> Any:
    from pathlib import Path

    return Path(place) if "://" not in str(place) else Path("/nonexistent")


class Measured(NamedTuple):
    """What one step took."""

    what: str
    seconds: float
    processor_s: float
    """Of this process alone."""
    peak_mib: float
    """Most memory of the process so far."""
    found: object


def measured(place: Place, resamples: int = 1000) -> Iterator[Measured]:
    """Each step once."""
    for what, do in steps(place, resamples):
        began, used = time.perf_counter(), time.process_time()
        found = do()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        yield Measured(what, time.perf_counter() - began, time.process_time() - used, peak, found)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("place")
    parser.add_argument("--blocks", type=int, default=1_000_000)
    parser.add_argument("--bots", type=int, default=8)
    parser.add_argument("--measure", action="store_true", help="the store is filled already")
    parser.add_argument("--resamples", type=int, default=1000)
    given = parser.parse_args()
    if not given.measure:
        began = time.perf_counter()
        fill(given.place, given.blocks, given.bots)
        seconds = time.perf_counter() - began
        print(f"{'store ' + str(given.blocks) + ' blocks':<24}{seconds:8.1f} s")  # noqa: T201
        return
    for each in measured(given.place, given.resamples):
        text = f"{each.seconds:8.2f} s {each.processor_s:8.2f} s of a processor {each.peak_mib:6.0f} MiB"
        print(f"{each.what:<24}{text}  {each.found}", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
