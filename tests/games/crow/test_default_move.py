"""The default move of a silent seat."""

from __future__ import annotations

import pytest
from games.crow.tables import at, crow, dealt, defaults_to_the_end, legal

from arena.core.game import SeededBoard


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("G3 B2 T4", "B2"),
        ("R10 G4 B3", "B3"),
        ("R4 G4 B4 T4", "R4"),
        ("G4 B4 T4", "G4"),
        ("B4 T4", "B4"),
        ("T3 T4", "T3"),
    ],
)
def test_the_lowest_rank_ties_in_the_order_red_green_blue_thirst(hand: str, expected: str) -> None:
    game = crow(thirst_lead="after_first_trick")
    view = game.view(game.start(SeededBoard(bytes(32))), 0)
    numbers = tuple(game.notation.names.parse(text) for text in hand.split())
    view = view._replace(hand=numbers, played=(2, 3, 4, 5), leaders=(1, 0), pitchers=(6, 6))
    assert game.notation.text(game.default_move(view)) == expected


def test_only_legal_ranks_count() -> None:
    game = crow()
    state = at(game, dealt(["G5 G6 T2 T3 T4"], pitchers=(6,)))
    assert "T2" not in legal(game, state).split()
    assert game.notation.text(game.default_move(game.view(state, 0))) == "R2"
    state = at(game, dealt(["R9", "R8 R6 G2"]), moves="R9")
    assert game.notation.text(game.default_move(game.view(state, 1))) == "R6"


@pytest.mark.parametrize("players", [3, 4])
def test_default_moves_play_a_match_to_its_end(players: int) -> None:
    game = crow(players=players)
    state = defaults_to_the_end(game, game.start(SeededBoard(bytes(32))))
    assert game.to_move(state) is None
    assert len(game.facts(state)) == 3
