"""The door for bots on machines of their own: one address, many tokens, TLS. The same service as on a seat's socket.

A token lets in as many connections as it has slots; each becomes a line that can be taken for one seat at a time. Who
holds which token is asked of a `Guard`: the door knows no store. What a bot says of itself never decides anything, and
a token is never written anywhere.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress

import grpc
import grpc.aio
from arena_bot.v1 import arena_pb2 as pb

from arena.core.errors import BotError
from arena.match.player import PlayerGone
from arena.wire.allowance import Allowance
from arena.wire.caller import Caller, Limits
from arena.wire.gate import Gate
from arena.wire.line import Guard, KeepAlive, Line
from arena.wire.server import check_version, open_session, read_hello
from arena.wire.services import add_standard_services
from arena.wire.session import LARGEST_BYTES
from arena.wire.tls import check_address

MOST_GAMES = 64
"""How many games are played at once over one connection, whatever its hello says."""
REFUSAL_S = 0.25
"""A refused token is answered so long after its hello, whatever was wrong with it."""
BAD_TOKEN = "BAD_TOKEN: this token lets nobody in"
DUPLICATE = "DUPLICATE: this token has as many connections as it has slots"
STANDING_S = 2.0
"""How often it is asked whether the tokens of those inside still stand."""
TELLING_S = 0.2
"""How long the goodbye to a revoked token has to get out."""
LEAVE_S = 1.0
"""How long bots have to leave after goodbye."""
log = logging.getLogger("arena.wire")


class Door:
    """Serves remote bots at one address until it is stopped."""

    def __init__(
        self,
        host: str,
        port: int,
        tls: ssl.SSLContext | None,
        guard: Guard,
        limits: Limits | None = None,
        keepalive: KeepAlive | None = None,
    ) -> None:
        """`tls` None: plain TCP, which is refused anywhere but on loopback (ConfigError INSECURE)."""
        check_address(host, port, tls=tls is not None)
        self.parting = "done"
        """What all are told when it closes."""
        self.gate = Gate(host, port, tls, limits or Limits())
        self._limits = limits or Limits()
        self._guard = guard
        self._loop = asyncio.get_running_loop()
        self._lines: list[Line] = []
        self._changed = asyncio.Condition()
        self._watching: asyncio.Task[None] | None = None
        self._telling: set[asyncio.Task[None]] = set()
        keepalive = keepalive or KeepAlive()
        self._server = grpc.aio.server(
            options=(
                ("grpc.max_receive_message_length", 4 * LARGEST_BYTES),
                ("grpc.max_metadata_size", 8 * 1024),
                ("grpc.absolute_max_metadata_size", 16 * 1024),
                ("grpc.max_concurrent_streams", 4),
                ("grpc.so_reuseport", 0),
                ("grpc.server_handshake_timeout_ms", 5_000),
                ("grpc.keepalive_time_ms", round(keepalive.time_s * 1000)),
                ("grpc.keepalive_timeout_ms", round(keepalive.timeout_s * 1000)),
                ("grpc.keepalive_permit_without_calls", 1),
                ("grpc.http2.max_pings_without_data", 0),
                # Clients may ping as often as they like: their bytes are counted, nobody is sent away for it.
                ("grpc.http2.min_recv_ping_interval_without_data_ms", 1),
                ("grpc.http2.max_ping_strikes", 0),
            )
        )
        self._server.add_generic_rpc_handlers((_Handlers(self),))
        self._server.add_insecure_port(f"unix:{self.gate.inside}")

    @property
    def port(self) -> int:
        """Where it listens."""
        return self.gate.port

    @property
    def lines(self) -> tuple[Line, ...]:
        """The connections that are let in and open."""
        return tuple(line for line in self._lines if line.is_open)

    async def start(self) -> None:
        """Listen. Raises ConfigError ADDRESS."""
        await add_standard_services(self._server)
        await self._server.start()
        await self.gate.start()
        self._watching = asyncio.create_task(self._watch())

    async def stop(self) -> None:
        """Say goodbye to all, give them a moment, close."""
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.wait({self._watching})
        for line in self._lines:
            line.session.close(self.parting)
        if self._lines:
            with suppress(TimeoutError):
                async with asyncio.timeout(LEAVE_S), self._changed:
                    await self._changed.wait_for(lambda: not self._lines)
        await self._server.stop(0)
        await self.gate.stop()

    async def take(self, name: str) -> Line:
        """A free connection of a bot, as soon as there is one. It stays taken until it is released."""
        async with self._changed:
            while (
                line := next((line for line in self.lines if line.grant.name == name and not line.taken), None)
            ) is None:
                await self._changed.wait()
            line.taken = True
            return line

    async def changed(self) -> None:
        """Wait until a connection has come or gone."""
        async with self._changed:
            await self._changed.wait()

    async def release(self, line: Line) -> None:
        """A seat needs its connection no more; another one may take it."""
        async with self._changed:
            line.taken = False
            self._changed.notify_all()

    async def dismiss(self, lines: Iterable[Line], reason: str, why: str) -> None:
        """Say goodbye to some, with a code and a sentence, and end their connections. `why`: what their tokens are."""
        told = list(lines)
        for line in told:
            line.session.close(reason)
        await asyncio.sleep(TELLING_S if told else 0)
        for line in told:
            line.session.lost(PlayerGone(f"the token of {line.grant.name} {why}", code="DISCONNECT"))
            line.caller.finish()

    async def play(self, frames: AsyncIterator[bytes], context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        """The one method of the service."""
        caller = self.gate.caller(context.peer())
        if caller is None or caller.calling:
            await _refuse(context, "DUPLICATE: one connection has one call")
            return
        caller.calling = True
        try:
            line = await self._welcome(frames, context, caller)
            if line is not None:
                await self._converse(line, frames, context)
        finally:
            caller.finish()

    async def _welcome(
        self, frames: AsyncIterator[bytes], context: grpc.aio.ServicerContext[bytes, bytes], caller: Caller
    ) -> Line | None:
        """Read the hello and answer it; None when this connection is not let in."""
        data = await anext(aiter(frames), None)
        if data is None:
            return None
        read_at = self._loop.time()
        try:
            said, rest = read_hello(data)
        except BotError as error:
            await _refuse(context, f"{error.code}: {error.message}")
            return None
        grant = await self._guard.admit(said.token)
        if grant is None:
            self.gate.guessed(caller)
            await asyncio.sleep(read_at + REFUSAL_S - self._loop.time())
            await _refuse(context, BAD_TOKEN)
            return None
        try:
            check_version(said)
        except BotError as error:
            await _refuse(context, f"{error.code}: {error.message}")
            return None
        if sum(line.grant.id == grant.id for line in self.lines) >= grant.slots:
            await _refuse(context, DUPLICATE)
            return None
        caller.admit()
        line = Line(grant, open_session(said, MOST_GAMES), caller)
        self._lines.append(line)
        if rest:
            line.session.receive(rest)
        return line

    async def _converse(
        self, line: Line, frames: AsyncIterator[bytes], context: grpc.aio.ServicerContext[bytes, bytes]
    ) -> None:
        """Carry frames until the stream ends."""
        session, name = line.session, line.grant.name
        writing = asyncio.create_task(self._write(line, context))
        self._telling.add(writing)
        writing.add_done_callback(self._telling.discard)
        allowance = Allowance(self._limits.frames, self._loop.time)
        try:
            await self._tell()
            async for data in frames:
                if allowance.take():
                    session.receive(data)
                else:
                    most = self._limits.frames
                    session.lost(PlayerGone(f"{name} sent more than {most.per_s:g} frames a second", code="FLOOD"))
                if session.gone is not None:
                    break
        except (grpc.RpcError, asyncio.InvalidStateError, grpc.aio.UsageError):
            pass
        finally:
            # gRPC cancels this task when the connection breaks: nothing may be awaited here.
            flood = line.caller.dropped.done() and line.caller.dropped.result() == "FLOOD"
            why = "sent too much" if flood else "lost its connection"
            session.lost(PlayerGone(f"{name} {why}", code="FLOOD" if flood else "DISCONNECT"))
            line.lost_at = self._loop.time()
            self._lines.remove(line)
            telling = self._loop.create_task(self._tell())
            self._telling.add(telling)
            telling.add_done_callback(self._telling.discard)
        await asyncio.wait({writing}, timeout=LEAVE_S)

    async def _write(self, line: Line, context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        """Send frames until the session says that all is said."""
        try:
            while (frame := await line.session.next_frame()) is not None:
                stuck = self._loop.call_later(line.session.patience_s, _stuck, line)
                try:
                    await context.write(frame)
                finally:
                    stuck.cancel()
        except (grpc.RpcError, asyncio.InvalidStateError, grpc.aio.UsageError, grpc.aio.InternalError):
            line.session.lost(PlayerGone(f"{line.grant.name} lost its connection", code="DISCONNECT"))

    async def _tell(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    async def _watch(self) -> None:
        """Close the connections whose tokens were revoked."""
        while True:
            await asyncio.sleep(STANDING_S)
            ids = frozenset(line.grant.id for line in self._lines)
            standing = await self._guard.standing(ids) if ids else ids
            ended = [line for line in self.lines if line.grant.id in ids - standing]
            for line in ended:
                line.revoked = True
            await self.dismiss(ended, BAD_TOKEN, "was revoked")


def _stuck(line: Line) -> None:
    """A frame could not be sent in all the time that any turn has."""
    waited = line.session.patience_s
    line.session.lost(PlayerGone(f"{line.grant.name} did not read its stream for {waited:g} s", code="BACKPRESSURE"))
    line.caller.drop("BACKPRESSURE")


async def _refuse(context: grpc.aio.ServicerContext[bytes, bytes], reason: str) -> None:
    log.info("refused a connection: %s", reason)
    frame = pb.ArenaFrame()
    frame.events.add().goodbye.reason = reason
    with suppress(grpc.RpcError, asyncio.InvalidStateError):
        await context.write(frame.SerializeToString())


class _Handlers(grpc.GenericRpcHandler):
    """Routes Arena.Play to the door with raw bytes both ways."""

    def __init__(self, door: Door) -> None:
        self._handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(door.play)

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[bytes, bytes] | None:
        """The handler of a method, or None for methods that are not the arena's."""
        return self._handler if handler_call_details.method == "/arena.v1.Arena/Play" else None
