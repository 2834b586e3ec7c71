"""What is kept of a bot's output. Standard library only; the launcher uses it."""

from __future__ import annotations

from collections import deque

KEEP = 512 * 1024
"""Bytes kept from the start and again from the end."""


class Output:
    """The first and last 512 KiB of a bot's output; the rest is counted."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self.left_out = 0
        """Bytes that were dropped."""

    def add(self, data: bytes) -> None:
        """More output."""
        room = KEEP - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if data:
            self._tail.append(data)
            self._tail_size += len(data)
            while self._tail_size - len(self._tail[0]) >= KEEP:
                gone = self._tail.popleft()
                self._tail_size -= len(gone)
                self.left_out += len(gone)

    def text(self) -> bytes:
        """What is kept, with a line that counts what is not."""
        tail = b"".join(self._tail)
        missing = f"\n[{self.left_out} bytes left out]\n".encode() if self.left_out else b""
        return bytes(self._head) + missing + tail

    def last_line(self) -> str:
        """The last line that is not empty, cut to 500 characters."""
        end = (bytes(self._head) + b"".join(self._tail))[-4096:].decode("utf-8", "replace")
        lines = [line.strip() for line in end.splitlines() if line.strip()]
        return lines[-1][:500] if lines else ""
