"""Cards are conserved, and points add up to what the rules' pages state, worked out from the moves alone."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.course import Spot, random_match
from laws.rulesets import FULL, TINY, game_of

from arena.core.game import AnyGame
from arena.core.moves import Kind

BOARDS = st.integers(0, 2**63)


def on_boards_of(*families: str, examples: int = 10) -> Any:
    """A law tried on some boards of every ruleset of some families."""

    def decorate(law: Any) -> Any:
        tried = settings(max_examples=examples, deadline=None, derandomize=True)(given(number=BOARDS)(law))
        names = [name for name, row in {**FULL, **TINY}.items() if family_of(row[0]) in families]
        return pytest.mark.parametrize("name", names)(tried)

    return decorate


def family_of(variant: str) -> str:
    return variant if variant in ("goat", "crow_and_pitcher") else "rook"


class DealPlayed(NamedTuple):
    """One deal of a match as texts."""

    data: dict[str, Any]
    moves: list[tuple[int, str, list[str], Kind, int]]
    """Seat, text, cards, kind, number."""
    public: list[dict[str, Any]]
    """The spectators' view before every move."""


def deals_of(game: AnyGame, spots: list[Spot]) -> list[DealPlayed]:
    names = game.notation.names
    found = []
    for index, deal in enumerate(game.deals(spots[-1].state)):
        here = [spot for spot in spots if spot.deal == index and spot.seat is not None]
        moves = [
            (spot.seat, game.notation.text(spot.move), names.list(spot.move.cards), spot.move.kind, spot.move.number)
            for spot in here
            if spot.move is not None and spot.seat is not None
        ]
        public = [game.view_data(game.view(spot.state, None)) for spot in here]
        found.append(DealPlayed(game.deal_data(deal), moves, public))
    return found


# Cards


@on_boards_of("rook", "goat", "crow_and_pitcher", examples=6)
def test_every_card_is_in_one_place_and_goes_where_the_move_says(name: str, number: int) -> None:
    game = game_of(name)
    names = game.notation.names
    spots = random_match(game, number)
    for spot, after in pairwise(spots):
        hands = [set(game.view(spot.state, seat).hand) for seat in range(game.seats)]
        assert sum(map(len, hands)) == len(set().union(*hands))
        assert set().union(*hands) <= set(names.texts)
        assert spot.move is not None
        assert spot.seat is not None
        if after.deal == spot.deal and spot.move.kind not in (Kind.MOLODKA, Kind.PASS):
            left = set(game.view(after.state, spot.seat).hand)
            assert not left & set(spot.move.cards)


@on_boards_of("rook", "goat", "crow_and_pitcher", examples=6)
def test_every_deal_deals_out_the_whole_pack(name: str, number: int) -> None:
    game = game_of(name)
    pack = sorted(game.notation.names.texts.values())
    if game.id == "goat" or game.id == "crow_and_pitcher":
        pack = sorted(game.notation.names.list(game.ruleset.pack()))
    for deal in deals_of(game, random_match(game, number)):
        dealt = [card for hand in deal.data["hands"] for card in hand]
        dealt += deal.data.get("nest", []) + deal.data.get("stock", [])
        assert sorted(dealt) == pack


@on_boards_of("rook")
def test_rook_every_card_of_a_hand_is_played_or_discarded_by_its_holder(name: str, number: int) -> None:
    game = game_of(name)
    for deal in deals_of(game, random_match(game, number)):
        held = [set(hand) for hand in deal.data["hands"]]
        out: Counter[str] = Counter()
        for seat, _, cards, kind, _ in deal.moves:
            if kind is Kind.DISCARD:
                held[seat] |= set(deal.data["nest"])
            if kind in (Kind.DISCARD, Kind.PLAY):
                assert set(cards) <= held[seat]
                held[seat] -= set(cards)
                out.update(cards)
        if any(kind is Kind.PLAY for _, _, _, kind, _ in deal.moves):
            assert not any(held)
            assert set(out.values()) == {1}
            assert len(out) == len(game.notation.names.texts)


@on_boards_of("crow_and_pitcher")
def test_crow_every_card_is_played_once_by_its_holder(name: str, number: int) -> None:
    game = game_of(name)
    for deal in deals_of(game, random_match(game, number)):
        for seat in range(game.seats):
            assert sorted(cards[0] for who, _, cards, _, _ in deal.moves if who == seat) == sorted(
                deal.data["hands"][seat]
            )


@on_boards_of("goat")
def test_goat_every_card_is_put_down_once_but_those_taken_back(name: str, number: int) -> None:
    game = game_of(name)
    for deal in deals_of(game, random_match(game, number)):
        assert sorted(card for trick in goat_tricks(deal) for card in trick.cards) == sorted(
            [*deal.data["stock"], *(card for hand in deal.data["hands"] for card in hand)]
        )


# Sums of the Rook family


def rook_points(game: AnyGame, card: str) -> int:
    points = dict(game.ruleset.points)
    return points.get({"ROOK": 65, "RED1": 66}.get(card) or int(card[1:]), 0)


@on_boards_of("rook")
def test_rook_captured_points_add_up_to_the_points_in_a_hand(name: str, number: int) -> None:
    game = game_of(name)
    rules = game.ruleset
    in_pack = sum(rook_points(game, card) for card in game.notation.names.texts.values())
    for facts in game.facts(random_match(game, number)[-1].state):
        total = sum(facts["captured"])
        if facts["declarer"] is None:
            assert total == 0
        else:
            level = facts["tricks"][0] == facts["tricks"][1]
            assert total == in_pack + rules.last_bonus + (0 if level else rules.trick_bonus)
            assert sum(facts["tricks"]) == rules.hand


STATED = {
    "crowsnest": 120,
    "tournament": 120,
    "partnership": 120,
    "one_high": 200,
    "red_one": 150,
    "buckeye": 180,
    "crowsnest-without-rook": 100,
    "tournament-without-rook": 100,
}


@pytest.mark.parametrize("name", STATED)
def test_rook_points_in_a_hand_are_those_of_the_table(name: str) -> None:
    game = game_of(name)
    seen = {sum(facts["captured"]) for number in range(0, 24, 2) for facts in game.facts(last(game, number))}
    assert seen <= {STATED[name], 100} if name == "partnership" else seen == {STATED[name]}
    assert STATED[name] in seen


def last(game: AnyGame, number: int) -> Any:
    return random_match(game, number)[-1].state


@on_boards_of("rook")
def test_rook_scores_follow_from_bids_and_captured_points(name: str, number: int) -> None:
    game = game_of(name)
    spots = random_match(game, number)
    totals = [0, 0]
    results = game.view_data(game.view(spots[-1].state, None))["results"]
    for result in results:
        declarer, bid, captured = result["declarer"], result["bid"], result["captured"]
        if declarer is None:
            continue
        team = declarer % 2
        made = captured[team] >= bid
        totals[team] += (bid if game.ruleset.made == "bid" else captured[team]) if made else -bid
        totals[1 - team] += captured[1 - team]
    assert list(game.scores(spots[-1].state)) == totals * 2
    ends = len(results) == game.ruleset.max_hands or (max(totals) >= game.ruleset.target or len(results) > 1)
    assert ends


@on_boards_of("rook")
def test_rook_the_last_bid_is_the_contract_and_bids_ascend(name: str, number: int) -> None:
    game = game_of(name)
    results = iter(game.view_data(game.view(last(game, number), None))["results"])
    for deal in deals_of(game, random_match(game, number)):
        bids = [(seat, points) for seat, _, _, kind, points in deal.moves if kind is Kind.BID]
        assert all(low < high for (_, low), (_, high) in pairwise(bids))
        if bids:
            result = next(results)
            assert (result["declarer"], result["bid"]) == bids[-1]
        elif game.ruleset.all_pass == "zero":
            assert next(results)["declarer"] is None
    assert next(results, None) is None


# Sums of The Crow and the Pitcher


def crow_value(game: AnyGame, card: str) -> int:
    rank = int(card[1:])
    worth = {"face": rank, "flat": 1, "inverse": 12 - rank}[game.ruleset.card_points]
    return -worth if card[0] == "T" else worth


@on_boards_of("crow_and_pitcher")
def test_crow_round_scores_add_up_to_the_invariant(name: str, number: int) -> None:
    game = game_of(name)
    spots = random_match(game, number)
    results = game.view_data(game.view(spots[-1].state, None))["results"]
    seats = game.seats
    pack_value = sum(crow_value(game, card) for card in game.notation.names.list(game.ruleset.pack()))
    if len(game.ruleset.ranks) == 9 and game.ruleset.card_points == "face":
        assert pack_value == 108
    totals = [0] * seats
    for index, deal in enumerate(deals_of(game, spots)):
        played = [cards[0] for _, _, cards, _, _ in deal.moves]
        expected = pack_value
        for number_of_trick in range(len(played) // seats):
            trick = played[number_of_trick * seats : (number_of_trick + 1) * seats]
            stones = [card for card in trick if card[0] != "T"]
            pitcher = deal.data["pitchers"][number_of_trick]
            counted = sum(int(card[1:]) for card in stones if int(card[1:]) <= pitcher)
            if trick[0][0] == "T":
                expected -= sum(crow_value(game, card) for card in stones)
            elif counted < pitcher:
                expected -= 5
        mine = results[index * seats : (index + 1) * seats]
        assert sum(mine) == expected
        totals = [total + points for total, points in zip(totals, mine, strict=True)]
    assert list(game.scores(spots[-1].state)) == totals
    assert len(results) == game.ruleset.rounds * seats


# Sums of Goat


class GoatTrick(NamedTuple):
    winner: int
    cards: list[str]


def goat_tricks(deal: DealPlayed) -> list[GoatTrick]:
    """The tricks of a deal, from the moves alone; a molodka gives back what was put down."""
    tricks: list[GoatTrick] = []
    full = len(deal.data["hands"][0])
    for at, (seat, _, cards, kind, _) in enumerate(deal.moves):
        if kind is Kind.LEAD:
            tricks.append(GoatTrick(seat, list(cards)))
        elif kind is Kind.MOLODKA:
            if tricks and len(tricks[-1].cards) % (4 * lead_size(deal, at)) != 0:
                tricks.pop()
            tricks.append(GoatTrick(seat, molodka_cards(deal, at, seat, full)))
        elif kind is Kind.BEAT:
            tricks[-1] = GoatTrick(seat, tricks[-1].cards + cards)
        elif kind is Kind.DROP:
            tricks[-1] = GoatTrick(tricks[-1].winner, tricks[-1].cards + cards)
    return tricks


def lead_size(deal: DealPlayed, at: int) -> int:
    """Cards a seat in the trick that move `at` interrupts or follows."""
    return next(
        (len(cards) for _, _, cards, kind, _ in reversed(deal.moves[:at]) if cards),
        1,
    )


def molodka_cards(deal: DealPlayed, at: int, seat: int, full: int) -> list[str]:
    """The caller's four cards: they are public right after the call."""
    after = deal.public[at + 1]["act_cards"]
    return list(after[len(after) - full :])


GOAT_POINTS = {"J": 2, "Q": 3, "K": 4, "10": 10, "A": 11}


@on_boards_of("goat")
def test_goat_points_and_defeats_follow_from_the_tricks(name: str, number: int) -> None:
    game = game_of(name)
    spots = random_match(game, number)
    results = game.view_data(game.view(spots[-1].state, None))["results"]
    whole = len(game.ruleset.ranks) == 9
    defeats = [0, 0]
    for deal, result in zip(deals_of(game, spots), results, strict=True):
        points, tricks = [0, 0], [0, 0]
        for trick in goat_tricks(deal):
            tricks[trick.winner % 2] += 1
            points[trick.winner % 2] += sum(GOAT_POINTS.get(card[:-1], 0) for card in trick.cards)
        assert result["points"] == points
        if whole:
            assert sum(points) == 120
            assert result["defeats"] == [goat_defeat(points[team], tricks[team]) for team in (0, 1)]
        defeats = [defeats[team] + result["defeats"][team] for team in (0, 1)]
    assert list(game.scores(spots[-1].state)) == [-defeats[0], -defeats[1]] * 2
    assert list(game.tiebreaks(spots[-1].state)) == [sum(r["points"][team] for r in results) for team in (0, 1)] * 2


def goat_defeat(points: int, tricks: int) -> int:
    if points >= 60:
        return 0
    return 6 if tricks == 0 else 4 if points <= 30 else 2
