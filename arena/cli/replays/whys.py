"""`arena replay show --why`: why sides of a game lost, against the tables that played the same cards.

Of a game that is no tournament's only what can be said without other tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from arena.cli.output import Output
from arena.cli.replays.showing import check_seat

if TYPE_CHECKING:
    from arena.record.compare import Told, Why
    from arena.record.transcript import Transcript

HEADINGS = ("side", "kind", "text", "turn", "seat", "tables", "same", "few")


def show_why(output: Output, game: str, kept: Transcript | None, seat: int | None) -> None:
    """Say why each side of a game lost that did, or how it went for a seat's side.

    `kept`: the game, if it is no tournament's; else `game` is the id of a stored one. Raises as `stored_game`.
    """
    from arena.record.compare import Digest, Told, losing_sides, why

    own, told = _of_board(output, game, seat) if kept is None else (Told.of(kept), [])
    if kept is not None:
        told = [why(own, side, Digest.of([own])) for side in _sides(own, seat, losing_sides(own))]
    if output.flags.json:
        output.document("why/1", {"game": own.public_id, "sides": [_data(own, each) for each in told]})
    elif output.flags.csv:
        output.rows(HEADINGS, [list(_data(own, each).values())[: len(HEADINGS)] for each in told])
    else:
        _show_text(output, own, told)
        turns = [each for each in told if each.turn is not None]
        if turns:
            output.next_step(f"arena replay show {game} --turn {turns[0].turn} --seat {turns[0].seat}")


def _of_board(output: Output, game: str, seat: int | None) -> tuple[Told, list[Why]]:
    """A stored game, and why sides of it lost."""
    from arena.cli.stored import open_store, stored_game
    from arena.runner.comparing import compared

    with open_store(output) as store:
        stored_game(store, game)  # its refusals say most
        found = compared(store, game)
    return found.own, [found.why(side) for side in _sides(found.own, seat, found.losing())]


def _sides(own: Told, seat: int | None, losing: tuple[int, ...]) -> tuple[int, ...]:
    """The sides that are asked for."""
    if seat is None:
        return losing
    check_seat(own.bots, seat)
    return (own.game.side_of(seat),)


def _show_text(output: Output, own: Told, told: Sequence[Why]) -> None:
    from arena.record.text import side_names

    names = side_names(own.game, [bot.partition("@")[0] for bot in own.bots])
    for each in told:
        output.line(f"{names[each.side]}: {each.text}")
    if not told:
        output.line("nobody lost: " + (f"the game is void: {own.transcript.reason}" if own.void else "all are level"))


def _data(own: Told, told: Why) -> dict[str, Any]:
    from arena.record.compare import why_data

    seats = own.game.sides[told.side]
    return {**why_data(told), "seats": list(seats), "bots": [own.bots[seat] for seat in seats]}
