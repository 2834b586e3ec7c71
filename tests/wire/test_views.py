"""Views on the wire: every field as the rules have it, and nothing that a seat may not know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from arena_bot.v1 import arena_pb2 as pb
from google.protobuf.message import Message
from laws import secrecy
from laws.course import Spot, random_match, seeded
from laws.redeal import Known, module_of, swapped_move
from laws.rulesets import FULL, TINY, game_of

from arena import games
from arena.core.chance import Chance
from arena.core.game import AnyGame
from arena.core.moves import Choose, LegalList
from arena.wire.moves import LegalEncoder, decode_move
from arena.wire.views import ENCODERS

NAMES = [*FULL, *TINY]


def family_of(game: AnyGame) -> str:
    return games.catalog()[game.id].family


def turn_of(game: AnyGame, state: Any, seat: int) -> pb.Turn:
    """What a seat is sent, with its legal moves if it is to move."""
    turn = pb.Turn(game=1, turn=7)
    view = game.view(state, seat)
    ENCODERS[family_of(game)](turn, view)
    if game.to_move(state) == seat:
        LegalEncoder().encode(turn.legal, game.legal_moves(view))
    return turn


def plain(value: Any) -> Any:
    """A value of a message as a view has it: absent -> -1, repeated -> tuple, messages -> tuples of their fields."""
    if isinstance(value, Message):
        return tuple(plain_field(value, field) for field in value.DESCRIPTOR.fields)
    return value


def plain_field(message: Message, field: Any) -> Any:
    value = getattr(message, field.name)
    if field.is_repeated if hasattr(field, "is_repeated") else field.label == field.LABEL_REPEATED:
        return tuple(plain(item) for item in value)
    if field.has_presence and not message.HasField(field.name):
        return -1
    return plain(value)


def as_plain(value: Any) -> Any:
    """NamedTuples as plain tuples."""
    return tuple(as_plain(item) for item in value) if isinstance(value, tuple) else value


@pytest.mark.parametrize("name", NAMES)
def test_every_field_of_a_view_is_sent_as_it_is(name: str) -> None:
    game = game_of(name)
    for number in range(3):
        for spot in random_match(game, number):
            for seat in range(game.seats):
                view = game.view(spot.state, seat)
                turn = pb.Turn.FromString(turn_of(game, spot.state, seat).SerializeToString())
                message = getattr(turn, family_of(game))
                assert turn.WhichOneof("view") == family_of(game)
                assert [field.name for field in message.DESCRIPTOR.fields] == list(view._fields)
                for field, value in zip(message.DESCRIPTOR.fields, view, strict=True):
                    assert plain_field(message, field) == as_plain(value), field.name


@pytest.mark.parametrize("name", NAMES)
def test_legal_moves_are_sent_as_they_are(name: str) -> None:
    game = game_of(name)
    for spot in random_match(game, 1):
        if spot.seat is None:
            continue
        message = turn_of(game, spot.state, spot.seat).legal
        match game.legal_moves(game.view(spot.state, spot.seat)):
            case LegalList(moves):
                assert tuple(decode_move(move) for move in message.moves) == moves
            case Choose(_, size, cards):
                assert (message.choose.count, tuple(message.choose.cards)) == (size, cards)


def worlds(game: AnyGame, number: int, chance: Chance) -> Iterator[tuple[int, int, Spot, Any]]:
    """(position, viewer, the spot, another state that the viewer cannot tell from it)."""
    board = seeded(number)
    spots = random_match(game, number, board)
    position = chance.below(len(spots) - 1)
    index = spots[position].deal
    first = next(at for at, spot in enumerate(spots) if spot.deal == index)
    deal = game.deal_data(game.deals(spots[position].state)[index])
    moves = [(spot.seat, spot.move) for spot in spots[first:position] if spot.seat is not None and spot.move]
    public = game.view_data(game.view(spots[position].state, None))
    for viewer in range(game.seats):
        known = Known(game, deal, moves, viewer, public)
        module = module_of(game)
        swap = module.swaps(known, chance)
        world = secrecy.OtherWorld(board, index, module.other_deal(known, swap, chance), seeded(chance.below(2**32)))
        other = game.start(world)
        for at, spot in enumerate(spots[:position]):
            assert spot.move is not None
            other = game.apply(other, swapped_move(game, spot.move, swap) if at >= first else spot.move)
        yield position, viewer, spots[position], other


@pytest.mark.parametrize("name", FULL)
def test_the_bytes_sent_do_not_depend_on_hidden_cards(name: str) -> None:
    """The law of secrecy on the wire: whatever the others hold, the same bytes go out."""
    game = game_of(name)
    changed = 0
    for number in range(12):
        for _, viewer, spot, other in worlds(game, number, Chance(number.to_bytes(8, "big"), "wire")):
            sent = turn_of(game, spot.state, viewer).SerializeToString(deterministic=True)
            assert sent == turn_of(game, other, viewer).SerializeToString(deterministic=True)
            changed += game.deal_data(game.deals(spot.state)[-1]) != game.deal_data(game.deals(other)[-1])
    assert changed > 20, "the other worlds are other worlds"


def test_there_is_an_encoder_for_every_family() -> None:
    assert {variant.family for variant in games.catalog().values()} == set(ENCODERS)
