"""The referee of one game: asks, checks, applies, and never waits without a deadline.

Order of checks at a turn, fixed: player gone -> deadline passed -> not readable -> not legal -> apply. A forced seat is
asked like any other, since skipping it would tell the table what it holds. Knows players only by their port.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arena.core.errors import ArenaFault, IllegalMove
from arena.core.game import AnyGame, Board, Seat, check_legal
from arena.core.moves import Legal, Move
from arena.match.clock import Clock, SeatClock, wall_cap_ms
from arena.match.player import Answer, BadAnswer, GameInfo, Player, PlayerGone, Turn
from arena.record.results import Fault, FaultClass, GameResult, Verdict
from arena.record.settle import settle

STRIKES = 3
"""The strike with this number forfeits the game."""


@dataclass(slots=True)
class MoveRecord:
    """One move as the transcript will tell it."""

    seat: Seat
    move: Move
    view: Any  # Any: the view of whichever game is played; its key is computed when the transcript is written
    elapsed_ms: float
    fault: str = ""
    note: str = ""


@dataclass(slots=True)
class Course:
    """What the referee writes down while a game runs."""

    moves: list[MoveRecord] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    forfeits: dict[Seat, str] = field(default_factory=dict)
    strikes: dict[Seat, int] = field(default_factory=dict)


@dataclass(slots=True)
class Table:
    """One game about to be played: who sits where, under which clock."""

    game: AnyGame
    board: Board
    players: Sequence[Player]
    """By seat."""
    seeds: Sequence[int]
    """By seat, for the bots' own generators."""
    clock: Clock | None = field(default_factory=Clock)
    start_limit_ms: int = 10_000
    overload_since: Callable[[float], Mapping[str, Any] | None] = lambda _began: None  # Any: JSON
    """What shows that the arena was short of time since a time of its loop; see `Heartbeat`."""
    host_since: Callable[[float], Mapping[str, Any]] = lambda _began: {}  # Any: JSON
    """How busy the host was since then, for the record."""
    watch: Callable[[MoveRecord, Any], None] | None = None
    """Called after every move with its record and the new state, for those who look on."""


@dataclass(slots=True)
class Played:
    """A game that was played: its result without a transcript, its last state and its course."""

    result: GameResult
    state: Any  # Any: the state of whichever game was played
    course: Course


async def play_game(table: Table) -> Played:
    """Play one game to its end, whatever the players do.

    Every player gets `ended`, also when another one crashed. A game that exceeds its wall cap is void.
    """
    game, players = table.game, table.players
    course = Course()
    for seat, player in enumerate(players):
        player.start(GameInfo(game, seat, table.clock, table.seeds[seat]))
    cap = wall_cap_ms(table.clock, game.seats, game.max_moves, table.start_limit_ms)
    running = _Running(table, course)
    try:
        async with asyncio.timeout(cap / 1000 if cap is not None else None):
            await running.play()
    except TimeoutError:
        result = _void("WALL", running, {"cap_ms": round(cap or 0), **table.host_since(running.began)})
    except Lagged as lagged:
        result = _void("LAG", running, lagged.evidence)
    else:
        _relabel_late(course, players)
        result = result_of(game, running.state, course)
    for player in players:
        player.ended(result)
    return Played(result, running.state, course)


def _void(reason: str, running: _Running, evidence: Mapping[str, Any]) -> GameResult:
    """A game that counts for nobody: why, and what shows it. Any: JSON."""
    asked = {"turn": running.number, "asked": running.asked}
    return GameResult(
        Verdict.VOID, (), (), (), (), tuple(running.course.faults), reason=reason, evidence={**asked, **evidence}
    )


class Lagged(ArenaFault):
    """A deadline passed while the arena itself was short of time: nobody can say whose time that was."""

    code = "LAG"

    def __init__(self, message: str, evidence: Mapping[str, Any]) -> None:  # Any: JSON
        super().__init__(message)
        self.evidence = evidence


class _Running:
    """The loop of one game; a class only to keep the state where the wall cap leaves it."""

    def __init__(self, table: Table, course: Course) -> None:
        self.table = table
        self.course = course
        self.state = table.game.start(table.board)
        self.clocks = [SeatClock.new(table.clock) for _ in table.players] if table.clock is not None else None

        self.loop = asyncio.get_running_loop()
        self.began = self.loop.time()
        self.number = 0
        """The turn that is being played."""
        self.asked: Seat | None = None
        """Whose it is."""
        task = asyncio.current_task()
        assert task is not None, "a referee runs in a task"
        self.task = task

    async def play(self) -> None:
        """Ask and apply until the game is over."""
        game, course, watch = self.table.game, self.course, self.table.watch
        while (seat := game.to_move(self.state)) is not None:
            view, number = game.view(self.state, seat), self.number
            self.asked = seat
            if seat in course.forfeits:
                record = MoveRecord(seat, game.default_move(view), view, 0.0, course.forfeits[seat])
            else:
                record = await self._ask(number, seat, view, game.legal_moves(view))
            self.state = game.apply(self.state, record.move)
            course.moves.append(record)
            if watch is not None:
                watch(record, self.state)
            self.number += 1
            if self.number > game.max_moves:
                raise AssertionError(f"{game.id}: more than max_moves = {game.max_moves} moves")

    async def _ask(self, number: int, seat: Seat, view: Any, legal: Legal) -> MoveRecord:
        """One decision of one seat: its move, or the default move and a fault."""
        table = self.table
        player = table.players[seat]
        clock = self.clocks[seat] if self.clocks is not None else None
        limit_ms = clock.limit_ms() if clock is not None else None
        turn = Turn(number, seat, view, legal, limit_ms, clock.bank_ms if clock is not None else None)
        loop = self.loop
        began = loop.time()
        answer: Answer | None = None
        fault: tuple[str, FaultClass, str] | None = None
        process = ""
        waiting = asyncio.ensure_future(player.choose(turn))
        deadline = loop.call_at(began + limit_ms / 1000, waiting.cancel) if limit_ms is not None else None
        try:
            answer = await waiting
        except PlayerGone as gone:
            if gone.overload is not None:
                raise Lagged(gone.message, gone.overload) from None
            fault = (gone.code, FaultClass.QUARANTINE if gone.attempt else FaultClass.FORFEIT, gone.message)
            process = gone.process
        except BadAnswer as bad:
            fault = (bad.code, FaultClass.DECISION, bad.message)
        except asyncio.CancelledError:
            if self.task.cancelling():
                raise  # the whole game is being ended, not this turn
            fault = ("TIMEOUT", FaultClass.DECISION, f"no answer in {limit_ms:.0f} ms")
        finally:
            if deadline is not None:
                deadline.cancel()
        elapsed_ms = ((answer.read_at if answer is not None else loop.time()) - began) * 1000
        if answer is not None:
            fault = self._refuse(answer, legal, elapsed_ms, limit_ms)
        if clock is not None:
            clock.spend(elapsed_ms)
        if answer is not None and fault is None:
            return MoveRecord(seat, answer.move, view, elapsed_ms, "", answer.note)
        assert fault is not None, "without an answer there is a fault"
        code, fault_class, detail = fault
        if code in ("TIMEOUT", "LATE") and (overload := table.overload_since(began)) is not None:
            waited = {"code": code, "waited_ms": round(elapsed_ms), "limit_ms": round(limit_ms or 0)}
            raise Lagged(f"turn {number} ran out of time while the arena stood still", {**waited, **overload})
        if fault_class is FaultClass.DECISION:
            player.rejected(turn, code, detail)
        self._book(Fault(seat, code, fault_class, number, round(elapsed_ms), detail, process))
        return MoveRecord(seat, table.game.default_move(view), view, elapsed_ms, code)

    def _refuse(
        self, answer: Answer, legal: Legal, elapsed_ms: float, limit_ms: float | None
    ) -> tuple[str, FaultClass, str] | None:
        """Why an answer cannot be played, or None."""
        if limit_ms is not None and elapsed_ms > limit_ms:
            return "LATE", FaultClass.DECISION, f"answered after {elapsed_ms:.0f} ms of {limit_ms:.0f} ms"
        try:
            check_legal(self.table.game.notation, legal, answer.move)
        except IllegalMove as illegal:
            return illegal.code, FaultClass.DECISION, f"{illegal.message}; {illegal.fix}"
        return None

    def _book(self, fault: Fault) -> None:
        """Count a fault; the third strike forfeits with its own code."""
        course = self.course
        course.faults.append(fault)
        if fault.fault_class is FaultClass.DECISION:
            course.strikes[fault.seat] = course.strikes.get(fault.seat, 0) + 1
            if course.strikes[fault.seat] < STRIKES:
                return
            course.faults[-1] = fault._replace(fault_class=FaultClass.FORFEIT)
        course.forfeits[fault.seat] = fault.code


def _relabel_late(course: Course, players: Sequence[Player]) -> None:
    """A TIMEOUT whose answer came before the end of the game is called LATE."""
    late = [player.late_turns() for player in players]
    for index, fault in enumerate(course.faults):
        if fault.code == "TIMEOUT" and fault.turn in late[fault.seat]:
            course.faults[index] = fault._replace(code="LATE")
            course.moves[fault.turn].fault = "LATE"
            if fault.fault_class is FaultClass.FORFEIT:
                course.forfeits[fault.seat] = "LATE"


def result_of(game: AnyGame, state: Any, course: Course) -> GameResult:
    """The result of a game that is over."""
    settled = settle(game, state, course.forfeits)
    return GameResult(
        verdict=Verdict.FORFEIT if course.forfeits else Verdict.FINISHED,
        scores=settled.scores,
        ranks=settled.ranks,
        tiebreaks=settled.tiebreaks,
        forfeits=tuple(course.forfeits.items()),
        faults=tuple(course.faults),
    )
