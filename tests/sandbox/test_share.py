"""A bot that burns all the time it gets, in its opponents' turns too: they think as fast as without it."""

from __future__ import annotations

import statistics

import pytest
from sandbox.rows import SEAT, SLACK, Played, Row, best, play

from arena.record.results import Verdict

pytestmark = [pytest.mark.long, pytest.mark.timed, pytest.mark.needs("bwrap"), pytest.mark.needs("root")]
BOARDS = 40
PROMISED = 0.10
"""By how much the slow end of the opponents' moves may be slower."""
ROOM_MS = 5.0
"""What one process more or less on the machine does to it."""


def times(played: Played) -> list[float]:
    """Milliseconds of the opponents' moves, but for the first game."""
    games = [game for game in played.outcome.games if game.key.board > 1]
    moves = [move for game in games for move in game.result.transcript["moves"]]
    return [move["elapsed_ms"] for move in moves if move["seat"] != SEAT]


def test_opponents_are_as_fast_as_beside_an_honest_bot(capsys: pytest.CaptureFixture[str]) -> None:
    assert best().groups
    calm = play(Row({}, boards=BOARDS), beside=False)
    burning = play(Row({"2": ["do:greed.spins", 1]}, told={"spin_s": 60.0}, boards=BOARDS), beside=False)
    assert all(game.result.verdict is Verdict.FINISHED for game in burning.outcome.games)
    [ending] = burning.exits
    assert ending.cpu_s <= 1.1 * burning.took_s
    before, after = (statistics.quantiles(times(played), n=100)[98] for played in (calm, burning))
    with capsys.disabled():
        print(f"\nopponents' 99th percentile: {before:.1f} ms, beside a burning bot {after:.1f} ms")  # noqa: T201
    assert after <= before * (1 + SLACK * PROMISED) + ROOM_MS
