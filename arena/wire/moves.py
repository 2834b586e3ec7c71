"""Moves to protobuf and back, for all games alike; cards are numbers, so no game is named here."""

from __future__ import annotations

from collections.abc import Sequence

from arena_bot.v1 import arena_pb2 as pb

from arena.core.errors import MalformedMove
from arena.core.moves import MOLODKA, PASS, Choose, Kind, Legal, LegalList, Move, bid, of_set, play, trump
from arena.match.player import Turn

CHOOSE_KINDS = {
    Kind.DISCARD: pb.MOVE_KIND_DISCARD,
    Kind.LEAD: pb.MOVE_KIND_LEAD,
    Kind.BEAT: pb.MOVE_KIND_BEAT,
    Kind.DROP: pb.MOVE_KIND_DROP,
}

MOST_CARDS = 128
"""More cards than any deck has: a longer set is not looked at, nor told of card by card."""


def encode_move(move: Move) -> pb.Move:
    """A move as a message."""
    match move.kind:
        case Kind.PLAY:
            return pb.Move(play=move.cards[0])
        case Kind.BID:
            return pb.Move(bid=move.number)
        case Kind.PASS:
            message = pb.Move()
            setattr(message, "pass", True)  # a keyword of Python's
            return message
        case Kind.TRUMP:
            return pb.Move(name_trump=move.number)
        case Kind.MOLODKA:
            return pb.Move(molodka=True)
        case Kind.DISCARD | Kind.LEAD | Kind.BEAT | Kind.DROP as kind:
            message = pb.Move()
            getattr(message, kind.value).cards.extend(move.cards)
            return message


def decode_move(message: pb.Move) -> Move:
    """The move of a message. Raises MalformedMove when none is set, or for a set larger than any deck."""
    match message.WhichOneof("kind"):
        case "play":
            return play(message.play)
        case "bid":
            return bid(message.bid)
        case "pass":
            return PASS
        case "name_trump":
            return trump(message.name_trump)
        case "discard":
            return _set_of(Kind.DISCARD, message.discard.cards)
        case "lead":
            return _set_of(Kind.LEAD, message.lead.cards)
        case "beat":
            return _set_of(Kind.BEAT, message.beat.cards)
        case "drop":
            return _set_of(Kind.DROP, message.drop.cards)
        case "molodka":
            return MOLODKA
        case _:
            raise MalformedMove("a Move in which nothing is set", fix="set exactly one of its kinds")


def _set_of(kind: Kind, cards: Sequence[int]) -> Move:
    if len(cards) > MOST_CARDS:
        raise MalformedMove(f"a set of {len(cards)} cards", fix=f"no set has more than {MOST_CARDS}")
    return of_set(kind, cards)


def read_answer(reply: pb.Reply, turn: Turn) -> Move:
    """The move that a reply names. Raises MalformedMove, with code ILLEGAL for an index that is out of range."""
    match reply.WhichOneof("answer"):
        case "choice":
            if not isinstance(turn.legal, LegalList):
                raise MalformedMove("an index, where cards are to be chosen", fix="answer with a Move", code="ILLEGAL")
            moves = turn.legal.moves
            if not 0 <= reply.choice < len(moves):
                raise MalformedMove(f"choice {reply.choice} of {len(moves)} legal moves", code="ILLEGAL")
            return moves[reply.choice]
        case "move":
            return decode_move(reply.move)
        case _:
            raise MalformedMove("a reply without an answer", fix="set choice or move")


class LegalEncoder:
    """Writes legal moves into messages; each move's message is built once and copied from then on."""

    def __init__(self) -> None:
        self._messages: dict[tuple[str, tuple[int, ...], int], pb.Move] = {}

    def encode(self, message: pb.Legal, legal: Legal) -> None:
        """Write a list or a choice."""
        match legal:
            case LegalList(moves):
                messages = self._messages
                ready = []
                for move in moves:
                    # An enum's hash is slow in Python and its value is a plain string.
                    key = (move.kind._value_, move.cards, move.number)
                    found = messages.get(key)
                    if found is None:
                        found = messages[key] = encode_move(move)
                    ready.append(found)
                message.moves.extend(ready)
            case Choose(kind, size, cards):
                message.choose.kind = CHOOSE_KINDS[kind]
                message.choose.count = size
                message.choose.cards.extend(cards)
