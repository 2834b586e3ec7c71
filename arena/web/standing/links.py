"""Addresses of what tables name, and links to it. Names are escaped and kept apart from the text around them."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote

from markupsafe import Markup, escape

from arena.store.values import Registered, Tournament


def versions_of(tournament: Tournament, registered: Iterable[Registered] = ()) -> dict[str, str]:
    """By competitor: which version of its bot plays, in short: "v3" of one that was entered as registered or whose
    files are those of one in `registered`, else seven digits of its hash; "house" for the arena's own, empty where the
    name says it already."""
    found = {}
    numbers = {(each.name, each.version): f"v{each.number}" for each in registered}
    for each in tournament.entrants:
        kind, _, rest = each.source.partition(":")
        if "@" in each.name:
            found[each.name] = ""
        elif kind == "registered":
            found[each.name] = f"v{rest.rpartition('@')[2]}"
        else:
            found[each.name] = {"house": "house", "remote": "remote"}.get(kind) or numbers.get(
                (each.name, each.version), each.version[:7]
            )
    return found


def bot_path(name: str, version: str = "") -> str:
    """The page of a bot, of the version that a competitor's name or its short version names."""
    bare, _, number = name.partition("@")
    number = number or (version[1:] if version[:1] == "v" else "")
    return f"/bot/{quote(bare)}" + (f"?v={number}" if number.isdigit() else "")


def bot_link(name: str, version: str = "") -> Markup:
    """A bot with its version, linked."""
    bare, at, number = name.partition("@")
    shown = f"@{number}" if at else f"@{version}" if version and version not in ("house", "remote") else ""
    more = f'<span class="dim">{escape(shown)}</span>' if shown else ""
    more += f' <span class="dim kind">{version}</span>' if version in ("house", "remote") else ""
    return Markup(f'<a href="{escape(bot_path(name, version))}"><bdi>{escape(bare)}</bdi></a>{more}')  # all escaped


def versus_path(tournament: str, bot: str, other: str) -> str:
    """Two bots head to head in a tournament."""
    return f"/bot/{quote(bot)}/vs/{quote(other)}?t={quote(tournament)}"


def board_path(tournament: str, board: int) -> str:
    """A board's page."""
    return f"/t/{quote(tournament)}/b/{board}"


def game_path(public_id: str, turn: int | None = None) -> str:
    """A game's page, at a turn if one is given."""
    return f"/g/{quote(public_id)}" + (f"?turn={turn}" if turn is not None else "")


def game_link(public_id: str, text: object = None, turn: int | None = None) -> Markup:
    """A game, linked."""
    told = escape(text if text is not None else public_id)
    return Markup(f'<a href="{escape(game_path(public_id, turn))}"><bdi>{told}</bdi></a>')  # all escaped
