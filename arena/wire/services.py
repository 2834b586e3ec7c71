"""The standard gRPC services beside the arena's own: health, and reflection of the protocol.

Both say the same to everyone: which services there are and that they serve, nothing of a game. A call of either is
bounded, as a server's calls are, so that nobody keeps the referee busy with questions.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import grpc
import grpc.aio
from arena_bot.v1 import arena_pb2
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2_grpc

ARENA = arena_pb2.DESCRIPTOR.services_by_name["Arena"].full_name
"""arena.v1.Arena"""
QUESTIONS = 64
"""So many questions are answered in one call of reflection; then it ends, and who has more calls again."""
QUESTION_BYTES = 1024
"""Longer questions are not looked at, and answered like empty ones: looking takes the referee's time."""


async def add_standard_services(server: grpc.aio.Server) -> None:
    """Add health (serving, for the whole server and for arena.v1.Arena) and reflection to a server not yet started."""
    servicer = health.aio.HealthServicer()
    for name in (health.OVERALL_HEALTH, ARENA):
        await servicer.set(name, health_pb2.HealthCheckResponse.SERVING)
    bounded: Any = _Bounded(server)  # Any: the generated functions want a whole server
    health_pb2_grpc.add_HealthServicer_to_server(servicer, bounded)
    names = (ARENA, health.SERVICE_NAME, reflection.SERVICE_NAME)
    reflection_pb2_grpc.add_ServerReflectionServicer_to_server(_Reflection(names), bounded)


class _Bounded:
    """Takes services as a server does, and adds them to one so that long questions are never read."""

    def __init__(self, server: grpc.aio.Server) -> None:
        self._server = server

    def add_generic_rpc_handlers(self, handlers: Any) -> None:
        """The same handlers come by name too."""

    def add_registered_method_handlers(self, service: str, handlers: Mapping[str, Any]) -> None:
        """Add the methods of a service. Any: gRPC's handlers are named tuples without a type that says so."""
        bounded = {
            name: each._replace(request_deserializer=_bounded(each.request_deserializer))
            for name, each in handlers.items()
        }
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, bounded),))


def _bounded(read: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    return lambda data: read(data if len(data) <= QUESTION_BYTES else b"")


class _Reflection(reflection.aio.ReflectionServicer):  # type: ignore[misc]  # the package has no types
    """Answers the first questions of a call."""

    async def ServerReflectionInfo(  # noqa: N802  # gRPC's name
        self, request_iterator: AsyncIterator[Any], context: Any
    ) -> AsyncIterator[Any]:  # Any: the package has no types
        """The answers."""
        async for answer in super().ServerReflectionInfo(_first(request_iterator, QUESTIONS), context):
            yield answer


async def _first(questions: AsyncIterator[Any], most: int) -> AsyncIterator[Any]:
    left = most
    async for question in questions:
        yield question
        left -= 1
        if not left:
            return
