"""Archives: a zoo of hostile ones, each refused whole with the entry's name, and what a good one becomes."""

from __future__ import annotations

import io
import os
import stat
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.bots.archive import Limits, check_folder, unpack
from arena.core.errors import BotError

MANIFEST = b'name = "fox"\ncommand = ["./fox"]\n'
Content = dict[str | zipfile.ZipInfo, bytes]


def info(name: str, mode: int = 0o100644, *, raw: bool = False) -> zipfile.ZipInfo:
    """An entry with a mode; `raw`: with a name that ZipInfo would not take."""
    made = zipfile.ZipInfo("x" if raw else name)
    made.filename = made.orig_filename = name
    made.create_system = 3
    made.external_attr = mode << 16
    return made


def zipped(content: Content) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in content.items():
            archive.writestr(name, text)
    return data.getvalue()


def named(name: str) -> bytes:
    return zipped({"bot.toml": MANIFEST, info(name, raw=True): b"x"})


def with_nul() -> bytes:
    return zipped({"bot.toml": MANIFEST, "main.pyXevil": b"x"}).replace(b"main.pyXevil", b"main.py\0evil")


def with_mode(mode: int) -> bytes:
    return zipped({"bot.toml": MANIFEST, info("odd", mode): b"/etc/passwd"})


def twice() -> bytes:
    data = zipped({"bot.toml": MANIFEST, "main.py": b"one", "mein.py": b"two"})
    return data.replace(b"mein.py", b"main.py")


def bomb() -> bytes:
    return zipped({"bot.toml": MANIFEST, "zeros": bytes(20_000_000)})


def central(data: bytes, name: bytes) -> int:
    """Where an entry's record in the archive's directory starts."""
    return data.rindex(name) - 46


def lying(size: int) -> bytes:
    """An entry of 1000 bytes that says it has another size."""
    data = bytearray(zipped({"bot.toml": MANIFEST, "liar": bytes(range(250)) * 4}))
    struct.pack_into("<L", data, central(data, b"liar") + 24, size)
    return bytes(data)


def encrypted() -> bytes:
    data = bytearray(zipped({"bot.toml": MANIFEST, "secret": b"x"}))
    data[central(data, b"secret") + 8] |= 1
    return bytes(data)


def damaged() -> bytes:
    data = bytearray(zipped({"bot.toml": MANIFEST, "spoilt": os.urandom(5000)}))
    data[3000] ^= 0xFF
    return bytes(data)


def other_method() -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("packed", b"x" * 100)
    return data.getvalue()


def overlapping() -> bytes:
    """A directory in which hundreds of entries share the same bytes."""
    data = zipped({"bot.toml": MANIFEST, "core": os.urandom(100_000)})
    start = central(data, b"core")
    end = data.rindex(b"PK\5\6")
    record = data[start:end]
    more = b"".join(record[:-4] + f"{number:04}".encode() for number in range(400))
    last = bytearray(data[end:])
    struct.pack_into("<HHL", last, 8, 402, 402, end - data.index(b"PK\1\2") + len(more))
    return data[:end] + more + bytes(last)


ZOO: dict[str, tuple[Callable[[], bytes], str, str]] = {
    "parent": (lambda: named("../evil"), "leads out", "'../evil'"),
    "parent inside": (lambda: named("a/../../evil"), "leads out", "'a/../../evil'"),
    "absolute": (lambda: named("/etc/cron.d/evil"), "absolute", "'/etc/cron.d/evil'"),
    "drive": (lambda: named("C:/evil"), "absolute", "'C:/evil'"),
    "backslash": (lambda: named("..\\evil"), "backslash", r"'..\\\\evil'"),
    "NUL": (with_nul, "NUL", r"'main.py\\x00evil'"),
    "control character": (lambda: named("e\x1b[2Jvil"), "cannot be printed", r"'e\\x1b[2Jvil'"),
    "right to left": (lambda: named("e\u202evil"), "cannot be printed", r"'e\\u202evil'"),
    "empty part": (lambda: named("a//evil"), "empty part", "'a//evil'"),
    "long name": (lambda: named("e" * 201), "too long", "'eeee"),
    "deep name": (lambda: named("e/" * 40 + "f"), "too long", "'e/e/"),
    "link": (lambda: with_mode(stat.S_IFLNK | 0o777), "a link", "'odd'"),
    "character device": (lambda: with_mode(stat.S_IFCHR | 0o666), "a device", "'odd'"),
    "block device": (lambda: with_mode(stat.S_IFBLK | 0o666), "a device", "'odd'"),
    "pipe": (lambda: with_mode(stat.S_IFIFO | 0o666), "a pipe", "'odd'"),
    "socket": (lambda: with_mode(stat.S_IFSOCK | 0o666), "a socket", "'odd'"),
    "setuid": (lambda: with_mode(stat.S_IFREG | 0o4755), "setuid", "'odd'"),
    "setgid": (lambda: with_mode(stat.S_IFREG | 0o2755), "setuid", "'odd'"),
    "the same name twice": (twice, "clash", "'main.py'"),
    "names that differ by case": (lambda: zipped({"Main.py": b"", "main.py": b""}), "clash", "'main.py'"),
    "folders that differ by case": (lambda: zipped({"Sub/a": b"", "sub/b": b""}), "clash", "'sub/b'"),
    "names equal but for their form": (lambda: zipped({"\u00e9": b"", "e\u0301": b""}), "clash", "'e\u0301'"),
    "a file and a folder": (lambda: zipped({"sub": b"", "sub/a": b""}), "clash", "'sub/a'"),
    "a folder and a file": (lambda: zipped({"sub/a": b"", "sub": b""}), "clash", "'sub'"),
    "bomb": (bomb, "100 times", "'zeros'"),
    "overlapping entries": (overlapping, "not what it says", "'0000'"),
    "says less than it has": (lambda: lying(10), "says 10 bytes and has 1000", "'liar'"),
    "says more than it has": (lambda: lying(5000), "says 5000 bytes and has 1000", "'liar'"),
    "encrypted": (encrypted, "encrypted", "'secret'"),
    "damaged": (damaged, "damaged", "'spoilt'"),
    "another method": (other_method, "method", "'packed'"),
    "6000 files": (lambda: zipped({f"f{number}": b"" for number in range(6000)}), "more than 5000 files", "'f5000'"),
    "no zip": (lambda: b"#!/bin/sh\n" * 100, "no zip file", ""),
    "empty": (lambda: b"", "no zip file", ""),
    "cut off": (lambda: zipped({"bot.toml": MANIFEST * 100})[:-30], "no zip file", ""),
}
"""Name -> what makes it, what the message says, how the entry is named."""


@pytest.mark.parametrize("kind", ZOO)
def test_a_hostile_archive_is_refused_whole_with_the_entry_s_name(tmp_path: Path, kind: str) -> None:
    make, message, entry = ZOO[kind]
    file = tmp_path / "in" / "bot.zip"
    file.parent.mkdir()
    file.write_bytes(make())
    with pytest.raises(BotError) as refused:
        unpack(file, tmp_path / "out" / "bot")
    error = refused.value
    assert error.code == "BAD_ARCHIVE"
    assert message in error.message
    assert entry.replace("\\\\", "\\") in error.message
    assert error.message.isprintable()
    assert error.where.startswith(str(file))
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [file]


def refused_by(file: Path, limits: Limits, **others: Callable[[], float]) -> str:
    with pytest.raises(BotError) as refused:
        unpack(file, file.parent / "out", limits, **others)
    assert not (file.parent / "out").exists()
    return refused.value.message


def test_the_limits_are_those_that_are_promised() -> None:
    assert Limits() == Limits(bytes=100_000_000, files=5000, ratio=100, seconds=30.0)


def test_bytes_are_counted_over_all_files(tmp_path: Path) -> None:
    file = tmp_path / "bot.zip"
    file.write_bytes(zipped(dict.fromkeys("ab", os.urandom(12_000) * 50)))
    assert "more than 1 MB: 'b'" in refused_by(file, Limits(bytes=1_000_000))


def test_a_large_archive_is_not_opened(tmp_path: Path) -> None:
    file = tmp_path / "bot.zip"
    file.write_bytes(zipped({"a": os.urandom(2000)}))
    assert "it has more than 0 MB" in refused_by(file, Limits(bytes=1000))


def test_unpacking_has_a_deadline(tmp_path: Path) -> None:
    file = tmp_path / "bot.zip"
    file.write_bytes(zipped({"slow": b"x"}))
    times = iter([0.0, 31.0])
    assert "longer than 30 s: 'slow'" in refused_by(file, Limits(), now=lambda: next(times))


def test_a_directory_of_millions_of_entries_is_not_loaded(tmp_path: Path) -> None:
    data = bytearray(zipped({"bot.toml": MANIFEST}))
    struct.pack_into("<L", data, data.rindex(b"PK\5\6") + 12, 50_000_000)
    (tmp_path / "bot.zip").write_bytes(data)
    assert "more than 5000 files" in refused_by(tmp_path / "bot.zip", Limits())


def test_what_cannot_be_opened_is_said(tmp_path: Path) -> None:
    with pytest.raises(BotError, match="No such file") as refused:
        unpack(tmp_path / "none.zip", tmp_path / "out")
    assert refused.value.code == "BAD_ARCHIVE"


def test_a_good_archive_becomes_its_files(tmp_path: Path) -> None:
    file = tmp_path / "bot.zip"
    file.write_bytes(
        zipped({"bot.toml": MANIFEST, info("fox", 0o100755): b"#!/bin/sh\n", "data/": b"", "data/cards": bytes(60_000)})
    )
    unpack(file, tmp_path / "out")
    found = {str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*")}
    assert found == {"bot.toml", "fox", "data", "data/cards"}
    assert (tmp_path / "out" / "data" / "cards").read_bytes() == bytes(60_000)
    assert os.access(tmp_path / "out" / "fox", os.X_OK)
    assert not (tmp_path / "out" / "bot.toml").stat().st_mode & 0o111


@pytest.mark.parametrize("listed", [True, False], ids=["listed", "not listed"])
def test_one_top_folder_is_stripped(tmp_path: Path, listed: bool) -> None:
    content: Content = {"fox/": b""} if listed else {}
    content |= {"fox/bot.toml": MANIFEST, "fox/src/fox.py": b"", "__MACOSX/fox/._bot.toml": b"\0"}
    (tmp_path / "bot.zip").write_bytes(zipped(content))
    unpack(tmp_path / "bot.zip", tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["bot.toml", "src"]


def test_two_top_folders_stay(tmp_path: Path) -> None:
    (tmp_path / "bot.zip").write_bytes(zipped({"a/one": b"", "b/two": b""}))
    unpack(tmp_path / "bot.zip", tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a", "b"]


def test_a_folder_keeps_the_same_rules(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_bytes(MANIFEST)
    check_folder(tmp_path)
    (tmp_path / "link").symlink_to("bot.toml")
    with pytest.raises(BotError, match="a link: 'link'"):
        check_folder(tmp_path)
    (tmp_path / "link").unlink()
    (tmp_path / "fox").touch()
    (tmp_path / "fox").chmod(0o4755)
    with pytest.raises(BotError, match="setuid"):
        check_folder(tmp_path)
    (tmp_path / "fox").write_bytes(bytes(1000))
    (tmp_path / "fox").chmod(0o755)
    with pytest.raises(BotError, match="more than 0 MB: 'fox'"):
        check_folder(tmp_path, Limits(bytes=999))
