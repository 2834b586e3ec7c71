"""What ends bots, with real processes: their group goes with them, and nothing outlives launcher or arena."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from bots.launching import DEADLINE_S, PYTHON, scene, start
from runner.crews import descendants, is_alive, left, words

from arena.bots.launcher import BotProcess, Launcher
from arena.core.errors import ArenaFault

STUBBORN = (
    "import os, signal, subprocess, sys, time\n"
    "for n in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(n, signal.SIG_IGN)\n"
    "child = subprocess.Popen([sys.executable, '-c', 'import signal; print(1, flush=True); signal.pause()'],"
    " stdout=subprocess.PIPE)\n"
    "child.stdout.readline()\n"
    "open(sys.argv[1], 'w').write(f'{os.getpid()} {child.pid}') if len(sys.argv) > 1 else None\n"
    "signal.pause()\n"
)


async def stubborn(launcher: Launcher, folder: Path) -> tuple[BotProcess, list[psutil.Process]]:
    """A bot that ignores signals and has a child in its group; both as processes."""
    bot = await launcher.start((*PYTHON, STUBBORN, "pids"), folder, {}, None)
    pids: list[str] = []
    while len(pids) < 2:
        await asyncio.sleep(0.01)
        with contextlib.suppress(FileNotFoundError):
            pids = (folder / "pids").read_text().split()
    return bot, [psutil.Process(int(pid)) for pid in pids]


def test_killing_a_bot_kills_its_group(tmp_path: Path) -> None:
    async def work(launcher: Launcher) -> None:
        bot, processes = await stubborn(launcher, tmp_path)
        assert bot.pid == processes[0].pid
        bot.kill()
        assert (await bot.exit).signal == signal.SIGKILL
        assert left(processes) == []
        bot.kill()  # once more does no harm

    scene(work)


def found(pids: list[str]) -> list[psutil.Process]:
    """Those that are still there."""
    processes = []
    for pid in pids:
        with contextlib.suppress(psutil.NoSuchProcess):
            processes.append(psutil.Process(int(pid)))
    return processes


def test_a_bot_that_ends_takes_its_group_with_it(tmp_path: Path) -> None:
    code = STUBBORN.replace("signal.pause()\n", "os._exit(0)\n")

    async def work(launcher: Launcher) -> None:
        bot = await launcher.start((*PYTHON, code, "pids"), tmp_path, {}, None)
        assert (await bot.exit).code == 0
        assert left(found((tmp_path / "pids").read_text().split())) == []

    scene(work)


def test_a_stopped_bot_can_be_killed() -> None:
    async def work(launcher: Launcher) -> None:
        bot = await start(launcher, "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)")
        process = psutil.Process(bot.pid)
        while process.status() != psutil.STATUS_STOPPED:
            await asyncio.sleep(0.01)
        bot.kill()
        assert (await bot.exit).signal == signal.SIGKILL

    scene(work)


def test_closing_the_launcher_ends_every_bot(tmp_path: Path) -> None:
    async def work() -> None:
        launcher = await Launcher.open()
        folders = [tmp_path / str(number) for number in range(3)]
        for folder in folders:
            folder.mkdir()
        bots = [await stubborn(launcher, folder) for folder in folders]
        await launcher.close()
        for bot, processes in bots:
            assert (await bot.exit).signal == signal.SIGKILL
            assert left(processes) == []
        with pytest.raises(ArenaFault, match="the launcher is gone"):
            await start(launcher, "pass")

    asyncio.run(asyncio.wait_for(work(), DEADLINE_S))


def test_ctrl_c_at_a_terminal_does_not_reach_the_launcher() -> None:
    """Not even before it can ignore it: it is in no group that a terminal's keys go to."""

    async def work(launcher: Launcher) -> None:
        assert os.getpgid(launcher.pid) == launcher.pid != os.getpgid(0)
        os.kill(launcher.pid, signal.SIGINT)
        assert (await (await start(launcher, "pass")).exit).code == 0, "nor does it mind later"

    scene(work)


def test_a_launcher_that_is_lost_says_so_and_its_bots_are_dead(tmp_path: Path) -> None:
    async def work(launcher: Launcher) -> None:
        bot = await start(launcher, "import signal; signal.pause()")
        process = psutil.Process(bot.pid)
        [own] = psutil.Process().children()
        own.kill()
        await launcher.lost.wait()
        assert left([process]) == []
        assert not bot.exit.done(), "nothing is told that would be blamed on the bot"
        bot.kill()
        assert bot.exit.done(), "but whoever cleans up need not wait"
        with pytest.raises(ArenaFault, match="the launcher is gone"):
            await start(launcher, "pass")

    scene(work)


def test_a_start_that_is_given_up_leaves_no_process() -> None:
    async def work(launcher: Launcher) -> None:
        starting = asyncio.create_task(start(launcher, "import signal; signal.pause()"))
        await asyncio.sleep(0)
        starting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await starting
        assert (await (await start(launcher, "pass")).exit).code == 0, "orders are taken in turn"
        bots = [child for child in descendants() if any("signal.pause" in word for word in words(child))]
        assert left(bots) == []

    scene(work)


PARENT = """
import asyncio, sys
from pathlib import Path
from arena.bots.launcher import Launcher

async def main():
    launcher = await Launcher.open()
    for folder in sys.argv[2:]:
        await launcher.start((sys.executable, "-I", "-c", sys.argv[1], "pids"), Path(folder), {}, None)
    print("started", flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_no_bot_outlives_the_arena(tmp_path: Path, how: signal.Signals) -> None:
    """Not even one that ignores signals, nor its children."""
    folders = [tmp_path / str(number) for number in range(2)]
    for folder in folders:
        folder.mkdir()
    path = os.pathsep.join(part for part in sys.path if part)
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, STUBBORN, *map(str, folders)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"started\n"
        deadline = time.monotonic() + DEADLINE_S
        while not all((folder / "pids").exists() and (folder / "pids").read_text() for folder in folders):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        below = psutil.Process(parent.pid).children(recursive=True)
        assert len(below) == 5, "the launcher, two bots and their children"
        assert all(is_alive(process) for process in below)
        parent.send_signal(how)
        parent.wait(DEADLINE_S)
        assert left(below) == []
