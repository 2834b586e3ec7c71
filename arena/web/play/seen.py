"""One position of a running game as one viewer may see it, as data for the page: markup, words, controls.

A viewer is the person in the seat, who sees that seat's view, or anybody else, who sees what spectators see. Nothing
else of the state goes in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.core.game import AnyGame, Seat
from arena.record.outcomes import new_result
from arena.record.text import seat_names
from arena.runner.sittings import Plan, Step
from arena.web.play.controls import OVER, WAIT, Controls, controls_of
from arena.web.play.ending import summary_of
from arena.web.play.laying import completes_trick
from arena.web.rendering import fragment
from arena.web.table import Choices, Scene, as_text, cards, choices_of, markup, scene_of, sentence, with_move
from arena.web.table.scene import YOU

SOMEBODY = "Person"
PLACES = {3: ("Seat 1", "Seat 2", "Seat 3"), 4: ("South", "West", "North", "East")}
"""What seats are called in sentences, by how many there are: bots of one name are not told apart by it."""
NO_CARDS = Choices({})
"""The hand is laid out as for a choice, and none of its cards is a button."""


@dataclass(frozen=True)
class Eyes:
    """Through whose eyes a game is seen."""

    game: AnyGame
    names: tuple[str, ...]
    """By seat."""
    seat: Seat | None
    """None: of spectators."""
    bottom: Seat

    @property
    def spoken(self) -> tuple[str, ...]:
        """What the seats are called in sentences."""
        words = PLACES[self.game.seats]
        return tuple(YOU if seat == self.seat else word for seat, word in enumerate(words))

    def view(self, state: Any) -> dict[str, Any]:
        """The view of the viewer, as data. Any: JSON, and the state of whichever game."""
        return self.game.view_data(self.game.view(state, self.seat))

    def public(self, state: Any) -> dict[str, Any]:
        """The view of spectators, as data."""
        return self.game.view_data(self.game.view(state, None))

    def table(
        self, view: Mapping[str, Any], to_move: Seat | None, choices: Choices | None = None, *, last: bool = False
    ) -> str:
        """A view as the markup of a table."""
        return str(markup(self.scene(view, to_move, choices), last=last))

    def scene(self, view: Mapping[str, Any], to_move: Seat | None, choices: Choices | None = None) -> Scene:
        """A view as what lies where."""
        return scene_of(
            self.game,
            {-1 if self.seat is None else self.seat: view},
            bottom=self.bottom,
            names=self.names,
            to_move=to_move,
            choices=choices if self.seat is not None else None,
        )


def eyes_of(plan: Plan, seat: Seat | None) -> Eyes:
    """The eyes of the person in a seat, or of spectators."""
    mine = YOU if seat is not None else SOMEBODY
    names = tuple(bot.name if bot is not None else mine for bot in plan.bots)
    return Eyes(plan.game, names, seat, plan.seat if plan.seat is not None else 0)


def position(steps: Sequence[Step], number: int, eyes: Eyes) -> dict[str, Any]:
    """Position `number` as the page's script takes it. Any: JSON.

    n          the number of moves before it
    table      markup of the table
    laid       the table while the trick that was just completed lies there; absent: none was
    controls   markup of what can be pressed
    choice     data for the controls; null when it is not the viewer's turn
    said       what happened, in a sentence; empty when the cards were dealt
    turn       that it is the viewer's turn, in a sentence; else empty
    before     markup of the table with the trick before, where there is one
    mine       whether the viewer made the move that led to it
    deal       markup of what a deal that has just ended came to, where the next one follows
    """
    game, state = eyes.game, steps[number].state
    view, turn = eyes.view(state), game.to_move(state)
    controls, choices = _controls(eyes, state, view, turn)
    shown = {
        "n": number,
        "table": eyes.table(view, turn, choices),
        "controls": str(fragment("play/controls.html", controls=controls, wait=_waits(eyes, view, turn), **_DRAWN)),
        "choice": {**controls.data, "kind": controls.kind, "size": controls.size} if controls.mine else None,
        "said": told(steps, number, eyes),
        "turn": controls.said,
        "mine": False,
    }
    if "leaders" in view or view.get("acts"):
        shown["before"] = eyes.table(view, None, NO_CARDS, last=True)
    record = steps[number].record
    if record is not None:
        _tell_move(shown, eyes, steps[number - 1].state, steps[number])
        shown["mine"] = record.seat == eyes.seat
    return shown


_DRAWN = {"suit_mark": cards.suit_mark}


def _controls(eyes: Eyes, state: Any, view: Mapping[str, Any], turn: Seat | None) -> tuple[Controls, Choices]:
    game = eyes.game
    if turn is None:
        return OVER, NO_CARDS
    if turn != eyes.seat:
        return WAIT, NO_CARDS
    legal = game.legal_moves(game.view(state, turn))
    chosen = choices_of(game, view, game.notation.legal_data(legal))
    return controls_of(game, view, legal, eyes.names), chosen or NO_CARDS


def _waits(eyes: Eyes, view: Mapping[str, Any], turn: Seat | None) -> str:
    """Who is waited for, in words."""
    if turn is None:
        return "The game is over"
    return f"{seat_names(eyes.game.seats)[turn]} {eyes.names[turn]}"


def as_lists(steps: Sequence[Step], number: int, eyes: Eyes) -> list[tuple[str, list[str]]]:
    """Position `number` as headings with lines, and what can be played."""
    state = steps[number].state
    view, turn = eyes.view(state), eyes.game.to_move(state)
    controls, choices = _controls(eyes, state, view, turn)
    lists = [(heading, list(lines)) for heading, lines in as_text(eyes.scene(view, turn, choices))]
    if controls.mine:
        lists.append(("Your turn", [controls.said, *controls.listed()]))
    return [(heading, lines) for heading, lines in lists if lines]


def told(steps: Sequence[Step], number: int, eyes: Eyes) -> str:
    """The move that led to position `number` in a sentence; empty for the first one."""
    record, game = steps[number].record, eyes.game
    if record is None:
        return ""
    before, after = eyes.public(steps[number - 1].state), eyes.public(steps[number].state)
    mine = () if eyes.seat is None else (eyes.seat,)
    said = sentence(game, eyes.spoken, record.seat, game.notation.text(record.move), before, after, eyes=mine)
    if record.fault:
        said += f" {eyes.spoken[record.seat]} did not answer as it should: the default move was played."
    return said


def _tell_move(shown: dict[str, Any], eyes: Eyes, before: Any, step: Step) -> None:
    """Add the trick as it lay when the move completed it, and what a deal came to that ended with it."""
    game, record = eyes.game, step.record
    assert record is not None, "a move led here"
    move = game.notation.text(record.move)
    public, after = eyes.public(before), eyes.public(step.state)
    if completes_trick(game, public, move):
        eye = -1 if eyes.seat is None else eyes.seat
        laid = with_move(game, {eye: eyes.view(before)}, record.seat, move)[eye]
        shown["laid"] = eyes.table(laid, None, NO_CARDS)
    over = new_result(public, after, len(game.sides)) is not None
    if over and game.to_move(step.state) is not None:
        shown["deal"] = str(fragment("play/deal.html", summary=summary_of(game, step.state, eyes.names)))
