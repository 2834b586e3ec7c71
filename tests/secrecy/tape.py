"""Plays a world through the real referee, players and sessions, in virtual time, and keeps every byte that was sent."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from arena_bot.v1 import arena_pb2 as pb
from secrecy.worlds import World
from virtual import run_virtual

from arena.core.game import AnyGame
from arena.core.moves import Choose, Legal, LegalList, Move
from arena.games import catalog
from arena.match import referee
from arena.match.clock import Clock
from arena.match.player import Player, Turn
from arena.wire.moves import encode_move
from arena.wire.player import RemotePlayer
from arena.wire.session import Session

CLOCK = Clock(bank_ms=60_000, increment_ms=125, cap_ms=5_000)
THE_END = 10**9
"""In the place of a turn, for what is sent once the game is over."""


class Sent(NamedTuple):
    """A frame, and the newest turn that was put to anyone when it went out (-1: none)."""

    turn: int
    data: bytes


@dataclass
class Shared:
    """What a planted leak may look at: everything."""

    world: World
    tape: Tape
    state: Any = None
    """The newest state of which a view was made."""
    sessions: list[Session] = field(default_factory=list)
    running: Any = None
    """The referee's own book of the game, where a planted referee puts it."""


@dataclass
class Tape:
    """What was sent, by seat."""

    frames: list[list[Sent]]
    turns: list[int] = field(default_factory=list)
    """Who was asked, turn by turn."""
    asked: int = -1
    result: Any = None

    def until(self, seat: int, position: int) -> list[bytes]:
        """All frames to a seat until the turn `position` was put to whoever had to answer it."""
        return [sent.data for sent in self.frames[seat] if sent.turn <= position]


@dataclass(frozen=True)
class Parts:
    """The code that sends: the real one, unless a planted leak takes a part's place."""

    game: Callable[[AnyGame, Shared], AnyGame] = lambda game, _shared: game
    session: Callable[[int, Callable[[], float], Shared], Session] = lambda _seat, now, _shared: Session(1, now)
    player: Callable[[int, Session, str, Shared], Player] = lambda _seat, session, family, _shared: RemotePlayer(
        session, family
    )
    play: Callable[[referee.Table, Shared], Awaitable[Any]] = lambda table, _shared: referee.play_game(table)


class AnyOf(LegalList):
    """Legal moves, taken on trust to hold the one that is played."""

    def allows(self, move: Move) -> bool:
        return True


class AnyChoice(Choose):
    """The same for a choice."""

    def allows(self, move: Move) -> bool:
        return True


class Trusting:
    """A game whose other seats may play against the rules: no byte to the viewer may depend on their lawfulness."""

    def __init__(self, game: AnyGame, viewer: int | None) -> None:
        self._game = game
        self._viewer = viewer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def legal_moves(self, view: Any) -> Legal:
        legal = self._game.legal_moves(view)
        if view.seat == self._viewer:
            return legal
        return AnyOf(*legal) if isinstance(legal, LegalList) else AnyChoice(*legal)


class Stamped:
    """A player that notes which turn is the newest."""

    def __init__(self, player: Player, tape: Tape) -> None:
        self._player = player
        self._tape = tape

    def __getattr__(self, name: str) -> Any:
        return getattr(self._player, name)

    def choose(self, turn: Turn) -> Awaitable[Any]:
        self._tape.asked = turn.number
        self._tape.turns.append(turn.seat)
        return self._player.choose(turn)

    def ended(self, result: Any) -> None:
        self._tape.asked = THE_END
        self._player.ended(result)


def record(world: World, parts: Parts = Parts(), *, viewer: int | None = None, position: int | None = None) -> Tape:
    """Play a world, up to the turn `position` or to its end. With a viewer the others' moves are taken on trust."""
    return run_virtual(_record(world, parts, viewer, position))


async def _record(world: World, parts: Parts, viewer: int | None, position: int | None) -> Tape:
    seats = world.game.seats
    tape = Tape([[] for _ in range(seats)])
    shared = Shared(world, tape)
    game: Any = world.game if viewer is None else Trusting(world.game, viewer)
    now = asyncio.get_running_loop().time
    shared.sessions = [parts.session(seat, now, shared) for seat in range(seats)]
    family = catalog()[world.game.id].family
    players: list[Any] = [
        Stamped(parts.player(seat, session, family, shared), tape) for seat, session in enumerate(shared.sessions)
    ]
    reached = asyncio.Event()
    bots = [
        asyncio.create_task(_bot(world, seat, session, tape, position, reached))
        for seat, session in enumerate(shared.sessions)
    ]
    table = referee.Table(parts.game(game, shared), world.board, players, world.bot_seeds, CLOCK)
    playing = asyncio.ensure_future(parts.play(table, shared))
    waiting = asyncio.create_task(reached.wait())
    try:
        await asyncio.wait({playing, waiting}, return_when=asyncio.FIRST_COMPLETED)
        for _ in range(6):
            await asyncio.sleep(0)  # frames that are due go out
        if playing.done():
            tape.result = playing.result()
    finally:
        for task in (playing, waiting, *bots):
            task.cancel()
        await asyncio.gather(playing, waiting, *bots, return_exceptions=True)
    return tape


async def _bot(
    world: World, seat: int, session: Session, tape: Tape, position: int | None, reached: asyncio.Event
) -> None:
    """Plays the script of a world in one seat."""
    answers = []
    try:
        while (data := await session.next_frame()) is not None:
            tape.frames[seat].append(Sent(tape.asked, data))
            for event in pb.ArenaFrame.FromString(data).events:
                if event.WhichOneof("event") == "turn":
                    if position is not None and event.turn.turn >= position:
                        reached.set()
                    else:
                        answers.append(asyncio.create_task(_answer(world, session, event.turn)))
    finally:
        for answer in answers:
            answer.cancel()
        await asyncio.gather(*answers, return_exceptions=True)


async def _answer(world: World, session: Session, turn: pb.Turn) -> None:
    number = turn.turn
    await asyncio.sleep(world.thoughts[number])
    if number in world.blunders:
        session.receive(_blunder(world.blunders[number], turn))
        return
    reply = pb.Reply(game=turn.game, turn=number, move=encode_move(world.moves[number]), note=world.notes[number])
    session.receive(pb.BotFrame(events=[pb.BotEvent(reply=reply)]).SerializeToString())


def _blunder(kind: bytes, turn: pb.Turn) -> bytes:
    """A frame that cannot be taken: garbage of some bytes, or an index out of range."""
    if kind[0]:
        return kind[1:]
    reply = pb.Reply(game=turn.game, turn=turn.turn, choice=-1)
    return pb.BotFrame(events=[pb.BotEvent(reply=reply)]).SerializeToString()
