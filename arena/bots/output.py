"""What is kept of a bot's output, with marks of the turns. Standard library only; the launcher uses it.

The referee writes a mark into the bot's own output before a turn is put to it, so that what the bot writes for that
turn comes after it, whoever reads it when. A mark without output after it is dropped. A bot may write marks, too: it is
its own log.
"""

from __future__ import annotations

import re
from collections import deque

KEEP = 512 * 1024
"""Bytes kept from the start and again from the end."""

OPEN, CLOSE = b"\x1e\x02", b"\x1e"
MARK = re.compile(rb"\x1e\x02((?:game \d{1,9} )?turn \d{1,9}(?: or later)?)\x1e")
BEGUN = re.compile(rb"\x1e(?:\x02[a-z0-9 ]{0,40})?\Z")
"""What may be the beginning of a mark, at the end of what was read."""


def mark(label: str) -> bytes:
    """What the referee writes into a bot's output: "turn 31", "game 2 turn 31"."""
    return OPEN + label.encode() + CLOSE


class Marks:
    """Takes marks out of what is read, and writes them as lines of their own before the output that follows them."""

    def __init__(self) -> None:
        self._rest = b""
        """The beginning of a mark whose end is yet to be read."""
        self._held = b""
        self._fresh = True
        """Whether a line begins."""

    def read(self, data: bytes) -> bytes:
        """Further output, with lines like "[turn 31]"."""
        *parts, last = MARK.split(self._rest + data)
        begun = BEGUN.search(last)
        self._rest = begun[0] if begun is not None else b""
        parts.append(last[: len(last) - len(self._rest)])
        made = []
        for place, part in enumerate(parts):
            if place % 2:
                self._held = part
            elif part:
                made.append(self._told(part))
        return b"".join(made)

    def _told(self, part: bytes) -> bytes:
        """Some output, after the mark that is held."""
        before = b""
        if self._held and part.strip():
            before = b"%b[%b]\n" % (b"" if self._fresh else b"\n", self._held)
            self._held = b""
        self._fresh = part.endswith(b"\n")
        return before + part

    def rest(self) -> bytes:
        """What is left at the end."""
        rest, self._rest = self._rest, b""
        return rest


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

    @property
    def head(self) -> bytes:
        """The first part of what is kept; more is only added to it."""
        return bytes(self._head)

    @property
    def settled(self) -> int:
        """Bytes of the first part."""
        return len(self._head)

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
