"""Goat as a `Game`: what seats see and may do. The course of a match is in play.py."""

from __future__ import annotations

import dataclasses
from itertools import combinations
from typing import Any

from arena.core.cards import Card
from arena.core.chance import Chances
from arena.core.game import Board, DealData, Game, Seat
from arena.core.moves import MOLODKA, PASS, Kind, Legal, LegalList, Move, Notation
from arena.games.goat import deal as deals
from arena.games.goat import play, scoring, sets
from arena.games.goat import state as values
from arena.games.goat.ruleset import ID, NAMES, SEATS, SUITS, GoatRuleset
from arena.games.goat.state import SPECTATORS, GoatDeal, GoatState, GoatView, Hand, Match, Phase

ASK, LEAD, OVER = int(Phase.ASK), int(Phase.LEAD), int(Phase.OVER)
ASKED, ASKED_A_HOLDER = LegalList((PASS,)), LegalList((PASS, MOLODKA))


class Goat(Game[GoatDeal, GoatState, GoatView]):
    """One ruleset of the game, ready to play."""

    id = ID
    title = "Goat"
    version = "1"
    seats = SEATS
    sides = ((0, 2), (1, 3))
    notation = Notation(NAMES)
    worst_score = -scoring.NO_TRICK
    """Of one deal, by which boards are rated; of whole matches only places count."""

    def __init__(self, ruleset: GoatRuleset) -> None:
        self.ruleset: GoatRuleset = ruleset
        self.max_moves = ruleset.max_deals * moves_of_a_deal(ruleset)
        pack = ruleset.pack()
        self._beaten = [sets.beaten_by(pack, trump) for trump in range(len(SUITS))]
        small = [chosen for size in (1, 2) for chosen in combinations(pack, size)]
        self._leads = {cards: Move(Kind.LEAD, cards) for cards in sets.leading_sets(pack, ruleset.hand)}
        self._beats = {cards: Move(Kind.BEAT, cards) for cards in small}
        self._drops = {cards: Move(Kind.DROP, cards) for cards in small}

    def shuffle(self, chances: Chances, number: int, redeal: int) -> GoatDeal:
        """The cards of deal `number`."""
        return deals.shuffle(self.ruleset, chances, number, redeal)

    def deal_data(self, deal: GoatDeal) -> dict[str, Any]:
        """A deal as JSON data."""
        return deals.deal_data(deal)

    def read_deal(self, data: DealData) -> GoatDeal:
        """The deal that `deal_data` wrote. Raises TranscriptError."""
        return deals.read_deal(self.ruleset, data)

    def start(self, board: Board) -> GoatState:
        """The first deal; the seat after its dealer opens."""
        deal = board.deal(self, 0, 0, 0)
        match = Match(board, (), (), (), (0, 0))
        return play.begin_deal(self.ruleset, match, deal, (deal.dealer + 1) % SEATS)

    def deals(self, state: GoatState) -> tuple[GoatDeal, ...]:
        """The deals of the match so far."""
        return state.match.dealt

    def to_move(self, state: GoatState) -> Seat | None:
        """The seat whose turn it is; None when the match is over."""
        return None if state.phase == OVER else state.turn

    def view(self, state: GoatState, seat: Seat | None) -> GoatView:
        """What a seat sees; spectators see no hand and only cards that were put down face up."""
        match = state.match
        number = len(match.dealt) - 1
        deal = match.dealt[number]
        own: int
        hand: Hand
        received: tuple[Card, ...]
        if seat is None:
            own, viewer, hand, received = -1, SPECTATORS, (), ()
        else:
            own, viewer, hand, received = seat, seat, state.hands[seat], state.received[seat]
        return GoatView(
            own,
            state.phase,
            number,
            deal.dealer,
            state.leader,
            hand,
            deal.trump_card >> 4,
            deal.trump_card,
            len(state.stock),
            state.act_seats,
            state.acts,
            state.act_counts,
            state.seen[viewer],
            received,
            state.known[viewer],
            state.tricks,
            match.defeats,
            match.results,
        )

    def legal_moves(self, view: GoatView) -> Legal:
        """Leads; or beats, drops and molodka; or, when asked, pass and molodka. Small sets first, then ascending."""
        hand = view.hand
        if view.phase == LEAD:
            return LegalList(tuple([self._leads[cards] for cards in sets.leading_sets(hand, len(hand))]))
        if view.phase == ASK:
            return ASKED_A_HOLDER if sets.one_suit(hand) else ASKED
        best = cards_to_beat(view)
        size = len(best)
        beating = sets.beating_sets(hand, best, self._beaten[view.trump])
        if size <= 2:
            moves = [self._beats[cards] for cards in beating]
            moves += [self._drops[cards] for cards in combinations(hand, size)]
        else:
            moves = [Move(Kind.BEAT, cards) for cards in beating]
            moves += [Move(Kind.DROP, cards) for cards in combinations(hand, size)]
        if self._may_interrupt(hand, size):
            moves.append(MOLODKA)
        return LegalList(tuple(moves))

    def _may_interrupt(self, hand: Hand, size: int) -> bool:
        """Whether molodka may be called instead of an answer to `size` cards; a molodka led in this trick is full."""
        full = self.ruleset.hand
        return self.ruleset.molodka == "on_turn" and size < full == len(hand) and sets.one_suit(hand)

    def default_move(self, view: GoatView) -> Move:
        """Lead or drop the lowest cards by (points, rank, suit); never molodka."""
        if view.phase == ASK:
            return PASS
        lowest = sorted(view.hand, key=scoring.default_key)
        if view.phase == LEAD:
            return Move(Kind.LEAD, (lowest[0],))
        return Move(Kind.DROP, tuple(sorted(lowest[: view.act_counts[-1]])))

    def apply(self, state: GoatState, move: Move) -> GoatState:
        """The state after a move; a new deal begins when one is over and the match is not."""
        if move.kind is Kind.PASS:
            return play.decline(state)
        if move.kind is Kind.MOLODKA:
            return play.call_molodka(state)
        after = play.put_down(self.ruleset, state, move)
        if after.phase != OVER or play.match_is_over(self.ruleset, after.match):
            return after
        match = after.match
        number = len(match.dealt)
        return play.begin_deal(self.ruleset, match, match.board.deal(self, number, number, 0), after.leader)

    def scores(self, state: GoatState) -> tuple[int, ...]:
        """Minus the own team's defeat points of the match."""
        return tuple([-state.match.defeats[seat % 2] for seat in range(SEATS)])

    def tiebreaks(self, state: GoatState) -> tuple[int, ...]:
        """The own team's card points of all finished deals."""
        return tuple([sum([result.points[seat % 2] for result in state.match.results]) for seat in range(SEATS)])

    def single_deal(self) -> Goat:
        """The same game cut to one deal."""
        return Goat(dataclasses.replace(self.ruleset, max_deals=1))

    def facts(self, state: GoatState) -> list[dict[str, Any]]:
        """Each finished deal: dealer, trump, points, tricks and defeat points by team, 60-60 ("balls"), molodkas."""
        return [
            {
                "dealer": facts.deal.dealer,
                "trump": SUITS[facts.deal.trump_card >> 4],
                "trump_card": NAMES.text(facts.deal.trump_card),
                "points": list(facts.points),
                "tricks": list(facts.tricks),
                "defeats": list(facts.defeats),
                "balls": facts.points[0] == facts.points[1],
                "molodkas": facts.molodkas,
            }
            for facts in state.match.finished
        ]

    def view_data(self, view: GoatView) -> dict[str, Any]:
        """A view as JSON data."""
        return values.view_data(view)


def cards_to_beat(view: GoatView) -> Hand:
    """The cards of the last seat that beat, or of the leader, as the seat to answer sees them.

    Drops in the trick so far are of other seats, so that they stand for no cards in `act_cards`.
    """
    return view.act_cards[len(view.act_cards) - view.act_counts[-1] :]


def moves_of_a_deal(ruleset: GoatRuleset) -> int:
    """The most moves that a deal can take.

    Tricks of one card a seat make the longest deal: a molodka spends a whole hand in at most seven moves. With molodka
    before the trick every trick that opens with full hands is preceded by four answers.
    """
    cards = len(ruleset.ranks)
    asked = cards - ruleset.hand + 1 if ruleset.molodka == "before_trick" else 0
    return SEATS * (cards + asked)
