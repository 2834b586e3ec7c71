"""Cards, texts of moves, sets of legal moves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.cards import CardNames, card, rank_of, suit_of
from arena.core.errors import MalformedMove
from arena.core.moves import MOLODKA, PASS, Choose, Kind, LegalList, Move, Notation, bid, of_set, play, trump

NAMES = CardNames(
    {card(suit, rank): f"{'BG'[suit]}{rank}" for suit in (0, 1) for rank in (5, 6, 10)}, ("black", "green")
)
NOTATION = Notation(NAMES)
B5, B6, B10, G5, G6, G10 = sorted(NAMES.texts)


def test_a_card_is_its_suit_and_rank() -> None:
    assert (card(3, 14), suit_of(62), rank_of(62)) == (62, 3, 14)


def test_names_read_back_what_they_write() -> None:
    assert [NAMES.parse(NAMES.text(number)) for number in NAMES.texts] == list(NAMES.texts)
    assert NAMES.join([G10, B5]) == "G10 B5"
    assert NAMES.list([G10, B5]) == ["G10", "B5"]
    assert NAMES.suit("green") == 1


@pytest.mark.parametrize("text", ["b5", "B05", " B5", "B7", "", "ROOK", "B５"])
def test_only_exact_texts_are_cards(text: str) -> None:
    with pytest.raises(MalformedMove, match="no card") as caught:
        NAMES.parse(text)
    assert "B5, B6, B10, G5" in caught.value.fix


def test_an_unknown_suit_lists_the_suits() -> None:
    with pytest.raises(MalformedMove, match="no suit 'red'") as caught:
        NAMES.suit("red")
    assert caught.value.fix == "one of black, green"


MOVES = {
    "G10": play(G10),
    "bid 80": bid(80),
    "pass": PASS,
    "molodka": MOLODKA,
    "trump green": trump(1),
    "discard B5 G10": of_set(Kind.DISCARD, [G10, B5]),
    "lead B5 B6": of_set(Kind.LEAD, [B5, B6]),
    "beat B10 G5": of_set(Kind.BEAT, [G5, B10]),
    "drop G6": of_set(Kind.DROP, [G6]),
}


@pytest.mark.parametrize(("text", "move"), MOVES.items())
def test_every_kind_of_move_has_one_text(text: str, move: Move) -> None:
    assert NOTATION.text(move) == text
    assert NOTATION.parse(text) == move


def test_the_table_above_has_every_kind() -> None:
    assert {move.kind for move in MOVES.values()} == set(Kind)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " pass",
        "pass ",
        "Pass",
        "pass G5",
        "bid",
        "bid 080",
        "bid -5",
        "bid 8 0",
        "bid ８0",
        "bid 9999999999",
        "bid 80.0",
        "trump",
        "trump blue",
        "trump green black",
        "discard",
        "discard G10 B5",
        "discard B5 B5",
        "discard B5  G10",
        "play G10",
        "lead",
        "G10 B5",
        "molodka B5",
        "drop b5",
    ],
)
def test_other_texts_are_malformed(text: str) -> None:
    with pytest.raises(MalformedMove):
        NOTATION.parse(text)


@given(st.text(max_size=30))
def test_whatever_can_be_read_is_written_the_same(text: str) -> None:
    try:
        move = NOTATION.parse(text)
    except MalformedMove:
        return
    assert NOTATION.text(move) == text


def test_a_list_allows_what_it_lists() -> None:
    legal = LegalList((PASS, bid(70)))
    assert legal.allows(bid(70))
    assert not legal.allows(bid(75))
    assert legal.total() == 2
    assert NOTATION.legal_data(legal) == ["pass", "bid 70"]


def test_a_choice_allows_any_cards_of_the_set_in_order() -> None:
    legal = Choose(Kind.DISCARD, 2, (B5, B6, G10))
    assert legal.total() == 3
    assert legal.allows(of_set(Kind.DISCARD, [G10, B5]))
    for wrong in (
        Move(Kind.DISCARD, (G10, B5)),
        Move(Kind.DISCARD, (B5, B5)),
        Move(Kind.DISCARD, (B5,)),
        Move(Kind.DISCARD, (B5, B6, G10)),
        Move(Kind.DISCARD, (B5, G6)),
        Move(Kind.DROP, (B5, B6)),
        Move(Kind.DISCARD, (B5, B6), 1),
    ):
        assert not legal.allows(wrong)
    assert NOTATION.legal_data(legal) == {"choose": 2, "from": ["B5", "B6", "G10"], "kind": "discard"}
