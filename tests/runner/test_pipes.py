"""Messages between coordinator and worker: whole or not at all."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from runner.bouts import house, task
from store.samples import forfeit

from arena.runner import pipes


def read_all(data: bytes) -> list[Any]:
    async def work() -> list[Any]:
        stream = asyncio.StreamReader()
        stream.feed_data(data)
        stream.feed_eof()
        found = []
        while (message := await pipes.read(stream)) is not None:
            found.append(message)
        return found

    return asyncio.run(work())


MESSAGES = [
    pipes.Play(task({"random": house("random"), "basic": house("basic")}, 2, 2, skip=frozenset({(1, 0)}))),
    pipes.Finish(),
    pipes.Ready(),
    pipes.Began(3),
    pipes.Ended(forfeit(1, 2)),
    pipes.Failed("a traceback\nof lines"),
]


def test_messages_come_out_as_they_went_in() -> None:
    assert read_all(b"".join(map(pipes.pack, MESSAGES))) == MESSAGES


@pytest.mark.parametrize("cut", [1, 3, 5, 40])
def test_a_message_that_was_cut_short_is_the_end(cut: int) -> None:
    whole = pipes.pack(MESSAGES[4])
    assert read_all(pipes.pack(pipes.Ready()) + whole[:cut]) == [pipes.Ready()]


def test_the_secret_is_in_no_repr() -> None:
    assert repr(task({"a": house("random"), "b": house("basic")}).secret) not in repr(MESSAGES[0])
