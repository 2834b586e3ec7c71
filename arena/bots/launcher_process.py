"""The launcher: a small process without gRPC that starts bots, drains their output, and reaps them.

gRPC and fork do not mix, so the referee never forks: it talks to this process in JSON lines.

    in    {"start": ID, "command": [...], "folder": ..., "variables": {...}, "log": path}
          {"kill": ID}
    out   {"started": ID, "pid": n}     {"failed": ID, "error": text}
          {"exited": ID, "code": n | null, "signal": n | null, "last_line": text}

When its standard input ends, because the referee is done or dead, every bot is killed and the launcher exits. Standard
library only; everything happens in one thread, since dying with a parent follows the parent's thread.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import selectors
import signal
import subprocess
import sys
from collections import deque
from typing import Any

KEEP = 512 * 1024
"""Bytes of output kept from the start and again from the end."""
CHUNK = 64 * 1024
PIPE = 1024 * 1024
"""The most a pipe holds on Linux without privileges."""
IGNORED = (signal.SIGINT, signal.SIGTERM)
"""Ctrl-C reaches the whole foreground group; only the end of standard input ends the launcher."""
PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


class Output:
    """The first and last 512 KiB of a bot's output; the rest is counted."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self._dropped = 0

    def add(self, data: bytes) -> None:
        """More output."""
        room = KEEP - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if data:
            self._tail.append(data)
            self._tail_size += len(data)
            while self._tail_size - len(self._tail[0]) >= KEEP:
                gone = self._tail.popleft()
                self._tail_size -= len(gone)
                self._dropped += len(gone)

    def text(self) -> bytes:
        """What is kept, with a line that counts what is not."""
        tail = b"".join(self._tail)
        missing = f"\n[{self._dropped} bytes left out]\n".encode() if self._dropped else b""
        return bytes(self._head) + missing + tail

    def last_line(self) -> str:
        """The last line that is not empty, cut to 500 characters."""
        end = (bytes(self._head) + b"".join(self._tail))[-4096:].decode("utf-8", "replace")
        lines = [line.strip() for line in end.splitlines() if line.strip()]
        return lines[-1][:500] if lines else ""


def _before_exec() -> None:
    """In the child: die with the launcher, leave no core, take signals as usual (what is ignored would stay so)."""
    for number in IGNORED:
        signal.signal(number, signal.SIG_DFL)
    if _libc is not None:
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Running:
    """One bot process."""

    def __init__(self, name: str, order: dict[str, Any]) -> None:
        self.name = name
        self.log = order["log"]
        self.output = Output()
        self.process = subprocess.Popen(
            order["command"],
            cwd=order["folder"],
            env=order["variables"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=_before_exec,
        )
        assert self.process.stdout is not None, "stdout is a pipe"
        self.pipe = self.process.stdout.fileno()
        os.set_blocking(self.pipe, False)

    def kill(self) -> None:
        """Kill the bot and its process group."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self.process.kill()

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
            for key, _events in self.selector.select():
                if key.fd == 0:
                    self.read_orders()
                elif key.fd == self.wake:
                    os.read(self.wake, CHUNK)
                elif not key.data.drain():
                    self.selector.unregister(key.fd)
            self.reap()
        for bot in self.running.values():
            bot.kill()
        for bot in list(self.running.values()):
            bot.process.wait()
            self.end(bot)

    def read_orders(self) -> None:
        """Take what has arrived on standard input, line by line."""
        data = os.read(0, CHUNK)
        if not data:
            self.stopping = True
            return
        *lines, self.orders = (self.orders + data).split(b"\n")
        for line in lines:
            order = json.loads(line)
            if "start" in order:
                self.start(order)
            elif order["kill"] in self.running:
                self.running[order["kill"]].kill()

    def start(self, order: dict[str, Any]) -> None:
        """Start a bot."""
        name = order["start"]
        try:
            bot = Running(name, order)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            say({"failed": name, "error": str(error)})
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
        code = bot.process.returncode
        if bot.log:
            try:
                with open(bot.log, "ab", opener=lambda path, flags: os.open(path, flags, 0o600)) as log:
                    log.write(bot.output.text())
            except OSError as error:
                print(f"launcher: {bot.log}: {error}", file=sys.stderr)  # noqa: T201
        del self.running[bot.name]
        say(
            {
                "exited": bot.name,
                "code": code if code >= 0 else None,
                "signal": -code if code < 0 else None,
                "last_line": bot.output.last_line(),
            }
        )


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
