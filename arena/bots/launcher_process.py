"""The launcher: a small process without gRPC that starts bots, drains their output, and reaps them.

gRPC and fork do not mix, so the referee never forks: it talks to this process in JSON lines.

    in    {"means": {...}, "near": folder}      once, before anything else
          {"start": ID, "command": [...], "folder": ..., "variables": {...}, "log": path}
          {"start": ID, "box": {...}, "log": path}
          {"kill": ID}
    out   {"ready": true}     {"unable": text}
          {"started": ID, "pid": n}     {"failed": ID, "error": text, "arena": whether it is the arena's fault}
          {"exited": ID, "code": n | null, "signal": n | null, "last_line": text, "limit": "" | "MEMORY" | "PIDS",
           "cpu_s": n, "left_out": bytes of output that were not kept, "box_failed": whether it never got to run,
           "outside": whether its sandbox was killed by neither this process, the kernel nor anything inside}

When its standard input ends, because the referee is done or dead, every bot is killed and the launcher exits. Standard
library only; everything happens in one thread, since dying with a parent follows the parent's thread.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from typing import Any

from arena.bots.output import Output
from arena.bots.sandbox import polling
from arena.bots.sandbox.box import Box
from arena.bots.sandbox.boxes import Boxes, Prepared
from arena.bots.sandbox.confine import before_exec
from arena.bots.sandbox.limits import MIB
from arena.bots.sandbox.means import NONE, Means

CHUNK = 64 * 1024
PIPE = 1024 * 1024
"""The most a pipe holds on Linux without privileges."""
IGNORED = (signal.SIGINT, signal.SIGTERM)
"""Ctrl-C reaches the whole foreground group; only the end of standard input ends the launcher."""
LOOK_S = 0.1
"""How often the limits of running boxes are looked after."""
POLL_S = 0.25
"""The same where processes have to be counted one by one."""
SHELL_SIGNALS = 128
"""bubblewrap tells of a signal as shells do."""


class Running:
    """One bot process."""

    def __init__(self, name: str, order: dict[str, Any], boxes: Boxes | None, prepared: Prepared | None) -> None:
        self.name = name
        self.log = order["log"]
        self.output = Output()
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
        if self.boxes is not None and self.prepared is not None:
            self.boxes.kill(self.prepared)
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self.process.kill()

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
        self.output.add(data)
        return bool(data)

    def drain_all(self) -> None:
        """Read what a dead bot has left in its pipe, as much as a pipe can hold."""
        for _ in range(1 + PIPE // CHUNK):
            try:
                data = os.read(self.pipe, CHUNK)
            except BlockingIOError:
                return
            if not data:
                return
            self.output.add(data)


class Launcher:
    """The loop: orders in, bots' output, bots' ends."""

    def __init__(self) -> None:
        self.running: dict[str, Running] = {}
        self.selector = selectors.DefaultSelector()
        self.orders = b""
        self.stopping = False
        self.means = NONE
        self.boxes: Boxes | None = None
        self.looked = 0.0
        wake_read, wake_write = os.pipe()
        for end in (wake_read, wake_write):
            os.set_blocking(end, False)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        self.wake = wake_read
        self.selector.register(wake_read, selectors.EVENT_READ, None)
        self.selector.register(0, selectors.EVENT_READ, None)

    def run(self) -> None:
        """Serve until standard input ends."""
        while not self.stopping:
            boxed = self.boxes is not None and bool(self.running or self.boxes.ending)
            for key, _events in self.selector.select(LOOK_S if boxed else None):
                if key.fd == 0:
                    self.read_orders()
                elif key.fd == self.wake:
                    os.read(self.wake, CHUNK)
                elif not key.data.drain():
                    self.selector.unregister(key.fd)
            if boxed:
                self.look()
            self.reap()
        for bot in self.running.values():
            bot.kill()
        for bot in list(self.running.values()):
            bot.process.wait()
            self.end(bot)
        if self.boxes is not None:
            self.boxes.close()

    def look(self) -> None:
        """Look after the limits, now and then."""
        now = time.monotonic()
        polled = not self.means.groups
        if now - self.looked < (POLL_S if polled else LOOK_S):
            return
        self.looked = now
        if self.boxes is not None:
            self.boxes.tidy()
        uses = polling.uses(bot.process.pid for bot in self.running.values()) if polled else {}
        for bot in self.running.values():
            bot.look(uses.get(bot.process.pid))

    def read_orders(self) -> None:
        """Take what has arrived on standard input, line by line."""
        data = os.read(0, CHUNK)
        if not data:
            self.stopping = True
            return
        *lines, self.orders = (self.orders + data).split(b"\n")
        for line in lines:
            order = json.loads(line)
            if "means" in order:
                self.begin(order)
            elif "start" in order:
                self.start(order)
            elif order["kill"] in self.running:
                self.running[order["kill"]].kill()

    def begin(self, order: dict[str, Any]) -> None:
        """Learn by which means bots are kept apart."""
        self.means = Means.from_data(order["means"])
        try:
            self.boxes = Boxes(self.means, order["near"]) if self.means.boxed else None
        except (OSError, subprocess.SubprocessError) as error:
            say({"unable": f"the sandbox (tier {self.means.tier}) cannot be set up: {error}"})
            self.stopping = True
            return
        say({"ready": True})

    def start(self, order: dict[str, Any]) -> None:
        """Start a bot."""
        name = order["start"]
        prepared = None
        try:
            if "box" in order:
                assert self.boxes is not None, "the means were told first"
                prepared = self.boxes.prepare(name, Box.from_data(order["box"]))
        except OSError as error:
            say({"failed": name, "error": f"its sandbox cannot be set up: {error}", "arena": True})
            return
        try:
            bot = Running(name, order, self.boxes, prepared)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            if self.boxes is not None and prepared is not None:
                self.boxes.end(prepared)
            say({"failed": name, "error": str(error), "arena": prepared is not None})
            return
        self.running[name] = bot
        self.selector.register(bot.pipe, selectors.EVENT_READ, bot)
        say({"started": name, "pid": bot.process.pid})

    def reap(self) -> None:
        """Report the bots that have ended."""
        for bot in list(self.running.values()):
            if bot.process.poll() is not None:
                self.end(bot)

    def end(self, bot: Running) -> None:
        """Take the last output, kill what is left of the group, write the log, report."""
        bot.kill()
        bot.drain_all()
        if bot.pipe in {key.fd for key in self.selector.get_map().values()}:
            self.selector.unregister(bot.pipe)
        assert bot.process.stdout is not None, "stdout is a pipe"
        bot.process.stdout.close()
        if bot.log:
            try:
                with open(bot.log, "ab", opener=lambda path, flags: os.open(path, flags, 0o600)) as log:
                    log.write(bot.output.text())
            except OSError as error:
                print(f"launcher: {bot.log}: {error}", file=sys.stderr)  # noqa: T201
        del self.running[bot.name]
        ending = bot.ending()
        if self.boxes is not None and bot.prepared is not None:
            self.boxes.end(bot.prepared)
        say({"exited": bot.name, **ending})


def say(report: dict[str, Any]) -> None:
    """One report to the referee; if nobody listens any more, standard input ends soon too."""
    try:
        os.write(1, json.dumps(report).encode() + b"\n")
    except BrokenPipeError:
        return


if __name__ == "__main__":
    for number in IGNORED:
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    Launcher().run()
