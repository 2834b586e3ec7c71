"""Options: every value has an effect (the rest is in the sections' tests), bad ones are refused by name."""

from __future__ import annotations

import pytest
from games.crow.tables import crow, defaults_to_the_end

from arena.core.chance import Chance
from arena.core.drivers import play_random
from arena.core.errors import ConfigError
from arena.core.game import SeededBoard
from arena.core.options import to_data
from arena.games import catalog


def test_the_defaults_are_those_of_the_rules() -> None:
    assert to_data(crow().ruleset) == {
        "players": 4,
        "rounds": 3,
        "pitchers": {"6": 1, "7": 1, "8": 2, "9": 2, "10": 2, "11": 2, "12": 1, "13": 1},
        "thirst_lead": "broken",
        "void_play": "any",
        "card_points": "face",
        "ranks": [2, 3, 4, 5, 6, 7, 8, 9, 10],
    }
    assert len(crow().ruleset.pitcher_pack()) == 12


@pytest.mark.parametrize("players", [3, 4])
def test_players_each_play_for_themselves(players: int) -> None:
    game = crow(players=players)
    assert game.seats == players
    assert game.sides == tuple((seat,) for seat in range(players))
    assert len(game.scores(game.start(SeededBoard(bytes(32))))) == players


@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_rounds_are_the_length_of_a_match(rounds: int) -> None:
    game = crow(rounds=rounds)
    steps = list(play_random(game, SeededBoard(bytes(32)), Chance(b"any")))
    assert len(steps) == game.max_moves == rounds * 36
    assert len(game.deals(steps[-1].state)) == rounds


def test_pitchers_of_any_counts() -> None:
    game = crow(pitchers={"6": 0, "13": 10})
    state = defaults_to_the_end(game, game.start(SeededBoard(bytes(32))))
    assert set(state.pitchers) == {13}
    assert game.deals(state)[0].pitchers == (13,) * 10
    assert game.describe() == crow(pitchers={"13": 10}).describe()


def test_ranks_make_a_tiny_pack() -> None:
    game = crow(ranks=[2, 10], rounds=1)
    assert game.notation.names.join(game.ruleset.pack()) == "R2 R10 G2 G10 B2 B10 T2 T10"
    assert (game.ruleset.tricks, game.max_moves) == (2, 8)


@pytest.mark.parametrize(
    ("options", "worst"),
    [
        ({}, 3 * (-54 - 45)),
        ({"players": 3}, 3 * (-54 - 60)),
        ({"rounds": 1}, -99),
        ({"card_points": "flat"}, 3 * (-9 - 45)),
        ({"card_points": "inverse"}, 3 * (-54 - 45)),
        ({"card_points": "inverse", "ranks": [2, 3], "rounds": 1}, -10 - 9 - 10),
    ],
)
def test_the_worst_score_is_all_thirst_and_every_pitcher_in_each_round(options: dict[str, object], worst: int) -> None:
    assert crow(**options).worst_score == worst


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"players": 2}, "'players'"),
        ({"players": 5}, "'players'"),
        ({"players": "4"}, "'players'"),
        ({"rounds": 0}, "'rounds'"),
        ({"thirst_lead": "never"}, "'thirst_lead'"),
        ({"void_play": "must_stone"}, "'void_play'"),
        ({"card_points": "double"}, "'card_points'"),
        ({"pitchers": {"5": 12}}, "'pitchers'"),
        ({"pitchers": {"14": 12}}, "'pitchers'"),
        ({"pitchers": {"6": -1, "7": 12}}, "'pitchers'"),
        ({"pitchers": {"6": 8}}, "'pitchers'"),
        ({"pitchers": {"6": 11}, "players": 3}, "'pitchers'"),
        ({"pitchers": {"6": 10**9}}, "'pitchers'"),
        ({"pitchers": [[6, 9], [6, 9]]}, "'pitchers'"),
        ({"pitchers": "many"}, "'pitchers'"),
        ({"ranks": []}, "'ranks'"),
        ({"ranks": [1, 2]}, "'ranks'"),
        ({"ranks": [10, 11]}, "'ranks'"),
        ({"ranks": [3, 2]}, "'ranks'"),
        ({"ranks": [2, 2]}, "'ranks'"),
        ({"ranks": [2, 3], "players": 3}, "'ranks'"),
        ({"thirst": "broken"}, "'thirst'"),
    ],
)
def test_an_option_that_cannot_be_is_refused_by_name(options: dict[str, object], names: str) -> None:
    with pytest.raises(ConfigError, match=names) as refused:
        crow(**options)
    assert "accepted" in refused.value.fix
    assert refused.value.code == "BAD_OPTION"


def test_too_few_pitchers_are_refused_with_the_number_needed() -> None:
    with pytest.raises(ConfigError) as refused:
        crow(players=3, pitchers={"6": 11})
    assert "at least 12 cards" in refused.value.fix


def test_the_catalog_lists_the_variant() -> None:
    variant = catalog()["crow_and_pitcher"]
    assert (variant.title, variant.family) == ("The Crow and the Pitcher", "crow")


def test_a_board_is_always_the_whole_match() -> None:
    game = crow()
    assert game.single_deal() is game
