"""What one process of a bot learns stays with it: nothing reaches its process of another seating, or of another seat.

What a bot could carry is looked for where the bot is started again, by the same program in every seating.
"""

from __future__ import annotations

import asyncio
import ctypes
import mmap
import os
import secrets
import shutil
import time
from dataclasses import replace
from pathlib import Path

import pytest
from runner.bouts import FOLDER, faulty, house, task
from sandbox.rows import GAME, Played, best, play_task

from arena import games
from arena.bots.launcher import Exit, Launcher
from arena.bots.sandbox.box import Bind
from arena.bots.sandbox.limits import Limits
from arena.bots.sandbox.means import Means
from arena.bots.sandbox.scripts import script_box
from arena.record.results import Verdict

pytestmark = [pytest.mark.needs("bwrap"), pytest.mark.needs("root")]

ROOK = games.make("crowsnest", {"max_hands": 1})
MARK = secrets.token_hex(8)


def carried(means: Means, folder: Path) -> Played:
    """One board in two seatings, and the bot's process started anew in between."""
    carrying = faulty({"1": ["do:traces.carries", 1], "told": {"mark": MARK, "boxed": means.boxed}}, name="hostile")
    shutil.copytree(FOLDER, folder / "bot", ignore=shutil.ignore_patterns("__pycache__"))
    bots = {"hostile": replace(carrying, folder=folder / "bot"), "other": house("random", 1)}
    return play_task(task(bots, 1, 2, ROOK), MARK, means, beside=False)


def test_nothing_crosses_from_one_seating_to_the_next(tmp_path: Path) -> None:
    played = carried(best(), tmp_path)
    assert played.tried == 2
    assert played.found == []
    assert [game.result.verdict for game in played.outcome.games] == [Verdict.FINISHED] * 2


def talked(means: Means) -> Played:
    """Two processes of one bot at one table, who know of a moment at which they want to talk."""
    told = {"at": time.time() + 9.0, "mark": MARK}
    bots = {
        "hostile": faulty({"1": ["do:traces.listens", 1], "told": told}, name="hostile"),
        "partner": faulty({"start": "do:traces.tells", "told": told}, name="partner"),
        "third": faulty(name="third"),
    }
    return play_task(task(bots, 1, game=GAME), MARK, means, beside=False)


def test_two_processes_cannot_talk_by_locks_or_watches() -> None:
    played = talked(best())
    assert played.tried == 1
    assert played.found == []


def in_memory(file: Path, page: int) -> bool:
    """Whether a page of a file is in memory; looking does not bring it there."""
    with file.open("r+b") as opened, mmap.mmap(opened.fileno(), 0) as mapped:
        first = ctypes.c_char.from_buffer(mapped)
        start = ctypes.addressof(first)
        del first
        answer = ctypes.create_string_buffer(1)
        assert ctypes.CDLL(None).mincore(ctypes.c_void_p(start + page * 4096), 4096, answer) == 0
        return bool(answer.raw[0] & 1)


@pytest.mark.parametrize(
    "act", ["os.pread(file, 1, 4096 * 300)", "os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)"]
)
def test_what_is_in_memory_of_a_file_does_not_tell_who_has_read_it(tmp_path: Path, act: str) -> None:
    """Neither by reading nor by dropping pages of a file that others see too is a word left behind."""
    file, reads = tmp_path / "data", "pread" in act
    file.write_bytes(secrets.token_bytes(4 << 20))
    with file.open("rb") as opened:
        os.fsync(opened.fileno())
        if reads:
            os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    if in_memory(file, 300) == reads:
        pytest.skip("this file system is in memory itself")
    (tmp_path / "box").mkdir()
    script = f"import os, sys\nfile = os.open(sys.argv[1], os.O_RDONLY)\nos.posix_fadvise(file, 0, 0, 1)\n{act}\n"
    (tmp_path / "box/script.py").write_text(script)

    means = best()

    async def run() -> Exit:
        launcher = await Launcher.open(means)
        try:
            box = script_box(tmp_path / "box", "script.py", "/data", Limits())
            process = await launcher.start_box(replace(box, binds=(*box.binds, Bind(str(file), "/data"))), None)
            return await process.exit
        finally:
            await launcher.close()

    ended = asyncio.run(run())
    assert ended.code == 0, ended
    assert in_memory(file, 300) != reads
