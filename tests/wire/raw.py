"""HTTP/2 by hand, for callers that no library makes."""

from __future__ import annotations

import asyncio

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, SETTINGS, PING, WINDOW_UPDATE = 0, 1, 4, 6, 8
END_HEADERS, ACK = 4, 1


def block(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """One frame of HTTP/2."""
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def _literal(name: str, value: str) -> bytes:
    """A header in plain, which no table remembers."""
    return b"\x00" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()


IDLE = PREFACE + block(SETTINGS, 0, 0)
"""What a client says first."""
CALL = b"".join(
    _literal(name, value)
    for name, value in (
        (":method", "POST"),
        (":scheme", "http"),
        (":path", "/arena.v1.Arena/Play"),
        (":authority", "x"),
        ("content-type", "application/grpc"),
        ("te", "trailers"),
    )
)


class Raw:
    """One connection to a unix socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self._reading: asyncio.Task[bool] | None = asyncio.create_task(self._drain(reader))

    @classmethod
    async def open(cls, address: str, window: int = 0) -> Raw:
        """Connect and say what a client says first; `window`: what may be sent without being asked for."""
        raw = cls(*await asyncio.open_unix_connection(address.removeprefix("unix:")))
        settings = (4).to_bytes(2, "big") + window.to_bytes(4, "big") if window else b""
        raw.write(PREFACE + block(SETTINGS, 0, 0, settings) + block(SETTINGS, ACK, 0))
        if window:
            raw.write(block(WINDOW_UPDATE, 0, 0, (window - 65_535).to_bytes(4, "big")))
        return raw

    def write(self, data: bytes) -> None:
        """Send bytes."""
        self._writer.write(data)

    def call(self) -> None:
        """Call Play."""
        self.write(block(HEADERS, END_HEADERS, 1, CALL))

    def send(self, message: bytes) -> None:
        """Send a message of the call."""
        self.write(block(DATA, 0, 1, b"\x00" + len(message).to_bytes(4, "big") + message))

    def stop_reading(self) -> None:
        """From now on everything that comes stays where it is."""
        assert self._reading is not None, "it reads"
        self._reading.cancel()
        self._reading = None
        self._writer.transport.pause_reading()  # type: ignore[attr-defined]

    async def closed(self, limit_s: float) -> bool:
        """Whether the other side closes in so many seconds."""
        assert self._reading is not None, "it reads"
        done, _ = await asyncio.wait({self._reading}, timeout=limit_s)
        return bool(done)

    async def close(self) -> None:
        """Hang up."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.wait({self._reading})
        self._writer.transport.abort()

    @staticmethod
    async def _drain(reader: asyncio.StreamReader) -> bool:
        try:
            while await reader.read(65_536):
                pass
        except OSError:
            pass
        return True
