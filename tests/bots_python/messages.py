"""Small protocol messages for tests: a game's start and one turn of each kind of decision."""

from __future__ import annotations

import json
from typing import Any

from arena_bot import GOAT, ROOK
from arena_bot.v1 import arena_pb2 as pb
from arena_bot.v1 import crow_pb2, goat_pb2, rook_pb2

CROWSNEST = {
    "ranks": list(range(5, 15)),
    "rook": True,
    "rook_rank": "lowest",
    "red_one": False,
    "points": {"5": 5, "10": 10, "14": 10, "65": 20},
    "trick_bonus": 0,
    "last_bonus": 0,
}


def start(game: int = 1, ruleset: str = "crowsnest", seat: int = 1, **fields: Any) -> pb.GameStart:
    options = {name: json.dumps(value) for name, value in CROWSNEST.items()} if ruleset == "crowsnest" else {}
    fields = {"seats": 4, "partner": (seat + 2) % 4, "seed": 7, **fields}
    return pb.GameStart(game=game, ruleset=ruleset, seat=seat, options=options, **fields)


def plays(*cards: int) -> pb.Legal:
    return pb.Legal(moves=[pb.Move(play=card) for card in cards])


def passing() -> pb.Move:
    move = pb.Move()
    setattr(move, "pass", True)
    return move


def rook(phase: int, legal: pb.Legal, game: int = 1, turn: int = 0, **fields: Any) -> pb.Turn:
    fields = {"seat": 1, "hand": [rook_card("B5"), rook_card("G10"), rook_card("R14")], **fields}
    return pb.Turn(game=game, turn=turn, rook=rook_pb2.RookView(phase=phase, **fields), legal=legal)


def goat(phase: int, legal: pb.Legal, game: int = 1, turn: int = 0, **fields: Any) -> pb.Turn:
    return pb.Turn(game=game, turn=turn, goat=goat_pb2.GoatView(phase=phase, seat=1, **fields), legal=legal)


def crow(legal: pb.Legal, game: int = 1, turn: int = 0, **fields: Any) -> pb.Turn:
    return pb.Turn(game=game, turn=turn, crow=crow_pb2.CrowView(seat=1, **fields), legal=legal)


def rook_card(text: str) -> int:
    return ROOK.card(text)


def goat_card(text: str) -> int:
    return GOAT.card(text)


def rook_cards(texts: str) -> list[int]:
    return [ROOK.card(text) for text in texts.split()]


def goat_cards(texts: str) -> list[int]:
    return [GOAT.card(text) for text in texts.split()]


def sets(kind: str, *texts: str) -> list[pb.Move]:
    return [pb.Move(**{kind: pb.CardSet(cards=goat_cards(text))}) for text in texts]


BIDS = pb.Legal(moves=[passing(), *[pb.Move(bid=points) for points in (70, 75, 80)]])
TRUMPS = pb.Legal(moves=[pb.Move(name_trump=suit) for suit in range(4)])
DISCARD = pb.Legal(choose=pb.Choose(kind=1, count=2, cards=rook_cards("B5 B6 G10 R14")))
ASK = pb.Legal(moves=[passing(), pb.Move(molodka=True)])
LEADS = pb.Legal(moves=sets("lead", "6S", "9S", "KD", "6S 9S"))
ANSWERS = pb.Legal(moves=[*sets("beat", "9S"), *sets("drop", "9S", "KD"), pb.Move(molodka=True)])


def frame(*events: Any) -> bytes:
    """A frame of these messages, each in its place of the envelope."""
    places = {
        pb.GameStart: "game_start",
        pb.Turn: "turn",
        pb.GameOver: "game_over",
        pb.Goodbye: "goodbye",
        pb.Rejected: "rejected",
        pb.Welcome: "welcome",
    }
    return pb.ArenaFrame(events=[pb.ArenaEvent(**{places[type(event)]: event}) for event in events]).SerializeToString()


def replies(frames: list[bytes]) -> list[pb.Reply]:
    return [event.reply for data in frames for event in pb.BotFrame.FromString(data).events]
