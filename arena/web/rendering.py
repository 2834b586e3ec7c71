"""Templates to pages and parts of pages.

A template of a page extends base.html. A part is one of its blocks whose name begins with `part_`: asked for with
`?part=NAME`, the block alone is rendered, with the same context, so that a page and its later versions never differ.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from arena import __version__
from arena.web.assets import asset
from arena.web.errors import NotFound
from arena.web.spoilers import spoiler
from arena.web.viewer import viewer_of

TEMPLATES = Path(__file__).parent / "templates"
PART = "part_"
MINUS = "\N{MINUS SIGN}"


def number(value: float | None, digits: int = 0, *, plus: bool = False) -> str:
    """A number for people, with a real minus sign: "+24.1", "−28.3", "3"; a dash for None."""
    if value is None:
        return "–"
    text = f"{value:+.{digits}f}" if plus else f"{value:.{digits}f}"
    if float(text) == 0:
        text = f"{0:.{digits}f}"
    return text.replace("-", MINUS)


def moment(value: datetime | None) -> Markup:
    """A time as `<time>`: in UTC as text; the browser shows the viewer's own beside it."""
    if value is None:
        return Markup("–")
    utc = value.astimezone(UTC)
    return Markup('<time datetime="{}">{}</time>').format(
        utc.isoformat(timespec="seconds"), utc.strftime("%Y-%m-%d %H:%M UTC")
    )


def bdi(text: object) -> Markup:
    """A text that somebody else wrote, escaped and kept apart from the direction of its surroundings."""
    return Markup(f"<bdi>{escape(text)}</bdi>")  # `escape` beside markup of this line


def wants_lists(request: Request) -> bool:
    """Whether a page with a table is asked for as headings and lines: `?text=1`. Without it, and with `?text=0`, the
    table is a picture."""
    return request.query_params.get("text", "") not in ("", "0")


def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(asset=asset, version=__version__, wants_lists=wants_lists)
    made.filters.update(number=number, moment=moment, bdi=bdi, compact_json=_compact_json, spoiler=spoiler)
    return made


def _compact_json(value: object) -> Markup:
    """JSON for a data island or an attribute: nothing in it can end a tag."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=True)
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026").replace("'", "\\u0027"))


TEMPLATING = _environment()


def page(request: Request, template: str, *, status: int = 200, **context: Any) -> HTMLResponse:
    """A page, or with `?part=NAME` the block `part_NAME` of it. Raises NotFound for a part that the page has not.

    Templates see `request`, `viewer` and whatever is handed on. Any: what templates show.
    """
    return HTMLResponse(render(request, template, **context), status_code=status)


def render(request: Request, template: str, **context: Any) -> str:
    """The text of a page or part."""
    found = TEMPLATING.get_template(template)
    values = {"request": request, "viewer": viewer_of(request), **context}
    part = request.query_params.get("part")
    if part is None:
        return found.render(values)
    block = found.blocks.get(PART + part)
    if block is None:
        raise NotFound(f"this page has no part {part!r}", where=request.url.path, fix="leave out ?part=")
    return "".join(block(found.new_context(values)))


def fragment(template: str, **context: Any) -> Markup:
    """A template that is no page, as markup for another one. Any: what templates show."""
    return Markup(TEMPLATING.get_template(template).render(context))  # rendered with autoescape
