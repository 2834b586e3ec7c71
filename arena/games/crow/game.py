"""The Crow and the Pitcher as a `Game`: the course of rounds and tricks. What a trick comes to is in tricks.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.core.cards import Card, rank_of
from arena.core.chance import Chances
from arena.core.errors import TranscriptError
from arena.core.game import Board, DealData, Game, Seat
from arena.core.moves import Legal, LegalList, Move, Notation, play
from arena.games.crow import state as values
from arena.games.crow import tricks
from arena.games.crow.ruleset import ID, NAMES, PITCHER_POINTS, CrowRuleset
from arena.games.crow.state import CrowDeal, CrowState, CrowView, RoundFacts


class Crow(Game[CrowDeal, CrowState, CrowView]):
    """One ruleset of the game, ready to play."""

    id = ID
    title = "The Crow and the Pitcher"
    version = "1"
    notation = Notation(NAMES)

    def __init__(self, ruleset: CrowRuleset) -> None:
        self.ruleset: CrowRuleset = ruleset
        self.seats = ruleset.players
        self.sides = tuple((seat,) for seat in range(self.seats))
        pack = ruleset.pack()
        self.max_moves = ruleset.rounds * len(pack)
        self._points = [0] * (max(pack) + 1)
        for card in pack:
            self._points[card] = tricks.points_of(card, ruleset.card_points)
        worst_round = sum(min(0, points) for points in self._points) + PITCHER_POINTS * ruleset.tricks
        self.worst_score = ruleset.rounds * worst_round
        self._plays = {card: play(card) for card in pack}

    def shuffle(self, chances: Chances, number: int, redeal: int) -> CrowDeal:
        """The cards and pitchers of round `number`."""
        return values.shuffle(self.ruleset, chances, number, redeal)

    def deal_data(self, deal: CrowDeal) -> dict[str, Any]:
        """A deal as JSON data."""
        return values.deal_data(deal)

    def read_deal(self, data: DealData) -> CrowDeal:
        """The deal that `deal_data` wrote. Raises TranscriptError."""
        return values.read_deal(self.ruleset, data)

    def start(self, board: Board) -> CrowState:
        """The first round, its first pitcher turned up."""
        zeros = (0,) * self.seats
        return self._begin_round(board, (), zeros, (), ())

    def _begin_round(
        self,
        board: Board,
        dealt: tuple[CrowDeal, ...],
        scores: tuple[int, ...],
        finished: tuple[RoundFacts, ...],
        results: tuple[int, ...],
    ) -> CrowState:
        number = len(dealt)
        deal = board.deal(self, number, number, 0)
        if dealt and deal.dealer != (dealt[-1].dealer + 1) % self.seats:
            raise TranscriptError(
                f"round {number} has dealer {deal.dealer}, the round before {dealt[-1].dealer}",
                fix="the deal moves one seat clockwise each round",
            )
        leader = (deal.dealer + 1) % self.seats
        return CrowState(
            board,
            (*dealt, deal),
            leader,
            deal.hands,
            deal.pitchers[:1],
            (),
            (leader,),
            (0,) * self.seats,
            scores,
            finished,
            results,
        )

    def deals(self, state: CrowState) -> tuple[CrowDeal, ...]:
        """The deals of all rounds begun."""
        return state.dealt

    def to_move(self, state: CrowState) -> Seat | None:
        """The seat whose turn it is; None when the match is over."""
        return None if state.turn < 0 else state.turn

    def view(self, state: CrowState, seat: Seat | None) -> CrowView:
        """What a seat sees; spectators see no hand."""
        _, dealt, _, hands, pitchers, played, leaders, round_scores, scores, _, results = state
        own, hand = (-1, ()) if seat is None else (seat, hands[seat])
        number = len(dealt) - 1
        dealer = dealt[number].dealer
        return CrowView(own, number, dealer, hand, pitchers, played, leaders, round_scores, scores, results)

    def legal_moves(self, view: CrowView) -> Legal:
        """The cards that may be played, ascending."""
        return LegalList(tuple([self._plays[card] for card in self._playable(view)]))

    def _playable(self, view: CrowView) -> Sequence[Card]:
        place = len(view.played) % self.seats
        if place:
            return tricks.answers(view.hand, view.played[-place] >> 4, self.ruleset.void_play)
        return tricks.leads(view.hand, view.played, self.ruleset.thirst_lead)

    def default_move(self, view: CrowView) -> Move:
        """The lowest legal rank; ties in the order red, green, blue, thirst."""
        return self._plays[min(self._playable(view), key=lambda card: (rank_of(card), card))]

    def apply(self, state: CrowState, move: Move) -> CrowState:
        """The state after a card is played."""
        board, dealt, turn, hands, pitchers, played, leaders, round_scores, scores, finished, results = state
        card = move.cards[0]
        hand = hands[turn]
        place = hand.index(card)
        hands = (*hands[:turn], hand[:place] + hand[place + 1 :], *hands[turn + 1 :])
        played = (*played, card)
        seats = self.seats
        if len(played) % seats:
            turn = (turn + 1) % seats
            return CrowState(
                board, dealt, turn, hands, pitchers, played, leaders, round_scores, scores, finished, results
            )
        taken = tricks.outcome(played[-seats:], pitchers[-1], self._points)
        winner = (leaders[-1] + taken.place) % seats
        round_scores = _with(round_scores, winner, taken.points)
        scores = _with(scores, winner, taken.points)
        if hands[0]:
            pitchers = dealt[-1].pitchers[: len(pitchers) + 1]
            leaders = (*leaders, winner)
            return CrowState(
                board, dealt, winner, hands, pitchers, played, leaders, round_scores, scores, finished, results
            )
        finished = (*finished, self._facts(dealt[-1], played, round_scores))
        results = results + round_scores
        if len(finished) < self.ruleset.rounds:
            return self._begin_round(board, dealt, scores, finished, results)
        return CrowState(board, dealt, -1, hands, pitchers, played, leaders, round_scores, scores, finished, results)

    def _facts(self, deal: CrowDeal, played: tuple[Card, ...], scores: tuple[int, ...]) -> RoundFacts:
        count = self.seats
        parts = [played[first : first + count] for first in range(0, len(played), count)]
        thirst_led = sum(tricks.led_by_thirst(part) for part in parts)
        taken = sum(tricks.takes_pitcher(part, deal.pitchers[number]) for number, part in enumerate(parts))
        lost = sum(
            self._points[card] for part in parts if tricks.led_by_thirst(part) for card in set(part) - tricks.ALL_THIRST
        )
        return RoundFacts(deal.dealer, scores, len(parts) - thirst_led - taken, taken, thirst_led, lost)

    def scores(self, state: CrowState) -> tuple[int, ...]:
        """Points of the match by seat."""
        return state.scores

    def view_data(self, view: CrowView) -> dict[str, Any]:
        """A view as JSON data."""
        return values.view_data(view)

    def facts(self, state: CrowState) -> list[dict[str, Any]]:
        """Each finished round: dealer, scores, tricks by kind, points of stones that scored for nobody."""
        return [{**facts._asdict(), "scores": list(facts.scores)} for facts in state.finished]


def _with(scores: tuple[int, ...], seat: Seat, points: int) -> tuple[int, ...]:
    return (*scores[:seat], scores[seat] + points, *scores[seat + 1 :])
