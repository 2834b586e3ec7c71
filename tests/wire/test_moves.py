"""Moves and legal moves through protobuf and back."""

from __future__ import annotations

import pytest
from arena_bot.v1 import arena_pb2 as pb
from hypothesis import given
from hypothesis import strategies as st

from arena.core.errors import MalformedMove
from arena.core.moves import (
    MOLODKA,
    PASS,
    SET_KINDS,
    Choose,
    Kind,
    LegalList,
    Move,
    bid,
    of_set,
    play,
    trump,
)
from arena.wire.moves import CHOOSE_KINDS, LegalEncoder, decode_move, encode_move

CARDS = st.integers(0, 127)
SETS = st.sets(CARDS, min_size=1, max_size=14)
MOVES = st.one_of(
    CARDS.map(play),
    st.integers(0, 2**31).map(bid),
    st.just(PASS),
    st.integers(0, 3).map(trump),
    st.just(MOLODKA),
    st.builds(of_set, st.sampled_from(sorted(SET_KINDS, key=lambda kind: kind.value)), SETS),
)


@given(MOVES)
def test_a_move_comes_out_as_it_went_in(move: Move) -> None:
    data = encode_move(move).SerializeToString()
    assert decode_move(pb.Move.FromString(data)) == move


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_of_move_has_a_message(kind: Kind) -> None:
    cards = (17,) if kind is Kind.PLAY else (3, 17) if kind in SET_KINDS else ()
    move = Move(kind, cards, 2 if kind in (Kind.BID, Kind.TRUMP) else 0)
    message = encode_move(move)
    assert message.WhichOneof("kind") == {"trump": "name_trump"}.get(kind.value, kind.value)
    assert decode_move(message) == move


def test_cards_of_a_set_may_come_in_any_order() -> None:
    assert decode_move(pb.Move(lead=pb.CardSet(cards=[9, 6, 7]))) == of_set(Kind.LEAD, (6, 7, 9))


def test_a_doubled_card_stays_doubled_and_is_no_legal_move() -> None:
    move = decode_move(pb.Move(discard=pb.CardSet(cards=[6, 6])))
    assert move.cards == (6, 6)
    assert not Choose(Kind.DISCARD, 2, (6, 7)).allows(move)


def test_a_move_in_which_nothing_is_set_is_malformed() -> None:
    with pytest.raises(MalformedMove, match="nothing is set"):
        decode_move(pb.Move())


def test_a_bool_that_says_no_is_taken_for_the_move_it_names() -> None:
    """`pass` and `molodka` are always true; whoever sets them means them."""
    message = pb.Move(molodka=False)
    assert decode_move(message) == MOLODKA


@given(st.lists(MOVES, min_size=1, max_size=30))
def test_a_list_of_legal_moves_keeps_its_order(moves: list[Move]) -> None:
    encoder, message = LegalEncoder(), pb.Legal()
    encoder.encode(message, LegalList(tuple(moves)))
    assert [decode_move(move) for move in pb.Legal.FromString(message.SerializeToString()).moves] == moves
    assert not message.HasField("choose")


@given(st.lists(st.lists(MOVES, max_size=10), max_size=5))
def test_messages_that_are_copied_are_never_mixed_up(lists: list[list[Move]]) -> None:
    encoder = LegalEncoder()
    for moves in lists:
        message = pb.Legal()
        encoder.encode(message, LegalList(tuple(moves)))
        assert [decode_move(move) for move in message.moves] == moves
        for move in message.moves:
            move.Clear()  # what was handed out is a copy


@given(st.sampled_from(sorted(CHOOSE_KINDS, key=lambda kind: kind.value)), SETS, st.integers(1, 14))
def test_a_choice_keeps_kind_count_and_cards(kind: Kind, cards: set[int], size: int) -> None:
    choose = Choose(kind, min(size, len(cards)), tuple(sorted(cards)))
    message = pb.Legal()
    LegalEncoder().encode(message, choose)
    assert len(message.moves) == 0
    assert (message.choose.kind, message.choose.count) == (CHOOSE_KINDS[kind], choose.size)
    assert tuple(message.choose.cards) == choose.cards


def test_every_set_of_cards_can_be_asked_for() -> None:
    assert set(CHOOSE_KINDS) == SET_KINDS
    assert sorted(CHOOSE_KINDS.values()) == sorted(value for value in pb.MoveKind.values() if value)


@pytest.mark.parametrize("kind", ["discard", "lead", "beat", "drop"])
def test_a_set_larger_than_any_deck_is_not_looked_at(kind: str) -> None:
    message = pb.Move()
    getattr(message, kind).cards.extend([1] * 200_000)
    with pytest.raises(MalformedMove, match="a set of 200000 cards") as malformed:
        decode_move(message)
    assert len(str(malformed.value)) < 1000
