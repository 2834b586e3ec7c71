"""Health and reflection beside the arena's own service, as any gRPC tool asks for them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import grpc
import grpc.aio
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from arena.wire.server import SeatServer
from arena.wire.services import ARENA, QUESTION_BYTES, QUESTIONS


def asked(tmp_path: Path, ask):
    """What `ask(channel)` finds out from a seat's server."""

    async def serve():
        address = f"unix:{tmp_path}/seat.sock"
        server = SeatServer(address, "token", 1)
        await server.start()
        try:
            async with grpc.aio.insecure_channel(address) as channel, asyncio.timeout(30):
                return await ask(channel)
        finally:
            await server.stop()

    return asyncio.run(serve())


@pytest.mark.parametrize("service", ["", ARENA])
def test_health_says_serving(tmp_path, service):
    async def ask(channel):
        return await health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(service=service))

    assert asked(tmp_path, ask).status == health_pb2.HealthCheckResponse.SERVING


def test_reflection_lists_the_arena_and_hands_out_its_files(tmp_path):
    async def ask(channel):
        stub = reflection_pb2_grpc.ServerReflectionStub(channel)
        requests = [
            reflection_pb2.ServerReflectionRequest(list_services=""),
            reflection_pb2.ServerReflectionRequest(file_containing_symbol=ARENA),
        ]
        return [answer async for answer in stub.ServerReflectionInfo(iter(requests))]

    listed, files = asked(tmp_path, ask)
    assert {each.name for each in listed.list_services_response.service} >= {ARENA, "grpc.health.v1.Health"}
    assert any(b"arena/v1/arena.proto" in file for file in files.file_descriptor_response.file_descriptor_proto)


def test_one_call_of_reflection_answers_so_many_questions_and_no_more(tmp_path):
    async def ask(channel):
        stub = reflection_pb2_grpc.ServerReflectionStub(channel)
        question = reflection_pb2.ServerReflectionRequest(list_services="")
        for _ in range(2):
            call = stub.ServerReflectionInfo()
            for _ in range(QUESTIONS):
                await call.write(question)
                assert (await call.read()).HasField("list_services_response")
            assert await call.read() is grpc.aio.EOF
        return await call.code()

    assert asked(tmp_path, ask) is grpc.StatusCode.OK


def test_long_questions_are_not_looked_at(tmp_path):
    long = "\U0001f600" * (QUESTION_BYTES // 2)

    async def ask(channel):
        stub = reflection_pb2_grpc.ServerReflectionStub(channel)
        question = reflection_pb2.ServerReflectionRequest(file_by_filename=long)
        answers = [answer async for answer in stub.ServerReflectionInfo(iter([question]))]
        health = await health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(service=long))
        return answers, health

    [answer], health = asked(tmp_path, ask)
    assert answer.HasField("error_response")
    assert not answer.HasField("original_request") or not answer.original_request.file_by_filename
    assert health.status == health_pb2.HealthCheckResponse.SERVING  # as of the whole server
