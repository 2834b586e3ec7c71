"""The tables of one board as rows: who sat where, what it came to against the others, where it left what most did.

An open board is described whole; of a sealed one it is said which games are done, and nothing of cards or results.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from arena.core.errors import TranscriptError
from arena.core.game import AnyGame
from arena.rating.blocks import Block, sort_out
from arena.record.compare import DealFacts, Diagram, MajorityParting, diagram, facts_of, majority_parting
from arena.record.compare.tables import margin_of
from arena.record.results import Verdict
from arena.record.text import seat_names, side_names
from arena.runner.comparing import BoardTables, board_tables
from arena.runner.course import is_remote, stored_game, stored_pool, stored_schedule
from arena.store.store import Store
from arena.store.values import GameInfo, Tournament, public_id
from arena.tournament.schedule import Fixed, keys_of

SHOWN = 120
"""So many blocks of a board are shown and compared; of more, so many spread evenly."""
PLANNED = 300
"""So many games of a sealed board are listed."""
Data = Mapping[str, Any]  # Any: JSON


class TableRow(NamedTuple):
    """One game on the board."""

    game: str
    """Its public id."""
    block: str
    """"r1-t2"."""
    seating: int
    """From 1."""
    bots: tuple[str, ...]
    """By seat."""
    verdict: str
    points: tuple[float, ...]
    """By side; empty of a void game."""
    difference: tuple[float, ...]
    """By side: its margin above the mean of the same side at the other tables; empty where nothing can be compared."""
    faults: tuple[tuple[int, str], ...]
    """(seat, code)."""
    facts: tuple[DealFacts, ...]
    """By deal; empty where the transcript is gone."""
    parting: MajorityParting | None


class Sum(NamedTuple):
    """What a block came to for one bot."""

    bot: str
    score: float
    swing: float


class BoardBlock(NamedTuple):
    """The games of one block."""

    block: str
    rows: tuple[TableRow, ...]
    sums: tuple[Sum, ...]
    """The best first; empty while it is not complete, or where it is not rated."""

    @property
    def swing(self) -> float:
        """By how much it was won; below 0 where that is not known, so that such blocks come last."""
        return self.sums[0].swing if self.sums else -1.0


class OpenBoard(NamedTuple):
    """A board whose cards may be shown."""

    number: int
    marks: tuple[str, ...]
    """Names of the seats."""
    sides: tuple[str, ...]
    """Names of the sides, by seats."""
    blocks: tuple[BoardBlock, ...]
    """Those with the largest swing first."""
    games: int
    """On the board in all."""
    left_out: int
    """Blocks that are not shown."""
    deals: tuple[Diagram, ...]
    compared: int
    """Tables that were compared move by move."""
    unreadable: bool
    """Whether the transcripts are none that these rules can read."""


class SealedBoard(NamedTuple):
    """A board that is still being played."""

    number: int
    marks: tuple[str, ...]
    sides: tuple[str, ...]
    waits: str
    rows: tuple[tuple[str, str, tuple[str, ...], str], ...]
    """(id, block, bots by seat, state: done, running or "to be played")."""
    done: int
    to_go: int | None
    """None: not known beforehand."""


def open_board(store: Store, tournament: Tournament, number: int) -> OpenBoard:
    """All of an open board. Raises as `board_tables`."""
    game = stored_game(tournament)
    shown: list[str] = []

    def chosen(played: Sequence[GameInfo]) -> list[GameInfo]:
        """All games of the blocks that are shown."""
        names = list(dict.fromkeys(_block(info) for info in played))
        every = names if len(names) <= SHOWN else [names[place * len(names) // SHOWN] for place in range(SHOWN)]
        shown.extend(every)
        wanted = set(every)
        return [info for info in played if _block(info) in wanted]

    try:
        found, unreadable = board_tables(store, tournament, number, most=SHOWN * game.seats, of=chosen), False
        facts = {table.public_id: facts_of(table.transcript) for table in found.tables}
    except TranscriptError:
        infos = tuple(store.games(tournament.name, board=number, limit=None))
        found, unreadable, facts = BoardTables((), len(infos), infos), True, {}
    partings = majority_parting(found.tables)
    other_cards = is_remote(tournament.config)  # a void game of remote bots is played again with other cards
    finished = [info for info in found.infos if info.row.verdict is Verdict.FINISHED]
    differences = differences_of(game, [info for info in finished if info.attempt == 1 or not other_cards])
    sums = _sums(sort_out([info.row for info in found.infos], stored_pool(tournament)).blocks)
    rows: dict[str, list[TableRow]] = {name: [] for name in shown}
    for info in found.infos:
        block = _block(info)
        if block not in rows and info.row.verdict is not Verdict.VOID:
            continue
        rows.setdefault(block, []).append(
            TableRow(
                info.public_id,
                block,
                info.row.key.seating + 1,
                info.row.bots,
                info.row.verdict.value,
                tuple(info.row.scores[side[0]] for side in game.sides) if info.row.scores else (),
                differences.get(info.public_id, ()),
                info.row.faults,
                facts.get(info.public_id, ()),
                partings.get(info.public_id),
            )
        )
    blocks = [BoardBlock(name, tuple(listed), sums.get(name, ())) for name, listed in rows.items() if listed]
    blocks.sort(key=lambda block: -block.swing)
    names = {_block(info) for info in found.infos}
    deals = max((table.transcript.deals for table in found.tables), key=len, default=())
    return OpenBoard(
        number,
        seat_names(game.seats),
        side_names(game),
        tuple(blocks),
        len(found.infos),
        len(names) - len(blocks),
        tuple(map(diagram, deals)),
        len(found.tables),
        unreadable,
    )


def differences_of(game: AnyGame, infos: Sequence[GameInfo]) -> dict[str, tuple[float, ...]]:
    """By game, by side: its margin minus the mean margin of that side at the other tables; from scores alone, so that
    it takes no longer with a thousand tables. Nothing where there are no others."""
    margins = {}
    for info in infos:
        points = [info.row.scores[side[0]] for side in game.sides]
        margins[info.public_id] = [margin_of(points, side) for side in range(len(points))]
    others = len(margins) - 1
    if others < 1:
        return {}
    totals = [sum(each) for each in zip(*margins.values(), strict=True)]
    return {
        name: tuple(own - (total - own) / others for own, total in zip(each, totals, strict=True))
        for name, each in margins.items()
    }


def sealed_board(
    store: Store, tournament: Tournament, number: int, waits: str, running: Collection[str] = ()
) -> SealedBoard:
    """What may be said of a sealed board. `running`: ids of games that are being played."""
    game, schedule = stored_game(tournament), stored_schedule(tournament)
    infos = store.games(tournament.name, board=number, limit=None)
    rows = [(info.public_id, _block(info), info.row.bots, "done") for info in infos]
    done = {info.row.key for info in infos}
    to_go: int | None = None
    if isinstance(schedule, Fixed):
        to_go = max(0, schedule.games_on(number) - len(done))
        for bout in schedule.round(schedule.round_of(number)) or ():
            if number not in bout.boards or len(rows) >= PLANNED:
                continue
            for key in keys_of(bout):
                if key.board == number and key not in done:
                    seats = [
                        game.side_of(seat) if len(bout.lineup) < game.seats else seat for seat in range(game.seats)
                    ]
                    bots = tuple(bout.side(number, key.seating, place) for place in seats)
                    name = public_id(tournament.name, key)
                    state = "running" if name in running else "to be played"
                    rows.append((name, f"r{key.round}-t{key.table}", bots, state))
    return SealedBoard(number, seat_names(game.seats), side_names(game), waits, tuple(rows[:PLANNED]), len(done), to_go)


def _block(info: GameInfo) -> str:
    key = info.row.key
    return f"r{key.round}-t{key.table}"


def _sums(blocks: Sequence[Block]) -> dict[str, tuple[Sum, ...]]:
    found = {}
    for block in blocks:
        each = [Sum(*values) for values in zip(block.bots, block.scores, block.swings, strict=True)]
        found[f"r{block.round}-t{block.table}"] = tuple(sorted(each, key=lambda one: (-one.swing, one.bot)))
    return found
