"""The games of a bot: filtered, newest first, a page at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from markupsafe import Markup

from arena.core.game import AnyGame
from arena.record.compare.tables import margin_of
from arena.record.results import Verdict
from arena.record.text import seat_names
from arena.runner.course import stored_game
from arena.store.bot_games import FAR
from arena.store.values import GameInfo
from arena.web.botpages.identity import Known
from arena.web.botpages.service import BotPages
from arena.web.errors import NotFound
from arena.web.rendering import bdi, moment, number
from arena.web.sheets import Column, Sheet

PAGE = 50
RESULTS = ("won", "lost", "drawn", "middle", "void")
ANY = "any"
Row = Mapping[str, Any]  # Any: JSON


class Filters(NamedTuple):
    """What is asked for; empty: everything."""

    t: str = ""
    opponent: str = ""
    seat: str = ""
    result: str = ""
    fault: str = ""
    before: str = ""
    v: str = ""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> Filters:
        """From an address. Raises NotFound for what can match nothing."""
        found = cls(**{name: query.get(name, "")[:64] for name in cls._fields})
        if found.result and found.result not in RESULTS:
            raise NotFound(f"no game ends {found.result!r}", where="?result=", fix=" | ".join(RESULTS))
        for name in ("seat", "before"):
            value = getattr(found, name)
            if value and not (value.isascii() and value.isdecimal() and len(value) < 19):
                raise NotFound(f"{name} is no number", where=f"?{name}=", saw=repr(value), fix="leave it out")
        return found

    def query(self, **changed: str) -> str:
        """An address with some of it changed."""
        return urlencode({name: value for name, value in self._replace(**changed)._asdict().items() if value})


class Games(NamedTuple):
    """One page of games."""

    sheet: Sheet
    further: int | None
    """Go on before this game's row number; None: there are no more."""
    total: int
    """Games of the line-ups that are asked for, in all."""
    counted: bool
    """Whether the line-ups are known yet."""


LOST, LOOKED_AT = 5, 500
"""So many lost games are named on a bot's first page, of so many that are looked at."""


def lost_last(pages: BotPages, bot: Known) -> tuple[Row, ...]:
    """The games that it lost last, the newest first."""
    return games_of(pages, bot, Filters(result="lost"), limit=LOST, far=LOOKED_AT).sheet.rows


def games_of(
    pages: BotPages, bot: Known, asked: Filters, *, results: bool = True, limit: int = PAGE, far: int = FAR
) -> Games:
    """The games that pass all filters, at most `limit` of the newest `far`. Without `results` nothing says how any
    ended.
    """
    asked = asked if results else asked._replace(result="")
    wanted: dict[str, None] = {}
    lineups: set[tuple[str, ...]] = set()
    cups: dict[str, AnyGame] = {}
    ids: list[int] = []
    total, counted = 0, True
    for tournament, known in bot.played:
        if asked.t not in ("", tournament.name):
            continue
        told = pages.tally(tournament, patient=counted).value
        counted &= told is not None
        if told is None:
            continue
        cups[tournament.name] = stored_game(tournament)
        for bots, count in told.lineups.games.items():
            if known in bots and _sits(bots, known, asked):
                lineups.add(bots)
                total += count
        ids.append(tournament.id)
        wanted[known] = None

    def keep(bots: tuple[str, ...], ranks: tuple[int, ...]) -> bool:
        seat = next(seat for seat, name in enumerate(bots) if name in wanted)
        return not asked.result or result_of(ranks, seat) == asked.result

    found = pages.games.page(
        lineups,
        set(ids),
        games=total,
        before=int(asked.before) if asked.before else None,
        limit=limit,
        fault=(tuple(wanted), "" if asked.fault == ANY else asked.fault) if asked.fault else None,
        keep=keep,
        far=far,
    )
    rows = tuple(_row(info, next(name for name in info.row.bots if name in wanted), cups) for info in found.games)
    sheet = Sheet(
        "games",
        "arena.bot-games/1",
        tuple(column for column in COLUMNS if results or column.key not in ENDS),
        rows,
        empty="no such game among those that were looked at" if found.further else "no such game",
        incomplete="older games follow on the next page" if found.further else "",
    )
    return Games(sheet, found.further, total, counted)


def _sits(bots: tuple[str, ...], known: str, asked: Filters) -> bool:
    if asked.seat and (int(asked.seat) >= len(bots) or bots[int(asked.seat)] != known):
        return False
    others = {name.casefold() for name in bots if name != known}
    wanted = asked.opponent.casefold()
    return not wanted or wanted in others or wanted in {name.partition("@")[0] for name in others}


def result_of(ranks: tuple[int, ...], seat: int) -> str:
    """One of RESULTS for a seat, from the ranks of all seats (empty when void)."""
    if not ranks:
        return "void"
    if len(set(ranks)) == 1:
        return "drawn"
    return "won" if ranks[seat] == 0 else "lost" if ranks[seat] == max(ranks) else "middle"


def _row(info: GameInfo, known: str, cups: Mapping[str, AnyGame]) -> dict[str, Any]:
    row = info.row
    seats = [seat for seat, name in enumerate(row.bots) if name == known]
    game = cups[info.tournament]
    points: float | None = None
    if row.scores:
        points = margin_of([row.scores[side[0]] for side in game.sides], game.side_of(seats[0]))
    return {
        "game": info.public_id,
        "tournament": info.tournament,
        "board": row.key.board,
        "bot": known,
        "seats": seats,
        "opponents": list(dict.fromkeys(name for name in row.bots if name != known)),
        "score": row.scores[seats[0]] if row.scores else None,
        "margin": points,
        "result": result_of(row.ranks, seats[0]),
        "verdict": row.verdict.value,
        "faults": [code for seat, code in row.faults if seat in seats],
        "stored": info.stored.isoformat(timespec="seconds"),
        "at": info.stored,
        "marks": seat_names(len(row.bots)),
    }


def _game(row: Row) -> Markup:
    return Markup('<a href="/g/{}?seat={}">{}</a>').format(
        row["game"], row["seats"][0], row["game"].removeprefix(f"{row['tournament']}-")
    )


def _board(row: Row) -> Markup:
    return Markup('<a href="/t/{}/b/{}">{}</a>').format(row["tournament"], row["board"], row["board"])


def _opponents(row: Row) -> Markup:
    return Markup(", ").join(
        Markup('<a href="/bot/{}">{}</a>').format(name.partition("@")[0], bdi(name)) for name in row["opponents"]
    )


def _result(row: Row) -> Markup:
    kind = {"won": "good", "lost": "bad"}.get(row["result"], "")
    word = row["result"] if row["verdict"] == Verdict.FINISHED.value else f"{row['result']}, {row['verdict']}"
    word = "void" if row["result"] == "void" else word
    return Markup('<span class="{}">{}</span>').format(kind, word)


ENDS = ("score", "margin", "result", "verdict")
"""Columns that say how a game ended."""
COLUMNS = (
    Column("game", "game", _game, pinned=True, sorts=False),
    Column("tournament", "tournament", lambda row: bdi(row["tournament"]), sorts=False),
    Column("board", "board", _board, right=True, sorts=False),
    Column("bot", "as", hidden=True),
    Column("seats", "seats", lambda row: " ".join(row["marks"][seat] for seat in row["seats"]), sorts=False),
    Column("opponents", "with and against", _opponents, sorts=False),
    Column("score", "score", lambda row: number(row["score"]), right=True, sorts=False),
    Column("margin", "above others", lambda row: number(row["margin"], plus=True), right=True, sorts=False),
    Column("result", "result", _result, sorts=False),
    Column("verdict", "verdict", hidden=True),
    Column("faults", "faults", lambda row: ", ".join(row["faults"]) or "–", sorts=False),
    Column("stored", "when", lambda row: moment(row["at"]), sorts=False),
)
