"""Deal and auction, rules 1 to 4."""

from __future__ import annotations

from itertools import pairwise

import pytest
from games.rook.scripting import (
    SEVENTY_FIFTY,
    VARIANT_IDS,
    E,
    N,
    S,
    W,
    deal,
    game,
    legal,
    run,
    seventy_fifty_hand,
    start,
    turned,
)

from arena.core.chance import Chances
from arena.core.drivers import play_out
from arena.core.errors import TranscriptError
from arena.core.game import SeededBoard
from arena.core.moves import PASS
from arena.games.rook.state import AUCTION, DISCARD, OVER

ALL_PASS = "pass pass pass pass "
ALL_BIDS = "bid:70 bid:75 bid:80 bid:85 bid:90 bid:95 bid:100 bid:105 bid:110 bid:115 bid:120"


def seed(number: int) -> bytes:
    return bytes([number]) * 32


# Rule 1


def test_first_dealer_is_random() -> None:
    dealers = {game().start(SeededBoard(seed(number))).dealer for number in range(40)}
    assert dealers == {0, 1, 2, 3}


def test_deal_moves_one_seat_clockwise_after_every_completed_hand() -> None:
    rook = game(all_pass="zero", max_hands=6)
    state = rook.start(SeededBoard(seed(1)))
    first = state.dealer
    for number in range(1, 6):
        state = run(rook, state, ALL_PASS)
        assert state.dealer == (first + number) % 4


def test_seat_after_the_dealer_speaks_first() -> None:
    rook = game()
    for dealer in range(4):
        assert rook.to_move(start(rook, deal(rook, dealer=dealer))) == (dealer + 1) % 4


@pytest.mark.parametrize("variant", VARIANT_IDS)
def test_cards_are_dealt_from_their_stream_in_blocks_from_seat_0(variant: str) -> None:
    rook = game(variant)
    chances = Chances(seed(7))
    for number, redeal in ((0, 0), (3, 0), (3, 2)):
        dealt = rook.shuffle(chances, number, redeal)
        cards = chances.stream("cards", number, redeal).shuffled(rook.lookup.pack)
        size = rook.ruleset.hand
        assert dealt.hands == tuple(tuple(sorted(cards[seat * size : seat * size + size])) for seat in range(4))
        assert dealt.nest == tuple(sorted(cards[4 * size :]))
        assert dealt.dealer == (chances.stream("dealer").below(4) + number) % 4


def test_deals_do_not_depend_on_what_players_do() -> None:
    rook = game(all_pass="zero")
    passing = run(rook, rook.start(SeededBoard(seed(2))), ALL_PASS * 2)
    other = rook.start(SeededBoard(seed(2)))
    for step in play_out(rook, other, lambda view, _legal: rook.default_move(view)):
        other = step.state
        if len(rook.deals(other)) == 3:
            break
    assert rook.deals(passing) == rook.deals(other)


@pytest.mark.parametrize("variant", VARIANT_IDS)
def test_deal_as_data_and_back(variant: str) -> None:
    rook = game(variant)
    dealt = rook.shuffle(Chances(seed(3)), 0, 0)
    data = rook.deal_data(dealt)
    assert list(data) == ["hands", "dealer", "nest"]
    assert rook.read_deal(data) == dealt
    assert rook.read_deal({**data, "hands": [hand[::-1] for hand in data["hands"]]}) == dealt


BAD_DEALS = [
    ({"dealer": 4}, "dealer 4"),
    ({"dealer": None}, "dealer None"),
    ({"hands": [[]] * 4}, "hand of seat 0 must be 9 cards"),
    ({"hands": []}, "hands of 4 seats"),
    ({"nest": ["B5"]}, "nest must be 5 cards"),
    ({"nest": ["B5", "B5", "B5", "B5", "B5"]}, "cards twice: B5"),
    ({"nest": ["B5", "B6", "B7", "B8", "X9"]}, "nest: no card 'X9'"),
    ({"nest": ["B5", "B6", "B7", "B8", "RED1"]}, "nest: no card 'RED1'"),
    ({"nest": ["B5", "B6", "B7", "B8", ["B9"]]}, "nest"),
]


@pytest.mark.parametrize(("change", "reason"), BAD_DEALS, ids=[str(change) for change, _ in BAD_DEALS])
def test_data_that_is_no_deal_is_refused(change: dict[str, object], reason: str) -> None:
    rook = game()
    with pytest.raises(TranscriptError, match=reason):
        rook.read_deal({**deal(rook), **change})


def test_data_without_a_nest_is_refused() -> None:
    rook = game()
    data = deal(rook)
    del data["nest"]
    with pytest.raises(TranscriptError, match="without 'nest'"):
        rook.read_deal(data)


def test_deals_whose_dealer_does_not_move_on_are_refused() -> None:
    rook = game(all_pass="zero")
    with pytest.raises(TranscriptError, match="the turn of seat 0 to deal"):
        run(rook, start(rook, deal(rook, dealer=E), deal(rook, dealer=E)), ALL_PASS)


# Rule 2


def test_bids_are_multiples_of_the_step_from_the_lowest_to_the_highest() -> None:
    rook = game()
    assert legal(rook, start(rook, deal(rook))) == f"pass {ALL_BIDS}"
    buckeye = game("buckeye")
    assert [move.number for move in buckeye.lookup.auction[0].moves] == [0, *range(100, 181, 5)]


def test_a_bid_is_above_the_standing_bid() -> None:
    rook = game()
    state = run(rook, start(rook, deal(rook)), "bid:105")
    assert legal(rook, state) == "pass bid:110 bid:115 bid:120"


def test_jumps_are_allowed() -> None:
    rook = game()
    state = run(rook, start(rook, deal(rook)), "bid:70 bid:115")
    assert (state.bid, state.bidder) == (115, W)


def test_a_seat_may_outbid_its_partner() -> None:
    rook = game()
    state = run(rook, start(rook, deal(rook)), "bid:70 pass bid:75")
    assert (state.bid, state.bidder) == (75, N)


def test_a_seat_that_passed_is_out_of_the_auction() -> None:
    rook = game()
    state = run(rook, start(rook, deal(rook)), "pass bid:70 bid:75 pass")
    assert rook.to_move(state) == W
    state = run(rook, state, "bid:80 bid:85 pass")
    assert state.phase == DISCARD
    assert state.bid_seats == (S, W, N, E, W, N, W)
    assert state.bid_points == (0, 70, 75, 0, 80, 85, 0)


# Rule 3


def test_auction_ends_when_three_seats_have_passed_and_a_bid_stands() -> None:
    rook = game()
    state = run(rook, start(rook, deal(rook)), "pass bid:70 pass")
    assert (state.phase, rook.to_move(state)) == (AUCTION, E)
    state = run(rook, state, "pass")
    assert (state.phase, state.bidder, rook.to_move(state)) == (DISCARD, W, W)


def test_auction_ends_at_once_when_the_highest_bid_is_made() -> None:
    rook = game()
    state = run(rook, start(rook, deal(rook)), "bid:120")
    assert (state.phase, state.bidder) == (DISCARD, S)
    state = run(rook, start(rook, deal(rook)), ALL_BIDS)
    assert (state.phase, state.bidder, len(state.bid_seats)) == (DISCARD, N, 11)


def test_fourth_seat_may_still_bid_after_three_passes() -> None:
    rook = game()
    state = run(rook, start(rook, deal(rook)), "pass pass pass")
    assert rook.to_move(state) == E
    assert legal(rook, state) == f"pass {ALL_BIDS}"
    state = run(rook, state, "bid:85")
    assert (state.phase, state.bidder, state.bid) == (DISCARD, E, 85)


def test_if_all_four_pass_nothing_is_scored_and_the_same_dealer_deals_again() -> None:
    rook = game()
    first, second = deal(rook, dealer=W), deal(rook, dealer=W, S="Y14 Y13")
    state = run(rook, start(rook, first, second), ALL_PASS)
    view = rook.view(state, N)
    assert (view.redeals, view.hand_number, view.dealer) == (1, 0, W)
    assert (view.scores, view.results, view.bid_seats) == ((0, 0), (), ())
    assert list(rook.deals(state)) == [rook.read_deal(data) for data in (first, second)]
    assert rook.to_move(state) == N


def test_a_redeal_takes_the_next_shuffle_of_the_same_deal() -> None:
    rook = game()
    board = SeededBoard(seed(4))
    state = run(rook, rook.start(board), ALL_PASS * 2)
    assert rook.deals(state) == tuple(rook.shuffle(Chances(board.seed), 0, redeal) for redeal in range(3))


def test_redeals_count_anew_in_the_next_hand() -> None:
    rook = game()
    first = deal(rook, dealer=S, **SEVENTY_FIFTY)
    state = start(rook, first, first, turned(first, 1))
    state = run(rook, state, ALL_PASS + seventy_fifty_hand(70))
    assert (state.so_far.number, state.so_far.redeals, state.dealer) == (1, 0, W)
    assert rook.facts(state)[0]["redeals"] == 1


def test_on_the_eleventh_deal_after_three_passes_the_only_legal_move_is_the_lowest_bid() -> None:
    rook = game()
    state = run(rook, start(rook, *[deal(rook)] * 11), ALL_PASS * 9 + "pass pass pass")
    assert rook.view(state, E).redeals == 9
    assert legal(rook, state) == f"pass {ALL_BIDS}"
    state = run(rook, state, "pass pass pass")
    assert rook.view(state, N).redeals == 10
    assert legal(rook, state) == f"pass {ALL_BIDS}"
    state = run(rook, state, "pass")
    assert (rook.to_move(state), state.dealer) == (E, E)
    assert legal(rook, state) == "bid:70"
    state = run(rook, state, "bid:70")
    assert (state.phase, state.bidder, state.bid) == (DISCARD, E, 70)


def test_on_the_eleventh_deal_the_dealer_may_pass_when_a_bid_stands() -> None:
    rook = game()
    state = run(rook, start(rook, *[deal(rook)] * 11), ALL_PASS * 10 + "pass bid:70 pass")
    assert legal(rook, state).startswith("pass bid:75")


def test_the_forced_bid_is_the_lowest_possible_one() -> None:
    rook = game(lowest_bid=72)
    state = run(rook, start(rook, *[deal(rook)] * 11), ALL_PASS * 10 + "pass pass pass")
    assert legal(rook, state) == "bid:75"


def test_with_all_pass_zero_the_hand_ends_0_0() -> None:
    rook = game(all_pass="zero")
    state = run(rook, start(rook, deal(rook, dealer=S), deal(rook, dealer=W)), ALL_PASS)
    view = rook.view(state, S)
    assert (view.hand_number, view.redeals, view.dealer, view.scores) == (1, 0, W, (0, 0))
    assert view.results == ((-1, 0, (0, 0)),)
    assert len(rook.deals(state)) == 2


def test_single_deal_boards_end_a_passed_out_hand_in_a_draw() -> None:
    rook = game().single_deal()
    state = run(rook, start(rook, deal(rook)), ALL_PASS)
    assert state.phase == OVER
    assert rook.to_move(state) is None
    assert rook.scores(state) == (0, 0, 0, 0)
    assert rook.ranks(state) == (0, 0, 0, 0)


# Rule 4


def test_the_highest_bidder_is_the_declarer() -> None:
    rook = game()
    state = run(rook, start(rook, deal(rook)), "bid:70 bid:75 pass bid:95 pass pass")
    assert (state.bidder, rook.to_move(state), state.bid) == (E, E, 95)


def test_all_bids_are_public() -> None:
    rook = game()
    state = run(rook, start(rook, deal(rook)), "bid:70 pass bid:75")
    for seat in (*range(4), None):
        view = rook.view(state, seat)
        assert (view.bid_seats, view.bid_points) == ((S, W, N), (70, 0, 75))
        assert (view.bid, view.bidder) == (75, N)


@pytest.mark.parametrize("variant", VARIANT_IDS)
@pytest.mark.parametrize("all_pass", ["redeal", "zero"])
def test_no_auction_is_longer_than_max_moves_allows(variant: str, all_pass: str) -> None:
    """The longest hand: ten deals passed out, then every bid in turn, two seats passing before the last."""
    rook = game(variant, all_pass=all_pass, max_hands=1)
    levels = [f"bid:{move.number}" for move in rook.lookup.auction[0].moves if move != PASS]
    calls = ["pass"] * 40 if all_pass == "redeal" else []
    calls += ["pass", "pass", *levels]
    state = run(rook, rook.start(SeededBoard(seed(5))), " ".join(calls))
    rest = [step.move for step in play_out(rook, state, lambda view, _legal: rook.default_move(view))]
    assert len(calls) + len(rest) == rook.max_moves
    assert all(low < high for low, high in pairwise([move.number for move in rook.lookup.auction[0].moves]))
