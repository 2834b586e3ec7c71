"""The flags by which a command finds a cluster, and what they mean together."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.flags import UsageError
from arena.core.errors import ConfigError

if TYPE_CHECKING:
    from arena.runner.cluster.connect import Keys
    from arena.runner.cluster.event import Cluster

CA = Annotated[
    Path | None, typer.Option("--tls-ca", metavar="PEM", help="The certificate that signs those of the cluster.")
]
CERT = Annotated[Path | None, typer.Option("--tls-cert", metavar="PEM", help="The own certificate.")]
KEY = Annotated[Path | None, typer.Option("--tls-key", metavar="PEM", help="Its private key.")]
WHERE = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS|local",
        help="Played by the workers of a Dask scheduler, or by some on this machine.",
    ),
]
WAIT = Annotated[
    float | None,
    typer.Option("--wait", metavar="S", min=0, max=86_400, help="How long a worker is waited for, seconds (60)."),
]
WAIT_S = 60.0


def need_dask() -> None:
    """Raises ConfigError NO_EXTRA where Dask is not installed."""
    if importlib.util.find_spec("distributed") is None:
        raise ConfigError(
            "clusters need the library distributed, which is not installed",
            where="--cluster",
            fix="pip install 'card-arena[cluster]'",
            code="NO_EXTRA",
        )


def keys_of(ca: Path | None, cert: Path | None, key: Path | None) -> Keys:
    """The files as they were typed. Raises ConfigError when some are missing or cannot be read."""
    need_dask()
    from arena.runner.cluster.connect import Keys

    keys = Keys(ca, cert, key)
    keys.security()
    return keys


def cluster_of(
    where: str | None,
    ca: Path | None,
    cert: Path | None,
    key: Path | None,
    wait_s: float | None,
    *,
    workers: int,
    data: Path,
) -> Cluster | None:
    """Which cluster plays; None where none was asked for. Raises UsageError for flags that do not fit."""
    typed = {"--tls-ca": ca, "--tls-cert": cert, "--tls-key": key, "--wait": wait_s}
    given = [name for name, value in typed.items() if value is not None]
    if where is None:
        if given:
            raise UsageError(f"{given[0]} without --cluster", fix="name the cluster: --cluster ADDRESS")
        return None
    if where == "local" and (tls := [name for name in given if name != "--wait"]):
        raise UsageError(f"{tls[0]} with --cluster local", fix="leave it out: a key is drawn for every such cluster")
    need_dask()
    from arena.runner.cluster.event import Cluster

    return Cluster(where, keys_of(ca, cert, key), WAIT_S if wait_s is None else wait_s, workers, data)
