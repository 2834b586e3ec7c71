"""The flags with which `arena play` waits for bots on other machines, and what they mean together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.flags import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.runner.remote import Listening

Listen = Annotated[
    str | None,
    typer.Option("--listen", metavar="HOST:PORT", help="Where the bots called remote:NAME dial in with their tokens."),
]
Certificate = Annotated[
    Path | None, typer.Option("--tls-cert", metavar="PEM", help="The certificate that they will see, with its chain.")
]
Key = Annotated[Path | None, typer.Option("--tls-key", metavar="PEM", help="Its private key.")]
Insecure = Annotated[bool, typer.Option("--insecure", help="No TLS; on 127.0.0.1 only.")]
Wait = Annotated[
    float, typer.Option("--wait", metavar="S", min=0, max=86_400, help="How long remote bots are waited for, seconds.")
]
Reconnect = Annotated[
    float,
    typer.Option(
        "--reconnect", metavar="S", min=0, max=3600, help="How long a lost one may be away while its clock runs."
    ),
]


def listening_of(
    bots: Sequence[str],
    listen: str | None,
    certificate: Path | None,
    key: Path | None,
    insecure: bool,
    wait_s: float,
    reconnect_s: float,
) -> Listening | None:
    """Where remote bots are waited for; None where there is none. Raises UsageError for flags that do not fit."""
    remote = [bot for bot in bots if bot.startswith("remote:")]
    if not remote:
        if listen is not None:
            raise UsageError("--listen without a remote bot", fix="name one as remote:NAME, or leave --listen out")
        return None
    from arena.runner.remote import Listening
    from arena.wire.tls import check_address

    if listen is None:
        raise UsageError(
            f"{remote[0]} needs an address to dial in at", fix="add  --listen HOST:PORT --tls-cert C --tls-key K"
        )
    if (certificate is None) != (key is None):
        raise UsageError("--tls-cert and --tls-key belong together", fix="give both")
    if insecure and certificate is not None:
        raise UsageError("--insecure is for no TLS at all", fix="leave --insecure out")
    if not insecure and certificate is None:
        raise UsageError(
            "no certificate for --listen",
            fix="give --tls-cert and --tls-key; docs/remote-bots.md shows how a pair is made",
        )
    host, port = read_address(listen)
    check_address(host, port, tls=not insecure)
    return Listening(host, port, certificate, key, wait_s, reconnect_s)


def read_address(text: str) -> tuple[str, int]:
    """Host and port of a text like "127.0.0.1:4443" or "[::]:4443". Raises UsageError."""
    host, _, port = text.rpartition(":")
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    elif ":" in host:
        host = ""
    if not host or not (port.isascii() and port.isdecimal() and int(port) < 65_536):
        raise UsageError(
            f"--listen cannot be {text!r}",
            saw=f"--listen {text}",
            fix="write HOST:PORT, like 0.0.0.0:4443 or [::]:4443",
        )
    return host, int(port)
