"""How a bot reaches the arena: a unix socket in the clear, anything else over TLS. It knows addresses, no frames.

ARENA_ADDRESS    a gRPC target: "unix:/run/arena/seat.sock", or "host:port" for an arena on another machine
ARENA_TLS_CA     a PEM file with the certificates that are trusted; those of the system if it is not set
ARENA_INSECURE   "1": no TLS, on this machine only, for tests
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import grpc.aio

OPTIONS = [
    ("grpc.max_receive_message_length", -1),
    ("grpc.enable_http_proxy", 0),
]
ALIVE = [
    # A bot may wait for its turn for a long time; what lies between must not take the connection for dead.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.http2.max_pings_without_data", 0),
]


class CannotDial(ValueError):
    """The variables do not say how to reach the arena safely."""


def is_plain(address: str, variables: Mapping[str, str]) -> bool:
    """Whether an address is dialled without TLS. Raises CannotDial for a token that would cross a network so."""
    if address.startswith(("unix:", "unix-abstract:")):
        return True
    if variables.get("ARENA_INSECURE") != "1":
        return False
    host = address.rpartition("/")[2].rpartition(":")[0].strip("[]")
    if host in ("localhost", "::1") or host.startswith("127."):
        return True
    raise CannotDial(f"ARENA_INSECURE is for this machine only, not for {address!r}: it would show the token to others")


def channel(address: str, variables: Mapping[str, str]) -> grpc.aio.Channel:
    """A channel to the arena. Raises CannotDial."""
    import grpc.aio  # slow to import, and not needed by tests and practice

    if is_plain(address, variables):
        return grpc.aio.insecure_channel(address, options=OPTIONS)
    file = variables.get("ARENA_TLS_CA")
    try:
        trusted = Path(file).read_bytes() if file else None
    except OSError as error:
        raise CannotDial(f"ARENA_TLS_CA: {file!r} cannot be read: {error.strerror}") from error
    return grpc.aio.secure_channel(address, grpc.ssl_channel_credentials(trusted), options=[*OPTIONS, *ALIVE])
