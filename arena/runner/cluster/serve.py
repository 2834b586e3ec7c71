"""Runs a scheduler, or a worker of this machine, until it is cancelled. Knows Dask's servers, not what is played."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.bots.folders import work_folder
from arena.core.errors import ArenaFault, ConfigError
from arena.runner.cluster import station
from arena.runner.cluster.connect import Keys, address_of, settled, untyped

LOOPBACK = ("127.0.0.1", "localhost", "::1")
START_S = 60.0
"""How long a worker's process may take to start and reach the scheduler."""


def check_open(host: str, keys: Keys, *, insecure: bool) -> None:
    """Raises ConfigError for a scheduler that strangers could reach and use."""
    if host not in LOOPBACK and not keys and not insecure:
        raise ConfigError(
            f"a scheduler on {host} without TLS lets everybody who reaches it run programs here",
            where="--host",
            fix="give --tls-ca, --tls-cert and --tls-key (arena cluster key makes them), listen on 127.0.0.1, or type "
            "--insecure where only you reach the network",
            code="OPEN_SCHEDULER",
        )


async def scheduler(host: str, port: int, keys: Keys, ready: Callable[[str], None]) -> None:
    """A scheduler until it is cancelled; `ready` gets its address. Raises ConfigError when it cannot listen."""
    with work_folder() as scratch, settled(scratch):
        try:
            serving = untyped.Scheduler(
                host=host, port=port, protocol="tls" if keys else "tcp", security=keys.security(), dashboard=False
            )
            await serving
        except OSError as error:
            raise ConfigError(
                f"cannot listen on {host}:{port}: {error.strerror or error}",
                where="--host, --port",
                fix="another port, or end the program that listens there",
            ) from error
        try:
            ready(serving.address)
            await serving.finished()
        finally:
            await serving.close()


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """What a worker is given by whoever starts it."""

    address: str
    slots: int
    name: str
    data: Path
    keys: Keys
    host: str = ""
    """The address under which the scheduler reaches it; empty: found out."""
    port: int = 0
    """Where the scheduler reaches it; 0: any that is free."""
    wait_s: float = 60.0
    """How long it looks for the scheduler, at the start and when that is lost."""


async def worker(settings: WorkerSettings, say: Callable[[str], None]) -> None:
    """A worker until it is cancelled, with a new process whenever one dies. Raises ArenaFault NO_CLUSTER."""
    address = address_of(settings.address, settings.keys)
    variables = {station.NAME: settings.name, station.DATA: str(settings.data.resolve())}
    since = time.monotonic()
    with work_folder() as scratch, settled(scratch):
        while True:
            nanny: Any = untyped.Nanny(
                address,
                nthreads=settings.slots,
                security=settings.keys.security(),
                memory_limit=0,
                env=variables,
                host=settings.host or None,
                worker_port=settings.port,
                death_timeout=settings.wait_s,
                dashboard=False,
                silence_logs=logging.CRITICAL,
                preload=["arena.runner.cluster.hush"],
            )
            try:
                async with asyncio.timeout(START_S):
                    await nanny
                say(f"worker {settings.name} plays {settings.slots} bouts at once for {address}")
                await nanny.finished()
                since = time.monotonic()
                say(f"the scheduler at {address} is gone; waiting for it")
            except (OSError, TimeoutError, ValueError, RuntimeError) as error:
                if time.monotonic() - since > settings.wait_s:
                    raise ArenaFault(
                        f"no scheduler of a cluster can be reached at {address}",
                        where=settings.address,
                        saw=str(error) or type(error).__name__,
                        fix="start it first:  arena cluster scheduler ; check address, firewall and --tls-* files",
                        code="NO_CLUSTER",
                    ) from error
                await asyncio.sleep(1)
            finally:
                with suppress(Exception):
                    await nanny.close(timeout=1)
