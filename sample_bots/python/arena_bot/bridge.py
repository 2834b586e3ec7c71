"""The bridge: runs a bot that speaks JSON lines, and speaks gRPC for it.

    python3 -P -m arena_bot.bridge COMMAND...

The command is started with pipes on its stdin and stdout; its stderr is the bridge's own. Events of the arena go in,
one a line, and lines that come out go to the arena; what a line says is `json_lines`' business. The bridge says hello
if the bot does not, and fills in the token. It ends as the bot ends, and the bot never outlives it.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

from arena_bot.bot import log
from arena_bot.dial import CannotDial, channel, is_plain
from arena_bot.json_lines import LINE_BYTES, Event, Line, Lines, frames, read_event, write_event
from arena_bot.stream import METHOD, PARTING, parted
from arena_bot.table import VERSIONS
from arena_bot.v1 import arena_pb2

SDK = "arena-jsonl 0.1"
CONCURRENT_GAMES = 1024
"""Said for a bot that says no hello: its manifest, which is never exceeded, decides."""
HELLO_WAIT_S = 0.3
"""How long a bot's first line is waited for."""
LEAVE_S = 0.8
"""How long a bot has to leave once its stdin is closed. The arena waits a second for both, so that this is less."""
DRAIN_S = 0.2
"""How long what an ended bot has left in its pipe is waited for; a child of it may hold the other end."""
MOST_COMPLAINTS = 20
CHUNK = 64 * 1024
PR_SET_PDEATHSIG = 1
HIDDEN = ("ARENA_ADDRESS", "ARENA_TOKEN")
"""Variables that are the bridge's alone."""


def main(arguments: list[str]) -> int:
    """Run a command as a bot. Returns the exit status: the bot's own, 128 and the signal that ended it, or

    1 when the connection is lost, 2 for a wrong call, 126 or 127 for a command that cannot be run.
    """
    command = arguments[1:] if arguments[:1] == ["--"] else arguments
    address = os.environ.get("ARENA_ADDRESS")
    if not command or not address:
        missing = "a COMMAND" if not command else "ARENA_ADDRESS, a gRPC target,"
        log(f"usage: python3 -P -m arena_bot.bridge COMMAND...; {missing} is missing")
        return 2
    try:
        is_plain(address, os.environ)
        return asyncio.run(_run(command, address, os.environ.get("ARENA_TOKEN", "")))
    except CannotDial as error:
        log(str(error))
        return 2


async def _run(command: list[str], address: str, token: str) -> int:
    """Start the bot, and then gRPC, which must not be there when a process forks."""
    variables = {name: value for name, value in os.environ.items() if name not in HIDDEN}
    loop = asyncio.get_running_loop()
    try:
        transport, bot = await loop.subprocess_exec(
            lambda: BotProcess(CHUNK, loop),
            *command,
            stderr=None,
            env=variables,
            preexec_fn=_dying_with(os.getpid()),
        )
    except OSError as error:
        log(f"{command[0]!r} cannot be run: {error.strerror}")
        return 127 if isinstance(error, FileNotFoundError) else 126
    try:
        return await _carry(Bridge(asyncio.subprocess.Process(transport, bot, loop), bot.ended, token), address)
    finally:
        transport.close()


async def _carry(bridge: Bridge, address: str) -> int:
    """Carry lines until the bot or the stream ends."""
    os.environ.setdefault("GRPC_VERBOSITY", "ERROR")  # its notices would stand among the bot's own lines
    import grpc.aio  # noqa: F401 (slow: loaded while the bot gets ready)

    first = await bridge.hello()
    if first is None:
        return await bridge.status()
    async with channel(address, os.environ) as line:
        call: Any = line.stream_stream(METHOD)()  # Any: raw bytes both ways, which the stubs cannot say
        up = asyncio.create_task(bridge.up(call, first))
        down = asyncio.create_task(bridge.down(call))
        await asyncio.wait({down, bridge.ended}, return_when=asyncio.FIRST_COMPLETED)
        if bridge.ended.done():
            await asyncio.wait({up}, timeout=DRAIN_S)
            lost = ""
        else:
            lost = await _why(call) if bridge.goodbye is None else ""
            await bridge.dismiss()
            with suppress(TimeoutError):
                await asyncio.wait_for(call.code(), PARTING)
        for task in (up, down):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
    status = await bridge.status()
    if lost:
        log(f"the connection to the arena at {address!r} ended: {lost}")
    sent_away = bridge.goodbye is not None and parted(bridge.goodbye)
    return status or bool(lost) or bool(sent_away)


class BotProcess(asyncio.subprocess.SubprocessStreamProtocol):
    """Tells when the process ends, though a child of it may still hold its pipes (`Process.wait` waits for both)."""

    def __init__(self, limit: int, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(limit, loop)
        self.ended: asyncio.Future[None] = loop.create_future()

    def process_exited(self) -> None:
        """The process is over."""
        super().process_exited()
        self.ended.set_result(None)


class Bridge:
    """Between one bot process and one stream."""

    def __init__(self, bot: asyncio.subprocess.Process, ended: asyncio.Future[None], token: str) -> None:
        assert bot.stdin is not None, "stdin is a pipe"
        assert bot.stdout is not None, "stdout is a pipe"
        self.goodbye: str | None = None
        """The reason of the arena's goodbye, once it is said."""
        self.ended = ended
        """Done when the bot has ended."""
        self._bot = bot
        self._input = bot.stdin
        self._output = bot.stdout
        self._token = token
        self._lines = Lines()
        self._reading: asyncio.Task[bytes] | None = None
        self._over = False
        self._greeted = False
        self._complaints = 0

    # --- from the bot to the arena ------------------------------------------------------------------------------------

    async def hello(self) -> list[bytes] | None:
        """The first frames: the bot's hello or else the bridge's own, and what the bot said with it.

        None when the bot ended without a word.
        """
        events: list[Event] = []
        with suppress(TimeoutError):
            async with asyncio.timeout(HELLO_WAIT_S):
                while not events:
                    data = await self._read()
                    events = list(self._events(data, first=True))
                    if not data and not events:
                        return None
        first = events[0] if events else None
        if first is not None and first.WhichOneof("event") == "hello":
            first.hello.token = self._token
        else:
            hello = arena_pb2.Hello(versions=VERSIONS, token=self._token, sdk=SDK, concurrent_games=CONCURRENT_GAMES)
            events.insert(0, arena_pb2.BotEvent(hello=hello))
        return list(frames(events))

    async def up(self, call: Any, first: list[bytes]) -> None:
        """Carry the bot's lines to the arena until its output ends; what comes after the stream's end is let drop."""
        await self._send(call, first)
        while data := await self._read():
            await self._send(call, frames(self._events(data)))
        await self._send(call, frames(self._events(b"")))
        await asyncio.wait({self.ended}, timeout=DRAIN_S)
        if not self.ended.done():
            await self._close(call)

    async def _read(self) -> bytes:
        """What the bot has written since; no bytes at the end. A read that was given up goes on for the next call."""
        if self._reading is None:
            self._reading = asyncio.create_task(self._output.read(CHUNK))
        data = await asyncio.shield(self._reading)
        self._reading = None
        return data

    def _events(self, data: bytes, *, first: bool = False) -> Iterator[Event]:
        """The events of what was written."""
        for line in self._lines.feed(data):
            if line.text is None:
                self._complain(line, f"is longer than {LINE_BYTES} bytes")
                yield None
                continue
            event, complaint = read_event(line.text)
            if complaint:
                self._complain(line, f"{complaint}: {line.text[:80].decode(errors='replace')!r}")
            if event.WhichOneof("event") == "hello" and not self._greeted:
                self._greeted = True
                if not first:
                    log(f"bridge: line {line.number}: the hello came too late, the bridge has said one already")
                    continue
            yield event
            first = False

    def _complain(self, line: Line, what: str) -> None:
        """Tell the author; the referee will see to it as well."""
        self._complaints += 1
        if self._complaints <= MOST_COMPLAINTS:
            log(f"bridge: line {line.number} of the bot's stdout {what}")
        if self._complaints == MOST_COMPLAINTS:
            log("bridge: further wrong lines are not reported")

    async def _send(self, call: Any, several: Iterable[bytes]) -> None:
        for frame in several:
            if self._over:
                return
            try:
                await call.write(frame)
            except _broken():
                self._over = True

    async def _close(self, call: Any) -> None:
        """The bot will say no more."""
        if not self._over:
            self._over = True
            with suppress(*_broken()):
                await call.done_writing()

    # --- from the arena to the bot ------------------------------------------------------------------------------------

    async def down(self, call: Any) -> None:
        """Carry events to the bot until goodbye or the end of the stream; all of a frame are written at once."""
        with suppress(*_broken()):
            while self.goodbye is None:
                data: Any = await call.read()  # Any: bytes or EOF
                if not isinstance(data, bytes):
                    break
                events = arena_pb2.ArenaFrame.FromString(data).events
                self._input.write("".join(map(write_event, events)).encode())
                with suppress(ConnectionError):  # a bot that does not listen runs out of time, or has ended
                    await self._input.drain()
                said = [event.goodbye.reason for event in events if event.WhichOneof("event") == "goodbye"]
                self.goodbye = said[0] if said else None
        if self.goodbye is not None:
            await self._close(call)
        self._over = True

    # --- the end ------------------------------------------------------------------------------------------------------

    async def dismiss(self) -> None:
        """Close the bot's stdin; kill it if it does not leave."""
        self._input.close()
        await asyncio.wait({self.ended}, timeout=LEAVE_S)
        if not self.ended.done():
            log(f"bridge: the bot did not leave within {LEAVE_S} s of the end of its stdin, and is killed")
            with suppress(ProcessLookupError):
                self._bot.kill()

    async def status(self) -> int:
        """How the bot ended, as an exit status."""
        await self.ended
        status = self._bot.returncode
        assert status is not None, "it has ended"
        if status >= 0:
            return status
        log(f"bridge: the bot was ended by signal {-status} ({signal.strsignal(-status)})")
        return 128 - status


async def _why(call: Any) -> str:
    """How a stream ended; empty if it ended in good order."""
    code = await call.code()
    return "" if code.name == "OK" else f"{code.name}: {await call.details()}"


def _broken() -> tuple[type[Exception], ...]:
    """What a broken stream raises. (gRPC is imported only after the bot was started.)"""
    import grpc

    return grpc.RpcError, asyncio.InvalidStateError


def _dying_with(parent: int) -> Callable[[], None]:
    """What the child does before it becomes the bot: see to it that it dies when the bridge does."""
    libc = ctypes.CDLL(None) if sys.platform == "linux" else None

    def before() -> None:
        if libc is not None:
            libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            if os.getppid() != parent:
                os._exit(1)

    return before


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
