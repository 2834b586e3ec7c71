"""A game position by position for a terminal: each as a screen of text, each move as a sentence.

What is shown is what the pages of the site show as text, in short: the same scene, made of the views that may be seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from arena.core.game import AnyGame, Seat
    from arena.core.moves import Move
    from arena.record.transcript import Transcript
    from arena.web.table.scene import CardFace, Play, Scene, SeatScene

PUBLIC = -1


class Made(NamedTuple):
    """A move that was made."""

    seat: Seat
    move: Move
    fault: str
    """Code of the fault for which it is the default move; else empty."""


class Course:
    """The positions of one game so far; more may be added."""

    def __init__(
        self, game: AnyGame, names: Sequence[str], first: Any, title: str = "", eyes: Seat | None = None
    ) -> None:  # Any: the state of whichever game
        """`names` by seat. `eyes`: through which seat's; None: all hands are open."""
        from arena.record.text import seat_names

        self.title = title or game.title
        self.over = game.to_move(first) is None
        """Whether no move will be added."""
        self._game = game
        self._names = tuple(names)
        self._eyes = eyes
        self._marks = seat_names(game.seats)
        self._states = [first]
        self._made: list[Made] = []
        self._starts: list[int] = [0]
        self._cards = 0
        """Of the open trick."""
        self._calls = False
        """Whether the move before was a call, in the same deal."""

    @classmethod
    def of(cls, transcript: Transcript, eyes: Seat | None = None, turns: int | None = None) -> Course:
        """A recorded game, or its first moves. Raises TranscriptError."""
        from itertools import islice, pairwise

        from arena.record.replay import game_of, replay

        positions = list(islice(replay(transcript), None if turns is None else turns + 1))
        names = [bot.partition("@")[0] for bot in transcript.bots]
        made = cls(game_of(transcript), names, positions[0].state, eyes=eyes)
        for position, after in pairwise(positions):
            assert position.seat is not None, "a move follows"
            assert position.move is not None, "a move follows"
            assert position.played is not None, "a move follows"
            made.add(Made(position.seat, position.move, position.played.fault), after.state)
        made.over = True
        return made

    @property
    def last(self) -> int:
        """The number of the newest position."""
        return len(self._made)

    def add(self, made: Made, after: Any) -> None:
        """A move was made. Any: the state of whichever game."""
        from arena.core.moves import Kind
        from arena.record.text import TRICK_MOVES

        game = self._game
        trick = made.move.kind in TRICK_MOVES
        if (not self._cards if trick else not self._calls) and self._starts[-1] != self.last:
            self._starts.append(self.last)
        self._calls = not trick
        if trick:
            self._cards = 1 if made.move.kind is Kind.MOLODKA else self._cards + 1
        if len(game.deals(after)) > len(game.deals(self._states[-1])):
            self._cards, self._calls = 0, False
        if self._cards == game.seats:
            self._cards = 0
        self._made.append(made)
        self._states.append(after)
        self.over = self.over or game.to_move(after) is None

    def trick_after(self, turn: int) -> int:
        """Where the next trick, or the next calls, begin."""
        return next((start for start in self._starts if start > turn), self.last)

    def trick_before(self, turn: int) -> int:
        """Where the trick before begins."""
        return next((start for start in reversed(self._starts) if start < turn), 0)

    def said(self, turn: int) -> str:
        """The move that led to a position in a sentence; empty at the first one."""
        if turn == 0:
            return ""
        from arena.web.table import sentence

        made, game = self._made[turn - 1], self._game
        called = [f"{mark} {name}" for mark, name in zip(self._marks, self._names, strict=True)]
        before, after = (game.view_data(game.view(self._states[place], None)) for place in (turn - 1, turn))
        eyes = range(game.seats) if self._eyes is None else (self._eyes,)
        text = sentence(game, called, made.seat, game.notation.text(made.move), before, after, eyes=tuple(eyes))
        return f"{text} ({made.fault}: the default move)" if made.fault else text

    def line(self, turn: int) -> str:
        """A move on a line of its own, by the number of the position before it."""
        return f"{turn - 1:>3}  {self.said(turn)}"

    def screen(self, turn: int) -> list[str]:
        """A position as lines."""
        scene = self._scene(turn)
        facts = "   ".join(f"{fact.label} {fact.value}" for fact in scene.header)
        lines = [f"{self.title}   turn {turn} of {self.last}{'' if self.over else ' so far'}", facts, ""]
        lines += [_seat(seat) for seat in scene.seats]
        for trick, label in ((scene.last, "trick before"), (scene.trick, "trick")):
            if trick is not None and (trick.plays or trick.pitcher is not None):
                pitcher = f"pitcher {trick.pitcher}   " if trick.pitcher is not None else ""
                lines += ["", f"{label} {trick.number}   {pitcher}{'  '.join(map(_play, trick.plays))}".rstrip()]
                lines += [f"  {trick.line}"] if trick.line else []
        for aside in scene.asides:
            cards = _cards(aside.cards) if aside.cards else f"{aside.backs} face down" if aside.backs else ""
            lines.append(f"{aside.heading}: {'; '.join(part for part in (cards, *aside.lines) if part)}")
        return [*lines, "", self.said(turn), scene.status]

    def _scene(self, turn: int) -> Scene:
        from arena.web.table import scene_of

        game, state = self._game, self._states[turn]
        seats: Iterable[Seat] = (PUBLIC, *range(game.seats)) if self._eyes is None else (self._eyes,)
        views = {seat: game.view_data(game.view(state, None if seat == PUBLIC else seat)) for seat in seats}
        return scene_of(game, views, bottom=self._eyes or 0, names=self._names, to_move=game.to_move(state))


def _cards(faces: Iterable[CardFace]) -> str:
    return " ".join(face.text for face in faces)


def _seat(seat: SeatScene) -> str:
    turn = ">" if seat.to_move else " "
    roles = [role for role, given in (("dealer", seat.dealer), ("declarer", seat.declarer)) if given]
    hand = _cards(seat.hand) if seat.hand is not None else f"{seat.count} cards"
    told = [f"{fact.label} {fact.value}" for fact in seat.facts] + (
        ["said " + ", ".join(seat.calls)] if seat.calls else []
    )
    beside = f"   ({'; '.join([*roles, *told])})" if roles or told else ""
    return f"{turn} {seat.mark} {seat.name:<12} {hand}{beside}"


def _play(play: Play) -> str:
    cards = _cards(play.cards) or f"{play.backs} face down"
    return f"{play.mark} {cards}{' down' if play.hidden else ''}{'*' if play.wins else ''}"
