"""Partner tables and the partner pool as text."""

import pytest
from rating.mixed import MIXED, mixed_block, whist_field

from arena.cli.flags import Flags
from arena.cli.output import Output
from arena.cli.partnering import partner_notes, show_partners, show_strangers
from arena.cli.standings import notes, show_table, show_table_csv
from arena.rating import table
from arena.rating.partners import partner_table
from arena.rating.strangers import partner_pool

OUTPUT = Output(Flags(), stdout_color=False, stderr_color=False, ascii=False)
CSV = Output(Flags(csv=True), stdout_color=False, stderr_color=False, ascii=False)
BOTS = {name: 4.0 * place for place, name in enumerate(("ant", "bee", "cat", "dog", "eel", "fox", "gnu", "hen"))}


@pytest.fixture(scope="module")
def made():
    rows = whist_field(BOTS, 40, together={frozenset({"bee", "fox"}): 24.0})
    return table(rows, MIXED, resamples=200)


def test_a_partner_table_marks_the_partnership_that_stands_out(made, capsys):
    partners = partner_table(made)
    show_partners(OUTPUT, partners)
    shown = capsys.readouterr().out
    lines = shown.splitlines()
    assert lines[0].split()[:2] == ["with", partners.strengths[0][0]]
    good = partners.of("bee", "fox")
    [row] = [line for line in lines if line.startswith("bee ")]
    assert f"!{good.swing:+.1f} (40, {good.residual:+.1f} ± " in row
    assert "! stands out" in shown
    assert "fewer than 30" not in shown
    [note] = partner_notes(partners)
    assert f"bee + fox {good.residual:+.1f}" in note


def test_few_blocks_are_marked_and_nothing_stands_out(capsys):
    partners = partner_table(table(whist_field(BOTS, 2), MIXED, resamples=20))
    show_partners(OUTPUT, partners)
    shown = capsys.readouterr().out
    assert "* fewer than 30 blocks" in shown
    assert "!" not in shown
    assert partner_notes(partners) == partner_notes(None) == []


def test_where_line_ups_leave_no_residual_it_is_said(capsys):
    partners = partner_table(table(whist_field({"a": 9, "b": 3, "c": 0, "d": -5}, 3), MIXED, resamples=0))
    show_partners(OUTPUT, partners)
    assert "no residuals: these line-ups" in capsys.readouterr().out


def test_a_table_without_ratings_says_why_and_shows_none(capsys):
    rows = whist_field({"a": 9, "b": 3, "c": 0, "d": -5}, 8, tables=[(0, 2, 1, 3)])
    fixed = table(rows, MIXED, resamples=20)
    show_table(OUTPUT, fixed)
    shown = capsys.readouterr().out
    assert "nan" not in shown
    assert "no ratings: who sat with whom tells 1 of the 3 differences between 4 bots" in shown
    assert "do not separate them" not in shown
    assert notes(fixed)[0].startswith("no ratings: ")
    show_table_csv(CSV, fixed)
    shown = capsys.readouterr().out
    assert "nan" not in shown
    assert shown.splitlines()[1].startswith("1-4,1,4,a,,,,")


def test_a_partner_pool_says_what_its_columns_mean(capsys):
    rows = [
        game
        for board in range(8)
        for number, (pair, points) in enumerate({"xx": 6.0, "xy": 2.0, "yy": 4.0}.items())
        for game in mixed_block(board, number, (pair[0], "o", pair[1], "o"), points + (-1) ** board)
    ]
    whole = table(rows[:-1], MIXED, resamples=50)
    show_strangers(OUTPUT, partner_pool(whole.blocks, MIXED, "o", 50), whole)
    shown = capsys.readouterr().out
    [x] = [line for line in shown.splitlines() if line.startswith("x ")]
    assert x.split()[1:4] == ["+2.0", "±", "0.8"]
    assert "y +2.0" in x
    assert "points per block against two of o on 8 boards" in shown
    assert "understanding: " in shown
    assert "no ratings: a bot is no partner of itself" in shown
    assert "1 blocks do not count yet" in shown
