"""A small deterministic tournament in a folder of its own, run as people run it, and all that must come out of it."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from arena.store.lock import holder
from arena.store.store import Store

NAME = "storm"
CUP = """\
name = "storm"
game = "{game}"
bots = {bots}
boards = {boards}
seed = "storm"
isolation = "{isolation}"

[clock]
bank = 600
cap = 600
"""
"""The clock is so long that a machine on which processes are killed makes no bot late."""
COMMAND = (sys.executable, "-m", "arena.cli")
PASSED_ON = ("PATH", "PYTHONPATH", "HOME", "VIRTUAL_ENV", "LANG")
CHANGING = frozenset({"elapsed_ms", "attempt", "voids", "created", "started", "finished", "tier", "tiers"})
"""Keys of data that may differ between two runs that agree; which sandbox a host has, every run finds out anew."""
COPIED_S = 30.0
"""So long a copy of a store that can be read is tried for."""
Key = tuple[int, int, int, int]
"""(round, board, table, seating)."""


class Outcome(NamedTuple):
    """What must be equal however often a run was disturbed."""

    ratings: Any  # JSON
    games: dict[Key, Any]
    """Everything stored of each game but times, attempts, logs and tiers."""


class Event:
    """The folder of a tournament: its file, its data, its temporary files."""

    def __init__(
        self,
        *,
        game: str = "crowsnest",
        bots: tuple[str, ...] = ("random", "basic", "cautious", "counter"),
        boards: int = 6,
        isolation: str = "generation",
        workers: int = 2,
        data: Path | None = None,
    ) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="storm-"))  # short: the paths of sockets lie below it
        self.data = data or self.folder / ".arena"
        self.temporary = self.folder / "t"
        self.temporary.mkdir()
        self.workers = workers
        self.cup = self.folder / "cup.toml"
        self.cup.write_text(CUP.format(game=game, bots=json.dumps(bots), boards=boards, isolation=isolation))

    def close(self) -> None:
        """Remove all of it."""
        shutil.rmtree(self.folder)

    def forget(self) -> None:
        """Empty the data folder."""
        for path in self.data.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    def _environment(self) -> dict[str, str]:
        passed = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        return {**passed, "TMPDIR": str(self.temporary), "LC_ALL": "C.UTF-8"}

    def start(self, *more: str) -> subprocess.Popen[str]:
        """`arena tournament run`, in its own session; what it prints on stderr is in `said`."""
        with (self.folder / "said").open("a") as said:
            return subprocess.Popen(
                [*COMMAND, "--data", str(self.data), "tournament", "run", "cup.toml", *self._workers(), *more],
                cwd=self.folder,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=said,
                text=True,
                start_new_session=True,
            )

    def _workers(self) -> tuple[str, str]:
        return "--workers", str(self.workers)

    def said(self) -> str:
        """What the runs that were started printed on stderr."""
        return (self.folder / "said").read_text()

    def command(self, *words: str, limit_s: float = 120) -> subprocess.CompletedProcess[str]:
        """Any command on this tournament's data, to its end."""
        return subprocess.run(
            [*COMMAND, "--data", str(self.data), *words],
            cwd=self.folder,
            env=self._environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=limit_s,
            check=False,
        )

    def run(self, *more: str, limit_s: float = 300) -> subprocess.CompletedProcess[str]:
        """`arena tournament run` to its end."""
        return self.command("tournament", "run", "cup.toml", *self._workers(), *more, limit_s=limit_s)

    def keys(self) -> list[Key]:
        """The keys of all stored games, read without touching the store; none before there is one."""
        try:
            try:
                return _keys(self.data)
            except sqlite3.OperationalError as error:
                if str(error) != "attempt to write a readonly database":
                    raise
                return self._recovered_keys()
        except sqlite3.OperationalError as error:
            if str(error) not in ("unable to open database file", "no such table: game"):
                raise
            return []

    def _recovered_keys(self) -> list[Key]:
        """The same after a kill, when SQLite must first recover the file: it does so with a copy.

        A copy that cannot be read, or not be made, was begun before a process had died, or after the next one began.
        """
        deadline = time.monotonic() + COPIED_S
        while True:
            with tempfile.TemporaryDirectory() as folder:
                try:
                    for file in self.data.glob("arena.db*"):
                        if not file.name.endswith("-shm"):
                            shutil.copy(file, folder)
                    return _keys(Path(folder), mode="rw")
                except (FileNotFoundError, sqlite3.DatabaseError) as error:
                    if str(error) == "no such table: game" or time.monotonic() > deadline:
                        raise
            time.sleep(0.05)

    def outcome(self) -> Outcome:
        """What came out. The tournament must be finished."""
        shown = self.command("ratings", NAME, "--json")
        assert shown.returncode == 0, shown.stderr
        ratings = lasting(json.loads(shown.stdout))
        assert ratings["data"]["state"] == "finished"
        games: dict[Key, Any] = {}
        with Store.open(self.data, create=False) as store:
            for info in store.games(NAME, limit=None):
                full = store.game(info.public_id)
                assert full is not None
                round_, board, table, seating = info.row.key
                key = (round_, board, table, seating)
                assert key not in games, f"{key} is stored twice"
                result = full.game.result
                faults = [fault._replace(elapsed_ms=0) for fault in result.faults]
                games[key] = (info.row, info.forfeits, faults, lasting(result.transcript))
        return Outcome(ratings, games)

    def leftovers(self) -> list[str]:
        """Files, folders and locks that a finished run must not leave."""
        found = [str(path) for path in self.temporary.rglob("*")]
        found += [path.name for path in self.data.iterdir() if path.name.startswith(("arena.db-", "."))]
        who = holder(self.data, NAME)
        return [*found, f"a lock held by {who}"] if who is not None else found


def lasting(data: Any) -> Any:  # Any: JSON
    """JSON data without what may differ between two runs that agree."""
    if isinstance(data, dict):
        return {key: lasting(value) for key, value in data.items() if key not in CHANGING}
    if isinstance(data, list | tuple):
        return [lasting(each) for each in data]
    return data


def _keys(data: Path, mode: str = "ro") -> list[Key]:
    with closing(sqlite3.connect(f"file:{data / 'arena.db'}?mode={mode}", uri=True, timeout=30)) as connection:
        return list(connection.execute('SELECT round, board, "table", seating FROM game'))
