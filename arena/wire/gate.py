"""The gate before the door: accepts TCP connections, ends TLS, and lets no more bytes through than it must.

gRPC behind it never meets a connection that was refused, is too slow with its handshake or its hello, or sends too
much. Every connection reaches gRPC over a unix socket of its own name, by which the door tells whose call it is. The
gate knows addresses, bytes and seconds; nothing of the protocol, of tokens or of bots.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
import struct
import tempfile
from collections import Counter
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

from arena.core.errors import ConfigError
from arena.wire.allowance import Allowance
from arena.wire.caller import PARTING_S, Caller, Limits, counted

CHUNK = 64 * 1024
KEEPALIVE = (
    (socket.SO_KEEPALIVE, socket.SOL_SOCKET, 1),
    # The kernels talk to each other: translators of addresses (NAT) remember the connection, and a peer that vanished
    # is noticed in 50 s, though the bot itself may think for as long as it likes.
    (getattr(socket, "TCP_KEEPIDLE", 0), socket.IPPROTO_TCP, 20),
    (getattr(socket, "TCP_KEEPINTVL", 0), socket.IPPROTO_TCP, 10),
    (getattr(socket, "TCP_KEEPCNT", 0), socket.IPPROTO_TCP, 3),
    (getattr(socket, "TCP_USER_TIMEOUT", 0), socket.IPPROTO_TCP, 50_000),
    (socket.TCP_NODELAY, socket.IPPROTO_TCP, 1),
)
log = logging.getLogger("arena.wire")


class Gate:
    """Listens at one address and carries what is allowed to a unix socket and back."""

    def __init__(self, host: str, port: int, tls: ssl.SSLContext | None, limits: Limits) -> None:
        self._host = host
        self.port = port
        """The port, also where 0 was asked for, once it listens."""
        self._tls = tls
        self._limits = limits
        self._loop = asyncio.get_running_loop()
        self._folder = tempfile.TemporaryDirectory(prefix="arena-door-")
        self.inside = f"{self._folder.name}/door"
        """Path of the unix socket on which gRPC is to listen."""
        self.refused: Counter[str] = Counter()
        """Connections that were not let in or were ended, by code."""
        self._callers: dict[int, Caller] = {}
        self._arrivals: dict[str, Allowance] = {}
        self._guesses: dict[str, Allowance] = {}
        self._count = 0
        self._listener: socket.socket | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Listen. Raises ConfigError ADDRESS when the address cannot be had."""
        try:
            found = await self._loop.getaddrinfo(self._host, self.port, type=socket.SOCK_STREAM)
            family, kind, protocol, _, address = found[0]
            listener = socket.socket(family, kind, protocol)
        except OSError as error:
            raise _no_address(self._host, self.port, error) from error
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(128)
            listener.setblocking(False)
        except OSError as error:
            listener.close()
            raise _no_address(self._host, self.port, error) from error
        self.port = listener.getsockname()[1]
        self._listener = listener
        self._run(self._accept(listener))

    async def stop(self) -> None:
        """Close everything."""
        for task in list(self._tasks):
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        if self._listener is not None:
            self._listener.close()
        self._folder.cleanup()

    def caller(self, peer: str) -> Caller | None:
        """The connection that gRPC calls `peer`; None for one that did not come through this gate."""
        name = peer.rpartition("/")[2]
        return (
            self._callers.get(int(name)) if peer.startswith(f"unix:{self._folder.name}/") and name.isdigit() else None
        )

    def guessed(self, caller: Caller) -> None:
        """A hello was refused for its token."""
        allowance = self._guesses.setdefault(caller.address, Allowance(self._limits.guesses, self._loop.time))
        allowance.take()

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                sock, peer = await self._loop.sock_accept(listener)
            except OSError:  # out of descriptors, most likely: those who wait will wait
                await asyncio.sleep(0.1)
                continue
            address = counted(peer[0])
            reason = self._refusal(address)
            if reason:
                self.refused[reason] += 1
                # Reset, so that nothing of a flood stays behind in the kernel.
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                sock.close()
            else:
                self._count += 1
                caller = Caller(self._count, address, self._limits, self._loop)
                self._callers[caller.number] = caller
                self._run(self._serve(sock, caller))
            await asyncio.sleep(0)  # a connection that waits is accepted without one turn of the loop otherwise

    def _refusal(self, address: str) -> str:
        """Why a new connection of an address is not let in; empty if it is."""
        limits = self._limits
        callers = self._callers.values()
        here = [caller for caller in callers if caller.address == address]
        if len(callers) >= limits.connections or len(here) >= limits.per_address:
            return "CONN_LIMIT"
        strangers = sum(not caller.admitted for caller in callers)
        if strangers >= limits.strangers or sum(not c.admitted for c in here) >= limits.strangers_per_address:
            return "CONN_LIMIT"
        guesses = self._guesses.get(address)
        if guesses is not None and guesses.is_empty():
            return "BAD_TOKEN"
        if len(self._arrivals) + len(self._guesses) > 10_000:
            self._forget()
        arrivals = self._arrivals.setdefault(address, Allowance(limits.arrivals, self._loop.time))
        return "" if arrivals.take() else "CONN_LIMIT"

    def _forget(self) -> None:
        """Forget the addresses that used nothing lately."""
        for book in (self._arrivals, self._guesses):
            for address in [address for address, allowance in book.items() if allowance.is_full()]:
                del book[address]

    async def _serve(self, sock: socket.socket, caller: Caller) -> None:
        """One connection from its first byte to its last."""
        carrying = self._loop.create_task(self._carry(sock, caller))
        try:
            ends: list[asyncio.Future[Any]] = [carrying, caller.dropped]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            carrying.cancel()
            await asyncio.wait({carrying})
            caller.drop("done")
            reason = caller.dropped.result()
            if reason != "done":
                self.refused[reason] += 1
                log.info("ended a connection from %s: %s", caller.address, reason)
            del self._callers[caller.number]
            sock.close()

    async def _carry(self, sock: socket.socket, caller: Caller) -> None:
        """TLS, then bytes both ways until one side ends."""
        for option, level, value in KEEPALIVE:
            with suppress(OSError):
                sock.setsockopt(level, option, value)
        outer = inner = None
        try:
            sock.setblocking(False)
            outer = await _streams(sock, self._tls, self._limits.hello_s)
            if self._tls is not None and outer[1].get_extra_info("ssl_object").selected_alpn_protocol() != "h2":
                caller.drop("HANDSHAKE")
                return
            inner = await self._connect(caller)
            up = asyncio.create_task(self._up(outer[0], inner[1], caller))
            down = asyncio.create_task(_pump(inner[0], outer[1]))
            try:
                await asyncio.wait({up, down}, return_when=asyncio.FIRST_COMPLETED)
                if down.done():  # all was said: let it out
                    outer[1].close()
                    with suppress(OSError):
                        await asyncio.wait_for(outer[1].wait_closed(), PARTING_S)
            finally:
                for task in (up, down):
                    task.cancel()
                await asyncio.wait({up, down})
        except OSError:
            caller.drop("HANDSHAKE" if inner is None else "done")
        finally:
            for streams in (outer, inner):
                if streams is not None:
                    streams[1].transport.abort()

    async def _connect(self, caller: Caller) -> _Streams:
        """A connection to gRPC under the caller's own name."""
        sock = socket.socket(socket.AF_UNIX)
        try:
            sock.setblocking(False)
            name = Path(self._folder.name, str(caller.number))
            sock.bind(str(name))
            name.unlink()  # the name stays with the connection
            await self._loop.sock_connect(sock, self.inside)
            return await _streams(sock, None, 0)
        except BaseException:
            sock.close()
            raise

    async def _up(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, caller: Caller) -> None:
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                if not caller.may_send(len(data)):
                    caller.drop("FLOOD" if caller.admitted else "HANDSHAKE")
                    return
                writer.write(data)
                await writer.drain()


_Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _streams(sock: socket.socket, tls: ssl.SSLContext | None, limit_s: float) -> _Streams:
    """Streams over an accepted or connected socket; a handshake of TLS as the server if it is to be."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=CHUNK, loop=loop)
    protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
    transport, _ = await loop.connect_accepted_socket(
        lambda: protocol, sock, ssl=tls, ssl_handshake_timeout=limit_s if tls is not None else None
    )
    return reader, asyncio.StreamWriter(transport, protocol, reader, loop)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(CHUNK):
            writer.write(data)
            await writer.drain()


def _no_address(host: str, port: int, error: OSError) -> ConfigError:
    return ConfigError(
        f"cannot listen at {host}:{port}: {error.strerror or error}",
        where=f"{host}:{port}",
        saw=str(error),
        fix="choose another port, or end the program that has it",
        code="ADDRESS",
    )
