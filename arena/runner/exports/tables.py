"""Games and blocks as rows of a table: CSV, and Parquet through DuckDB. One column holds one thing, of one type."""

from __future__ import annotations

import csv
import importlib.util
import itertools
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

from arena.core.errors import ArenaFault, ConfigError
from arena.rating.blocks import Block, sort_out
from arena.rating.pool import Pool
from arena.rating.tables import without
from arena.record.results import GameRow
from arena.runner.exports.leaving import Leaving
from arena.runner.exports.records import time_text

Columns = Mapping[str, str]
"""Name -> type, as DuckDB names it."""


class Sheet(NamedTuple):
    """A table that is made row by row."""

    columns: Columns
    rows: Iterable[tuple[Any, ...]]


def games_sheet(tournament: str, games: Iterable[Leaving], seats: int) -> Sheet:
    """One row for each game."""
    columns = {
        "game": "VARCHAR", "tournament": "VARCHAR", "round": "INTEGER", "board": "BIGINT", "table": "INTEGER",
        "seating": "INTEGER", "verdict": "VARCHAR", "tier": "VARCHAR", "worker": "VARCHAR", "attempt": "INTEGER",
        "elapsed_ms": "BIGINT", "stored": "TIMESTAMPTZ", "faults": "INTEGER",
    }  # fmt: skip
    by_seat = {"bot": "VARCHAR", "score": "DOUBLE", "rank": "INTEGER", "tiebreak": "DOUBLE", "fault_codes": "VARCHAR"}
    for seat in range(seats):
        columns |= {f"{name}{seat}": kind for name, kind in by_seat.items()}
    return Sheet(columns, (_game_row(tournament, each, seats) for each in games))


def _game_row(tournament: str, leaving: Leaving, seats: int) -> tuple[Any, ...]:
    info, row = leaving.info, leaving.info.row
    cells: list[Any] = [
        info.public_id, tournament, *row.key, row.verdict.value, info.tier, info.worker, info.attempt, info.elapsed_ms,
        time_text(info.stored), len(row.faults),
    ]  # fmt: skip
    for seat in range(seats):
        codes = " ".join(code for at, code in row.faults if at == seat)
        counted = bool(row.scores)  # a game for which nobody could start has none
        cells += [
            row.bots[seat],
            row.scores[seat] if counted else None,
            row.ranks[seat] if counted else None,
            row.tiebreaks[seat] if counted else None,
            codes,
        ]
    return tuple(cells)


def blocks_sheet(tournament: str, rows: Iterable[GameRow], pool: Pool, out: Mapping[str, str]) -> Sheet:
    """One row for each complete block that counts; competitors in the order of their names."""
    columns = {"tournament": "VARCHAR", "round": "INTEGER", "board": "BIGINT", "table": "INTEGER"}
    for place in range(len(pool.sides)):
        columns |= {f"bot{place}": "VARCHAR", f"score{place}": "DOUBLE", f"swing{place}": "DOUBLE"}
        columns |= {f"tiebreak{place}": "DOUBLE", f"rank{place}": "INTEGER"}
    return Sheet(columns, (_block_row(tournament, block) for block in _blocks(rows, pool, out)))


def _blocks(rows: Iterable[GameRow], pool: Pool, out: Mapping[str, str]) -> Iterator[Block]:
    """The blocks of one round after the other: a block lies in one round."""
    for _, games in itertools.groupby(without(rows, out), key=lambda row: row.key.round):
        yield from sort_out(games, pool).blocks


def _block_row(tournament: str, block: Block) -> tuple[Any, ...]:
    by_place = zip(block.bots, block.scores, block.swings, block.tiebreaks, block.ranks, strict=True)
    return (tournament, block.round, block.board, block.table, *itertools.chain.from_iterable(by_place))


def write_csv(sheet: Sheet, target: IO[str]) -> None:
    """CSV with a line of headings; absent is empty."""
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(sheet.columns)
    writer.writerows(sheet.rows)


def require_duckdb(what: str) -> None:
    """Raises ConfigError NO_EXTRA unless DuckDB is installed."""
    if importlib.util.find_spec("duckdb") is None:
        raise ConfigError(
            f"{what} needs DuckDB, which is not installed",
            where="--format parquet",
            fix="pip install 'card-arena[analysis]', or --format csv",
            code="NO_EXTRA",
        )


def write_parquet(sheet: Sheet, target: Path) -> None:
    """Parquet; goes through a CSV file beside it, so that memory stays flat.

    Raises ConfigError NO_EXTRA, ArenaFault DISK_FULL.
    """
    require_duckdb("Parquet")
    import duckdb

    between = target.with_name(f"{target.name}.csv")
    try:
        with between.open("w", encoding="utf-8", newline="") as opened:
            write_csv(sheet, opened)
        with duckdb.connect() as connection:
            connection.execute("SET TimeZone = 'UTC'")
            source = connection.read_csv(str(between), header=True, columns=dict(sheet.columns), parallel=False)
            source.write_parquet(str(target), compression="zstd")
    except duckdb.Error as error:
        raise ArenaFault(f"the file cannot be written: {error}", where=str(target), code="DISK_FULL") from error
    finally:
        between.unlink(missing_ok=True)
