"""Addresses of the site, and the files that they become. Everything that is not listed here stays out of the copy."""

from __future__ import annotations

import re
from posixpath import dirname, relpath
from typing import NamedTuple
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

RESERVED = frozenset(
    ["con", "prn", "aux", "nul", *(f"com{number}" for number in range(10)), *(f"lpt{number}" for number in range(10))]
)
"""Names that are no files on some systems."""
UNSAFE = re.compile(r"[^A-Za-z0-9._-]")
WORD = r"(?P<{}>[^/]+?)"
SUFFIX = r"(?P<suffix>\.csv|\.json|)"
INDEX = "index.html"
GAMES = "g/"
"""Files of games begin so."""


class Kind(NamedTuple):
    """One kind of address."""

    pattern: re.Pattern[str]
    file: str
    """Of the page, with fields of the pattern."""
    keys: tuple[str, ...] = ()
    """Parts of the query that are other pages."""
    aside: tuple[str, ...] = ()
    """Parts of the query that change nothing here."""
    kept: tuple[str, ...] = ()
    """Parts of the query that the page itself reads in the browser."""


def _kind(pattern: str, file: str, **more: tuple[str, ...]) -> Kind:
    return Kind(re.compile(pattern), file, **more)


class Place(NamedTuple):
    """Where an address leads in the copy."""

    file: str
    """Relative to the copy's own folder."""
    ask: str
    """What to ask the site for it: the address with nothing that changes nothing."""
    query: str
    """What the browser hands to the page."""


class Places:
    """The addresses of one tournament's pages."""

    def __init__(self, tournament: str, game: str, boards: frozenset[int], games: frozenset[str], *, pairs: bool):
        """`game`: id of its ruleset. `boards`, `games`: those that have pages; `pairs`: whether any two bots have."""
        own = re.escape(quote(tournament))
        bot = "/bot/" + WORD.format("bot")
        self._boards, self._games = boards, games
        self._kinds = [
            _kind(f"/t/{own}(?P<suffix>)", INDEX),
            _kind(f"/t/{own}(?P<suffix>\\.csv|\\.json)", f"t/{safe(tournament)}", aside=("sort",)),
            _kind(
                f"/t/{own}/(?P<tab>cross|boards|schedule|faults|files){SUFFIX}", f"t/{safe(tournament)}/{{tab}}",
                keys=("page", "round"), aside=("sort",),
            ),
            _kind(f"/t/{own}/files/(?P<name>[a-z]+)(?P<suffix>\\.[a-z]+)", f"t/{safe(tournament)}/files/{{name}}"),
            _kind(f"/t/{own}/b/(?P<board>[0-9]+){SUFFIX}", f"t/{safe(tournament)}/b/{{board}}", aside=("sort",)),
            _kind(f"{bot}{SUFFIX}", "bot/{bot}", aside=("v",)),
            _kind(
                f"{bot}/(?P<tab>history|opponents|split|games|ratings)(?P<suffix>\\.csv|\\.json|\\.svg|)",
                "bot/{bot}/{tab}", keys=("before",), aside=("v", "t", "sort"),
            ),
            _kind("/g/(?P<id>[A-Za-z0-9_-]+)(?P<suffix>)", "g/{id}", kept=("turn", "seat")),
            _kind(f"/rules/(?P<rules>{re.escape(game)})(?P<suffix>)", "rules/{rules}"),
            _kind("/about(?P<suffix>)", "about"),
        ]  # fmt: skip
        if pairs:
            versus = f"{bot}/vs/{WORD.format('other')}{SUFFIX}"
            self._kinds.insert(5, _kind(versus, "bot/{bot}/vs/{other}", aside=("v", "t", "sort")))

    def of(self, address: str) -> Place | None:
        """Where an address of the site leads; None: nowhere."""
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            return None
        query = parse_qsl(parts.query, keep_blank_values=True)
        for kind in self._kinds:
            found = kind.pattern.fullmatch(parts.path)
            if found is None:
                continue
            if not {key for key, _ in query} <= {*kind.keys, *kind.aside, *kind.kept}:
                return None
            if "sort" in dict(query) and not found["suffix"]:
                return None  # the page in another order
            fields = {name: safe(unquote(text)) for name, text in found.groupdict().items() if name != "suffix"}
            if not self._has(fields):
                return None
            own = [(key, value) for key, value in query if key in kind.keys]
            name = kind.file.format(**fields) + "".join(f"-{safe(key)}-{safe(value)}" for key, value in own)
            if kind.file != INDEX:
                name += found["suffix"] or ".html"
            ask = parts.path + (f"?{urlencode(own)}" if own else "")
            kept = [(key, value) for key, value in query if key in kind.kept]
            return Place(name, ask, urlencode(kept))
        return None

    def is_game(self, place: Place) -> bool:
        """Whether a place is that of a game: they all have pages."""
        return place.file.startswith(GAMES)

    def _has(self, fields: dict[str, str]) -> bool:
        if "board" in fields:
            return int(fields["board"]) in self._boards
        return "id" not in fields or fields["id"] in self._games


def safe(text: str) -> str:
    """A text as a part of a file's name on any system; different texts stay different."""
    found = UNSAFE.sub(lambda sign: "".join(f"~{byte:02x}" for byte in sign[0].encode()), text)
    if found.startswith("."):
        found = f"~2e{found[1:]}"
    return f"~{found}" if found.split(".")[0].lower() in RESERVED else found


def link(here: str, there: str, query: str = "", fragment: str = "") -> str:
    """The relative address of a file as another file has it."""
    path = quote(relpath(there, dirname(here) or "."), safe="/~")
    return path + (f"?{query}" if query else "") + (f"#{fragment}" if fragment else "")
