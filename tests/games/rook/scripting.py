"""Deals and moves written out: the tests' way to set up a position of the Rook family."""

from __future__ import annotations

from arena.core.game import DealtBoard, checked_apply
from arena.games import make
from arena.games.rook.game import RookGame
from arena.games.rook.notation import card_text
from arena.games.rook.ruleset import COLOURS
from arena.games.rook.state import PLAY, RookState, RookView

S, W, N, E = range(4)
VARIANT_IDS = ("crowsnest", "tournament", "partnership", "one_high", "red_one", "buckeye")

# W holds the seven highest greens and declares; green is trump. W takes seven tricks, S the last two: 70 to 50.
SEVENTY_FIFTY = {
    "S": "B7 B8 B9 B10 B11 B12 B13 B14 G5",
    "W": "B5 B6 G8 G9 G10 G11 G12 G13 G14",
    "N": "G6 R5 R10 R11 R12 R13 R14 Y7 ROOK",
    "E": "G7 Y5 Y8 Y9 Y10 Y11 Y12 Y13 Y14",
    "nest": "R6 R7 R8 R9 Y6",
}
SEVENTY_FIFTY_PLAY = """
    G14 G6 G7 G5    G13 ROOK Y8 B7    G12 R5 Y9 B8    G11 R11 Y11 B9    G10 R12 Y12 B10
    G9 R13 Y13 B11  G8 Y7 Y14 B12     B5 R14 Y10 B14  B13 B6 R10 Y5
"""


def game(variant: str = "crowsnest", **options: object) -> RookGame:
    """A game of the family."""
    made = make(variant, options)
    assert isinstance(made, RookGame)
    return made


def deal(rook: RookGame, dealer: int = E, **places: str) -> dict[str, object]:
    """A deal as data: places are S, W, N, E and nest; cards not named fill them up in order, hands before the nest."""
    rules = rook.ruleset
    given = {place: places.get(place, "").split() for place in ("S", "W", "N", "E", "nest")}
    named = {card for cards in given.values() for card in cards}
    rest = [card_text(card) for card in rook.lookup.pack if card_text(card) not in named]
    for place, cards in given.items():
        wanted = (rules.nest if place == "nest" else rules.hand) - len(cards)
        cards += rest[:wanted]
        del rest[:wanted]
    return {"hands": [given[place] for place in "SWNE"], "dealer": dealer, "nest": given["nest"]}


def turned(data: dict[str, object], seats: int) -> dict[str, object]:
    """The same deal with everybody moved some seats clockwise, the dealer too."""
    hands, dealer = data["hands"], data["dealer"]
    assert isinstance(hands, list)
    assert isinstance(dealer, int)
    return {**data, "hands": [hands[(seat - seats) % 4] for seat in range(4)], "dealer": (dealer + seats) % 4}


def start(rook: RookGame, *deals: dict[str, object]) -> RookState:
    """The first auction on the deals."""
    return rook.start(DealtBoard(deals))


def run(rook: RookGame, state: RookState, text: str) -> RookState:
    """The state after moves of whichever seats are to move; moves are separated by spaces or line ends.

    A discard is written as `discard:R6,R7`, other moves of two words as `bid:70` and `trump:green`.
    """
    for word in text.split():
        seat = rook.to_move(state)
        assert seat is not None, f"{word}: the match is over"
        state = checked_apply(rook, state, seat, rook.notation.parse(word.replace(":", " ").replace(",", " ")))
    return state


def view_of_turn(rook: RookGame, state: RookState) -> RookView:
    """The view of the seat to move."""
    seat = rook.to_move(state)
    assert seat is not None
    return rook.view(state, seat)


def legal(rook: RookGame, state: RookState) -> str:
    """The legal moves of the seat to move, as texts with spaces between."""
    data = rook.notation.legal_data(rook.legal_moves(view_of_turn(rook, state)))
    assert isinstance(data, list)
    return " ".join(text.replace(" ", ":") for text in data)


def default(rook: RookGame, state: RookState) -> str:
    """The default move of the seat to move, as text."""
    return rook.notation.text(rook.default_move(view_of_turn(rook, state)))


def playing(rook: RookGame, hand: str, *, trump: str, trick: str = "") -> RookView:
    """The view of a seat in the play: its hand, trump, and the cards of the trick so far."""
    names = rook.notation.names
    view = rook.view(start(rook, deal(rook)), S)
    return view._replace(
        phase=PLAY,
        hand=tuple(sorted(names.parse(text) for text in hand.split())),
        trump=COLOURS.index(trump),
        played=tuple(names.parse(text) for text in trick.split()),
        leaders=(E,),
        bid=rook.lookup.top_bid,
        bidder=N,
    )


def may_play(rook: RookGame, hand: str, *, trump: str, trick: str = "") -> str:
    """The legal cards of such a seat, as texts with spaces between."""
    moves = rook.legal_moves(playing(rook, hand, trump=trump, trick=trick)).moves
    return " ".join(rook.notation.text(move) for move in moves)


def seventy_fifty_hand(bid: int) -> str:
    """The moves of the hand 70 to 50 with the first speaker as declarer, for `run`."""
    return (
        f"bid:{bid} pass pass pass discard:{SEVENTY_FIFTY['nest'].replace(' ', ',')} trump:green {SEVENTY_FIFTY_PLAY}"
    )
