"""A slot: one bot process at a time for one place of a line-up, with its socket, its token and its restarts.

A process serves one seat of many games and never two seats of one game. All of a slot's processes belong to one
generation; the next generation gets new slots.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.bots.launcher import BotProcess, Exit, Launcher, program_of, sdk_paths, variables_for
from arena.bots.manifest import Bot
from arena.bots.sandbox.box import SOCKET
from arena.bots.sandbox.limits import BOT, Limits
from arena.bots.sandbox.of_bot import box_of
from arena.core.errors import ArenaFault, BotError
from arena.match.player import PlayerGone
from arena.runner.marking import Marking
from arena.wire.server import SeatServer
from arena.wire.session import Session
from arena.wire.tokens import LiveTokens

MAX_STARTS = 3
"""A bot is started so often in a generation; then it forfeits the games that remain."""
TOKENS = LiveTokens()
"""Those of all seats that this process serves now."""
THEFT = "showed the token of another seat"
EXIT_GRACE_S = 1.0
"""How long a lost connection waits to learn whether the process has ended."""
GOODBYE_GRACE_S = 1.0
"""How long a bot has to leave by itself after goodbye."""


@dataclass(frozen=True, slots=True)
class Places:
    """Folders of a generation: sockets (short paths: unix sockets allow about 100 bytes) and logs."""

    sockets: Path
    logs: Path | None


class Slot:
    """One place of a line-up in one generation."""

    def __init__(
        self,
        name: str,
        bot: Bot,
        launcher: Launcher,
        places: Places,
        start_limit_s: float = 10.0,
        max_starts: int = MAX_STARTS,
        overload_since: Callable[[float], Mapping[str, Any] | None] = lambda _began: None,
        limits: Limits = BOT,
    ) -> None:
        self.name = name
        """For log files."""
        self.bot = bot
        self.starts = 0
        self.log: Path | None = None
        """Where the output of the last process is, once it has ended."""
        self._max_starts = max_starts
        self._launcher = launcher
        self._places = places
        self._start_limit_s = start_limit_s
        self._lock = asyncio.Lock()
        self._server: SeatServer | None = None
        self._process: BotProcess | None = None
        self._session: Session | None = None
        self._watcher: asyncio.Task[None] | None = None
        self._given_up: PlayerGone | None = None
        self._overload_since = overload_since
        self._limits = limits
        self._marking: Marking | None = None
        self._token = ""
        self._theft: asyncio.Future[None] | None = None
        """Done once the running process has shown another seat's token."""
        self._identity = name
        """Names the last process in faults: all starts that came to no hello are one, each process after it its own."""
        self._mark = secrets.token_hex(4)

    async def session(self) -> Session:
        """The session of a running bot, started (again) if need be. Raises PlayerGone once it is given up."""
        async with self._lock:
            while True:
                if self._session is not None and self._session.gone is None:
                    return self._session
                if self._session is not None:
                    await self._end()
                if self._given_up is not None:
                    raise self._given_up.again()
                try:
                    self._session = await self._start()
                except BotError as error:
                    await self._end()
                    attempt = isinstance(error, PlayerGone) and error.attempt
                    if self.starts >= self._max_starts or error.code == "NO_HELLO" or attempt:
                        # Waiting out the start limit once is enough: every game of the generation waits with it.
                        gone = error if isinstance(error, PlayerGone) else PlayerGone(error.message, code=error.code)
                        gone.process = self._identity
                        self._given_up = gone
                    continue
                return self._session

    async def concurrent_games(self) -> int:
        """How many games the bot plays at once, as its hello says, but no more than its manifest; starts the bot."""
        try:
            return (await self.session()).concurrent_games
        except PlayerGone:
            return self.bot.concurrent_games

    async def _start(self) -> Session:
        """Start the bot and wait for its hello. Raises BotError with the code of what went wrong."""
        if self.starts >= self._max_starts:
            raise BotError(f"{self.bot.name} ended {self.starts} times in one generation", code="START_FAILED")
        self.starts += 1
        self._identity = self.name
        began = asyncio.get_running_loop().time()
        seat = self._places.sockets / f"{secrets.token_urlsafe(9)}-{self.starts}"  # a bot may see this name
        seat.mkdir(mode=0o755)
        address = f"unix:{seat}/{SOCKET}"
        token = self._token = TOKENS.issue()
        self._theft = theft = asyncio.get_running_loop().create_future()
        self._server = SeatServer(address, token, self.bot.concurrent_games, self._explain, self._shown(token))
        await self._server.start()
        (seat / SOCKET).chmod(0o666)  # the folder that it is in decides who reaches it
        logs = self._places.logs
        self.log = log = logs / f"{self.name}-{self.starts}.log" if logs is not None else None
        means = self._launcher.means
        if means.boxed:
            process = await self._launcher.start_box(box_of(self.bot, seat, token, means, self._limits), log)
        else:
            variables = variables_for(address, token, *sdk_paths())
            process = await self._launcher.start(program_of(self.bot), self.bot.folder, variables, log)
        self._process = process
        hello = self._server.hello
        first: list[asyncio.Future[Any]] = [hello, process.exit, theft]
        await asyncio.wait(first, timeout=self._start_limit_s, return_when=asyncio.FIRST_COMPLETED)
        if theft.done():
            raise PlayerGone(f"{self.bot.name} {THEFT}", code="BAD_TOKEN", attempt=True)
        if hello.done():
            session = hello.result()
            session.process = self._identity = f"{self.name}#{self.starts}-{self._mark}"
            self._watcher = asyncio.create_task(self._watch(process, session, self._server.ended))
            self._marking = Marking(process, session) if log is not None else None
            return session
        if self._server.wrong_token:
            raise BotError(f"{self.bot.name} said hello with a token that is not its seat's", code="BAD_TOKEN")
        if process.exit.done():
            ending = process.exit.result()
            if ending.box_failed:
                raise ArenaFault(
                    f"the sandbox of {self.bot.name} could not be made: it {ending}", code="SANDBOX_FAILED"
                )
            code = ending.limit or "START_FAILED"
            raise BotError(f"{self.bot.name} never said hello: it {ending}", code=code)
        late = f"{self.bot.name} never said hello in {self._start_limit_s:g} s"
        raise PlayerGone(late, code="NO_HELLO", overload=self._overload_since(began))

    def _shown(self, own: str) -> Callable[[str], bool]:
        """Whether a text is the token of another seat; in a box, whose socket nobody else reaches, that is theft."""
        of_another = TOKENS.others(own)

        def is_token(text: str) -> bool:
            found = of_another(text)
            if found and self._launcher.means.boxed:
                self._stole()
            return found

        return is_token

    def _stole(self) -> None:
        """The bot showed another seat's token: its games are lost, and it is not started again."""
        gone = PlayerGone(f"{self.bot.name} {THEFT}", code="BAD_TOKEN", attempt=True, process=self._identity)
        self._given_up = self._given_up or gone
        if self._session is not None:
            self._session.lost(gone)
        if self._theft is not None and not self._theft.done():
            self._theft.set_result(None)

    async def _explain(self) -> PlayerGone:
        """Why the stream ended: by the process's exit if it has ended or does so within a second."""
        process = self._process
        if process is not None:
            await asyncio.wait({process.exit}, timeout=EXIT_GRACE_S)
            if process.exit.done():
                ending = process.exit.result()
                return PlayerGone(f"{self.bot.name} {ending}", code=ending.fault)
        return PlayerGone(f"{self.bot.name} closed its stream and lives on", code="DISCONNECT")

    async def _watch(self, process: BotProcess, session: Session, over: asyncio.Event) -> None:
        """A session without a process is over, even if something still holds its socket; and the other way round."""
        stream: asyncio.Future[Any] = asyncio.ensure_future(over.wait())
        try:
            first: list[asyncio.Future[Any]] = [process.exit, stream]
            await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stream.cancel()
        if not process.exit.done():
            if session.closing:
                return
            process.kill()
        ending = await asyncio.shield(process.exit)
        session.lost(PlayerGone(f"{self.bot.name} {ending}", code=ending.fault))

    @property
    def process_id(self) -> int | None:
        """The bot's process id while it runs."""
        return self._process.pid if self._process is not None else None

    async def leave(self, limit_s: float) -> Exit | None:
        """Say goodbye and wait for the bot to end by itself; how it ended, or None when it was still running."""
        async with self._lock:
            session, process = self._session, self._process
            assert session is not None, "the bot said hello"
            assert process is not None, "the bot said hello"
            session.close("done")
            await asyncio.wait({process.exit}, timeout=limit_s)
            ending = process.exit.result() if process.exit.done() else None
            await self._end()
            return ending

    async def close(self) -> None:
        """Say goodbye, give the bot a moment, then end it; all of that also when cancelled meanwhile, since a socket
        that is half closed is left behind."""
        closing = asyncio.create_task(self._close())
        try:
            await asyncio.shield(closing)
        except asyncio.CancelledError:
            await asyncio.wait({closing})
            raise

    async def _close(self) -> None:
        async with self._lock:
            session, process = self._session, self._process
            if session is not None and session.gone is None and process is not None:
                session.close("done")
                await asyncio.wait({process.exit}, timeout=GOODBYE_GRACE_S)
            await self._end()

    async def _end(self) -> None:
        """Kill the process, wait for its end, close the socket."""
        ending: Exit | None = None
        asked = self._session is not None and self._session.closing
        if self._watcher is not None:
            self._watcher.cancel()
            with suppress(asyncio.CancelledError):
                await self._watcher
            self._watcher = None
        if self._marking is not None:
            self._marking.close()
            self._marking = None
        if self._process is not None:
            asked = asked or not self._process.exit.done()
            self._process.kill()
            await asyncio.wait({self._process.exit}, timeout=5)
            ending = self._process.exit.result() if self._process.exit.done() else None
            self._process = None
        if self._server is not None:
            await self._server.stop()
            self._close_log(ending, self._server.refused, asked=asked)
            self._server = None
        if self._token:
            TOKENS.retire(self._token)
        self._session = None

    def _close_log(self, ending: Exit | None, refused: Mapping[str, int], *, asked: bool) -> None:
        """Say at the end of the log what the arena has counted: no faults, but news for the bot's author.

        `asked`: the process ended because it was to.
        """
        counted = [f"{count} x {code} refused" for code, count in sorted(refused.items())]
        if ending is not None and ending.cpu_s:
            counted.insert(0, f"{ending.cpu_s:.1f} s of processor time")
        if ending is not None and not asked:
            how = f"status {ending.code}" if ending.code is not None else f"signal {ending.signal}"
            counted.append(f"it ended by itself ({how})")
        if ending is not None and ending.limit:
            counted.append(f"its limit was reached ({ending.limit})")
        if ending is not None and ending.left_out:
            counted.append(f"{ending.left_out} bytes of output left out (OUTPUT)")
        if self.log is not None and counted:
            with suppress(OSError), self.log.open("a", encoding="utf-8") as log:
                log.write(f"[arena: {'; '.join(counted)}]\n")
