"""A crew on a cluster for the time of one run: connects, and lets go at its end, also when it is told to stop first."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from distributed import Client

from arena.runner.cluster.connect import LOCAL, Keys, connected, local
from arena.runner.cluster.crew import ClusterCrew
from arena.runner.crew import Stop


@dataclass(frozen=True, slots=True)
class Cluster:
    """Which cluster plays, and on what conditions."""

    where: str
    """A scheduler's address, or "local"."""
    keys: Keys
    wait_s: float
    """How long a worker that is fit is waited for, seconds."""
    workers: int
    """Of a cluster on this machine."""
    data: Path
    """Where those keep bots, builds and logs."""
    shelter: str = "auto"
    tier_minimum: str = ""


@asynccontextmanager
async def crew_on(cluster: Cluster, stop: Stop, note: Callable[[str], None]) -> AsyncIterator[ClusterCrew]:
    """The crew of a cluster. Raises ArenaFault NO_CLUSTER, and CancelledError when told to stop before it is there."""
    opened: AbstractAsyncContextManager[Client]
    if cluster.where == LOCAL:
        opened = local(cluster.workers, cluster.data)
    else:
        opened = connected(cluster.where, cluster.keys, cluster.wait_s)
    client = await _unless_stopped(opened, stop)
    try:
        yield ClusterCrew(
            client, stop, shelter=cluster.shelter, tier_minimum=cluster.tier_minimum, wait_s=cluster.wait_s, note=note
        )
    finally:
        await opened.__aexit__(None, None, None)


async def _unless_stopped(opened: AbstractAsyncContextManager[Client], stop: Stop) -> Client:
    """Enter, unless told to stop meanwhile."""

    async def enter() -> Client:
        return await opened.__aenter__()

    entering = asyncio.create_task(enter())
    stopping = asyncio.create_task(stop.soft.wait())
    try:
        await asyncio.wait([entering, stopping], return_when=asyncio.FIRST_COMPLETED)
        if not entering.done():
            entering.cancel()
            await asyncio.gather(entering, return_exceptions=True)
            raise asyncio.CancelledError
        return entering.result()
    finally:
        stopping.cancel()
