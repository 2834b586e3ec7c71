"""Long tables in pages: `?page=2`. CSV and JSON are never cut."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlencode

from fastapi import Request
from markupsafe import Markup

from arena.web.sheets import Sheet

SIZE = 200


def page_of(request: Request, count: int, size: int = SIZE) -> tuple[int, int]:
    """(page, pages) that a request asks for, both from 1."""
    pages = max(1, -(-count // size))
    asked = request.query_params.get("page", "1")
    number = int(asked) if asked.isdecimal() and asked.isascii() and len(asked) < 10 else 1
    return min(max(1, number), pages), pages


def paged(request: Request, sheet: Sheet, size: int = SIZE) -> tuple[Sheet, Markup]:
    """A page of a sheet, and links to the others; empty where one page holds all."""
    number, pages = page_of(request, len(sheet.rows), size)
    rows = sheet.rows[(number - 1) * size : number * size]
    return replace(sheet, rows=rows), pager(request, number, pages, len(sheet.rows))


def pager(request: Request, number: int, pages: int, count: int) -> Markup:
    """Links to the pages around one."""
    if pages == 1:
        return Markup("")
    query = [(key, value) for key, value in request.query_params.multi_items() if key not in ("page", "part")]

    def link(to: int, word: str) -> Markup:
        return Markup('<a href="{}?{}">{}</a>').format(request.url.path, urlencode([*query, ("page", to)]), word)

    words = [link(1, "first"), link(number - 1, "before")] if number > 1 else []
    words += [Markup("page {} of {} <span class='dim'>({} rows)</span>").format(number, pages, count)]
    words += [link(number + 1, "next"), link(pages, "last")] if number < pages else []
    return Markup('<nav class="pager" aria-label="Pages">{}</nav>').format(Markup(" ").join(words))
