"""What the SDK says of cards and tricks agrees with the arena's rules, in games played at random."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from arena_bot import CROW, GOAT, ROOK, CrowTurn, Game, GoatTurn, RookTurn, Turn
from arena_bot.crow import take
from arena_bot.goat import set_beats
from arena_bot.moves import text
from arena_bot.table import open_turn
from arena_house import BOTS
from bots_python.practice import RULESETS, Practice, Step, game_start

from arena.core.chance import board_seed
from arena.games import catalog, make
from arena.wire.moves import decode_move


def turns(name: str, boards: int) -> list[tuple[Any, Step, Turn]]:
    game_id, options = RULESETS[name]
    game = make(game_id, options).single_deal()
    found = []
    for board in range(boards):
        steps: list[Step] = []
        Practice(game).play(board_seed(b"rules", name, "", board), [BOTS["random"]] * game.seats, steps)
        for step in steps:
            found.append((game, step, open_turn(Game(game_start(game, 1, step.seat, 1)), step.message)[0]))
    return found


@pytest.mark.parametrize("name", [name for name in RULESETS if catalog()[RULESETS[name][0]].family == "rook"])
def test_rook_trick_winners_and_points(name: str) -> None:
    checked = 0
    for _, _, turn in turns(name, 6):
        assert isinstance(turn, RookTurn)
        rules, tricks = turn.rules, turn.tricks
        captured = [0, 0]
        for trick, following in zip(tricks, tricks[1:] and list(turn.view.leaders)[1:], strict=False):
            winner = trick[rules.winner([played.card for played in trick], turn.trump or 0)].seat
            assert winner == following
            captured[winner % 2] += sum(turn.points(played.card) for played in trick)
            checked += 1
        assert captured == list(turn.view.captured)
        assert len(rules.cards) == 4 * turn.game.options["hand"] + turn.game.options["nest"]
        best = turn.winning
        assert (best is None) == (not turn.trick)
    assert checked > 500


@pytest.mark.parametrize("name", ["crow_and_pitcher", "crow_of_three"])
def test_crow_tricks_and_scores(name: str) -> None:
    checked = 0
    for _, _, turn in turns(name, 3):
        assert isinstance(turn, CrowTurn)
        scores = [0] * turn.game.seats
        for number, trick in enumerate(turn.tricks[:-1]):
            taken = take([played.card for played in trick], turn.view.pitchers[number], turn.worth)
            winner = trick[taken.place].seat
            assert winner == turn.view.leaders[number + 1]
            scores[winner] += taken.points
            checked += 1
        assert scores == list(turn.view.round_scores)
    assert checked > 500


def test_goat_sets_that_beat() -> None:
    checked = 0
    for _, _, turn in turns("goat", 12):
        assert isinstance(turn, GoatTurn)
        winning = turn.winning
        if winning is None:
            continue
        legal = {move.cards for move in turn.moves if move.kind == "beat"}
        beating = {
            cards for cards in combinations(turn.hand, winning.size) if set_beats(cards, winning.cards, turn.trump)
        }
        assert beating == legal
        checked += len(legal)
    assert checked > 100


def test_goat_acts_name_seats_and_known_cards() -> None:
    for _, _, turn in turns("goat", 6):
        assert isinstance(turn, GoatTurn)
        acts = turn.acts
        assert sum(len(act.cards) for act in acts) == len(turn.view.act_cards)
        for act in acts:
            assert len(act.cards) == (0 if act.kind == "drop" and act.seat != turn.seat else act.size)
        assert (turn.view.phase == 3) == bool(turn.trick)


@pytest.mark.parametrize("name", RULESETS)
def test_moves_have_the_arena_s_texts(name: str) -> None:
    for game, step, turn in turns(name, 1):
        for move, message in zip(turn.moves, step.message.legal.moves, strict=True):
            assert text(move, turn.names) == game.notation.text(decode_move(message))
        assert list(turn.hand) == sorted(turn.hand)
        assert set(turn.cards) <= set(turn.hand)


def test_card_names_are_the_arena_s() -> None:
    for names, ids in (
        (ROOK, ("one_high", "partnership", "red_one")),
        (CROW, ("crow_and_pitcher",)),
        (GOAT, ("goat",)),
    ):
        texts = {card: word for game in ids for card, word in make(game).notation.names.texts.items()}
        assert names.texts == texts
        assert names.suits[:4] == make(ids[0]).notation.names.suits[:4]
        assert all(names.card(word) == card for card, word in texts.items())
