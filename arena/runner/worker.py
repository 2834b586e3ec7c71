"""A worker: a referee on one asyncio loop, with a launcher beside it, that plays the bouts it is given.

Run as `python -m arena.runner.worker FOLDER [--messages]` by the crew; speaks `pipes` on its standard input and output.
It ends, with all its bots, when its standard input ends, and removes the folder, which holds its temporary files, so
that a dead coordinator leaves nothing behind.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sys
import tempfile
import traceback
from pathlib import Path

from arena.bots.launcher import Launcher
from arena.bots.sandbox.means import Means
from arena.core.errors import ArenaFault
from arena.runner import pipes
from arena.runner.bout import BoutTask, Listener, play_bout
from arena.runner.crew import MESSAGES
from arena.runner.means import MEANS
from arena.runner.spectating.onlookers import looked_on
from arena.store.values import StoredGame
from arena.wire.messages import told


class Worker:
    """The loop of one worker."""

    def __init__(self, orders: asyncio.StreamReader, reports: asyncio.WriteTransport, launcher: Launcher) -> None:
        self.orders = orders
        self.reports = reports
        self.launcher = launcher
        self.stopping = False
        self.playing: asyncio.Task[None] | None = None

    async def serve(self) -> None:
        """Play until the orders end."""
        self.say(pipes.Ready())
        while (order := await pipes.read(self.orders)) is not None:
            match order:
                case pipes.Play(task):
                    self.playing = asyncio.create_task(self.play(task))
                case pipes.Finish():
                    self.stopping = True
        if self.playing is not None:
            self.playing.cancel()
            await asyncio.wait({self.playing}, timeout=2)

    async def play(self, task: BoutTask) -> None:
        """One bout; whatever goes wrong here is the arena's fault and said so."""
        try:
            async with looked_on(task, Listener(self.ended, self.began, lambda: self.stopping)) as listener:
                await play_bout(task, self.launcher, listener)
        except Exception as error:
            self.say(pipes.Failed(traceback.format_exc(), error if isinstance(error, ArenaFault) else None))
        else:
            self.say(pipes.Ready())

    def ended(self, game: StoredGame) -> None:
        """Report a game."""
        self.say(pipes.Ended(game))

    def began(self, running: int) -> None:
        """Report how many games are running."""
        self.say(pipes.Began(running))

    def say(self, report: pipes.FromWorker) -> None:
        """Send a report without waiting: a slow coordinator must not stop the clocks here. At most a bout waits."""
        if not self.reports.is_closing():
            self.reports.write(pipes.pack(report))


async def main() -> None:
    """Serve on standard input and output."""
    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing printed by accident may reach the pipe
    loop = asyncio.get_running_loop()
    reports, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, pipe)
    orders = asyncio.StreamReader(limit=2**24)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)
    try:
        launcher = await Launcher.open(Means.from_data(json.loads((Path(tempfile.gettempdir()) / MEANS).read_text())))
    except ArenaFault as fault:
        reports.write(pipes.pack(pipes.Failed(fault.message, fault)))
        return
    try:
        await Worker(orders, reports, launcher).serve()
    finally:
        await launcher.close()


if __name__ == "__main__":
    # Ctrl-C reaches the whole foreground group; the coordinator decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    tempfile.tempdir = sys.argv[1]
    try:
        with told(MESSAGES in sys.argv[2:]):
            asyncio.run(main())
    finally:
        shutil.rmtree(tempfile.tempdir, ignore_errors=True)
    os._exit(0)  # whatever is left of gRPC has no loop any more
