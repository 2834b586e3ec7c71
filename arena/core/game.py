"""What a game is: the contract between the rules of one game and everything above them.

A `Game` is one ruleset, ready to play. States and views are immutable values; rules hold no clock, socket, log or
generator. Cards of a deal come from a `Board`, which fixes every deal before the first move, whatever players do.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from arena.core import options
from arena.core.chance import Chances
from arena.core.errors import IllegalMove, TranscriptError
from arena.core.moves import Legal, Move, Notation

Seat = int
"""0, 1, 2, ... clockwise."""
Team = int
"""Index into `Game.sides`."""
DealData = Mapping[str, Any]  # Any: JSON
"""One deal as JSON data: `hands` (texts by seat), `dealer`, and `nest` | `pitchers` | `stock` and `trump_card`."""


class Deal(Protocol):
    """What one shuffle fixes; each game has its own NamedTuple."""


class AnyView(Protocol):
    """What every view has: the seat it belongs to, -1 for spectators."""

    @property
    def seat(self) -> int:
        """The seat, or -1."""
        ...


D = TypeVar("D")
S = TypeVar("S")
V = TypeVar("V", bound=AnyView)


class Game(ABC, Generic[D, S, V]):
    """One game with every option fixed. D: its deal, S: its state, V: its view, each an immutable value.

    Views consist of whole numbers, None and tuples of such (nested NamedTuples included), nothing else: the view key
    and the wire rely on it.
    """

    id: str
    """The ruleset's id, "crowsnest"."""
    title: str
    version: str
    """Changes whenever the same moves on the same deals may lead to another result."""
    seats: int
    sides: tuple[tuple[Seat, ...], ...]
    """Groups of seats that win together; every seat is in exactly one."""
    max_moves: int
    """No match has more moves than this, whatever is played."""
    ruleset: Any  # Any: a frozen dataclass of the game's own, read by name inside the game only
    notation: Notation
    worst_score: int
    """The score of a side that forfeits, per seat: the worst result the rules can give (docs/ratings.md)."""

    @abstractmethod
    def shuffle(self, chances: Chances, number: int, redeal: int) -> D:
        """The cards of deal `number` (from 0) after `redeal` passed-out shuffles; a pure function of the board seed."""

    @abstractmethod
    def deal_data(self, deal: D) -> dict[str, Any]:
        """A deal as JSON data."""

    @abstractmethod
    def read_deal(self, data: DealData) -> D:
        """The deal that `deal_data` wrote. Raises TranscriptError when it is no deal of this ruleset."""

    @abstractmethod
    def start(self, board: Board) -> S:
        """The state before the first move."""

    @abstractmethod
    def deals(self, state: S) -> tuple[D, ...]:
        """All deals dealt so far, passed-out ones too, in order."""

    @abstractmethod
    def to_move(self, state: S) -> Seat | None:
        """The seat whose turn it is; None when the match is over."""

    @abstractmethod
    def view(self, state: S, seat: Seat | None) -> V:
        """All that one seat may know, with the public history of the deal; None: what spectators may see."""

    @abstractmethod
    def legal_moves(self, view: V) -> Legal:
        """What the seat of the view may do now; only called for the view of the seat to move."""

    @abstractmethod
    def apply(self, state: S, move: Move) -> S:
        """The state after a legal move of the seat to move. Trusts its caller."""

    @abstractmethod
    def default_move(self, view: V) -> Move:
        """What a silent seat plays: always legal, fixed by the view."""

    @abstractmethod
    def scores(self, state: S) -> tuple[int, ...]:
        """Points by seat, higher is better; partners have equal ones. Also of an unfinished match: what stands now."""

    @abstractmethod
    def view_data(self, view: V) -> dict[str, Any]:
        """A view as JSON data with the texts of cards, for transcripts, pages and people."""

    def ranks(self, state: S) -> tuple[int, ...]:
        """Places by seat: 0 is best, equal means tied."""
        return ranks_of(self.scores(state))

    def tiebreaks(self, state: S) -> tuple[int, ...]:
        """By seat: what decides a block that is level in scores; zeros where nothing does."""
        return (0,) * self.seats

    def single_deal(self) -> Game[D, S, V]:
        """This ruleset cut to one deal, for boards of `unit = "deal"`; itself where a board is always a match."""
        return self

    def facts(self, state: S) -> list[dict[str, Any]]:
        """What each finished deal came to, for summaries: JSON data, one entry a deal (declarer, bid, points, ...)."""
        return []

    def side_of(self, seat: Seat) -> Team:
        """The side a seat plays for."""
        return next(side for side, seats in enumerate(self.sides) if seat in seats)

    def describe(self) -> str:
        """The canonical JSON of the ruleset."""
        return options.canonical(self.ruleset)


class Board(Protocol):
    """A match's whole randomness."""

    def deal(self, game: Game[D, S, V], index: int, number: int, redeal: int) -> D:
        """Deal `number` after `redeal` passed-out shuffles; `index` counts all earlier deals, passed-out ones too."""


class SeededBoard(NamedTuple):
    """A board made from a 32-byte seed."""

    seed: bytes

    def deal(self, game: Game[D, S, V], index: int, number: int, redeal: int) -> D:
        """The cards the seed fixes."""
        return game.shuffle(Chances(self.seed), number, redeal)


class DealtBoard(NamedTuple):
    """A board whose deals are written out, in the order they come up."""

    deals: tuple[DealData, ...]

    def deal(self, game: Game[D, S, V], index: int, number: int, redeal: int) -> D:
        """The deal in place `index`. Raises TranscriptError when there are too few."""
        if index >= len(self.deals):
            raise TranscriptError(f"deal {index} is needed, only {len(self.deals)} are written out")
        return game.read_deal(self.deals[index])


AnyGame = Game[Any, Any, Any]  # Any: for callers that play every game alike


def ranks_of(scores: Sequence[Any]) -> tuple[int, ...]:
    """Places from scores: how many distinct scores are better. (30, 10, 30, 5) -> (0, 1, 0, 2)."""
    order = sorted(set(scores), reverse=True)
    return tuple(order.index(score) for score in scores)


def checked_apply(game: Game[D, S, V], state: S, seat: Seat, move: Move) -> S:
    """Apply a move of a seat after checking turn and legality: the referee's only entrance.

    Raises IllegalMove with what would have been legal.
    """
    turn = game.to_move(state)
    if turn != seat:
        raise IllegalMove(
            f"seat {seat} moved, but it is seat {turn}'s turn" if turn is not None else "the match is over"
        )
    legal = game.legal_moves(game.view(state, seat))
    check_legal(game.notation, legal, move)
    return game.apply(state, move)


def check_legal(notation: Notation, legal: Legal, move: Move) -> None:
    """Raises IllegalMove, with what is legal, unless the move is."""
    if not legal.allows(move):
        try:
            text = notation.text(move)
        except (KeyError, IndexError):
            text = repr(tuple(move))
        raise IllegalMove(f"{text!r} is not legal here", fix=f"legal: {notation.legal_data(legal)}")


class Variant(NamedTuple):
    """One id of `arena games`: how to make the game of that id with some options changed."""

    id: str
    title: str
    family: str
    summary: str
    make: Callable[[Mapping[str, object]], AnyGame]
    """Options -> game. Raises ConfigError for an unknown option or a combination that cannot work."""
