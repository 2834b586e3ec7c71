"""What frames and replies of one connection hold: unreadable bytes, illegal answers, and notes."""

from __future__ import annotations

import pytest
from arena_bot.v1 import arena_pb2 as pb
from wire.far import CHOICE, Far, reply, scene

from arena.core.moves import play
from arena.match.player import BadAnswer
from arena.wire.session import FRAME_BYTES, GAME_NOTE_BYTES, NOTE_BYTES

UNREADABLE = {
    "garbage": (b"\xff\xff\xff\xff", "MALFORMED"),
    "cut short": (pb.BotFrame(events=[reply(1, 0)]).SerializeToString()[:-1], "MALFORMED"),
    "empty": (b"", "MALFORMED"),
    "nothing set": (pb.BotFrame(events=[pb.BotEvent()]).SerializeToString(), "MALFORMED"),
    "second hello": (pb.BotFrame(events=[pb.BotEvent(hello=pb.Hello(token="x"))]).SerializeToString(), "MALFORMED"),
    "too long": (b"\x0a" * (FRAME_BYTES + 1), "OVERSIZE"),
}


@pytest.mark.parametrize("kind", UNREADABLE)
def test_what_cannot_be_read_costs_each_pending_turn_once(kind: str) -> None:
    data, code = UNREADABLE[kind]

    @scene
    async def test(far: Far) -> None:
        far.open(4)
        for game in (1, 2, 3):
            await far.ask(game, 0)
        await far.says(reply(2, 0))
        await far.sends(data)
        await far.sends(data)
        assert [await far.code(game, 0) for game in (1, 3)] == [code, code]
        assert (await far.answer(2, 0)).move == play(5)
        await far.ask(4, 0)
        assert far.waits(4, 0), "turns that come later are not touched"
        with pytest.raises(BadAnswer) as bad:
            await far.answer(1, 0)
        assert "protobuf" not in bad.value.message

    test()


@scene
async def test_a_frame_of_the_largest_size_is_read(far: Far) -> None:
    far.open(1)
    await far.ask(1, 0)
    event = reply(1, 0, 1, note="x" * (FRAME_BYTES - 30))
    frame = pb.BotFrame(events=[event]).SerializeToString()
    frame += b"\x12" + bytes([FRAME_BYTES - len(frame) - 2]) + b"\0" * (FRAME_BYTES - len(frame) - 2)
    assert len(frame) == FRAME_BYTES
    await far.sends(frame)
    assert (await far.answer(1, 0)).move == play(6)


@pytest.mark.parametrize("choice", [3, 4, -1, 2**31, 2**63 - 1, -(2**63)])
def test_a_choice_out_of_range_is_illegal(choice: int) -> None:
    @scene
    async def test(far: Far) -> None:
        far.open(1)
        await far.ask(1, 0)
        await far.says(reply(1, 0, choice))
        assert await far.code(1, 0) == "ILLEGAL"

    test()


@scene
async def test_an_index_where_cards_are_to_be_chosen_is_illegal(far: Far) -> None:
    far.open(1)
    await far.ask(1, 0, CHOICE)
    await far.says(reply(1, 0, 0))
    assert await far.code(1, 0) == "ILLEGAL"


@scene
async def test_a_reply_without_an_answer_is_malformed(far: Far) -> None:
    far.open(2)
    await far.ask(1, 0)
    await far.ask(2, 0)
    await far.says(reply(1, 0, None), reply(2, 0, None, move=pb.Move()))
    assert [await far.code(game, 0) for game in (1, 2)] == ["MALFORMED"] * 2


@scene
async def test_unknown_fields_are_ignored(far: Far) -> None:
    far.open(1)
    await far.ask(1, 0)
    await far.sends(pb.BotFrame(events=[reply(1, 0, 2)]).SerializeToString() + b"\xf8\x07\x01")
    assert (await far.answer(1, 0)).move == play(7)


async def noted(far: Far, turn: int, note: str, game: int = 1) -> str:
    await far.ask(game, turn)
    await far.says(reply(game, turn, 0, note=note))
    return (await far.answer(game, turn)).note


@scene
async def test_a_note_is_cut_to_two_kibibytes_between_characters(far: Far) -> None:
    far.open(1)
    assert await noted(far, 0, "short") == "short"
    assert await noted(far, 1, "x" * NOTE_BYTES) == "x" * NOTE_BYTES
    assert await noted(far, 2, "x" * NOTE_BYTES + "y") == "x" * NOTE_BYTES
    assert await noted(far, 3, "x" + "é" * NOTE_BYTES) == "x" + "é" * (NOTE_BYTES // 2 - 1)


@scene
async def test_notes_of_a_game_end_at_sixty_four_kibibytes(far: Far) -> None:
    far.open(2)
    for turn in range(GAME_NOTE_BYTES // NOTE_BYTES):
        assert await noted(far, turn, "x" * NOTE_BYTES)
    assert await noted(far, 99, "one more") == ""
    assert await noted(far, 0, "another game", game=2) == "another game"
