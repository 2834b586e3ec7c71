"""Views to protobuf, one small encoder for each family of games.

The protobuf message of a family has the fields of its view, in the same words; an encoder only says which of them may
be absent. Encoders write into a message that is there already, so that nothing is built twice. A new game adds one
encoder and one line in `ENCODERS`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from arena_bot.v1 import arena_pb2 as pb
from arena_bot.v1 import goat_pb2, rook_pb2

Encoder = Callable[[pb.Turn, Any], None]
"""Writes a view (Any: of the encoder's own family) into a Turn."""


def encode_rook(turn: pb.Turn, view: Any) -> None:
    """Write a RookView."""
    message = turn.rook
    message.seat = view.seat
    message.phase = view.phase
    message.hand_number = view.hand_number
    message.redeals = view.redeals
    message.dealer = view.dealer
    message.hand.extend(view.hand)
    message.bid_seats.extend(view.bid_seats)
    message.bid_points.extend(view.bid_points)
    message.bid = view.bid
    message.nest.extend(view.nest)
    message.discard.extend(view.discard)
    message.played.extend(view.played)
    message.leaders.extend(view.leaders)
    message.captured.extend(view.captured)
    message.scores.extend(view.scores)
    if view.bidder >= 0:
        message.bidder = view.bidder
    if view.trump >= 0:
        message.trump = view.trump
    if view.results:
        message.results.extend([_rook_result(*result) for result in view.results])


@lru_cache(maxsize=10_000)
def _rook_result(declarer: int, bid: int, captured: tuple[int, int]) -> rook_pb2.RookResult:
    message = rook_pb2.RookResult(bid=bid, captured=captured)
    if declarer >= 0:
        message.declarer = declarer
    return message


@lru_cache(maxsize=10_000)
def _goat_result(points: tuple[int, int], defeats: tuple[int, int]) -> goat_pb2.GoatResult:
    return goat_pb2.GoatResult(points=points, defeats=defeats)


def encode_crow(turn: pb.Turn, view: Any) -> None:
    """Write a CrowView."""
    message = turn.crow
    message.seat = view.seat
    message.round = view.round
    message.dealer = view.dealer
    message.hand.extend(view.hand)
    message.pitchers.extend(view.pitchers)
    message.played.extend(view.played)
    message.leaders.extend(view.leaders)
    message.round_scores.extend(view.round_scores)
    message.scores.extend(view.scores)
    message.results.extend(view.results)


def encode_goat(turn: pb.Turn, view: Any) -> None:
    """Write a GoatView."""
    message = turn.goat
    message.seat = view.seat
    message.phase = view.phase
    message.deal_number = view.deal_number
    message.dealer = view.dealer
    message.leader = view.leader
    message.hand.extend(view.hand)
    message.trump = view.trump
    message.trump_card = view.trump_card
    message.stock = view.stock
    message.act_seats.extend(view.act_seats)
    message.acts.extend(view.acts)
    message.act_counts.extend(view.act_counts)
    message.act_cards.extend(view.act_cards)
    message.received.extend(view.received)
    message.points.extend(view.points)
    message.tricks.extend(view.tricks)
    message.defeats.extend(view.defeats)
    if view.results:
        message.results.extend([_goat_result(*result) for result in view.results])


ENCODERS: dict[str, Encoder] = {"rook": encode_rook, "crow": encode_crow, "goat": encode_goat}
"""By family of games."""
