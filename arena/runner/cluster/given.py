"""A bout that is out on a cluster, and what is said when the cluster itself is not what it should be."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import arena
from arena.core.errors import ArenaError, ArenaFault
from arena.runner.bout import BoutTask
from arena.tournament.schedule import keys_of


@dataclass(eq=False, slots=True)
class Given:
    """A bout that is out."""

    task: BoutTask
    key: str
    workers: tuple[str, ...]
    """Addresses of those that may play it."""
    arrived: set[tuple[int, int]] = field(default_factory=set)
    changed: asyncio.Event = field(default_factory=asyncio.Event)


def left_of(task: BoutTask) -> bool:
    """Whether a bout has games that are not to be left out."""
    return any((key.board, key.seating) not in task.skip for key in keys_of(task.bout))


def no_arena(saw: str) -> ArenaError:
    """The error for a scheduler without the arena's part."""
    return ArenaFault(
        "the cluster's scheduler has no arena, or another one",
        where="scheduler",
        saw=saw,
        fix=f"start it by  arena cluster scheduler  where arena {arena.__version__} is installed",
        code="CLUSTER_VERSION",
    )


def lost_scheduler(error: BaseException | None) -> ArenaFault:
    """The error for a scheduler that is gone."""
    return ArenaFault(
        "the connection to the cluster's scheduler is lost",
        where="scheduler",
        saw=str(error or "it does not know this run any more"),
        fix="everything finished is saved; see that the scheduler runs, then give the same command again",
        code="CLUSTER_LOST",
    )
