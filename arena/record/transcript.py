"""A transcript: all that happened in one game, as data and as JSON.

It holds its own inputs (ruleset, deals, moves) and what came of them (scores, ranks, faults), so that anyone can play
it again through the rules (`arena.record.replay`). Reading checks shape and types only, and says where something is
wrong; whether the rules agree is a matter of verification. Format: docs/formats.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

from arena import __version__
from arena.core import options
from arena.core.errors import TranscriptError
from arena.core.game import AnyGame, DealData, Seat
from arena.core.moves import Move
from arena.record.keys import view_key
from arena.record.reading import Reader
from arena.record.results import Fault, FaultClass, GameResult, Verdict

FORMAT = "arena.transcript/1"
DOCUMENT = "arena.replay/1"
"""The schema of the document that holds a transcript, as `arena replay show --json` and pages give it."""


class PlayedMove(NamedTuple):
    """One decision as it was played."""

    seat: Seat
    move: str
    """The move's text."""
    elapsed_ms: int
    view_key: str
    """Of the mover's view before the move; empty while it is sealed."""
    fault: str = ""
    """Code of the fault for which the default move was played instead of an answer; else empty."""
    note: str = ""
    """The bot's own note, for its author's eyes."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """One game. Everything by seat is in the order of seats."""

    arena: str
    """Version of the arena that wrote it."""
    game: str
    game_version: str
    ruleset: Mapping[str, Any]  # Any: JSON
    """All fields."""
    public_id: str
    bots: tuple[str, ...]
    """Names by seat."""
    deals: tuple[DealData, ...]
    """All that were dealt, passed-out ones too."""
    moves: tuple[PlayedMove, ...]
    verdict: Verdict
    scores: tuple[float, ...]
    ranks: tuple[int, ...]
    tiebreaks: tuple[int, ...]
    forfeits: tuple[tuple[Seat, str], ...]
    faults: tuple[Fault, ...]
    reason: str = ""
    """Why the game is void; else empty."""


def played(
    game: AnyGame, seat: Seat, move: Move, view: Any, elapsed_ms: float = 0, fault: str = "", note: str = ""
) -> PlayedMove:  # Any above: the view of whichever game is played
    """One move for a transcript, with its text and its view key."""
    return PlayedMove(seat, game.notation.text(move), round(elapsed_ms), view_key(view), fault, note)


def written(
    game: AnyGame, state: Any, moves: Iterable[PlayedMove], result: GameResult, *, public_id: str, bots: Iterable[str]
) -> Transcript:  # Any above: the last state of whichever game was played
    """The transcript of a game that was played to `state` with this result."""
    return Transcript(
        arena=__version__,
        game=game.id,
        game_version=game.version,
        ruleset=options.to_data(game.ruleset),
        public_id=public_id,
        bots=tuple(bots),
        deals=tuple(game.deal_data(deal) for deal in game.deals(state)),
        moves=tuple(moves),
        verdict=result.verdict,
        scores=tuple(result.scores),
        ranks=tuple(result.ranks),
        tiebreaks=tuple(result.tiebreaks),
        forfeits=tuple(result.forfeits),
        faults=tuple(result.faults),
        reason=result.reason,
    )


def without_words(transcript: Transcript) -> Transcript:
    """A transcript without what may tell of other boards that its bots played: notes, view keys, details of faults."""
    return replace(
        transcript,
        moves=tuple(move._replace(note="", view_key="") for move in transcript.moves),
        faults=tuple(fault._replace(detail="") for fault in transcript.faults),
    )


def to_data(transcript: Transcript) -> dict[str, Any]:
    """The transcript as JSON data. `fault`, `note` and `reason` are left out where empty."""
    data: dict[str, Any] = {"format": FORMAT}
    for field in fields(transcript):
        data[field.name] = getattr(transcript, field.name)
    data["ruleset"] = dict(transcript.ruleset)
    data["bots"] = list(transcript.bots)
    data["deals"] = [dict(deal) for deal in transcript.deals]
    data["moves"] = [_move_data(move) for move in transcript.moves]
    data["verdict"] = transcript.verdict.value
    for name in ("scores", "ranks", "tiebreaks"):
        data[name] = list(data[name])
    data["forfeits"] = [{"seat": seat, "code": code} for seat, code in transcript.forfeits]
    data["faults"] = [_fault_data(fault) for fault in transcript.faults]
    if not transcript.reason:
        del data["reason"]
    return data


def _move_data(move: PlayedMove) -> dict[str, Any]:
    return {name: value for name, value in move._asdict().items() if value != "" or name not in ("fault", "note")}


def _fault_data(fault: Fault) -> dict[str, Any]:
    return {
        "seat": fault.seat,
        "code": fault.code,
        "class": fault.fault_class.value,
        "turn": fault.turn,
        "elapsed_ms": fault.elapsed_ms,
        "detail": fault.detail,
    }


def to_json(transcript: Transcript) -> str:
    """One line of JSON with a line break at the end; equal transcripts have equal texts."""
    return json.dumps(to_data(transcript), separators=(",", ":"), ensure_ascii=True) + "\n"


def from_json(text: str | bytes, *, where: str = "") -> Transcript:
    """The transcript in a text. `where` (a path) begins the place in errors. Raises TranscriptError."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise TranscriptError(f"not JSON: {error}", where=where, fix="a transcript is one JSON object") from None
    return from_data(data, where=where)


def from_data(data: object, *, where: str = "") -> Transcript:
    """The transcript in JSON data. Raises TranscriptError naming the place of whatever is wrong."""
    top = Reader(data, where)
    version = top.text("format")
    if version != FORMAT:
        raise TranscriptError(f"format {version!r} cannot be read", where=top.place("format"), fix=f"expected {FORMAT}")
    top.only({field.name for field in fields(Transcript)} | {"format"})
    return Transcript(
        arena=top.text("arena"),
        game=top.text("game"),
        game_version=top.text("game_version"),
        ruleset=top.mapping("ruleset"),
        public_id=top.text("public_id"),
        bots=top.texts("bots"),
        deals=tuple(deal.whole() for deal in top.each("deals")),
        moves=tuple(_read_move(move) for move in top.each("moves")),
        verdict=Verdict(top.one_of("verdict", [verdict.value for verdict in Verdict])),
        scores=top.numbers("scores"),
        ranks=top.counts("ranks"),
        tiebreaks=top.counts("tiebreaks"),
        forfeits=tuple((item.count("seat"), item.text("code")) for item in top.each("forfeits")),
        faults=tuple(_read_fault(fault) for fault in top.each("faults")),
        reason=top.text("reason", ""),
    )


def _read_move(move: Reader) -> PlayedMove:
    move.only(set(PlayedMove._fields))
    return PlayedMove(
        seat=move.count("seat"),
        move=move.text("move"),
        elapsed_ms=move.count("elapsed_ms"),
        view_key=move.text("view_key"),
        fault=move.text("fault", ""),
        note=move.text("note", ""),
    )


def _read_fault(fault: Reader) -> Fault:
    return Fault(
        seat=fault.count("seat"),
        code=fault.text("code"),
        fault_class=FaultClass(fault.one_of("class", [kind.value for kind in FaultClass])),
        turn=fault.number("turn"),
        elapsed_ms=fault.count("elapsed_ms"),
        detail=fault.text("detail", ""),
    )
