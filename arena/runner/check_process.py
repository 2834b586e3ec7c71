"""The processes of a bot that is checked: one at a time, and one for each seat when it plays against itself."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

import psutil

from arena import games
from arena.bots.launcher import Launcher
from arena.bots.manifest import Bot
from arena.core.chance import bot_seed, digest
from arena.core.game import AnyGame, SeededBoard
from arena.match.clock import Clock
from arena.match.player import PlayerGone
from arena.match.referee import Table, play_game
from arena.runner.check_report import in_game, of_error
from arena.runner.slot import Places, Slot
from arena.wire.player import RemotePlayer
from arena.wire.session import Session

SHORT = {"rook": {"max_hands": 2}, "goat": {"max_deals": 2}}
"""Family -> options that make a whole game of it short."""


def claimed(bot: Bot) -> list[AnyGame]:
    """A short whole game of every ruleset that a bot claims; The Crow and the Pitcher for three and for four."""
    found = []
    for variant in games.catalog().values():
        if bot.plays(variant.id):
            found.append(variant.make(SHORT.get(variant.family, {})))
            if variant.family == "crow":
                found.append(variant.make({"players": 3}))
    return found


@dataclass(slots=True)
class Processes:
    """Starts the bot when it is needed, once for each step that asks for it; never a second time behind its back."""

    bot: Bot
    launcher: Launcher
    places: Places
    start_limit_s: float
    slot: Slot | None = None
    session: Session | None = None
    count: int = 0
    memory_mb: float = 0.0
    """The most that was seen."""

    async def ready(self) -> Session:
        """The session of the bot, which is started if it was ended. Raises StepFailed when it cannot be started."""
        if self.session is None:
            self.slot = self.new_slot()
            self.session = await self.hello_of(self.slot)
        return self.session

    def new_slot(self) -> Slot:
        """A place for one more process of the bot."""
        self.count += 1
        name = f"{self.bot.name}-p{self.count}"
        return Slot(name, self.bot, self.launcher, self.places, self.start_limit_s, max_starts=1)

    async def hello_of(self, slot: Slot) -> Session:
        """Start the bot and wait for its hello. Raises StepFailed."""
        try:
            return await slot.session()
        except PlayerGone as gone:
            sent = {"command": list(self.bot.command), "variables": ["ARENA_ADDRESS", "ARENA_TOKEN"]}
            await slot.close()
            raise of_error(gone, sent, slot.log, str(self.bot.folder / "bot.toml")) from None

    async def end(self) -> Path | None:
        """End the bot; where its output is now."""
        slot = self.release()
        if slot is None:
            return None
        await slot.close()
        return slot.log

    def release(self) -> Slot | None:
        """Hand the running bot over to the caller, who ends it; the next `ready` starts another."""
        slot, self.slot, self.session = self.slot, None, None
        return slot

    def measure(self) -> None:
        """Look how much memory the bot uses now."""
        number = self.slot.process_id if self.slot is not None else None
        if number is None:
            return
        try:
            process = psutil.Process(number)
            used = sum(each.memory_info().rss for each in [process, *process.children(recursive=True)])
        except psutil.NoSuchProcess:
            return
        self.memory_mb = max(self.memory_mb, used / 1e6)


async def against_itself(processes: Processes, boards: int, clock: Clock) -> int:
    """Boards of each ruleset it claims with the bot in every seat; returns how many games that were.

    All games share the processes, one for each seat, and as many are played at once as the bot allows. Raises
    StepFailed at the first fault.
    """
    chosen = claimed(processes.bot)
    slots = [processes.new_slot() for _ in range(max(game.seats for game in chosen))]
    try:
        sessions = [await processes.hello_of(slot) for slot in slots]
        room = asyncio.Semaphore(min(session.concurrent_games for session in sessions))

        async def one(game: AnyGame, board: int) -> None:
            async with room:
                seed = digest(b"arena bot add", game.id, game.seats, board)
                family = games.catalog()[game.id].family
                players = [RemotePlayer(session, family) for session in sessions[: game.seats]]
                seeds = [bot_seed(seed, seat) for seat in range(game.seats)]
                played = await play_game(Table(game, SeededBoard(seed), players, seeds, clock))
            for fault in played.result.faults:
                failed = in_game(game, played, fault)
                failed.log = slots[fault.seat].log
                raise failed

        async with asyncio.TaskGroup() as group:
            for game in chosen:
                for board in range(1, boards + 1):
                    group.create_task(one(game, board))
    finally:
        await asyncio.gather(*(slot.close() for slot in slots))
    return len(chosen) * boards
