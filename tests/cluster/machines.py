"""A scheduler and workers in processes of their own, as people start them, in a folder of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
from crash.event import COMMAND, PASSED_ON

LIMIT_S = 120.0
"""For anything to happen; nothing takes a tenth of it."""


class Part:
    """A scheduler or a worker: one process with all that it starts."""

    def __init__(self, words: Sequence[str], folder: Path, before: Sequence[str] = ()) -> None:
        environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        self.process = subprocess.Popen(
            [*before, *COMMAND, "--data", str(folder), "cluster", *words],
            env={**environment, "TMPDIR": str(folder.parent / "t"), "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.said: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as lines:
            self.said.extend(lines)

    def wait_for(self, words: str) -> str:
        """The first line that it says with these words."""
        deadline = time.monotonic() + LIMIT_S
        while time.monotonic() < deadline:
            for line in self.said:
                if words in line:
                    return line.strip()
            assert self.process.poll() is None, self.said
            time.sleep(0.02)
        raise AssertionError(f"it never said {words!r}: {self.said}")

    def below(self) -> list[psutil.Process]:
        """All processes that it has started, itself first."""
        with suppress(psutil.NoSuchProcess):
            own = psutil.Process(self.process.pid)
            return [own, *own.children(recursive=True)]
        return []

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """End it, with all that it has started, and return its status."""
        below = self.below()
        self.process.send_signal(number)
        status = self.process.wait(LIMIT_S)
        _gone, alive = psutil.wait_procs(below, timeout=30)
        self._reader.join(LIMIT_S)
        assert alive == [], f"processes outlived a part of the cluster: {alive}"
        return status


class Machines:
    """A cluster of processes on this machine."""

    def __init__(self, more: Sequence[str] = (), tls: Sequence[str] = (), before: Sequence[str] = ()) -> None:
        self.tls = tuple(tls)
        self.folder = Path(tempfile.mkdtemp(prefix="cl-"))
        (self.folder / "t").mkdir()
        self.scheduler = Part(("scheduler", "--port", "0", *more), self.folder / "s", before)
        self.address = self.scheduler.wait_for("scheduler at ").rpartition(" ")[2]
        self.workers: dict[str, Part] = {}

    def worker(self, name: str, slots: int = 1, before: Sequence[str] = ()) -> Part:
        """Start a worker, or start it again."""
        words = ("worker", self.address, "--name", name, "--slots", str(slots), "--wait", "30", *self.tls)
        self.workers[name] = Part(words, self.folder / name, before)
        return self.workers[name]

    def ready(self) -> None:
        """Wait until all workers are there."""
        for each in self.workers.values():
            each.wait_for(" bouts at once for ")

    def close(self) -> None:
        """End all of it; nothing may be left."""
        for each in [*self.workers.values(), self.scheduler]:
            each.end()
        left = [str(path) for path in (self.folder / "t").rglob("*")]
        subprocess.run(["rm", "-rf", str(self.folder)], check=True)
        assert left == [], f"temporary files are left: {left}"


@contextmanager
def machines(*names: str) -> Iterator[Machines]:
    """A cluster with workers of these names."""
    made = Machines()
    try:
        for name in names:
            made.worker(name)
        made.ready()
        yield made
    finally:
        made.close()
