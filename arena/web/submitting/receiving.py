"""Receives an archive while it comes, into a file of its own; of a form with its fields. Counts every byte.

The file is only there as a whole: what is cut off is deleted. The form's key has to come before the file, so that
nothing of a forged form is kept.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import ClientDisconnect

from arena.core.errors import ArenaError
from arena.web.errors import TooLarge

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

PART = ".part"
"""How the file is called until it is whole."""
TYPED = 8 * 1024
"""Bytes of all fields of a form together."""
SLOWEST_S = 900.0
"""How long one upload may take."""
SHOWN = 80


class Received(NamedTuple):
    """An archive that was received."""

    file: Path
    hash: str
    size: int
    shown: str
    """What the author calls it; for people."""
    fields: dict[str, str]
    """By name; of one that was sent several times one value a line."""


class Incoming:
    """A file that is being received."""

    def __init__(self, folder: Path, limit: int) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.final = folder / f"{secrets.token_hex(12)}.zip"
        self.part = self.final.with_suffix(PART)
        self._limit = limit
        self._file = os.open(self.part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        self._hash = hashlib.sha256()
        self.size = 0

    def write(self, data: bytes) -> None:
        """Add to it. Raises TooLarge."""
        self.size += len(data)
        if self.size > self._limit:
            raise too_large(self._limit)
        self._hash.update(data)
        while data:
            data = data[os.write(self._file, data) :]

    def done(self, shown: str, fields: dict[str, str]) -> Received:
        """It is whole. Raises ArenaError when there is nothing in it."""
        if not self.size:
            raise ArenaError("no file was sent", where="file", fix="choose a zip file", code="BAD_ARCHIVE")
        self.part.rename(self.final)
        return Received(self.final, self._hash.hexdigest(), self.size, shown_name(shown), fields)

    def close(self) -> None:
        """Let go of the file; one that is not whole is deleted."""
        os.close(self._file)
        self.part.unlink(missing_ok=True)


def too_large(limit: int) -> TooLarge:
    """The error for an archive that is larger than any may be."""
    return TooLarge(
        f"the archive has more than {limit // 1_000_000} MB",
        where="file",
        fix="leave out what the bot does not need to run: builds, data, .git",
    )


async def receive(chunks: AsyncIterator[bytes], folder: Path, limit: int, shown: str) -> Received:
    """An archive that is the whole body. Raises ArenaError, TooLarge."""
    incoming = Incoming(folder, limit)
    try:
        async with asyncio.timeout(SLOWEST_S):
            async for chunk in chunks:
                if chunk:
                    await asyncio.to_thread(incoming.write, chunk)
        return incoming.done(shown, {})
    except (ClientDisconnect, TimeoutError):
        raise _cut_off() from None
    finally:
        incoming.close()


async def receive_form(
    chunks: AsyncIterator[bytes], content_type: str, folder: Path, limit: int, check: Callable[[dict[str, str]], None]
) -> Received:
    """An archive in the field `file` of a form. `check` gets the fields before it and raises when they are wrong.

    Raises ArenaError for what is no such form, TooLarge, and what `check` raises.
    """
    kind, options = parse_options_header(content_type)
    boundary = options.get(b"boundary", b"")
    if kind != b"multipart/form-data" or not boundary:
        raise _no_form()
    form = Form(folder, limit, check)
    try:
        parser = MultipartParser(boundary, form.callbacks())
        async with asyncio.timeout(SLOWEST_S):
            async for chunk in chunks:
                await asyncio.to_thread(parser.write, chunk)
        parser.finalize()
        return form.done()
    except FormParserError:
        raise _no_form() from None
    except (ClientDisconnect, TimeoutError):
        raise _cut_off() from None
    finally:
        form.close()


class Form:
    """Hears of the parts of a form as they come."""

    def __init__(self, folder: Path, limit: int, check: Callable[[dict[str, str]], None]) -> None:
        self._folder, self._limit, self._check = folder, limit, check
        self._fields: dict[str, bytearray] = {}
        self._headers: dict[bytes, bytes] = {}
        self._name = self._header = self._value = b""
        self._typed = 0
        self._incoming: Incoming | None = None
        self._is_file = False
        self.shown = ""

    def callbacks(self) -> MultipartCallbacks:
        """What a parser calls."""
        return {
            "on_part_begin": self._begin,
            "on_header_field": self._on_header,
            "on_header_value": self._on_value,
            "on_header_end": self._on_header_end,
            "on_headers_finished": self._on_headers,
            "on_part_data": self._on_data,
        }

    def done(self) -> Received:
        """The form is over. Raises ArenaError without a file."""
        fields = self._texts()
        if self._incoming is None:
            self._check(fields)
            raise ArenaError("no file was sent", where="file", fix="choose a zip file", code="BAD_ARCHIVE")
        return self._incoming.done(self.shown, fields)

    def close(self) -> None:
        """Let go of the file."""
        if self._incoming is not None:
            self._incoming.close()

    def _texts(self) -> dict[str, str]:
        return {name: value.decode("utf-8", "replace") for name, value in self._fields.items()}

    def _begin(self) -> None:
        self._headers = {}
        self._header = self._value = b""

    def _on_header(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]
        self._count(end - start)

    def _on_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]
        self._count(end - start)

    def _on_header_end(self) -> None:
        self._headers[self._header.lower()] = self._value
        self._header = self._value = b""

    def _on_headers(self) -> None:
        _, options = parse_options_header(self._headers.get(b"content-disposition", b""))
        self._name = options.get(b"name", b"")
        self._is_file = b"filename" in options
        if not self._is_file:
            name = self._name.decode("utf-8", "replace")
            if name in self._fields:
                self._fields[name] += b"\n"
            self._fields.setdefault(name, bytearray())
        elif self._name == b"file" and self._incoming is None:
            self._check(self._texts())
            self.shown = options[b"filename"].decode("utf-8", "replace")
            self._incoming = Incoming(self._folder, self._limit)
        else:
            raise _no_form()

    def _on_data(self, data: bytes, start: int, end: int) -> None:
        if self._is_file and self._incoming is not None:
            self._incoming.write(data[start:end])
            return
        self._count(end - start)
        self._fields[self._name.decode("utf-8", "replace")] += data[start:end]

    def _count(self, size: int) -> None:
        self._typed += size
        if self._typed > TYPED:
            raise TooLarge(
                f"the form has more than {TYPED // 1024} KiB beside the file",
                where="/submit",
                fix="write a shorter message",
            )


def sweep(folder: Path) -> None:
    """Delete what was cut off by the end of an earlier server."""
    for part in folder.glob(f"*{PART}"):
        with suppress(OSError):
            part.unlink()


def shown_name(name: str) -> str:
    """The name of a file as its author sent it, without folders and what cannot be printed."""
    last = name.replace("\\", "/").rpartition("/")[2]
    text = "".join(char if char.isprintable() else "?" for char in last).strip()
    return text[:SHOWN] or "archive.zip"


def _no_form() -> ArenaError:
    fix = "send multipart/form-data with the field `file` last"
    return ArenaError("this is no form with a file", where="/submit", fix=fix, code="BAD_REQUEST")


def _cut_off() -> ArenaError:
    return ArenaError("the upload was cut off", where="/submit", fix="send it again; nothing of it was kept")
