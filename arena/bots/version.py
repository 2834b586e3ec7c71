"""The version of a bot: the content hash of its folder. Knows files, not what is in them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from arena.core.errors import BotError

CACHES = frozenset({"__pycache__", ".arena", ".git", ".venv", ".mypy_cache", ".ruff_cache", ".pytest_cache"})
"""Folders that are no part of a bot: caches, version control, and the data of an arena that was started in it."""
PRODUCTS = frozenset({"node_modules", "target", "build"})
"""Folders that are no part of a bot that is built: its build steps make them anew, in a copy."""


def content_hash(*folders: Path, built: bool = False) -> str:
    """SHA-256 over the names, modes (executable or not) and contents of all files of the folders, hex.

    Caches and compiled Python do not count, nor do products where the bot is `built`. A house bot's code is its
    package, so that the package's folder counts beside its own. Raises BotError BAD_MANIFEST for a pipe, a device, a
    link to nowhere or to a folder.
    """
    total = hashlib.sha256()
    for folder in folders:
        for relative, path in files_of(folder, built=built):
            executable = b"x" if os.access(path, os.X_OK) else b"-"
            total.update(b"\0".join([relative.encode("utf-8", "surrogateescape"), executable, b""]))
            total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def files_of(folder: Path, *, built: bool = False) -> Iterator[tuple[str, Path]]:
    """The files that make up a bot, as (path within the folder, path), in a fixed order. Raises BotError."""
    ignored = CACHES | PRODUCTS if built else CACHES
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in ignored)
        for name in folders:
            if Path(root, name).is_symlink():
                raise BotError(
                    f"{name} is a link to a folder",
                    where=str(Path(root, name)),
                    fix="put the files themselves into the bot's folder",
                    code="BAD_MANIFEST",
                )
        for name in sorted(files):
            if not name.endswith(".pyc"):
                path = Path(root, name)
                if path.is_symlink() and not path.resolve().is_relative_to(folder.resolve()):
                    # Not even read for its hash: it may be any file of the machine, and reading some never ends.
                    raise BotError(
                        f"{name} is a link that leads out of the bot's folder",
                        where=str(path),
                        saw=str(path.resolve()),
                        fix="put the file itself into the folder",
                        code="BAD_MANIFEST",
                    )
                if not path.is_file():
                    raise BotError(
                        f"{name} is no file", where=str(path), fix="a bot is made of plain files", code="BAD_MANIFEST"
                    )
                yield path.relative_to(folder).as_posix(), path
