"""Saves an arena while it is used: the store as it is at one moment, kept bots, games of `arena play`, settings.

Builds are left out, since they are made again, and bots' output unless it is asked for. What is saved holds secrets of
tournaments and hashes of tokens, so that only its owner may read it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from arena import __version__
from arena.core.errors import ConfigError
from arena.runner.keeping import archive
from arena.store import copies
from arena.store.failures import explained
from arena.store.place import Place
from arena.store.schema import HEAD
from arena.store.store import Store

DATA = "data/"
"""Before the paths of parts that belong into the data folder."""
STORE = f"{DATA}arena.db"
DUMP = "store.pgdump"
"""A store that was on a server, as pg_restore reads it."""
CONFIG = "arena.toml"
FOLDERS = ("bots", "games", "cups", "uploads")
LOGS = "logs"
WORK = ".arena-backup-"


class Saved(NamedTuple):
    """A backup that is whole."""

    file: Path
    bytes: int
    manifest: dict[str, Any]
    """As JSON: created, arena, revision, tournaments, parts, ..."""
    missing: tuple[str, ...] = ()
    """Registered versions whose files were not there."""


def default_name(now: datetime) -> str:
    """What a backup is called when nobody says: sorts by time."""
    return f"arena-{now:%Y%m%d-%H%M%S}.tar.gz"


def back_up(
    data: Path,
    place: Place,
    out: Path,
    now: datetime,
    *,
    config: Path | None,
    logs: bool = False,
    heard: archive.Heard = archive.unheard,
) -> Saved:
    """Save a data folder and its store into a new file `out`, read it again, and only then give it its name.

    `place`: the store. `config`: the arena.toml to save with it. Raises ConfigError when `out` is there or nothing is
    stored, ArenaFault for a damaged store or a full disk; then nothing is left behind.
    """
    _refuse_existing(out)
    with explained(str(out)), _work_folder(out.absolute().parent) as work:
        about, known = _copy_store(place, work)
        file = work / "backup"
        with archive.written(file, heard) as writer:
            for name in (DUMP, "arena.db"):
                if (work / name).exists():
                    writer.add(work / name, STORE if name == "arena.db" else name)
            for folder in (*FOLDERS, LOGS) if logs else FOLDERS:
                for each in _files(data / folder):
                    with suppress(FileNotFoundError):  # it was removed, or pruned, a moment ago
                        writer.add(each, f"{DATA}{each.relative_to(data).as_posix()}")
            if config is not None:
                writer.add(config, CONFIG)
            created = now.isoformat(timespec="seconds").replace("+00:00", "Z")
            manifest = writer.finish({"created": created, "arena": __version__, "logs": logs, **about})
        if archive.read(file, lambda _: None, heard) != manifest:
            raise archive.bad(out, "what was read back is not what was written")
        _refuse_existing(out)
        file.rename(out)
        _sync(out.absolute().parent)
    saved = {part["path"].split("/")[2] for part in manifest["parts"] if part["path"].startswith(f"{DATA}bots/")}
    missing = tuple(f"{name} v{number}" for name, number, version in known if version not in saved)
    return Saved(out, out.stat().st_size, manifest, missing)


def check(file: Path, heard: archive.Heard = archive.unheard) -> Saved:
    """Read a backup from end to end: hashes of all parts, and all pages of its database.

    Raises ConfigError NO_BACKUP, BAD_BACKUP; ArenaFault STORE_CORRUPT for a database that was saved damaged.
    """
    refuse_missing(file)
    with explained(str(file)), tempfile.TemporaryDirectory(prefix="arena-check-") as folder:
        store = Path(folder) / "arena.db"
        manifest = archive.read(file, lambda path: store if path == STORE else None, heard)
        if store.exists():
            copies.check_file(store)
        elif manifest.get("store") != "postgresql":
            raise archive.bad(file, f"it holds no store: no {STORE}")
    return Saved(file, file.stat().st_size, manifest)


def refuse_missing(file: Path) -> None:
    """Raises ConfigError NO_BACKUP where there is no file."""
    if not file.is_file():
        raise ConfigError(
            f"no backup {str(file)!r}", where=str(file.absolute()), fix="name a file that exists", code="NO_BACKUP"
        )


def _refuse_existing(out: Path) -> None:
    if out.exists():
        raise ConfigError(
            f"{str(out)!r} is there already; a backup never overwrites one",
            where=str(out.absolute()),
            fix="give it another name with --out, or remove that file",
            code="FILE_EXISTS",
        )


def _copy_store(place: Place, work: Path) -> tuple[dict[str, Any], tuple[tuple[str, int, str], ...]]:
    """Copy the store; what the manifest says about it, and the registered versions (none for one on a server)."""
    file = copies.file_of(place)
    if file is None:
        return _dump_store(place, work)
    copies.copy_file(file, work / "arena.db")
    found = copies.contents(work / "arena.db")
    tournaments = [{"name": name, "state": state, "games": games} for name, state, games in found.tournaments]
    return {"store": "sqlite", "revision": found.revision, "tournaments": tournaments}, found.registered


def _dump_store(place: Place, work: Path) -> tuple[dict[str, Any], tuple[tuple[str, int, str], ...]]:
    """The same for a store on a server; what the manifest says is from a moment before."""
    with Store.open(place, create=False) as store:
        tournaments = [
            {"name": each.name, "state": each.state.value, "games": store.count(each.id)}
            for each in store.tournaments()
        ]
        registered = tuple((each.name, each.number, each.version) for each in store.registered())
    schema = copies.schema_of(place)
    copies.dump_server(str(place), schema, work / DUMP)
    return {"store": "postgresql", "server_schema": schema, "revision": HEAD, "tournaments": tournaments}, registered


def _files(folder: Path) -> Iterator[Path]:
    """The files below a folder in a fixed order, without hidden ones at its top: locks, and copies being made."""
    for root, folders, files in os.walk(folder):
        top = Path(root) == folder
        folders[:] = sorted(name for name in folders if not (top and name.startswith(".")))
        for name in sorted(files):
            path = Path(root, name)
            if not (top and name.startswith(".")) and path.is_file() and not path.is_symlink():
                yield path


@contextmanager
def _work_folder(folder: Path) -> Iterator[Path]:
    """A folder beside the backup for what is not whole yet; clears away those of backups that were killed."""
    if not folder.is_dir():
        raise ConfigError(f"no folder {str(folder)!r}", where="--out", fix="make it, or name another one", code="USAGE")
    for stale in folder.glob(f"{WORK}*"):
        with suppress(OSError), _held(stale):
            shutil.rmtree(stale, ignore_errors=True)
    work = Path(tempfile.mkdtemp(prefix=WORK, dir=folder))
    try:
        with _held(work):
            yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Hold the kernel's lock of a folder, which dies with its holder. Raises BlockingIOError when another has it."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


def _sync(folder: Path) -> None:
    """Make the names in a folder last."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
