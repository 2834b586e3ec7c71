"""What a game came to, for people."""

from __future__ import annotations

from arena.record.results import Verdict
from arena.web.games.replays import Replay
from arena.web.rendering import number


def results(replay: Replay) -> tuple[tuple[str, str], ...]:
    """(side, score), best first; nothing of a void game."""
    told = replay.transcript
    if told.verdict is Verdict.VOID:
        return ()
    rows = []
    for side, seats in zip(replay.sides, replay.game.sides, strict=True):
        score = told.scores[seats[0]]
        rows.append((told.ranks[seats[0]], side, number(score, 0 if float(score).is_integer() else 1)))
    return tuple((side, score) for _rank, side, score in sorted(rows, key=lambda row: row[0]))
