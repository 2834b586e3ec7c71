"""The server of a seat over a real unix socket, with a scripted bot at the far end: expect this, answer that."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
from arena_bot.v1 import arena_pb2 as pb

from arena.core.errors import BotError
from arena.core.moves import LegalList, play
from arena.match.player import Answer, PlayerGone, Turn
from arena.wire.server import SeatServer, read_hello
from arena.wire.session import FRAME_BYTES, LARGEST_BYTES, Session

TOKEN = "correct-horse"
DEADLINE_S = 60
LEGAL = LegalList((play(5), play(6), play(7)))


def hello(token: str = TOKEN, versions: tuple[str, ...] = ("1.0",), games: int = 4) -> pb.BotEvent:
    return pb.BotEvent(hello=pb.Hello(versions=versions, token=token, concurrent_games=games, sdk="test"))


def frame(*events: pb.BotEvent) -> bytes:
    return pb.BotFrame(events=events).SerializeToString()


def reply(turn: pb.Turn, choice: int) -> pb.BotEvent:
    return pb.BotEvent(reply=pb.Reply(game=turn.game, turn=turn.turn, choice=choice))


class Caller:
    """A bot's end of one stream."""

    def __init__(self, call: Any) -> None:
        self.call = call

    async def says(self, *events: pb.BotEvent) -> None:
        await self.sends(frame(*events))

    async def sends(self, data: bytes) -> None:
        await asyncio.wait_for(self.call.write(data), DEADLINE_S)

    async def hears(self, *kinds: str) -> list[pb.ArenaEvent]:
        """The next events, which are of these kinds; None of them is left in their frames."""
        events: list[pb.ArenaEvent] = []
        while len(events) < len(kinds):
            data = await asyncio.wait_for(self.call.read(), DEADLINE_S)
            assert data is not grpc.aio.EOF, f"the stream ended after {events}"
            events.extend(pb.ArenaFrame.FromString(data).events)
        assert tuple(event.WhichOneof("event") for event in events) == kinds
        return events

    async def hears_goodbye(self) -> str:
        """A refusal or a farewell, after which the stream ends without an error."""
        [event] = await self.hears("goodbye")
        await self.hears_the_end()
        return event.goodbye.reason

    async def hears_the_end(self) -> None:
        assert await asyncio.wait_for(self.call.read(), DEADLINE_S) is grpc.aio.EOF
        assert await self.call.code() is grpc.StatusCode.OK


class Seat:
    """A seat's server and those who dial it."""

    def __init__(self, server: SeatServer) -> None:
        self.server = server
        self._channels: list[grpc.aio.Channel] = []

    def dial(self, method: str = "/arena.v1.Arena/Play") -> Caller:
        channel = grpc.aio.insecure_channel(
            self.server.address, options=[("grpc.use_local_subchannel_pool", 1), ("grpc.max_send_message_length", -1)]
        )
        self._channels.append(channel)
        return Caller(channel.stream_stream(method)())

    async def seated(self) -> tuple[Caller, Session]:
        """A bot that is welcome."""
        caller = self.dial()
        await caller.says(hello())
        await caller.hears("welcome")
        return caller, await asyncio.wait_for(asyncio.shield(self.server.hello), DEADLINE_S)

    async def hang_up(self) -> None:
        """End all connections."""
        while self._channels:
            await self._channels.pop().close()

    async def close(self) -> None:
        await self.hang_up()
        await self.server.stop()


def ask(session: Session, game: int, turn: int) -> asyncio.Future[Answer]:
    return session.ask(game, Turn(turn, 0, None, LEGAL, None, None), lambda _turn, _view: None)


@asynccontextmanager
async def seat(explain: Any = None) -> AsyncIterator[Seat]:
    with tempfile.TemporaryDirectory(prefix="t-") as folder:
        server = SeatServer(f"unix:{folder}/seat.sock", TOKEN, 8, explain)
        await server.start()
        opened = Seat(server)
        try:
            yield opened
        finally:
            await opened.close()
        assert not Path(folder, "seat.sock").exists(), "the socket is gone with its server"


def scene(test: Callable[[Seat], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """A test that is a coroutine, with a seat to dial."""

    def run() -> None:
        async def work() -> None:
            async with asyncio.timeout(4 * DEADLINE_S), seat() as opened:
                await test(opened)

        asyncio.run(work())

    run.__name__ = test.__name__
    run.__doc__ = test.__doc__
    return run


@scene
async def test_a_bot_with_token_and_version_is_welcome(seat: Seat) -> None:
    caller = seat.dial()
    await caller.says(hello(versions=("0.9", "1.7", "2.0"), games=3))
    [event] = await caller.hears("welcome")
    assert event.welcome.version == "1.0"
    limits = event.welcome.limits
    assert (limits.frame_bytes, limits.note_bytes, limits.game_note_bytes) == (262_144, 2_048, 65_536)
    assert (await seat.server.hello).concurrent_games == 3


@pytest.mark.parametrize(("said", "offered"), [(0, 1), (1, 1), (8, 8), (4_000_000_000, 8)])
def test_no_more_games_are_offered_than_bot_and_manifest_say(said: int, offered: int) -> None:
    @scene
    async def test(seat: Seat) -> None:
        await seat.dial().says(hello(games=said))
        assert (await seat.server.hello).concurrent_games == offered

    test()


@scene
async def test_turns_go_out_and_replies_come_in(seat: Seat) -> None:
    caller, session = await seat.seated()
    first, second = session.open_game(), session.open_game()
    answers = [ask(session, first, 0), ask(session, second, 0)]
    events = await caller.hears("turn", "turn")
    assert [event.turn.game for event in events] == [1, 2]
    await caller.says(reply(events[1].turn, 2), reply(events[0].turn, 0))
    assert [(await answer).move for answer in answers] == [play(5), play(7)]
    answers = [ask(session, first, 4)]
    [event] = await caller.hears("turn")
    await caller.sends(b"\xff\xff")
    with pytest.raises(BotError) as bad:
        await answers[0]
    assert bad.value.code == "MALFORMED"
    answers = [ask(session, first, 8)]
    [event] = await caller.hears("turn")
    await caller.says(reply(event.turn, 1))
    assert (await answers[0]).move == play(6), "the stream lives on"


@scene
async def test_what_follows_the_hello_in_its_frame_is_read(seat: Seat) -> None:
    caller = seat.dial()
    await caller.says(hello(), *[pb.BotEvent(reply=pb.Reply(game=9, turn=0, choice=0))] * 10)
    await caller.hears("welcome")
    session = await seat.server.hello
    answer = ask(session, session.open_game(), 0)
    await caller.hears("turn")
    await caller.says(pb.BotEvent(reply=pb.Reply(game=9, turn=0, choice=0)))
    with pytest.raises(BotError) as bad:
        await answer
    assert bad.value.code == "WRONG_GAME", "ten came with the hello, this is the eleventh"


@scene
async def test_a_wrong_token_is_refused_and_the_owner_is_unharmed(seat: Seat) -> None:
    for token in ("", "stolen", TOKEN + "x", "ünïcode"):
        thief = seat.dial()
        await thief.says(hello(token))
        assert (await thief.hears_goodbye()).startswith("BAD_TOKEN: ")
        await seat.hang_up()
        assert not seat.server.hello.done()
    caller, session = await seat.seated()
    answer = ask(session, session.open_game(), 0)
    [event] = await caller.hears("turn")
    await caller.says(reply(event.turn, 1))
    assert (await answer).move == play(6)


@scene
async def test_a_refusal_does_not_tell_the_token(seat: Seat) -> None:
    thief = seat.dial()
    await thief.says(hello("stolen"))
    assert TOKEN not in await thief.hears_goodbye()


@scene
async def test_another_version_is_refused_naming_both(seat: Seat) -> None:
    caller = seat.dial()
    await caller.says(hello(versions=("2.1", "3.0")))
    reason = await caller.hears_goodbye()
    assert reason == "BAD_VERSION: the bot speaks protocol versions 2.1, 3.0, the arena speaks 1.0"
    with pytest.raises(BotError) as bad:
        await seat.server.hello
    assert (bad.value.code, bad.value.message) == ("BAD_VERSION", reason.partition(": ")[2])


@scene
async def test_no_version_at_all_is_refused(seat: Seat) -> None:
    caller = seat.dial()
    await caller.says(hello(versions=()))
    assert "versions none" in await caller.hears_goodbye()
    with pytest.raises(BotError):
        await seat.server.hello


@scene
async def test_a_second_connection_is_refused_and_the_first_stays(seat: Seat) -> None:
    caller, session = await seat.seated()
    second = seat.dial()  # need not say anything to be refused
    assert (await second.hears_goodbye()).startswith("DUPLICATE: ")
    answer = ask(session, session.open_game(), 0)
    [event] = await caller.hears("turn")
    await caller.says(reply(event.turn, 2))
    assert (await answer).move == play(7)
    assert session.gone is None


@scene
async def test_of_two_that_dial_at_once_one_is_taken(seat: Seat) -> None:
    callers = [seat.dial(), seat.dial()]
    for caller in callers:
        await caller.says(hello())
    heard = [(await asyncio.wait_for(caller.call.read(), DEADLINE_S)) for caller in callers]
    kinds = sorted(pb.ArenaFrame.FromString(data).events[0].WhichOneof("event") or "" for data in heard)
    assert kinds == ["goodbye", "welcome"]


@pytest.mark.parametrize(
    ("first", "code"),
    [
        (b"\xff\xff\xff\xff", "MALFORMED"),
        (b"", "MALFORMED"),
        (frame(pb.BotEvent()), "MALFORMED"),
        (frame(pb.BotEvent(reply=pb.Reply(game=1))), "MALFORMED"),
        (b"\x0a" * (FRAME_BYTES + 1), "OVERSIZE"),
    ],
)
def test_a_first_frame_that_is_no_hello_is_refused(first: bytes, code: str) -> None:
    @scene
    async def test(seat: Seat) -> None:
        caller = seat.dial()
        await caller.sends(first)
        assert (await caller.hears_goodbye()).startswith(f"{code}: ")
        with pytest.raises(BotError) as bad:
            await seat.server.hello
        assert bad.value.code == code

    test()


@pytest.mark.parametrize(
    "method",
    [
        "/arena.v1.Arena/Watch",
        "/arena.v1.Arena/play",
        "/arena.v2.Arena/Play",
        "/",
    ],
)
def test_no_other_method_is_the_arena_s(method: str) -> None:
    @scene
    async def test(seat: Seat) -> None:
        caller = seat.dial(method)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await caller.call.read()
        assert refused.value.code() is grpc.StatusCode.UNIMPLEMENTED
        assert not seat.server.hello.done()

    test()


ENDINGS: dict[str, tuple[str, Callable[[Caller], Any]]] = {
    "half closed": ("DISCONNECT", lambda caller: caller.call.done_writing()),
    "cancelled": ("DISCONNECT", lambda caller: caller.call.cancel()),
    "too large": ("OVERSIZE", lambda caller: caller.call.write(b"\x0a" * (LARGEST_BYTES + 1))),
    "far too large": ("OVERSIZE", lambda caller: caller.call.write(b"\x0a" * (2 * LARGEST_BYTES))),
    "too large for gRPC": ("DISCONNECT", lambda caller: caller.call.write(b"\x0a" * (2 * LARGEST_BYTES + 1))),
}
"""How a stream ends -> (code, what the bot does)."""


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_stream_that_ends_in_mid_game_fails_every_turn(ending: str) -> None:
    @scene
    async def test(seat: Seat) -> None:
        caller, session = await seat.seated()
        answers = [ask(session, session.open_game(), 0) for _ in range(3)]
        await caller.hears("turn", "turn", "turn")
        code, end = ENDINGS[ending]
        done = end(caller)
        if asyncio.iscoroutine(done):
            await done
        for answer in answers:
            with pytest.raises(PlayerGone) as gone:
                await asyncio.wait_for(answer, DEADLINE_S)
            assert gone.value.code == code
        await asyncio.wait_for(seat.server.ended.wait(), DEADLINE_S)

    test()


@pytest.mark.parametrize("ending", ["half closed", "cancelled"])
def test_whoever_knows_better_explains_the_end(ending: str) -> None:
    """The runner knows whether the process crashed; it may take a moment to find out."""

    async def explain() -> PlayerGone:
        await asyncio.sleep(0.05)
        return PlayerGone("it crashed", code="CRASH")

    async def work() -> None:
        async with asyncio.timeout(DEADLINE_S), seat(explain) as opened:
            caller, session = await opened.seated()
            answer = ask(session, session.open_game(), 0)
            await caller.hears("turn")
            done = ENDINGS[ending][1](caller)
            if asyncio.iscoroutine(done):
                await done
            with pytest.raises(PlayerGone, match="it crashed"):
                await answer
            assert session.gone is not None
            assert session.gone.code == "CRASH"

    asyncio.run(work())


@scene
async def test_goodbye_ends_the_stream_after_everything_was_said(seat: Seat) -> None:
    caller, session = await seat.seated()
    session.event().game_over.game = 1
    session.close("done")
    events = await caller.hears("game_over", "goodbye")
    assert events[1].goodbye.reason == "done"
    await caller.call.done_writing()
    await caller.hears_the_end()
    await asyncio.wait_for(seat.server.ended.wait(), DEADLINE_S)


@scene
async def test_a_server_may_stop_before_anyone_came(seat: Seat) -> None:
    await seat.server.stop()
    assert seat.server.hello.cancelled()


@scene
async def test_a_server_may_stop_in_mid_game(seat: Seat) -> None:
    _, session = await seat.seated()
    answer = ask(session, session.open_game(), 0)
    await seat.server.stop()
    with pytest.raises(PlayerGone):
        await asyncio.wait_for(answer, DEADLINE_S)


def test_read_hello_gives_the_hello_and_what_followed() -> None:
    said, rest = read_hello(frame(hello("t", ("1.0",)), pb.BotEvent(reply=pb.Reply(game=3))))
    assert (said.token, list(said.versions)) == ("t", ["1.0"])
    assert pb.BotFrame.FromString(rest).events[0].reply.game == 3
    said, rest = read_hello(frame(hello()))
    assert rest == b""


@pytest.mark.parametrize("data", [b"", b"\x0a", b"\xff" * 10, frame(pb.BotEvent(reply=pb.Reply(game=1)), hello())])
def test_read_hello_refuses_everything_else(data: bytes) -> None:
    with pytest.raises(BotError) as bad:
        read_hello(data)
    assert bad.value.code == "MALFORMED"
    assert "DecodeError" not in str(bad.value)
