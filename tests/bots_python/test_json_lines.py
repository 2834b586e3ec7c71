"""The protocol as JSON lines: equal to protobuf's own mapping; what a bot writes is read, or complained of."""

from __future__ import annotations

import base64
import json

import pytest
from arena_bot.json_lines import LINE_BYTES, OVERSIZE, Lines, frames, read_event, to_data, write_event
from arena_bot.v1 import arena_pb2, crow_pb2, goat_pb2, rook_pb2
from bots_python.loopback import ROOT
from google.protobuf import json_format
from google.protobuf.message_factory import GetMessageClass
from hypothesis import given
from hypothesis import strategies as st

RECORDED = [json.loads(line) for line in (ROOT / "tests/vectors/frames.jsonl").read_text("ascii").splitlines()]
FRAMES = [(line["from"], base64.b64decode(line["frame"])) for line in RECORDED]
EVENTS = [
    event for sender, data in FRAMES if sender == "arena" for event in arena_pb2.ArenaFrame.FromString(data).events
]
SAID = [event for sender, data in FRAMES if sender == "bot" for event in arena_pb2.BotFrame.FromString(data).events]
FILES = (arena_pb2, crow_pb2, goat_pb2, rook_pb2)
KINDS = [kind for file in FILES for kind in file.DESCRIPTOR.message_types_by_name.values()]


def mapping(message):
    return json_format.MessageToDict(message, always_print_fields_with_no_presence=True)


# --- to the bot -------------------------------------------------------------------------------------------------------


def test_every_recorded_event_is_written_as_protobuf_writes_it():
    assert len(EVENTS) > 190
    for event in EVENTS:
        line = write_event(event)
        assert json.loads(line) == mapping(event)
        assert line.isascii()
        assert line.count("\n") == 1
        assert line.endswith("}\n")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_message_is_written_whole_though_nothing_is_set(kind):
    message = GetMessageClass(kind)()
    assert json.loads(json.dumps(to_data(message))) == mapping(message)


@given(st.binary(max_size=200))
def test_whatever_can_be_decoded_is_written_as_protobuf_writes_it(data):
    for kind in (arena_pb2.ArenaEvent, arena_pb2.BotEvent, rook_pb2.RookView, goat_pb2.GoatView):
        try:
            message = kind.FromString(data)
        except Exception:
            continue
        assert json.loads(json.dumps(to_data(message))) == mapping(message)


def test_an_event_from_the_future_is_left_out():
    assert write_event(arena_pb2.ArenaEvent.FromString(b"\xf2\x3f\x03new")) == ""


def test_a_number_of_64_bits_is_a_text():
    event = arena_pb2.ArenaEvent(game_start=arena_pb2.GameStart(seed=2**64 - 1))
    assert json.loads(write_event(event))["gameStart"]["seed"] == "18446744073709551615"


# --- from the bot -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("names", [True, False], ids=["names of the proto", "lowerCamelCase"])
def test_every_recorded_event_of_a_bot_is_read(names):
    for event in SAID:
        text = json_format.MessageToJson(event, preserving_proto_field_name=names, indent=None)
        assert read_event(text.encode()) == (event, "")


@pytest.mark.parametrize(
    "text",
    [
        '{"reply":{"game":1,"turn":2,"choice":3}}',
        '{"reply":{"game":1,"turn":2,"choice":"3"}}',
        '{"reply":{"game":1,"turn":2,"choice":3.0}}',
        ' {"reply": {"note": "", "choice": 3, "turn": 2, "game": 1, "later": [1]}} \r',
        '{"reply":{"game":1,"turn":2,"choice":3},"later":{}}',
    ],
)
def test_ways_to_write_the_same_reply(text):
    reply = arena_pb2.Reply(game=1, turn=2, choice=3)
    assert read_event(text.encode()) == (arena_pb2.BotEvent(reply=reply), "")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (b"thinking...", "is not JSON"),
        (b"\xff\xfe", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b'"reply"', "is not a JSON object"),
        (b"{}", 'has neither "reply" nor "hello"'),
        (b'{"shout":{}}', 'has neither "reply" nor "hello"'),
        (b'{"reply":7}', "cannot be read"),
        (b'{"reply":{"game":-1,"turn":2,"choice":3}}', "cannot be read"),
        (b'{"reply":{"game":"one","turn":2,"choice":"x"}}', "cannot be read"),
        (b'{"hello":{"versions":7}}', "cannot be read"),
        (b'{"reply":{"game":1,"turn":2,"choice":0},"hello":{}}', "cannot be read"),
    ],
)
def test_a_line_that_cannot_be_read_is_an_event_in_which_nothing_is_set(text, complaint):
    event, said = read_event(text)
    if b'"hello":{}' not in text:
        assert event == arena_pb2.BotEvent()
    assert said.startswith(complaint)


@pytest.mark.parametrize(
    ("rest", "complaint"),
    [
        (b"", 'is a reply without "choice" or "move"'),
        (b',"choice":"x"', "cannot be read"),
        (b',"choice":true', "cannot be read"),
        (b',"choice":1e400', "cannot be read"),
        (b',"choice":9223372036854775808', "cannot be read"),
        (b',"choice":1,"move":{"pass":true}', "cannot be read"),
        (b',"choice":1,"note":"\\ud800"', "cannot be read"),
        (b',"choice":1,"note":5', "cannot be read"),
        (b',"move":{"play":"RED1"}', "cannot be read"),
        (b',"move":{"lead":[6]}', "cannot be read"),
    ],
)
def test_a_wrong_reply_concerns_its_own_turn_only(rest, complaint):
    event, said = read_event(b'{"reply":{"game":1,"turn":2' + rest + b"}}")
    assert event == arena_pb2.BotEvent(reply=arena_pb2.Reply(game=1, turn=2))
    assert said.startswith(complaint)


def test_a_move_of_no_known_kind_is_complained_of():
    event, said = read_event(b'{"reply":{"game":1,"turn":2,"move":{"paly":5}}}')
    assert event.reply.move.WhichOneof("kind") is None
    assert "no known kind of move" in said


@given(
    st.binary()
    | st.text().map(str.encode)
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner) | st.dictionaries(st.sampled_from(["reply", "hello", "game", "turn", "move"]), inner)
        ),
    ).map(lambda data: json.dumps(data).encode())
)
def test_reading_never_raises(text):
    event, said = read_event(text)
    assert said or event.WhichOneof("event")


# --- lines and frames -------------------------------------------------------------------------------------------------


@given(st.lists(st.binary(max_size=5).map(lambda text: b"a" + text.replace(b"\n", b" "))), st.data())
def test_lines_are_the_same_however_they_arrive(texts, data):
    lines, found, left = Lines(), [], b"".join(text + b"\n" for text in texts)
    while left:
        count = data.draw(st.integers(1, len(left)))
        found += lines.feed(left[:count])
        left = left[count:]
    found += lines.feed(b"")
    assert found == [(number, text) for number, text in enumerate(texts, 1)]


def test_blank_lines_are_counted_and_left_out_and_the_last_needs_no_end():
    lines = Lines()
    assert list(lines.feed(b"\n \r\na\n\nb")) == [(3, b"a")]
    assert list(lines.feed(b"")) == [(5, b"b")]


@pytest.mark.parametrize("chunk", [1000, 65536, 10**6])
def test_a_line_that_is_too_long_is_reported_once_and_not_kept(chunk):
    sent = b"a\n" + b"x" * (3 * LINE_BYTES) + b"\nb\n" + b"y" * LINE_BYTES + b"\n" + b"z" * (LINE_BYTES + 1) + b"\nc\n"
    lines = Lines()
    found = [line for at in range(0, len(sent), chunk) for line in lines.feed(sent[at : at + chunk])]
    assert found == [(1, b"a"), (2, None), (3, b"b"), (4, b"y" * LINE_BYTES), (5, None), (6, b"c")]


def test_what_was_written_together_is_one_frame_unless_that_is_too_large():
    def reply(turn, note=""):
        return arena_pb2.BotEvent(reply=arena_pb2.Reply(game=1, turn=turn, choice=0, note=note))

    [frame] = frames([reply(turn) for turn in range(50)])
    assert [event.reply.turn for event in arena_pb2.BotFrame.FromString(frame).events] == list(range(50))
    large = list(frames([reply(turn, "n" * 60_000) for turn in range(10)]))
    assert all(len(frame) < LINE_BYTES for frame in large)
    told = [event.reply.turn for frame in large for event in arena_pb2.BotFrame.FromString(frame).events]
    assert told == list(range(10))
    assert [len(frame) > LINE_BYTES for frame in frames([reply(1), None, reply(2)])] == [False, True, False]
    assert len(OVERSIZE) > LINE_BYTES
    assert list(frames([])) == []
