"""What a person can press at a turn: made from the seat's view and its legal moves alone.

The browser knows no rules: which buttons work, and which sets of cards may be sent, follows from `data["legal"]`, the
legal moves as `Notation.legal_data` writes them. The rest of `data` are words and numbers to show beside a choice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from arena.core.game import AnyGame, Seat
from arena.core.moves import Kind, Legal
from arena.games import catalog
from arena.games.rook.ruleset import COLOURS, points_of
from arena.games.rook.ruleset import bids as bids_of
from arena.web.play.ending import called_at
from arena.web.table import cards
from arena.web.table.acts import course_of, pairing, pairs_text
from arena.web.table.rook import rook_game

View = Mapping[str, Any]
MOLODKA_LINE = "Molodka: the cards of this trick go back, your four are the lead, and the others answer them."
NUMBERS = ("no", "one", "two", "three", "four")
"""How many cards a hand of Goat has, in words."""
FORCED_LINE = "Nobody has bid in deal after deal: the lowest bid must be made"
ASK_LINE = "Molodka: your four cards of one suit lead this trick. Everybody with four cards is asked."


class Bid(NamedTuple):
    """One button of the auction."""

    points: int
    legal: bool


class Trump(NamedTuple):
    """One suit that may be named."""

    word: str
    move: str
    held: int
    """Cards of the hand that would be trump."""


@dataclass(frozen=True)
class Controls:
    """The controls of one position for one seat."""

    kind: str
    """auction, discard, trump, play, lead, answer, ask; "wait": somebody else moves; "over"."""
    lines: tuple[str, ...] = ()
    """What to know for the choice."""
    bids: tuple[Bid, ...] = ()
    trumps: tuple[Trump, ...] = ()
    passes: str = ""
    """Words of the button that passes; empty: there is none."""
    molodka: str = ""
    """What a molodka does; empty: none may be called."""
    size: int = 0
    """How many cards are to be chosen; 0: as the legal moves say."""
    options: int = 0
    """How many legal choices there are, in cards where cards are chosen."""
    noun: str = "moves"
    data: Mapping[str, Any] = field(default_factory=dict)  # Any: JSON, for the page's script

    @property
    def mine(self) -> bool:
        """Whether the person is to move."""
        return self.kind not in ("wait", "over")

    def listed(self) -> tuple[str, ...]:
        """What can be pressed besides cards, and what cards can do together, in lines: for who sees no buttons."""
        told = list(self.lines)
        if self.bids:
            told.append("bids: " + " ".join(str(bid.points) for bid in self.bids if bid.legal))
        told += [f"{trump.word}: {trump.held} held" for trump in self.trumps]
        if self.kind == "answer":
            beats = [", ".join(pair["text"] for pair in pairs) for pairs in self.data["pairs"].values()]
            told += beats or ["no beat, only a drop"]
        return (*told, *(words for words in (self.passes, self.molodka) if words))

    @property
    def said(self) -> str:
        """The turn in a sentence: "Your turn: 2 legal cards."."""
        one = self.noun.removesuffix("s")
        return f"Your turn: {self.options} legal {one if self.options == 1 else self.noun}." if self.mine else ""


WAIT, OVER = Controls("wait"), Controls("over")


def controls_of(game: AnyGame, view: View, legal: Legal, names: Sequence[str]) -> Controls:
    """The controls of the seat to move. `view` as data; `names` by seat."""
    listed = game.notation.legal_data(legal)
    family = catalog()[game.id].family
    held = {text: cards.full_name(text, family, game.id) for text in view["hand"]}
    data: dict[str, Any] = {"legal": listed, "names": held}
    match family:
        case "rook":
            return _rook(game, view, listed, names, data)
        case "goat":
            return _goat(game, view, listed, data)
        case _:
            assert isinstance(listed, list), "cards are listed one by one"
            return _play(listed, data)


def _play(listed: Sequence[str], data: Mapping[str, Any]) -> Controls:
    return Controls("play", options=len(listed), noun="cards", data={**data, "kind": "play"})


# Rook


def _rook(
    game: AnyGame, view: View, listed: list[str] | dict[str, object], names: Sequence[str], data: dict[str, Any]
) -> Controls:
    if isinstance(listed, dict):
        return _discard(game, view, listed, data)
    if view["phase"] == "auction":
        return _auction(game, view, listed, names, data)
    if view["phase"] == "trump":
        trumps = _trumps(game, view)
        return Controls("trump", ("Name trump.",), trumps=trumps, options=len(listed), noun="suits", data=data)
    return _play(listed, data)


def _auction(
    game: AnyGame, view: View, listed: Sequence[str], names: Sequence[str], data: Mapping[str, Any]
) -> Controls:
    legal = {int(move.split(" ")[1]) for move in listed if move != "pass"}
    bids = tuple(Bid(points, points in legal) for points in bids_of(rook_game(game).ruleset))
    lines = [_standing(game, view, names)]
    out = [seat for seat, points in zip(view["bid_seats"], view["bid_points"], strict=True) if points == 0]
    if out:
        lines.append(f"out: {', '.join(called_at(game, seat, names) for seat in out)}")
    passes = "Pass" if "pass" in listed else ""
    if not passes:
        lines.append(FORCED_LINE)
    return Controls("auction", tuple(lines), bids, passes=passes, options=len(listed), noun="calls", data=data)


def _standing(game: AnyGame, view: View, names: Sequence[str]) -> str:
    bidder: Seat | None = view["bidder"]
    if bidder is None:
        return "No bid yet"
    if game.side_of(bidder) == game.side_of(view["seat"]):
        return f"Your partner holds the bid at {view['bid']}"
    return f"{called_at(game, bidder, names)} holds the bid at {view['bid']}"


def _trumps(game: AnyGame, view: View) -> tuple[Trump, ...]:
    held = _held(game, view)
    return tuple(Trump(word, f"trump {word}", len(held[word])) for word in game.notation.names.suits)


def _held(game: AnyGame, view: View) -> dict[str, list[str]]:
    """Suit -> the cards of the hand that are trumps when it is named."""
    lookup, parse = rook_game(game).lookup, game.notation.names.parse
    return {
        word: [text for text in view["hand"] if lookup.suits[suit][parse(text)] == suit]
        for suit, word in enumerate(COLOURS)
    }


def _discard(game: AnyGame, view: View, listed: Mapping[str, object], data: dict[str, Any]) -> Controls:
    size = listed["choose"]
    assert isinstance(size, int), f"legal discards that name no number: {listed!r}"
    parse, ruleset = game.notation.names.parse, rook_game(game).ruleset
    data["points"] = {text: points_of(ruleset, parse(text)) for text in view["hand"]}
    data["held"] = _held(game, view)
    data["note"] = "they go to the winner of the last trick"
    lines = (f"Put back {size} card{'s' if size > 1 else ''} and name trump.",)
    held = len(view["hand"])
    return Controls("discard", lines, trumps=_trumps(game, view), size=size, options=held, noun="cards", data=data)


# Goat


def _goat(game: AnyGame, view: View, listed: list[str] | dict[str, object], data: dict[str, Any]) -> Controls:
    assert isinstance(listed, list), "moves of Goat are listed one by one"
    molodka = "molodka" in listed
    match view["phase"]:
        case "ask":
            line = ASK_LINE if molodka else ""
            return Controls("ask", molodka=line, passes="No molodka", options=len(listed), data=data)
        case "answer":
            above = cards_to_answer(view)
            data["pairs"] = {move: _pairs(game, view, move, above) for move in listed if move.startswith("beat ")}
            line = MOLODKA_LINE if molodka else ""
            lines = (f"Choose {len(above)} card{'s' if len(above) > 1 else ''}.",)
            return Controls(
                "answer", lines, molodka=line, size=len(above), options=_playable(game, listed), noun="cards", data=data
            )
        case _:
            data["suits"] = {text: cards.parts(text, "goat").suit for text in view["hand"]}
            most = NUMBERS[len(view["hand"])]
            lines = ("One card." if most == "one" else f"One to {most} cards of one suit.",)
            return Controls("lead", lines, options=_playable(game, listed), noun="cards", data=data)


def cards_to_answer(view: View) -> tuple[str, ...]:
    """The cards that the seat to move may beat."""
    group = course_of([view]).groups[-1]
    found = group.best.cards
    assert found is not None, "cards that take a trick lie face up"
    return found


def _pairs(game: AnyGame, view: View, move: str, above: Sequence[str]) -> list[dict[str, str]]:
    """What beats what, one entry a pair."""
    made = game.notation.names.list(game.notation.parse(move).cards)
    order = pairing(made, above, view["trump"])
    assert order is not None, f"{move!r} is legal, so it beats {above!r}"
    texts = pairs_text(made, above, view["trump"])
    return [{"by": by, "of": of, "text": text} for by, of, text in zip(order, above, texts, strict=True)]


def _playable(game: AnyGame, listed: Sequence[str]) -> int:
    """How many different cards the legal moves have."""
    moves = [game.notation.parse(text) for text in listed]
    return len({card for move in moves if move.kind is not Kind.MOLODKA for card in move.cards})
