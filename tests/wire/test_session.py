"""One connection: turns out, replies in, whatever a bot sends; no gRPC, and a clock that tests set."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from arena_bot.v1 import arena_pb2 as pb
from virtual import run_virtual

from arena.core.moves import Choose, Kind, LegalList, of_set, play
from arena.match.player import Answer, BadAnswer, PlayerGone, Turn
from arena.wire import session as session_module
from arena.wire.session import FRAME_BYTES, GAME_NOTE_BYTES, NOTE_BYTES, TOLERATED, Session

LEGAL = LegalList((play(5), play(6), play(7)))
CHOICE = Choose(Kind.DISCARD, 2, (5, 6, 7))


class Far:
    """A session and, in a few words, what the bot at its far end does."""

    def __init__(self) -> None:
        self.time = 100.0
        self.session = Session(8, lambda: self.time)
        self.asked: dict[tuple[int, int], asyncio.Future[Answer]] = {}

    def open(self, games: int) -> Far:
        for _ in range(games):
            self.session.open_game()
        return self

    async def ask(self, game: int, turn: int, legal: Any = LEGAL) -> None:
        """Put a turn to the bot; the answer is read with `answer`."""
        self.asked[game, turn] = self.session.ask(
            game, Turn(turn, 0, None, legal, 5_000.0, 9_000.0), lambda _turn, _view: None
        )

    async def expire(self, game: int, turn: int) -> None:
        """The referee's deadline has passed."""
        assert self.asked.pop((game, turn)).cancel()

    async def answer(self, game: int, turn: int) -> Answer:
        return await asyncio.wait_for(self.asked[game, turn], 1)

    async def code(self, game: int, turn: int) -> str:
        """The fault of a turn that was answered badly."""
        with pytest.raises(BadAnswer) as bad:
            await self.answer(game, turn)
        return bad.value.code

    def waits(self, game: int, turn: int) -> bool:
        return not self.asked[game, turn].done()

    async def says(self, *events: pb.BotEvent) -> None:
        self.session.receive(pb.BotFrame(events=events).SerializeToString())
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    async def sends(self, data: bytes) -> None:
        self.session.receive(data)
        await asyncio.sleep(0)
        await asyncio.sleep(0)


def reply(game: int, turn: int, choice: int | None = 0, **others: Any) -> pb.BotEvent:
    message = pb.Reply(game=game, turn=turn, **others)
    if choice is not None:
        message.choice = choice
    return pb.BotEvent(reply=message)


def scene(test: Callable[[Far], Any]) -> Callable[[], None]:
    """A test that is a coroutine, in virtual time."""

    def run() -> None:
        async def work() -> None:
            await test(Far())

        run_virtual(work())

    run.__name__ = test.__name__
    run.__doc__ = test.__doc__
    return run


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
