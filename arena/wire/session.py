"""One connected bot: its pending turns, what it says, and one outgoing frame that collects whatever is pending.

Knows frames and turns, not gRPC: the server feeds it bytes and sends the bytes it has ready. What a bot says of itself
never decides anything; a reply counts only for a turn that was put to this very connection.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from dataclasses import dataclass

from arena_bot.v1 import arena_pb2 as pb
from google.protobuf.message import DecodeError

from arena.core.errors import BotError, MalformedMove
from arena.match.player import Answer, BadAnswer, PlayerGone, Turn
from arena.wire.allowance import Allowance
from arena.wire.limits import JUNK, JUNK_BYTES, LEAST_PATIENCE_S, MOST_PATIENCE_S, TOLD, WAITING_EVENTS
from arena.wire.messages import tell
from arena.wire.moves import LegalEncoder, read_answer
from arena.wire.views import Encoder

FRAME_BYTES = 256 * 1024
LARGEST_BYTES = 1024 * 1024
"""A frame above FRAME_BYTES fails the turns that are pending, one above this the connection."""
NOTE_BYTES = 2 * 1024
GAME_NOTE_BYTES = 64 * 1024
PROTOCOL = "1.0"
TOLERATED = 10
"""So many replies that match no pending turn are dropped; each one more is a decision fault."""

TurnKey = tuple[int, int]
"""(game on this connection, turn)."""


@dataclass(slots=True)
class Pending:
    """A turn that waits for its reply."""

    turn: Turn
    answer: asyncio.Future[Answer]


class Session:
    """The state of one connection after its hello."""

    def __init__(
        self, concurrent_games: int, now: Callable[[], float], shown: Callable[[str], None] = lambda _token: None
    ) -> None:
        """`shown` is told the token of every further hello that this bot sends."""
        self.concurrent_games = concurrent_games
        self.gone: PlayerGone | None = None
        self.process = ""
        """Names the bot's process in the faults that its end brings about."""
        self.closing = False
        self.mark: Callable[[int, int], None] | None = None
        """Told of every turn (game on this connection, turn) before it is put to the bot."""
        self._now = now
        self._shown = shown
        self._junk = Allowance(JUNK, now)
        self._longest_ms = 0.0
        self._loop = asyncio.get_running_loop()
        self._frame = pb.ArenaFrame()
        self._wake = asyncio.Event()
        self._pending: dict[TurnKey, Pending] = {}
        self._asked: dict[int, set[int]] = {}
        self._expired: dict[int, set[int]] = {}
        self._late: dict[int, set[int]] = {}
        self._notes: dict[int, int] = {}
        self._games = 0
        self._strays = 0
        self._legal = LegalEncoder()

    # --- outgoing -----------------------------------------------------------------------------------------------

    def event(self) -> pb.ArenaEvent:
        """A new event in the frame that goes out next; fill it before the next await."""
        if self.waiting >= WAITING_EVENTS:
            self.lost(PlayerGone(f"{self.waiting} events wait, the stream is not read", code="BACKPRESSURE"))
        if self.gone is not None:
            return pb.ArenaEvent()  # nobody will read it
        self._wake.set()
        return self._frame.events.add()

    @property
    def waiting(self) -> int:
        """How many events wait to be sent."""
        return len(self._frame.events)

    @property
    def patience_s(self) -> float:
        """How long a write may take: twice the longest limit of a turn so far. All turns in it are late by then."""
        return min(max(2 * self._longest_ms / 1000, LEAST_PATIENCE_S), MOST_PATIENCE_S)

    async def next_frame(self) -> bytes | None:
        """The next frame, as soon as anything is pending; None when all is said and the stream may end."""
        while not self._frame.events:
            if self.closing or self.gone is not None:
                return None
            self._wake.clear()
            await self._wake.wait()
            # One pass of the loop lets the other games that are ready now put their turns into the same frame.
            await asyncio.sleep(0)
        frame, self._frame = self._frame, pb.ArenaFrame()
        tell(self.process, "->", frame.events)
        return frame.SerializeToString(deterministic=True)

    def close(self, reason: str) -> None:
        """Say goodbye; the stream ends once everything is sent."""
        if not self.closing:
            self.event().goodbye.reason = reason
            self.closing = True
            self._wake.set()

    # --- games --------------------------------------------------------------------------------------------------

    def open_game(self) -> int:
        """The number of a new game on this connection."""
        self._games += 1
        self._asked[self._games] = set()
        self._expired[self._games] = set()
        self._late[self._games] = set()
        self._notes[self._games] = 0
        return self._games

    def close_game(self, game: int) -> None:
        """Forget a game, but for the turns whose replies may still come late."""
        for key in [key for key in self._pending if key[0] == game]:
            if self._pending.pop(key).answer.cancelled():
                self._expired[game].add(key[1])
        self._asked.pop(game, None)
        self._late.pop(game, None)
        self._notes.pop(game, None)
        if not self._expired.get(game):
            self._expired.pop(game, None)

    def late_turns(self, game: int) -> frozenset[int]:
        """Turns of a game whose replies came after their deadlines."""
        return frozenset(self._late.get(game, ()))

    def ask(self, game: int, turn: Turn, encode: Encoder) -> asyncio.Future[Answer]:
        """Put a turn to the bot. The future brings its reply, PlayerGone or BadAnswer; at the deadline it is cancelled.

        A turn stays in the book until its game is closed or its reply has come, so that a late reply finds it.
        """
        answer: asyncio.Future[Answer] = self._loop.create_future()
        if self.gone is not None:
            answer.set_exception(self.gone.again())
            return answer
        if self.mark is not None:
            self.mark(game, turn.number)
        message = self.event().turn
        if self.gone is not None:
            return self.ask(game, turn, encode)
        message.game = game
        message.turn = turn.number
        if turn.limit_ms is not None and turn.bank_ms is not None:
            message.limit_ms = max(1, int(turn.limit_ms))
            message.bank_ms = max(1, int(turn.bank_ms))
        encode(message, turn.view)
        self._legal.encode(message.legal, turn.legal)
        limit_ms = turn.limit_ms if turn.limit_ms is not None else math.inf
        self._longest_ms = max(self._longest_ms, limit_ms)
        self._asked[game].add(turn.number)
        self._pending[game, turn.number] = Pending(turn, answer)
        return answer

    def lost(self, gone: PlayerGone) -> None:
        """The connection or the process is gone: every pending turn fails, and so will all that follow.

        A bot that sent too much is told so if it still reads.
        """
        if self.gone is None:
            gone.process = gone.process or self.process
            self.gone = gone
            if gone.code in TOLD:
                self._frame = pb.ArenaFrame()
                self._frame.events.add().goodbye.reason = f"{gone.code}: {gone.message}"
            self._fail(gone)
            self._wake.set()

    # --- incoming -----------------------------------------------------------------------------------------------

    def receive(self, data: bytes) -> None:
        """A frame from the bot. Never raises: what is wrong with it becomes a fault of the turns it concerns."""
        if self.gone is not None:
            return
        size = len(data)
        if size > LARGEST_BYTES:
            self.lost(PlayerGone(f"a frame of {size} bytes; at most {FRAME_BYTES} are read", code="OVERSIZE"))
            return
        junk = self._read(data, self._now())
        if junk and not self._junk.take(junk + size // JUNK_BYTES):
            self._flooded()

    def _read(self, data: bytes, read_at: float) -> int:
        """Read a frame; how many pieces of junk were in it. Never looks at more events than a flood's."""
        size = len(data)
        if size > FRAME_BYTES:
            return self._fail_pending("OVERSIZE", f"a frame of {size} bytes; at most {FRAME_BYTES} are read")
        try:
            events = pb.BotFrame.FromString(data).events
        except DecodeError:
            return self._fail_pending("MALFORMED", f"a frame of {size} bytes that is no BotFrame")
        if not events:
            return self._fail_pending("MALFORMED", "a frame without events")
        if len(events) - len(self._pending) > JUNK.burst:
            self._flooded()
            return 0
        tell(self.process, "<-", events)
        junk = 0
        for event in events:
            kind = event.WhichOneof("event")
            if kind == "reply":
                junk += self._reply(event.reply, read_at)
            elif kind == "hello":
                self._shown(event.hello.token)
                junk += self._fail_pending("MALFORMED", "a second hello")
            else:
                junk += self._fail_pending("MALFORMED", "an event in which nothing is set")
        return junk

    def _flooded(self) -> None:
        much = f"{JUNK.burst:g} at once or {JUNK.per_s:g} a second"
        self.lost(PlayerGone(f"more replies that match no turn than {much}", code="FLOOD"))

    def _reply(self, reply: pb.Reply, read_at: float) -> int:
        """Take a reply; 1 if it is junk, else 0."""
        pending = self._pending.pop((reply.game, reply.turn), None)
        if pending is None or pending.answer.cancelled():
            return self._stray(reply, late=pending is not None)
        if pending.answer.done():
            return 0  # the honest reply to a turn that another frame of this bot had failed already
        try:
            move = read_answer(reply, pending.turn)
        except MalformedMove as malformed:
            pending.answer.set_exception(BadAnswer(malformed.message, code=malformed.code))
        else:
            note = self._note(reply) if reply.note else ""
            pending.answer.set_result(Answer(move, read_at, note))
        return 0

    def _note(self, reply: pb.Reply) -> str:
        """The note, cut to its limits."""
        size = len(reply.note.encode())
        note = reply.note if size <= NOTE_BYTES else reply.note.encode()[:NOTE_BYTES].decode(errors="ignore")
        self._notes[reply.game] += min(size, NOTE_BYTES)
        return note if self._notes[reply.game] <= GAME_NOTE_BYTES else ""

    def _stray(self, reply: pb.Reply, *, late: bool) -> int:
        """A reply that matches no pending turn: late (once for each turn), old, or invented. 1 if it is junk."""
        game, turn = reply.game, reply.turn
        expired = self._expired.get(game, set())
        if late or turn in expired:
            expired.discard(turn)
            if game in self._late:
                self._late[game].add(turn)
            return 0
        self._strays += 1
        if self._strays > TOLERATED:
            code = self._code_of_stray(game, turn)
            detail = f"{self._strays} replies that match no pending turn, the last for game {game} turn {turn}"
            self._fail(BadAnswer(detail, code=code), most=1)
        return 1

    def _code_of_stray(self, game: int, turn: int) -> str:
        """WRONG_GAME: no such game here; WRONG_SEAT: a turn that was another seat's; STALE: old, or yet to come."""
        if not 1 <= game <= self._games:
            return "WRONG_GAME"
        asked = self._asked.get(game)
        return "WRONG_SEAT" if asked and turn not in asked and turn < max(asked) else "STALE"

    def _fail_pending(self, code: str, detail: str) -> int:
        """One decision fault for each turn pending on this stream; 1, as every such frame is one piece of junk."""
        self._fail(BadAnswer(detail, code=code))
        return 1

    def _fail(self, fault: BotError, most: int | None = None) -> None:
        """Let so many pending turns fail, the oldest first; None: all."""
        waiting = [pending for pending in self._pending.values() if not pending.answer.done()]
        for pending in waiting[:most]:
            pending.answer.set_exception(fault)
