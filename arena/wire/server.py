"""The gRPC server of one seat: one socket, one token, one bot. The socket is the identity, the token a second factor.

Handlers take raw bytes, so that an unreadable frame does not end the stream. The server lives as long as its bot
process; `hello` resolves to the session once the bot has introduced itself.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

import grpc
import grpc.aio
from arena_bot.v1 import arena_pb2 as pb
from google.protobuf.message import DecodeError

from arena.core.errors import BotError
from arena.match.player import PlayerGone
from arena.wire.services import add_standard_services
from arena.wire.session import FRAME_BYTES, GAME_NOTE_BYTES, LARGEST_BYTES, NOTE_BYTES, PROTOCOL, Session

OPTIONS = (
    # Above the arena's own limits, so that the session sees who sent too much and says so.
    ("grpc.max_receive_message_length", 4 * LARGEST_BYTES),
    ("grpc.max_metadata_size", 8 * 1024),
    ("grpc.server_handshake_timeout_ms", 2_000),
    ("grpc.so_reuseport", 0),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 5_000),
    ("grpc.http2.max_ping_strikes", 0),
)
log = logging.getLogger("arena.wire")


class SeatServer:
    """Serves one bot at one address until it is stopped."""

    def __init__(
        self,
        address: str,
        token: str,
        concurrent_games: int,
        explain: Callable[[], Awaitable[PlayerGone]] | None = None,
    ) -> None:
        self.address = address
        """A gRPC target: "unix:/path/seat.sock" or "127.0.0.1:port"."""
        self._token = token
        self._concurrent_games = concurrent_games
        self._explain = explain or _closed_its_stream
        self.hello: asyncio.Future[Session] = asyncio.get_running_loop().create_future()
        """The session once the bot said hello; fails with BotError when what it said cannot be accepted."""
        self.session: Session | None = None
        self.wrong_token = False
        """Whether anyone said hello with a token that is not this seat's."""
        self.ended = asyncio.Event()
        """Set when the stream of the accepted session is over."""
        self._parting: asyncio.Task[None] | None = None
        self._server = grpc.aio.server(options=OPTIONS, maximum_concurrent_rpcs=4)
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
        if self._parting is not None:
            self._parting.cancel()
            await asyncio.wait({self._parting})
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
        await asyncio.shield(self._parting)
        await writer

    async def _part(self, session: Session) -> None:
        """The stream is over: find out why and tell the session, unless it had ended anyway."""
        try:
            if not session.closing:
                session.lost(await self._explain())
        finally:
            session.lost(PlayerGone("the stream is over", code="DISCONNECT"))
            self.ended.set()

    async def _write(self, session: Session, context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        """Send frames until the session says that all is said."""
        try:
            while (frame := await session.next_frame()) is not None:
                await context.write(frame)
        except (grpc.RpcError, asyncio.InvalidStateError, grpc.aio.UsageError, grpc.aio.InternalError):
            session.lost(await self._explain())

    async def _welcome(
        self, frames: AsyncIterator[bytes], context: grpc.aio.ServicerContext[bytes, bytes]
    ) -> Session | None:
        """Read the hello and answer it; None when this connection is not taken."""
        if self.hello.done():
            await self._refuse(context, "DUPLICATE: this seat has a connection already")
            return None
        async for data in frames:
            try:
                said, rest = read_hello(data)
                self._check(said)
            except BotError as error:
                if error.code == "BAD_TOKEN":
                    self.wrong_token = True
                elif not self.hello.done():
                    self.hello.set_exception(error)
                await self._refuse(context, f"{error.code}: {error.message}")
                return None
            if self.hello.done():
                await self._refuse(context, "DUPLICATE: this seat has a connection already")
                return None
            session = open_session(said, self._concurrent_games)
            self.session = session
            self.hello.set_result(session)
            if rest:
                session.receive(rest)
            return session
        return None

    def _check(self, said: pb.Hello) -> None:
        """Raises BotError BAD_TOKEN or BAD_VERSION."""
        if not hmac.compare_digest(said.token.encode(), self._token.encode()):
            raise BotError("the token of the hello is not this seat's", fix="send ARENA_TOKEN", code="BAD_TOKEN")
        check_version(said)

    async def _refuse(self, context: grpc.aio.ServicerContext[bytes, bytes], reason: str) -> None:
        log.info("refused a connection: %s", reason)
        frame = pb.ArenaFrame()
        frame.events.add().goodbye.reason = reason
        with suppress(grpc.RpcError, asyncio.InvalidStateError):
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


def open_session(said: pb.Hello, most_games: int) -> Session:
    """The session of a hello that was accepted, with its welcome ready to go out."""
    session = Session(min(most_games, max(1, said.concurrent_games)), asyncio.get_running_loop().time)
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
        self._handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(server.play)

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[bytes, bytes] | None:
        """The handler of a method, or None for methods that are not the arena's."""
        return self._handler if handler_call_details.method == "/arena.v1.Arena/Play" else None
