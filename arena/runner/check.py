"""Conformance: does a bot obey the protocol and the rules, within its limits? Numbered steps, each a plain sentence.

Plays the bot as a tournament would (its own process, socket and clock), but against opponents in this process, so that
a fast bot is checked in seconds. Stops at the first step that fails, unless asked for all.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from arena import games
from arena.bots.build import BUILD_S, built, log_of
from arena.bots.folders import work_folder
from arena.bots.launcher import Launcher
from arena.bots.manifest import Bot
from arena.bots.sandbox.means import NONE, Means
from arena.bots.version import files_of
from arena.core.chance import bot_seed, digest
from arena.core.errors import BotError
from arena.core.game import AnyGame, SeededBoard
from arena.match.clock import Clock
from arena.match.player import Player
from arena.match.referee import Played, Table, play_game
from arena.runner.check_players import FutureSession, Impatient, Rejecting, Vanishing, Wrapped, random_player
from arena.runner.check_process import Processes, against_itself, claimed
from arena.runner.check_report import Step, StepFailed, first_of, forget, in_game, of_error, tail
from arena.runner.slot import Places
from arena.wire.player import RemotePlayer
from arena.wire.session import PROTOCOL

START_S = 10.0
GOODBYE_S = 5.0
"""How long a bot has to end after goodbye."""
NEEDED = ("manifest", "build", "hello")
"""Without these nothing else can be tried."""
REPORTED = ("same seed", "limits")
Seated = Callable[[Player], Player]


@dataclass(slots=True)
class Setting:
    """How a bot is checked."""

    builds: Path
    logs: Path | None = None
    """Where its output is kept; None: nowhere."""
    clock: Clock = field(default_factory=Clock)
    start_limit_s: float = START_S
    build_limit_s: float = BUILD_S
    means: Means = NONE
    """How bots are kept apart here."""
    boards: int = 0
    """Boards that the bot plays against itself in each ruleset it claims, when it is to be added."""


@dataclass(slots=True)
class Check:
    """A check in progress."""

    processes: Processes
    setting: Setting
    moves: dict[tuple[str, int, int], list[str]] = field(default_factory=dict)
    """(ruleset, seats, seat) -> the bot's moves in the game played alone."""
    times_ms: list[float] = field(default_factory=list)

    @property
    def bot(self) -> Bot:
        """The bot, built once that step is done."""
        return self.processes.bot

    def steps(self) -> list[tuple[Step, Callable[[], Awaitable[str]]]]:
        """All steps in their order, with what runs them."""
        many = self.bot.concurrent_games
        listed: list[tuple[str, str, Callable[[], Awaitable[str]]]] = [
            ("manifest", "bot.toml names the bot, its games and its command", self._manifest),
            ("build", f"the build steps succeed within {self.setting.build_limit_s:.0f} s", self._build),
            ("hello", f"it starts, connects and says hello within {self.setting.start_limit_s:g} s", self._hello),
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
        if self.setting.boards:
            sentence = (
                f"it plays {self.setting.boards} boards of each ruleset it claims against itself, without a fault"
            )
            listed.append(("self-play", sentence, self._against_itself))
        return [(Step(number, name, sentence), run) for number, (name, sentence, run) in enumerate(listed, 1)]

    async def _manifest(self) -> str:
        files = [path for _name, path in files_of(self.bot.folder, built=bool(self.bot.build))]
        size = sum(path.stat().st_size for path in files)
        unknown = [name for name in self.bot.games if name != "*" and name not in games.catalog()]
        if unknown:
            raise StepFailed(
                f"games names {unknown[0]!r}, which is no ruleset",
                where=str(self.bot.folder / "bot.toml"),
                fix=f"ids are {', '.join(games.catalog())}, or * for all",
                came_back=f"games = {list(self.bot.games)}",
                code="BAD_MANIFEST",
            )
        if not self.bot.games:
            raise StepFailed(
                "games is empty",
                where=str(self.bot.folder / "bot.toml"),
                fix="name the rulesets it plays",
                code="BAD_MANIFEST",
            )
        language = f"{self.bot.language}, " if self.bot.language else ""
        return f"{self.bot.name}, {language}{len(files)} files, {size / 1000:.0f} kB"

    async def _build(self) -> str:
        if not self.bot.build:
            return "nothing to build"
        began, setting = time.monotonic(), self.setting
        try:
            self.processes.bot = await asyncio.to_thread(
                built, self.bot, setting.builds, setting.build_limit_s, setting.means
            )
        except BotError as error:
            raise of_error(error, {"build": self.bot.build}, log_of(self.bot, setting.builds)) from None
        return f"{time.monotonic() - began:.1f} s of {setting.build_limit_s:.0f} s"

    async def _hello(self) -> str:
        began = time.monotonic()
        await self.processes.ready()
        return f"{time.monotonic() - began:.2f} s, protocol {PROTOCOL}, games: {', '.join(self.bot.games)}"

    async def play(
        self, game: AnyGame, seat: int, wrap: Seated = lambda player: player, opponent: type | None = None
    ) -> Played:
        """One game with the bot in a seat. Raises StepFailed at its first fault."""
        session = await self.processes.ready()
        seed = digest(b"arena bot check", game.id, game.seats, seat)
        family = games.catalog()[game.id].family
        players: list[Player] = [random_player(seed, other) for other in range(game.seats)]
        if opponent is not None:
            players[(seat + 1) % game.seats] = opponent(seed, (seat + 1) % game.seats)
        players[seat] = wrap(RemotePlayer(session, family))
        seeds = [bot_seed(seed, each) for each in range(game.seats)]
        played = await play_game(Table(game, SeededBoard(seed), players, seeds, self.setting.clock))
        self.processes.measure()
        for fault in played.result.faults:
            if fault.seat == seat:
                raise in_game(game, played, fault)
        self.times_ms += [move.elapsed_ms for move in played.course.moves if move.seat == seat]
        return played

    def _texts(self, game: AnyGame, seat: int, played: Played) -> list[str]:
        return [game.notation.text(move.move) for move in played.course.moves if move.seat == seat]

    async def _alone(self) -> str:
        count = 0
        for game in claimed(self.bot):
            for seat in range(game.seats):
                played = await self.play(game, seat)
                self.moves[game.id, game.seats, seat] = self._texts(game, seat, played)
                count += 1
        rulesets = len({game.id for game in claimed(self.bot)})
        return f"{count} games, {rulesets} ruleset{'s' * (rulesets > 1)}, every seat"

    async def _together(self) -> str:
        most = (await self.processes.ready()).concurrent_games
        if most == 1:
            return "one at a time, as it says"
        room = asyncio.Semaphore(most)
        different = 0

        async def one(game: AnyGame, seat: int) -> None:
            nonlocal different
            async with room:
                played = await self.play(game, seat)
            different += self._texts(game, seat, played) != self.moves.get((game.id, game.seats, seat))

        keys = [(game, seat) for game in claimed(self.bot) for seat in range(game.seats)]
        async with asyncio.TaskGroup() as group:
            for game, seat in keys:
                group.create_task(one(game, seat))
        note = f"; {different} of them took another course than alone" if different else ""
        return f"{len(keys)} games, up to {min(most, len(keys))} at once{note}"

    async def _one_more(self, wrap: Seated, opponent: type | None = None) -> str:
        game = claimed(self.bot)[0]
        await self.play(game, 0, wrap, opponent)
        await self.play(game, 1)
        return "and played another game"

    async def _newer(self) -> str:
        with FutureSession(await self.processes.ready()):
            return await self._one_more(Wrapped)

    async def _rejected(self) -> str:
        return await self._one_more(Rejecting)

    async def _late(self) -> str:
        return await self._one_more(Impatient)

    async def _forfeit(self) -> str:
        return await self._one_more(Wrapped, Vanishing)

    async def _goodbye(self) -> str:
        await self.processes.ready()
        slot = self.processes.release()
        assert slot is not None, "ready() has made one"
        began = time.monotonic()
        ending = await slot.leave(GOODBYE_S)
        problem = (
            f"it still runs after {GOODBYE_S:g} s" if ending is None else f"it {ending}" if ending.code != 0 else ""
        )
        if problem:
            raise StepFailed(
                problem,
                where="after Goodbye",
                fix="end the program with status 0 when Goodbye or the end of the stream comes",
                sent={"goodbye": "done"},
                came_back=problem,
                log=slot.log,
                code="EXIT",
            )
        return f"{time.monotonic() - began:.2f} s"

    async def _same(self) -> str:
        game = claimed(self.bot)[0]
        again = self._texts(game, 0, await self.play(game, 0))
        equal = again == self.moves.get((game.id, game.seats, 0))
        return "yes, in a fresh process" if equal else "no: a duplicate of a game may take another course"

    async def _limits(self) -> str:
        if not self.times_ms:
            return "nothing was measured"
        ordered = sorted(self.times_ms)
        p50, p99 = ordered[len(ordered) // 2], ordered[int(0.99 * len(ordered))]
        memory_mb = self.processes.memory_mb
        over = "" if memory_mb <= self.bot.memory_mb else f", more than the {self.bot.memory_mb} MB of bot.toml"
        return f"{memory_mb:.0f} MB{over}; {p50:.1f} ms a move in the middle, 99 % under {p99:.1f} ms"

    async def _against_itself(self) -> str:
        await self.processes.end()
        count = await against_itself(self.processes, self.setting.boards, self.setting.clock)
        return f"{count} games against itself"


async def check_bot(
    bot: Bot, setting: Setting, *, every: bool = False, tell: Callable[[Step], None] | None = None
) -> Sequence[Step]:
    """Run the check; `tell` hears of every step that is done. With `every` steps after a failed one are run too, with
    a fresh process each time.
    """
    async with AsyncExitStack() as stack:
        launcher = await Launcher.open(setting.means)
        stack.push_async_callback(launcher.close)
        sockets = stack.enter_context(work_folder())
        if setting.logs is None:
            (sockets / "logs").mkdir()
        else:
            forget(setting.logs, bot.name)
        places = Places(sockets, setting.logs or sockets / "logs")
        check = Check(Processes(bot, launcher, places, setting.start_limit_s), setting)
        stack.push_async_callback(check.processes.end)
        steps = check.steps()
        for step, run in steps:
            began = time.monotonic()
            try:
                step.text = await run()
                step.state = "reported" if step.name in REPORTED else "ok"
            except* (StepFailed, BotError) as group:
                await _failed(check, step, first_of(group))
            step.seconds = time.monotonic() - began
            if tell is not None:
                tell(step)
            if step.state == "failed" and (not every or step.name in NEEDED):
                break
    return [step for step, _run in steps]


async def _failed(check: Check, step: Step, error: StepFailed) -> None:
    """Write down why a step failed; the bot's process ends, so that its last words can be read."""
    log = await check.processes.end()
    step.state, step.text, step.where, step.fix = "failed", error.text, error.where, error.fix
    step.code = error.code
    step.sent, step.came_back = error.sent, error.came_back
    log = error.log or log
    step.output = tail(log)
    if step.output and (check.setting.logs is not None or step.name == "build"):
        step.log = str(log)
