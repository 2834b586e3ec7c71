"""Laws of play over every ruleset: what holds in every position of every match."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.course import Spot, random_match, seeded
from laws.rulesets import FULL, TINY, game_of

from arena import games
from arena.core import drivers, options
from arena.core.errors import IllegalMove, MoveError
from arena.core.game import AnyGame, DealtBoard, SeededBoard, checked_apply, ranks_of
from arena.core.moves import MOLODKA, PASS, SET_KINDS, Choose, LegalList, Move, bid, of_set, play, trump

BOARDS = st.integers(0, 2**63)
ALL = [*FULL, *TINY]


def every_ruleset(examples: int = 6) -> Any:
    """A law tried on some boards of every ruleset."""

    def decorate(law: Any) -> Any:
        tried = settings(max_examples=examples, deadline=None, derandomize=True)(given(number=BOARDS)(law))
        return pytest.mark.parametrize("name", ALL)(tried)

    return decorate


def turns(spots: list[Spot]) -> list[Spot]:
    return [spot for spot in spots if spot.seat is not None]


@every_ruleset()
def test_views_are_whole_numbers_and_tuples_of_such(name: str, number: int) -> None:
    game = game_of(name)
    for spot in random_match(game, number):
        for seat in (*range(game.seats), None):
            view = game.view(spot.state, seat)
            assert view.seat == (-1 if seat is None else seat)
            assert plain(tuple(view)), view
            hash(view)


def plain(value: Any) -> bool:
    return type(value) is int or (isinstance(value, tuple) and all(plain(item) for item in value))


@every_ruleset(3)
def test_view_data_is_json_with_the_fields_of_the_view(name: str, number: int) -> None:
    game = game_of(name)
    for spot in random_match(game, number)[::3]:
        for seat in (*range(game.seats), None):
            view = game.view(spot.state, seat)
            data = game.view_data(view)
            assert list(data) == list(view._fields)
            assert json.loads(json.dumps(data)) == data
            assert data["hand"] == game.notation.names.list(view.hand)


@every_ruleset()
def test_moves_are_read_back_from_their_texts(name: str, number: int) -> None:
    game = game_of(name)
    for spot in turns(random_match(game, number)):
        legal = game.legal_moves(game.view(spot.state, spot.seat))
        for move in legal.moves if isinstance(legal, LegalList) else [spot.move]:
            assert game.notation.parse(game.notation.text(move)) == move
        assert json.loads(json.dumps(game.notation.legal_data(legal))) == game.notation.legal_data(legal)


@every_ruleset()
def test_legal_moves_are_different_never_none_and_from_the_hand(name: str, number: int) -> None:
    game = game_of(name)
    for spot in turns(random_match(game, number)):
        view = game.view(spot.state, spot.seat)
        legal = game.legal_moves(view)
        assert legal.total() >= 1
        if isinstance(legal, Choose):
            assert legal.cards == tuple(sorted(set(legal.cards)))
            assert set(legal.cards) <= set(view.hand)
            assert legal.kind in SET_KINDS
        else:
            assert len(set(legal.moves)) == len(legal.moves)
            assert all(set(move.cards) <= set(view.hand) for move in legal.moves)
        assert legal.allows(spot.move)


@every_ruleset()
def test_the_default_move_is_legal_and_fixed_by_the_view(name: str, number: int) -> None:
    game = game_of(name)
    for spot in turns(random_match(game, number)):
        view = game.view(spot.state, spot.seat)
        move = game.default_move(view)
        assert game.legal_moves(view).allows(move)
        assert game.default_move(view) == move


@every_ruleset(3)
def test_a_match_of_default_moves_ends(name: str, number: int) -> None:
    game = game_of(name)
    state, moves = game.start(seeded(number)), 0
    while (seat := game.to_move(state)) is not None:
        state = checked_apply(game, state, seat, game.default_move(game.view(state, seat)))
        moves += 1
    assert moves <= game.max_moves


@every_ruleset()
def test_no_match_has_more_than_max_moves(name: str, number: int) -> None:
    game = game_of(name)
    assert len(random_match(game, number)) - 1 <= game.max_moves


@every_ruleset()
def test_replay_equals_play(name: str, number: int) -> None:
    game = game_of(name)
    spots = random_match(game, number)
    moves = [(spot.seat, spot.move) for spot in turns(spots)]
    last = spots[-1].state
    dealt = DealtBoard(tuple(game.deal_data(deal) for deal in game.deals(last)))
    for board in (seeded(number), dealt):
        again = drivers.replay(game, board, [(seat, move) for seat, move in moves if seat is not None and move])
        assert game.to_move(again) is None
        assert game.scores(again) == game.scores(last)
        assert game.ranks(again) == game.ranks(last)
        assert game.tiebreaks(again) == game.tiebreaks(last)
        assert game.deals(again) == game.deals(last)
        assert game.facts(again) == game.facts(last)
        for seat in (*range(game.seats), None):
            assert game.view(again, seat) == game.view(last, seat)


@every_ruleset()
def test_deals_are_read_back_from_their_data(name: str, number: int) -> None:
    game = game_of(name)
    for deal in game.deals(random_match(game, number)[-1].state):
        data = game.deal_data(deal)
        assert json.loads(json.dumps(data)) == data
        assert game.read_deal(data) == deal
        assert game.deal_data(game.read_deal(data)) == data


@every_ruleset(3)
def test_deals_depend_on_the_board_only(name: str, number: int) -> None:
    game = game_of(name)
    board = seeded(number)
    one, other = random_match(game, number, board), random_match(game, number + 2, board)
    dealt = zip(cards_by_number(game, one), cards_by_number(game, other), strict=False)
    assert all(left == right for left, right in dealt)


def cards_by_number(game: AnyGame, spots: list[Spot]) -> list[Any]:
    """The first shuffle of each deal, by number: passed-out shuffles are a matter of play."""
    found: dict[int, Any] = {}
    for spot in spots:
        view = game.view(spot.state, None)
        number = view[
            next(i for i, field in enumerate(view._fields) if field in ("round", "hand_number", "deal_number"))
        ]
        if not getattr(view, "redeals", 0):
            found.setdefault(number, game.deals(spot.state)[spot.deal])
    return list(found.values())


@every_ruleset()
def test_scores_and_ranks_go_by_seat_and_partners_share_them(name: str, number: int) -> None:
    game = game_of(name)
    for spot in random_match(game, number)[::7]:
        scores, ranks, tiebreaks = game.scores(spot.state), game.ranks(spot.state), game.tiebreaks(spot.state)
        assert [len(values) for values in (scores, ranks, tiebreaks)] == [game.seats] * 3
        assert ranks == ranks_of(scores)
        for side in game.sides:
            assert len({(scores[seat], tiebreaks[seat]) for seat in side}) == 1
    assert sorted(seat for side in game.sides for seat in side) == list(range(game.seats))


@every_ruleset()
def test_no_deal_is_worse_than_the_worst_score(name: str, number: int) -> None:
    game = game_of(name).single_deal()
    assert min(game.scores(random_match(game, number)[-1].state)) >= game.worst_score


@every_ruleset(3)
def test_a_single_deal_is_one_deal_whatever_is_played(name: str, number: int) -> None:
    game = game_of(name)
    single = game.single_deal()
    if single is not game:
        assert len(single.deals(random_match(single, number)[-1].state)) == 1
        assert single.single_deal().describe() == single.describe()
    assert (single.id, single.seats, single.sides, single.version) == (game.id, game.seats, game.sides, game.version)


@every_ruleset(2)
def test_every_move_that_is_not_legal_is_refused(name: str, number: int) -> None:
    game = game_of(name)
    universe = all_moves(game)
    for spot in turns(random_match(game, number))[:: 5 if name in FULL else 1]:
        assert spot.seat is not None
        legal = game.legal_moves(game.view(spot.state, spot.seat))
        for move in universe:
            if not legal.allows(move):
                with pytest.raises(IllegalMove):
                    checked_apply(game, spot.state, spot.seat, move)
        for seat in (*range(game.seats), game.seats, -1):
            if seat != spot.seat:
                with pytest.raises(IllegalMove):
                    checked_apply(game, spot.state, seat, spot.move)


@every_ruleset(3)
def test_nothing_is_legal_after_the_end(name: str, number: int) -> None:
    game = game_of(name)
    over = random_match(game, number)[-1].state
    for seat in range(game.seats):
        for move in all_moves(game)[:20]:
            with pytest.raises(MoveError, match="the match is over"):
                checked_apply(game, over, seat, move)


def all_moves(game: AnyGame) -> list[Move]:
    """A move of every shape: each card, each pair of neighbours as each kind of set, bids on and off the step."""
    cards = sorted(game.notation.names.texts)
    sets = [
        of_set(kind, cards[at : at + size])
        for kind in sorted(SET_KINDS, key=str)
        for size in (1, 2, 5)
        for at in range(0, len(cards), 3)
    ]
    odd = [Move(play(cards[0]).kind, ()), Move(play(cards[0]).kind, tuple(cards[:2])), play(99), trump(7), bid(-70)]
    bids = [bid(points) for points in (0, 5, 10, 20, 65, 70, 71, 75, 100, 120, 125, 180, 205)]
    return [*(play(card) for card in cards), *sets, *bids, *(trump(suit) for suit in range(4)), PASS, MOLODKA, *odd]


@pytest.mark.parametrize("name", ALL)
def test_the_ruleset_is_whole_in_its_canonical_json(name: str) -> None:
    game = game_of(name)
    data = options.to_data(game.ruleset)
    assert json.loads(game.describe()) == data
    assert game_of(name).describe() == game.describe()
    assert games.make(game.id, data).describe() == game.describe()


def test_the_rulesets_cover_every_id_and_every_choice() -> None:
    assert {row[0] for row in FULL.values()} == set(games.catalog())
    tried = {(row[0], key, str(value)) for row in FULL.values() for key, value in row[1].items()}
    for variant in ("crow_and_pitcher", "goat"):
        game = games.make(variant)
        for info in options.describe(game.ruleset):
            words = info.accepted.split(" | ")
            if len(words) > 1:
                for word in words:
                    assert word == info.default or (variant, info.name, word) in tried, (variant, info.name, word)


def test_seeded_boards_of_the_laws_differ() -> None:
    game = game_of("goat")
    board, other = seeded(1), seeded(2)
    assert isinstance(board, SeededBoard)
    assert game.deals(game.start(board)) != game.deals(game.start(other))
