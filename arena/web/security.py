"""What every answer and request must keep to: headers that fence a page in, no request forged by another site."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from arena.web.site import Settings

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
EMBEDDED = "/embed/"
"""Pages under this may be framed by other sites; they show nothing of who looks, and take no action."""


class Guard:
    """Adds the headers; refuses unsafe requests that another site made a browser send."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        framed = scope["path"].startswith(EMBEDDED)

        async def fenced(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Content-Security-Policy"] = POLICY.format(ancestors="*" if framed else "'none'")
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if not scope["path"].startswith("/static/"):
                    headers.setdefault("Cache-Control", "no-store" if _signed_in(scope) else "no-cache")
            await send(message)

        if scope["method"] not in SAFE and is_forged(Headers(scope=scope)):
            refusal = PlainTextResponse("refused: this request came from another site\n", 403)
            await refusal(scope, receive, fenced)
            return
        await self.app(scope, receive, fenced)


def _signed_in(scope: Scope) -> bool:
    return "cookie" in Headers(scope=scope)


def is_forged(headers: Headers) -> bool:
    """Whether a browser says that another site made it send the request. Programs say nothing, and have no cookies."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != headers.get("host", "")
