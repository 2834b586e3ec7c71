"""Messages between the coordinator and its workers: pickled values with a length before each, over pipes.

Both ends are processes of one arena on one machine; nothing a bot wrote is ever unpickled, only values made here.
"""

from __future__ import annotations

import asyncio
import pickle
from dataclasses import dataclass
from typing import Any

from arena.core.errors import ArenaFault
from arena.runner.bout import BoutTask
from arena.store.values import StoredGame

LENGTH_BYTES = 4


@dataclass(frozen=True, slots=True)
class Play:
    """To a worker: play this bout."""

    task: BoutTask


@dataclass(frozen=True, slots=True)
class Finish:
    """To a worker: begin no more games."""


@dataclass(frozen=True, slots=True)
class Ready:
    """From a worker: waiting for a bout."""


@dataclass(frozen=True, slots=True)
class Began:
    """From a worker: so many games are running now."""

    running: int


@dataclass(frozen=True, slots=True)
class Ended:
    """From a worker: a game is over."""

    game: StoredGame


@dataclass(frozen=True, slots=True)
class Failed:
    """From a worker: the arena failed while it played the bout."""

    error: str
    fault: ArenaFault | None = None
    """What is known about it."""


ToWorker = Play | Finish
FromWorker = Ready | Began | Ended | Failed


def pack(message: ToWorker | FromWorker) -> bytes:
    """A message as bytes."""
    data = pickle.dumps(message, protocol=5)
    return len(data).to_bytes(LENGTH_BYTES, "big") + data


async def read(stream: asyncio.StreamReader) -> Any:  # Any: ToWorker or FromWorker, by the end of the pipe
    """The next message, None at the end of the stream (also when it ends in the middle of a message)."""
    try:
        length = int.from_bytes(await stream.readexactly(LENGTH_BYTES), "big")
        return pickle.loads(await stream.readexactly(length))
    except (asyncio.IncompleteReadError, ConnectionResetError):
        return None
