"""The protocol as JSON lines: events of the arena to lines, lines of a bot to events. Knows no process and no stream.

The mapping is protobuf's own (lowerCamelCase names, enums by name, 64-bit numbers as texts), with every field written
that cannot be absent, zeros and empty lists too. What is here writes a turn in half the time of the protobuf
package, and tests hold the two equal. Reading accepts whatever protobuf's parser does.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from arena_bot.table import FRAME_BYTES
from arena_bot.v1 import arena_pb2

LINE_BYTES = 256 * 1024
"""A longer line is not read."""
OVERSIZE = bytes(LINE_BYTES + 1)
"""A frame that is too large, for a line that is."""
Event = arena_pb2.BotEvent | None
"""What a line says; None for one that is too long."""

_WIDE = (FieldDescriptor.CPPTYPE_INT64, FieldDescriptor.CPPTYPE_UINT64)
_INDEX = {"game", "turn", "choice", "note"}
_encode = json.JSONEncoder(separators=(",", ":")).encode


# --- to the bot ------------------------------------------------------------------------------------------------------


def write_event(event: arena_pb2.ArenaEvent) -> str:
    """An event as a line with its end, in ASCII; empty for an event that this version does not know."""
    return _encode(to_data(event)) + "\n" if event.WhichOneof("event") is not None else ""


def to_data(message: Message) -> dict[str, Any]:
    """A message as a JSON object."""
    data, fields = _plan(message.DESCRIPTOR)
    data = data.copy()
    for field, value in message.ListFields():
        name, convert = fields[field.number]
        data[name] = convert(value) if convert is not None else value
    return data


@cache
def _plan(message: Descriptor) -> tuple[dict[str, Any], dict[int, tuple[str, Callable[[Any], Any] | None]]]:
    """Of a kind of message: the object in which nothing is set, and by field number its name and how to convert it."""
    empty = {}
    for field in message.fields:
        if not field.has_presence:
            empty[field.json_name] = _empty(field)
    return empty, {field.number: (field.json_name, _conversion(field)) for field in message.fields}


def _is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def _empty(field: FieldDescriptor) -> Any:  # Any: a JSON value
    if _is_map(field):
        return {}
    if field.is_repeated:
        return []
    convert = _conversion(field)
    return convert(field.default_value) if convert is not None else field.default_value


def _conversion(field: FieldDescriptor) -> Callable[[Any], Any] | None:
    """From a field's value to JSON; None where nothing is to be done."""
    if _is_map(field):
        return lambda entries: dict(sorted(entries.items()))  # protobuf has no order for them
    one: Callable[[Any], Any] | None = None
    if field.message_type is not None:
        one = to_data
    elif field.enum_type is not None:
        names = {value.number: value.name for value in field.enum_type.values}
        one = lambda number: names.get(number, number)  # noqa: E731
    elif field.cpp_type in _WIDE:
        one = str
    if not field.is_repeated:
        return one
    return list if one is None else lambda values: [one(value) for value in values]


# --- from the bot ----------------------------------------------------------------------------------------------------


class Line(NamedTuple):
    """A line that a bot wrote."""

    number: int
    """From 1."""
    text: bytes | None
    """Without its end; None where it was longer than LINE_BYTES."""


class Lines:
    """Cuts what arrives into lines."""

    def __init__(self) -> None:
        self._rest = b""
        self._number = 0
        self._too_long = False

    def feed(self, data: bytes) -> Iterator[Line]:
        """The lines that are complete now; no data means that no more will come. Blank ones are left out."""
        *full, self._rest = (self._rest + data).split(b"\n") if data else (self._rest, b"")
        for text in full:
            self._number += 1
            if self._too_long:  # reported when it grew too long
                self._too_long = False
            elif text.strip():
                yield Line(self._number, text if len(text) <= LINE_BYTES else None)
        if len(self._rest) > LINE_BYTES:
            self._rest = b""
            if not self._too_long:
                self._too_long = True
                yield Line(self._number + 1, None)


def read_event(text: bytes) -> tuple[arena_pb2.BotEvent, str]:
    """The event of a line, and what is wrong with it (empty if nothing is).

    A wrong reply comes back without an answer, so that it concerns its own turn only; anything else that cannot be
    read comes back as an event in which nothing is set, which concerns all turns that wait for an answer.
    """
    event = arena_pb2.BotEvent()
    try:
        data = json.loads(text.decode())
    except (ValueError, RecursionError) as error:
        return event, f"is not JSON ({error})"
    if not isinstance(data, dict):
        return event, "is not a JSON object"
    reply = data.get("reply")
    try:
        if len(data) == 1 and type(reply) is dict and _is_index(reply):
            _fill(event.reply, reply)
        else:
            json_format.ParseDict(data, event, ignore_unknown_fields=True)
    except Exception as error:  # whatever a bot writes, it must not end the bridge
        event.Clear()
        if type(reply) is dict:
            _salvage(event, reply)
        return event, f"cannot be read ({error})"
    return event, _complaint(event)


def _is_index(reply: dict[str, Any]) -> bool:
    """Whether a reply is of the usual kind, which needs no parser."""
    return (
        reply.keys() <= _INDEX
        and type(reply.get("game")) is int
        and type(reply.get("turn")) is int
        and type(reply.get("choice")) is int
        and type(reply.get("note", "")) is str
    )


def _fill(message: arena_pb2.Reply, reply: dict[str, Any]) -> None:
    message.game = reply["game"]
    message.turn = reply["turn"]
    message.choice = reply["choice"]
    message.note = reply.get("note", "")


def _salvage(event: arena_pb2.BotEvent, reply: dict[str, Any]) -> None:
    """What turn a wrong reply was meant for, if that can be read."""
    turn = {name: reply[name] for name in ("game", "turn") if name in reply}
    try:
        json_format.ParseDict({"reply": turn}, event)
    except json_format.ParseError:
        event.Clear()


def _complaint(event: arena_pb2.BotEvent) -> str:
    """What the referee will have against an event that could be read."""
    which = event.WhichOneof("event")
    if which is None:
        return 'has neither "reply" nor "hello"'
    if which == "reply":
        answer = event.reply.WhichOneof("answer")
        if answer is None:
            return 'is a reply without "choice" or "move"'
        if answer == "move" and event.reply.move.WhichOneof("kind") is None:
            return 'is a reply with a "move" in which no known kind of move is set'
    return ""


def frames(events: Iterable[Event]) -> Iterator[bytes]:
    """As few frames as the limit of a frame allows."""
    frame, size = arena_pb2.BotFrame(), 0
    for event in events:
        more = event.ByteSize() if event is not None else 0
        if frame.events and (event is None or size + more > FRAME_BYTES):
            yield frame.SerializeToString()
            frame, size = arena_pb2.BotFrame(), 0
        if event is None:
            yield OVERSIZE
        else:
            frame.events.append(event)
            size += more + 4
    if frame.events:
        yield frame.SerializeToString()
