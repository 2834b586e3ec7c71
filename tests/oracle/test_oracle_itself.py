"""The oracle against its own games, and against lines with planted errors, each of which it must find."""

import copy
import random

import pytest

from oracle.check import check_line, ranks_of
from oracle.mismatch import Disagreement
from oracle.play import play_line
from oracle.rulesets import IDS, ROOK_IDS, page_ruleset

SEED = "0123456789abcdef" * 4


def test_places_count_the_distinct_better_scores():
    assert ranks_of([30, 10, 30, 5]) == [0, 1, 0, 2]


@pytest.mark.parametrize("game", IDS)
def test_own_games_pass(game):
    for number in range(3):
        options = {"max_hands": 3} if game in ROOK_IDS else {}
        line = play_line(game, page_ruleset(game, options), random.Random(number), views=True, seed=SEED)
        assert check_line(line, number, options, True) == len(line["moves"])


def wrong_seat(line, index):
    line["moves"][index]["seat"] = (line["moves"][index]["seat"] + 1) % 4


def missing_legal(line, index):
    entry = line["moves"][index]
    entry["legal"] = [move for move in entry["legal"] if move != entry["move"]]


def extra_legal(line, index):
    line["moves"][index]["legal"].append("bid 75" if line["game"] in ROOK_IDS else "drop 6C 7C 8C 9C")


def double_legal(line, index):
    line["moves"][index]["legal"].append(line["moves"][index]["legal"][0])


def illegal_move(line, index):
    line["moves"][index]["move"] = "bid 300"


def seen_too_much(line, index):
    seat = line["moves"][index]["seat"]
    line["moves"][index]["view"]["hand"].append(line["deals"][-1]["hands"][(seat + 1) % 4][0])


def seen_too_little(line, index):
    line["moves"][index]["view"]["hand"].pop()


def wrong_score(line, index):
    line["scores"][index % 4] += 1


def wrong_rank(line, index):
    line["ranks"][index % 4] += 1


def deal_too_many(line, index):
    line["deals"].append(line["deals"][0])


def deal_too_few(line, index):
    line["deals"].pop()


def move_too_few(line, index):
    line["moves"].pop()


def move_too_many(line, index):
    line["moves"].append(line["moves"][-1])


def twice_in_a_deal(line, index):
    line["deals"][0]["hands"][0][0] = line["deals"][0]["hands"][1][0]


def swapped_cards(line, index):
    hands = line["deals"][0]["hands"]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]


def wrong_dealer(line, index):
    line["deals"][0]["dealer"] = (line["deals"][0]["dealer"] + 1) % 4


def wrong_option(line, index):
    line["ruleset"]["target" if "target" in line["ruleset"] else "rounds"] += 1


PLANTED = [
    (wrong_seat, "seat to move"),
    (missing_legal, "legal moves"),
    (extra_legal, "legal moves"),
    (double_legal, "legal moves"),
    (illegal_move, "the move is legal"),
    (seen_too_much, "hidden cards in the view"),
    (seen_too_little, "view hand"),
    (wrong_score, "scores"),
    (wrong_rank, "ranks"),
    (deal_too_many, "number of deals"),
    (deal_too_few, "deal"),
    (move_too_few, "seat to move after the last move"),
    (move_too_many, "seat to move"),
    (twice_in_a_deal, "cards dealt"),
    (swapped_cards, ""),
    (wrong_dealer, "seat to move"),
    (wrong_option, "ruleset"),
]


def starts_a_deal(view):
    return not any(view.get(field) for field in ("played", "bid_seats", "acts"))


@pytest.mark.parametrize("game", IDS)
@pytest.mark.parametrize(("plant", "what"), PLANTED, ids=[plant.__name__ for plant, _ in PLANTED])
def test_planted_errors_are_found(game, plant, what):
    options = {"max_hands": 2} if game in ROOK_IDS else {}
    good = play_line(game, page_ruleset(game, options), random.Random(1), views=True, seed=SEED)
    index = max(index for index, entry in enumerate(good["moves"]) if starts_a_deal(entry["view"]))
    bad = copy.deepcopy(good)
    plant(bad, index)
    assert check_line(good, 0, options, True) == len(good["moves"])
    with pytest.raises(Disagreement):
        check_line(bad, 5, options, True)
    with pytest.raises(Disagreement) as caught:
        check_line(bad, 5, options, True, seeded=False)
    assert caught.value.what.startswith(what)
    assert (caught.value.game, caught.value.line_number) == (game, 5)
    assert f"{game}, line 5" in str(caught.value)


@pytest.mark.parametrize("game", IDS)
@pytest.mark.parametrize(("plant", "what"), [(swapped_cards, "hands of this seed"), (wrong_dealer, "dealer of this")])
def test_deals_of_another_seed_are_found(game, plant, what):
    line = play_line(game, page_ruleset(game), random.Random(1), seed=SEED)
    plant(line, 0)
    with pytest.raises(Disagreement) as caught:
        check_line(line)
    assert caught.value.what.startswith(what)


def test_a_disagreement_names_the_move_and_both_sides():
    line = play_line("goat", page_ruleset("goat"), random.Random(2), seed=SEED)
    line["moves"][3]["seat"] = 9
    with pytest.raises(Disagreement, match=r"goat, line 2, move 3: seat to move: the oracle says \d, the line says 9"):
        check_line(line, 2)


def test_views_can_be_forbidden_or_required():
    ruleset = page_ruleset("goat")
    for views in (True, False):
        line = play_line("goat", ruleset, random.Random(2), views=views, seed=SEED)
        with pytest.raises(Disagreement, match="has a view"):
            check_line(line, 0, None, not views)
