"""The gRPC server of one seat: one socket, one token, one bot. The socket is the identity, the token a second factor.

Handlers take raw bytes, so that an unreadable frame does not end the stream. The server lives as long as its bot
process, or until the bot sends too much or stops reading; `hello` resolves to the session once the bot has introduced
itself. Whoever dials the socket is the seat's bot: what is refused is counted, and a flood of it is the bot's.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

import grpc
import grpc.aio
from arena_bot.v1 import arena_pb2 as pb
from google.protobuf.message import DecodeError

from arena.core.errors import BotError
from arena.match.player import PlayerGone
from arena.wire.allowance import Allowance
from arena.wire.limits import (
    CALLS,
    DUPLICATE_S,
    HELLO_S,
    MOST_RPCS,
    MOST_WAITING,
    OPTIONS,
    PARTING_S,
    check_metadata,
)
from arena.wire.services import add_standard_services
from arena.wire.session import FRAME_BYTES, GAME_NOTE_BYTES, NOTE_BYTES, PROTOCOL, Session

KINDLY_REFUSED = frozenset({"CONN_LIMIT", "DUPLICATE", "HANDSHAKE"})
"""Refusals after which the bot may still say hello."""
log = logging.getLogger("arena.wire")


class SeatServer:
    """Serves one bot at one address until it is stopped."""

    def __init__(
        self,
        address: str,
        token: str,
        concurrent_games: int,
        explain: Callable[[], Awaitable[PlayerGone]] | None = None,
        is_token: Callable[[str], bool] = lambda _text: False,
    ) -> None:
        """`explain` finds out why a stream ended. `is_token` says whether a text is the token of another live seat."""
        self.address = address
        """A gRPC target: "unix:/path/seat.sock" or "127.0.0.1:port"."""
        self._token = token
        self._concurrent_games = concurrent_games
        self._explain = explain or _closed_its_stream
        self._is_token = is_token
        self.hello: asyncio.Future[Session] = asyncio.get_running_loop().create_future()
        """The session once the bot said hello; fails with BotError when what it said cannot be accepted."""
        self.session: Session | None = None
        self.wrong_token = False
        """Whether anyone said hello with a token that is not this seat's."""
        self.stolen = False
        """Whether the token of another live seat was shown here, at any time and on any connection."""
        self.refused: Counter[str] = Counter()
        """Calls that were refused, by code. What gRPC refuses by itself is not among them."""
        self.ended = asyncio.Event()
        """Set when the stream of the accepted session is over."""
        self._parting: asyncio.Task[None] | None = None
        self._shutting: asyncio.Task[None] | None = None
        self._calls = Allowance(CALLS, asyncio.get_running_loop().time)
        self._waiting = 0
        self._server = grpc.aio.server(options=OPTIONS, maximum_concurrent_rpcs=MOST_RPCS)
        self._server.add_generic_rpc_handlers((_Handlers(self),))
        self._server.add_insecure_port(address)

    async def start(self) -> None:
        """Listen."""
        await add_standard_services(self._server)
        await self._server.start()

    async def stop(self, grace_s: float = 0.0) -> None:
        """Close the socket; streams still open get `grace_s` seconds."""
        if not self.hello.done():
            self.hello.cancel()
        elif not self.hello.cancelled():
            self.hello.exception()
        await self._server.stop(grace_s)
        for task in (self._parting, self._shutting):
            if task is not None:
                task.cancel()
                await asyncio.wait({task})
        if self.session is not None:
            self.session.lost(PlayerGone("the arena closed the connection", code="DISCONNECT"))

    async def play(self, frames: AsyncIterator[bytes], context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        """The one method of the service."""
        session = await self._welcome(frames, context)
        if session is None:
            return
        writer = asyncio.create_task(self._write(session, context))
        try:
            with suppress(grpc.RpcError, asyncio.InvalidStateError):
                async for data in frames:
                    session.receive(data)
                    if session.gone is not None:
                        break
        finally:
            # gRPC cancels this handler when the connection breaks, so that finding out why is a task of its own.
            self._parting = asyncio.create_task(self._part(session))
            if session.gone is not None:
                self._shut()
        await asyncio.shield(self._parting)
        await writer

    def called(self) -> None:
        """Count a call of any method."""
        if not self._calls.take():
            message = f"more calls than {CALLS.burst:g} at once or {CALLS.per_s:g} a second"
            if self.session is not None:
                self.session.lost(PlayerGone(message, code="FLOOD"))
            elif not self.hello.done():
                self.hello.set_exception(BotError(message, code="FLOOD"))
            self._shut()

    def _shut(self) -> None:
        """Close the socket for a bot that goes too far; what it is told goes out first."""
        if self._shutting is None:
            self._shutting = asyncio.create_task(self._server.stop(PARTING_S))

    async def _part(self, session: Session) -> None:
        """The stream is over: find out why and tell the session, unless it had ended anyway."""
        try:
            if not session.closing and session.gone is None:
                session.lost(await self._explain())
        finally:
            session.lost(PlayerGone("the stream is over", code="DISCONNECT"))
            self.ended.set()

    async def _write(self, session: Session, context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        """Send frames until the session says that all is said."""
        loop = asyncio.get_running_loop()
        try:
            while (frame := await session.next_frame()) is not None:
                stuck = loop.call_later(session.patience_s, self._stuck, session)
                try:
                    await context.write(frame)
                finally:
                    stuck.cancel()
        except (grpc.RpcError, asyncio.InvalidStateError, grpc.aio.UsageError, grpc.aio.InternalError):
            session.lost(await self._explain())

    def _stuck(self, session: Session) -> None:
        """A frame could not be sent in all the time that any turn has."""
        session.lost(PlayerGone(f"did not read its stream for {session.patience_s:g} s", code="BACKPRESSURE"))
        self._shut()

    async def _welcome(
        self, frames: AsyncIterator[bytes], context: grpc.aio.ServicerContext[bytes, bytes]
    ) -> Session | None:
        """Read the hello and answer it; None when this connection is not taken."""
        taken = self.hello.done()
        data: bytes | None = None
        try:
            check_metadata(context.invocation_metadata() or ())
            if self._waiting >= MOST_WAITING:
                raise BotError(f"{self._waiting} calls wait for their hello", code="CONN_LIMIT")
            self._waiting += 1
            try:
                async with asyncio.timeout(DUPLICATE_S if taken else HELLO_S):
                    data = await anext(aiter(frames), None)
            except TimeoutError:
                if not taken:
                    raise BotError(f"no hello came in {HELLO_S:g} s", code="HANDSHAKE") from None
            finally:
                self._waiting -= 1
            if data is None and not taken:
                return None
            return self._accept(data)
        except BotError as error:
            if error.code == "BAD_TOKEN":
                self.wrong_token = True
            elif error.code not in KINDLY_REFUSED and not self.hello.done():
                self.hello.set_exception(error)
            await self._refuse(context, error)
            return None

    def _accept(self, data: bytes | None) -> Session:
        """The session of a first frame; the seat's one session. Raises BotError when it is refused."""
        if data is None:
            raise BotError("this seat has a connection already", code="DUPLICATE")
        taken = self.hello.done()
        try:
            said, rest = read_hello(data)
        except BotError:
            if not taken:
                raise
            raise BotError("this seat has a connection already", code="DUPLICATE") from None
        self._shown(said.token)
        self._check(said)
        if taken:
            raise BotError("this seat has a connection already", code="DUPLICATE")
        session = self.session = open_session(said, self._concurrent_games, self._shown)
        self.hello.set_result(session)
        if rest:
            session.receive(rest)
        return session

    def _shown(self, token: str) -> None:
        """A token was shown on this socket."""
        if self._is_token(token):
            self.stolen = True

    def _check(self, said: pb.Hello) -> None:
        """Raises BotError BAD_TOKEN or BAD_VERSION."""
        if not hmac.compare_digest(said.token.encode(), self._token.encode()):
            raise BotError("the token of the hello is not this seat's", fix="send ARENA_TOKEN", code="BAD_TOKEN")
        check_version(said)

    async def _refuse(self, context: grpc.aio.ServicerContext[bytes, bytes], error: BotError) -> None:
        self.refused[error.code] += 1
        reason = f"{error.code}: {error.message}"
        log.info("refused a connection: %s", reason)
        frame = pb.ArenaFrame()
        frame.events.add().goodbye.reason = reason
        with suppress(grpc.RpcError, asyncio.InvalidStateError, TimeoutError):
            async with asyncio.timeout(HELLO_S):
                await context.write(frame.SerializeToString())


def read_hello(data: bytes) -> tuple[pb.Hello, bytes]:
    """The hello of a first frame and a frame of what followed it, empty if nothing did. Raises BotError MALFORMED."""
    if len(data) > FRAME_BYTES:
        raise BotError(f"a first frame of {len(data)} bytes; at most {FRAME_BYTES} are read", code="OVERSIZE")
    try:
        frame = pb.BotFrame.FromString(data)
    except DecodeError:
        raise BotError(f"a first frame of {len(data)} bytes that is no BotFrame", code="MALFORMED") from None
    if not frame.events or frame.events[0].WhichOneof("event") != "hello":
        raise BotError("the first event is no hello", fix="send Hello before anything else", code="MALFORMED")
    rest = pb.BotFrame(events=frame.events[1:])
    return frame.events[0].hello, rest.SerializeToString()


def check_version(said: pb.Hello) -> None:
    """Raises BotError BAD_VERSION, which names both sides' versions, when they share no major one."""
    major = PROTOCOL.partition(".")[0]
    if not any(version.partition(".")[0] == major for version in said.versions):
        spoken = ", ".join(said.versions) or "none"
        raise BotError(
            f"the bot speaks protocol versions {spoken[:100]}, the arena speaks {PROTOCOL}", code="BAD_VERSION"
        )


def open_session(said: pb.Hello, most_games: int, shown: Callable[[str], None] = lambda _token: None) -> Session:
    """The session of a hello that was accepted, with its welcome ready to go out; for `shown` see `Session`."""
    session = Session(min(most_games, max(1, said.concurrent_games)), asyncio.get_running_loop().time, shown)
    welcome = session.event().welcome
    welcome.version = PROTOCOL
    welcome.limits.frame_bytes = FRAME_BYTES
    welcome.limits.note_bytes = NOTE_BYTES
    welcome.limits.game_note_bytes = GAME_NOTE_BYTES
    return session


async def _closed_its_stream() -> PlayerGone:
    return PlayerGone("the bot closed its stream", code="DISCONNECT")


class _Handlers(grpc.GenericRpcHandler):
    """Routes Arena.Play to a seat's server with raw bytes both ways."""

    def __init__(self, server: SeatServer) -> None:
        self._server = server
        self._handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(server.play)

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[bytes, bytes] | None:
        """The handler of a method, or None for methods that are not the arena's. Every call comes by here."""
        self._server.called()
        return self._handler if handler_call_details.method == "/arena.v1.Arena/Play" else None
