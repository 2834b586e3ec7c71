"""Measures: rules engines in process, and the referee with trivial bot processes and real views.

Figures depend on the machine; nothing here judges them. `python -m arena.runner.bench GAME AT_ONCE SECONDS FOLDER` is
one worker's part and prints its figures as JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from dataclasses import replace
from pathlib import Path

from arena import games
from arena.bots.folders import work_folder
from arena.bots.launcher import Launcher
from arena.bots.manifest import Bot, read_bot
from arena.bots.sandbox.means import NONE, Means
from arena.core.chance import Chance, digest
from arena.core.drivers import play_random
from arena.core.errors import ArenaFault
from arena.core.game import AnyGame, SeededBoard
from arena.match.clock import Clock
from arena.match.referee import MoveRecord, Table, play_game
from arena.runner.bench_figures import EngineFigures, RefereeFigures, quantile
from arena.runner.slot import Places, Slot
from arena.wire.player import RemotePlayer

TRIVIAL_BOT = Path(__file__).with_name("first")
WARM_UP_S = 0.5
CLOCK = Clock(bank_ms=60_000, increment_ms=1_000, cap_ms=10_000)


def measure_engine(game: AnyGame, seconds: float) -> EngineFigures:
    """Random games with views and legal moves for as long as asked."""
    played = decisions = 0
    began = time.perf_counter()
    while (elapsed := time.perf_counter() - began) < seconds:
        seed = digest(b"arena bench", game.id, played)
        for _step in play_random(game, SeededBoard(seed), Chance(seed, "moves")):
            decisions += 1
        played += 1
    return EngineFigures(game.id, played / elapsed, decisions / elapsed, decisions / played)


async def _measure(game: AnyGame, at_once: int, seconds: float, folder: Path, means: Means) -> tuple[int, list[float]]:
    """(decisions after the warm-up, their times in ms) of one referee with fresh processes of the bot in a folder."""
    launcher = await Launcher.open(means)
    loop = asyncio.get_running_loop()
    bot = replace(read_bot(folder), concurrent_games=at_once)
    family = games.catalog()[game.id].family
    times: list[float] = []
    with work_folder() as sockets:
        slots = [Slot(f"seat{seat}", bot, launcher, Places(sockets, None)) for seat in range(game.seats)]
        sessions = await asyncio.gather(*(slot.session() for slot in slots))
        at_once = min(at_once, *(session.concurrent_games for session in sessions))
        began = loop.time() + WARM_UP_S
        until = began + seconds

        def watch(record: MoveRecord, _state: object) -> None:
            now = loop.time()
            if began <= now < until:
                times.append(record.elapsed_ms)

        async def play(first: int) -> None:
            number = first
            while loop.time() < until:
                seed = digest(b"arena bench", game.id, number)
                players = [RemotePlayer(session, family) for session in sessions]
                played = await play_game(Table(game, SeededBoard(seed), players, range(game.seats), CLOCK, watch=watch))
                if played.result.faults:
                    raise ArenaFault(f"{bot.name} was faulted: {played.result.faults[0]}")
                number += at_once

        try:
            await asyncio.gather(*(play(first) for first in range(at_once)))
        finally:
            await asyncio.gather(*(slot.close() for slot in slots))
            await launcher.close()
    return len(times), times


async def measure_referee(
    game_id: str, at_once: int, workers: int, seconds: float, bot: Bot | None = None, means: Means = NONE
) -> RefereeFigures:
    """The referee's figures for `at_once` games spread over worker processes, each with its own processes of a bot.

    The bot must be built; without one it is the trivial bot.
    """
    folder = bot.folder if bot is not None else TRIVIAL_BOT
    shares = [at_once // workers + (worker < at_once % workers) for worker in range(workers)]
    parts = await asyncio.gather(*(_in_a_worker(game_id, share, seconds, folder, means) for share in shares if share))
    times = sorted(time_ms for part in parts for time_ms in part)
    if not times:
        raise ArenaFault(f"not one decision of {game_id} in {seconds:g} s")
    p50, p99 = quantile(times, 0.5), quantile(times, 0.99)
    name = bot.name if bot is not None else TRIVIAL_BOT.name
    return RefereeFigures(game_id, name, at_once, workers, len(times) / seconds, p50, p99, len(times))


async def _in_a_worker(game_id: str, at_once: int, seconds: float, folder: Path, means: Means) -> list[float]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "arena.runner.bench",
        game_id,
        str(at_once),
        str(seconds),
        str(folder),
        json.dumps(means.to_data()),
        stdout=asyncio.subprocess.PIPE,
        limit=2**28,
    )
    output, _ = await process.communicate()
    if process.returncode != 0:
        raise ArenaFault(f"a worker of the measurement ended with status {process.returncode}")
    return list(json.loads(output))


if __name__ == "__main__":
    _game, _at_once, _seconds, _folder, _how = sys.argv[1:]
    _means = Means.from_data(json.loads(_how))
    _decisions, _times = asyncio.run(_measure(games.make(_game), int(_at_once), float(_seconds), Path(_folder), _means))
    sys.stdout.write(json.dumps(_times))
