"""Marks in a bot's output which turn was put to it: its log says "[turn 31]" before what it wrote for that turn.

A mark is a number and nothing else of the game. Bots that write nothing cost nothing: after the first turns only the
output of those is marked that have written something. A mark that cannot be written at once is left out.
"""

from __future__ import annotations

import os
from contextlib import suppress

from arena.bots.launcher import BotProcess
from arena.bots.output import mark
from arena.wire.session import Session

FIRST = 8
"""So many turns of a process are marked in any case."""


class Marking:
    """The marks in the output of one process."""

    def __init__(self, process: BotProcess, session: Session) -> None:
        self._process = process
        self._session = session
        self._count = 0
        try:
            self._output = process.open_output()
        except OSError:
            self._output = -1
            return
        session.mark = self.put
        process.on_output = self._resume

    def put(self, game: int, turn: int) -> None:
        """A turn is about to be put to the bot; `game` as it is called on the bot's connection."""
        self._count += 1
        label = f"turn {turn}" if game == 1 else f"game {game} turn {turn}"
        if self._count > FIRST and not self._process.wrote:
            label += " or later"
            self._session.mark = None
        with suppress(OSError):
            os.write(self._output, mark(label))

    def _resume(self) -> None:
        self._session.mark = self.put

    def close(self) -> None:
        """The process is over."""
        self._session.mark = None
        self._process.on_output = lambda: None
        if self._output >= 0:
            os.close(self._output)
            self._output = -1
