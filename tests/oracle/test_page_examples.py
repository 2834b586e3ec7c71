"""The oracle against every example of the rules pages, and rules they state without one."""

import copy
import random

import pytest

from oracle import crow, goat, rook
from oracle.boards import Board, Dice
from oracle.play import play_line
from oracle.rulesets import ROOK_IDS, page_ruleset

# ---------------------------------------------------------------------- The Crow and the Pitcher


@pytest.mark.parametrize(
    ("pitcher", "cards", "outcome"),
    [
        (9, "R4 R10 R6 T7", (1, 13, "full")),
        (12, "B3 B5 T2 G2", (0, 3, "short")),
        (6, "R10 R9 R8 R5", (3, 27, "short")),
        (6, "T3 T8 R10 T5", (1, -16, "thirst")),
    ],
)
def test_crow_examples_of_tricks(pitcher, cards, outcome):
    assert crow.trick_outcome(pitcher, cards.split(), "face") == outcome


def test_crow_example_of_leads():
    hand = ["B4", "T2"]
    assert crow.leads(hand, False, False, "broken") == ["B4"]
    assert crow.leads(hand, False, True, "broken") == hand
    assert crow.leads(hand, False, False, "after_first_trick") == hand
    assert crow.leads(hand, True, False, "after_first_trick") == ["B4"]
    assert crow.leads(["T2", "T5"], True, False, "broken") == ["T2", "T5"]


def test_crow_answers():
    assert crow.answers(["R4", "B2", "T7"], "B9", "any") == ["B2"]
    assert crow.answers(["R4", "T7"], "B9", "any") == ["R4", "T7"]
    assert crow.answers(["R4", "T7"], "B9", "must_thirst") == ["T7"]
    assert crow.answers(["R4", "B7"], "T9", "must_thirst") == ["R4", "B7"]


def test_crow_card_points():
    assert [crow.worth("R9", kind) for kind in ("face", "flat", "inverse")] == [9, 1, 3]
    assert [crow.worth("T4", kind) for kind in ("face", "flat", "inverse")] == [-4, -1, -8]


def test_crow_scores_of_a_round_obey_the_invariant():
    for number in range(20):
        line = play_line("crow_and_pitcher", page_ruleset("crow_and_pitcher", {"rounds": 1}), random.Random(number))
        pitchers, cards, short, lost = line["deals"][0]["pitchers"], [], 0, 0
        for move in line["moves"]:
            cards.append(move["move"])
        for trick in range(9):
            four = cards[4 * trick : 4 * trick + 4]
            if four[0][0] == "T":
                lost += sum(crow.rank(card) for card in four if card[0] != "T")
            elif sum(crow.rank(c) for c in four if c[0] != "T" and crow.rank(c) <= pitchers[trick]) < pitchers[trick]:
                short += 1
        assert sum(line["scores"]) == 108 - lost - 5 * short


# ---------------------------------------------------------------------- the Rook family


def winner(cards, game, trump="G"):
    trick = cards.split()
    return trick[rook.trick_winner(trick, trump, page_ruleset(game))]


def test_rook_example_1():
    assert rook.playable(["G9", "G12", "R14"], ["ROOK"], "G") == ["G9", "G12"]
    assert rook.playable(["Y6", "R7"], ["ROOK", "G9"], "G") == ["Y6", "R7"]
    trick = "ROOK G9 Y6 G5"
    assert winner(trick, "crowsnest") == "G9"
    assert winner(trick, "tournament") == "ROOK"
    assert sum(rook.counter(card, page_ruleset("crowsnest")) for card in trick.split()) == 25
    assert sum(rook.counter(card, page_ruleset("tournament")) for card in trick.split()) == 25


def test_rook_example_2():
    assert sorted(rook.playable(["B6", "ROOK", "R5"], ["B14"], "G")) == ["B6", "ROOK"]
    trick = "B14 ROOK G7 B10"
    assert winner(trick, "crowsnest") == "G7"
    assert winner(trick, "tournament") == "ROOK"
    assert sum(rook.counter(card, page_ruleset("crowsnest")) for card in trick.split()) == 40
    assert winner("B14 ROOK B13 B10", "crowsnest") == "ROOK"


def test_rook_example_3():
    assert sorted(rook.playable(["R5", "RED1", "Y14"], ["R8"], "B")) == ["R5", "RED1"]
    assert sorted(rook.playable(["RED1", "Y14"], ["R8"], "B")) == ["RED1", "Y14"]
    assert rook.playable(["RED1", "Y14"], ["ROOK"], "B") == ["RED1"]
    assert winner("ROOK RED1 B14 Y5", "red_one", "B") == "RED1"


def test_rook_must_be_played_as_the_only_trump():
    assert rook.playable(["ROOK", "B5"], ["G8"], "G") == ["ROOK"]


@pytest.mark.parametrize(
    ("game", "high_to_low"),
    [
        ("crowsnest", "G14 G13 G12 G11 G10 G9 G8 G7 G6 G5 ROOK"),
        ("tournament", "ROOK G14 G13 G12 G11 G10 G9 G8 G7 G6 G5"),
        ("one_high", "G1 G14 G13 G12 G11 G10 G9 G8 G7 G6 G5 G4 G3 G2 ROOK"),
        ("red_one", "RED1 ROOK G14 G13 G12 G11 G10 G9 G8 G7 G6 G5"),
        ("buckeye", "ROOK G1 G14 G13 G12 G11 G10 G9 G8 G7 G6 G5"),
    ],
)
def test_rook_trump_orders(game, high_to_low):
    cards = high_to_low.split()
    assert sorted(cards, key=lambda card: rook.strength(card, page_ruleset(game)), reverse=True) == cards


@pytest.mark.parametrize(
    ("bid", "captured", "made", "change"),
    [
        (80, [105, 15], "bid", [80, 15]),
        (80, [105, 15], "captured", [105, 15]),
        (95, [90, 30], "bid", [-95, 30]),
        (95, [90, 30], "captured", [-95, 30]),
    ],
)
def test_rook_example_4(bid, captured, made, change):
    assert rook.hand_scores(0, bid, captured, made) == change


def test_rook_example_5():
    scores = [295, 290]
    change = rook.hand_scores(1, 70, [50, 70], "captured")
    scores = [scores[0] + change[0], scores[1] + change[1]]
    assert scores == [345, 360]
    assert rook.match_ends(scores, 5, False, page_ruleset("tournament")) == (True, False)


def test_rook_end_of_match():
    ruleset = page_ruleset("tournament")
    assert rook.match_ends([299, 0], 4, False, ruleset) == (False, False)
    assert rook.match_ends([0, 0], 4, False, ruleset) == (False, False)
    assert rook.match_ends([310, 310], 4, False, ruleset) == (False, True)
    assert rook.match_ends([290, 200], 5, True, ruleset) == (True, False)
    assert rook.match_ends([200, 200], 5, True, ruleset) == (False, True)
    assert rook.match_ends([310, 310], 30, False, ruleset) == (True, False)


@pytest.mark.parametrize(("game", "cards"), list(zip(ROOK_IDS, [41, 41, 56, 57, 42, 45], strict=True)))
def test_rook_packs(game, cards):
    assert len(rook.pack(page_ruleset(game))) == cards


@pytest.mark.parametrize(("game", "points"), list(zip(ROOK_IDS, [120, 120, 100, 180, 150, 180], strict=True)))
def test_rook_points_of_a_pack(game, points):
    ruleset = page_ruleset(game)
    assert sum(rook.counter(card, ruleset) for card in rook.pack(ruleset)) == points


def rook_match(moves, game="crowsnest", **options):
    ruleset = page_ruleset(game, options)
    match = rook.RookMatch(ruleset, Board(game, ruleset, Dice(random.Random(7))).deal)
    for move in moves:
        match.play(move)
    return match


def test_rook_fourth_seat_may_still_bid_after_three_passes():
    match = rook_match(moves=["pass", "pass", "pass"])
    assert {"pass", "bid 70", "bid 120"} <= match.legal()
    match.play("bid 80")
    assert (match.phase, match.to_move(), match.dealer) == ("discard", match.dealer, match.dealer)


def test_rook_highest_bid_ends_the_auction_at_once():
    match = rook_match(moves=["bid 70", "bid 120"])
    assert (match.phase, match.to_move()) == ("discard", (match.dealer + 2) % 4)
    assert match.legal()["choose"] == 5
    assert len(match.legal()["from"]) == 14


def test_rook_the_dealer_must_bid_on_the_eleventh_deal():
    match = rook_match(moves=["pass"] * 43)
    dealer = match.dealer
    assert (match.redeals, match.to_move(), match.legal()) == (10, dealer, {"bid 70"})
    match = rook_match(moves=["pass"] * 39)
    assert "pass" in match.legal()


def test_rook_all_pass_zero_ends_the_hand():
    match = rook_match(moves=["pass"] * 4, all_pass="zero")
    assert match.results == [{"declarer": None, "bid": 0, "captured": [0, 0]}]
    assert rook_match(moves=["pass"] * 4, all_pass="zero", max_hands=1).to_move() is None


# ---------------------------------------------------------------------- Goat


@pytest.mark.parametrize(
    ("new", "old", "beats"),
    [
        ("9S 6H", "7S JS", True),
        ("10S 7H", "9S 6H", True),
        ("8H QH", "10S 7H", True),
        ("AS KS", "9S 6H", False),
        ("7H AS", "10S 6H", True),
        ("10C", "KC", True),
        ("QC", "KC", False),
        ("6H", "AD", True),
        ("AC", "AD", False),
        ("7S 10S 6H 8H", "6S 9S QS AS", True),
        ("7S 10S 6H KD", "6S 9S QS AS", False),
    ],
)
def test_goat_examples_of_beating(new, old, beats):
    assert goat.set_beats(new.split(), old.split(), "H") == beats


@pytest.mark.parametrize(
    ("points", "tricks", "lost"),
    [
        ([88, 32], [5, 3], [0, 2]),
        ([90, 30], [5, 3], [0, 4]),
        ([120, 0], [5, 1], [0, 4]),
        ([0, 120], [0, 6], [6, 0]),
        ([60, 60], [4, 4], [0, 0]),
        ([61, 59], [4, 4], [0, 2]),
        ([89, 31], [4, 4], [0, 2]),
    ],
)
def test_goat_examples_of_defeat_points(points, tricks, lost):
    assert goat.defeats(points, tricks) == lost


def goat_match(hands, first=0, **options):
    """A match of which the first hands are given and seat `first` leads."""
    hands = [goat.in_order(hand.split()) for hand in hands]
    stock = [card for card in goat.ORDER if not any(card in hand for hand in hands)]
    trump = next(card for card in stock if card[-1] == "H")
    deal = {"hands": hands, "dealer": (first - 1) % 4, "stock": stock, "trump_card": trump}
    return goat.GoatMatch(page_ruleset("goat", options), lambda number, redeal: copy.deepcopy(deal))


MOLODKA = ["KC 6D 7D 8D", "9D JD QD KD", "6S 9S QS AS", "7S 10S 6H 8H"]


def test_goat_example_5_molodka_on_turn():
    match = goat_match(["KC 6D 7D 8C", "9D JD 7C 6C", *MOLODKA[2:]])
    match.play("lead KC")
    assert "molodka" not in match.legal()
    match.play("drop 6C")
    assert "molodka" in match.legal()
    match.play("molodka")
    assert match.to_move() == 3
    assert [len(hand) for hand in match.hands] == [4, 4, 0, 4]
    assert "beat 6H 8H 7S 10S" in match.legal()
    match.play("beat 6H 8H 7S 10S")
    assert match.legal() == {"drop 8C KC 6D 7D"}
    match.play("drop 8C KC 6D 7D")
    match.play("drop 6C 7C 9D JD")
    assert (match.leader, match.tricks, len(match.stock)) == (3, [0, 1], 4)


def test_goat_molodka_is_called_once_a_trick_and_not_against_four_cards():
    match = goat_match(MOLODKA)
    match.play("lead KC")
    match.play("molodka")
    assert match.to_move() == 2
    assert "molodka" not in match.legal()
    match = goat_match(MOLODKA, first=1)
    match.play("lead 9D JD QD KD")
    assert "molodka" not in match.legal()


def test_goat_molodka_before_the_trick_asks_every_seat_from_the_leader():
    match = goat_match(MOLODKA, molodka="before_trick")
    assert (match.to_move(), match.legal()) == (0, {"pass"})
    match.play("pass")
    assert (match.to_move(), match.legal()) == (1, {"pass", "molodka"})
    match.play("pass")
    match.play("molodka")
    assert (match.leader, match.to_move(), match.phase) == (2, 3, "answer")
    match = goat_match(MOLODKA, molodka="before_trick")
    for _ in range(4):
        match.play("pass")
    assert (match.to_move(), match.phase) == (0, "lead")
    match.play("lead KC")
    assert "molodka" not in match.legal()


def test_goat_example_6_draws():
    match = goat_match(["6C 7C 8C KC", "6D 7D 8D KD", "6S 7S 8S KS", "9S JS QS AS"])
    match.stock = match.stock[:8]
    for move in ["lead 6C 7C 8C", "drop 6D 7D 8D", "drop 6S 7S 8S", "drop 9S JS QS"]:
        match.play(move)
    assert [len(hand) for hand in match.hands] == [3, 3, 3, 3]
    assert match.stock == []
    assert match.received[0][4:] == ["9C", "AC"]
    assert {len(move.split()) - 1 for move in match.legal()} <= {1, 2, 3}
