"""Many viewers at once: a site with as many games as you like, a game that runs, games that are stored meanwhile.

    cd tests && python -m web.load FOLDER [--blocks 500000] [--clients 50] [--browsers 2] [--seconds 30]

FOLDER is a data folder; its store is filled with that many blocks (two games each) unless there is one. Then the site
is served by a process of its own, another one stores twenty games a second and tells moves of a running game, and
`--clients` viewers (HTTP clients, each with a stream of changes) look at pages of all kinds, a few seconds at each;
`--browsers` more are pages in Chromium. Printed: by kind of page how often it was loaded, and the median, the 95th part
of a hundred and the longest time in milliseconds, of whole answers; and how much of a processor the server took, which
does not depend on what else the machine does.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import httpx2
import psutil
from laws.course import random_match, seeded
from scale.million import GAME, game, games_of, new_tournament
from web.viewers import Kind, Loaded, Viewers, table

from arena.record import transcript
from arena.record.results import GameResult, Verdict
from arena.runner.course import stored_schedule
from arena.store.store import Store
from arena.store.values import State, StoredGame, Tournament, public_id
from arena.tournament.schedule import keys_of
from arena.web.server import listen, serve
from arena.web.site import Settings, Site

NAME, SMALL = "million", "real"
GAMES_A_SECOND = 20
WARM_S = 3.0
READY_S = 900.0
LONG = "crowsnest", {"max_hands": 20}
"""The match that runs: more moves than are told in minutes."""


def kinds_of(store: Store, tournament: Tournament, live: str) -> list[Kind]:
    """The pages that are looked at."""
    name = tournament.name
    game, real = store.games(name, limit=1)[0], store.games(SMALL, limit=1)[0]
    one, other = (entrant.name for entrant in tournament.entrants[:2])
    of = f"tournament:{name}"
    return [
        Kind("home", "/", "home,running,featured"),
        Kind("tournaments", "/t", "home"),
        Kind("tournament", f"/t/{name}", of),
        Kind("cross table", f"/t/{name}/cross", of),
        Kind("boards", f"/t/{name}/boards", of),
        Kind("schedule", f"/t/{name}/schedule", of),
        Kind("faults", f"/t/{name}/faults", of),
        Kind("files", f"/t/{name}/files", of),
        Kind("board", f"/t/{name}/b/{game.row.key.board}", of),
        Kind("bots", "/bots", "home"),
        Kind("bot", f"/bot/{one}", of),
        Kind("head to head", f"/bot/{one}/vs/{other}?t={name}", of),
        Kind("running game", f"/g/{live}", f"game:{live}"),
        Kind("stored game", f"/g/{real.public_id}?turn=20", f"game:{real.public_id}"),
        Kind("board with cards", f"/t/{SMALL}/b/{real.row.key.board}", f"tournament:{SMALL}"),
        Kind("search", "/search?q=bo", "home"),
    ]


class Measured(NamedTuple):
    """What viewers met."""

    found: list[Loaded]
    heard: int
    """Of how many changes they heard."""
    server_ms: float
    """Milliseconds of a processor that the server took for each page or part, streams and beats among them."""


def measure(folder: Path, *, clients: int, browsers: int, seconds: float, warm_s: float = WARM_S) -> Measured:
    """Let viewers look for a while."""
    live = f"{NAME}-r9999-b1-t1-1"
    with Store.open(folder, create=False) as store:
        tournament = next(each for each in store.tournaments() if each.name == NAME)
        kinds = kinds_of(store, tournament, live)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    program = [sys.executable, "-m", "web.load", str(folder)]
    listening = listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    started = [
        subprocess.Popen([*program, "--serve", str(listening.fileno())], env=environment, pass_fds=[listening.fileno()])
    ]
    started.append(subprocess.Popen([*program, "--feed", live], env=environment))
    try:
        viewers = Viewers(f"http://127.0.0.1:{port}", kinds, warm_s)
        _wait(viewers.address, kinds)
        server = psutil.Process(started[0].pid)
        before = sum(server.cpu_times()[:2])
        with ThreadPoolExecutor(1) as thread:  # whoever calls may have a loop already
            thread.submit(asyncio.run, _all(viewers, clients, browsers, seconds)).result()
        took = sum(server.cpu_times()[:2]) - before
        return Measured(viewers.result(), viewers.heard, 1000 * took / max(1, viewers.asked))
    finally:
        for each in started:
            each.terminate()
        for each in started:
            each.wait(30)
        listening.close()


def _wait(address: str, kinds: list[Kind]) -> None:
    """Until every page has been there once: what is computed once only is not what is measured. Raises TimeoutError."""
    deadline = time.monotonic() + READY_S
    for kind in kinds:
        while True:
            try:
                answer = httpx2.get(address + kind.path, timeout=60)
                if answer.status_code == 200 and "data-again" not in answer.text:
                    break
                said = f"{answer.status_code} {kind.path}"
            except httpx2.TransportError as error:
                said = repr(error)
            if time.monotonic() > deadline:
                raise TimeoutError(said)
            time.sleep(0.3)


async def _all(viewers: Viewers, clients: int, browsers: int, seconds: float) -> None:
    until = time.monotonic() + seconds
    looking = [viewers.look(number, until) for number in range(clients)]
    await asyncio.gather(*looking, *(viewers.browse(number, until) for number in range(browsers)))


def feed(folder: Path, live: str) -> None:
    """Store games and tell moves until ended."""
    from secrecy.worlds import random_world
    from web.live.running import Running

    from arena import games

    with Store.open(folder, create=False) as store:
        tournament = store.tournament(NAME)
        assert tournament is not None
        match = games.make(*LONG)
        running = Running(folder, live, world=random_world(match, 1).world)
        try:
            missing = _missing(store, tournament)
            while True:
                for _ in range(3):
                    if running.made < len(running.world.moves) - 1:
                        running.move()
                    time.sleep(1 / 3)
                if batch := list(islice(missing, GAMES_A_SECOND)):
                    store.add_games(tournament.id, batch)
        finally:
            running.end()


def _missing(store: Store, tournament: Tournament) -> Iterator[StoredGame]:
    """Games of the last rounds, which nobody has stored, from the last one backwards."""
    schedule = stored_schedule(tournament)
    number = schedule.totals().rounds
    while (bouts := schedule.round(number)) is not None and number > 0:
        for bout in bouts:
            for key in sorted(keys_of(bout)):
                if store.game(public_id(tournament.name, key)) is not None:
                    continue  # told by an earlier run
                sides = [bout.side(key.board, key.seating, side) for side in range(2)]
                yield game(key, (sides[0], sides[1]) * 2, 5 * (key.board % 17 - 8), faulty=key.board % 50 == 0)
        number -= 1


def real_games(tournament: Tournament) -> Iterator[StoredGame]:
    """Games of a small tournament with transcripts as games have them: random moves, each board with its own cards."""
    for bout in stored_schedule(tournament).round(1) or ():
        for key in sorted(keys_of(bout)):
            board, played = seeded(key.board), []
            spots = random_match(GAME, 100 * key.board + 10 * key.table + key.seating, board)
            for spot in spots:
                if spot.seat is not None and spot.move is not None:
                    view = GAME.view(spot.state, spot.seat)
                    played.append(transcript.played(GAME, spot.seat, spot.move, view, 12))
            state = spots[-1].state
            scores = tuple(float(score) for score in GAME.scores(state))
            result = GameResult(Verdict.FINISHED, scores, GAME.ranks(state), (0, 0, 0, 0), (), ())
            bots = tuple(bout.side(key.board, key.seating, seat % 2) for seat in range(4))
            name = public_id(tournament.name, key)
            told = transcript.written(GAME, state, played, result, public_id=name, bots=bots)
            result = replace(result, transcript=transcript.to_data(told))
            yield StoredGame(key, bots, result, "A", 500, worker="host:1")


def prepared(folder: Path, blocks: int, bots: int = 8) -> None:
    """A store with so many blocks of a tournament that runs, and a small finished one, unless there is one."""
    if (folder / "arena.db").exists():
        return
    with Store.open(folder) as store:
        tournament = new_tournament(store, blocks + max(blocks // 50, 100), bots, NAME)
        store.set_state(tournament.id, State.RUNNING)
        games = games_of(tournament, blocks)
        while batch := list(islice(games, 5000)):
            store.add_games(tournament.id, batch)
        small = new_tournament(store, 60, 4, SMALL)
        store.set_state(small.id, State.RUNNING)
        store.add_games(small.id, list(real_games(small)))
        store.set_state(small.id, State.FINISHED)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--blocks", type=int, default=500_000)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--browsers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--feed", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve is not None:
        import socket

        serve(Site.open(Settings(given.folder, given.folder)), socket.socket(fileno=given.serve))
    elif given.feed:
        feed(given.folder, given.feed)
    else:
        prepared(given.folder, given.blocks)
        told = measure(given.folder, clients=given.clients, browsers=given.browsers, seconds=given.seconds)
        print(table(told.found), f"changes heard of: {told.heard}", sep="\n")  # noqa: T201
        print(f"the server, for each page or part: {told.server_ms:.1f} ms of a processor")  # noqa: T201


if __name__ == "__main__":
    main()
