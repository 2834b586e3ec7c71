"""Exports as streams: what is written by a thread is sent as it comes, and a reader who leaves ends the writing."""

from __future__ import annotations

import io
import queue
import threading
import time
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING

from arena.core.errors import ArenaError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

CHUNK = 64 << 10
AHEAD = 16
"""Chunks that wait to be sent."""
MOST = 2
"""Exports that are written at the same time."""
PATIENCE_S = 60.0
"""Who reads nothing for so long has left: others wait for the place."""


class TooMany(ArenaError):
    """Others are being written."""

    code = "BUSY"


class _Left(Exception):
    """The reader has left, or reads no more."""


class _Pipe(io.RawIOBase):
    """A file that hands on what is written to it."""

    def __init__(self) -> None:
        self.chunks: queue.Queue[bytes | BaseException | None] = queue.Queue(AHEAD)
        self.left = threading.Event()

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer, /) -> int:
        chunk = bytes(data)
        self.put(chunk)
        return len(chunk)

    def put(self, item: bytes | BaseException | None) -> None:
        """Hand on a chunk, or the end. Raises _Left when nobody reads any more."""
        until = time.monotonic() + PATIENCE_S
        while not self.left.is_set() and time.monotonic() < until:
            try:
                self.chunks.put(item, timeout=0.2)
            except queue.Full:
                continue
            return
        self.left.set()
        raise _Left

    def take(self) -> bytes | BaseException | None:
        """The next chunk, or the end; what was given up ends with an error."""
        while True:
            try:
                return self.chunks.get(timeout=1.0)
            except queue.Empty:
                if self.left.is_set():
                    return TimeoutError(f"nothing was read for {PATIENCE_S:g} s; ask again")


_RUNNING = threading.BoundedSemaphore(MOST)


def streamed(
    write: Callable[[IO[bytes]], object], last_words: Callable[[BaseException], bytes] | None = None
) -> Iterator[bytes]:
    """What `write` writes, chunk by chunk. If it fails half-way, `last_words` say so at the end; without them the
    stream breaks off, so that nobody takes it for complete. Raises TooMany at once when enough are written already."""
    if not _RUNNING.acquire(blocking=False):
        raise TooMany(f"{MOST} exports are being written already", fix="ask again when one is done")
    pipe = _Pipe()

    def run() -> None:
        end: BaseException | None = None
        try:
            with io.BufferedWriter(pipe, CHUNK) as file:
                write(file)
        except BaseException as error:
            end = error
        finally:
            _RUNNING.release()
        if not isinstance(end, _Left):
            try:
                pipe.put(end)
            except _Left:
                return

    threading.Thread(target=run, name="export", daemon=True).start()
    return _read(pipe, last_words)


def _read(pipe: _Pipe, last_words: Callable[[BaseException], bytes] | None) -> Iterator[bytes]:
    try:
        while (item := pipe.take()) is not None:
            if isinstance(item, BaseException):
                if last_words is None:
                    raise item
                yield last_words(item)
                return
            yield item
    finally:
        pipe.left.set()
