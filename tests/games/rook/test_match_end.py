"""End of the match: target, sudden death, the last hand."""

from __future__ import annotations

import pytest
from games.rook.scripting import SEVENTY_FIFTY, VARIANT_IDS, S, deal, game, run, seventy_fifty_hand, start, turned

from arena.core.chance import Chance
from arena.core.drivers import play_random
from arena.core.game import SeededBoard
from arena.games.rook.scoring import Ending, ending
from arena.games.rook.state import OVER, RookState

RULES = game().ruleset
ON = Ending(over=False, sudden=False)
SUDDEN = Ending(over=False, sudden=True)
END = Ending(over=True, sudden=False)


def after_hands(*bids: int, target: int = 300, max_hands: int = 30) -> RookState:
    """A CrowsNest match of the hand 70 to 50 with these bids; turned by one seat each time: W, N, E, ... declare."""
    rook = game(target=target, max_hands=max_hands)
    hand = deal(rook, dealer=S, **SEVENTY_FIFTY)
    state = start(rook, *[turned(hand, number) for number in range(len(bids) + 1)])
    return run(rook, state, " ".join(seventy_fifty_hand(bid) for bid in bids))


def test_match_goes_on_while_no_team_has_the_target() -> None:
    assert ending(RULES, (295, 290), 1, False) == ON
    assert after_hands(70, 70).phase != OVER


def test_after_a_hand_in_which_one_team_has_the_target_the_higher_total_wins() -> None:
    assert ending(RULES, (300, 295), 1, False) == END
    state = after_hands(70, target=70)
    assert (state.phase, state.so_far.scores) == (OVER, (50, 70))
    assert game().ranks(state) == (1, 0, 1, 0)


def test_both_teams_above_the_target_the_higher_total_wins() -> None:
    assert ending(RULES, (345, 360), 1, False) == END


def test_equal_totals_at_the_target_another_hand_is_played() -> None:
    assert ending(RULES, (320, 320), 1, False) == SUDDEN
    state = after_hands(70, 70, target=120)
    assert (state.so_far.scores, state.so_far.sudden, state.so_far.number) == ((120, 120), True, 2)
    assert state.phase != OVER


def test_equal_totals_below_the_target_are_no_sudden_death() -> None:
    assert ending(RULES, (120, 120), 2, False) == ON
    assert not after_hands(70, 70).so_far.sudden


def test_after_sudden_death_the_higher_total_wins() -> None:
    state = after_hands(70, 70, 70, target=120)
    assert (state.phase, state.so_far.scores) == (OVER, (170, 190))


def test_after_sudden_death_the_match_ends_even_if_a_team_fell_below_the_target() -> None:
    state = after_hands(70, 70, 75, target=120)
    assert (state.phase, state.so_far.scores) == (OVER, (170, 45))
    assert ending(RULES, (250, 230), 5, True) == END


def test_still_equal_another_hand() -> None:
    assert ending(RULES, (320, 320), 5, True) == SUDDEN
    assert ending(RULES, (290, 290), 5, True) == SUDDEN


def test_a_passed_out_hand_in_sudden_death_decides_nothing() -> None:
    rook = game(all_pass="zero", target=120)
    hand = deal(rook, dealer=S, **SEVENTY_FIFTY)
    state = start(rook, *[turned(hand, number) for number in range(5)])
    state = run(rook, state, seventy_fifty_hand(70) * 2 + "pass pass pass pass")
    assert (state.so_far.scores, state.so_far.sudden, state.so_far.number) == ((120, 120), True, 3)
    state = run(rook, state, seventy_fifty_hand(70))
    assert (state.phase, state.so_far.scores) == (OVER, (190, 170))


def test_after_max_hands_the_higher_total_wins() -> None:
    assert ending(RULES, (100, 90), 29, False) == ON
    assert ending(RULES, (100, 90), 30, False) == END
    state = after_hands(70, 75, 70, max_hands=3)
    assert (state.phase, state.so_far.scores) == (OVER, (25, 190))
    assert game().ranks(state) == (1, 0, 1, 0)


def test_after_max_hands_equal_totals_draw() -> None:
    state = after_hands(70, 70, max_hands=2)
    assert (state.phase, state.so_far.scores) == (OVER, (120, 120))
    assert game().ranks(state) == (0, 0, 0, 0)


def test_a_sudden_death_hand_counts_as_a_hand() -> None:
    assert ending(RULES, (320, 320), 30, True) == END
    state = after_hands(70, 70, max_hands=2, target=120)
    assert (state.phase, state.so_far.scores) == (OVER, (120, 120))


def test_max_hands_1_makes_a_match_a_single_hand() -> None:
    state = after_hands(70, max_hands=1)
    assert (state.phase, state.so_far.scores) == (OVER, (50, 70))
    assert game().to_move(state) is None


def test_redeals_are_not_counted_as_hands() -> None:
    rook = game(max_hands=1)
    hand = deal(rook, dealer=S, **SEVENTY_FIFTY)
    state = run(rook, start(rook, hand, hand), "pass pass pass pass " + seventy_fifty_hand(70))
    assert (state.phase, len(rook.deals(state))) == (OVER, 2)


@pytest.mark.parametrize("variant", VARIANT_IDS)
def test_a_random_match_ends_as_the_rules_say(variant: str) -> None:
    rook = game(variant)
    *_, last = play_random(rook, SeededBoard(b"e" * 32), Chance(b"e" * 32, variant))
    facts = rook.facts(last.state)
    totals = (0, 0)
    for hand in facts:
        assert max(totals) < 300
        totals = (totals[0] + hand["gained"][0], totals[1] + hand["gained"][1])
    assert max(totals) >= 300 or len(facts) == 30
    assert rook.scores(last.state) == totals * 2
    assert [hand["dealer"] for hand in facts] == [(facts[0]["dealer"] + number) % 4 for number in range(len(facts))]
    assert rook.to_move(last.state) is None
