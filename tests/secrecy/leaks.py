"""Leaks to be planted: each is the real code with one small mistake in game, session, player or referee.

All of them were made in other arenas, or lie near. A leak takes a part's place in `tape.Parts`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from google.protobuf.message import DecodeError
from secrecy.tape import Parts, Shared

from arena.core.game import AnyGame
from arena.core.moves import Legal, LegalList
from arena.match import referee
from arena.match.player import Player, Turn
from arena.wire.player import RemotePlayer
from arena.wire.session import Session


class Leak(NamedTuple):
    """A mistake, and the families of games in which it can be made."""

    parts: Parts
    families: tuple[str, ...] = ("rook", "crow", "goat")


# --- in the game: its views and its legal moves ---------------------------------------------------------------------


class ToldByView:
    """A game whose views say more than they may: `change(game, state, view)` is the view that is sent."""

    def __init__(self, game: AnyGame, shared: Shared, change: Callable[[Any, Any, Any], Any]) -> None:
        self._game = game
        self._shared = shared
        self._change = change

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def view(self, state: Any, seat: int | None) -> Any:
        self._shared.state = state
        view = self._game.view(state, seat)
        return view if seat is None else self._change(self._game, state, view)


def by_view(change: Callable[[Any, Any, Any], Any]) -> Parts:
    return Parts(game=lambda game, shared: ToldByView(game, shared, change))  # type: ignore[arg-type, return-value]


def next_hand(game: AnyGame, state: Any, seat: int) -> tuple[int, ...]:
    hand: tuple[int, ...] = game.view(state, (seat + 1) % game.seats).hand
    return hand


def a_hidden_card(game: AnyGame, state: Any, view: Any) -> Any:
    return view._replace(dealer=max(next_hand(game, state, view.seat), default=0))


def length_of_an_opponents_suit(game: AnyGame, state: Any, view: Any) -> Any:
    length = sum(card >> 4 == 1 for card in next_hand(game, state, view.seat))
    field = "defeats" if hasattr(view, "defeats") else "scores"
    return view._replace(**{field: (*getattr(view, field), length)})


def nest_before_it_is_taken(_game: AnyGame, state: Any, view: Any) -> Any:
    return view._replace(nest=state.so_far.deals[-1].nest)


def discard_to_everyone(_game: AnyGame, state: Any, view: Any) -> Any:
    return view._replace(discard=state.discard)


def points_of_the_discard(game: AnyGame, state: Any, view: Any) -> Any:
    points = sum(game.lookup.points[card] for card in state.discard)  # type: ignore[attr-defined]
    return view._replace(captured=(view.captured[0] + points, view.captured[1]))


def next_pitcher(_game: AnyGame, state: Any, view: Any) -> Any:
    return view._replace(pitchers=state.dealt[-1].pitchers[: len(view.pitchers) + 1])


def whole_pack_of_pitchers(_game: AnyGame, state: Any, view: Any) -> Any:
    return view._replace(pitchers=state.dealt[-1].pitchers)


def drops_in_order_of_their_cards(_game: AnyGame, state: Any, view: Any) -> Any:
    """The acts of a trick, those who dropped put in the order of what they dropped."""
    droppers = sorted(state.dropped, key=lambda seat: state.put[seat])
    acts = list(view.act_seats)
    first = len(acts) - sum(map(bool, state.put))
    places = [at for at in range(first, len(acts)) if acts[at] in state.dropped]
    for at, seat in zip(places, droppers, strict=True):
        acts[at] = seat
    return view._replace(act_seats=tuple(acts))


def points_of_drops(_game: AnyGame, state: Any, view: Any) -> Any:
    return view._replace(points=state.points)


def place_of_the_trump_card(_game: AnyGame, state: Any, view: Any) -> Any:
    deal = state.match.dealt[-1]
    return view._replace(stock=deal.stock.index(deal.trump_card))


class OrderedByHidden(ToldByView):
    """Legal moves begin with those that the next seat cannot answer best."""

    def legal_moves(self, view: Any) -> Legal:
        legal = self._game.legal_moves(view)
        if not isinstance(legal, LegalList) or self._shared.state is None:
            return legal
        turn = sum(next_hand(self._game, self._shared.state, view.seat)) % len(legal.moves)
        return legal._replace(moves=(*legal.moves[turn:], *legal.moves[:turn]))


# --- in the player: what is sent for a seat ---------------------------------------------------------------------------


class TellsInGameStart(RemotePlayer):
    """Writes more into GameStart."""

    def __init__(self, seat: int, session: Session, family: str, shared: Shared, tell: Callable[..., None]) -> None:
        super().__init__(session, family)
        self._tell = tell
        self._shared = shared
        self._own = seat

    def start(self, info: Any) -> None:
        super().start(info)
        self._tell(self._session._frame.events[-1].game_start, self._shared.world, self._own)


def in_game_start(tell: Callable[..., None]) -> Parts:
    def made(seat: int, session: Session, family: str, shared: Shared) -> Player:
        return TellsInGameStart(seat, session, family, shared, tell)

    return Parts(player=made)


def board_seed(message: Any, world: Any, _seat: int) -> None:
    message.seed = int.from_bytes(world.seed[:8], "big")


def seed_of_another_seat(message: Any, world: Any, seat: int) -> None:
    message.seed = world.bot_seeds[(seat + 1) % message.seats]


def name_of_an_opponent(message: Any, world: Any, seat: int) -> None:
    message.options["opponent"] = world.names[(seat + 1) % message.seats]


def board_number(message: Any, world: Any, _seat: int) -> None:
    message.game = world.number + 1


def public_id(message: Any, world: Any, seat: int) -> None:
    message.ruleset += f" spring-r1-b{world.number}-t1-{seat + 1}"


class CountsOptionsOfOthers(RemotePlayer):
    """Sends an empty event for each move that the seat before had: nothing is said, but a count."""

    def __init__(self, session: Session, family: str, shared: Shared) -> None:
        super().__init__(session, family)
        self._shared = shared

    def choose(self, turn: Turn) -> Any:
        game = self._shared.world.game
        if self._shared.state is not None:
            view = game.view(self._shared.state, (turn.seat + 1) % game.seats)
            for _ in range(sum(card >> 4 == 2 for card in view.hand)):
                self._session.event()
        return super().choose(turn)


class TellsNotes(RemotePlayer):
    """Forwards what other seats noted."""

    def __init__(self, session: Session, family: str, shared: Shared) -> None:
        super().__init__(session, family)
        self._shared = shared

    def choose(self, turn: Turn) -> Any:
        written = [record.note for record in self._shared.running.course.moves if record.note]
        if written:
            self._session.event().goodbye.reason = written[-1]
        return super().choose(turn)


# --- in the session: bytes --------------------------------------------------------------------------------------------


class Padded(Session):
    """Frames whose size tells what others hold: a field that no bot reads, as long as a suit of the next seat."""

    def __init__(self, seat: int, now: Callable[[], float], shared: Shared) -> None:
        super().__init__(1, now)
        self._seat = seat
        self._shared = shared

    async def next_frame(self) -> bytes | None:
        frame = await super().next_frame()
        if frame is None or self._shared.state is None:
            return frame
        hand = next_hand(self._shared.world.game, self._shared.state, self._seat)
        return frame + b"\x7a" + bytes([size := sum(card >> 4 == 0 for card in hand)]) + bytes(size)


class SaysWhatTheParserSaid(Session):
    """Answers a frame that cannot be read with the parser's own words."""

    def _fail_pending(self, code: str, detail: str) -> None:
        super()._fail_pending(code, f"{detail}: {DecodeError('wire type 6 at byte 3')}")


# --- in the referee ---------------------------------------------------------------------------------------------------


class Booked(referee._Running):
    """The referee, its book left where leaks find it."""

    shared: Shared

    def __init__(self, table: referee.Table, course: referee.Course) -> None:
        super().__init__(table, course)
        self.shared.running = self


class SkipsForcedSeats(Booked):
    """Does not ask a seat that has one move."""

    async def _ask(self, number: int, seat: int, view: Any, legal: Legal) -> referee.MoveRecord:
        if isinstance(legal, LegalList) and legal.total() == 1:
            return referee.MoveRecord(seat, legal.moves[0], view, 0.0)
        return await super()._ask(number, seat, view, legal)


class SendsAnothersClock(Booked):
    """Tells every seat the bank of the next one."""

    async def _ask(self, number: int, seat: int, view: Any, legal: Legal) -> referee.MoveRecord:
        assert self.clocks is not None
        clocks, own = self.clocks, self.clocks[seat]
        other = clocks[(seat + 1) % len(clocks)]
        mixed = type(own)(own.setting, other.bank_ms)
        clocks[seat] = mixed
        try:
            return await super()._ask(number, seat, view, legal)
        finally:
            own.bank_ms += mixed.bank_ms - other.bank_ms
            clocks[seat] = own


class TellsFaultsOfOthers(Booked):
    """Tells the table who was at fault, while the game runs."""

    def _book(self, fault: Any) -> None:
        super()._book(fault)
        for player in self.table.players:
            player.rejected(Turn(fault.turn, fault.seat, None, LegalList(()), None, None), "ILLEGAL", "of another seat")


def by_referee(kind: type[Booked], player: Callable[..., Player] | None = None) -> Parts:
    """Parts with another referee."""

    async def play(table: referee.Table, shared: Shared) -> Any:
        real = referee._Running
        referee._Running = type(kind.__name__, (kind,), {"shared": shared})  # type: ignore[misc]
        try:
            return await referee.play_game(table)
        finally:
            referee._Running = real  # type: ignore[misc]

    if player is None:
        return Parts(play=play)
    return Parts(play=play, player=lambda _seat, session, family, shared: player(session, family, shared))


def watching(change: Callable[..., Any] = lambda _game, _state, view: view, **parts: Any) -> Parts:
    """Parts whose leak needs to see the newest state."""
    return Parts(game=lambda game, shared: ToldByView(game, shared, change), **parts)  # type: ignore[arg-type, return-value]


LEAKS: dict[str, Leak] = {
    "a hidden card in the view": Leak(by_view(a_hidden_card)),
    "the length of an opponent's suit": Leak(by_view(length_of_an_opponents_suit)),
    "the nest before it is taken": Leak(by_view(nest_before_it_is_taken), ("rook",)),
    "the discard": Leak(by_view(discard_to_everyone), ("rook",)),
    "the discard's points": Leak(by_view(points_of_the_discard), ("rook",)),
    "the next pitcher": Leak(by_view(next_pitcher), ("crow",)),
    "the order of the pitchers": Leak(by_view(whole_pack_of_pitchers), ("crow",)),
    "the order of drops": Leak(by_view(drops_in_order_of_their_cards), ("goat",)),
    "the points of drops": Leak(by_view(points_of_drops), ("goat",)),
    "where the trump card lies": Leak(by_view(place_of_the_trump_card), ("goat",)),
    "the order of legal moves": Leak(
        Parts(game=lambda game, shared: OrderedByHidden(game, shared, lambda _g, _s, view: view))  # type: ignore[arg-type, return-value]
    ),
    "the board's seed": Leak(in_game_start(board_seed)),
    "another seat's seed": Leak(in_game_start(seed_of_another_seat)),
    "an opponent's name": Leak(in_game_start(name_of_an_opponent)),
    "the board's number": Leak(in_game_start(board_number)),
    "the public id": Leak(in_game_start(public_id)),
    "empty events, as many as an opponent's options": Leak(
        watching(player=lambda _seat, session, family, shared: CountsOptionsOfOthers(session, family, shared))
    ),
    "the size of frames": Leak(watching(session=Padded)),
    "the parser's words": Leak(Parts(session=lambda _seat, now, _shared: SaysWhatTheParserSaid(1, now))),
    "a forced turn that is not asked": Leak(by_referee(SkipsForcedSeats)),
    "an opponent's clock": Leak(by_referee(SendsAnothersClock)),
    "an opponent's fault": Leak(by_referee(TellsFaultsOfOthers)),
    "an opponent's note": Leak(by_referee(Booked, TellsNotes)),
}
"""By what is told."""
