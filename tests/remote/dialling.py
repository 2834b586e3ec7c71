"""A door with real TLS, certificates made by openssl, and clients that dial it."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import grpc
import grpc.aio
from arena_bot.v1 import arena_pb2 as pb

from arena.core.moves import LegalList, play
from arena.match.player import Answer, Turn
from arena.wire.caller import Limits
from arena.wire.door import Door
from arena.wire.line import Grant, KeepAlive, Line
from arena.wire.session import Session
from arena.wire.tls import tls_of

DEADLINE_S = 60
LEGAL = LegalList((play(5), play(6), play(7)))
EC = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")


class Papers:
    """A private authority and a certificate for this machine that it signed; another one that it did not."""

    def __init__(self, folder: Path) -> None:
        self.authority = folder / "ca.pem"
        self.certificate = folder / "arena.pem"
        self.key = folder / "arena.key"
        self.strangers = folder / "other.pem"
        openssl(
            "req", "-x509", *EC, "-subj", "/CN=Test authority", "-keyout", folder / "ca.key", "-out", self.authority
        )
        openssl("req", "-x509", *EC, "-subj", "/CN=Other", "-keyout", folder / "other.key", "-out", self.strangers)
        openssl(
            *("req", "-x509", *EC, "-subj", "/CN=arena", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"),
            *("-addext", "basicConstraints=critical,CA:FALSE", "-CA", self.authority, "-CAkey", folder / "ca.key"),
            *("-keyout", self.key, "-out", self.certificate),
        )


@cache
def papers() -> Papers:
    """The certificates of this process's tests."""
    return Papers(Path(mkdtemp(prefix="arena-papers-")))


def openssl(*words: str | Path) -> None:
    done = subprocess.run(["openssl", *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


class Tokens:
    """A guard that keeps its tokens in a dictionary."""

    def __init__(self, **slots: int) -> None:
        self.grants = {f"token-of-{name}": Grant(place, name, slots[name]) for place, name in enumerate(slots)}
        self.revoked: set[int] = set()
        self.asked = 0

    async def admit(self, token: str) -> Grant | None:
        self.asked += 1
        grant = self.grants.get(token)
        return grant if grant is not None and grant.id not in self.revoked else None

    async def standing(self, ids: frozenset[int]) -> frozenset[int]:
        return ids - self.revoked


class Bot:
    """A bot's end of one stream."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self.channel = channel
        self.call: Any = channel.stream_stream("/arena.v1.Arena/Play")()

    async def says(self, *events: pb.BotEvent) -> None:
        await asyncio.wait_for(self.call.write(pb.BotFrame(events=events).SerializeToString()), DEADLINE_S)

    async def hears(self, *kinds: str) -> list[pb.ArenaEvent]:
        """The next events, which are of these kinds."""
        events: list[pb.ArenaEvent] = []
        while len(events) < len(kinds):
            data = await asyncio.wait_for(self.call.read(), DEADLINE_S)
            assert data is not grpc.aio.EOF, f"the stream ended after {events}"
            events.extend(pb.ArenaFrame.FromString(data).events)
        assert tuple(event.WhichOneof("event") for event in events) == kinds
        return events

    async def is_cut_off(self) -> bool:
        """Whether the connection ends, goodbye or not."""
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            while await asyncio.wait_for(self.call.read(), DEADLINE_S) is not grpc.aio.EOF:
                pass
        return True


def hello(token: str, version: str = "1.0", games: int = 4) -> pb.BotEvent:
    return pb.BotEvent(hello=pb.Hello(versions=[version], token=token, concurrent_games=games, sdk="test"))


def reply(turn: pb.Turn, choice: int = 0) -> pb.BotEvent:
    return pb.BotEvent(reply=pb.Reply(game=turn.game, turn=turn.turn, choice=choice))


class Hall:
    """A door and those who dial it."""

    def __init__(self, door: Door, tls: bool) -> None:
        self.door = door
        self._tls = tls
        self._channels: list[grpc.aio.Channel] = []

    def dial(self, authority: Path | None = None, *options: tuple[str, Any]) -> Bot:
        """A connection of its own."""
        address, settings = f"127.0.0.1:{self.door.port}", [("grpc.use_local_subchannel_pool", 1), *options]
        if self._tls:
            trusted = grpc.ssl_channel_credentials((authority or papers().authority).read_bytes())
            channel = grpc.aio.secure_channel(address, trusted, options=settings)
        else:
            channel = grpc.aio.insecure_channel(address, options=settings)
        self._channels.append(channel)
        return Bot(channel)

    async def enters(self, name: str, *options: tuple[str, Any]) -> Bot:
        """A bot that is let in."""
        bot = self.dial(None, *options)
        await bot.says(hello(f"token-of-{name}"))
        await bot.hears("welcome")
        return bot

    async def refused(self, token: str, version: str = "1.0") -> bytes:
        """The whole answer to a hello that is refused."""
        bot = self.dial()
        await bot.says(hello(token, version))
        answer: bytes = await asyncio.wait_for(bot.call.read(), DEADLINE_S)
        assert await bot.is_cut_off()
        return answer

    async def line(self, name: str) -> Line:
        return await asyncio.wait_for(self.door.take(name), DEADLINE_S)

    async def close(self) -> None:
        for channel in self._channels:
            await channel.close()
        await self.door.stop()


def goodbye(answer: bytes) -> str:
    [event] = pb.ArenaFrame.FromString(answer).events
    return event.goodbye.reason


def ask(session: Session, game: int, turn: int) -> asyncio.Future[Answer]:
    return session.ask(game, Turn(turn, 0, None, LEGAL, None, None), lambda _turn, _view: None)


@asynccontextmanager
async def hall(
    tokens: Tokens, limits: Limits | None = None, keepalive: KeepAlive | None = None, *, tls: bool = True
) -> AsyncIterator[Hall]:
    context = tls_of(papers().certificate, papers().key) if tls else None
    door = Door("127.0.0.1", 0, context, tokens, limits, keepalive)
    await door.start()
    opened = Hall(door, tls)
    try:
        yield opened
    finally:
        await opened.close()
