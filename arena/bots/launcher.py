"""The referee's end of the launcher: start a bot, learn of its exit, kill it."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.bots import launcher_process
from arena.bots.manifest import Bot, house_folder
from arena.bots.sandbox.box import Box
from arena.bots.sandbox.means import NONE, Means
from arena.core.errors import ArenaFault, BotError

LAUNCHER_LOST = "LAUNCHER_LOST"
"""Code of the fault that ends a generation whose bots were ended by no doing of their own."""
PASSED_ON = ("PATH", "LANG", "LC_ALL", "TZ")
"""Variables of the arena's own environment that a bot gets; nothing else is inherited."""


@dataclass(frozen=True, slots=True)
class Exit:
    """How a bot process ended."""

    code: int | None
    signal: int | None
    last_line: str
    """Last line of its output."""
    limit: str = ""
    """MEMORY or PIDS when the kernel or the launcher saw it go over that limit."""
    cpu_s: float = 0.0
    """Processor time of all its processes; 0 where nothing counts it."""
    left_out: int = 0
    """Bytes of its output that were not kept."""
    box_failed: bool = False
    """Its sandbox could not be made, so that it never ran: the arena's fault."""
    outside: bool = False
    """The sandbox's own outermost process was killed, which nothing inside can do: the arena's fault."""

    @property
    def fault(self) -> str:
        """The limit; EXIT for a process that left by itself without an error; CRASH for everything else."""
        return self.limit or ("EXIT" if self.code == 0 else "CRASH")

    def __str__(self) -> str:
        """In words."""
        if self.limit == "MEMORY":
            return "used more memory than a bot may have and was ended"
        how = f"exited with status {self.code}" if self.code is not None else f"was ended by signal {self.signal}"
        return f"{how}; its last line: {self.last_line!r}" if self.last_line else how


class BotProcess:
    """A bot that was started."""

    def __init__(self, name: str, launcher: Launcher) -> None:
        self.name = name
        self.pid = 0
        self.wrote = False
        """Whether it has written anything."""
        self.on_output: Callable[[], None] = lambda: None
        """Called with its first output."""
        self._output = (-1, 0)
        self._launcher = launcher
        self.started: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.exit: asyncio.Future[Exit] = asyncio.get_running_loop().create_future()
        """Not set by an end that was none of its doing until it is killed here: nobody may conclude a thing from it."""
        self.taken: Exit | None = None
        """How it ended by no doing of its own."""

    def begun(self, pid: int, output: tuple[int, int]) -> None:
        """It runs; `output`: the launcher's descriptor of what it writes, and its inode."""
        self._output = output
        if not self.started.done():
            self.started.set_result(pid)

    def open_output(self) -> int:
        """A descriptor to write marks of turns into its output with, without ever waiting; the caller closes it. Raises
        OSError."""
        number, inode = self._output
        opened = os.open(f"/proc/{self._launcher.pid}/fd/{number}", os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        if os.fstat(opened).st_ino != inode:  # it has ended, and another one's output has its number
            os.close(opened)
            raise ProcessLookupError(f"{self.name} has ended")
        return opened

    async def ended_or_lost(self) -> None:
        """Wait until it ends, or is ended by no doing of its own."""
        lost = asyncio.create_task(self._launcher.lost.wait())
        try:
            first: list[asyncio.Future[Any]] = [self.exit, lost]
            await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
        finally:
            lost.cancel()

    def kill(self) -> None:
        """Kill the process and its group; `exit` tells when it is done. Bots of a lost launcher died with it."""
        if self.exit.done():
            return
        if self.taken is not None or self._launcher.gone:
            self.exit.set_result(self.taken or Exit(None, 9, ""))
        else:
            self._launcher.order({"kill": self.name})


class Launcher:
    """A running launcher process. Make it before anything starts gRPC."""

    def __init__(self, process: asyncio.subprocess.Process, means: Means) -> None:
        self.means = means
        self.lost = asyncio.Event()
        """Set when the launcher ended though nobody closed it, since its bots die with it, or when a bot's sandbox was
        killed from outside: a fault of the arena."""
        self.why_lost = ""
        self._process = process
        self._ended = False
        self._closing = False
        self._bots: dict[str, BotProcess] = {}
        self._count = 0
        self._ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def open(cls, means: Means = NONE) -> Launcher:
        """Start the launcher. Raises ArenaFault when the sandbox cannot be set up."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-I",
            "-m",
            launcher_process.__name__,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=1024 * 1024,
            start_new_session=True,  # so that a terminal's Ctrl-C does not meet it before it ignores that
        )
        launcher = cls(process, means)
        launcher.order({"means": means.to_data(), "near": tempfile.gettempdir()})
        try:
            await asyncio.shield(launcher._ready)
        except BaseException:
            await launcher.close()
            raise
        return launcher

    @property
    def pid(self) -> int:
        """Of the launcher's process."""
        return self._process.pid

    @property
    def gone(self) -> bool:
        """Whether it takes no more orders."""
        stdin = self._process.stdin
        return self._ended or self._process.returncode is not None or stdin is None or stdin.is_closing()

    async def start(
        self, command: tuple[str, ...], folder: Path, variables: Mapping[str, str], log: Path | None
    ) -> BotProcess:
        """Start a program without a sandbox. Raises BotError START_FAILED when it cannot be run."""
        return await self._begin({"command": list(command), "folder": str(folder), "variables": dict(variables)}, log)

    async def start_box(self, box: Box, log: Path | None) -> BotProcess:
        """Start a program in its box. Raises BotError START_FAILED, ArenaFault when its box cannot be made."""
        return await self._begin({"box": box.to_data()}, log)

    async def _begin(self, order: Mapping[str, Any], log: Path | None) -> BotProcess:
        self._count += 1
        bot = BotProcess(f"bot-{self._count}", self)
        self._bots[bot.name] = bot
        self.order({"start": bot.name, **order, "log": str(log) if log is not None else ""})
        try:
            bot.pid = await asyncio.shield(bot.started)
        except asyncio.CancelledError:
            bot.kill()
            raise
        return bot

    def order(self, order: dict[str, Any]) -> None:
        """Send one order. Raises ArenaFault when the launcher is gone."""
        stdin = self._process.stdin
        if stdin is None or self.gone:
            raise ArenaFault("the launcher is gone", code=LAUNCHER_LOST)
        stdin.write(json.dumps(order).encode() + b"\n")

    async def close(self) -> None:
        """Kill all bots and end the launcher."""
        self._closing = True
        assert self._process.stdin is not None, "stdin is a pipe"
        self._process.stdin.close()
        with suppress(BrokenPipeError, ConnectionResetError):
            await self._process.stdin.wait_closed()
        try:
            async with asyncio.timeout(5):
                await self._reader
                await self._process.wait()
        except TimeoutError:
            with suppress(ProcessLookupError):  # it has ended just now
                self._process.kill()
            await self._process.wait()

    async def _read(self) -> None:
        stdout = self._process.stdout
        assert stdout is not None, "stdout is a pipe"
        async for line in stdout:
            self._report(json.loads(line))
        self._ended = True
        if not self._closing:
            self._lose("the launcher was lost, and every bot with it")
        if not self._ready.done():
            self._ready.set_exception(ArenaFault("the launcher ended before it was ready", code=LAUNCHER_LOST))
        for bot in list(self._bots.values()):
            if not bot.started.done():
                bot.started.set_exception(ArenaFault("the launcher ended", code=LAUNCHER_LOST))
            if self._closing and not bot.exit.done():
                bot.exit.set_result(Exit(None, 9, ""))

    def _report(self, report: dict[str, Any]) -> None:
        if "ready" in report:
            self._ready.set_result(None)
        elif "unable" in report:
            self._ready.set_exception(ArenaFault(report["unable"], code="SANDBOX_FAILED"))
        elif "started" in report:
            self._bots[report["started"]].begun(report["pid"], tuple(report["output"]))
        elif "wrote" in report:
            bot = self._bots[report["wrote"]]
            bot.wrote = True
            bot.on_output()
        elif "failed" in report:
            bot = self._bots.pop(report["failed"])
            text = f"cannot be run: {report['error']}"
            bot.started.set_exception(
                ArenaFault(text, code="SANDBOX_FAILED") if report["arena"] else BotError(text, code="START_FAILED")
            )
        else:
            bot = self._bots.pop(report.pop("exited"))
            ending = Exit(**report)
            if ending.outside:
                bot.taken = ending
                self._lose(f"the sandbox of {bot.name} was killed from outside")
            elif not bot.exit.done():
                bot.exit.set_result(ending)

    def _lose(self, why: str) -> None:
        self.why_lost = self.why_lost or why
        self.lost.set()


def sdk_paths() -> tuple[Path, ...]:
    """Where Python bots find the SDK and the house bots."""
    import arena_bot

    paths = [Path(arena_bot.__file__).parents[1]]
    house = house_folder()
    if house is not None and house.parent not in paths:
        paths.append(house.parent)
    return tuple(paths)


def variables_for(address: str, token: str, *paths: Path) -> dict[str, str]:
    """The whole environment of a bot: its seat, its token, and where Python finds the SDK."""
    variables = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    variables["ARENA_ADDRESS"] = address
    variables["ARENA_TOKEN"] = token
    variables["PYTHONPATH"] = os.pathsep.join(str(path) for path in paths)
    variables["PYTHONDONTWRITEBYTECODE"] = "1"
    variables["HOME"] = "/nonexistent"
    variables["GRPC_VERBOSITY"] = "ERROR"
    return variables


def go_between(bot: Bot) -> tuple[str, ...]:
    """What Python runs before a bot's command: the bridge to JSON lines, the relay from TCP, or nothing.

    It takes no module from the bot's folder (-P).
    """
    if bot.protocol == "jsonl":
        return ("-P", "-m", "arena_bot.bridge")
    return ("-P", "-m", "arena_bot.relay") if bot.transport == "tcp" else ()


def program_of(bot: Bot) -> tuple[str, ...]:
    """What is run for a bot: its command, behind the bridge or the relay where it needs one.

    `python3` and `python` stand for the arena's own interpreter, which has gRPC.
    """
    before = go_between(bot)
    bridge = (sys.executable, *before) if before else ()
    program, *rest = bot.command
    return (*bridge, sys.executable if program in ("python3", "python") else program, *rest)
