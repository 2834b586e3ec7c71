"""A bot that shows another seat's token is out at once; the owner of the token is not touched. Exits are named."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from arena_bot.v1 import arena_pb2 as pb
from wire.tables import METHOD, dial

from arena.bots.manifest import find_bot
from arena.bots.sandbox.means import NONE, Means
from arena.match.player import PlayerGone
from arena.record.tiers import Tier
from arena.runner import slot as slots
from arena.runner.slot import TOKENS, Places, Slot

LIMIT_S = 60


class Bot:
    """In the place of a process: it lives until it is killed, and does what a test writes for it."""

    pid = 0

    def __init__(self) -> None:
        self.exit: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def kill(self) -> None:
        if not self.exit.done():
            self.exit.set_result(None)


class Launcher:
    """Starts such bots, in boxes or without; notes each seat's folder and token."""

    def __init__(self, means: Means) -> None:
        self.means = means
        self.seats: list[tuple[str, str]] = []
        self.bots: list[Bot] = []

    async def start_box(self, box: tuple[Path, str], _log: Path | None) -> Bot:
        return self.begin(f"unix:{box[0]}/seat.sock", box[1])

    async def start(self, _program: object, _folder: Path, variables: dict[str, str], _log: Path | None) -> Bot:
        return self.begin(variables["ARENA_ADDRESS"], variables["ARENA_TOKEN"])

    def begin(self, address: str, token: str) -> Bot:
        self.seats.append((address, token))
        self.bots.append(Bot())
        return self.bots[-1]

    async def began(self) -> tuple[str, str]:
        """(address, token) of the first start."""
        async with asyncio.timeout(LIMIT_S):
            while not self.seats:
                await asyncio.sleep(0.01)
        return self.seats[0]


def hello(token: str) -> bytes:
    return pb.BotFrame(events=[pb.BotEvent(hello=pb.Hello(versions=["1.0"], token=token))]).SerializeToString()


async def show(address: str, token: str) -> Any:
    """Say hello with a token; the channel and what comes back first."""
    channel = dial(address)
    call: Any = channel.stream_stream(METHOD)()
    await call.write(hello(token))
    return channel, pb.ArenaFrame.FromString(await asyncio.wait_for(call.read(), LIMIT_S)).events[0]


def with_slot(
    tmp_path: Path, scene: Callable[[Slot, Launcher, str], Coroutine[Any, Any, None]], means: Means | None = None
) -> None:
    """Play a scene with a slot, its launcher and the live token of another seat."""

    async def main() -> None:
        launcher: Any = Launcher(means or Means(Tier.A))
        slot = Slot("fox-r1-t1-g1-1", find_bot("basic"), launcher, Places(tmp_path, None), LIMIT_S)
        stolen = TOKENS.issue()
        try:
            await scene(slot, launcher, stolen)
        finally:
            TOKENS.retire(stolen)
            await slot.close()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slots, "box_of", lambda _bot, seat, token, _means, _limits: (seat, token))
        asyncio.run(main())


def test_a_bot_that_comes_with_a_stolen_token_is_out_and_not_started_again(tmp_path: Path) -> None:
    async def scene(slot: Slot, launcher: Launcher, stolen: str) -> None:
        waiting = asyncio.create_task(slot.session())
        address, _ = await launcher.began()
        channel, answer = await show(address, stolen)
        assert answer.goodbye.reason.startswith("BAD_TOKEN")
        for attempt in (waiting, slot.session()):
            with pytest.raises(PlayerGone, match="showed the token of another seat") as gone:
                await asyncio.wait_for(attempt, LIMIT_S / 2)
            assert (gone.value.code, gone.value.attempt, gone.value.process) == ("BAD_TOKEN", True, "fox-r1-t1-g1-1")
        assert slot.starts == 1
        await channel.close()

    with_slot(tmp_path, scene)


def test_a_bot_that_plays_and_shows_a_stolen_token_loses_its_games_at_once(tmp_path: Path) -> None:
    async def scene(slot: Slot, launcher: Launcher, stolen: str) -> None:
        waiting = asyncio.create_task(slot.session())
        address, token = await launcher.began()
        first, welcome = await show(address, token)
        assert welcome.HasField("welcome")
        session = await asyncio.wait_for(waiting, LIMIT_S)
        second, refused = await show(address, stolen)
        assert refused.goodbye.reason.startswith("BAD_TOKEN")
        assert session.gone is not None
        assert (session.gone.code, session.gone.attempt) == ("BAD_TOKEN", True)
        assert session.gone.process.startswith("fox-r1-t1-g1-1#1-")
        with pytest.raises(PlayerGone):
            await slot.session()
        assert slot.starts == 1
        await first.close()
        await second.close()

    with_slot(tmp_path, scene)


def test_without_a_box_nobody_can_say_who_showed_it(tmp_path: Path) -> None:
    """There any bot reaches any socket, and a thief could have another one blamed."""

    async def scene(slot: Slot, launcher: Launcher, stolen: str) -> None:
        waiting = asyncio.create_task(slot.session())
        address, token = await launcher.began()
        other, refused = await show(address, stolen)
        assert refused.goodbye.reason.startswith("BAD_TOKEN")
        own, welcome = await show(address, token)
        assert welcome.HasField("welcome")
        assert (await asyncio.wait_for(waiting, LIMIT_S)).gone is None
        await other.close()
        await own.close()

    with_slot(tmp_path, scene, NONE)


def test_every_process_that_said_hello_has_a_name_of_its_own(tmp_path: Path) -> None:
    async def scene(slot: Slot, launcher: Launcher, _stolen: str) -> None:
        names = []
        for number in range(2):
            waiting = asyncio.create_task(slot.session())
            async with asyncio.timeout(LIMIT_S):
                while len(launcher.seats) <= number:
                    await asyncio.sleep(0.01)
            channel, _welcome = await show(*launcher.seats[number])
            session = await asyncio.wait_for(waiting, LIMIT_S)
            session.lost(PlayerGone("it crashed", code="CRASH"))
            assert session.gone is not None
            names.append(session.gone.process)
            await channel.close()
        first, second = names
        assert first.startswith("fox-r1-t1-g1-1#1-")
        assert second.startswith("fox-r1-t1-g1-1#2-")

    with_slot(tmp_path, scene)
