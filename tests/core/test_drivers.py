"""Generic drivers, on the toy game."""

from __future__ import annotations

from collections import Counter

import pytest
from core.test_game import BOARD
from core.toy import Toy, ToyRuleset

from arena.core import drivers
from arena.core.chance import Chance
from arena.core.errors import IllegalMove
from arena.core.moves import Choose, Kind, LegalList, Move, play


def test_play_out_yields_every_decision_with_the_state_after_it() -> None:
    game = Toy(ToyRuleset(rounds=1))
    steps = list(drivers.play_out(game, game.start(BOARD), lambda _view, legal: legal.moves[-1]))
    assert [(step.seat, step.move) for step in steps] == [(0, play(4)), (1, play(3)), (0, play(1)), (1, play(2))]
    assert [step.view.seat for step in steps] == [0, 1, 0, 1]
    assert all(step.legal.allows(step.move) for step in steps)
    assert game.scores(steps[-1].state) == (1, 1)


def test_replay_checks_every_move() -> None:
    game = Toy(ToyRuleset(rounds=1))
    with pytest.raises(IllegalMove):
        drivers.replay(game, BOARD, [(0, play(4)), (1, play(4))])
    assert drivers.replay(game, BOARD, [(0, play(4)), (1, play(3))]).turn == 0


def test_random_moves_of_a_list_are_equally_likely() -> None:
    chance, legal = Chance(b"key"), LegalList((play(1), play(2), play(3)))
    counts = Counter(drivers.random_move(chance, legal).cards[0] for _ in range(6000))
    assert all(abs(counts[card] - 2000) < 200 for card in (1, 2, 3))


def test_random_moves_of_a_choice_are_equally_likely() -> None:
    chance, legal = Chance(b"key"), Choose(Kind.DISCARD, 2, (1, 2, 3, 4))
    counts = Counter(drivers.random_move(chance, legal) for _ in range(6000))
    assert set(counts) == set(drivers.expand(legal))
    assert all(abs(count - 1000) < 150 for count in counts.values())


def test_a_forced_move_draws_nothing() -> None:
    chance = Chance(b"key")
    drivers.random_move(chance, LegalList((play(1),)))
    assert chance.below(2**32) == Chance(b"key").below(2**32)


def test_expand_writes_a_choice_out() -> None:
    assert list(drivers.expand(Choose(Kind.DROP, 2, (1, 2, 3)))) == [
        Move(Kind.DROP, (1, 2)),
        Move(Kind.DROP, (1, 3)),
        Move(Kind.DROP, (2, 3)),
    ]


def test_walk_counts_the_whole_tree() -> None:
    counts = drivers.walk(Toy(ToyRuleset(rounds=1)), BOARD)
    # 2 leads, 2 answers each, then all is forced; A4 takes a trick, and A1 none.
    assert counts == {"nodes": [1, 2, 4, 4, 4], "finished": 4, "scores": {"1,1": 4}}
