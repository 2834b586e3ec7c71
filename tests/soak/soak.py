"""Plays thousands of games in boxes, faulty bots among them, and watches what the arena holds meanwhile.

    python tests/soak/soak.py [--games 10000] [--sandbox auto|none] [--every 500]

One launcher plays bout after bout, as a worker does: house bots against a bot that crashes, is too greedy, talks
rubbish, leaves processes behind, or is honest, in turn. Between bouts nothing runs, and what is held is counted:
memory, processes, descriptors, control groups, temporary files. It ends with a table, a line of JSON, and status 1
when something has grown.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import secrets
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import psutil

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from runner.bouts import PATIENT, faulty, house
from sandbox.rows import groups_of, named

from arena import games
from arena.bots.launcher import Launcher
from arena.bots.sandbox.means import Means
from arena.core import options
from arena.record.results import Bout
from arena.runner.bout import BoutTask, Listener, play_bout
from arena.runner.means import means_for
from arena.store.values import StoredGame

GAME = games.make("crow_and_pitcher", {"rounds": 1, "players": 3})
BOARDS = 25
AT_ONCE = 8
LATER = 12
"""The game of its process in which a bot misbehaves."""
PLANS: dict[str, dict[str, Any]] = {
    "honest": {},
    "leaves": {str(LATER): ["exit", 1]},
    "segfault": {str(LATER): ["segfault", 1]},
    "rubbish": {str(LATER): ["garbage", 3], str(LATER + 1): ["too_high", 1]},
    "memory": {str(LATER): ["do:greed.memory", 1]},
    "disconnect": {str(LATER): ["disconnect", 1]},
    "files": {str(LATER): ["do:greed.inodes", 1], str(LATER + 1): ["do:greed.disk", 1]},
    "hides": {str(LATER): ["do:greed.hides", 1]},
    "forks": {str(LATER): ["do:greed.forks", 1]},
    "output": {str(LATER): ["do:greed.output", 1], "told": {"output_mib": 20}},
    "never begins": {"start": "exits"},
    "burns and leaves": {str(LATER): ["do:greed.spins", 1], str(LATER + 2): ["exit", 1]},
    "floods": {str(LATER): ["do:probes.floods_its_seat", 1], str(LATER + 1): ["stale", 3]},
}
"""What the bots among the house bots do, bout after bout."""
MEMORY_GROWTH = 1.10
MEMORY_ROOM = 8 * 2**20
"""So much more memory than after the first tenth is no growth."""


class Held(NamedTuple):
    """What the arena holds at one moment between two bouts."""

    games: int
    seconds: float
    memory: int
    """Resident bytes of this process."""
    launcher_memory: int
    processes: int
    """Below this process: the launcher."""
    threads: int
    descriptors: int
    launcher_descriptors: int
    groups: int
    files: int
    """In the folder for temporary files."""


async def soak(total: int, means: Means, every: int) -> tuple[list[Held], Counter[str]]:
    """Play at least so many games; what was held after every so many, and how the games ended."""
    launcher = await Launcher.open(means)
    held: list[Held] = []
    ended: Counter[str] = Counter()
    mark = f"soak-{secrets.token_hex(8)}"
    began = time.monotonic()

    def note(game: StoredGame) -> None:
        ended["games"] += 1
        for _seat, code in game.result.forfeits or ((-1, game.result.verdict.value),):
            ended[code] += 1

    try:
        number = 0
        while ended["games"] < total:
            async with asyncio.TaskGroup() as both:
                for _ in range(2):
                    both.create_task(play_bout(bout(number, mark), launcher, Listener(note)))
                    number += 1
            if ended["games"] >= total or ended["games"] // every > (held[-1].games // every if held else 0):
                await _settle(mark)
                held.append(look(ended["games"], time.monotonic() - began, launcher))
                print(row_text(held[-1]), flush=True)  # noqa: T201
    finally:
        await launcher.close()
    return held, ended


def bout(number: int, mark: str) -> BoutTask:
    """A bout of house bots and one bot of PLANS."""
    name = list(PLANS)[number % len(PLANS)]
    plan = {**PLANS[name], "mark": mark, "told": {**PLANS[name].get("told", {}), "mark": mark}}
    bots = {
        "faulty": faulty(plan, AT_ONCE),
        "first": replace(house("random", AT_ONCE), name="first"),
        "second": replace(house("random", AT_ONCE), name="second"),
    }
    return BoutTask(
        bout=Bout(1, number + 1, tuple(bots), tuple(range(1, BOARDS + 1)), ((0, 1, 2),) * BOARDS, 1),
        game=GAME.id,
        options=options.to_data(GAME.ruleset),
        secret=number.to_bytes(32, "big"),
        bots=bots,
        clock=PATIENT,
        start_limit_s=60.0,
    )


async def _settle(mark: str) -> None:
    """Wait until the last bot is gone, no longer than 5 s."""
    deadline = time.monotonic() + 5.0
    while named(mark) and time.monotonic() < deadline:
        await asyncio.sleep(0.05)
    gc.collect()


def look(played: int, seconds: float, launcher: Launcher) -> Held:
    """What is held now."""
    own, other = psutil.Process(), psutil.Process(launcher._process.pid)
    return Held(
        games=played,
        seconds=round(seconds, 1),
        memory=own.memory_info().rss,
        launcher_memory=other.memory_info().rss,
        processes=len(own.children(recursive=True)),
        threads=own.num_threads(),
        descriptors=own.num_fds(),
        launcher_descriptors=other.num_fds(),
        groups=len(groups_of(other.pid)) if launcher.means.groups else 0,
        files=sum(1 for _ in Path(tempfile.gettempdir()).rglob("*")),
    )


def grown(held: Sequence[Held]) -> list[str]:
    """What there is more of at the end than after the first tenth, beyond what is allowed."""
    first, last = held[len(held) // 10], held[-1]
    found = []
    for name in ("memory", "launcher_memory"):
        before, after = getattr(first, name), getattr(last, name)
        if after > before * MEMORY_GROWTH + MEMORY_ROOM:
            found.append(f"{name}: {before >> 20} MiB, then {after >> 20} MiB")
    for name in ("processes", "threads", "descriptors", "launcher_descriptors", "groups", "files"):
        before, after = getattr(first, name), getattr(last, name)
        if after > before + (4 if name in ("threads", "descriptors") else 0):
            found.append(f"{name}: {before}, then {after}")
    return found


HEADINGS = ("games", "s", "MiB", "MiB launcher", "processes", "threads", "fds", "fds launcher", "groups", "files")


def row_text(held: Held) -> str:
    """A row of the table."""
    shown = held._replace(memory=held.memory >> 20, launcher_memory=held.launcher_memory >> 20)
    return "  ".join(f"{value:>{len(heading)}}" for value, heading in zip(shown, HEADINGS, strict=True))


def run(total: int, sandbox: str, every: int) -> tuple[list[Held], Counter[str]]:
    """Soak in a temporary folder of its own."""
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        Path(folder).chmod(0o711)
        old, tempfile.tempdir = tempfile.tempdir, folder
        surroundings = os.environ.get("TMPDIR")
        os.environ["TMPDIR"] = folder
        try:
            means = asyncio.run(means_for("none" if sandbox == "none" else "auto", ()))
            return asyncio.run(soak(total, means, every))
        finally:
            tempfile.tempdir = old
            if surroundings is None:
                del os.environ["TMPDIR"]
            else:
                os.environ["TMPDIR"] = surroundings


def main() -> None:
    """Run as a script."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--every", type=int, default=500, help="games between two looks")
    parser.add_argument("--sandbox", choices=("auto", "none"), default="auto")
    words = parser.parse_args()
    print("  ".join(HEADINGS))  # noqa: T201
    held, ended = run(words.games, words.sandbox, words.every)
    found = grown(held)
    last = held[-1]
    rate = round(last.games / last.seconds, 1)
    print(json.dumps({"rate": rate, "ended": dict(ended), "grown": found, "last": last._asdict()}))  # noqa: T201
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
