"""Rating tables as text."""

import csv
import io
from collections.abc import Iterator

import pytest

from arena.cli.flags import Flags
from arena.cli.output import Output
from arena.cli.standings import notes, show_crosstable, show_table, show_table_csv, signed
from arena.core.chance import Chance
from arena.games import make
from arena.rating.crosstables import crosstable
from arena.rating.pool import Pool
from arena.rating.tables import Table, table
from arena.record.results import GameKey, GameRow, Verdict

OUTPUT = Output(Flags(), stdout_color=False, stderr_color=False, ascii=False)
POOL = Pool.of(make("crowsnest"), "deal")
STRENGTH = {"counter": 40, "basic": 20, "random": -40}


def games(boards: int) -> Iterator[GameRow]:
    """Every pair on every board in both seatings; scores are strength and luck of the board."""
    pairs = [("basic", "counter"), ("basic", "random"), ("counter", "random")]
    for board in range(1, boards + 1):
        for number, pair in enumerate(pairs):
            for seating in (0, 1):
                bots = (pair[seating], pair[1 - seating]) * 2
                luck = Chance(b"luck", board, number, seating).below(60)
                own, other = STRENGTH[bots[0]] + luck, STRENGTH[bots[1]] - luck
                ranks = (0, 1, 0, 1) if own > other else (1, 0, 1, 0)
                key = GameKey(1, board, number, seating)
                yield GameRow(key, bots, Verdict.FINISHED, (own, other) * 2, ranks, (0,) * 4, ())


@pytest.fixture(scope="module")
def made() -> Table:
    return table(games(40), POOL, resamples=50)


def test_a_table_has_the_look_of_all_tables(made: Table, capsys: pytest.CaptureFixture[str]) -> None:
    show_table(OUTPUT, made, best=False)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split("  ")[0] == "place"
    assert [part.strip() for part in lines[0].split("  ") if part.strip()] == [
        "place",
        "bot",
        "rating",
        "95 % interval",
        "points/block",
        "W-D-L",
        "blocks",
        "faults",
    ]
    assert lines[1].split()[:2] == ["1", "counter"]
    assert lines[3].split()[1] == "random"
    assert " .. " in lines[1]
    assert " ± " in lines[1]
    assert lines[1].split()[-2:] == ["80", "0"]
    assert lines[4] == "provisional: fewer than 100 blocks each"


def test_places_that_are_not_separated_are_explained() -> None:
    made = table(games(3), POOL, resamples=20)
    assert notes(made)[0].startswith("1-3 = 3 boards do not separate them.")


def test_csv_has_unrounded_numbers(made: Table, capsys: pytest.CaptureFixture[str]) -> None:
    show_table_csv(OUTPUT, made)
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [float(row["rating"]) for row in rows] == [row.rating for row in made.standings]
    assert rows[0]["provisional"].startswith("80 of 100 blocks")


def test_a_crosstable_marks_cells_of_few_blocks(capsys: pytest.CaptureFixture[str]) -> None:
    show_crosstable(OUTPUT, crosstable(games(20), POOL))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["against", "counter", "basic", "random"]
    assert lines[1].split()[:3] == ["counter", "-", lines[1].split()[2]]
    assert lines[1].split()[2].startswith("*+")
    assert lines[-1] == "* fewer than 30 blocks"


def test_nothing_is_minus_zero() -> None:
    assert [signed(value) for value in (-0.04, 0.0, 3.25, -28.3)] == ["+0.0", "+0.0", "+3.2", "-28.3"]
