"""`arena cluster`: the parts of a cluster that plays tournaments: a scheduler, workers, a key for both."""

from __future__ import annotations

import os
import socket
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.app import Command, Group, settings_of
from arena.cli.clusters import CA, CERT, KEY, WAIT_S, keys_of, need_dask
from arena.cli.output import Column, Output
from arena.core.errors import ConfigError

if TYPE_CHECKING:
    from arena.runner.cluster.order import Statement

ADDRESS = Annotated[str, typer.Argument(metavar="ADDRESS", help="The scheduler's: host, host:port, tcp:// or tls://")]
HEADINGS = ("name", "host", "arena", "slots", "cores", "tier", "languages", "refused")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(
        name="cluster", cls=Group, help="Scheduler, workers and keys of a cluster.", no_args_is_help=True
    )
    group.command("scheduler", cls=Command)(scheduler)
    group.command("worker", cls=Command)(worker)
    group.command("status", cls=Command)(status)
    group.command("key", cls=Command)(key)
    app.add_typer(group)


def scheduler(
    ctx: typer.Context,
    host: Annotated[str, typer.Option("--host", metavar="H", help="Where it listens.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="P", min=0, max=65_535, help="0: any that is free.")] = 8786,
    tls_ca: CA = None,
    tls_cert: CERT = None,
    tls_key: KEY = None,
    insecure: Annotated[bool, typer.Option("--insecure", help="No TLS on a network where only you are.")] = False,
) -> None:
    """A scheduler, until Ctrl-C: workers and coordinators dial it, and it dials nobody.

    \b
    arena cluster scheduler
    arena cluster scheduler --host 0.0.0.0 --tls-ca c.pem --tls-cert c.pem --tls-key c.pem
    """
    output: Output = ctx.obj
    keys = keys_of(tls_ca, tls_cert, tls_key)
    from arena.cli import stoppable
    from arena.runner.cluster import serve
    from arena.runner.cluster.connect import quiet

    quiet(debug=output.flags.debug)
    serve.check_open(host, keys, insecure=insecure)
    stoppable.run(serve.scheduler(host, port, keys, lambda address: output.error_line(f"scheduler at {address}")))


def worker(
    ctx: typer.Context,
    address: ADDRESS,
    slots: Annotated[
        int | None, typer.Option("--slots", metavar="N", min=1, max=256, help="Bouts at once; one for each processor.")
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", metavar="W", help="Stored with every game that it plays; else host:process.")
    ] = None,
    host: Annotated[str, typer.Option("--host", metavar="H", help="Its own address, if it has several.")] = "",
    port: Annotated[
        int, typer.Option("--port", metavar="P", min=0, max=65_535, help="Where the scheduler reaches it; 0: any.")
    ] = 0,
    wait: Annotated[
        float, typer.Option("--wait", metavar="S", min=0, help="How long the scheduler is looked for, seconds.")
    ] = WAIT_S,
    tls_ca: CA = None,
    tls_cert: CERT = None,
    tls_key: KEY = None,
) -> None:
    """A worker on this machine, until Ctrl-C or until the scheduler is gone for too long.

    Bots, builds and logs are kept in the data folder (--data).

    \b
    arena cluster worker scheduler.example
    arena cluster worker tls://10.0.0.1:8786 --slots 4 --name node-7 --tls-ca c.pem --tls-cert c.pem --tls-key c.pem
    """
    output: Output = ctx.obj
    keys = keys_of(tls_ca, tls_cert, tls_key)
    from arena.cli import stoppable
    from arena.runner.cluster import serve
    from arena.runner.cluster.connect import quiet

    quiet(debug=output.flags.debug)
    settings = serve.WorkerSettings(
        address=address,
        slots=slots or len(os.sched_getaffinity(0)),
        name=checked_name(name) if name is not None else default_name(),
        data=settings_of(output).data,
        keys=keys,
        host=host,
        port=port,
        wait_s=wait,
    )
    stoppable.run(serve.worker(settings, output.error_line))


def default_name() -> str:
    """The host and this process, as the workers of one machine are called."""
    pid = f":{os.getpid()}"
    return f"{socket.gethostname()[: 64 - len(pid)]}{pid}"


def checked_name(name: str) -> str:
    """A worker's name as it was typed. Raises ConfigError."""
    if not (0 < len(name) <= 64 and name.isprintable() and not any(char.isspace() for char in name)):
        raise ConfigError(
            f"no worker can be called {name!r}", where="--name", saw=repr(name), fix="1 to 64 characters, no spaces"
        )
    return name


def status(
    ctx: typer.Context,
    address: ADDRESS,
    wait: Annotated[
        float, typer.Option("--wait", metavar="S", min=0, help="How long the scheduler is looked for, seconds.")
    ] = 10.0,
    tls_ca: CA = None,
    tls_cert: CERT = None,
    tls_key: KEY = None,
) -> None:
    """The workers of a cluster, and what each states: slots, cores, sandbox tier, languages.

    \b
    arena cluster status scheduler.example
    arena cluster status scheduler.example --json
    """
    output: Output = ctx.obj
    keys = keys_of(tls_ca, tls_cert, tls_key)
    from arena.cli import stoppable
    from arena.runner.cluster.connect import connected, quiet
    from arena.runner.cluster.roll import stated_by_all

    quiet(debug=output.flags.debug)

    async def ask() -> tuple[list[tuple[Statement, str]], list[str]]:
        async with connected(address, keys, wait) as client:
            return await stated_by_all(client)

    stated, broken = stoppable.run(ask())
    for line in broken:
        output.error_line(line)
    rows = [row_of(each, refused) for each, refused in stated]
    if output.flags.json:
        output.document("cluster/1", rows)
    elif output.flags.csv:
        output.rows(HEADINGS, [[_flat(row[heading]) for heading in HEADINGS] for row in rows])
    elif rows:
        columns = [Column(heading) for heading in HEADINGS]
        output.table(columns, [[_flat(row[heading]) for heading in HEADINGS] for row in rows])
    else:
        output.note(f"no worker yet; start one:  arena cluster worker {address}")


def row_of(stated: Statement, refused: str) -> dict[str, Any]:  # Any: JSON
    """A worker as JSON data."""
    data = asdict(stated)
    return {
        "name": stated.name,
        "host": stated.host,
        "arena": stated.version,
        "code": stated.code,
        **{key: data[key] for key in ("slots", "cores")},
        "tier": stated.tier.value,
        "languages": list(stated.languages),
        "refused": refused or None,
    }


def _flat(value: Any) -> str:  # Any: JSON
    return ", ".join(value) if isinstance(value, list) else "-" if value is None else str(value)


def key(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE.pem", help="Made, with mode 0600; never written over.")],
) -> None:
    """A key and its certificate in one file, for all parts of one cluster.

    Whoever has the file may run programs on every machine of the cluster: copy it by ssh or as a secret of Kubernetes.

    \b
    arena cluster key cluster.pem
    arena cluster scheduler --host 0.0.0.0 --tls-ca cluster.pem --tls-cert cluster.pem --tls-key cluster.pem
    """
    output: Output = ctx.obj
    need_dask()
    from arena.runner.cluster.connect import new_key

    text = new_key()
    try:
        with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as made:
            made.write(text)
    except OSError as error:
        raise ConfigError(
            f"the key cannot be written: {error.strerror}", where=str(file), fix="the path of a file that is not there"
        ) from None
    if output.flags.json:
        output.document("cluster-key/1", {"file": str(file)})
    else:
        output.line(str(file))
    output.next_step(f"arena cluster scheduler --host 0.0.0.0 --tls-ca {file} --tls-cert {file} --tls-key {file}")
