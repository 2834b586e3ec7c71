"""The version of a bot: the content hash of its folder. Knows files, not what is in them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from arena.core.errors import BotError

IGNORED = frozenset(
    {
        "__pycache__",
        ".git",
        ".venv",
        ".mypy_cache",
        ".ruff_cache",
        ".pytest_cache",
        "node_modules",
        "target",
        "build",
    }
)
"""Folders that are no part of a bot: caches, version control, what package managers and builds leave behind."""


def content_hash(*folders: Path) -> str:
    """SHA-256 over the names, modes (executable or not) and contents of all files of the folders, hex.

    `IGNORED` folders and compiled Python do not count. A house bot's code is its package, so that the package's folder
    counts beside its own. Raises BotError BAD_MANIFEST for a pipe, a device or a link to nowhere.
    """
    total = hashlib.sha256()
    for folder in folders:
        for relative, path in files_of(folder):
            executable = b"x" if os.access(path, os.X_OK) else b"-"
            total.update(b"\0".join([relative.encode("utf-8", "surrogateescape"), executable, b""]))
            total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def files_of(folder: Path) -> Iterator[tuple[str, Path]]:
    """The files that make up a bot, as (path within the folder, path), in a fixed order. Raises BotError."""
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in IGNORED)
        for name in sorted(files):
            if not name.endswith(".pyc"):
                path = Path(root, name)
                if not path.is_file():
                    raise BotError(
                        f"{name} is no file", where=str(path), fix="a bot is made of plain files", code="BAD_MANIFEST"
                    )
                yield path.relative_to(folder).as_posix(), path
