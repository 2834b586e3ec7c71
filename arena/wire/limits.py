"""What the socket of a seat takes: of gRPC's own options, and of calls and headers. Frames have theirs in `session`."""

from __future__ import annotations

from collections.abc import Iterable

from arena.core.errors import BotError
from arena.wire.allowance import Rate
from arena.wire.session import LARGEST_BYTES

OPTIONS = (
    # Far above the arena's own limits, so that the session sees who sent too much and says so; gRPC does not tell.
    ("grpc.max_receive_message_length", 16 * LARGEST_BYTES),
    # Likewise: gRPC reads what `METADATA` refuses. Both limits are the same, or gRPC refuses by chance in between.
    ("grpc.max_metadata_size", 64 * 1024),
    ("grpc.absolute_max_metadata_size", 64 * 1024),
    ("grpc.server_handshake_timeout_ms", 2_000),
    # A connection without a call is closed; one with a call may be silent for as long as it likes.
    ("grpc.max_connection_idle_ms", 4_000),
    ("grpc.max_allowed_incoming_connections", 4),
    ("grpc.max_concurrent_streams", 8),
    ("grpc.so_reuseport", 0),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 5_000),
    ("grpc.http2.max_ping_strikes", 0),
)
MOST_RPCS = 16
"""Calls of all services at a time; gRPC refuses the others."""
MOST_WAITING = 4
"""Calls of Play at a time that have not said hello."""
METADATA_BYTES, METADATA_ENTRIES = 8 * 1024, 64
"""More metadata than this is refused."""
HELLO_S = 4.5
"""A call that has not said hello for so long is refused; the bot may call again within its start limit."""
DUPLICATE_S = 0.5
"""So long a second connection may take to show its token before it is refused."""
CALLS = Rate(per_s=10, burst=500)
"""More calls than this, of any method, are a flood."""
PARTING_S = 0.25
"""How long a bot that sent too much has to read why it is sent away."""


def check_metadata(metadata: Iterable[tuple[str, str | bytes]]) -> None:
    """Raises BotError METADATA for more than any bot needs."""
    sizes = [len(name) + len(value) for name, value in metadata]
    if len(sizes) > METADATA_ENTRIES or sum(sizes) > METADATA_BYTES:
        raise BotError(
            f"{len(sizes)} headers of {sum(sizes)} bytes; at most {METADATA_ENTRIES} of {METADATA_BYTES} are read",
            code="METADATA",
        )
