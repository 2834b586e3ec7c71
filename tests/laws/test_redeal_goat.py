"""The re-deal of Goat on a written-out molodka: what it must leave where it is, and what it must not."""

from __future__ import annotations

from typing import Any

from golden.playthrough import FOLDER, read
from laws import redeal_goat
from laws.redeal import Known

from arena import games
from arena.core.chance import Chance
from arena.core.game import DealtBoard


def known_at(turn: int, viewer: int | None) -> Known:
    inputs = read((FOLDER / "goat-molodka.txt").read_text(encoding="utf-8").splitlines())
    game = games.make(inputs.game, inputs.ruleset)
    moves = [(seat, game.notation.parse(text)) for seat, text in inputs.moves[:turn]]
    state: Any = game.start(DealtBoard(inputs.deals))
    for _, move in moves:
        state = game.apply(state, move)
    return Known(game, inputs.deals[0], moves, viewer, game.view_data(game.view(state, None)))


def molodka_turn() -> int:
    inputs = read((FOLDER / "goat-molodka.txt").read_text(encoding="utf-8").splitlines())
    return next(turn for turn, (_, text) in enumerate(inputs.moves) if text == "molodka")


def test_cards_shown_and_taken_back_stay_put_and_unseen_drops_do_not() -> None:
    turn = molodka_turn()
    known = known_at(turn + 1, None)
    text = known.game.notation.names.text
    start = max(at for at, (_, move) in enumerate(known.moves) if move.kind.value == "lead")
    shown, dropped = set(), set()
    for _, move in known.moves[start:turn]:
        (dropped if move.kind.value == "drop" else shown).update(map(text, move.cards))
    assert shown
    assert dropped
    seen = redeal_goat.seen(known)
    assert shown <= seen
    assert not dropped & seen


def test_the_callers_cards_are_shown() -> None:
    turn = molodka_turn()
    known = known_at(turn, None)
    caller = known_at(turn + 1, None).moves[-1][0]
    hand = redeal_goat.hand_of(known, caller, 4)
    assert len(hand) == 4
    assert len({card[-1] for card in hand}) == 1
    assert hand <= redeal_goat.seen(known_at(turn + 1, None))


def test_the_shown_trump_card_stays_in_the_stock_as_dealt() -> None:
    places = set()
    for number in range(60):
        known = known_at(2, 1)
        swap = redeal_goat.swaps(known, Chance(b"trump", number))
        other = redeal_goat.other_deal(known, swap, Chance(b"x"))
        assert other["trump_card"] == known.deal["trump_card"]
        places.add(other["stock"].index(other["trump_card"]))
    assert len(places) > 10


def test_draws_worked_out_from_the_moves_are_those_of_the_view() -> None:
    for turn in range(27):
        for viewer in range(4):
            known = known_at(turn, viewer)
            drawn = redeal_goat.drawn_by(known.moves, 4, 20, viewer)
            state: Any = known.game.start(DealtBoard((known.deal,)))
            for _, move in known.moves:
                state = known.game.apply(state, move)
            received = known.game.view_data(known.game.view(state, viewer))["received"]
            assert received[4:] == [known.deal["stock"][place] for place in drawn]
