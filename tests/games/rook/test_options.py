"""Options: every field can be changed, the game without the Rook, and what is refused."""

from __future__ import annotations

import json

import pytest
from games.rook.scripting import VARIANT_IDS, game

from arena.core.chance import Chance
from arena.core.drivers import play_random, walk
from arena.core.errors import ConfigError
from arena.core.game import SeededBoard
from arena.core.options import to_data


@pytest.mark.parametrize("variant", ["crowsnest", "tournament"])
def test_without_the_rook_40_cards_nest_4_highest_bid_100(variant: str) -> None:
    rook = game(variant, rook=False)
    rules = rook.ruleset
    assert len(rook.lookup.pack) == 40
    assert (rules.nest, rules.lowest_bid, rules.highest_bid) == (4, 70, 100)
    assert dict(rules.points) == {5: 5, 10: 10, 14: 10}


def test_values_given_win_over_the_defaults_without_the_rook() -> None:
    rules = game("crowsnest", rook=False, hand=8, nest=8, highest_bid=95).ruleset
    assert (rules.hand, rules.nest, rules.highest_bid) == (8, 8, 95)


@pytest.mark.parametrize("variant", ["one_high", "red_one", "buckeye"])
def test_elsewhere_a_pack_without_the_rook_must_be_made_to_deal_out(variant: str) -> None:
    with pytest.raises(ConfigError, match="does not deal out"):
        game(variant, rook=False)
    nest = game(variant).ruleset.nest
    assert len(game(variant, rook=False, nest=nest - 1).lookup.pack) == len(game(variant).lookup.pack) - 1


HOUSE_RULES = [
    {"ranks": [*range(6, 15)], "nest": 1},
    {"rook": False},
    {"rook_rank": "highest"},
    {"red_one": True, "nest": 6},
    {"hand": 10, "nest": 1},
    {"points": {"5": 5, "10": 10, "14": 15, "65": 25}},
    {"points": {"7": 1}},
    {"trick_bonus": 20},
    {"last_bonus": 10},
    {"lowest_bid": 50},
    {"bid_step": 10},
    {"highest_bid": 90},
    {"made": "captured"},
    {"target": 500},
    {"max_hands": 3},
    {"all_pass": "zero"},
]


@pytest.mark.parametrize("options", HOUSE_RULES, ids=json.dumps)
def test_house_rules_need_no_code(options: dict[str, object]) -> None:
    rook = game("crowsnest", **options)
    data = to_data(rook.ruleset)
    assert {field: data[field] for field in options} == options
    *_, last = play_random(rook, SeededBoard(b"h" * 32), Chance(b"c" * 32, "moves"))
    assert rook.to_move(last.state) is None


@pytest.mark.parametrize("variant", VARIANT_IDS)
@pytest.mark.parametrize("options", [{}, {"target": 100}], ids=json.dumps)
def test_all_fields_given_make_the_same_ruleset(variant: str, options: dict[str, object]) -> None:
    rules = game(variant, **options).ruleset
    assert game(variant, **json.loads(json.dumps(to_data(rules)))).ruleset == rules


def test_default_counters_of_absent_cards_are_left_out() -> None:
    assert dict(game("crowsnest", ranks=list(range(6, 15)), nest=1).ruleset.points) == {10: 10, 14: 10, 65: 20}


def test_a_bid_limit_between_two_steps_allows_the_multiples_inside() -> None:
    rook = game("crowsnest", lowest_bid=72, highest_bid=118, bid_step=20)
    assert [move.number for move in rook.lookup.auction[0].moves] == [0, 80, 100]
    assert rook.lookup.top_bid == 100


REFUSED = [
    ({"colour": 1}, "colour"),
    ({"hands": 9}, "hands"),
    ({"rook": 1}, "rook"),
    ({"rook_rank": "middle"}, "rook_rank"),
    ({"made": "both"}, "made"),
    ({"all_pass": "again"}, "all_pass"),
    ({"hand": 0}, "hand"),
    ({"hand": "9"}, "hand"),
    ({"nest": -1}, "nest"),
    ({"nest": 4}, "does not deal out: 'hand' 9 for 4 seats and 'nest' 4 take 40 cards, .* has 41"),
    ({"hand": 8}, "does not deal out"),
    ({"ranks": [5, 6, 7]}, "does not deal out"),
    ({"red_one": True}, "does not deal out"),
    ({"rook": False, "nest": 5}, "does not deal out"),
    ({"ranks": []}, "ranks"),
    ({"ranks": [5, 5, *range(6, 14)]}, "ranks"),
    ({"ranks": [*range(6, 16)]}, "ranks"),
    ({"ranks": [0, *range(6, 15)]}, "ranks"),
    ({"ranks": "5..14"}, "ranks"),
    ({"ranks": [1, *range(6, 15)], "red_one": True, "nest": 6}, "red_one"),
    ({"points": {"1": 15}}, "points.*not in the pack: 1"),
    ({"points": {"66": 30}}, "points.*not in the pack: 66"),
    ({"rook": False, "points": {"65": 20}}, "points.*not in the pack: 65"),
    ({"points": {"5": -5}}, "points"),
    ({"points": [[5, 5], [5, 10]]}, "points.*twice"),
    ({"points": {"five": 5}}, "points"),
    ({"highest_bid": 65}, "'highest_bid' 65 is below 'lowest_bid' 70"),
    ({"lowest_bid": 125}, "'highest_bid' 120 is below 'lowest_bid' 125"),
    ({"lowest_bid": 0}, "lowest_bid"),
    ({"lowest_bid": 71, "highest_bid": 74}, "no bid is possible.*'bid_step' 5"),
    ({"bid_step": 0}, "bid_step"),
    ({"bid_step": 500}, "no bid is possible"),
    ({"target": 0}, "target"),
    ({"max_hands": 0}, "max_hands"),
    ({"trick_bonus": -20}, "trick_bonus"),
    ({"last_bonus": 1.5}, "last_bonus"),
]


@pytest.mark.parametrize(("options", "reason"), REFUSED, ids=[json.dumps(options) for options, _ in REFUSED])
def test_refused_with_the_field_and_the_reason(options: dict[str, object], reason: str) -> None:
    with pytest.raises(ConfigError, match=reason) as caught:
        game("crowsnest", **options)
    assert "crowsnest" in caught.value.message
    assert caught.value.fix
    assert caught.value.code == "BAD_OPTION"


def test_a_tiny_ruleset_can_be_walked() -> None:
    tiny = {"ranks": [5, 10], "rook": False, "hand": 2, "nest": 0, "lowest_bid": 5, "highest_bid": 5, "max_hands": 1}
    rook = game("crowsnest", **tiny, all_pass="zero")
    counts = walk(rook, SeededBoard(b"t" * 32))
    assert len(counts["nodes"]) - 1 == rook.max_moves
    assert counts["scores"]["0,0,0,0"] == 1
    assert set(counts["scores"]) <= {f"{a},{b},{a},{b}" for a in range(-5, 61, 5) for b in range(-5, 61, 5)}


def test_points_of_the_special_cards_may_be_given_by_their_texts() -> None:
    rook = game("red_one", points={"5": 5, "ROOK": 10, "RED1": 40})
    assert dict(rook.ruleset.points) == {5: 5, 65: 10, 66: 40}
    with pytest.raises(ConfigError, match=r"points.*twice"):
        game(points={"ROOK": 10, "65": 10})
    with pytest.raises(ConfigError, match="'points' cannot be"):
        game(points={"rook": 10})
