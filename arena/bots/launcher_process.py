"""The launcher: a small process without gRPC that starts bots, drains their output, and reaps them.

gRPC and fork do not mix, so the referee never forks: it talks to this process in JSON lines.

    in    {"means": {...}, "near": folder}      once, before anything else
          {"start": ID, "command": [...], "folder": ..., "variables": {...}, "log": path}
          {"start": ID, "box": {...}, "log": path}
          {"kill": ID}
    out   {"ready": true}     {"unable": text}
          {"started": ID, "pid": n, "output": [descriptor here of what it writes, its inode]}
          {"wrote": ID}     once, with its first output
          {"failed": ID, "error": text, "arena": whether it is the arena's fault}
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
import time
from typing import Any

from arena.bots.running import CHUNK, Running, say
from arena.bots.sandbox import polling
from arena.bots.sandbox.box import Box
from arena.bots.sandbox.boxes import Boxes
from arena.bots.sandbox.means import NONE, Means

IGNORED = (signal.SIGINT, signal.SIGTERM)
"""Ctrl-C reaches the whole foreground group; only the end of standard input ends the launcher."""
FLUSH_S = 0.5
"""How often the first part of what a bot writes is put into its log while it runs."""
LOOK_S = 0.1
"""How often the limits of running boxes are looked after."""
POLL_S = 0.25
"""The same where processes have to be counted one by one."""


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
            waits = any(bot.unflushed for bot in self.running.values())
            for key, _events in self.selector.select(LOOK_S if boxed else FLUSH_S if waits else None):
                if key.fd == 0:
                    self.read_orders()
                elif key.fd == self.wake:
                    os.read(self.wake, CHUNK)
                elif not key.data.drain():
                    self.selector.unregister(key.fd)
            if boxed:
                self.look()
            if waits:
                self.flush()
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

    def flush(self) -> None:
        """Bring logs up to date, now and then."""
        now = time.monotonic()
        for bot in self.running.values():
            if bot.unflushed and now - bot.flushed_at > FLUSH_S:
                bot.flush()

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
        say({"started": name, "pid": bot.process.pid, "output": [bot.pipe, os.fstat(bot.pipe).st_ino]})

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
        bot.output.add(bot.marks.rest())
        bot.flush(all_of_it=True)
        del self.running[bot.name]
        ending = bot.ending()
        if self.boxes is not None and bot.prepared is not None:
            self.boxes.end(bot.prepared)
        say({"exited": bot.name, **ending})


if __name__ == "__main__":
    for number in IGNORED:
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    Launcher().run()
