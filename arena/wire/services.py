"""The standard gRPC services beside the arena's own: health, and reflection of the protocol.

Both say the same to everyone: which services there are and that they serve, nothing of a game.
"""

from __future__ import annotations

import grpc.aio
from arena_bot.v1 import arena_pb2
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

ARENA = arena_pb2.DESCRIPTOR.services_by_name["Arena"].full_name
"""arena.v1.Arena"""


async def add_standard_services(server: grpc.aio.Server) -> None:
    """Add health (serving, for the whole server and for arena.v1.Arena) and reflection to a server not yet started."""
    servicer = health.aio.HealthServicer()
    for name in (health.OVERALL_HEALTH, ARENA):
        await servicer.set(name, health_pb2.HealthCheckResponse.SERVING)
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    reflection.enable_server_reflection((ARENA, health.SERVICE_NAME, reflection.SERVICE_NAME), server)
