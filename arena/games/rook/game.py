"""The engine of the Rook family: one class that plays any ruleset of it, as the game protocol asks.

Knows the order of a match (deal, auction, nest, trump, tricks, score, next hand). What may be chosen is in `choices`,
what cards are worth in `lookup`, what hands come to in `scoring`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from arena.core.chance import Chances
from arena.core.errors import TranscriptError
from arena.core.game import Board, DealData, Game, Seat
from arena.core.moves import Kind, Legal, Move, Notation
from arena.games.rook import notation as texts
from arena.games.rook.choices import DEALS_IN_A_ROW, default_move, legal_moves
from arena.games.rook.lookup import build_lookup
from arena.games.rook.ruleset import SEATS, Ruleset, bids
from arena.games.rook.scoring import add_to, ending, score_hand, trick_winner, tricks_of
from arena.games.rook.state import (
    ABSENT,
    AUCTION,
    DISCARD,
    OVER,
    PLAY,
    TRUMP,
    HandRecord,
    RookDeal,
    RookResult,
    RookState,
    RookView,
    SoFar,
)


class RookGame(Game[RookDeal, RookState, RookView]):
    """One ruleset of the family, ready to play. The ruleset must have passed `ruleset.check`."""

    version = "1"
    seats = SEATS
    sides = ((0, 2), (1, 3))

    def __init__(self, game: str, title: str, ruleset: Ruleset) -> None:
        self.id = game
        self.title = title
        self.ruleset: Ruleset = ruleset
        self.lookup = build_lookup(ruleset)
        self.notation = Notation(texts.card_names(self.lookup.pack))
        self.worst_score = -ruleset.highest_bid
        self.max_moves = ruleset.max_hands * longest_hand(ruleset)

    # Deals

    def shuffle(self, chances: Chances, number: int, redeal: int) -> RookDeal:
        """Dealt in blocks from seat 0, the rest is the nest; the dealer moves on with every hand, not with a redeal."""
        first = chances.stream("dealer").below(SEATS)
        cards = chances.stream("cards", number, redeal).shuffled(self.lookup.pack)
        size = self.ruleset.hand
        hands = tuple(tuple(sorted(cards[seat * size : (seat + 1) * size])) for seat in range(SEATS))
        return RookDeal(hands, (first + number) % SEATS, tuple(sorted(cards[SEATS * size :])))

    def deal_data(self, deal: RookDeal) -> dict[str, Any]:
        """`hands` by seat, `dealer`, `nest`."""
        return texts.deal_data(self.notation.names, deal)

    def read_deal(self, data: DealData) -> RookDeal:
        """The deal written as data; cards may stand in any order."""
        return texts.read_deal(self.ruleset, self.notation.names, data)

    def deals(self, state: RookState) -> tuple[RookDeal, ...]:
        """All deals, passed-out ones too."""
        return state.so_far.deals

    # The course of a match

    def start(self, board: Board) -> RookState:
        """The first auction."""
        return self._deal(SoFar(board, (), 0, 0, False, (0, 0), (), ()))

    def _deal(self, so_far: SoFar) -> RookState:
        """The auction of hand `so_far.number` after `so_far.redeals` passed-out deals."""
        deal = so_far.board.deal(self, len(so_far.deals), so_far.number, so_far.redeals)
        if so_far.deals:
            _check_dealer(deal, (so_far.deals[-1].dealer + (so_far.redeals == 0)) % SEATS)
        so_far = so_far._replace(deals=(*so_far.deals, deal))
        first = (deal.dealer + 1) % SEATS
        return RookState(so_far, AUCTION, first, deal.dealer, deal.hands, (), (), 0, ABSENT, (), ABSENT, (), (), (0, 0))

    def to_move(self, state: RookState) -> Seat | None:
        """The seat whose turn it is."""
        turn = state.turn
        return None if turn < 0 else turn

    def apply(self, state: RookState, move: Move) -> RookState:
        """The state after a legal move."""
        phase = state.phase
        if phase == PLAY:
            return self._play(state, move)
        if phase == AUCTION:
            return self._call(state, move)
        if phase == DISCARD:
            return self._discard(state, move)
        return state._replace(
            phase=PLAY, trump=move.number, turn=(state.dealer + 1) % SEATS, leaders=((state.dealer + 1) % SEATS,)
        )

    def _call(self, state: RookState, move: Move) -> RookState:
        """A bid or a pass."""
        state = state._replace(bid_seats=(*state.bid_seats, state.turn), bid_points=(*state.bid_points, move.number))
        if move.kind is Kind.BID:
            state = state._replace(bid=move.number, bidder=state.turn)
        passed = {seat for seat, points in zip(state.bid_seats, state.bid_points, strict=True) if points == 0}
        if len(passed) == SEATS:
            return self._all_passed(state)
        if state.bid == self.lookup.top_bid or (len(passed) == SEATS - 1 and state.bid):
            return self._take_nest(state)
        turn = (state.turn + 1) % SEATS
        while turn in passed:
            turn = (turn + 1) % SEATS
        return state._replace(turn=turn)

    def _all_passed(self, state: RookState) -> RookState:
        so_far = state.so_far
        if self.ruleset.all_pass == "redeal":
            return self._deal(so_far._replace(redeals=so_far.redeals + 1))
        record = HandRecord(so_far.number, so_far.redeals, state.dealer, ABSENT, 0, ABSENT, 0, (0, 0), (0, 0), (0, 0))
        return self._finish(state, record)

    def _take_nest(self, state: RookState) -> RookState:
        """The declarer takes the nest, if there is one."""
        nest = state.so_far.deals[-1].nest
        if not nest:
            return state._replace(phase=TRUMP, turn=state.bidder)
        hand = tuple(sorted(state.hands[state.bidder] + nest))
        return self._with_hand(state, hand)._replace(phase=DISCARD, turn=state.bidder)

    def _discard(self, state: RookState, move: Move) -> RookState:
        hand = tuple(card for card in state.hands[state.bidder] if card not in move.cards)
        return self._with_hand(state, hand)._replace(phase=TRUMP, discard=move.cards)

    @staticmethod
    def _with_hand(state: RookState, hand: tuple[int, ...]) -> RookState:
        """The state with another hand for the declarer."""
        seat = state.bidder
        return state._replace(hands=(*state.hands[:seat], hand, *state.hands[seat + 1 :]))

    def _play(self, state: RookState, move: Move) -> RookState:
        """A card to the trick. Written for speed: nine moves of ten come here."""
        (so_far, phase, turn, dealer, hands, seats, bids_, bid, bidder, discard, trump, played, leaders, captured) = (
            state
        )
        card = move.cards[0]
        hand = hands[turn]
        place = hand.index(card)
        hand = hand[:place] + hand[place + 1 :]
        hands = (*hands[:turn], hand, *hands[turn + 1 :])
        played += (card,)
        if len(played) & 3:
            turn = (turn + 1) & 3
        else:
            trick = played[-4:]
            turn = trick_winner(self.lookup, trump, leaders[-1], trick)
            points = self.lookup.points
            captured = add_to(turn & 1, captured, sum([points[card] for card in trick]))
            if hand:
                leaders += (turn,)
        state = RookState(
            so_far, phase, turn, dealer, hands, seats, bids_, bid, bidder, discard, trump, played, leaders, captured
        )
        return state if hand or len(played) & 3 else self._score(state)

    def _score(self, state: RookState) -> RookState:
        """The hand is played out; `turn` is the winner of the last trick."""
        winners = (*state.leaders[1:], state.turn)
        discard_points = sum(self.lookup.points[card] for card in state.discard)
        score = score_hand(self.ruleset, state.bidder, state.bid, state.captured, discard_points, winners)
        so_far = state.so_far
        record = HandRecord(
            so_far.number,
            so_far.redeals,
            state.dealer,
            state.bidder,
            state.bid,
            state.trump,
            discard_points,
            tricks_of(winners),
            score.captured,
            score.gained,
        )
        return self._finish(state, record)

    def _finish(self, state: RookState, record: HandRecord) -> RookState:
        """A hand is complete: add it to the match, then deal the next one or end."""
        so_far = state.so_far
        scores = (so_far.scores[0] + record.gained[0], so_far.scores[1] + record.gained[1])
        over, sudden = ending(self.ruleset, scores, so_far.number + 1, so_far.sudden)
        so_far = so_far._replace(
            sudden=sudden,
            scores=scores,
            results=(*so_far.results, RookResult(record.declarer, record.bid, record.captured)),
            records=(*so_far.records, record),
        )
        if over:
            return state._replace(so_far=so_far, phase=OVER, turn=ABSENT)
        return self._deal(so_far._replace(number=so_far.number + 1, redeals=0))

    # What a seat knows and may do

    def view(self, state: RookState, seat: Seat | None) -> RookView:
        """A seat's own cards and all that is public; None: only what is public."""
        (so_far, phase, _, dealer, hands, seats, bids_, bid, bidder, discard, trump, played, leaders, captured) = state
        _, deals, number, redeals, _, scores, results, _ = so_far
        hand: tuple[int, ...] = ()
        nest: tuple[int, ...] = ()
        own_discard: tuple[int, ...] = ()
        if seat is None:
            seat = ABSENT
        else:
            hand = hands[seat]
            if seat == bidder and phase != AUCTION:
                nest = deals[-1].nest
                own_discard = discard
        return RookView(
            seat,
            phase,
            number,
            redeals,
            dealer,
            hand,
            seats,
            bids_,
            bid,
            bidder,
            nest,
            own_discard,
            trump,
            played,
            leaders,
            captured,
            scores,
            results,
        )

    def legal_moves(self, view: RookView) -> Legal:
        """Cards ascending; in the auction pass first, then bids ascending; the discard as a choice."""
        return legal_moves(self.ruleset, self.lookup, view)

    def default_move(self, view: RookView) -> Move:
        """What a silent seat plays."""
        return default_move(self.ruleset, self.lookup, view)

    def view_data(self, view: RookView) -> dict[str, Any]:
        """A view as JSON data."""
        return texts.view_data(self.notation.names, view)

    # Results

    def scores(self, state: RookState) -> tuple[int, ...]:
        """The match score of each seat's team."""
        return state.so_far.scores * 2

    def facts(self, state: RookState) -> list[dict[str, Any]]:
        """One entry a finished hand."""
        return [texts.record_data(record) for record in state.so_far.records]

    def single_deal(self) -> RookGame:
        """One hand at level score; four passes end it 0-0, so that all seatings play the same cards."""
        return RookGame(self.id, self.title, replace(self.ruleset, max_hands=1, all_pass="zero"))


def _check_dealer(deal: RookDeal, dealer: Seat) -> None:
    if deal.dealer != dealer:
        raise TranscriptError(
            f"a deal has dealer {deal.dealer}, but it is the turn of seat {dealer} to deal",
            fix="the deal moves one seat clockwise after every completed hand, and stays after four passes",
        )


def longest_hand(ruleset: Ruleset) -> int:
    """How many moves a hand can have, passed-out deals included.

    An auction has at most one bid for each level. With every level bid, the last one ends it and at most two seats have
    passed; with one level less, three have. Three passes and a bid, or four passes, are four moves.
    """
    auction = max(SEATS, len(bids(ruleset)) + 2)
    passed_out = SEATS * (DEALS_IN_A_ROW - 1) if ruleset.all_pass == "redeal" else 0
    return passed_out + auction + (ruleset.nest > 0) + 1 + SEATS * ruleset.hand
