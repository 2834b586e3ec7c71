"""A game as one HTML file that needs neither server nor network: every position from every viewpoint, and what steps.

The positions are those of the site, rendered by the same code, as compressed data inside the file. The browser unpacks
them and knows no rules. The format of the data, `arena.replay-page/1`, is told in docs/formats.md: markup line by line,
each line once, and by viewpoint and turn which lines the pieces of a position have.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from markupsafe import Markup

from arena import __version__
from arena.core.game import Seat
from arena.web.games.comparison import Comparison
from arena.web.games.eyes import ALL, Eyes, eyes_at
from arena.web.games.frames import frame, title_of
from arena.web.games.positions import decision_piece, moves_piece, pieces, said_at, table_piece, why_piece
from arena.web.games.replays import Replay
from arena.web.games.shown import Shown, eyes_of
from arena.web.games.source import Open
from arena.web.rendering import fragment

FORMAT = "arena.replay-page/1"
STATIC = Path(__file__).parent.parent / "static"
STYLES = ("arena.css", "table.css", "game.css")
SCRIPTS = ("arena.js", "replay.js")
ENDS = re.compile(r"</(script|style)|<!--", re.IGNORECASE)
POLICY = (
    "default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'; img-src data: blob:; "
    "base-uri 'none'; form-action 'none'"
)


def export(
    found: Open,
    replay: Replay,
    comparison: Comparison | None = None,
    *,
    notes: frozenset[Seat] = frozenset(),
    seat: Seat | None = None,
) -> str:
    """The file as text. `notes`: seats whose notes go into it. `seat`: through the eyes of this seat alone, whose file
    then holds nothing that it could not know.
    """
    shown = Shown(found, replay, comparison, links=False, notes=notes)
    asked = ALL if seat is None else str(seat)
    eyes = eyes_at(asked, replay.game.seats, replay.movers, 0)
    script, style = _inlined(SCRIPTS), _inlined(STYLES)
    return str(
        fragment(
            "game/export.html",
            version=__version__,
            format=FORMAT,
            policy=POLICY.format(style=_digest(style), script=_digest(script)),
            script=Markup(script),  # of this package
            style=Markup(style),
            title=title_of(shown, 0),
            positions=packed_positions(shown, asked),
            shown=shown,
            replay=replay,
            turn=0,
            eyes=eyes,
            mode="file",
            ask=False,
            position=pieces(shown, 0, asked),
            only=seat is not None,
            **_of_one(frame(shown, 0, eyes), seat),
        )
    )


def _of_one(context: dict[str, Any], seat: Seat | None) -> dict[str, Any]:  # Any: for the template
    """A frame; of one seat's file without the other viewpoints."""
    if seat is not None:
        context["viewpoints"] = tuple(one for one in context["viewpoints"] if one.asked == str(seat))
        context["data"] = {**context["data"], "only": str(seat)}
        context["strip"] = context["strip"]._replace(bars=())  # they count cards that it never saw
    return context


def packed_positions(shown: Shown, asked: str = ALL) -> str:
    """The data as text that any page may hold."""
    text = json.dumps(_positions(shown, asked), separators=(",", ":"), ensure_ascii=False)
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode("ascii")


def _positions(shown: Shown, asked: str) -> dict[str, Any]:
    """The data: every position through all eyes that the file is for. Any: JSON."""
    replay = shown.replay
    known: dict[str, int] = {}
    at: dict[str, list[list[Any]]] = {}
    drawn: dict[tuple[Any, ...], Markup] = {}

    def once(make: Callable[..., Markup], turn: int, eyes: Eyes, *key: Any, **how: bool) -> Markup:
        if (make, *key) not in drawn:
            drawn[make, *key] = make(shown, turn, eyes, **how)
        return drawn[make, *key]

    for name in [asked] if asked != ALL else [ALL, *map(str, range(replay.game.seats))]:
        rows = []
        for turn in range(replay.last + 1):
            eyes, mover = eyes_of(shown, name, turn), replay.at(turn).seat
            deal = replay.units[replay.unit_at(turn) or 0].deal if replay.units else 0
            place = (name, turn) if eyes.seat is not None else (name, deal)
            said = said_at(replay, turn, eyes)
            made = (
                once(moves_piece, turn, eyes, *place, mark_current=False),
                table_piece(shown, turn, eyes, said),
                once(decision_piece, turn, eyes, turn, mover is not None and eyes.sees(mover)),
                once(why_piece, turn, eyes, name),
            )
            rows.append([*(known.setdefault(str(each), len(known)) for each in made), said])
        at[name] = rows
    lines: dict[str, int] = {}
    made_of = [[lines.setdefault(line, len(lines)) for line in piece.split("\n")] for piece in known]
    return {"format": FORMAT, "arena": __version__, "lines": list(lines), "pieces": made_of, "at": at}


def _inlined(names: tuple[str, ...]) -> str:
    """Files of this package as one text that may stand inside its element."""
    text = "\n".join((STATIC / name).read_text(encoding="utf-8") for name in names)
    assert not ENDS.search(text), f"{names} would end the element that they stand in"
    return text


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
