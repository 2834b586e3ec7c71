"""One connected bot: its pending turns, what it says, and one outgoing frame that collects whatever is pending.

Knows frames and turns, not gRPC: the server feeds it bytes and sends the bytes it has ready. What a bot says of itself
never decides anything; a reply counts only for a turn that was put to this very connection.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from arena_bot.v1 import arena_pb2 as pb
from google.protobuf.message import DecodeError

from arena.core.errors import MalformedMove
from arena.core.moves import LegalList, Move
from arena.match.player import Answer, BadAnswer, PlayerGone, Turn
from arena.wire.moves import LegalEncoder, decode_move
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

    def __init__(self, concurrent_games: int, now: Callable[[], float]) -> None:
        self.concurrent_games = concurrent_games
        self.gone: PlayerGone | None = None
        self.process = ""
        """Names the bot's process in the faults that its end brings about."""
        self.closing = False
        self._now = now
        self._loop = asyncio.get_running_loop()
        self._frame = pb.ArenaFrame()
        self._wake = asyncio.Event()
        self._pending: dict[TurnKey, Pending] = {}
        self._expired: dict[int, set[int]] = {}
        self._late: dict[int, set[int]] = {}
        self._notes: dict[int, int] = {}
        self._games = 0
        self._strays = 0
        self._legal = LegalEncoder()

    # --- outgoing -----------------------------------------------------------------------------------------------

    def event(self) -> pb.ArenaEvent:
        """A new event in the frame that goes out next; fill it before the next await."""
        self._wake.set()
        return self._frame.events.add()

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
        self._expired[self._games] = set()
        self._late[self._games] = set()
        self._notes[self._games] = 0
        return self._games

    def close_game(self, game: int) -> None:
        """Forget a game, but for the turns whose replies may still come late."""
        for key in [key for key in self._pending if key[0] == game]:
            if self._pending.pop(key).answer.cancelled():
                self._expired[game].add(key[1])
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
        message = self.event().turn
        message.game = game
        message.turn = turn.number
        if turn.limit_ms is not None and turn.bank_ms is not None:
            message.limit_ms = max(1, int(turn.limit_ms))
            message.bank_ms = max(1, int(turn.bank_ms))
        encode(message, turn.view)
        self._legal.encode(message.legal, turn.legal)
        self._pending[game, turn.number] = Pending(turn, answer)
        return answer

    def lost(self, gone: PlayerGone) -> None:
        """The connection or the process is gone: every pending turn fails, and so will all that follow."""
        if self.gone is None:
            gone.process = gone.process or self.process
            self.gone = gone
            for pending in list(self._pending.values()):
                if not pending.answer.done():
                    pending.answer.set_exception(gone)
            self._wake.set()

    # --- incoming -----------------------------------------------------------------------------------------------

    def receive(self, data: bytes) -> None:
        """A frame from the bot. Never raises: what is wrong with it becomes a fault of the turns it concerns."""
        read_at = self._now()
        if len(data) > LARGEST_BYTES:
            self.lost(PlayerGone(f"a frame of {len(data)} bytes; at most {FRAME_BYTES} are read", code="OVERSIZE"))
            return
        if len(data) > FRAME_BYTES:
            self._fail_pending("OVERSIZE", f"a frame of {len(data)} bytes; at most {FRAME_BYTES} are read")
            return
        try:
            frame = pb.BotFrame.FromString(data)
        except DecodeError:
            self._fail_pending("MALFORMED", f"a frame of {len(data)} bytes that is no BotFrame")
            return
        if not frame.events:
            self._fail_pending("MALFORMED", "a frame without events")
        for event in frame.events:
            if event.WhichOneof("event") == "reply":
                self._reply(event.reply, read_at)
            elif event.WhichOneof("event") == "hello":
                self._fail_pending("MALFORMED", "a second hello")
            else:
                self._fail_pending("MALFORMED", "an event in which nothing is set")

    def _reply(self, reply: pb.Reply, read_at: float) -> None:
        pending = self._pending.pop((reply.game, reply.turn), None)
        if pending is None or pending.answer.cancelled():
            self._stray(reply, late=pending is not None)
            return
        if pending.answer.done():
            return  # the honest reply to a turn that another frame of this bot had failed already
        try:
            move = read_answer(reply, pending.turn)
        except MalformedMove as malformed:
            pending.answer.set_exception(BadAnswer(malformed.message, code=malformed.code))
        else:
            note = self._note(reply) if reply.note else ""
            pending.answer.set_result(Answer(move, read_at, note))

    def _note(self, reply: pb.Reply) -> str:
        """The note, cut to its limits."""
        size = len(reply.note.encode())
        note = reply.note if size <= NOTE_BYTES else reply.note.encode()[:NOTE_BYTES].decode(errors="ignore")
        self._notes[reply.game] += min(size, NOTE_BYTES)
        return note if self._notes[reply.game] <= GAME_NOTE_BYTES else ""

    def _stray(self, reply: pb.Reply, *, late: bool) -> None:
        """A reply that matches no pending turn: late (once for each turn), old, or invented."""
        expired = self._expired.get(reply.game, set())
        if late or reply.turn in expired:
            expired.discard(reply.turn)
            if reply.game in self._late:
                self._late[reply.game].add(reply.turn)
            return
        self._strays += 1
        if self._strays > TOLERATED:
            code = "STALE" if 1 <= reply.game <= self._games else "WRONG_GAME"
            detail = (
                f"{self._strays} replies that match no pending turn, the last for game {reply.game} turn {reply.turn}"
            )
            for pending in self._pending.values():
                if not pending.answer.done():
                    pending.answer.set_exception(BadAnswer(detail, code=code))
                    break

    def _fail_pending(self, code: str, detail: str) -> None:
        """One decision fault for each turn pending on this stream."""
        for pending in self._pending.values():
            if not pending.answer.done():
                pending.answer.set_exception(BadAnswer(detail, code=code))


def read_answer(reply: pb.Reply, turn: Turn) -> Move:
    """The move that a reply names. Raises MalformedMove, with code ILLEGAL for an index that is out of range."""
    match reply.WhichOneof("answer"):
        case "choice":
            if not isinstance(turn.legal, LegalList):
                raise MalformedMove("an index, where cards are to be chosen", fix="answer with a Move", code="ILLEGAL")
            moves = turn.legal.moves
            if not 0 <= reply.choice < len(moves):
                raise MalformedMove(f"choice {reply.choice} of {len(moves)} legal moves", code="ILLEGAL")
            return moves[reply.choice]
        case "move":
            return decode_move(reply.move)
        case _:
            raise MalformedMove("a reply without an answer", fix="set choice or move")
