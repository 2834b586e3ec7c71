"""What one process of a bot learns stays with it: nothing reaches its process of another seating, or of another seat.

What a bot could carry is looked for where the bot is started again, by the same program in every seating.
"""

from __future__ import annotations

import secrets
import shutil
import time
from dataclasses import replace
from pathlib import Path

import pytest
from runner.bouts import FOLDER, faulty, house, task
from sandbox.rows import GAME, Played, best, play_task

from arena import games
from arena.bots.sandbox.means import Means
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
