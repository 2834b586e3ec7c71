"""Players that make a checked bot's life as hard as the rules allow: rejected answers, deadlines that pass at once,
opponents that vanish, frames from a newer arena. Each wraps the port of one game."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

from arena_bot.v1 import arena_pb2 as pb

from arena.core.chance import Chance
from arena.core.drivers import random_move
from arena.match.player import Answer, GameInfo, InProcessPlayer, Player, PlayerGone, Turn
from arena.record.results import GameResult
from arena.wire.session import Session

UNKNOWN_FIELD = b"\xf2\x3f\x03new"
"""Field 1022 with three bytes: what a newer arena may send."""


def random_player(seed: bytes, seat: int) -> InProcessPlayer:
    """An opponent that plays uniformly random legal moves, the same ones for a seed."""
    chance = Chance(seed, "opponent", seat)
    return InProcessPlayer(lambda _view, legal: random_move(chance, legal))


class Vanishing(InProcessPlayer):
    """An opponent that is gone at its second turn."""

    def __init__(self, seed: bytes, seat: int) -> None:
        chance = Chance(seed, "opponent", seat)
        super().__init__(lambda _view, legal: random_move(chance, legal))
        self._turns = 0

    async def choose(self, turn: Turn) -> Answer:
        """Answer once, then be gone."""
        self._turns += 1
        if self._turns > 1:
            raise PlayerGone("an opponent that crashes on purpose", code="CRASH")
        return await super().choose(turn)


class Wrapped:
    """The checked bot's player, passed through."""

    def __init__(self, inner: Player) -> None:
        self.inner = inner
        self.turns = 0

    def start(self, info: GameInfo) -> None:
        """Pass on."""
        self.inner.start(info)

    def choose(self, turn: Turn) -> Awaitable[Answer]:
        """Pass on."""
        self.turns += 1
        return self.inner.choose(turn)

    def rejected(self, turn: Turn, code: str, reason: str) -> None:
        """Pass on."""
        self.inner.rejected(turn, code, reason)

    def late_turns(self) -> frozenset[int]:
        """Pass on."""
        return self.inner.late_turns()

    def ended(self, result: GameResult) -> None:
        """Pass on."""
        self.inner.ended(result)


class Rejecting(Wrapped):
    """Tells the bot after its first answer that it was not taken."""

    def choose(self, turn: Turn) -> Awaitable[Answer]:
        """Ask, and reject the first answer although it is taken."""
        return self._choose(turn, first=self.turns == 0)

    async def _choose(self, turn: Turn, *, first: bool) -> Answer:
        answer = await super().choose(turn)
        if first:
            self.rejected(turn, "ILLEGAL", "said by the check; your bot has done nothing wrong")
        return answer


class Impatient(Wrapped):
    """Lets the deadline of the bot's first turn pass before it can answer, and plays any legal move for it."""

    def choose(self, turn: Turn) -> Awaitable[Answer]:
        """Ask; the first time do not wait."""
        return self._choose(turn, first=self.turns == 0)

    async def _choose(self, turn: Turn, *, first: bool) -> Answer:
        asked = asyncio.ensure_future(super().choose(turn))
        if not first:
            return await asked
        asked.cancel()
        self.rejected(turn, "TIMEOUT", "said by the check, which did not wait; your bot has done nothing wrong")
        loop = asyncio.get_running_loop()
        return Answer(random_move(Chance(b"late", turn.number), turn.legal), loop.time())


class FutureSession:
    """Adds to the frames of a session what an arena of the future might send; restores it when left."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._next = session.next_frame

    def __enter__(self) -> None:
        async def next_frame() -> bytes | None:
            frame = await self._next()
            if frame is None:
                return None
            unknown_event = pb.ArenaFrame(events=[pb.ArenaEvent.FromString(UNKNOWN_FIELD)]).SerializeToString()
            return frame + UNKNOWN_FIELD + unknown_event

        self._session.next_frame = next_frame  # type: ignore[method-assign]

    def __exit__(self, *_: object) -> None:
        del self._session.next_frame
