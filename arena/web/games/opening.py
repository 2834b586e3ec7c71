"""A transcript that somebody sends to look at: checked by the rules, made into one HTML file, and not kept.

What is sent may be anything: its size, its number of moves and its texts are bounded before it is played.
"""

from __future__ import annotations

import json

from arena.core.errors import TranscriptError
from arena.record.replay import verify
from arena.record.transcript import DOCUMENT, Transcript, from_data
from arena.web.games.replays import Replay
from arena.web.games.shown import Shown
from arena.web.games.source import Open

MOVES = 1500
"""So many moves are played for somebody who looks."""
NAME, WORDS = 100, 4096
"""Characters of a name, and of a note or another text."""
FIX = "arena replay verify FILE says more; arena replay export FILE game.html needs no server"


def sent(body: bytes) -> Shown:
    """The game in a file with a transcript. Raises TranscriptError for what is none, or is too large."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise TranscriptError("this is no transcript: no JSON", where="the file", fix=FIX) from None
    if isinstance(data, dict) and data.get("schema") == DOCUMENT:
        data = data.get("data")
    try:
        transcript = from_data(data, where="the file")
        _bounded(transcript)
        verify(transcript)
    except TranscriptError as error:
        raise TranscriptError(error.message, where=error.where, fix=error.fix or FIX) from None
    except (LookupError, ValueError, TypeError, OverflowError, RecursionError) as error:
        raise TranscriptError(f"it cannot be played: {type(error).__name__}", where="the file", fix=FIX) from None
    notes = frozenset(range(len(transcript.bots)))
    return Shown(Open(transcript.public_id, transcript, notes=notes), Replay.of(transcript), links=False, notes=notes)


def _bounded(transcript: Transcript) -> None:
    """Raises TranscriptError for more than is played here."""
    names = (*transcript.bots, transcript.public_id, transcript.arena)
    words = [move.note for move in transcript.moves] + [fault.detail for fault in transcript.faults]
    words += [*(move.move for move in transcript.moves), *(fault.code for fault in transcript.faults)]
    for what, many, most in (
        ("moves", len(transcript.moves), MOVES),
        ("faults", len(transcript.faults), MOVES),
        ("letters of a name", max(map(len, names)), NAME),
        ("letters of a text", max(map(len, words), default=0), WORDS),
    ):
        if many > most:
            raise TranscriptError(f"{many} {what}: more than {most} are not played here", where="the file", fix=FIX)
