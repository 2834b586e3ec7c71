"""Conformance: does a bot obey the protocol and the rules, within its limits? Numbered steps, each a plain sentence.

Plays the bot as a tournament would (its own process, socket and clock), but against opponents in this process, so that
a fast bot is checked in seconds. Stops at the first step that fails, unless asked for all.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import psutil

from arena import games
from arena.bots.build import BUILD_S, built
from arena.bots.launcher import Launcher
from arena.bots.manifest import Bot
from arena.bots.version import files_of
from arena.core.chance import bot_seed, digest
from arena.core.errors import BotError
from arena.core.game import AnyGame, SeededBoard
from arena.match.clock import Clock
from arena.match.player import Player, PlayerGone
from arena.match.referee import Played, Table, play_game
from arena.record.results import Fault
from arena.runner.check_players import FutureSession, Impatient, Rejecting, Vanishing, Wrapped, random_player
from arena.runner.slot import Places, Slot
from arena.wire.player import RemotePlayer
from arena.wire.session import PROTOCOL, Session

GOODBYE_S = 5.0
"""How long a bot has to end after goodbye."""
SHORT = {"rook": {"max_hands": 2}, "goat": {"max_deals": 2}}
"""Family -> options that make a whole game of it short."""
Seated = Callable[[Player], Player]


@dataclass(slots=True)
class Step:
    """One step of the check."""

    number: int
    name: str
    sentence: str
    """What is demanded."""
    state: Literal["ok", "failed", "reported", "not run"] = "not run"
    text: str = ""
    where: str = ""
    fix: str = ""
    seconds: float = 0.0


class StepFailed(Exception):
    """A step found something wrong."""

    def __init__(self, text: str, where: str = "", fix: str = "") -> None:
        super().__init__(text)
        self.text, self.where, self.fix = text, where, fix


@dataclass(slots=True)
class Check:
    """A check in progress."""

    bot: Bot
    builds: Path
    clock: Clock = field(default_factory=Clock)
    start_limit_s: float = 10.0
    build_limit_s: float = BUILD_S
    logs: Path | None = None
    moves: dict[tuple[str, int, int], list[str]] = field(default_factory=dict)
    """(ruleset, seats, seat) -> the bot's moves in the game played alone."""
    times_ms: list[float] = field(default_factory=list)
    memory_mb: float = 0.0
    slot: Slot | None = None
    session: Session | None = None

    def steps(self) -> list[tuple[Step, Callable[[], Awaitable[str]]]]:
        """All steps in their order, with what runs them."""
        many = self.bot.concurrent_games
        listed: list[tuple[str, str, Callable[[], Awaitable[str]]]] = [
            ("manifest", "bot.toml names the bot, its games and its command", self._manifest),
            ("build", f"the build steps succeed within {self.build_limit_s:.0f} s", self._build),
            ("hello", f"it starts, connects and says hello within {self.start_limit_s:g} s", self._hello),
            (
                "games",
                "it plays a game of each ruleset it claims, in each seat, legally and in time",
                self._alone,
            ),
            ("together", f"it plays several games at once ({many} allowed by bot.toml)", self._together),
            ("newer arena", "it ignores fields and events that it does not know", self._newer),
            ("rejected", "it goes on after a Rejected", self._rejected),
            ("late", "it goes on after a turn whose deadline passed before its answer", self._late),
            ("forfeit", "it goes on after a game that an opponent forfeited", self._forfeit),
            ("goodbye", f"it ends with status 0 within {GOODBYE_S:g} s after Goodbye", self._goodbye),
            ("same seed", "the same seed gives the same moves (reported, not demanded)", self._same),
            ("limits", "memory and time (reported)", self._limits),
        ]
        return [(Step(number, name, sentence), run) for number, (name, sentence, run) in enumerate(listed, 1)]

    async def _manifest(self) -> str:
        files = [path for _name, path in files_of(self.bot.folder)]
        size = sum(path.stat().st_size for path in files)
        unknown = [name for name in self.bot.games if name != "*" and name not in games.catalog()]
        if unknown:
            raise StepFailed(
                f"games names {unknown[0]!r}, which is no ruleset",
                str(self.bot.folder / "bot.toml"),
                f"ids are {', '.join(games.catalog())}, or * for all",
            )
        language = f"{self.bot.language}, " if self.bot.language else ""
        return f"{self.bot.name}, {language}{len(files)} files, {size / 1000:.0f} kB"

    async def _build(self) -> str:
        began = time.monotonic()
        self.bot = await asyncio.to_thread(built, self.bot, self.builds, self.build_limit_s)
        return (
            f"{time.monotonic() - began:.1f} s of {self.build_limit_s:.0f} s" if self.bot.build else "nothing to build"
        )

    async def _hello(self) -> str:
        assert self.slot is not None, "the check has begun"
        began = time.monotonic()
        try:
            self.session = await self.slot.session()
        except PlayerGone as gone:
            raise StepFailed(
                f"{gone.code}: {gone.message}", "its output: arena bot logs, or run the command by hand", gone.fix
            ) from None
        return f"{time.monotonic() - began:.2f} s, protocol {PROTOCOL}, games: {', '.join(self.bot.games)}"

    def claimed(self) -> list[AnyGame]:
        """A short whole game of every ruleset that the bot claims."""
        found = []
        for variant in games.catalog().values():
            if self.bot.plays(variant.id):
                found.append(variant.make(SHORT.get(variant.family, {})))
                if variant.family == "crow":
                    found.append(variant.make({"players": 3}))
        return found

    async def play(
        self, game: AnyGame, seat: int, wrap: Seated = lambda player: player, opponent: type | None = None
    ) -> Played:
        """One game with the bot in a seat. Raises StepFailed at its first fault."""
        assert self.session is not None, "hello comes first"
        seed = digest(b"arena bot check", game.id, game.seats, seat)
        family = games.catalog()[game.id].family
        players: list[Player] = [random_player(seed, other) for other in range(game.seats)]
        if opponent is not None:
            players[(seat + 1) % game.seats] = opponent(seed, (seat + 1) % game.seats)
        players[seat] = wrap(RemotePlayer(self.session, family))
        seeds = [bot_seed(seed, each) for each in range(game.seats)]
        played = await play_game(Table(game, SeededBoard(seed), players, seeds, self.clock))
        self._keep_memory()
        for fault in played.result.faults:
            if fault.seat == seat:
                raise self._failed(game, played, fault)
        self.times_ms += [move.elapsed_ms for move in played.course.moves if move.seat == seat]
        return played

    def _failed(self, game: AnyGame, played: Played, fault: Fault) -> StepFailed:
        where = f"{game.id}, seat {fault.seat}, turn {fault.turn}"
        if 0 <= fault.turn < len(played.course.moves):
            view = played.course.moves[fault.turn].view
            where += f"; its view: {game.view_data(view)}"
        return StepFailed(f"{fault.code}: {fault.detail}", where, f"arena help {fault.code}")

    def _keep_memory(self) -> None:
        process = self.slot.process_id if self.slot is not None else None
        if process is not None and psutil.pid_exists(process):
            with_children = [psutil.Process(process), *psutil.Process(process).children(recursive=True)]
            self.memory_mb = max(self.memory_mb, sum(each.memory_info().rss for each in with_children) / 1e6)

    def _texts(self, game: AnyGame, seat: int, played: Played) -> list[str]:
        return [game.notation.text(move.move) for move in played.course.moves if move.seat == seat]

    async def _alone(self) -> str:
        count = 0
        for game in self.claimed():
            for seat in range(game.seats):
                played = await self.play(game, seat)
                self.moves[game.id, game.seats, seat] = self._texts(game, seat, played)
                count += 1
        return f"{count} games, {len(self.claimed())} rulesets, every seat"

    async def _together(self) -> str:
        assert self.session is not None, "hello comes first"
        most = self.session.concurrent_games
        if most == 1:
            return "one at a time, as it says"
        room = asyncio.Semaphore(most)
        different = 0

        async def one(game: AnyGame, seat: int) -> None:
            nonlocal different
            async with room:
                played = await self.play(game, seat)
            different += self._texts(game, seat, played) != self.moves[game.id, game.seats, seat]

        keys = [(game, seat) for game in self.claimed() for seat in range(game.seats)]
        async with asyncio.TaskGroup() as group:
            for game, seat in keys:
                group.create_task(one(game, seat))
        note = f"; {different} of them took another course than alone" if different else ""
        return f"{len(keys)} games, up to {min(most, len(keys))} at once{note}"

    async def _one_more(self, wrap: Seated, opponent: type | None = None) -> str:
        game = self.claimed()[0]
        await self.play(game, 0, wrap, opponent)
        await self.play(game, 1)
        return "and played another game"

    async def _newer(self) -> str:
        assert self.session is not None, "hello comes first"
        with FutureSession(self.session):
            return await self._one_more(Wrapped)

    async def _rejected(self) -> str:
        return await self._one_more(Rejecting)

    async def _late(self) -> str:
        return await self._one_more(Impatient)

    async def _forfeit(self) -> str:
        return await self._one_more(Wrapped, Vanishing)

    async def _goodbye(self) -> str:
        assert self.slot is not None, "the check has begun"
        began = time.monotonic()
        ending = await self.slot.leave(GOODBYE_S)
        if ending is None:
            raise StepFailed(
                f"it still runs {GOODBYE_S:g} s after Goodbye",
                fix="end the program when Goodbye or the stream's end comes",
            )
        if ending.code != 0:
            raise StepFailed(f"it {ending}", fix="end with status 0 after Goodbye")
        return f"{time.monotonic() - began:.2f} s"

    async def _same(self) -> str:
        assert self.slot is not None, "the check has begun"
        self.session = await self.slot.session()
        game = self.claimed()[0]
        again = self._texts(game, 0, await self.play(game, 0))
        equal = again == self.moves[game.id, game.seats, 0]
        return "yes, in a fresh process" if equal else "no: a duplicate of a game may take another course"

    async def _limits(self) -> str:
        ordered = sorted(self.times_ms)
        p50, p99 = ordered[len(ordered) // 2], ordered[int(0.99 * len(ordered))]
        over = "" if self.memory_mb <= self.bot.memory_mb else f", more than the {self.bot.memory_mb} MB of bot.toml"
        return f"{self.memory_mb:.0f} MB{over}; {p50:.1f} ms a move in the middle, 99 % under {p99:.1f} ms"


REPORTED = ("same seed", "limits")


async def check_bot(
    bot: Bot, builds: Path, *, every: bool = False, logs: Path | None = None, tell: Callable[[Step], None] | None = None
) -> Sequence[Step]:
    """Run the check; `tell` hears of every step that is done. With `every` steps after a failed one are run too."""
    check = Check(bot, builds, logs=logs)
    steps = check.steps()
    async with AsyncExitStack() as stack:
        launcher = await Launcher.open()
        stack.push_async_callback(launcher.close)
        sockets = stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-"))
        failed = False
        for step, run in steps:
            if failed and (not every or check.session is None):
                break
            if step.name == "hello":
                check.slot = Slot("check", "0", check.bot, launcher, Places(Path(sockets), logs), check.start_limit_s)
                stack.push_async_callback(check.slot.close)
            began = time.monotonic()
            try:
                step.text = await run()
                step.state = "reported" if step.name in REPORTED else "ok"
            except* (StepFailed, BotError) as group:
                error = group.exceptions[0]
                while isinstance(error, BaseExceptionGroup):
                    error = error.exceptions[0]
                step.state, failed = "failed", True
                step.text = error.text if isinstance(error, StepFailed) else error.message
                step.where, step.fix = error.where, error.fix
            step.seconds = time.monotonic() - began
            if tell is not None:
                tell(step)
    return [step for step, _run in steps]
