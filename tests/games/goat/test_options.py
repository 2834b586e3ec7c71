"""Options: what they accept, what they change beyond the sections' tests, which cannot be."""

from __future__ import annotations

import pytest
from games.goat.tables import at, dealt, defaults, defaults_to_the_end, goat

from arena.core.chance import Chance
from arena.core.drivers import play_random, walk
from arena.core.errors import ConfigError
from arena.core.game import SeededBoard
from arena.core.options import to_data
from arena.games import catalog
from arena.games.goat.state import Phase

BOARD = SeededBoard(bytes(32))


def test_the_defaults_are_those_of_the_rules() -> None:
    assert to_data(goat().ruleset) == {
        "molodka": "on_turn",
        "target": 12,
        "max_deals": 40,
        "ranks": [6, 7, 8, 9, 10, 11, 12, 13, 14],
        "hand": 4,
    }


def test_two_partnerships() -> None:
    game = goat()
    assert (game.seats, game.sides) == (4, ((0, 2), (1, 3)))
    assert [game.side_of(seat) for seat in range(4)] == [0, 1, 0, 1]


@pytest.mark.parametrize(("mode", "moves"), [("on_turn", 36), ("before_trick", 60), ("off", 36)])
def test_no_deal_takes_more_moves_than_the_bound_and_one_takes_as_many(mode: str, moves: int) -> None:
    game = goat(molodka=mode).single_deal()
    assert game.max_moves == moves
    longest = 0
    for number in range(60):
        steps = list(play_random(game, SeededBoard(bytes([number]) * 32), Chance(b"any", number)))
        assert len(steps) <= moves
        longest = max(longest, len(steps))
    state, count = game.start(BOARD), 0
    while game.to_move(state) is not None:
        state, count = defaults(game, state, 1), count + 1
    assert count == moves


@pytest.mark.parametrize(
    ("mode", "ranks", "hand"),
    [
        ("on_turn", [6, 14], 1),
        ("before_trick", [6, 14], 1),
        ("off", [10, 12, 14], 1),
        ("on_turn", [6, 10, 14], 2),
        ("before_trick", [13, 14], 1),
    ],
)
def test_the_bound_is_the_depth_of_the_whole_tree_of_a_tiny_game(mode: str, ranks: list[int], hand: int) -> None:
    game = goat(molodka=mode, ranks=ranks, hand=hand, max_deals=1)
    counts = walk(game, BOARD)
    assert len(counts["nodes"]) - 1 == game.max_moves
    assert counts["finished"] > 1


def test_a_single_deal_is_the_same_game_cut_to_one_deal() -> None:
    game = goat(molodka="off", target=20).single_deal()
    assert to_data(game.ruleset) == {**to_data(goat().ruleset), "molodka": "off", "target": 20, "max_deals": 1}
    assert len(game.deals(defaults_to_the_end(game, game.start(BOARD)))) == 1


def test_ranks_and_hand_make_a_tiny_game() -> None:
    game = goat(ranks=[6, 13, 14], hand=2)
    state = game.start(BOARD)
    assert [len(hand) for hand in state.hands] == [2, 2, 2, 2]
    assert len(state.stock) == 4
    assert len(game.ruleset.pack()) == 12


def test_in_a_tiny_game_a_full_hand_of_one_suit_is_a_molodka() -> None:
    deal = dealt(["6C 10D", "6S 10S", "6D 10C"], trump="AH", ranks=[6, 13, 14], hand=2)
    game = goat(ranks=[6, 13, 14], hand=2)
    state = at(game, deal, moves="lead 6C / molodka")
    assert (state.phase, state.leader, len(state.best)) == (Phase.ANSWER, 1, 2)


def test_in_a_tiny_game_the_limits_are_a_half_and_a_quarter_of_its_points() -> None:
    game = goat(ranks=[13, 14], hand=1, max_deals=1)
    for number in range(20):
        *_, last = play_random(game, SeededBoard(bytes([number]) * 32), Chance(b"any", number))
        (facts,) = game.facts(last.state)
        assert sum(facts["points"]) == 84
        low = min(facts["points"])
        loser = facts["points"].index(low)
        expected = 0 if low == 42 else 6 if not facts["tricks"][loser] else 4 if low <= 21 else 2
        assert max(facts["defeats"]) == expected


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"molodka": "always"}, "'molodka'"),
        ({"molodka": True}, "'molodka'"),
        ({"target": 0}, "'target'"),
        ({"target": "12"}, "'target'"),
        ({"max_deals": 0}, "'max_deals'"),
        ({"max_deals": 1.5}, "'max_deals'"),
        ({"ranks": [6, 7, 8, 9]}, "'ranks'"),
        ({"ranks": [5, 6, 7, 8, 9]}, "'ranks'"),
        ({"ranks": [6, 7, 8, 9, 15]}, "'ranks'"),
        ({"ranks": [7, 6, 8, 9, 10]}, "'ranks'"),
        ({"ranks": [6, 6, 7, 8, 9]}, "'ranks'"),
        ({"ranks": "all"}, "'ranks'"),
        ({"hand": 0}, "'hand'"),
        ({"hand": 5}, "'hand'"),
        ({"goal": 12}, "'goal'"),
    ],
)
def test_an_option_that_cannot_be_is_refused_by_name(options: dict[str, object], names: str) -> None:
    with pytest.raises(ConfigError, match=names) as refused:
        goat(**options)
    assert "accepted" in refused.value.fix
    assert refused.value.code == "BAD_OPTION"


def test_a_pack_without_a_stock_is_refused_with_the_reason() -> None:
    with pytest.raises(ConfigError) as refused:
        goat(ranks=[6, 7], hand=2)
    assert "a card of the stock has to show trump" in refused.value.fix


def test_the_catalog_lists_the_variant() -> None:
    assert (catalog()["goat"].title, catalog()["goat"].family) == ("Goat", "goat")
