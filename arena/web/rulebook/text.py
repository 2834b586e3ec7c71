"""The documentation's pages of rules as HTML. Cards that they name are drawn beside their names."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from arena.web.errors import NotFound
from arena.web.table import cards

PAGES = {"rook": "rook.md", "crow": "crow_and_pitcher.md", "goat": "goat.md"}
"""Family -> its page."""


def rules_folder() -> Path:
    """Where the pages are: an installed arena carries them along, a checkout has them in docs."""
    package = Path(__file__).parents[2]
    installed = package / "rules"
    return installed if installed.is_dir() else package.parent / "docs" / "rules"


@lru_cache(maxsize=8)
def rules_of(family: str) -> Markup:
    """The rules of a family as HTML, without the heading of the page. Raises NotFound."""
    if family not in PAGES:
        raise NotFound(f"no rules of {family!r}", fix=f"families: {', '.join(PAGES)}")
    text = (rules_folder() / PAGES[family]).read_text(encoding="utf-8")
    body = text.split("\n", 1)[1]  # the page has a heading of its own
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(body)
    _name_headings(tokens)
    html = reader.renderer.render(tokens, reader.options, {})
    html = re.sub(r'href="(?!https?:|#)[^"]*"', 'href="/rules"', html)
    html = html.replace("<table>", '<div class="sheet-box" tabindex="0"><table class="plain">')
    html = html.replace("</table>", "</table></div>")
    html = re.sub(r' style="text-align:(\w+)"', r' class="\1"', html)
    return Markup(_with_cards(html, family))  # our own pages, raw HTML in them is escaped


def _name_headings(tokens: list[Token]) -> None:
    """Headings become places to link to, apart from the places of the page around the text."""
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            opening.attrSet("id", "rules-" + re.sub(r"[^a-z0-9]+", "-", inline.content.lower()).strip("-"))


def _with_cards(html: str, family: str) -> str:
    """Draw the cards that a text names, outside of tags and code."""
    names = sorted(cards.pack(family), key=len, reverse=True)
    words = re.compile(rf"<code>.*?</code>|<[^>]*>|\b({'|'.join(map(re.escape, names))})\b", re.DOTALL)

    def drawn(match: re.Match[str]) -> str:
        if match[1] is None:
            return match[0]
        return f'<span class="named-card">{cards.card(match[1], family)}</span>'

    return words.sub(drawn, html)
