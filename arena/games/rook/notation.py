"""Cards, deals and views of the Rook family as texts and JSON data. Knows shapes only, no rule of play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.core.cards import Card, CardNames
from arena.core.errors import MalformedMove, TranscriptError
from arena.core.game import DealData
from arena.games.rook.ruleset import COLOURS, RED_ONE, ROOK, SEATS, Ruleset
from arena.games.rook.state import ABSENT, PHASE_WORDS, Cards, HandRecord, RookDeal, RookView

LETTERS = "BGRY"


def card_text(card: Card) -> str:
    """The text of any card of the family: "B5", "R14", "ROOK", "RED1"."""
    if card in (ROOK, RED_ONE):
        return "ROOK" if card == ROOK else "RED1"
    return f"{LETTERS[card >> 4]}{card & 15}"


def card_names(pack: Sequence[Card]) -> CardNames:
    """The names of a pack's cards."""
    return CardNames({card: card_text(card) for card in pack}, COLOURS)


def deal_data(names: CardNames, deal: RookDeal) -> dict[str, Any]:
    """A deal as JSON data."""
    return {
        "hands": [names.list(hand) for hand in deal.hands],
        "dealer": deal.dealer,
        "nest": names.list(deal.nest),
    }


def read_deal(ruleset: Ruleset, names: CardNames, data: DealData) -> RookDeal:
    """The deal written as `data`, cards put in order. Raises TranscriptError unless it deals out this pack."""
    for key in ("hands", "dealer", "nest"):
        if key not in data:
            raise TranscriptError(f"a deal without {key!r}: {dict(data)!r}", fix="give hands, dealer and nest")
    hands, dealer = data["hands"], data["dealer"]
    if type(dealer) is not int or not 0 <= dealer < SEATS:
        raise TranscriptError(f"a deal cannot have dealer {dealer!r}", fix=f"a seat from 0 to {SEATS - 1}")
    if not isinstance(hands, list | tuple) or len(hands) != SEATS:
        raise TranscriptError(f"a deal needs the hands of {SEATS} seats, not {hands!r}")
    deal = RookDeal(
        tuple(_cards(names, hand, ruleset.hand, f"hand of seat {seat}") for seat, hand in enumerate(hands)),
        dealer,
        _cards(names, data["nest"], ruleset.nest, "nest"),
    )
    dealt = sorted([*deal.nest, *(card for hand in deal.hands for card in hand)])
    if dealt != sorted(names.texts):
        twice = sorted({card for card in dealt if dealt.count(card) > 1})
        raise TranscriptError(f"a deal has cards twice: {names.join(twice)}", fix="deal every card of the pack once")
    return deal


def _cards(names: CardNames, texts: Any, size: int, place: str) -> Cards:  # Any: unchecked JSON
    if not isinstance(texts, list | tuple) or len(texts) != size:
        raise TranscriptError(f"{place} must be {size} cards, not {texts!r}")
    try:
        return tuple(sorted(names.parse(text) for text in texts))
    except (MalformedMove, TypeError) as error:
        raise TranscriptError(f"{place}: {error}", fix="write cards like B5, R14, ROOK") from None


def view_data(names: CardNames, view: RookView) -> dict[str, Any]:
    """A view as JSON data with the fields' own names; absent is null, suits and phases are words."""
    return {
        **view._asdict(),
        "seat": _present(view.seat),
        "phase": PHASE_WORDS[view.phase],
        "hand": names.list(view.hand),
        "bid_seats": list(view.bid_seats),
        "bid_points": list(view.bid_points),
        "bidder": _present(view.bidder),
        "nest": names.list(view.nest),
        "discard": names.list(view.discard),
        "trump": suit_word(view.trump),
        "played": names.list(view.played),
        "leaders": list(view.leaders),
        "captured": list(view.captured),
        "scores": list(view.scores),
        "results": [
            {"declarer": _present(result.declarer), "bid": result.bid, "captured": list(result.captured)}
            for result in view.results
        ],
    }


def record_data(record: HandRecord) -> dict[str, Any]:
    """What a finished hand came to, as JSON data; declarer, made and trump are null when all four passed."""
    declarer = _present(record.declarer)
    return {
        "hand": record.number,
        "redeals": record.redeals,
        "dealer": record.dealer,
        "declarer": declarer,
        "bid": record.bid,
        "made": None if declarer is None else record.captured[declarer & 1] >= record.bid,
        "trump": suit_word(record.trump),
        "discard_points": record.discard_points,
        "tricks": list(record.tricks),
        "captured": list(record.captured),
        "gained": list(record.gained),
    }


def suit_word(suit: int) -> str | None:
    """The word of a suit, None when absent."""
    return None if suit == ABSENT else COLOURS[suit]


def _present(number: int) -> int | None:
    return None if number == ABSENT else number
