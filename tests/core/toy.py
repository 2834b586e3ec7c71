"""A game of two seats and four cards, only as large as the generic code needs: tests of core play it.

Each seat has two of A1 A2 A3 A4; both play a card, the higher one wins a point and leads; rounds of two tricks. A
ruleset has `rounds` of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from arena.core.cards import Card, CardNames
from arena.core.chance import Chances
from arena.core.errors import TranscriptError
from arena.core.game import Board, DealData, Game, Seat
from arena.core.moves import Legal, LegalList, Move, Notation, play
from arena.core.options import Counts, option

PACK = (1, 2, 3, 4)
NAMES = CardNames({card: f"A{card}" for card in PACK}, ("ace",))


@dataclass(frozen=True)
class ToyRuleset:
    rounds: int = option(2, "rounds of a match", low=1, high=9)
    open: bool = option(False, "show all hands")
    winner: str = option("high", "who takes a trick", choices=("high", "low"))
    marks: tuple[int, ...] = option((1, 2), "marks on the table")
    weights: Counts = option(((1, 1), (2, 5)), "what a trick is worth")


class ToyDeal(NamedTuple):
    hands: tuple[tuple[Card, ...], ...]
    dealer: int


class ToyState(NamedTuple):
    board: Board
    deals: tuple[ToyDeal, ...]
    turn: int
    hands: tuple[tuple[Card, ...], ...]
    table: tuple[Card, ...]
    scores: tuple[int, int]


class ToyView(NamedTuple):
    seat: int
    hand: tuple[Card, ...]
    table: tuple[Card, ...]
    scores: tuple[int, int]


class Toy(Game[ToyDeal, ToyState, ToyView]):
    id = "toy"
    title = "Toy"
    version = "1"
    seats = 2
    sides = ((0,), (1,))
    notation = Notation(NAMES)
    worst_score = 0

    def __init__(self, ruleset: ToyRuleset | None = None) -> None:
        self.ruleset = ruleset or ToyRuleset()
        self.max_moves = 4 * self.ruleset.rounds

    def shuffle(self, chances: Chances, number: int, redeal: int) -> ToyDeal:
        first = chances.stream("dealer").below(2)
        cards = chances.stream("cards", number, redeal).shuffled(PACK)
        return ToyDeal((tuple(sorted(cards[:2])), tuple(sorted(cards[2:]))), (first + number) % 2)

    def deal_data(self, deal: ToyDeal) -> dict[str, Any]:
        return {"hands": [NAMES.list(hand) for hand in deal.hands], "dealer": deal.dealer}

    def read_deal(self, data: DealData) -> ToyDeal:
        hands = tuple(tuple(NAMES.parse(text) for text in hand) for hand in data["hands"])
        if sorted(card for hand in hands for card in hand) != list(PACK):
            raise TranscriptError("not the pack")
        return ToyDeal(hands, data["dealer"])

    def start(self, board: Board) -> ToyState:
        return self._round(board, (), (0, 0))

    def _round(self, board: Board, deals: tuple[ToyDeal, ...], scores: tuple[int, int]) -> ToyState:
        deal = board.deal(self, len(deals), len(deals), 0)
        return ToyState(board, (*deals, deal), 1 - deal.dealer, deal.hands, (), scores)

    def deals(self, state: ToyState) -> tuple[ToyDeal, ...]:
        return state.deals

    def to_move(self, state: ToyState) -> Seat | None:
        return None if state.turn < 0 else state.turn

    def view(self, state: ToyState, seat: Seat | None) -> ToyView:
        return ToyView(
            -1 if seat is None else seat, () if seat is None else state.hands[seat], state.table, state.scores
        )

    def legal_moves(self, view: ToyView) -> Legal:
        return LegalList(tuple(play(card) for card in view.hand))

    def default_move(self, view: ToyView) -> Move:
        return play(min(view.hand))

    def apply(self, state: ToyState, move: Move) -> ToyState:
        card, turn = move.cards[0], state.turn
        hands = tuple(tuple(held for held in hand if held != card) for hand in state.hands)
        if not state.table:
            return state._replace(turn=1 - turn, hands=hands, table=(card,))
        winner = turn if card > state.table[0] else 1 - turn
        scores = (state.scores[0] + (winner == 0), state.scores[1] + (winner == 1))
        if hands[0]:
            return state._replace(turn=winner, hands=hands, table=(), scores=scores)
        if len(state.deals) < self.ruleset.rounds:
            return self._round(state.board, state.deals, scores)
        return state._replace(turn=-1, hands=hands, table=(), scores=scores)

    def scores(self, state: ToyState) -> tuple[int, ...]:
        return state.scores

    def view_data(self, view: ToyView) -> dict[str, Any]:
        return {**view._asdict(), "hand": NAMES.list(view.hand), "table": NAMES.list(view.table)}
