"""The table of variants, cell by cell."""

from __future__ import annotations

import pytest
from games.rook.scripting import VARIANT_IDS, game

from arena.core.options import describe, to_data
from arena.games.rook import VARIANTS
from arena.games.rook.lookup import trump_order

FIVE_TO_14 = list(range(5, 15))
TABLE = {
    "ranks": [FIVE_TO_14, FIVE_TO_14, list(range(1, 15)), [*range(2, 15), 1], FIVE_TO_14, [*FIVE_TO_14, 1]],
    "rook": [True, True, False, True, True, True],
    "rook_rank": ["lowest", "highest", "lowest", "lowest", "highest", "highest"],
    "red_one": [False, False, False, False, True, False],
    "hand": [9, 9, 14, 14, 9, 10],
    "nest": [5, 5, 0, 1, 6, 5],
    "points": [
        {"5": 5, "10": 10, "14": 10, "65": 20},
        {"5": 5, "10": 10, "14": 10, "65": 20},
        {"5": 5, "10": 10, "14": 10},
        {"1": 15, "5": 5, "10": 10, "14": 10, "65": 20},
        {"5": 5, "10": 10, "14": 10, "65": 20, "66": 30},
        {"1": 15, "5": 5, "10": 10, "14": 10, "65": 20},
    ],
    "trick_bonus": [0, 0, 20, 0, 0, 0],
    "last_bonus": [0, 0, 0, 20, 0, 0],
    "lowest_bid": [70, 70, 70, 70, 70, 100],
    "bid_step": [5] * 6,
    "highest_bid": [120, 120, 120, 200, 150, 180],
    "made": ["bid", *["captured"] * 5],
    "target": [300] * 6,
    "max_hands": [30] * 6,
    "all_pass": ["redeal"] * 6,
}
CELLS = [(field, column) for field in TABLE for column in range(6)]


@pytest.mark.parametrize(("field", "column"), CELLS, ids=[f"{VARIANT_IDS[column]}-{field}" for field, column in CELLS])
def test_cell_of_the_table(field: str, column: int) -> None:
    assert to_data(game(VARIANT_IDS[column]).ruleset)[field] == TABLE[field][column]


def test_the_table_has_every_field_and_every_variant() -> None:
    for variant in VARIANTS:
        assert list(to_data(variant.make({}).ruleset)) == list(TABLE)
    assert tuple(variant.id for variant in VARIANTS) == VARIANT_IDS
    assert {variant.family for variant in VARIANTS} == {"rook"}


@pytest.mark.parametrize(("variant", "cards"), list(zip(VARIANT_IDS, [41, 41, 56, 57, 42, 45], strict=True)))
def test_cards_in_the_pack(variant: str, cards: int) -> None:
    pack = game(variant).lookup.pack
    assert len(pack) == len(set(pack)) == cards
    assert list(pack) == sorted(pack)


@pytest.mark.parametrize(("variant", "points"), list(zip(VARIANT_IDS, [120, 120, 120, 200, 150, 180], strict=True)))
def test_points_in_a_hand(variant: str, points: int) -> None:
    rook = game(variant)
    counters = sum(rook.lookup.points[card] for card in rook.lookup.pack)
    assert counters + rook.ruleset.trick_bonus + rook.ruleset.last_bonus == points


@pytest.mark.parametrize(
    ("variant", "high_to_low"),
    [
        ("crowsnest", "G14 G13 G12 G11 G10 G9 G8 G7 G6 G5 ROOK"),
        ("tournament", "ROOK G14 G13 G12 G11 G10 G9 G8 G7 G6 G5"),
        ("partnership", "G14 G13 G12 G11 G10 G9 G8 G7 G6 G5 G4 G3 G2 G1"),
        ("one_high", "G1 G14 G13 G12 G11 G10 G9 G8 G7 G6 G5 G4 G3 G2 ROOK"),
        ("red_one", "RED1 ROOK G14 G13 G12 G11 G10 G9 G8 G7 G6 G5"),
        ("buckeye", "ROOK G1 G14 G13 G12 G11 G10 G9 G8 G7 G6 G5"),
    ],
)
def test_trump_order(variant: str, high_to_low: str) -> None:
    rook = game(variant)
    names = rook.notation.names
    green = names.suit("green")
    assert names.join(reversed(trump_order(rook.ruleset, green))) == high_to_low
    strength = rook.lookup.strength[green][green]
    by_strength = sorted((card for card in rook.lookup.pack if strength[card]), key=strength.__getitem__, reverse=True)
    assert names.join(by_strength) == high_to_low


def test_the_four_colours_are_black_green_red_and_yellow() -> None:
    names = game().notation.names
    assert names.suits == ("black", "green", "red", "yellow")
    assert [names.parse(text) >> 4 for text in ("B5", "G5", "R5", "Y5")] == [0, 1, 2, 3]


def test_cards_have_the_numbers_of_the_protocol() -> None:
    names = game("red_one").notation.names
    assert [names.parse(text) for text in ("B5", "G10", "R14", "Y6", "ROOK", "RED1")] == [5, 26, 46, 54, 65, 66]
    assert game("buckeye").notation.names.parse("R1") == 33


def test_every_option_is_described_with_its_default() -> None:
    infos = describe(game("buckeye").ruleset)
    assert {info.name: info.default for info in infos} == to_data(game("buckeye").ruleset)
    assert all(info.doc and info.accepted for info in infos)


@pytest.mark.parametrize("variant", VARIANT_IDS)
def test_worst_score_is_minus_the_highest_bid(variant: str) -> None:
    rook = game(variant)
    assert rook.worst_score == -rook.ruleset.highest_bid


def test_seats_0_and_2_play_against_1_and_3() -> None:
    rook = game()
    assert rook.seats == 4
    assert rook.sides == ((0, 2), (1, 3))
    assert [rook.side_of(seat) for seat in range(4)] == [0, 1, 0, 1]


@pytest.mark.parametrize("variant", VARIANT_IDS)
def test_single_deal_is_one_hand_with_all_pass_zero(variant: str) -> None:
    rook = game(variant)
    single = rook.single_deal()
    assert to_data(single.ruleset) == {**to_data(rook.ruleset), "max_hands": 1, "all_pass": "zero"}
    assert (single.id, single.title) == (rook.id, rook.title)
