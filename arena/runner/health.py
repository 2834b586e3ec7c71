"""What else a machine needs beside a sandbox: Python, a data folder, languages, processors, memory, a clock.

Reads and measures; changes nothing, and opens the store for reading only.
"""

from __future__ import annotations

import os
import platform
import resource
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import psutil

from arena.core.errors import ArenaError
from arena.match.heartbeat import STOLEN_SHARE, Reading
from arena.store.place import Place, is_shared

NEEDED_PYTHON = (3, 11)
LOW_SPACE = 1024**3
"""Bytes; below it a tournament may not fit."""
LOW_MEMORY = 2 * 1024**3
LOW_FILES = 1024
GOOD_CLOCKS = ("tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page", "xen")
"""Clock sources that a process reads without entering the kernel."""
CLOCK = Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")
FILE = "arena.db"


class Health(NamedTuple):
    """One line."""

    name: str
    ok: bool
    value: str
    fix: str = ""
    """What to do when it is not ok."""


def machine(before: Reading, after: Reading, seconds: float) -> Iterator[Health]:
    """Processors, memory, clock, stolen time, descriptors. The readings were taken `seconds` apart."""
    usable = len(os.sched_getaffinity(0))
    load = ", ".join(f"{each:.1f}" for each in after.load)
    yield Health("processors", True, f"{usable} of {os.cpu_count() or usable}, load {load}")
    memory = psutil.virtual_memory()
    yield Health(
        "memory",
        memory.available >= LOW_MEMORY,
        f"{_size(memory.available)} of {_size(memory.total)} free, swap {_size(psutil.swap_memory().total)}",
        "run fewer workers: each bot may take 512 MiB",
    )
    clock = _text(CLOCK) or "unknown"
    yield Health("clock", clock in GOOD_CLOCKS or clock == "unknown", clock, "reading the time is slow here")
    yield stolen(before, after, seconds)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    yield Health("open files", soft >= LOW_FILES, f"{soft} (at most {hard})", "ulimit -n 4096")


def stolen(before: Reading, after: Reading, seconds: float) -> Health:
    """How much of a processor's time the machine below took while this one had work."""
    taken = [late - early for early, late in zip(before.stolen_s, after.stolen_s, strict=False)]
    share = max(taken, default=0.0) / max(seconds, 0.001)
    return Health(
        "stolen time",
        share <= STOLEN_SHARE,
        f"{100 * share:.0f} % of a processor over {seconds:.1f} s",
        "blocks will be void: fewer workers, or a machine that is not shared",
    )


def programs() -> Iterator[Health]:
    """The arena, its Python, and gRPC."""
    from arena import __version__

    version = f"{__version__}, on Python {platform.python_version()}"
    found = tuple(map(int, platform.python_version_tuple()[:2]))
    yield Health("arena", found >= NEEDED_PYTHON, version, "install Python 3.11 or newer")
    try:
        import grpc
    except ImportError as error:
        yield Health("grpc", False, str(error), "pip install 'grpcio>=1.74'")
    else:
        yield Health("grpc", True, grpc.__version__)


def folders(data: Path, shared: Place = "") -> Iterator[Health]:
    """The data folder, its store or the one at a URL, and the folder for temporary files. None need exist."""
    yield data_folder(data)
    if is_shared(shared):
        yield server(shared)
    elif os.path.exists(data / FILE):
        yield store(data / FILE)
    for name, folder in (("space", data), ("temporary files", Path(tempfile.gettempdir()))):
        place = next((each for each in (folder, *folder.absolute().parents) if os.path.isdir(each)), Path("/"))
        free = shutil.disk_usage(place).free
        fix = "free some space" if name == "space" else "free some space there, or let TMPDIR name another folder"
        yield Health(name, free >= LOW_SPACE, f"{_size(free)} free in {place}", fix)


def data_folder(data: Path) -> Health:
    """Whether games can be kept, by nobody else to be read."""
    try:
        return _data_folder(data)
    except OSError as error:
        return Health("data", False, f"{data} cannot be reached: {error.strerror}", "name a folder with --data")


def _data_folder(data: Path) -> Health:
    if not data.exists():
        place = next(each for each in data.absolute().parents if each.exists())
        if os.access(place, os.W_OK | os.X_OK):
            return Health("data", True, f"{data} is not there yet; it can be made")
        return Health("data", False, f"{data} cannot be made", f"let {place} be written, or name a folder with --data")
    if not data.is_dir():
        return Health("data", False, f"{data} is no folder", "name a folder with --data")
    if not os.access(data, os.W_OK | os.X_OK):
        return Health("data", False, f"{data} cannot be written", f"chmod u+rwx {data}, or name another with --data")
    mode = stat.S_IMODE(data.stat().st_mode)
    return Health("data", mode & 0o077 == 0, f"{data}, mode {mode:04o}", f"chmod 700 {data}")


def store(file: Path) -> Health:
    """Whether the store can be read: its tables and, by a quick look at all pages, no damage."""
    from arena.store.schema import HEAD

    wal = file.with_name(f"{file.name}-wal")
    mode = "mode=ro" if wal.exists() else "immutable=1"
    try:
        connection = sqlite3.connect(f"{file.absolute().as_uri()}?{mode}", uri=True, timeout=2)
        try:
            said = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            version = connection.execute("SELECT version_num FROM alembic_version").fetchone()[0]
            games = connection.execute("SELECT count(*) FROM game").fetchone()[0]
        finally:
            connection.close()
    except (sqlite3.Error, OSError, TypeError) as error:
        return Health("store", False, f"{file} cannot be read: {error}", "restore a backup; keep the damaged file")
    if said != "ok":
        return Health("store", False, f"{file} is damaged: {said}", "restore a backup; keep the damaged file")
    if version > HEAD:
        return Health("store", False, f"{file} was written by a newer arena", "pip install --upgrade card-arena")
    return Health("store", True, f"{games} games, tables {version}")


def server(place: Place) -> Health:
    """Whether the store on a server can be reached and read."""
    from arena.store.store import Store

    try:
        with Store.open(place, create=False) as opened:
            return Health("store", True, f"{len(opened.tournaments())} tournaments at {opened.where}")
    except ArenaError as error:
        if error.code == "NO_STORE" and "no tables" in error.message:
            return Health("store", True, f"{error.where} can be reached; nothing is stored there yet")
        return Health("store", False, f"{error.message}: {error.where}", error.fix)


def _size(number: int) -> str:
    return f"{number / 1024**3:.1f} GiB"


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii").strip()
    except OSError:
        return ""
