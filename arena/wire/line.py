"""What the door knows of those it lets in: what their tokens allow, and the lines over which they play."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from arena.wire.caller import Caller
from arena.wire.session import Session


class KeepAlive(NamedTuple):
    """How gRPC makes sure that a silent connection lives: it asks every `time_s` and waits `timeout_s` for the answer.

    A bot that thinks on its only thread answers no ping until it has thought, so that the wait is long; that a machine
    is gone is noticed by TCP itself, see `arena.wire.gate`.
    """

    time_s: float = 30.0
    timeout_s: float = 20 * 60.0


class Grant(NamedTuple):
    """What a valid token allows."""

    id: int
    name: str
    """The bot's."""
    slots: int
    """Connections at once."""


class Guard(Protocol):
    """Knows the tokens."""

    async def admit(self, token: str) -> Grant | None:
        """What a token allows now; None for any that is unknown, expired or revoked."""
        ...

    async def standing(self, ids: frozenset[int]) -> frozenset[int]:
        """Those of these grants whose tokens were not revoked."""
        ...


class Line:
    """One connection that was let in."""

    def __init__(self, grant: Grant, session: Session, caller: Caller) -> None:
        self.grant = grant
        self.session = session
        self.caller = caller
        self.taken = False
        """Whether a seat has it."""
        self.lost_at = 0.0
        """When it ended, on the loop's clock."""
        self.revoked = False

    @property
    def is_open(self) -> bool:
        """Whether it can be played over."""
        return self.session.gone is None and not self.session.closing
