"""A bot that writes down every byte it is sent, and notes down what no other bot must ever be told."""

from __future__ import annotations

import base64
import os
import queue

import grpc
from arena_bot.v1 import arena_pb2 as pb

TOKEN = os.environ["ARENA_TOKEN"]


def main() -> None:
    print(f"token {TOKEN}", flush=True)  # noqa: T201
    outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    hello = pb.Hello(versions=["1.0"], token=TOKEN, sdk="recorder", concurrent_games=4)
    outbox.put(pb.BotFrame(events=[pb.BotEvent(hello=hello)]).SerializeToString())
    with grpc.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
        play = channel.stream_stream("/arena.v1.Arena/Play", _request_serializer, _response_deserializer)
        for data in play(iter(outbox.get, None)):
            print(f"frame {base64.b64encode(data).decode()}", flush=True)  # noqa: T201
            events = pb.ArenaFrame.FromString(data).events
            replies = [pb.BotEvent(reply=answer(event.turn)) for event in events if event.HasField("turn")]
            if replies:
                outbox.put(pb.BotFrame(events=replies).SerializeToString())
            if any(event.HasField("goodbye") for event in events):
                outbox.put(None)


def _request_serializer(data: bytes) -> bytes:
    return data


def _response_deserializer(data: bytes) -> bytes:
    return data


def answer(turn: pb.Turn) -> pb.Reply:
    """The first move; now and then one that is not legal, so that there are faults to be told of."""
    reply = pb.Reply(game=turn.game, turn=turn.turn, note=f"note of {TOKEN}")
    if turn.turn == 9:
        reply.choice = -1
    elif turn.legal.HasField("choose"):
        reply.move.discard.cards.extend(turn.legal.choose.cards[: turn.legal.choose.count])
    else:
        reply.choice = 0
    return reply


if __name__ == "__main__":
    main()
