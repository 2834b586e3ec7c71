"""One connection at the door as its gate sees it, and what strangers and bots may use. Knows no socket."""

from __future__ import annotations

import asyncio
import ipaddress
from typing import NamedTuple

from arena.wire.allowance import Allowance, Rate

PARTING_S = 1.0
"""How long a connection has to close by itself once its call is over."""


class Limits(NamedTuple):
    """What strangers and bots may use. A stranger is a connection whose hello was not accepted yet."""

    connections: int = 1024
    per_address: int = 256
    """Connections of one address; IPv6 addresses are counted by their /64."""
    strangers: int = 128
    strangers_per_address: int = 16
    arrivals: Rate = Rate(10, 40)
    """New connections of one address."""
    guesses: Rate = Rate(0.1, 10)
    """Hellos of one address that were refused for their token; beyond them it is not let in for a while."""
    hello_s: float = 5.0
    """From the connection to the accepted hello, TLS included."""
    hello_bytes: int = 32 * 1024
    """What a stranger may send."""
    data: Rate = Rate(512 * 1024, 2 * 1024 * 1024)
    """Bytes of one bot's connection."""
    frames: Rate = Rate(2000, 4000)
    """Frames of one bot's connection."""


class Caller:
    """One connection."""

    def __init__(self, number: int, address: str, limits: Limits, loop: asyncio.AbstractEventLoop) -> None:
        self.number = number
        self.address = address
        """Under which it is counted."""
        self.admitted = False
        self.calling = False
        """Whether it has made its one call already."""
        self.dropped: asyncio.Future[str] = loop.create_future()
        self._loop = loop
        self._received = 0
        self._most = limits.hello_bytes
        self._allowance = Allowance(limits.data, loop.time)
        self._deadline = loop.call_later(limits.hello_s, self.drop, "HANDSHAKE")

    def admit(self) -> None:
        """Its hello was accepted: it is no stranger any more."""
        self.admitted = True
        self._deadline.cancel()

    def finish(self) -> None:
        """Its call is over: it may leave by itself for a moment."""
        self._deadline.cancel()
        self._deadline = self._loop.call_later(PARTING_S, self.drop, "done")

    def drop(self, code: str) -> None:
        """End the connection now."""
        self._deadline.cancel()
        if not self.dropped.done():
            self.dropped.set_result(code)

    def may_send(self, count: int) -> bool:
        """Count bytes that came; false ends the connection."""
        self._received += count
        if not self.admitted:
            return self._received <= self._most
        return self._allowance.take(count)


def counted(address: str) -> str:
    """Under what an address is counted: itself, or the /64 network of an IPv6 address, of which one host has many."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))
