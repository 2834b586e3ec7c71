"""Score: who wins a deal, defeat points, the end of a match, its ranks."""

from __future__ import annotations

import pytest
from games.goat.tables import BALLS, at, balls, dealt, defaults_to_the_end, goat

from arena.core.chance import Chance
from arena.core.drivers import play_random
from arena.core.game import SeededBoard
from arena.games.goat.scoring import defeat_points

BOARD = SeededBoard(bytes(32))


@pytest.mark.parametrize(
    ("points", "defeats"),
    [
        ((61, 59), (0, 2)),
        ((59, 61), (2, 0)),
        ((89, 31), (0, 2)),
        ((90, 30), (0, 4)),
        ((30, 90), (4, 0)),
        ((120, 0), (0, 4)),
        ((60, 60), (0, 0)),
    ],
)
def test_the_losing_team_gets_two_with_31_to_59_four_with_less_and_a_trick(
    points: tuple[int, int], defeats: tuple[int, int]
) -> None:
    assert defeat_points(points, (4, 4)) == defeats


def test_the_losing_team_gets_six_without_a_trick() -> None:
    assert defeat_points((0, 120), (0, 9)) == (6, 0)
    game = goat(max_deals=1)
    state = defaults_to_the_end(game, at(game, dealt([], trump="AH")))
    (facts,) = game.facts(state)
    assert (facts["points"], facts["tricks"], facts["defeats"]) == ([120, 0], [9, 0], [0, 6])
    assert game.scores(state) == (0, -6, 0, -6)
    assert game.scores(state)[1] == game.worst_score


def test_an_empty_trick_is_a_trick() -> None:
    assert defeat_points((120, 0), (8, 1)) == (0, 4)
    game = goat(max_deals=1)
    state = at(game, dealt(["6C", "7C", "6D", "6S"], trump="AH", stock="7D 8S 7S 8D"), moves="lead 6C / beat 7C")
    assert state.tricks == (0, 0)
    while state.tricks == (0, 0):
        seat = game.to_move(state)
        assert seat is not None
        state = game.apply(state, game.default_move(game.view(state, seat)))
    assert (state.tricks, state.points) == ((0, 1), (0, 0))


def test_at_sixty_sixty_nobody_gets_any_and_the_result_says_balls() -> None:
    game = goat(max_deals=1)
    state = defaults_to_the_end(game, at(game, balls(), moves=BALLS))
    (facts,) = game.facts(state)
    assert (facts["points"], facts["defeats"], facts["balls"]) == ([60, 60], [0, 0], True)
    assert game.ranks(state) == (0, 0, 0, 0)
    assert game.tiebreaks(state) == (60, 60, 60, 60)


def test_balls_change_nothing_else_in_the_match() -> None:
    game = goat()
    deals = [balls(), dealt([], trump="AH", dealer=0), dealt([], trump="AH", dealer=1)]
    state = defaults_to_the_end(game, at(game, *deals, moves=BALLS))
    assert [facts["balls"] for facts in game.facts(state)] == [True, False, False]
    assert [facts["defeats"] for facts in game.facts(state)] == [[0, 0], [6, 0], [6, 0]]
    assert game.ranks(state) == (1, 0, 1, 0)


@pytest.mark.parametrize(("target", "deals"), [(1, 1), (6, 1), (7, 2), (12, 2), (13, 3)])
def test_the_match_ends_when_a_team_has_the_target_and_that_team_loses(target: int, deals: int) -> None:
    game = goat(target=target)
    state = defaults_to_the_end(game, game.start(BOARD))
    loser = 1 - game.start(BOARD).leader % 2
    assert len(game.facts(state)) == len(game.deals(state)) == deals
    assert [game.scores(state)[seat] for seat in range(4) if seat % 2 == loser] == [-6 * deals] * 2
    assert [game.ranks(state)[seat] for seat in range(4) if seat % 2 == loser] == [1, 1]


def test_after_max_deals_fewer_defeat_points_win() -> None:
    game = goat(max_deals=1)
    state = defaults_to_the_end(game, game.start(BOARD))
    assert len(game.facts(state)) == 1
    assert max(state.match.defeats) < game.ruleset.target
    assert sorted(game.ranks(state)) == [0, 0, 1, 1]
    assert game.ranks(state)[game.start(BOARD).leader] == 0


def test_after_max_deals_equal_defeat_points_draw() -> None:
    game = goat(max_deals=1)
    state = defaults_to_the_end(game, at(game, balls(), moves=BALLS))
    assert game.scores(state) == (0, 0, 0, 0)
    assert game.ranks(state) == (0, 0, 0, 0)


def test_scores_are_minus_the_own_teams_defeat_points_of_all_deals() -> None:
    game = goat()
    *_, last = play_random(game, BOARD, Chance(b"any"))
    facts = game.facts(last.state)
    given = [sum(entry["defeats"][team] for entry in facts) for team in (0, 1)]
    assert game.scores(last.state) == (-given[0], -given[1], -given[0], -given[1])
    assert max(given) >= 12
    made = [sum(entry["points"][team] for entry in facts) for team in (0, 1)]
    assert game.tiebreaks(last.state) == (made[0], made[1], made[0], made[1])


@pytest.mark.parametrize("mode", ["on_turn", "before_trick", "off"])
def test_every_deal_shares_out_120_points_and_at_most_one_team_gets_defeat_points(mode: str) -> None:
    game = goat(molodka=mode)
    called = 0
    for number in range(25):
        *_, last = play_random(game, SeededBoard(bytes([number]) * 32), Chance(b"any", number))
        for facts in game.facts(last.state):
            assert sum(facts["points"]) == 120
            assert 0 in facts["defeats"]
            assert facts["balls"] == (facts["defeats"] == [0, 0])
            called += facts["molodkas"]
    assert (called > 0) == (mode != "off")


def test_facts_name_trump_and_the_card_that_showed_it() -> None:
    game = goat(max_deals=1)
    (facts,) = game.facts(defaults_to_the_end(game, at(game, dealt([], trump="AH"))))
    assert (facts["trump"], facts["trump_card"], facts["dealer"], facts["molodkas"]) == ("hearts", "AH", 3, 0)
