"""What every answer and request must keep to: headers that fence a page in, no request forged by another site."""

from __future__ import annotations

import hmac
import ipaddress
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from fastapi import Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, Headers, MutableHeaders
from starlette.responses import PlainTextResponse

from arena.core.errors import ArenaError
from arena.web.bodies import Body
from arena.web.errors import Forbidden
from arena.web.people.vouched import USER

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from arena.web.site import Settings

Endpoint = TypeVar("Endpoint")

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors {ancestors}"
)
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
MAX_BODY = 1 << 20
"""Bytes that one request may send, unless it is an upload."""
UPLOADS = frozenset({"/submit", "/api/submissions"})
"""Paths that limit what is sent by themselves."""
STREAM = "/events"
"""What never ends has no head without a body."""
NO_NUL = "no name, number or text has a NUL in it"
EMBEDDED = "/embed/"
"""Pages under this may be framed by other sites; they show nothing of who looks, and take no action."""


class Guard:
    """Adds the headers; refuses unsafe requests that another site made a browser send; lets pages be asked for their
    heads alone."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        framed = scope["path"].startswith(EMBEDDED)
        headless = scope["method"] == "HEAD" and scope["path"] != STREAM
        if headless:
            scope = {**scope, "method": "GET"}

        headers = Headers(scope=scope)
        body = Body(receive, headers, MAX_BODY if scope["path"] not in UPLOADS else None)

        async def fenced(message: Message) -> None:
            if message["type"] == "http.response.start":
                await body.drain()
                headers = MutableHeaders(scope=message)
                headers["Content-Security-Policy"] = POLICY.format(ancestors="*" if framed else "'none'")
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store" if _signed_in(scope) else "no-cache")
            elif headless:
                message = {**message, "body": b""}
            await send(message)

        refusal = ""
        if not (self.settings.public or self.settings.behind_proxy or is_this_machine(headers.get("host", ""))):
            refusal = "this server knows itself as localhost and 127.0.0.1 only"
        elif scope["method"] not in SAFE and is_forged(headers):
            refusal = "this request came from another site"
        answer = PlainTextResponse(f"refused: {refusal}\n", 403) if refusal else self.app
        if "\0" in scope["path"] or b"%00" in scope["query_string"]:
            answer = PlainTextResponse(f"refused: {NO_NUL}\n", 400)
        await answer(scope, body.receive, fenced)


def _signed_in(scope: Scope) -> bool:
    return USER in scope or bool({"cookie", "authorization"} & set(Headers(scope=scope)))


def is_forged(headers: Headers) -> bool:
    """Whether a browser says that another site made it send the request. Programs say nothing, and have no cookies."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != headers.get("host", "")


def is_this_machine(host: str) -> bool:
    """Whether a Host header names this machine by a name that no other site can take: others may let theirs lead here,
    and read with a visitor's browser what is only for this machine.
    """
    name = (urlsplit(f"//{host}").hostname or "") if host.isascii() and "@" not in host else ""
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


FIELD, HEADER = "csrf", "x-csrf"
"""Where requests of people who are signed in carry what their page holds: a form's field, or a header."""


def checks_itself(endpoint: Endpoint) -> Endpoint:
    """Marks an endpoint that reads its body in pieces, and calls `refuse_forged` itself."""
    endpoint.__dict__["checks_csrf"] = True
    return endpoint


async def check_csrf(request: Request) -> None:
    """Raises Forbidden when somebody who is signed in sends what no page of this session sent. For all routes.

    Forms with files need the header, or an endpoint that checks itself.
    """
    if request.method in SAFE or getattr(_endpoint_of(request), "checks_csrf", False):
        return
    from arena.web.viewer import viewer_of

    is_form = request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded")
    form = await request.form() if is_form else FormData()
    viewer = await run_in_threadpool(viewer_of, request)
    if viewer.csrf:
        sent = request.headers.get(HEADER)
        refuse_forged(request, viewer.csrf, form.get(FIELD) if sent is None else sent)
    wrong = next((name for name, text in form.multi_items() if "\0" in name or "\0" in str(text)), None)
    if wrong is not None:
        raise ArenaError(NO_NUL, where=wrong, saw="a NUL", fix="leave it out", code="USAGE")


def refuse_forged(request: Request, wanted: str, sent: object) -> None:
    """Raises Forbidden unless both are the same; takes as long whatever is sent."""
    text = sent if isinstance(sent, str) else ""
    if not hmac.compare_digest(wanted.encode(), text.encode("utf-8", "replace")):
        raise Forbidden(
            "this form is not of your present session",
            where=request.url.path,
            saw="no form key" if not text else "another form key",
            fix="open the page again and send it once more; nothing was done",
            code="FORGED",
        )


def _endpoint_of(request: Request) -> Any:  # Any: whatever a route calls
    return getattr(request.scope.get("route"), "endpoint", None)
