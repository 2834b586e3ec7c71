"""One bot process of the launcher: started, drained, its limits looked after, killed, its log written.

Standard library only, as everything that the launcher uses.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from typing import Any

from arena.bots.output import Marks, Output
from arena.bots.sandbox import polling
from arena.bots.sandbox.boxes import Boxes, Prepared
from arena.bots.sandbox.confine import before_exec
from arena.bots.sandbox.limits import MIB

CHUNK = 64 * 1024
PIPE = 1024 * 1024
"""The most a pipe holds on Linux without privileges."""
SHELL_SIGNALS = 128
"""bubblewrap tells of a signal as shells do."""


class Running:
    """One bot process."""

    def __init__(self, name: str, order: dict[str, Any], boxes: Boxes | None, prepared: Prepared | None) -> None:
        self.name = name
        self.log = order["log"]
        self.output = Output()
        self.marks = Marks()
        self.wrote = False
        self.flushed = 0
        """Bytes that are in the log."""
        self.flushed_at = time.monotonic()
        self.boxes = boxes
        self.prepared = prepared
        self.over = ""
        """The limit for which it was killed."""
        self.ordered = False
        """Whether this process killed it."""
        bare = before_exec(None, None, 0, None, b"")
        self.process = subprocess.Popen(
            prepared.words if prepared is not None else order["command"],
            cwd=prepared.folder if prepared is not None else order["folder"],
            env=prepared.variables if prepared is not None else order["variables"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            pass_fds=prepared.descriptors if prepared is not None else (),
            preexec_fn=prepared.child if prepared is not None else bare,
        )
        if boxes is not None and prepared is not None:
            boxes.started(prepared)
        assert self.process.stdout is not None, "stdout is a pipe"
        self.pipe = self.process.stdout.fileno()
        os.set_blocking(self.pipe, False)

    def kill(self) -> None:
        """Kill the bot, its process group and its box."""
        self.ordered = self.ordered or self.process.returncode is None
        begun: list[int] = []
        if self.boxes is not None and self.prepared is not None:
            self.boxes.kill(self.prepared)
            if self.boxes.wrapped and self.prepared.group is None and self.process.returncode is None:
                # The first process in the box is to die with bubblewrap, but not before it has seen to that itself.
                begun = polling.children(self.process.pid)
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self.process.kill()
        for pid in begun:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)

    def look(self, use: polling.Use | None) -> None:
        """Kill the bot when it is over a limit. `use`: as polled, where no group counts."""
        if self.boxes is None or self.prepared is None or self.over:
            return
        limits = self.prepared.box.limits
        if use is not None and use.memory > limits.memory_mb * MIB:
            self.over = "MEMORY"
        elif use is not None and use.threads > limits.pids:
            self.over = "PIDS"
        elif self.boxes.evidence(self.prepared).oom_kills:
            self.over = "MEMORY"
        if self.over:
            self.kill()

    def ending(self) -> dict[str, Any]:
        """How it ended, for the report; call it once, before `end` of its box."""
        code = self.process.returncode
        if self.prepared is not None and code > SHELL_SIGNALS:
            code = SHELL_SIGNALS - code
        limit, spent = self.over, 0.0
        if self.boxes is not None and self.prepared is not None:
            evidence = self.boxes.evidence(self.prepared)
            spent = evidence.cpu_s
            if not limit and evidence.oom_kills:
                limit = "MEMORY"
            elif not limit and evidence.pids_refused:
                limit = "PIDS"
        return {
            "code": code if code >= 0 else None,
            "signal": -code if code < 0 else None,
            "last_line": self.output.last_line(),
            "limit": limit,
            "cpu_s": round(spent, 3),
            "left_out": self.output.left_out,
            "outside": not self.ordered and not limit and self._box_killed(),
            "box_failed": self.boxes is not None and self.prepared is not None and not self.boxes.began(self.prepared),
        }

    def _box_killed(self) -> bool:
        """Whether bubblewrap, which tells how the bot ended, was itself killed: no process inside sees its pid."""
        return self.boxes is not None and self.boxes.wrapped and self.process.returncode == -signal.SIGKILL

    def drain(self) -> bool:
        """Read what is there, at most one chunk; False at the end of the output."""
        try:
            data = os.read(self.pipe, CHUNK)
        except BlockingIOError:
            return True
        self.take(data)
        return bool(data)

    def take(self, data: bytes) -> None:
        """Keep some output; say so when it is the first."""
        text = self.marks.read(data)
        self.output.add(text)
        if text and not self.wrote:
            self.wrote = True
            say({"wrote": self.name})

    @property
    def unflushed(self) -> bool:
        """Whether the log lacks output that it may have by now."""
        return bool(self.log) and self.flushed < self.output.settled

    def flush(self, *, all_of_it: bool = False) -> None:
        """Put what is new into the log: while the bot runs only of the first part, which does not change any more."""
        self.flushed_at = time.monotonic()
        text = self.output.text() if all_of_it else self.output.head
        if not self.log or (self.flushed >= len(text) and not all_of_it):
            return
        try:
            with open(self.log, "ab", opener=lambda path, flags: os.open(path, flags, 0o600)) as log:
                log.write(text[self.flushed :])
        except OSError as error:
            print(f"launcher: {self.log}: {error}", file=sys.stderr)  # noqa: T201
        self.flushed = len(text)

    def drain_all(self) -> None:
        """Read what a dead bot has left in its pipe, as much as a pipe can hold."""
        for _ in range(1 + PIPE // CHUNK):
            try:
                data = os.read(self.pipe, CHUNK)
            except BlockingIOError:
                return
            if not data:
                return
            self.take(data)


def say(report: dict[str, Any]) -> None:
    """One report to the referee; if nobody listens any more, standard input ends soon too."""
    try:
        os.write(1, json.dumps(report).encode() + b"\n")
    except BrokenPipeError:
        return
