"""Errors as pages and as JSON, in the same five parts as on the command line, with an id to ask about.

404  nothing is here          NotFound
410  it was here, and why not any more      Gone
403  not for this viewer      Forbidden (sealed cards, logs of others)
4xx  what was sent is wrong   any other ArenaError
500  the arena's own fault
503  the store cannot be reached for now; the page looks again by itself

Where others than this machine come, only the log says which host or file a fault of the arena is at.
"""

from __future__ import annotations

import logging
import secrets
from typing import TYPE_CHECKING

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from arena.core.errors import ArenaError, ArenaFault

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena.web.viewer import Viewer

LOG = logging.getLogger("arena.web")
STATUS_BY_CODE = {
    "NOT_ALLOWED": 403, "INSECURE": 403, "TOO_MANY": 429,
    "REMOVED": 410, "PRUNED": 410, "BUSY": 409, "NAME_TAKEN": 409, "QUOTA": 429,
    "NO_STORE": 404,
    "NO_TOURNAMENT": 404, "NO_GAME": 404, "NO_BOT": 404, "NO_LOG": 404, "NO_TOKEN": 404,
    "STORE_GONE": 503, "STORE_LOCKED": 503, "STORE_DENIED": 503, "STORE_NEWER": 503,
}  # fmt: skip
SHOWN = 200
"""So many characters of what was wrong are said again."""
AWAY_S = 5
"""After so many seconds it is worth to look again for a store that cannot be reached."""


class NotFound(ArenaError):
    """There is no such thing."""

    code = "NOT_FOUND"


class Gone(ArenaError):
    """It was here and will not come back."""

    code = "REMOVED"


class Forbidden(ArenaError):
    """Not for whoever asks."""

    code = "NOT_ALLOWED"


class TooLarge(ArenaError):
    """More was sent than is taken."""

    code = "TOO_LARGE"


STATUS_BY_TYPE: Mapping[type[ArenaError], int] = {
    NotFound: 404, Gone: 410, Forbidden: 403, TooLarge: 413,
}  # fmt: skip


def status_of(error: ArenaError) -> int:
    """The HTTP status of an error."""
    for kind, status in STATUS_BY_TYPE.items():
        if isinstance(error, kind):
            return status
    return STATUS_BY_CODE.get(error.code, 500 if isinstance(error, ArenaFault) else 400)


def wants_json(request: Request) -> bool:
    """Whether whoever asks is a program."""
    accepted = request.headers.get("accept", "")
    return (
        request.url.path.startswith("/api/")
        or request.url.path.endswith(".json")
        or ("application/json" in accepted and "text/html" not in accepted)
    )


def answer(request: Request, error: ArenaError, status: int | None = None) -> Response:
    """An error as a page or JSON."""
    from arena.web.rendering import TEMPLATING

    status = status or status_of(error)
    identity = secrets.token_hex(6)
    if status >= 500:
        LOG.error("request %s: %s %s: %s", identity, request.method, request.url.path, error, exc_info=error)
    parts = _parts(request, error, status)
    headers = {"X-Request-Id": identity, **({"Retry-After": str(AWAY_S)} if status == 503 else {})}
    if wants_json(request):
        data = {"schema": "arena.error/1", "data": {**parts, "request": identity}}
        return JSONResponse(data, status, headers)
    text = TEMPLATING.get_template("error.html").render(
        {
            "request": request, "viewer": _viewer(request), "parts": parts, "status": status, "identity": identity,
            "title": f"{status} {error.code}", "away_s": AWAY_S,
        }
    )  # fmt: skip
    return Response(text, status, media_type="text/html", headers=headers)


def _parts(request: Request, error: ArenaError, status: int) -> dict[str, str]:
    """The five parts. Of a fault of the arena others than this machine are not told hosts, files and users."""
    from arena.web.site import site_of

    settings = site_of(request).settings
    where, saw = error.where, error.saw
    if status >= 500 and (settings.public or settings.behind_proxy):
        where, saw = request.url.path, ""
    return {"error": error.message, "where": where, "saw": saw, "fix": error.fix, "code": error.code}


def _viewer(request: Request) -> Viewer:
    """Who asks; a visitor, when a store that cannot be read would have to say who."""
    from arena.web.viewer import Viewer, viewer_of

    try:
        return viewer_of(request)
    except ArenaError:
        return Viewer()


def _bad_request(request: Request, message: str, saw: str = "") -> ArenaError:
    """What was sent cannot be used, and what to do then."""
    reads = request.method in ("GET", "HEAD")
    fix = "correct the address, or begin at /" if reads else "open the page by a link and send its form once more"
    return ArenaError(message, where=request.url.path, saw=saw, fix=fix, code="BAD_REQUEST")


def install(app: FastAPI) -> None:
    """Let every error of an application become such an answer."""

    @app.exception_handler(ArenaError)
    def _arena(request: Request, error: ArenaError) -> Response:
        return answer(request, error)

    @app.exception_handler(HTTPException)
    def _http(request: Request, error: HTTPException) -> Response:
        if isinstance(error.__cause__, ArenaError):  # a body that was refused while the framework read it
            return answer(request, error.__cause__)
        if error.status_code == 404:
            wrong: ArenaError = NotFound("there is no such page", where=request.url.path, fix="begin at /")
        else:
            wrong = _bad_request(request, str(error.detail))
        found = answer(request, wrong, error.status_code)
        found.headers.update(error.headers or {})
        return found

    @app.exception_handler(RequestValidationError)
    def _invalid(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"][1:]))
        saw = repr(first.get("input"))[:SHOWN] if name else ""
        said = f"{name!r} is wrong: {first['msg']}" if name else "the request is incomplete"
        return answer(request, _bad_request(request, said, saw), 400)

    @app.exception_handler(Exception)
    def _unforeseen(request: Request, error: Exception) -> Response:
        fault = ArenaFault("the arena failed at this page", where=request.url.path, fix="try again; it was noted")
        fault.__cause__ = error
        return answer(request, fault)
