"""The moves of a deal as a list by tricks: each is a link to its turn, and says no more than the viewer may know."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup, escape

from arena.core.cards import CardNames
from arena.core.game import Seat
from arena.record.compare.units import Unit
from arena.record.text import HIDDEN
from arena.web.games.eyes import Eyes
from arena.web.games.replays import Replay

WORDS = {"bid": "", "trump": "", "lead": ""}
"""First words of moves that a list leaves out: the place says them."""
UNSEEN = frozenset(hidden.value for hidden in HIDDEN)
"""First words of moves whose cards only the mover knows."""


class Item(NamedTuple):
    """One move."""

    turn: int
    seat: Seat
    mark: str
    text: str
    """Empty while it may not be told."""
    cards: str
    """Texts of its cards that may be told, with spaces between."""
    fault: str
    current: bool


class Group(NamedTuple):
    """A trick, or calls."""

    label: str
    first: int
    items: tuple[Item, ...]
    outcome: str
    """What it brought, once it is over: "S/N +25"."""


class DealLink(NamedTuple):
    """Another deal of the match."""

    label: str
    first: int
    current: bool


def moves_at(
    replay: Replay, turn: int, eyes: Eyes, *, mark_current: bool = True, until: int | None = None
) -> tuple[Group, ...]:
    """The deal that a turn belongs to. Through a seat's eyes moves from that turn on are not named.

    `until`: the last turn that is listed, for those who want to see no results.
    """
    if not replay.units:
        return ()
    deal = replay.units[replay.unit_at(turn) or 0].deal
    known = replay.units_until(until)
    return tuple(_group(replay, unit, turn, eyes, mark_current, until) for unit in known if unit.deal == deal)


def deals_at(replay: Replay, turn: int, until: int | None = None) -> tuple[DealLink, ...]:
    """The deals of the match, those that begin after the turn `until` left out; none where there is but one."""
    current = replay.units[replay.unit_at(turn) or 0].deal if replay.units else 0
    firsts: dict[int, int] = {}
    for unit in replay.units_until(until):
        firsts.setdefault(unit.deal, unit.first)
    if len(firsts) < 2:
        return ()
    return tuple(DealLink(str(deal + 1), first, deal == current) for deal, first in firsts.items())


def _group(replay: Replay, unit: Unit, turn: int, eyes: Eyes, mark_current: bool, until: int | None) -> Group:
    """A unit as a group. One that is wholly before a turn, or wholly after it, is the same at all of them."""
    if until is not None or unit.first <= turn <= unit.last:
        return _made(replay, unit, turn, eyes, mark_current, until)
    key = (unit.first, eyes.seat, unit.last < turn)
    found: Group | None = replay.groups.get(key)
    if found is None:
        found = replay.groups[key] = _made(replay, unit, turn, eyes, mark_current, until)
    return found


def _made(replay: Replay, unit: Unit, turn: int, eyes: Eyes, mark_current: bool, until: int | None) -> Group:
    last = unit.last if until is None else min(unit.last, until)
    items = tuple(_item(replay, number, turn, eyes, mark_current) for number in range(unit.first, last + 1))
    told = unit.last < turn or (eyes.seat is None and until is None)
    return Group(unit.label, unit.first, items, _outcome(replay, unit) if told else "")


def _item(replay: Replay, number: int, turn: int, eyes: Eyes, mark_current: bool) -> Item:
    move = replay.transcript.moves[number]
    text, cards = "", ""
    if eyes.seat is None or number < turn:
        text, cards = _spelled(replay.game.notation.names, move.move, seen=eyes.sees(move.seat))
    return Item(number, move.seat, replay.marks[move.seat], text, cards, move.fault, mark_current and number == turn)


def _spelled(names: CardNames, move: str, *, seen: bool) -> tuple[str, str]:
    """A move for a list, and its cards; not `seen`: as those know it who do not see the mover's hand."""
    kind, _, rest = move.partition(" ")
    text, cards = move, ""
    if seen or kind not in UNSEEN:
        cards = " ".join(word for word in move.split() if word in names)
    else:
        text = f"{kind} {len(rest.split())}"
    if kind in WORDS and rest:
        text = text.removeprefix(kind).strip()
    return text, cards


@lru_cache(maxsize=4096)
def drawn(group: Group, asked: str, also: str) -> Markup:
    """A group as an entry of the list. `asked`, `also`: what the addresses of its moves have beside the turn."""
    outcome = f' <span class="g-outcome">{escape(group.outcome)}</span>' if group.outcome else ""
    items = "".join(_drawn(item, f"&amp;seat={escape(asked)}{escape(also)}") for item in group.items)
    return Markup(
        f'<li><p class="g-unit">{escape(group.label)}{outcome}</p>\n<ol class="g-items">\n{items}</ol></li>\n'
    )


def _drawn(item: Item, more: str) -> str:
    wide = ' class="wide"' if len(item.text) > 6 else ""
    told = f' data-cards="{escape(item.cards)}"' if item.cards else ""
    told += ' aria-current="true"' if item.current else ""
    told += "" if item.text else ' class="untold"'
    fault = f' <span class="bad" title="{escape(item.fault)}">×</span>' if item.fault else ""
    untold = "" if item.text else f'<span class="sr"> turn {item.turn}, not played yet</span>'
    return (
        f'<li{wide}><a href="?turn={item.turn}{more}" data-turn="{item.turn}"{told}>'
        f"<b>{escape(item.mark)}</b> {escape(item.text or '·')}{untold}{fault}</a></li>\n"
    )


def _outcome(replay: Replay, unit: Unit) -> str:
    """What a trick brought, by side; nothing for calls."""
    gains = [
        f"{'/'.join(replay.marks[seat] for seat in seats)} {points:+d}".replace("-", "−")
        for seats, points in zip(replay.game.sides, unit.points, strict=True)
        if points
    ]
    return "  ".join(gains)
