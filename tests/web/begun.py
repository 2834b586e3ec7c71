"""`arena ...` as a process of its own, for tests that need a server which can end and start again."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from pathlib import Path

from cli.terminal import COMMAND, SURROUNDINGS

STARTED_S, STOPPED_S = 60.0, 60.0
INTERRUPTED = 130
"""The exit status of what Ctrl-C ended."""


class Started:
    """`arena ...` in a folder, ended with Ctrl-C's signal."""

    def __init__(self, folder: Path, *words: str) -> None:
        self._said = folder / f"{words[0]}-{len(list(folder.iterdir()))}.txt"
        environment = {**SURROUNDINGS, "LC_ALL": "C.UTF-8"}
        with self._said.open("ab") as said:
            self._process = subprocess.Popen(
                [*COMMAND, *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=said, stderr=said
            )  # fmt: skip

    def said(self) -> str:
        return self._said.read_text()

    def says(self, pattern: str) -> str:
        """Wait for a line; what its first group matched."""
        until = time.monotonic() + STARTED_S
        while time.monotonic() < until:
            if found := re.search(pattern, self.said()):
                return found[1]
            assert self._process.poll() is None, self.said()
            time.sleep(0.05)
        raise AssertionError(self.said())

    def is_running(self) -> bool:
        return self._process.poll() is None

    def end(self) -> int:
        if self.is_running():
            os.kill(self._process.pid, signal.SIGINT)
        return self._process.wait(STOPPED_S)
