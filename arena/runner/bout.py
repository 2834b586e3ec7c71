"""Plays one bout: generation after generation, all boards of a seating at once, with fresh processes each time.

All seatings of one board must not reach the same process, which would know every hand the second time; so every
generation plays one seating of all boards and then its processes end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from arena import games
from arena.bots.folders import work_folder
from arena.bots.launcher import LAUNCHER_LOST, Launcher
from arena.bots.manifest import Bot
from arena.bots.sandbox.limits import BOT
from arena.core import chance
from arena.core.errors import ArenaFault
from arena.core.game import AnyGame, SeededBoard
from arena.match.clock import Clock, wall_cap_ms
from arena.match.heartbeat import Heartbeat
from arena.match.player import Player, PlayerGone
from arena.match.referee import MoveRecord, Played, Table, play_game
from arena.record import transcript
from arena.record.results import NOBODY_STARTED, Bout, GameKey, GameResult, Verdict
from arena.runner.host import read_host
from arena.runner.slot import Places, Slot
from arena.store.values import StoredGame, public_id
from arena.wire.player import AbsentPlayer, RemotePlayer

REMOTE_TIER = "remote"
"""Of games with a bot on a machine of its own, where nobody knows what it does: they have pools of their own."""
NO_SEED = 0
"""Offered to remote bots, whose games nobody plays again."""


@dataclass(frozen=True, slots=True)
class BoutTask:
    """A bout with all that a worker on any machine needs to play it."""

    bout: Bout
    game: str
    options: Mapping[str, object]
    """Every field of the ruleset that is played."""
    secret: bytes = field(repr=False)
    bots: Mapping[str, Bot]
    """Competitor -> bot version."""
    clock: Clock | None = field(default_factory=Clock)
    isolation: str = "generation"
    skip: frozenset[tuple[int, int]] = frozenset()
    """(board, seating) pairs that are stored already."""
    logs: str = ""
    """Folder for the bots' output; empty: nothing is kept."""
    event: str = "arena"
    """Prefix of the games' public ids."""
    start_limit_s: float = 10.0
    sandbox: str = "auto"
    """As the event asks: "auto" or "none"; the worker's launcher knows how bots are kept apart."""
    attempt: int = 1
    """1, or one more for every time its blocks were void before."""
    live: str = ""
    """Folder for what those who look on may see of its games; empty: nobody looks on."""
    redraw: int = 0
    """Added to the number of the board that is dealt, for every attempt after the first; 0: the same cards again."""

    def cards_of(self, board: int) -> int:
        """The number of the board that is dealt in a game."""
        return board + (self.attempt - 1) * self.redraw


Watch = Callable[[GameKey, tuple[str, ...]], Callable[[MoveRecord, Any], None]]
"""For those who look on: (key, competitors by seat) of a game that begins -> what is called after each of its moves."""


class RemoteSeat(Protocol):
    """A slot whose bot is on a machine of its own: nothing is started, and it may come back when it was lost."""

    async def player(self, family: str) -> Player:
        """A player for one game. Raises PlayerGone when the bot is not there."""
        ...

    async def concurrent_games(self) -> int:
        """How many games the bot plays at once."""
        ...

    async def close(self) -> None:
        """The generation is over."""
        ...


Remotes = Callable[[Bot], RemoteSeat]
"""Gives each place of a remote bot a slot."""


@dataclass(frozen=True, slots=True)
class Listener:
    """Who is told what while a bout is played, and who may stop it."""

    ended: Callable[[StoredGame], None]
    """A game is over."""
    running: Callable[[int], None] = lambda _games: None
    """So many games are running now."""
    stopping: Callable[[], bool] = lambda: False
    """Whether no new game may begin."""
    watch: Watch | None = None


async def play_bout(task: BoutTask, launcher: Launcher, listener: Listener, remotes: Remotes | None = None) -> None:
    """Play what is missing of a bout, generation after generation. `remotes` is needed where a bot is remote."""
    game = games.make(task.game, task.options)
    async with Heartbeat(read_host) as heart:
        for seating in range(task.bout.seatings):
            boards = [board for board in task.bout.boards if (board, seating) not in task.skip]
            batches = [boards] if task.isolation == "generation" else [[board] for board in boards]
            for batch in batches:
                if batch and not listener.stopping():
                    await Generation(task, game, launcher, seating, listener, heart, remotes).play(batch)


class Generation:
    """One seating of the boards of a bout, with one set of processes."""

    def __init__(
        self,
        task: BoutTask,
        game: AnyGame,
        launcher: Launcher,
        seating: int,
        listener: Listener,
        heart: Heartbeat,
        remotes: Remotes | None = None,
    ) -> None:
        self.listener = listener
        self.heart = heart
        self.running = 0
        self.task = task
        self.game = game
        self.launcher = launcher
        self.seating = seating
        self.remotes = remotes
        self.slots: dict[tuple[str, int], Slot | RemoteSeat] = {}

    async def play(self, boards: Iterable[int]) -> None:
        """Play the boards, as many at once as the bots allow."""
        bout = self.task.bout
        with work_folder() as sockets:
            logs = Path(self.task.logs) if self.task.logs else None
            for competitor, copy in sorted({self._slot_at(bout.boards[0], seat) for seat in range(self.game.seats)}):
                bot = self.task.bots[competitor]
                if bot.remote:
                    assert self.remotes is not None, "somebody opened a door for remote bots"
                    self.slots[competitor, copy] = self.remotes(bot)
                    continue
                self.slots[competitor, copy] = Slot(
                    self.process_name(competitor, copy),
                    bot,
                    self.launcher,
                    Places(sockets, logs),
                    self.task.start_limit_s,
                    overload_since=self.heart.overload_since,
                    limits=replace(BOT, cpu_s=self._cpu_s()),
                )
            try:
                async with asyncio.TaskGroup() as group:
                    guard = group.create_task(self._guard())
                    at_once = min(await asyncio.gather(*(slot.concurrent_games() for slot in self.slots.values())))
                    room = asyncio.Semaphore(at_once)

                    async def one(board: int) -> None:
                        async with room:
                            if not self.listener.stopping():
                                self._change(1)
                                self.listener.ended(await self._game(board))
                                self._change(-1)

                    await asyncio.wait([group.create_task(one(board)) for board in boards])
                    guard.cancel()
            except ExceptionGroup as several:
                raise several.exceptions[0] from None
            finally:
                await asyncio.gather(*(slot.close() for slot in self.slots.values()))

    def process_name(self, competitor: str, copy: int) -> str:
        """The name of a process in logs and faults. A block played again writes over no log of before."""
        bout = self.task.bout
        again = f"-b{bout.boards[0]}-a{self.task.attempt}" if self.task.attempt > 1 else ""
        return f"{competitor}-r{bout.round}-t{bout.table}-g{self.seating + 1}-{copy + 1}{again}"

    async def _guard(self) -> None:
        """Ends the generation, as the arena's fault, when bots are ended by what is none of their doing."""
        await self.launcher.lost.wait()
        raise ArenaFault(self.launcher.why_lost, code=LAUNCHER_LOST)

    def _cpu_s(self) -> int:
        """Processor time that no process of a generation can need, seconds: as if it had all clocks for itself."""
        task = self.task
        cap = wall_cap_ms(task.clock, self.game.seats, self.game.max_moves, round(task.start_limit_s * 1000))
        return round(len(task.bout.boards) * cap / 1000) if cap is not None else 0

    def _change(self, by: int) -> None:
        self.running += by
        self.listener.running(self.running)

    async def _game(self, board: int) -> StoredGame:
        """One game of the generation."""
        task, game, bout = self.task, self.game, self.task.bout
        seed = chance.board_seed(task.secret, game.id, game.describe(), task.cards_of(board))
        key = GameKey(bout.round, board, bout.table, self.seating)
        seated = self._seats(board)
        sessions = await asyncio.gather(*(self._player(slot) for _name, slot in seated))
        names = tuple(name for name, _slot in seated)
        began = asyncio.get_running_loop().time()
        table = Table(
            game=game,
            board=SeededBoard(seed),
            players=sessions,
            seeds=[
                NO_SEED if task.bots[name].remote else chance.bot_seed(seed, seat) for seat, name in enumerate(names)
            ],
            clock=task.clock,
            start_limit_ms=round(task.start_limit_s * 1000),
            overload_since=self.heart.overload_since,
            host_since=self.heart.host_since,
            watch=self.listener.watch(key, names) if self.listener.watch is not None else None,
        )
        played = await play_game(table)
        elapsed_ms = round((asyncio.get_running_loop().time() - began) * 1000)
        result = played.result
        if result.verdict is not Verdict.VOID and all(isinstance(player, AbsentPlayer) for player in sessions):
            result = GameResult(Verdict.VOID, (), (), (), result.forfeits, result.faults, reason=NOBODY_STARTED)
        identity = public_id(task.event, key)
        bots = [task.bots[name].reference for name in names]
        result = with_transcript(game, played, result, identity, bots)
        away = any(task.bots[name].remote for name in names)
        tier = REMOTE_TIER if away else str(self.launcher.means.tier)
        return StoredGame(key, names, result, tier, elapsed_ms, task.attempt)

    def _seats(self, board: int) -> list[tuple[str, Slot | RemoteSeat]]:
        """(competitor, slot) by seat."""
        places = [self._slot_at(board, seat) for seat in range(self.game.seats)]
        return [(place[0], self.slots[place]) for place in places]

    def _slot_at(self, board: int, seat: int) -> tuple[str, int]:
        """Who sits in a seat: a competitor, and which of its processes. The same ones on all boards of a seating.

        A line-up has a competitor for each side, or, where partners are different bots, for each seat.
        """
        bout, game = self.task.bout, self.game
        if len(bout.lineup) == len(game.sides):
            side = game.side_of(seat)
            return bout.side(board, self.seating, side), game.sides[side].index(seat)
        place = bout.place(board, self.seating, seat)
        return bout.lineup[place], bout.lineup[:place].count(bout.lineup[place])

    async def _player(self, slot: Slot | RemoteSeat) -> Player:
        family = games.catalog()[self.game.id].family
        try:
            if isinstance(slot, Slot):
                return RemotePlayer(await slot.session(), family)
            return await slot.player(family)
        except PlayerGone as gone:
            return AbsentPlayer(gone)


def with_transcript(
    game: AnyGame, played: Played, result: GameResult, identity: str, bots: Iterable[str]
) -> GameResult:
    """The result with the game's transcript as data."""
    moves = [
        transcript.played(game, move.seat, move.move, move.view, move.elapsed_ms, move.fault, move.note)
        for move in played.course.moves
    ]
    written = transcript.written(game, played.state, moves, result, public_id=identity, bots=bots)
    return replace(result, transcript=transcript.to_data(written))
