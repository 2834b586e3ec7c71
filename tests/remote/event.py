"""A small event of remote bots in one process: guests dial in on loopback, play their first legal move, and may be made
to wait, leave and come back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
from arena_bot.v1 import arena_pb2 as pb
from remote.dialling import DEADLINE_S, hello

from arena.runner.crew import Stop
from arena.runner.cup_file import load_cup
from arena.runner.events.bulletin import bulletin_file
from arena.runner.events.remote_event import RemoteEvent, past_of, with_remote
from arena.runner.events.rules import Rules
from arena.runner.plan import Progress
from arena.runner.prepare import prepare
from arena.runner.remote import Listening
from arena.runner.roster import Roster
from arena.runner.tournament import run_tournament
from arena.store.store import Store
from arena.store.tokens import Tokens

REMOTE = ("fox", "owl", "elk")
# By the seed elk meets basic in the first round; without owl fox meets basic in every third one.
FILE = """
name = "open"
game = "crowsnest"
bots = ["remote:fox", "remote:owl", "remote:elk", "basic"]
boards = {boards}
sandbox = "none"
seed = "guests 0"
[options]
max_hands = 1
[clock]
bank = 60
cap = 30
"""


class Guest:
    """One connection of a bot, from its hello to the arena's goodbye or until it leaves."""

    def __init__(self, port: int, token: str, hold: asyncio.Event | None = None) -> None:
        """`hold`: nothing is answered before it is set."""
        self.goodbye = ""
        self.seeds: list[int] = []
        self.turns = 0
        self.asked = asyncio.Event()
        """A turn has come."""
        self.welcome = asyncio.Event()
        self._port, self._token, self._hold = port, token, hold
        self._playing = asyncio.create_task(self._play())

    async def over(self) -> str:
        """The goodbye."""
        await asyncio.wait_for(self._playing, 3 * DEADLINE_S)
        return self.goodbye

    async def leave(self) -> None:
        """Without a word."""
        self._playing.cancel()
        await asyncio.gather(self._playing, return_exceptions=True)

    async def _play(self) -> None:
        options = [("grpc.use_local_subchannel_pool", 1)]
        async with grpc.aio.insecure_channel(f"127.0.0.1:{self._port}", options=options) as channel:
            call: Any = channel.stream_stream("/arena.v1.Arena/Play")()
            await call.write(pb.BotFrame(events=[hello(self._token, games=8)]).SerializeToString())
            with suppress(grpc.aio.AioRpcError):
                while not self.goodbye and (data := await call.read()) is not grpc.aio.EOF:
                    for event in pb.ArenaFrame.FromString(data).events:
                        await self._hear(call, event)
                await call.done_writing()

    async def _hear(self, call: Any, event: pb.ArenaEvent) -> None:
        match event.WhichOneof("event"):
            case "welcome":
                self.welcome.set()
            case "game_start":
                self.seeds.append(event.game_start.seed)
            case "goodbye":
                self.goodbye = event.goodbye.reason
            case "turn":
                self.asked.set()
                if self._hold is not None:
                    await self._hold.wait()
                self.turns += 1
                await call.write(pb.BotFrame(events=[first_legal(event.turn)]).SerializeToString())


def first_legal(turn: pb.Turn) -> pb.BotEvent:
    """The first legal move, or the first cards to choose from."""
    answer = pb.Reply(game=turn.game, turn=turn.turn, choice=0)
    if turn.legal.HasField("choose"):
        choose = turn.legal.choose
        cards = pb.CardSet(cards=choose.cards[: choose.count])
        answer = pb.Reply(game=turn.game, turn=turn.turn, move=pb.Move(discard=cards))
    return pb.BotEvent(reply=answer)


Script = Callable[["Run"], Awaitable[None]]


class Organiser:
    """A data folder with tokens, in which one event is run as often as one likes."""

    def __init__(self, folder: Path, boards: int = 2, text: str = FILE) -> None:
        self.data = folder / "arena"
        self.file = folder / "cup.toml"
        self.file.write_text(text.format(boards=boards), encoding="utf-8")
        with Tokens.open(self.data) as tokens:
            self.tokens = {name: tokens.issue(name, "", 2, None)[1] for name in REMOTE}
        self.store = Store.open(self.data)

    def run(self, rules: Rules, script: Script, reconnect_s: float = 0.0) -> Run:
        """Run the event to its end, or until the script stops it."""
        return asyncio.run(self._run(rules, script, reconnect_s))

    async def _run(self, rules: Rules, script: Script, reconnect_s: float) -> Run:
        cup = load_cup(self.file, find=with_remote(Roster(self.data).find, self.data, self.file))
        plan = prepare(self.store, cup.settings(), self.data)
        number = plan.tournament.id
        out = {each.quarantine.bot for each in self.store.quarantines(number, active=True)}
        listening = Listening("127.0.0.1", 0, None, None, 0, reconnect_s)
        told: list[str] = []
        event = RemoteEvent(
            plan,
            listening,
            rules,
            self.data,
            past=past_of(self.store.rounds(number), out),
            tell=told.append,
            file=bulletin_file(self.data, "open"),
        )
        run = Run(self, event, told)
        stop = run.stop
        async with event.players(stop) as crew:
            acting = asyncio.create_task(run.act(script))
            playing = asyncio.create_task(run_tournament(self.store, event.plan, 1, stop, run.see, crew))
            await asyncio.wait({acting, playing}, return_when=asyncio.FIRST_COMPLETED)
            if acting.done() and acting.exception() is not None:
                stop.press()
                stop.press()
            run.progress = await asyncio.wait_for(playing, 6 * DEADLINE_S)
        await asyncio.wait_for(acting, DEADLINE_S)
        run.goodbyes = {name: [await guest.over() for guest in guests] for name, guests in run.guests.items()}
        return run


class Run:
    """One run of the event, for the script that acts in it and for those who look at it afterwards."""

    def __init__(self, organiser: Organiser, event: RemoteEvent, told: list[str]) -> None:
        self.organiser = organiser
        self.event = event
        self.told = told
        self.stop = Stop()
        self.guests: dict[str, list[Guest]] = {}
        self.goodbyes: dict[str, list[str]] = {}
        self.progress: Progress | None = None
        self._latest: Progress | None = None

    async def act(self, script: Script) -> None:
        await asyncio.wait_for(script(self), 5 * DEADLINE_S)

    def see(self, progress: Progress) -> None:
        self._latest = progress

    async def comes(self, *names: str, hold: asyncio.Event | None = None) -> None:
        """Bots dial in with both connections, and are welcome."""
        for name in names:
            self.guests[name] = [Guest(self.event.port, self.organiser.tokens[name], hold) for _ in range(2)]
        for name in names:
            for guest in self.guests[name]:
                await asyncio.wait_for(guest.welcome.wait(), DEADLINE_S)

    async def leaves(self, name: str) -> None:
        """A bot is gone, and the arena knows."""
        for guest in self.guests.pop(name):
            await guest.leave()
        lobby = self.event.lobby
        assert lobby is not None, "the door is open"
        await self.until(lambda: name not in lobby.ready())

    def asked(self, name: str) -> bool:
        """Whether it was a bot's turn."""
        return any(guest.asked.is_set() for guest in self.guests.get(name, ()))

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(3 * DEADLINE_S):
            while not condition():
                await asyncio.sleep(0.01)

    async def games(self, count: int) -> None:
        """Wait until so many games are done."""
        await self.until(lambda: self._latest is not None and self._latest.games >= count)
