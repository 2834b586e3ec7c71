"""Archives come in pieces, of any size and shape; only whole ones stay, and none from a form that was forged."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest
from starlette.requests import ClientDisconnect

from arena.core.errors import ArenaError
from arena.web.errors import Forbidden, TooLarge
from arena.web.submitting.receiving import Received, receive, receive_form, shown_name, sweep

KIND = "multipart/form-data; boundary=cut"
DATA = bytes(range(256)) * 8 + b"\r\n--cu\r\n-cut\r\n"


def part(name: str, data: bytes, file: str | None = None) -> bytes:
    more = f'; filename="{file}"' if file is not None else ""
    return f'--cut\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n'.encode() + data + b"\r\n"


def form(*parts: bytes) -> bytes:
    return b"".join(parts) + b"--cut--\r\n"


GOOD = form(part("csrf", b"right"), part("message", b"bids less"), part("file", DATA, "C:\\bots\\my fox.zip"))


async def pieces(data: bytes, size: int, ends: bool = True) -> AsyncIterator[bytes]:
    for start in range(0, len(data), size):
        yield data[start : start + size]
    if not ends:
        raise ClientDisconnect


def check(fields: Mapping[str, str]) -> None:
    if fields.get("csrf") != "right":
        raise Forbidden("forged", code="FORGED")


def received(folder: Path, data: bytes, size: int = 100, *, limit: int = 100_000, ends: bool = True) -> Received:
    return asyncio.run(receive_form(pieces(data, size, ends), KIND, folder, limit, check))


@pytest.mark.parametrize("size", [1, 7, 100, 1_000_000])
def test_a_form_is_read_however_it_is_cut(tmp_path: Path, size: int) -> None:
    found = received(tmp_path, GOOD, size)
    assert found.file.read_bytes() == DATA
    assert found.file.stat().st_mode & 0o777 == 0o600
    assert (found.size, found.hash) == (len(DATA), hashlib.sha256(DATA).hexdigest())
    assert (found.shown, found.fields["message"]) == ("my fox.zip", "bids less")
    assert list(tmp_path.iterdir()) == [found.file]


WRONG = {
    "no key": (form(part("file", DATA, "x.zip")), Forbidden),
    "another key": (form(part("csrf", b"wrong"), part("file", DATA, "x.zip")), Forbidden),
    "the key after the file": (form(part("file", DATA, "x.zip"), part("csrf", b"right")), Forbidden),
    "no key and no file": (form(part("message", b"x")), Forbidden),
    "no file": (form(part("csrf", b"right")), ArenaError),
    "an empty file": (form(part("csrf", b"right"), part("file", b"", "x.zip")), ArenaError),
    "two files": (form(part("csrf", b"right"), part("file", DATA, "x"), part("file", DATA, "y")), ArenaError),
    "another file": (form(part("csrf", b"right"), part("other", DATA, "x")), ArenaError),
    "fields without end": (form(part("csrf", b"right"), part("message", b"x" * 9000)), TooLarge),
    "headers without end": (form(part("csrf" + "x" * 9000, b"right")), ArenaError),
    "no form": (b"PK\x03\x04" + DATA, ArenaError),
}


@pytest.mark.parametrize("kind", WRONG)
def test_nothing_stays_of_a_form_that_is_wrong(tmp_path: Path, kind: str) -> None:
    data, error = WRONG[kind]
    with pytest.raises(error):
        received(tmp_path, data)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["text/plain", "multipart/form-data", ""])
def test_another_kind_of_body_is_no_form(tmp_path: Path, kind: str) -> None:
    with pytest.raises(ArenaError, match="no form with a file"):
        asyncio.run(receive_form(pieces(GOOD, 100), kind, tmp_path, 100_000, check))


def test_bytes_are_counted_while_they_come(tmp_path: Path) -> None:
    assert received(tmp_path, GOOD, limit=len(DATA)).size == len(DATA)
    with pytest.raises(TooLarge, match="more than"):
        received(tmp_path, GOOD, limit=len(DATA) - 1)
    with pytest.raises(TooLarge):
        asyncio.run(receive(pieces(DATA, 50), tmp_path, 99, "x.zip"))
    assert len(list(tmp_path.iterdir())) == 1


def test_what_is_cut_off_is_deleted(tmp_path: Path) -> None:
    for data in (GOOD[:500], GOOD[:60]):
        with pytest.raises(ArenaError, match="cut off"):
            received(tmp_path, data, ends=False)
    with pytest.raises(ArenaError, match="cut off"):
        asyncio.run(receive(pieces(DATA, 50, ends=False), tmp_path, 100_000, "x.zip"))
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "of an earlier server.part").touch()
    sweep(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "shown"),
    [("../../etc/passwd", "passwd"), ("a\x1b[31m.zip", "a?[31m.zip"), ("", "archive.zip"), ("x" * 200, "x" * 80)],
)
def test_names_of_files_are_shown_harmlessly(name: str, shown: str) -> None:
    assert shown_name(name) == shown
