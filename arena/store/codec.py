"""Values <-> columns: JSON texts, compressed transcripts. Knows the tables' columns, runs no query."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from arena.record.results import Fault, FaultClass, GameKey, GameResult, GameRow, Verdict
from arena.store.models import FaultTable, GameTable
from arena.store.pruning import MARK
from arena.store.values import FaultInfo, GameInfo, StoredGame, public_id

ROW_COLUMNS = (
    GameTable.id,
    GameTable.round,
    GameTable.board,
    GameTable.table,
    GameTable.seating,
    GameTable.bots,
    GameTable.verdict,
    GameTable.scores,
    GameTable.ranks,
    GameTable.tiebreaks,
)
"""What `row_of` needs, in this order."""
INFO_COLUMNS = (
    *ROW_COLUMNS,
    GameTable.public_id,
    GameTable.forfeits,
    GameTable.tier,
    GameTable.attempt,
    GameTable.elapsed_ms,
    GameTable.stored,
    GameTable.worker,
)
"""What `info_of` needs besides the tournament's name."""
FAULT_COLUMNS = (
    FaultTable.seat,
    FaultTable.code,
    FaultTable.fault_class,
    FaultTable.turn,
    FaultTable.elapsed_ms,
    FaultTable.detail,
    FaultTable.process,
)
"""What `fault_of` needs."""
ORDER = (GameTable.round, GameTable.board, GameTable.table, GameTable.seating)
"""The canonical order."""
FAULT_INFO_COLUMNS = (
    GameTable.public_id,
    *ORDER,
    FaultTable.seat,
    FaultTable.bot,
    FaultTable.version,
    FaultTable.code,
    FaultTable.fault_class,
    FaultTable.turn,
    FaultTable.elapsed_ms,
    FaultTable.detail,
)
"""What `fault_info_of` needs, of faults joined with their games."""


VERDICTS = {each.value: each for each in Verdict}


def text_of(data: object) -> str:
    """Compact JSON. Raises ValueError for NaN, which no result may contain."""
    return json.dumps(data, separators=(",", ":"), allow_nan=False)


def packed(transcript: Mapping[str, Any]) -> bytes:
    """A transcript as compressed JSON."""
    return zlib.compress(text_of(transcript).encode())


def unpacked(data: bytes) -> dict[str, Any]:
    """The transcript again."""
    transcript: dict[str, Any] = json.loads(zlib.decompress(data))
    return transcript


def storable(text: str) -> str:
    """Text from outside without what a database refuses: NUL and lone surrogates are written out."""
    return text.replace("\0", "\\x00").encode("utf-8", "backslashreplace").decode()


def game_columns(tournament_id: int, tournament: str, game: StoredGame, now: datetime) -> dict[str, Any]:
    """The row of a game."""
    result = game.result
    return {
        "tournament_id": tournament_id,
        **game.key._asdict(),
        "public_id": public_id(tournament, game.key),
        "bots": text_of(game.bots),
        "verdict": result.verdict.value,
        "scores": text_of(result.scores),
        "ranks": text_of(result.ranks),
        "tiebreaks": text_of(result.tiebreaks),
        "forfeits": text_of(result.forfeits),
        "tier": game.tier,
        "attempt": game.attempt,
        "elapsed_ms": game.elapsed_ms,
        "stored": now,
        "worker": game.worker,
    }


def fault_columns(game_id: int, game: StoredGame, versions: Mapping[str, str]) -> list[dict[str, Any]]:
    """The rows of a game's faults, numbered in their order."""
    return [
        {
            "game_id": game_id,
            "number": number,
            "seat": fault.seat,
            "bot": game.bots[fault.seat],
            "version": versions[game.bots[fault.seat]],
            "code": fault.code,
            "fault_class": fault.fault_class.value,
            "turn": fault.turn,
            "elapsed_ms": fault.elapsed_ms,
            "detail": storable(fault.detail),
            "process": storable(fault.process),
        }
        for number, fault in enumerate(game.result.faults)
    ]


def row_of(row: Sequence[Any], faults: Sequence[tuple[int, str]]) -> GameRow:
    """A game as tables and schedules need it, from ROW_COLUMNS."""
    _, round_, board, table, seating, bots, verdict, scores, ranks, tiebreaks = row[: len(ROW_COLUMNS)]
    return GameRow(
        GameKey(round_, board, table, seating),
        list_of(bots),
        VERDICTS[verdict],
        list_of(scores),
        list_of(ranks),
        list_of(tiebreaks),
        tuple(faults),
    )


@lru_cache(maxsize=1 << 16)
def list_of(text: str) -> tuple[Any, ...]:  # Any: names or numbers
    """A list of names or numbers from its JSON. In many games few are different, and equal ones share their memory."""
    return tuple(json.loads(text))


def info_of(row: Sequence[Any], tournament: str, faults: Sequence[tuple[int, str]]) -> GameInfo:
    """A game without its transcript, from INFO_COLUMNS."""
    name, forfeits, tier, attempt, elapsed_ms, stored, worker = row[len(ROW_COLUMNS) : len(INFO_COLUMNS)]
    return GameInfo(
        public_id=name,
        tournament=tournament,
        row=row_of(row, faults),
        forfeits=tuple((seat, code) for seat, code in json.loads(forfeits)),
        tier=tier,
        attempt=attempt,
        elapsed_ms=elapsed_ms,
        stored=stored,
        worker=worker,
    )


def fault_of(row: Sequence[Any]) -> Fault:
    """A fault from FAULT_COLUMNS."""
    seat, code, fault_class, turn, elapsed_ms, detail, process = row
    return Fault(seat, code, FaultClass(fault_class), turn, elapsed_ms, detail, process)


def fault_info_of(row: Sequence[Any]) -> FaultInfo:
    """A fault with its game, from FAULT_INFO_COLUMNS."""
    name, round_, board, table, seating, seat, bot, version, code, kind, *rest = row
    return FaultInfo(name, GameKey(round_, board, table, seating), seat, bot, version, code, FaultClass(kind), *rest)


def stored_of(info: GameInfo, faults: Sequence[Fault], data: bytes) -> StoredGame:
    """The whole game again, equal to what was stored."""
    row = info.row
    result = GameResult(
        verdict=row.verdict,
        scores=row.scores,
        ranks=row.ranks,
        tiebreaks=row.tiebreaks,
        forfeits=info.forfeits,
        faults=tuple(faults),
        transcript={} if data.startswith(MARK) else unpacked(data),
    )
    return StoredGame(
        key=row.key,
        bots=row.bots,
        result=result,
        tier=info.tier,
        elapsed_ms=info.elapsed_ms,
        attempt=info.attempt,
        worker=info.worker,
    )
