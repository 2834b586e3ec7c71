"""Puts a backup back into an empty data folder. Everything is compared with its manifest before anything gets its name.

What is there already is never overwritten: with `force` it is moved aside, unless somebody runs a tournament in it.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from arena.core.errors import ConfigError
from arena.runner.keeping import archive
from arena.runner.keeping.backup import CONFIG, DATA, DUMP, STORE, check, refuse_missing
from arena.store import copies
from arena.store.failures import explained
from arena.store.lock import coordinator_lock
from arena.store.place import Place, masked
from arena.store.schema import refuse_newer
from arena.store.store import Store

WORK = ".arena-restore-"


class Restored(NamedTuple):
    """What a restore did."""

    data: Path
    manifest: dict[str, Any]
    aside: Path | None
    """Where what was there before is now."""
    config: str | None
    """The text of the arena.toml that was saved; the caller decides where it goes."""


def restore(
    file: Path,
    data: Path,
    place: Place,
    now: datetime,
    *,
    force: bool = False,
    heard: archive.Heard = archive.unheard,
) -> Restored:
    """Put a backup into `data`, which must be missing or empty, and into the store at `place`.

    Raises ConfigError NO_BACKUP, BAD_BACKUP, NOT_EMPTY, STORE_NEWER, WRONG_STORE; Busy with `force` while a tournament
    is run there; ArenaFault for a full disk. After any of them the folder is as it was before.
    """
    refuse_missing(file)
    if not force:
        _refuse_full(data, place)
    manifest = check(file, heard).manifest
    _check_kind(file, manifest, place)
    with explained(str(data)):
        with ExitStack() as locks:
            aside = _move_aside(data, now, locks) if force and not _is_empty(data) else None
        try:
            with _staged(data) as stage:
                archive.read(file, lambda path: stage / path, heard)
                config = stage / CONFIG
                text = _text(file, config)
                _put(stage, data, place, force=force)
        except BaseException:
            if aside is not None:
                shutil.rmtree(data, ignore_errors=True)
                aside.rename(data)
            raise
    return Restored(data, manifest, aside, text)


def saved_config(file: Path, heard: archive.Heard = archive.unheard) -> str | None:
    """The text of the arena.toml in a backup; None without one. Raises ConfigError NO_BACKUP, BAD_BACKUP."""
    refuse_missing(file)
    with explained(str(file)), tempfile.TemporaryDirectory(prefix="arena-check-") as folder:
        config = Path(folder) / CONFIG
        archive.read(file, lambda path: config if path == CONFIG else None, heard)
        return _text(file, config)


def _text(file: Path, config: Path) -> str | None:
    """The text of the arena.toml that was in `file`, if any. Raises ConfigError BAD_BACKUP."""
    try:
        return config.read_text(encoding="utf-8") if config.exists() else None
    except UnicodeDecodeError as error:
        raise archive.bad(file, f"{CONFIG}: {error}") from None


def _is_empty(data: Path) -> bool:
    return not data.exists() or all(each.name.startswith(WORK) for each in data.iterdir())


def _refuse_full(data: Path, place: Place) -> None:
    full = None if _is_empty(data) else str(data)
    fix = "name an empty folder with --data; or --force, which moves a folder aside first"
    file = copies.file_of(place)
    if full is None and file is not None and file.exists():
        full = str(file)
    if full is None and file is None and _has_tables(place):
        full = masked(str(place))
        fix = "name an empty database in `store`; or --force, which replaces the tables that are there"
    if full is not None:
        raise ConfigError(
            "there is something already where the backup is to go; a restore never overwrites",
            where=full,
            fix=fix,
            code="NOT_EMPTY",
        )


def _has_tables(place: Place) -> bool:
    try:
        Store.open(place, create=False).close()
    except ConfigError as error:
        if error.code == "NO_STORE":
            return False
        raise
    return True


def _check_kind(file: Path, manifest: dict[str, Any], place: Place) -> None:
    """Raises ConfigError when the store that was saved cannot be put where the settings say."""
    refuse_newer(manifest.get("revision"), str(file))
    kind = "postgresql" if copies.file_of(place) is None else "sqlite"
    if manifest.get("store") != kind:
        raise ConfigError(
            f"the backup is of a store of {manifest.get('store')}, and the settings say {kind}",
            where=str(file),
            saw=f"store = {masked(str(place))!r}",
            fix="set `store` to an empty database of that kind, or leave it out for a file",
            code="WRONG_STORE",
        )
    if kind == "postgresql" and copies.schema_of(place) != manifest["server_schema"]:
        raise ConfigError(
            f"the backup is of a schema called {manifest['server_schema']!r}, and the store is to be in another one",
            where=masked(str(place)),
            saw=copies.schema_of(place),
            fix="make a schema of that name, and let `store` lead to it",
            code="WRONG_STORE",
        )


def _move_aside(data: Path, now: datetime, locks: ExitStack) -> Path:
    """Give a data folder another name while nobody runs a tournament in it. Raises Busy."""
    for file in sorted((data / "locks").glob("*.lock")):
        locks.enter_context(coordinator_lock(data, file.stem))
    aside = data.with_name(f"{data.name}.before-{now:%Y%m%d-%H%M%S}")
    if aside.exists():
        raise ConfigError("the folder was moved aside a moment ago", where=str(aside), fix="again", code="NOT_EMPTY")
    data.rename(aside)
    return aside


@contextmanager
def _staged(data: Path) -> Iterator[Path]:
    """A folder within the data folder for what is not compared yet: it may be a disk of its own."""
    made = not data.exists()
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    data.chmod(0o700)
    for stale in data.glob(f"{WORK}*"):
        shutil.rmtree(stale, ignore_errors=True)
    stage = Path(tempfile.mkdtemp(prefix=WORK, dir=data))
    try:
        yield stage
    except BaseException:
        shutil.rmtree(stage, ignore_errors=True)
        if made:
            shutil.rmtree(data, ignore_errors=True)
        raise
    shutil.rmtree(stage)


def _put(stage: Path, data: Path, place: Place, *, force: bool) -> None:
    """Move what was compared to where it belongs, the store last: without it there is nothing here."""
    found, target = stage / DATA, copies.file_of(place)
    moved = []
    try:
        for each in sorted(found.iterdir()) if found.is_dir() else []:
            if each != stage / STORE:
                each.rename(data / each.name)
                moved.append(data / each.name)
        if target is None:
            copies.load_server(str(place), stage / DUMP, over=force)
        else:
            _put_file(stage / STORE, target)
    except BaseException:
        for each in moved:
            shutil.rmtree(each, ignore_errors=True)
        raise


def _put_file(store: Path, target: Path) -> None:
    if target.exists():  # with --force, a file that a URL names, outside the folder that was moved
        target.rename(target.with_name(f"{target.name}.before-{os.getpid()}"))
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    shutil.move(store, target)
    target.chmod(0o600)
