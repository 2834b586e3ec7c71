"""The check of secrecy on the wire: one seat's bytes in two worlds that it must not tell apart."""

from __future__ import annotations

import re
from collections.abc import Iterator

from arena_bot.v1 import arena_pb2 as pb
from google.protobuf.json_format import MessageToDict
from secrecy.tape import THE_END, Parts, Tape, record
from secrecy.worlds import Match, World, twin

from arena.core.chance import Chance

SENTENCES = re.compile(
    r"ILLEGAL: choice -1 of \d+ legal moves"
    r"|ILLEGAL: an index, where cards are to be chosen"
    r"|MALFORMED: a frame of \d+ bytes that is no BotFrame"
)
"""All that a seat may be told of the blunders in these worlds."""


class Told(AssertionError):
    """A seat was sent something that depends on what it must not know."""


def check(match: Match, viewer: int, position: int, chance: Chance, parts: Parts, mine: Tape, *, lawful: bool) -> World:
    """Compare all that the viewer was sent up to a turn, byte by byte. `mine`: the tape of the match itself.

    Returns the other world.
    """
    last = len(match.spots) - 1
    other = twin(match, viewer, position, chance, lawful=lawful)
    yours = record(other, parts, viewer=None if lawful else viewer, position=position if position < last else None)
    where = f"{match.world.game.id}, board {match.world.number}, turn {position}, seat {viewer}"
    until = position if position < last else THE_END
    for tape, world in ((mine, match.world), (yours, other)):
        if tuple(tape.turns[:position]) != world.seats[:position]:
            raise Told(f"{where}: not every seat was asked at its turn")
    compare(mine.until(viewer, until), yours.until(viewer, until), where)
    return other


def compare(mine: list[bytes], yours: list[bytes], where: str) -> None:
    """Raises Told for the first frame that differs, or that says what is never to be said."""
    for at, (left, right) in enumerate(zip(mine, yours, strict=False)):
        if left != right:
            raise Told(f"{where}: frame {at} differs\n{shown(left)}\n{shown(right)}")
    if len(mine) != len(yours):
        raise Told(f"{where}: {len(mine)} frames or {len(yours)}")
    for frame in (*mine, *yours):
        for event in pb.ArenaFrame.FromString(frame).events:
            if event.HasField("rejected") and not SENTENCES.fullmatch(event.rejected.reason):
                raise Told(f"{where}: a seat is told {event.rejected.reason!r}")


def other_places(match: Match, other: World) -> int:
    """How many hands, nests, stocks and packs hold other cards in the other world."""
    game = match.world.game
    dealt = [game.deal_data(deal) for deal in game.deals(match.spots[-1].state)]
    pairs = [
        (mine[key], yours[key])
        for mine, yours in zip(dealt, getattr(other.board, "deals", ()), strict=False)
        for key in mine
    ]
    return sum(mine != yours for mine, yours in pairs)


def shown(frame: bytes) -> str:
    """A frame for people."""
    return str(MessageToDict(pb.ArenaFrame.FromString(frame), preserving_proto_field_name=True))


def sample(match: Match, count: int, chance: Chance) -> Iterator[tuple[int, int]]:
    """(viewer, position): the end, and others of which each seat and each part of the match has its share."""
    last = len(match.spots) - 1
    seats = match.world.game.seats
    yield chance.below(seats), last
    for number in range(count):
        low, high = last * number // count, last * (number + 1) // count
        yield (number + match.world.number) % seats, low + chance.below(max(1, high - low))


def everywhere(match: Match) -> Iterator[tuple[int, int]]:
    """Every seat at every turn."""
    for position in range(len(match.spots)):
        for viewer in range(match.world.game.seats):
            yield viewer, position
