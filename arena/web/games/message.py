"""The message of a turn as it went to the bot, made again from the position by the code that made it then.

Absent: the number of the game on the bot's connection and the time it was given, which no transcript keeps.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING

from arena.games import catalog
from arena.record.replay import Position, game_of
from arena.record.transcript import Transcript
from arena.wire.moves import LegalEncoder
from arena.wire.views import ENCODERS

if TYPE_CHECKING:
    from arena_bot.v1 import arena_pb2 as pb


@lru_cache(maxsize=1)
def _legal() -> LegalEncoder:
    return LegalEncoder()


def turn_message(transcript: Transcript, position: Position) -> pb.Turn:
    """The message of a turn. The position must have one to move."""
    from arena_bot.v1 import arena_pb2 as pb

    assert position.legal is not None, "somebody is to move"
    message = pb.Turn(turn=position.number)
    ENCODERS[catalog()[game_of(transcript).id].family](message, position.view)
    _legal().encode(message.legal, position.legal)
    return message


def message_text(transcript: Transcript, position: Position) -> str:
    """The same as JSON for people, one field a line; cards are the numbers of the protocol."""
    from google.protobuf.json_format import MessageToDict

    data = MessageToDict(turn_message(transcript, position), preserving_proto_field_name=True)
    lines = []
    for key, value in data.items():
        if isinstance(value, dict):
            inner = ",\n".join(f"  {json.dumps(name)}: {json.dumps(each)}" for name, each in value.items())
            lines.append(f"{json.dumps(key)}: {{\n{inner}\n}}")
        else:
            lines.append(f"{json.dumps(key)}: {json.dumps(value)}")
    return "{" + ",\n".join(lines) + "}"
