"""Who met whom, who behaves like whom, who is a version of whom, and whether a design tells bots apart."""

import itertools

import pytest
from rating.fields import FOUR, PAIRS, free_for_all, pair_block, round_robin, with_clone

from arena.rating import clones, design_rank, families, parts, table
from arena.rating.blocks import blocks


def test_a_field_that_is_linked_through_others_is_one_part():
    rows = [*pair_block(0, "a", "b", 1), *pair_block(1, "b", "c", 1)]
    assert parts(blocks(rows, PAIRS)) == (("a", "b", "c"),)


def two_islands():
    strong = round_robin({"a": 30.0, "b": 0.0}, 40)
    weak = round_robin({"x": 60.0, "y": 0.0, "z": -60.0}, 40)
    return [*strong, *(each._replace(key=each.key._replace(table=each.key.table + 50)) for each in weak)]


def test_parts_that_never_met_have_places_and_a_mean_of_their_own():
    done = table(two_islands(), PAIRS, resamples=200)
    assert done.parts == (("x", "y", "z"), ("a", "b"))
    assert [(row.bot, row.place) for row in done.standings] == [
        ("x", "1:1"),
        ("y", "1:2"),
        ("z", "1:3"),
        ("a", "2:1"),
        ("b", "2:2"),
    ]
    ratings = {row.bot: row.rating for row in done.standings}
    assert ratings["a"] + ratings["b"] == pytest.approx(50, abs=1e-3)
    assert ratings["x"] + ratings["y"] + ratings["z"] == pytest.approx(75, abs=1e-3)
    assert {row.p_best for row in done.standings} == {None}
    assert all(row.low < row.rating < row.high for row in done.standings)


def test_one_block_between_parts_makes_one_field():
    done = table([*two_islands(), *pair_block(0, "a", "x", 5, table=99)], PAIRS, resamples=50)
    assert len(done.parts) == 1
    assert {row.part for row in done.standings} == {0}


def test_bots_that_are_level_with_each_other_and_alike_with_others_are_clones():
    rows = with_clone(round_robin({"a": 5.0, "b": 0.0, "c": -5.0}, 30), "b", "b2")
    assert clones(list(blocks(rows, PAIRS))) == (("b", "b2"),)
    rows = with_clone(rows, "b", "b1")
    rows = [each for each in rows if not {"b1", "b2"} <= set(each.bots)]  # these two never met
    assert clones(list(blocks(rows, PAIRS))) == (("b", "b1", "b2"),)


def test_twenty_nine_level_blocks_make_no_clone():
    rows = with_clone(round_robin({"a": 5.0, "b": 0.0}, 29), "b", "b2")
    assert clones(list(blocks(rows, PAIRS))) == ()


def test_one_swing_or_one_other_score_elsewhere_makes_no_clone():
    rows = with_clone(round_robin({"a": 5.0, "b": 0.0}, 40), "b", "b2")
    assert clones(list(blocks(rows, PAIRS))) == (("b", "b2"),)
    swing = [*rows, *pair_block(70, "b", "b2", 1)]
    assert clones(list(blocks(swing, PAIRS))) == ()
    at = next(index for index, each in enumerate(rows) if set(each.bots) == {"a", "b2"})
    scores = tuple(score + 5 for score in rows[at].scores)
    elsewhere = [*rows[:at], rows[at]._replace(scores=scores), *rows[at + 1 :]]
    assert clones(list(blocks(elsewhere, PAIRS))) == ()


def test_a_free_for_all_cannot_show_clones():
    assert clones(list(blocks(free_for_all(dict.fromkeys("abcde", 0.0), 40), FOUR))) == ()


def test_versions_are_a_family_by_name_or_as_given():
    assert families(["fox@1", "owl", "fox@3", "elk@2"]) == {"fox": ("fox@1", "fox@3")}
    assert families(["new", "old", "owl"], {"new": "fox", "old": "fox", "owl": "owl"}) == {"fox": ("new", "old")}
    rows = round_robin({"fox@1": 5.0, "fox@3": 9.0, "owl": 0.0}, 10)
    assert table(rows, PAIRS, resamples=0).families == {"fox": ("fox@1", "fox@3")}
    assert table(rows, PAIRS, resamples=0, family={"owl": "fox"}).families == {"fox": ("fox@1", "fox@3", "owl")}


def test_single_bots_that_are_linked_have_full_rank():
    design = design_rank(block.sides for block in blocks(round_robin(dict.fromkeys("abcd", 0.0), 3), PAIRS))
    assert (design.rank, design.bots, design.full) == (3, 4, True)
    apart = design_rank([[("a",), ("b",)], [("c",), ("d",)]])
    assert (apart.rank, apart.full) == (2, False)


def test_fixed_partnerships_do_not_tell_partners_apart():
    teams = [("a", "b"), ("c", "d"), ("e", "f")]
    fixed = design_rank(itertools.combinations(teams, 2))
    assert (fixed.rank, fixed.bots, fixed.full) == (2, 6, False)
    mixed = design_rank([[("a", "b"), ("c", "d")], [("a", "c"), ("b", "d")], [("a", "d"), ("b", "c")]])
    assert (mixed.rank, mixed.bots, mixed.full) == (3, 4, True)
    assert design_rank([]) == (0, 0)


def test_a_table_of_four_sides_compares_everyone():
    assert design_rank([[("a",), ("b",), ("c",), ("d",)]]).full
