"""One connection: turns out, replies in and to which turn they belong; no gRPC, and a clock that tests set."""

from __future__ import annotations

import asyncio

import pytest
from arena_bot.v1 import arena_pb2 as pb
from wire.far import CHOICE, LEGAL, Far, reply, scene

from arena.core.moves import Kind, of_set, play
from arena.match.player import Answer, PlayerGone, Turn
from arena.wire import session as session_module
from arena.wire.session import FRAME_BYTES, GAME_NOTE_BYTES, NOTE_BYTES, TOLERATED


@scene
async def test_a_reply_answers_its_turn_and_is_timed_when_it_is_read(far: Far) -> None:
    far.open(1)
    await far.ask(1, 0)
    far.time = 103.5
    await far.says(reply(1, 0, 2))
    assert await far.answer(1, 0) == Answer(play(7), 103.5, "")


@scene
async def test_a_reply_may_be_a_move(far: Far) -> None:
    far.open(1)
    await far.ask(1, 0, CHOICE)
    await far.says(reply(1, 0, None, move=pb.Move(discard=pb.CardSet(cards=[7, 5]))))
    assert (await far.answer(1, 0)).move == of_set(Kind.DISCARD, (5, 7))


@scene
async def test_several_replies_in_one_frame_in_any_order(far: Far) -> None:
    far.open(3)
    for game in (1, 2, 3):
        await far.ask(game, game * 10)
    await far.says(reply(3, 30, 2), reply(1, 10, 0), reply(2, 20, 1))
    assert [(await far.answer(game, game * 10)).move for game in (1, 2, 3)] == [play(5), play(6), play(7)]


@scene
async def test_everything_pending_goes_out_in_one_frame(far: Far) -> None:
    far.open(2)
    await far.ask(1, 4)
    await far.ask(2, 6)
    frame = await far.session.next_frame()
    assert frame is not None
    turns = [event.turn for event in pb.ArenaFrame.FromString(frame).events]
    assert [(turn.game, turn.turn) for turn in turns] == [(1, 4), (2, 6)]
    assert [(turn.limit_ms, turn.bank_ms) for turn in turns] == [(5_000, 9_000)] * 2


@scene
async def test_remaining_times_are_never_zero_and_absent_without_a_clock(far: Far) -> None:
    far.open(1)
    for number, limit in enumerate((0.2, None)):
        asked = far.session.ask(1, Turn(number, 0, None, LEGAL, limit, limit), lambda *_: None)
        frame = await far.session.next_frame()
        assert frame is not None
        [event] = pb.ArenaFrame.FromString(frame).events
        if limit is None:
            assert not event.turn.HasField("limit_ms")
            assert not event.turn.HasField("bank_ms")
        else:
            assert (event.turn.limit_ms, event.turn.bank_ms) == (1, 1)
        asked.cancel()


@scene
async def test_a_late_reply_is_matched_and_dropped(far: Far) -> None:
    far.open(1)
    await far.ask(1, 0)
    await far.expire(1, 0)
    assert far.session.late_turns(1) == frozenset()
    await far.ask(1, 4)
    await far.says(reply(1, 0))
    assert far.waits(1, 4)
    assert far.session.late_turns(1) == {0}
    await far.says(reply(1, 4, 1))
    assert (await far.answer(1, 4)).move == play(6)


@scene
async def test_a_late_reply_is_not_read_for_legality(far: Far) -> None:
    far.open(1)
    await far.ask(1, 0)
    await far.expire(1, 0)
    await far.says(reply(1, 0, -5))
    assert far.session.late_turns(1) == {0}


@scene
async def test_a_reply_that_was_read_before_the_deadline_is_in_time(far: Far) -> None:
    """The deadline comes before the referee has taken the answer, but after it was read."""
    far.open(1)
    await far.ask(1, 0)
    far.session.receive(pb.BotFrame(events=[reply(1, 0)]).SerializeToString())
    assert not far.asked[1, 0].cancel()
    assert (await far.answer(1, 0)).move == play(5)
    assert far.session.late_turns(1) == frozenset()


@scene
async def test_late_replies_after_the_end_of_their_game_do_not_count_as_strays(far: Far) -> None:
    far.open(20)
    for game in range(1, 20):
        await far.ask(game, 0)
        await far.expire(game, 0)
        far.session.close_game(game)
    await far.ask(20, 0)
    for game in range(1, 20):
        await far.says(reply(game, 0))
        assert far.session.late_turns(game) == frozenset()
    assert far.waits(20, 0)


async def stray(far: Far, event: pb.BotEvent, code: str) -> None:
    """Ten are dropped, the eleventh costs the oldest pending turn, every further one the next."""
    await far.ask(1, 8)
    await far.ask(2, 3)
    await far.says(*[event] * TOLERATED)
    assert far.waits(1, 8)
    assert far.waits(2, 3)
    await far.says(event)
    assert await far.code(1, 8) == code
    assert far.waits(2, 3)
    await far.says(event)
    assert await far.code(2, 3) == code
    await far.says(event)  # with nothing pending it costs nothing


@scene
async def test_the_honest_reply_to_a_turn_that_a_stray_failed_costs_nothing_more(far: Far) -> None:
    far.open(2)
    await far.ask(1, 8)
    await far.ask(2, 3)
    await far.says(*[reply(2, 4_000_000_000)] * (TOLERATED + 1))
    assert await far.code(1, 8) == "STALE"
    await far.says(reply(1, 8))
    assert far.waits(2, 3)


@scene
async def test_beyond_ten_old_turn_numbers_are_a_fault(far: Far) -> None:
    far.open(2)
    await far.ask(1, 4)
    await far.says(reply(1, 4))
    assert (await far.answer(1, 4)).move == play(5)
    await stray(far, reply(1, 4), "STALE")


@scene
async def test_beyond_ten_turns_of_another_seat_are_a_fault(far: Far) -> None:
    await stray(far.open(2), reply(1, 5), "WRONG_SEAT")


@scene
async def test_turns_of_a_game_that_is_over_are_old(far: Far) -> None:
    far.open(3)
    far.session.close_game(3)
    await stray(far, reply(3, 5), "STALE")


@scene
async def test_beyond_ten_guessed_turn_numbers_are_a_fault(far: Far) -> None:
    await stray(far.open(2), reply(2, 4_000_000_000), "STALE")


@scene
async def test_beyond_ten_wrong_games_are_a_fault(far: Far) -> None:
    await stray(far.open(2), reply(3, 8), "WRONG_GAME")


@scene
async def test_game_zero_is_a_wrong_game(far: Far) -> None:
    await stray(far.open(2), reply(0, 8), "WRONG_GAME")


@scene
async def test_a_late_reply_that_is_repeated_counts_as_old(far: Far) -> None:
    far.open(2)
    await far.ask(1, 0)
    await far.expire(1, 0)
    await far.says(reply(1, 0))
    await stray(far, reply(1, 0), "STALE")


@scene
async def test_the_first_of_two_replies_in_one_frame_counts(far: Far) -> None:
    far.open(1)
    await far.ask(1, 0)
    await far.says(reply(1, 0, 1), reply(1, 0, 2))
    assert (await far.answer(1, 0)).move == play(6)


@scene
async def test_a_lost_connection_fails_every_turn_and_all_that_follow(far: Far) -> None:
    far.open(2)
    await far.ask(1, 0)
    await far.ask(2, 0)
    far.session.lost(PlayerGone("it crashed", code="CRASH"))
    far.session.lost(PlayerGone("and the stream ended", code="DISCONNECT"))
    await far.ask(1, 1)
    for key in ((1, 0), (2, 0), (1, 1)):
        with pytest.raises(PlayerGone, match="it crashed") as gone:
            await far.answer(*key)
        assert gone.value.code == "CRASH", "the first reason stays"


@scene
async def test_the_last_frames_go_out_before_the_stream_ends(far: Far) -> None:
    far.open(1)
    far.session.event().game_over.game = 1
    far.session.close("done")
    far.session.close("twice")
    frame = await far.session.next_frame()
    assert frame is not None
    assert [event.WhichOneof("event") for event in pb.ArenaFrame.FromString(frame).events] == ["game_over", "goodbye"]
    assert await far.session.next_frame() is None


@scene
async def test_a_frame_waits_until_there_is_something_to_say(far: Far) -> None:
    frame = asyncio.create_task(far.session.next_frame())
    await asyncio.sleep(5)
    assert not frame.done()
    far.session.event().rejected.reason = "ILLEGAL: no"
    assert await frame is not None
    silent = asyncio.create_task(far.session.next_frame())
    await asyncio.sleep(5)
    far.session.lost(PlayerGone("gone", code="CRASH"))
    assert await silent is None


@scene
async def test_closed_games_leave_nothing_behind(far: Far) -> None:
    for _ in range(1_000):
        game = far.session.open_game()
        await far.ask(game, 0)
        await far.says(reply(game, 0))
        await far.answer(game, 0)
        far.session.close_game(game)
    books = [value for value in vars(far.session).values() if isinstance(value, dict)]
    assert [len(book) for book in books] == [0] * len(books)


def test_the_limits_are_those_of_the_protocol() -> None:
    assert (FRAME_BYTES, NOTE_BYTES, GAME_NOTE_BYTES) == (256 * 1024, 2 * 1024, 64 * 1024)
    assert session_module.PROTOCOL == "1.0"
