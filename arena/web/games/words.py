"""Transcripts with no more of what bots said than may be read."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from arena.core.game import Seat
from arena.record.transcript import Transcript


def with_notes_of(transcript: Transcript, seats: Collection[Seat]) -> Transcript:
    """A transcript in which only these seats' notes are left."""
    moves = tuple(move if move.seat in seats or not move.note else move._replace(note="") for move in transcript.moves)
    return replace(transcript, moves=moves)
