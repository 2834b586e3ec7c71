"""The file of a backup: a compressed tar of parts, with a manifest at its end that says what each must be.

The manifest comes last, so that a file that was cut off has none. Knows files and hashes; not what the parts mean.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import stat
import tarfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, Any, NamedTuple

from arena.core.errors import ConfigError

MANIFEST = "manifest.json"
SCHEMA = "arena.backup/1"
CHUNK = 1 << 20
LONGEST_MANIFEST = 256 << 20
"""Bytes: more than a million parts."""


Heard = Callable[[int], None]
"""Told how many bytes more of parts were read, before they are compressed or after they were."""


def unheard(_bytes: int) -> None:
    """Nobody wants to know."""


class Part(NamedTuple):
    """One file of a backup."""

    path: str
    """Within the backup, with slashes."""
    bytes: int
    sha256: str
    """Hex."""
    mode: int
    """Permission bits."""


class Writer:
    """A backup that is being written."""

    def __init__(self, tar: tarfile.TarFile, heard: Heard = unheard) -> None:
        self.parts: list[Part] = []
        self._tar = tar
        self._heard = heard

    def add(self, file: Path, path: str) -> None:
        """Add a file as it is now. Raises OSError."""
        with file.open("rb") as opened:
            found = os.fstat(opened.fileno())
            info = tarfile.TarInfo(path)
            info.size, info.mtime, info.mode = found.st_size, int(found.st_mtime), stat.S_IMODE(found.st_mode)
            hashing = _Hashing(opened, self._heard)
            self._tar.addfile(info, hashing)
        self.parts.append(Part(path, info.size, hashing.hexdigest(), info.mode))

    def finish(self, about: Mapping[str, Any]) -> dict[str, Any]:
        """Add the manifest and return it. `about`: what it says besides the parts (JSON)."""
        manifest = {"schema": SCHEMA, **about, "parts": [part._asdict() for part in self.parts]}
        data = json.dumps(manifest, indent=1).encode()
        info = tarfile.TarInfo(MANIFEST)
        info.size, info.mode = len(data), 0o600
        self._tar.addfile(info, io.BytesIO(data))
        return manifest


class _Hashing:
    """A file that notes the hash of what is read of it."""

    def __init__(self, file: IO[bytes], heard: Heard) -> None:
        self._file = file
        self._heard = heard
        self._hash = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self._hash.update(data)
        self._heard(len(data))
        return data

    def hexdigest(self) -> str:
        return self._hash.hexdigest()


@contextmanager
def written(file: Path, heard: Heard = unheard) -> Iterator[Writer]:
    """A new backup of mode 0600, on the disk for good when the block ends. Raises OSError, FileExistsError too."""
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "wb") as opened:
        with tarfile.open(fileobj=opened, mode="w:gz", compresslevel=6) as tar:
            yield Writer(tar, heard)
        opened.flush()
        os.fsync(opened.fileno())


def read(file: Path, keep: Callable[[str], Path | None], heard: Heard = unheard) -> dict[str, Any]:
    """Read a whole backup and compare it with its manifest, which is returned.

    `keep`: path of a part -> the new file in which to put it, None to read it only. Raises ConfigError BAD_BACKUP for
    whatever is not as it was written (what was kept by then is worth nothing), OSError.
    """
    found: dict[str, Part] = {}
    manifest: dict[str, Any] = {}
    try:
        with tarfile.open(file, mode="r|gz") as tar:
            for info in tar:
                source = tar.extractfile(info) if info.isreg() else None
                if source is None or not _is_plain(info.name) or manifest or info.name in found:
                    raise bad(file, f"a part that does not belong there: {info.name!r}")
                if info.name == MANIFEST:
                    manifest = _said(source, info)
                else:
                    found[info.name] = _take(source, info, keep(info.name), heard)
    except (tarfile.TarError, EOFError, ValueError, RecursionError, zlib.error) as error:
        raise bad(file, f"{type(error).__name__}: {error}") from error
    except OSError as error:
        if error.errno is not None:
            raise
        raise bad(file, str(error)) from error  # gzip says so of a wrong checksum
    _compare(file, manifest, found)
    return manifest


def _said(source: IO[bytes], info: tarfile.TarInfo) -> dict[str, Any]:
    """What a manifest says. Raises ValueError, RecursionError."""
    if info.size > LONGEST_MANIFEST:
        raise ValueError(f"a manifest of {info.size} bytes")
    found = json.loads(source.read())
    if not isinstance(found, dict) or not isinstance(found.get("revision", ""), str):
        raise ValueError("a manifest is an object, whose revision is a text")
    return found


def _is_plain(path: str) -> bool:
    """Whether a path leads downwards only."""
    pure = PurePosixPath(path)
    return bool(pure.parts) and not pure.is_absolute() and ".." not in pure.parts and "\\" not in path


def _take(source: IO[bytes], info: tarfile.TarInfo, target: Path | None, heard: Heard) -> Part:
    """Read one part to its end, and write it where it is wanted."""
    total = hashlib.sha256()
    if target is None:
        while data := source.read(CHUNK):
            total.update(data)
            heard(len(data))
    else:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        mode = info.mode & 0o755 | 0o600
        with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as opened:
            while data := source.read(CHUNK):
                total.update(data)
                opened.write(data)
                heard(len(data))
            opened.flush()
            os.fchmod(opened.fileno(), mode)
            os.fsync(opened.fileno())
        os.utime(target, (info.mtime, info.mtime))
    return Part(info.name, info.size, total.hexdigest(), info.mode)


def _compare(file: Path, manifest: dict[str, Any], found: dict[str, Part]) -> None:
    if not manifest:
        raise bad(file, "it has no manifest: it was cut off, or is no backup")
    if manifest.get("schema") != SCHEMA:
        raise bad(file, f"its manifest is {manifest.get('schema')!r}, not {SCHEMA!r}")
    try:
        named = {part["path"]: Part(**part) for part in manifest["parts"]}
    except (KeyError, TypeError) as error:
        raise bad(file, f"its manifest cannot be read: {error!r}") from error
    missing = sorted(named.keys() ^ found.keys())
    if missing:
        raise bad(file, f"manifest and content differ: {', '.join(missing[:3])}")
    for path, part in named.items():
        if found[path] != part:
            raise bad(
                file, f"{path} is not what was saved (sha256 {found[path].sha256[:12]}..., not {part.sha256[:12]}...)"
            )


def bad(file: Path, saw: str) -> ConfigError:
    """The error for a file that is no whole backup."""
    return ConfigError(
        f"{file.name} is no backup, or it is damaged",
        where=str(file),
        saw=saw,
        fix="use another one",
        code="BAD_BACKUP",
    )
