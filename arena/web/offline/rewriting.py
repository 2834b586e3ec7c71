"""Pages of the site as files: links lead to files beside them, or are text; what needs a server is taken out.

Markup passes as it is but for the tags that change. What is between the tags is never looked into, so that no text can
become markup here. Knows HTML and `Places`; not what is on the pages.
"""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from arena.web.offline.places import Place, link

SCRIPTS_OUT = ("vendor/htmx", "live.js", "choose.js", "play.js")
"""What only talks to a server."""
DROPPED = frozenset({"form", "template"})
TICKED = "pick"
"""The id of a form around a table whose rows can be ticked: the form goes, and the column of ticks."""
VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])
LIVE = ("hx-", "data-part", "data-src", "data-version", "data-own", "data-tournament")
"""Attributes by which parts of a page are fetched again."""
STATIC = "/static/"
POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src 'self' file: data: blob:; "
    "base-uri 'none'; form-action 'none'"
)
Attributes = list[tuple[str, str | None]]


class Around(NamedTuple):
    """What all pages of a copy have in common."""

    header: str
    """Markup, with links as the site has them."""
    footer: str
    scripts: tuple[str, ...] = ()
    """Further scripts of every page, by their static names."""


class Rewritten(NamedTuple):
    """One page."""

    text: str
    static: frozenset[str]
    """The static files that it names."""


class Links(HTMLParser):
    """Collects the addresses that a page links."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        """Any tag."""
        told = dict(attrs)
        if tag == "a" and told.get("href"):
            self.found.append(told["href"] or "")
        if told.get("data-plot"):
            data = json.loads(told["data-plot"] or "{}")
            self.found += [address for line in data["lines"] for address in line["links"] if address]


def links_of(page: str) -> list[str]:
    """The addresses that a page links, as it has them."""
    parser = Links()
    parser.feed(page)
    return parser.found


def rewritten(page: str, address: str, file: str, place: Callable[[str], Place | None], around: Around) -> Rewritten:
    """A page for its file. `address`: of the site; `place`: where an address leads, None for those that become text."""
    writer = _Writer(address, file, place, around)
    writer.feed(page)
    writer.close()
    return Rewritten("".join(writer.out), frozenset(writer.static))


def absolute(address: str, href: str) -> str:
    """A link of a page as an address of the site; empty for one that leads elsewhere."""
    parts = urlsplit(href)
    if parts.scheme or parts.netloc:
        return ""
    path = urlsplit(address).path
    return href if href.startswith("/") else path + href if href.startswith("?") else ""


class _Writer(HTMLParser):
    def __init__(self, address: str, file: str, place: Callable[[str], Place | None], around: Around | None) -> None:
        super().__init__(convert_charrefs=False)
        self.out: list[str] = []
        self.static: set[str] = set()
        self._address, self._file, self._place, self._around = address, file, place, around
        self._dropped = 0
        """How deep inside of an element that is left out."""
        self._links: list[str] = []
        """What the open links became, so that their ends fit."""
        self._drawings = 0
        self._ticked = self._row_begins = False
        self._island: list[str] | None = None
        """What the open element that has a replay's data has so far."""

    # Tags

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        if self._dropped:
            self._dropped += tag not in VOID
            return
        told = dict(attrs)
        classes = (told.get("class") or "").split()
        instead = self._instead(tag, told, classes)
        if instead is not None:
            self._put(instead)
            self._dropped += tag not in VOID
            return
        self._drawings += tag == "svg"
        if tag == "a":
            self._link(attrs, told)
        elif tag == "form":
            self._ticked = True
            self._raw("<div>")
        elif tag == "head":
            self._raw(f'<head>\n<meta http-equiv="Content-Security-Policy" content="{POLICY}">')
        else:
            self._tag(tag, attrs)
        if tag == "script" and "data-replay" in told:
            self._island = []

    def handle_startendtag(self, tag: str, attrs: Attributes) -> None:
        if self._dropped:
            return
        if tag == "use" and (dict(attrs).get("href") or "").startswith(STATIC):
            return  # drawn in the header that stands instead
        self._tag(tag, attrs, closed=True)

    def handle_endtag(self, tag: str) -> None:
        if self._dropped:
            self._dropped -= 1
            return
        if tag == "script" and self._island is not None:
            self._raw(self._replay(json.loads("".join(self._island))))
            self._island = None
        if tag == "head" and self._around is not None:
            for name in self._around.scripts:
                self._tag("script", [("defer", None), ("src", f"{STATIC}{name}")])
                self._raw("</script>\n")
        self._drawings -= tag == "svg"
        if tag == "a" and self._links:
            tag = self._links.pop()
        if tag == "form":
            self._ticked, tag = False, "div"
        self._raw(f"</{tag}>")

    def _instead(self, tag: str, told: dict[str, str | None], classes: list[str]) -> str | None:
        """What stands instead of an element; None: itself."""
        if self._around is None:
            return None
        if tag == "header" and "top" in classes:
            return self._around.header
        if tag == "footer" and "foot" in classes:
            return self._around.footer
        if tag == "form" and told.get("id") == TICKED:
            return None
        if tag in DROPPED or "data-online" in told or told.get("id") == "chips" or self._is_tick(tag, told):
            return ""
        if tag == "meta" and told.get("name") == "htmx-config":
            return ""
        source = (told.get("src") or "").removeprefix(STATIC)
        return "" if tag == "script" and source.startswith(SCRIPTS_OUT) else None

    def _is_tick(self, tag: str, told: dict[str, str | None]) -> bool:
        """Whether a cell is the first one of a row with a tick."""
        first = self._row_begins and tag in ("td", "th")
        self._row_begins = self._ticked and tag == "tr"
        return first and "colspan" not in told

    def _put(self, markup: str) -> None:
        """Markup of the copy itself, with its links."""
        if markup:
            inner = _Writer(self._address, self._file, self._place, None)
            inner.feed(markup)
            inner.close()
            self.out += inner.out
            self.static |= inner.static

    def _tag(self, tag: str, attrs: Attributes, *, closed: bool = False) -> None:
        changed = [(name, self._value(tag, name, value)) for name, value in attrs if not name.startswith(LIVE)]
        if changed == attrs:
            self._raw(self.get_starttag_text() or "")
        else:
            self._raw(_start(tag, changed, closed=closed))

    def _value(self, tag: str, name: str, value: str | None) -> str | None:
        if name in ("src", "href") and value is not None and value.startswith(STATIC):
            static = urlsplit(value).path.removeprefix(STATIC)
            self.static.add(static)
            return link(self._file, f"static/{static}", fragment=urlsplit(value).fragment)
        if name == "data-plot" and value is not None:
            data = json.loads(value)
            for line in data["lines"]:
                line["links"] = [self._there(each) if each else None for each in line["links"]]
            return json.dumps(data, separators=(",", ":"), ensure_ascii=True)
        return value

    def _link(self, attrs: Attributes, told: dict[str, str | None]) -> None:
        href = told.get("href")
        steps = "data-turn" in told and (href or "").startswith("?")
        if href is None or href.startswith("#") or steps:  # within the page, or a step that its script makes
            self._links.append("a")
            self._tag("a", attrs)
            return
        there = self._there(href)
        if there:
            self._links.append("a")
            self._raw(_start("a", [(name, there if name == "href" else value) for name, value in attrs]))
            return
        if told.get("rel") in ("prev", "next"):
            self._dropped += 1
            return
        plain = "g" if self._drawings else "span"
        self._links.append(plain)
        kept = [(name, value) for name, value in attrs if name in ("class", "title", "aria-label")]
        without = [(name, value) for name, value in kept if (name, value) != ("class", "button")]
        self._raw(_start(plain, without))

    def _there(self, href: str) -> str:
        """A link of the copy; empty: it leads nowhere."""
        asked = absolute(self._address, href)
        found = self._place(asked) if asked else None
        return link(self._file, found.file, found.query, urlsplit(href).fragment) if found is not None else ""

    # Between them

    def handle_data(self, data: str) -> None:
        if self._island is not None:
            self._island.append(data)
        else:
            self._raw(data)

    def _replay(self, data: dict[str, Any]) -> str:  # Any: JSON
        """What a replay knows of itself, with the address of its board."""
        data["board"] = self._there(data["board"]) if data.get("board") else ""
        return html_json(data)

    def handle_entityref(self, name: str) -> None:
        self._raw(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._raw(f"&#{name};")

    def handle_comment(self, data: str) -> None:
        self._raw(f"<!--{data}-->")

    def handle_decl(self, decl: str) -> None:
        self._raw(f"<!{decl}>")

    def _raw(self, text: str) -> None:
        if not self._dropped:
            self.out.append(text)


def _start(tag: str, attrs: Attributes, *, closed: bool = False) -> str:
    told = "".join(f" {name}" if value is None else f' {name}="{html.escape(value)}"' for name, value in attrs)
    return f"<{tag}{told}{'/' if closed else ''}>"


def html_json(value: object) -> str:
    """JSON in which nothing can end the element that it stands in."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
