"""What the socket of a seat takes: gRPC's options, calls, headers, junk. The protocol's limits are in session.py."""

from __future__ import annotations

from collections.abc import Iterable

from arena.core.errors import BotError
from arena.wire.allowance import Rate

OPTIONS = (
    # Above the arena's own limits, so that the session sees who sent too much and says so; gRPC does not tell. Not far
    # above: a message is copied while every game waits, and sixteen calls may bring one each at the same moment.
    ("grpc.max_receive_message_length", 2 * 1024 * 1024),
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

JUNK = Rate(per_s=100, burst=1000)
"""More replies that match no turn, unreadable frames and empty events than this are a flood and end the session."""
JUNK_BYTES = 4096
"""So many bytes of a frame that holds junk count like one more piece of it."""
WAITING_EVENTS = 1024
"""More events than this that wait to be sent are more than any bot that reads its stream leaves waiting."""
LEAST_PATIENCE_S, MOST_PATIENCE_S = 5.0, 600.0
"""Bounds of the time that one write may take; see `Session` in session.py."""
TOLD = frozenset({"BACKPRESSURE", "FLOOD", "OVERSIZE"})
"""Codes of a lost session that are told to the bot, in place of all that waits to be sent."""


def check_metadata(metadata: Iterable[tuple[str, str | bytes]]) -> None:
    """Raises BotError METADATA for more than any bot needs."""
    sizes = [len(name) + len(value) for name, value in metadata]
    if len(sizes) > METADATA_ENTRIES or sum(sizes) > METADATA_BYTES:
        raise BotError(
            f"{len(sizes)} headers of {sum(sizes)} bytes; at most {METADATA_ENTRIES} of {METADATA_BYTES} are read",
            code="METADATA",
        )
