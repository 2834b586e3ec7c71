"""Two tables of one board side by side: in step until they part, then each at its own turn of that number."""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup

from arena.record.compare import Told, first_difference
from arena.record.compare.words import did
from arena.web.errors import Forbidden, NotFound
from arena.web.games.eyes import ALL, Eyes
from arena.web.games.positions import said_at, scene_at
from arena.web.games.replays import Replay, replays_of
from arena.web.games.source import Open, find
from arena.web.site import Site
from arena.web.table import markup
from arena.web.viewer import Viewer

EVERYBODY = Eyes(ALL, None)


class Half(NamedTuple):
    """One of the two tables."""

    game: str
    names: str
    table: Markup
    said: str
    """The move that led here, in a sentence."""
    next: str
    """The move that comes now."""
    over: bool


class Lockstep(NamedTuple):
    """Both."""

    family: str
    turn: int
    last: int | None
    """The last turn of the longer one; None: it is not to be known, since results are hidden."""
    parting: int | None
    """The turn at which they parted; None: never, or it is not to be known yet."""
    where: str
    """How they parted, in a sentence; of those who hide results once it is passed."""
    halves: tuple[Half, Half]

    @property
    def together(self) -> bool:
        """Whether both show the same position."""
        return self.parting is None or self.turn <= self.parting


def lockstep(site: Site, viewer: Viewer, board: int, one: str, other: str, turn: int) -> Lockstep:
    """Both tables at a turn; for whoever hides results neither at its last one, and nothing of what follows.

    Raises NotFound for games of other boards, Forbidden for what is not open.
    """
    first, second = (_open(site, viewer, board, name) for name in (one, other))
    if first.where is None or second.where is None or first.where.tournament != second.where.tournament:
        raise NotFound("these are games of two tournaments", where="?a=, ?b=")
    replays = [replays_of(site).of(found) for found in (first, second)]
    parted = first_difference(*(Told.of(found.transcript) for found in (first, second)))
    hide = viewer.hide_results
    last = max(replay.last for replay in replays) - int(hide)
    turn = max(0, min(turn, last))
    where = "they have not parted by here" if hide else "they never part"
    if parted is not None and hide and parted.turn > turn:
        parted = None
    if parted is not None:
        who = replays[0].marks[parted.seat]
        where = (
            f"they part at turn {parted.turn}: {who} {did(parted.own)} on the left, {did(parted.other)} on the right"
        )
    left, right = (
        _half(found, replay, turn, label, hide=hide)
        for found, replay, label in zip((first, second), replays, ("left table", "right table"), strict=True)
    )
    return Lockstep(
        replays[0].family, turn, None if hide else last, None if parted is None else parted.turn, where, (left, right)
    )


def _open(site: Site, viewer: Viewer, board: int, name: str) -> Open:
    found = find(site, name, viewer)
    if found.where is None or found.where.board != board:
        raise NotFound(f"{name} is no game of this board", where="?a=, ?b=", fix="tick two rows of the board's page")
    if not isinstance(found, Open):
        raise Forbidden(f"game {name} is {found.state}", where=f"/g/{name}", saw=found.line)
    return found


def _half(found: Open, replay: Replay, turn: int, label: str, *, hide: bool) -> Half:
    last = max(0, replay.last - int(hide))
    here = min(turn, last)
    moves = replay.transcript.moves
    coming = f"{replay.marks[moves[here].seat]} {did(moves[here].move)}" if here < len(moves) else ""
    return Half(
        found.public_id,
        " – ".join(dict.fromkeys(replay.names)),
        markup(scene_at(replay, here, EVERYBODY), label=label),
        said_at(replay, here, EVERYBODY),
        coming,
        turn > last,
    )
