"""Tables of data, once described: shown as HTML that can be sorted and filtered, and given as CSV and JSON.

The three are made of the same rows, so that a page, its .csv and its .json never differ. Sorting and filtering are in
the address: `?sort=rating` or `?sort=-rating`, `?find=fox`; they work without JavaScript.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple
from urllib.parse import urlencode

from fastapi import Request
from fastapi.responses import JSONResponse, Response
from markupsafe import Markup, escape

from arena.web.rendering import fragment

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would take for a formula at the beginning of a text."""


class Column(NamedTuple):
    """One column."""

    key: str
    """Of the rows, of the CSV's heading and of the JSON."""
    label: str
    show: Callable[[Mapping[str, Any]], object] | None = None
    """Row -> text or markup of the cell; None: the value as it is. Any: JSON."""
    right: bool = False
    """Whether it is set to the right, as numbers are."""
    pinned: bool = False
    """Whether it stays where it is when the rest is scrolled; only first columns."""
    sorts: bool = True
    help: str = ""
    hidden: bool = False
    """Only in CSV and JSON."""


@dataclass(frozen=True)
class Sheet:
    """A table: columns, and rows as JSON data by column key."""

    id: str
    """Of the element in the page, and what the rows are called in addresses."""
    schema: str
    """Of the JSON document, "arena.ratings/1"."""
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, Any], ...]  # Any: JSON
    caption: str = ""
    empty: str = "nothing here yet"
    """What is said where there are no rows: what will be here, and what to do for it."""
    group: Callable[[Mapping[str, Any]], str] | None = None
    """Row -> heading of the group it stands in; groups stay together whatever the order."""
    row_class: Callable[[Mapping[str, Any]], str] | None = None
    details: Callable[[Mapping[str, Any]], Markup | None] | None = None
    """Row -> what opens below it."""
    incomplete: str = ""
    """Why rows are missing; last line of the CSV."""
    sort: str = ""
    """Key of the column it is sorted by, "-" first for downwards; empty: as the rows come."""
    find: str = ""
    keep: Mapping[str, str] = field(default_factory=dict)
    """Other parts of the query that links keep."""
    path: str = ""

    def asked(self, request: Request) -> Sheet:
        """Sorted and filtered as the address asks; an unknown column changes nothing."""
        query = request.query_params
        sort, find = query.get("sort", self.sort), query.get("find", "")[:100]
        rows = list(self.rows)
        if find:
            rows = [row for row in rows if self._has(row, find.casefold())]
        name, down = sort.removeprefix("-"), sort.startswith("-")
        if any(column.key == name and column.sorts for column in self.columns):
            known = [row for row in rows if row.get(name) is not None]
            known.sort(key=lambda row: _order(row[name]), reverse=down)
            rows = known + [row for row in rows if row.get(name) is None]
        else:
            sort = ""
        if self.group is not None:
            order: dict[str, list[Mapping[str, Any]]] = {self.group(row): [] for row in self.rows}
            for row in rows:
                order[self.group(row)].append(row)
            rows = [row for group in order.values() for row in group]
        keep = {key: value for key, value in query.items() if key not in ("sort", "find", "part")}
        return replace(self, rows=tuple(rows), sort=sort, find=find, keep=keep, path=_page_path(request.url.path))

    def sort_link(self, column: Column) -> str:
        """The address that sorts by a column, downwards at the second time."""
        other = f"-{column.key}" if self.sort == column.key else column.key
        return f"{self.path}?{urlencode({**self.keep, **({'find': self.find} if self.find else {}), 'sort': other})}"

    def link(self, suffix: str) -> str:
        """The address of the same rows as ".csv" or ".json"."""
        every = {**self.keep, "find": self.find, "sort": self.sort}
        asked = {key: value for key, value in every.items() if value}
        return f"{self.path}{suffix}{'?' + urlencode(asked) if asked else ''}"

    def _has(self, row: Mapping[str, Any], text: str) -> bool:
        return any(text in str(row.get(column.key, "")).casefold() for column in self.columns)

    @property
    def shown(self) -> tuple[Column, ...]:
        """The columns of the page."""
        return tuple(column for column in self.columns if not column.hidden)

    def markup(self) -> Markup:
        """The table as HTML, in a box of its own that scrolls."""
        return fragment("sheet.html", sheet=self)

    def body(self) -> Markup:
        """The rows as HTML. A page may have thousands of cells, so that this is code and no template."""
        shown = self.shown
        opens = [
            _opening(column, head=column.pinned and not after)
            for column, after in zip(shown, _pins(shown), strict=True)
        ]
        out: list[str] = []
        group: str | None = None
        for row in self.rows:
            if self.group is not None and self.group(row) != group:
                group = self.group(row)
                heading = f'<th colspan="{len(shown)}" scope="rowgroup"><span>{escape(group)}</span></th>'
                out += [f'<tr class="group">{heading}</tr>\n'] if group else []
            more = self.details(row) if self.details is not None else None
            kind = self.row_class(row) if self.row_class is not None else ""
            out.append(f'<tr class="{escape(kind)}">' if kind else "<tr>")
            fold = '<details class="opens"><summary aria-label="more"></summary></details>' if more else ""
            for column, (begin, end) in zip(shown, opens, strict=True):
                out += [begin, fold, escape(_value(column, row)), end]
                fold = ""
            out.append("</tr>\n")
            if more:
                out.append(f'<tr class="details"><td colspan="{len(shown)}"><div>{escape(more)}</div></td></tr>\n')
        return Markup("".join(out))  # each part escapes what is not its own

    def csv(self) -> Response:
        """The rows as CSV, unrounded; no cell can be taken for a formula."""
        text = io.StringIO()
        write = csv.writer(text, lineterminator="\r\n")
        write.writerow([column.key for column in self.columns])
        for row in self.rows:
            write.writerow([plain(row.get(column.key)) for column in self.columns])
        if self.incomplete:
            write.writerow([f"# incomplete: {self.incomplete}"])
        name = f"{self.path.strip('/').replace('/', '-') or self.id}.csv"
        return Response(
            text.getvalue(),
            media_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )

    def json(self, **more: Any) -> Response:
        """The rows as a document, with what else belongs to it. Any: JSON."""
        rows = [{column.key: row.get(column.key) for column in self.columns} for row in self.rows]
        data = {**more, self.id: rows, **({"incomplete": self.incomplete} if self.incomplete else {})}
        return JSONResponse({"schema": self.schema, "data": data})


def _pins(columns: tuple[Column, ...]) -> list[bool]:
    """By column: whether the one after it is pinned."""
    return [column.pinned for column in columns[1:]] + [False]


def _opening(column: Column, *, head: bool) -> tuple[str, str]:
    """What a cell of a column begins and ends with."""
    classes = " ".join(word for word, on in (("right", column.right), ("pinned", column.pinned)) if on)
    told = f' class="{classes}"' if classes else ""
    return (f'<th scope="row"{told}>', "</th>") if head else (f"<td{told}>", "</td>")


def _value(column: Column, row: Mapping[str, Any]) -> object:
    """What a cell shows."""
    if column.show is not None:
        return column.show(row)
    value = row[column.key]
    return value if value is not None else "–"


def plain(value: object) -> object:
    """A value for a CSV cell."""
    if isinstance(value, (list, tuple)):
        value = "; ".join(map(str, value))
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return "" if value is None else value


def _order(value: Any) -> tuple[int, Any]:
    """Numbers before texts, lists by their items."""
    if isinstance(value, (bool, int, float)):
        return (0, value)
    return (1, str(value).casefold()) if not isinstance(value, (list, tuple)) else (1, " ".join(map(str, value)))


def _page_path(path: str) -> str:
    return path.removesuffix(".csv").removesuffix(".json")


def sheet_suffix(request: Request) -> str:
    """In which form a sheet is asked for: "", ".csv" or ".json"."""
    path = request.url.path
    return next((suffix for suffix in (".csv", ".json") if path.endswith(suffix)), "")
