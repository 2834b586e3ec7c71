"""`arena replay show`: one game as text, JSON or CSV, whole or as one seat saw it.

Does not know where the game came from. What a seat could not see (other hands, discards and drops of others, faults in
words that may name cards) is left out where a seat is given.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.cli.failure import one_line
from arena.cli.output import Output
from arena.cli.told import tell_faults
from arena.core.errors import ConfigError

if TYPE_CHECKING:
    from arena.record.results import Fault
    from arena.record.transcript import PlayedMove, Transcript

HEADINGS = ("turn", "seat", "bot", "move", "elapsed_ms", "fault")


class Eyes(NamedTuple):
    """How much of a game is asked for."""

    seat: int | None = None
    """Only what this seat saw."""
    turns: int | None = None
    """Only so many moves."""
    hands: bool = False
    notes: bool = False


def check_seat(bots: Sequence[str], seat: int) -> None:
    """Raises ConfigError USAGE unless a game of these bots has the seat."""
    if seat >= len(bots):
        fix = f"seats of this game: 0 to {len(bots) - 1}"
        raise ConfigError(f"no seat {seat}", where="--seat", fix=fix, code="USAGE")


def show_text(output: Output, transcript: Transcript, eyes: Eyes) -> None:
    """A game for people."""
    from arena.record.rendering import rendered

    short = replace(transcript, bots=tuple(bot.partition("@")[0] for bot in transcript.bots))
    for part in rendered(short, ascii_only=output.ascii, hands=eyes.hands, eyes=eyes.seat, turns=eyes.turns):
        output.write(part)
    tell_faults(output, list(faults_seen(transcript, eyes)), short.bots)
    noted = [(turn, move) for turn, move in moves_seen(transcript, eyes) if move.note]
    if eyes.notes:
        for turn, move in noted:
            output.line(f"note, turn {turn}, {short.bots[move.seat]}: {one_line(move.note)}")
    elif noted:
        output.note("the bots left notes: --notes shows them")


def show_rows(output: Output, transcript: Transcript, eyes: Eyes) -> None:
    """The moves of a game as CSV."""
    rows = [
        [turn, move.seat, transcript.bots[move.seat], move.move, move.elapsed_ms, move.fault]
        + ([one_line(move.note)] if eyes.notes else [])
        for turn, move in moves_seen(transcript, eyes)
    ]
    output.rows([*HEADINGS, "note"] if eyes.notes else HEADINGS, rows)


def seat_data(transcript: Transcript, seat: int, eyes: Eyes) -> dict[str, Any]:
    """What a seat knew before the move `eyes.turns` (by default at the end), and the moves until then, as JSON data."""
    from itertools import islice

    from arena.record.replay import game_of, replay

    game = game_of(transcript)
    moves = list(moves_seen(transcript, eyes))
    position = next(islice(replay(transcript), len(moves), None))
    return {
        "game": transcript.game,
        "public_id": transcript.public_id,
        "bots": list(transcript.bots),
        "seat": seat,
        "turn": len(moves),
        "view": game.view_data(game.view(position.state, seat)),
        "moves": [{"turn": turn, "seat": move.seat, "move": move.move, "fault": move.fault} for turn, move in moves],
    }


def moves_seen(transcript: Transcript, eyes: Eyes) -> Iterator[tuple[int, PlayedMove]]:
    """(turn, move) of all moves that are asked for; of hidden cards their number, of other seats no notes."""
    from arena.record.text import HIDDEN

    hidden = {kind.value for kind in HIDDEN}
    for turn, move in enumerate(transcript.moves[: eyes.turns]):
        if eyes.seat in (None, move.seat):
            yield turn, move
            continue
        kind, *cards = move.move.split()
        yield turn, move._replace(move=f"{kind} {len(cards)}" if kind in hidden else move.move, note="", view_key="")


def faults_seen(transcript: Transcript, eyes: Eyes) -> Iterator[Fault]:
    """The faults of the moves that are asked for; of other seats without the words, which may name their cards."""
    for fault in transcript.faults:
        if eyes.turns is None or fault.turn < eyes.turns:
            yield fault if eyes.seat in (None, fault.seat) else fault._replace(detail="")
