"""A whole recorded game told from its first card to its scores, by the narrator."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from arena.core.game import Seat
from arena.record.replay import game_of, replay
from arena.record.text import Narrator
from arena.record.transcript import Transcript


def rendered(
    transcript: Transcript,
    *,
    board: str = "",
    ascii_only: bool = False,
    hands: bool = False,
    eyes: Seat | None = None,
    turns: int | None = None,
) -> Iterator[str]:
    """The text of a whole game in pieces; with `turns` only so many moves of it. Raises TranscriptError."""
    game = game_of(transcript)
    narrator = Narrator(game, transcript.bots, ascii_only=ascii_only, hands=hands, eyes=eyes)
    positions = replay(transcript)
    first = next(positions)
    yield narrator.opening(first.state, board)
    last = first
    for position, after in pairwise(_again(first, positions)):
        if position.number == turns:
            break
        assert position.seat is not None
        assert position.move is not None
        assert position.played is not None
        yield narrator.move(position.state, position.seat, position.move, after.state, position.played.fault)
        last = after
    if last.played is None:
        yield narrator.ending(last.state, transcript)
    else:
        yield narrator.holding(last.state)


def _again(first: Any, rest: Iterator[Any]) -> Iterator[Any]:  # Any: positions
    yield first
    yield from rest
