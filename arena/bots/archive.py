"""Bots that come as zip archives: looks at every entry, then unpacks all of them or nothing.

What an archive says of itself is not believed: bytes are counted while they are read. A folder that is added has to
keep the same rules. Knows zip files; nothing of manifests.
"""

from __future__ import annotations

import copy
import errno
import os
import re
import shutil
import stat
import struct
import time
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from arena.bots.version import files_of
from arena.core.errors import BotError

CHUNK = 64 * 1024
MAX_NAME_BYTES = 1000
MAX_PART_BYTES = 200
MAX_DEPTH = 32
END = struct.Struct("<4s4H2LH")
"""The record that ends a zip file; the seventh field is the size of its directory."""
ENCRYPTED = 0x1 | 0x40 | 0x2000
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
LEFT_OUT = ("__MACOSX/",)
"""What some systems add to archives by themselves."""
KINDS = {
    stat.S_IFLNK: "a link",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a bot may be."""

    bytes: int = 100_000_000
    """Of all files together, unpacked; also of the archive itself."""
    files: int = 5000
    ratio: int = 100
    """Unpacked bytes for each packed one. The first 64 KiB of every entry are free."""
    seconds: float = 30.0


DEFAULT = Limits()


class Entry(NamedTuple):
    """A file or a folder of an archive or a bot's folder."""

    path: str
    """As it is written, "/" between folders, without one at its end."""
    folder: bool
    mode: int
    """Kind and permissions as in a file system; 0: not known."""


def unpack(archive: Path, folder: Path, limits: Limits = DEFAULT, now: Callable[[], float] = time.monotonic) -> None:
    """Unpack an archive into a new folder. If all of it lies in one top folder, the folder gets what is in that.

    Raises BotError BAD_ARCHIVE naming the entry that is refused; then there is no folder.
    """
    deadline = now() + limits.seconds
    try:
        with archive.open("rb") as file:
            _check_end(archive, file.fileno(), limits)
            with zipfile.ZipFile(file) as opened:
                entries = [(info, entry_of(archive, info)) for info in opened.infolist() if not _left_out(info)]
                check_entries(archive, [entry for _, entry in entries], limits)
                top = _top([entry for _, entry in entries])
                folder.mkdir(parents=True, mode=0o700)
                _Reader(archive, opened, folder, top, limits, lambda: deadline - now()).read(entries)
    except BaseException as error:
        shutil.rmtree(folder, ignore_errors=True)
        if isinstance(error, (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError, struct.error, ValueError)):
            raise _bad(archive, "it is no zip file that can be read", saw=str(error)) from error
        if isinstance(error, OSError) and error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise _bad(archive, f"it cannot be unpacked: {error.strerror or error}") from error
        raise


def entry_of(archive: Path, info: zipfile.ZipInfo) -> Entry:
    """What an entry claims to be. Raises BotError for one that is encrypted or packed in an unusual way."""
    name = info.orig_filename
    if info.flag_bits & ENCRYPTED:
        raise _bad(archive, "an entry is encrypted", name)
    if info.compress_type not in METHODS:
        raise _bad(archive, "an entry is packed by a method other than stored and deflated", name)
    mode = info.external_attr >> 16
    is_folder = name.endswith("/") or stat.S_ISDIR(mode)
    return Entry(name[:-1] if name.endswith("/") else name, is_folder, mode)


def check_entries(place: Path, entries: Iterable[Entry], limits: Limits) -> None:
    """Raises BotError for an entry that is no plain file or folder, or whose name leads elsewhere or clashes."""
    seen: dict[str, tuple[str, bool]] = {}
    for count, (path, folder, mode) in enumerate(entries, 1):
        if count > limits.files:
            raise _bad(place, f"there are more than {limits.files} files", path)
        problem = _wrong_name(path) or _wrong_mode(mode, folder)
        if problem:
            raise _bad(place, problem, path)
        parts = path.split("/")
        for depth in range(1, len(parts) + 1):
            is_folder = folder or depth < len(parts)
            spelled = "/".join(parts[:depth])
            before = seen.setdefault(_folded(spelled), ("", True))
            if before[0] and (before != (spelled, True) or not is_folder):
                raise _bad(place, f"two names clash, the other is {harmless(before[0])}", path)
            seen[_folded(spelled)] = (spelled, is_folder)


def check_folder(folder: Path, limits: Limits = DEFAULT, *, built: bool = False) -> None:
    """Raises BotError BAD_ARCHIVE when a bot's folder breaks the rules that archives have to keep.

    `built`: it has build steps, so that what they leave behind is no part of it.
    """
    entries, size = [], 0
    for relative, path in files_of(folder, built=built):
        found = path.lstat()
        entries.append(Entry(relative, folder=False, mode=found.st_mode))
        size += found.st_size
        if size > limits.bytes:
            raise _bad(folder, f"its files have more than {limits.bytes // 1_000_000} MB", relative)
    check_entries(folder, entries, limits)


def harmless(name: str) -> str:
    """A name from outside, for people: quoted, what cannot be printed escaped, cut to 120 characters."""
    shown = ascii(name) if any(not char.isprintable() or 0xD800 <= ord(char) < 0xE000 for char in name) else repr(name)
    return shown if len(shown) <= 120 else f"{shown[:117]}..."


class _Reader:
    """Writes entries to a folder while it counts."""

    def __init__(
        self,
        archive: Path,
        opened: zipfile.ZipFile,
        folder: Path,
        top: str,
        limits: Limits,
        left_s: Callable[[], float],
    ) -> None:
        self.archive = archive
        self.opened = opened
        self.folder = folder
        self.top = top
        self.limits = limits
        self.left_s = left_s
        self.total = 0
        self.packed = archive.stat().st_size

    def read(self, entries: Iterable[tuple[zipfile.ZipInfo, Entry]]) -> None:
        """Unpack all of them."""
        for info, entry in entries:
            place = self.folder / f"{entry.path}/".removeprefix(self.top)
            if entry.folder:
                place.mkdir(parents=True, exist_ok=True)
            else:
                place.parent.mkdir(parents=True, exist_ok=True)
                self.file(info, entry, place)

    def file(self, info: zipfile.ZipInfo, entry: Entry, place: Path) -> None:
        """Unpack one file. Its stated size is put out of the reader's way first, so that all of it is read."""
        limits, count = self.limits, 0
        unbounded = copy.copy(info)
        unbounded.file_size = limits.bytes + 1
        mode = 0o755 if entry.mode & 0o111 else 0o644
        try:
            with (
                self.opened.open(unbounded) as source,
                open(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode), "wb") as target,
            ):
                while data := source.read(CHUNK):
                    count += len(data)
                    self.total += len(data)
                    self.check(entry, count, info.compress_size)
                    target.write(data)
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            raise _bad(self.archive, "an entry is damaged, or is not what it says", entry.path, str(error)) from error
        if count != info.file_size:
            raise _bad(self.archive, f"an entry says {info.file_size} bytes and has {count}", entry.path)

    def check(self, entry: Entry, count: int, packed: int) -> None:
        """Raises BotError once a limit is passed."""
        limits = self.limits
        if self.total > limits.bytes:
            raise _bad(self.archive, f"it unpacks to more than {limits.bytes // 1_000_000} MB", entry.path)
        if count > CHUNK + limits.ratio * packed or self.total > CHUNK + limits.ratio * self.packed:
            raise _bad(self.archive, f"an entry unpacks to more than {limits.ratio} times its size", entry.path)
        if self.left_s() < 0:
            raise _bad(self.archive, f"unpacking took longer than {limits.seconds:g} s", entry.path)


def _check_end(archive: Path, file: int, limits: Limits) -> None:
    """Raises BotError before a reader loads a directory of millions of entries."""
    size = os.fstat(file).st_size
    if size > limits.bytes:
        raise _bad(archive, f"it has more than {limits.bytes // 1_000_000} MB")
    tail = os.pread(file, END.size + 20 + 65_535, max(0, size - END.size - 20 - 65_535))
    start = len(tail) - END.size
    if start < 0 or tail[start : start + 4] != b"PK\5\6" or tail[-2:] != b"\0\0":
        start = tail.rfind(b"PK\5\6")
    if start < 0 or len(tail) - start < END.size:
        raise _bad(archive, "it is no zip file that can be read", fix="pack the folder with zip; nothing else is read")
    if tail[max(0, start - 20) :].startswith(b"PK\6\7"):
        raise _bad(archive, "it is a zip64 file, which nothing so small needs")
    directory = END.unpack_from(tail, start)[5]
    if directory > limits.files * (46 + MAX_NAME_BYTES):
        raise _bad(archive, f"there are more than {limits.files} files")


def _left_out(info: zipfile.ZipInfo) -> bool:
    return info.orig_filename.startswith(LEFT_OUT)


def _top(entries: list[Entry]) -> str:
    """The folder that holds everything, with its "/"; empty when there is none."""
    tops = {entry.path.partition("/")[0] for entry in entries}
    loose = any(not entry.folder and "/" not in entry.path for entry in entries)
    return f"{tops.pop()}/" if len(tops) == 1 and not loose else ""


def _wrong_name(path: str) -> str:
    """What is wrong with a name, in words; empty: nothing."""
    if "\0" in path:
        return "a name holds a NUL"
    if "\\" in path:
        return "a name holds a backslash"
    if path.startswith("/") or re.match(r"[A-Za-z]:", path):
        return "a name is absolute"
    parts = path.split("/")
    if ".." in parts:
        return "a name leads out of the archive"
    if "" in parts or "." in parts:
        return "a name has an empty part"
    if not path.isprintable():
        return "a name holds what cannot be printed"
    sizes = [len(part.encode("utf-8", "surrogatepass")) for part in parts]
    if max(sizes) > MAX_PART_BYTES or sum(sizes) > MAX_NAME_BYTES or len(parts) > MAX_DEPTH:
        return "a name is too long"
    return ""


def _wrong_mode(mode: int, folder: bool) -> str:
    kind = stat.S_IFMT(mode)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return f"an entry is {KINDS.get(kind, 'no plain file')}"
    if folder and kind == stat.S_IFREG:
        return "an entry is a folder by name and a file by mode"
    if mode & 0o7000:
        return "an entry is setuid, setgid or sticky"
    return ""


def _folded(path: str) -> str:
    """What two names share that some file systems take for one."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", path).casefold())


def _bad(place: Path, what: str, entry: str = "", saw: str = "", fix: str = "") -> BotError:
    named = f": {harmless(entry)}" if entry else ""
    return BotError(
        f"{place.name} is refused: {what}{named}",
        where=f"{place}{named}",
        saw=saw or (harmless(entry) if entry else ""),
        fix=fix or "pack plain files and folders with relative names: at most 5000 files, 100 MB unpacked",
        code="BAD_ARCHIVE",
    )
