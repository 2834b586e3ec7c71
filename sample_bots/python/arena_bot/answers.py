"""From what a bot's method returned to the reply that goes out.

    a Move          itself
    a text          the move with this text: "R10", "bid 80", "pass", "lead 6S 9S"; or the text of a card
    a card          play it; lead it; beat with it if that is legal, else drop it
    several cards   discard or lead them; beat with them if that is legal, else drop them
    a number        bid these points (0 passes); name this suit trump
    None or False   pass, or make the bid that is forced; True: molodka

The reply names the place of the move among the legal ones, so what leaves here is legal. Anything else raises
IllegalAnswer.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from arena_bot.moves import MOLODKA, PASS, Choose, Legal, Move, of_set
from arena_bot.moves import text as text_of

if TYPE_CHECKING:
    from arena_bot.turn import Turn
    from arena_bot.v1 import arena_pb2


class IllegalAnswer(ValueError):
    """A method returned something that is no legal move of its turn."""


def fill(reply: arena_pb2.Reply, turn: Turn, method: str, answer: Any) -> None:  # Any: whatever an author returns
    """Write an answer into a reply. Raises IllegalAnswer."""
    if method == "play" and type(answer) is int:
        for place, message in enumerate(turn.message.legal.moves):
            if message.play == answer:
                reply.choice = place
                return
    legal = turn.legal
    if isinstance(legal, Choose):
        chosen = _chosen(turn, legal, answer)
        getattr(reply.move, legal.kind).cards.extend(chosen)
        return
    if type(answer) is Move:
        place = legal.find(answer)
        if place >= 0:
            reply.choice = place
            return
    for move in _meant(turn, legal, method, answer):
        place = legal.find(move)
        if place >= 0:
            reply.choice = place
            return
    raise _illegal(turn, method, answer, ", ".join(text_of(move, turn.names) for move in legal))


def _meant(turn: Turn, legal: Legal, method: str, answer: Any) -> list[Move]:
    """The moves that an answer may stand for, the first legal one counts."""
    if answer is None or answer is False:
        return [PASS, *legal] if method == "bid" and len(legal) == 1 else [PASS]
    if answer is True:
        return [MOLODKA]
    if isinstance(answer, Move):
        return [of_set(answer.kind, answer.cards)] if answer.cards else [answer]
    if isinstance(answer, str):
        same = [move for move in legal if text_of(move, turn.names) == answer]
        return same or _of_cards(method, _cards(turn, answer.split()))
    if isinstance(answer, int):
        match method:
            case "bid":
                return [Move("bid", (), answer) if answer else PASS]
            case "trump":
                return [Move("trump", (), answer)]
            case _:
                return _of_cards(method, [answer])
    if isinstance(answer, Iterable):
        return _of_cards(method, _cards(turn, answer))
    return []


def _of_cards(method: str, cards: list[int]) -> list[Move]:
    match method:
        case "play":
            return [Move("play", tuple(cards))]
        case "lead":
            return [of_set("lead", cards)]
        case "answer":
            return [of_set("beat", cards), of_set("drop", cards)]
        case _:
            return []


def _cards(turn: Turn, cards: Iterable[Any]) -> list[int]:
    """Card numbers of cards given as numbers or texts; 0 for what is no card."""
    return [turn.names.cards.get(card, 0) if isinstance(card, str) else card for card in cards]


def _chosen(turn: Turn, choose: Choose, answer: Any) -> list[int]:
    """The cards of an answer to a choice. Raises IllegalAnswer."""
    cards: list[int] = []
    if isinstance(answer, Move) and answer.kind == choose.kind:
        cards = list(answer.cards)
    elif isinstance(answer, str):
        cards = _cards(turn, answer.removeprefix(choose.kind).split())
    elif isinstance(answer, Iterable) and not isinstance(answer, Move):
        cards = _cards(turn, answer)
    if len(cards) == choose.size and len(set(cards)) == choose.size and set(cards) <= set(choose.cards):
        return sorted(cards)
    raise _illegal(turn, choose.kind, answer, f"{choose.size} different cards of {turn.names.join(choose.cards)}")


def _illegal(turn: Turn, method: str, answer: object, legal: str) -> IllegalAnswer:
    try:
        shown = text_of(answer, turn.names) if isinstance(answer, Move) else repr(answer)
    except (IndexError, TypeError):
        shown = repr(answer)
    if isinstance(answer, int) and answer in turn.names.texts and not isinstance(answer, bool):
        shown += f" ({turn.names.text(answer)})"
    return IllegalAnswer(f"{method} returned {shown}, which is not legal; legal: {legal}")
