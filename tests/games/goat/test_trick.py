"""Trick: leads, beats and drops, which set beats which, who wins, drawing, the end of a deal."""

from __future__ import annotations

from itertools import permutations

import pytest
from games.goat.tables import at, cards, dealt, defaults, goat, legal, on

from arena.core.chance import Chance
from arena.core.errors import IllegalMove
from arena.games.goat.sets import beaten_by, beating_sets, beats, set_beats

HEARTS = 2
PACK = goat().ruleset.pack()
BEATEN = beaten_by(PACK, HEARTS)


def test_the_leader_puts_down_one_to_four_cards_all_of_one_suit() -> None:
    game = goat()
    state = at(game, dealt(["6C 9C QC 8D"], trump="AH"))
    assert legal(game, state) == [
        *["lead 6C", "lead 9C", "lead QC", "lead 8D"],
        *["lead 6C 9C", "lead 6C QC", "lead 9C QC"],
        "lead 6C 9C QC",
    ]
    with pytest.raises(IllegalMove, match="'lead 6C 8D' is not legal here"):
        on(game, state, "lead 6C 8D")


def test_a_seat_due_to_lead_with_four_of_a_suit_simply_leads_four() -> None:
    game = goat()
    state = at(game, dealt(["6C 9C QC AC"], trump="AH"))
    assert len(legal(game, state)) == 15
    assert legal(game, state)[-1] == "lead 6C 9C QC AC"
    assert "molodka" not in legal(game, state)


def test_each_other_seat_plays_exactly_as_many_cards() -> None:
    game = goat()
    state = at(game, dealt(["6C 9C", "7C JC 6D 6H"], trump="AH"), moves="lead 6C 9C")
    assert legal(game, state) == [
        *["beat 7C JC", "beat 7C 6H", "beat JC 6H"],
        *["drop 7C JC", "drop 7C 6D", "drop 7C 6H", "drop JC 6D", "drop JC 6H", "drop 6D 6H"],
    ]


def test_beats_must_beat_the_last_seat_that_beat_not_the_leader() -> None:
    game = goat()
    deal = dealt(["6C", "10C", "7C AC", "8C"], trump="AH")
    state = at(game, deal, moves="lead 6C / beat 10C")
    beating = [text for text in legal(game, state) if text.startswith("beat")]
    assert beating == ["beat AC"]
    state = at(game, deal, moves="lead 6C / drop 10C")
    assert "beat 7C" in legal(game, state)


def test_beating_is_never_compulsory() -> None:
    game = goat()
    state = at(game, dealt(["6C", "7C 8C 9C AC"], trump="AH"), moves="lead 6C")
    assert [text for text in legal(game, state) if text.startswith("drop")] == [
        "drop 7C",
        "drop 8C",
        "drop 9C",
        "drop AC",
    ]


def test_one_may_beat_ones_partner() -> None:
    game = goat()
    state = at(game, dealt(["6C", "7D", "AC"], trump="AH"), moves="lead 6C / drop 7D / beat AC")
    state = defaults(game, state, 1)
    assert game.to_move(state) == 2


@pytest.mark.parametrize(
    ("x", "y", "beaten"),
    [
        ("7C", "6C", True),
        ("6C", "7C", False),
        ("10C", "KC", True),
        ("AC", "10C", True),
        ("KC", "10C", False),
        ("JC", "9C", True),
        ("6H", "AC", True),
        ("AC", "6H", False),
        ("7H", "6H", True),
        ("6H", "7H", False),
        ("AC", "6D", False),
        ("6C", "6C", False),
    ],
)
def test_a_card_beats_a_lower_one_of_its_suit_and_a_trump_a_plain_card(x: str, y: str, beaten: bool) -> None:
    assert beats(cards(x)[0], cards(y)[0], HEARTS) is beaten


def test_two_plain_suits_do_not_compare() -> None:
    plain = [card for card in PACK if card >> 4 != HEARTS]
    assert not any(beats(x, y, HEARTS) for x in plain for y in plain if x >> 4 != y >> 4)


def test_a_set_beats_a_set_if_the_cards_can_be_paired() -> None:
    chance = Chance(b"sets")
    seen = {True: 0, False: 0}
    for _ in range(1500):
        size = 1 + chance.below(4)
        chosen = chance.sample(PACK, 2 * size)
        shuffled = chance.shuffled(chosen)
        xs, ys = tuple(sorted(shuffled[:size])), tuple(sorted(shuffled[size:]))
        paired = any(all(beats(x, y, HEARTS) for x, y in zip(order, ys, strict=True)) for order in permutations(xs))
        assert set_beats(xs, ys, BEATEN) is paired
        assert beating_sets(xs, ys, BEATEN) == ([xs] if paired else [])
        seen[paired] += 1
    assert min(seen.values()) > 100


def test_a_pairing_is_found_where_the_nearest_card_would_be_wasted() -> None:
    assert set_beats(cards("9C 6H"), cards("8C AC"), BEATEN)
    assert set_beats(cards("6H 8H 7S 10S"), cards("6S 9S QS AS"), BEATEN)
    assert not set_beats(cards("6H 7S 8S 10S"), cards("6S 9S QS AS"), BEATEN)


def test_a_beating_set_need_not_be_of_one_suit() -> None:
    game = goat()
    state = at(game, dealt(["6C 7C 8C", "9C 6H 7H 6D"], trump="AH"), moves="lead 6C 7C 8C")
    assert [text for text in legal(game, state) if text.startswith("beat")] == ["beat 9C 6H 7H"]


def test_the_last_seat_that_beat_wins_or_else_the_leader() -> None:
    game = goat()
    deal = dealt(["6C", "7C", "8C", "9C"], trump="AH")
    for answers, winner in (
        ("drop 7C / drop 8C / drop 9C", 0),
        ("beat 7C / drop 8C / drop 9C", 1),
        ("beat 7C / beat 8C / drop 9C", 2),
        ("beat 7C / drop 8C / beat 9C", 3),
    ):
        state = at(game, deal, moves=f"lead 6C / {answers}")
        assert game.to_move(state) == state.leader == winner
        assert state.tricks == ((1, 0) if winner % 2 == 0 else (0, 1))


def test_its_team_takes_all_cards_of_the_trick() -> None:
    game = goat()
    deal = dealt(["QC", "KC", "10C", "AC"], trump="AH")
    assert at(game, deal, moves="lead QC / beat KC / drop 10C / drop AC").points == (0, 28)
    assert at(game, deal, moves="lead QC / beat KC / beat 10C / drop AC").points == (28, 0)


def test_cards_are_drawn_in_turn_from_the_winner_clockwise() -> None:
    game = goat()
    deal = dealt(["6C 7C", "8C 9C", "6D 7D", "8D 9D"], trump="AH", stock="6S 7S 8S 9S JS QS KS 10S")
    state = at(game, deal, moves="lead 6C 7C / beat 8C 9C / drop 6D 7D / drop 8D 9D")
    drawn = [game.notation.names.join(cards[4:]) for cards in state.received]
    assert drawn == ["9S 10S", "6S JS", "7S QS", "8S KS"]
    assert [len(hand) for hand in state.hands] == [4, 4, 4, 4]
    assert len(state.stock) == 12


def test_hands_always_have_the_same_size_and_nobody_draws_from_an_empty_stock() -> None:
    game = goat()
    state = at(game, dealt([], trump="AH"), dealt([], trump="AH", dealer=0))
    sizes = []
    for _ in range(9):
        sizes.append([len(hand) for hand in state.hands])
        state = defaults(game, state, 4)
    assert sizes == [[4] * 4] * 6 + [[3] * 4, [2] * 4, [1] * 4]


def test_the_deal_ends_when_stock_and_hands_are_empty_nobody_stops_early() -> None:
    game = goat(max_deals=1)
    deal = dealt(["QC KC 10C AC", "QD KD 10D AD", "QS KS 10S AS"], trump="6H")
    state = at(game, deal, moves="lead QC KC 10C AC / drop QD KD 10D AD / drop QS KS 10S AS")
    state = defaults(game, state, 1)
    assert state.points[0] >= 61
    assert game.to_move(state) == 0
    assert game.facts(state) == []
    state = defaults(game, state, 20)
    assert game.to_move(state) is None
    assert sum(game.facts(state)[0]["points"]) == 120
