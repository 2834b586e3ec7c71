"""Ways to a cluster: a scheduler's address with certificates, or a cluster of processes on this machine.

Whoever reaches a scheduler's port can run programs as the user that it runs as. A cluster on this machine therefore
listens on loopback only and lets in who has its key, which is drawn for it and is in no file.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import dask
import distributed
from distributed import Client, Security

import arena
from arena.bots.folders import work_folder
from arena.core.errors import ArenaFault, ConfigError
from arena.runner.cluster import station
from arena.runner.cluster.exchange import Exchange, code_there
from arena.runner.cluster.given import no_arena
from arena.runner.cluster.order import code_of_arena

LOCAL = "local"
SETTINGS = {
    "distributed.comm.timeouts.connect": "20s",
    "distributed.comm.retry.count": 2,
    "distributed.worker.memory.terminate": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.profile.enabled": False,
    "distributed.worker.http.routes": [],
    "distributed.scheduler.http.routes": [],
    "distributed.scheduler.worker-ttl": "60s",
}
"""Of Dask, where the arena starts it. What bots use is not the workers' own memory; nothing is served by HTTP."""


@dataclass(frozen=True, slots=True)
class Keys:
    """Files in PEM format, as Dask wants them; all empty: no encryption."""

    ca: Path | None = None
    cert: Path | None = None
    key: Path | None = None

    def __bool__(self) -> bool:
        return self.ca is not None

    def security(self) -> Security:
        """As Dask takes it. Raises ConfigError when some are missing or cannot be read."""
        files = {"--tls-ca": self.ca, "--tls-cert": self.cert, "--tls-key": self.key}
        missing = [name for name, file in files.items() if file is None]
        if len(missing) == len(files):
            return _security()
        if missing:
            raise ConfigError(
                f"{', '.join(missing)} is missing",
                where="command line",
                saw=", ".join(name for name in files if name not in missing),
                fix="give all of --tls-ca, --tls-cert and --tls-key, or none",
            )
        for name, file in files.items():
            try:
                assert file is not None, "none is missing"
                file.read_bytes()
            except OSError as error:
                raise ConfigError(
                    f"{name}: {error.strerror}", where=str(file), fix="a file in PEM format; see docs/clusters.md"
                ) from None
        return _security(
            require_encryption=True,
            tls_ca_file=str(self.ca),
            **{
                f"tls_{who}_{what}": str(file)
                for who in ROLES
                for what, file in (("cert", self.cert), ("key", self.key))
            },
        )


ROLES = ("client", "scheduler", "worker")


untyped: Any = distributed
"""Its constructors have no types."""


def _security(**fields: Any) -> Security:  # Any: as Security takes them
    made: Security = untyped.Security(**fields)
    return made


def settled(scratch: Path) -> AbstractContextManager[object]:
    """Dask as the arena wants it, with its temporary files in a folder, for the time of a block."""
    made: AbstractContextManager[object] = dask.config.set({**SETTINGS, "temporary-directory": str(scratch)})
    return made


def new_key() -> str:
    """A private key and a certificate of its own, in one text (PEM), for all parts of one cluster. Valid for a year."""
    made = untyped.Security.temporary()
    return f"{made.tls_client_key}{made.tls_client_cert}"


def address_of(text: str, keys: Keys) -> str:
    """A scheduler's address in full: "host", "host:port" or "tcp://host:port"."""
    if "://" in text:
        return text
    port = "" if ":" in text else ":8786"
    return f"{'tls' if keys else 'tcp'}://{text}{port}"


def quiet(*, debug: bool = False) -> None:
    """Keep Dask's log off the terminal, whose faults the coordinator says in its own words."""
    for name in ("distributed", "tornado.application", *logging.root.manager.loggerDict):
        if name.split(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.INFO if debug else logging.CRITICAL)


@asynccontextmanager
async def connected(address: str, keys: Keys, wait_s: float) -> AsyncIterator[Client]:
    """A client of the scheduler at an address. Raises ArenaFault NO_CLUSTER when there is none."""
    full = address_of(address, keys)
    try:
        client = await untyped.Client(
            full, asynchronous=True, security=keys.security(), timeout=wait_s, set_as_default=False
        )
    except (OSError, ValueError, RuntimeError) as error:
        raise ArenaFault(
            f"no scheduler of a cluster can be reached at {full}",
            where=address,
            saw=str(error) or type(error).__name__,
            fix="start one:  arena cluster scheduler ; check address, firewall and --tls-* files",
            code="NO_CLUSTER",
        ) from error
    try:
        yield client
    finally:
        await _closed(client)


@asynccontextmanager
async def local(workers: int, data: Path) -> AsyncIterator[Client]:
    """A client of a cluster of processes on this machine, one slot each, that ends with the block.

    `data`: where its workers keep bots, builds and logs.
    """
    security = untyped.Security.temporary()
    with work_folder() as scratch, settled(scratch):
        cluster = await untyped.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
            security=security,
            protocol="tls://",
            asynchronous=True,
            memory_limit=0,
            silence_logs=logging.CRITICAL,
            env={station.DATA: str(data.resolve())},
            preload=["arena.runner.cluster.hush"],
        )
        try:
            client = await untyped.Client(cluster, asynchronous=True, security=security, set_as_default=False)
            try:
                yield client
            finally:
                await _closed(client)
        finally:
            await cluster.close()


async def open_exchange(client: Client) -> None:
    """Open a desk for a coordinator at its scheduler. Raises ArenaFault CLUSTER_VERSION."""
    try:
        code = await cast(Any, client).run_on_scheduler(code_there)
    except (ImportError, AttributeError, TypeError) as error:
        raise no_arena(str(error)) from error
    if code != code_of_arena():
        raise no_arena(f"its arena has other code than version {arena.__version__} here")
    await client.register_plugin(Exchange())
    await cast(Any, client.scheduler).arena_open(client=client.id)


async def _closed(client: Any) -> None:  # Any: its method has no type
    await client.close()
