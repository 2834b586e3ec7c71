"""Rating tables as text."""

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from arena.cli.explaining import show_explanation
from arena.cli.flags import Flags
from arena.cli.output import Output
from arena.cli.standings import (
    beyond_ratings,
    field_notes,
    notes,
    show_combined,
    show_crosstable,
    show_table,
    show_table_csv,
    signed,
)
from arena.core.chance import Chance
from arena.games import make
from arena.rating import combined, combined_to_data, online, structure
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


def ring_of(boards: int) -> Iterator[GameRow]:
    """basic beats counter, counter beats random, random beats basic, three times of four."""
    for board in range(1, boards + 1):
        for number, pair in enumerate((("basic", "counter"), ("counter", "random"), ("random", "basic"))):
            won = board % 4 != number
            for seating in (0, 1):
                bots = (pair[seating], pair[1 - seating]) * 2
                own = 50 if won == (seating == 0) else 0
                ranks = (0, 1, 0, 1) if own else (1, 0, 1, 0)
                yield GameRow(
                    GameKey(1, board, number, seating), bots, Verdict.FINISHED, (own, 50 - own) * 2, ranks, (0,) * 4, ()
                )


def test_a_circle_is_told_below_the_table_with_a_column_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    made = table(ring_of(40), POOL, resamples=200)
    show_table(OUTPUT, made, structure=structure(made))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[-1] == "Nash"
    assert [line.split()[-1] for line in lines[1:4]] == ["33%"] * 3
    (told,) = [line for line in lines if line.startswith("ratings do not tell the whole story (p = 0.00")]
    assert "basic beats counter (75%), counter beats random (75%), random beats basic (75%)" in told
    assert any(line.startswith("Nash = ") for line in lines)


def test_a_field_without_a_circle_has_no_such_column(made: Table, capsys: pytest.CaptureFixture[str]) -> None:
    found = structure(made)
    assert found is not None
    show_table(OUTPUT, made, structure=found)
    assert "Nash" not in capsys.readouterr().out
    assert beyond_ratings(found) == []


def test_parts_clones_and_versions_are_named(made: Table) -> None:
    told = replace(
        made,
        parts=(("basic", "counter"), ("random", "x")),
        clones=(("basic", "random"),),
        families={"fox": ("fox@1", "fox@2")},
    )
    assert field_notes(told) == [
        "these bots never met, not even through others, so nothing compares them: "
        "part 1: basic, counter; part 2: random, x",
        "clones, behave identically, counted once in bands, P(best) and Nash: basic = random",
        "versions of one bot: fox: fox@1, fox@2",
    ]
    assert field_notes(made) == []


def test_a_combined_standing_says_how_it_was_made(made: Table, capsys: pytest.CaptureFixture[str]) -> None:
    other = replace(made, pool=Pool.of(make("goat"), "deal"))
    done = combined([made, other])
    show_combined(OUTPUT, done)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:3] == ["place", "bot", "rating"]
    assert "crowsnest" in lines[0]
    assert "goat" in lines[0]
    assert [line.split()[1] for line in lines[1:4]] == ["counter", "basic", "random"]
    assert lines[4].startswith("combined: the mean of the ratings in all pools")
    assert lines[5].startswith("provisional in a pool: counter (crowsnest, goat)")


def test_a_combined_standing_as_json_and_csv(made: Table, capsys: pytest.CaptureFixture[str]) -> None:
    done = combined([made])._replace(missing=(("cat", ("goat",)),))
    show_combined(replace(OUTPUT, flags=Flags(json=True)), done)
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "arena.combined/1"
    assert document["data"] == combined_to_data(done)
    show_combined(replace(OUTPUT, flags=Flags(csv=True)), done)
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [float(row["rating in crowsnest"]) for row in rows] == [row.ratings[0] for row in done.standings]
    show_combined(OUTPUT, done)
    assert "not placed: cat (no block in goat)" in capsys.readouterr().out


def explanation(flags: Flags, boards: int, capsys: pytest.CaptureFixture[str]) -> str:
    made = table(games(boards), POOL, resamples=0)
    changes = [change for change in online(made.blocks, POOL) if "basic" in change.block.bots]
    (standing,) = [row for row in made.standings if row.bot == "basic"]
    show_explanation(replace(OUTPUT, flags=flags), "basic", standing, changes, lambda block: f"cup-{block.id}-1")
    return capsys.readouterr().out


def test_few_blocks_are_explained_one_by_one(capsys: pytest.CaptureFixture[str]) -> None:
    lines = explanation(Flags(), 30, capsys).splitlines()
    assert lines[0].endswith("below: the live rating, block by block")
    assert lines[1].split() == ["block", "opponent", "score", "before", "->", "after"]
    assert len(lines) == 2 + 60
    assert lines[2].startswith("r1-b1-t0")
    assert " -> " in lines[2]


def test_many_blocks_are_explained_by_round_with_the_surprising_ones(capsys: pytest.CaptureFixture[str]) -> None:
    lines = explanation(Flags(), 60, capsys).splitlines()
    assert lines[0].endswith("below: the live rating, round by round")
    assert lines[2].split()[:2] == ["1", "120"]
    assert "of 120 blocks were surprising, the least likely first:" in lines[4]
    told = [line for line in lines if "arena replay show cup-r1-" in line]
    assert len(told) == int(lines[4].split()[0])
    assert all("surprising win (" in line or "surprising loss (" in line for line in told)


def test_an_explanation_as_csv_and_json_has_every_block(capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(explanation(Flags(csv=True), 60, capsys))))
    changes = json.loads(explanation(Flags(json=True), 60, capsys))["data"]["changes"]
    assert len(rows) == len(changes) == 120
    assert rows[0]["game"] == changes[0]["game"] == "cup-r1-b1-t0-1"
    surprising = [row["block"] for row in rows if row["surprising"] == "True"]
    assert surprising == [
        change["block"] for change in changes if any(b["surprising"] and b["bot"] == "basic" for b in change["bots"])
    ]
    assert all(float(row["chance"]) < 0.2 for row in rows if row["surprising"] == "True")
