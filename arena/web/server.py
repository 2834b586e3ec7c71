"""Runs the site: finds a port, serves until it is told to stop, and says where it is.

uvicorn serves; SIGINT and SIGTERM end it: open streams are closed, running requests get a few seconds.
"""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import socket
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

import psutil
import uvicorn
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from arena.core.errors import ArenaError
from arena.web.app import create_app
from arena.web.people.vouched import Vouching
from arena.web.site import Site

if TYPE_CHECKING:
    from starlette.types import ASGIApp

GRACE_S = 3
TRIED = 20
"""So many further ports are looked at for one that is free."""


class PortTaken(ArenaError):
    """Another program listens there."""

    code = "ADDRESS"


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server on this address."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0: any free one. Raises PortTaken, which says by whom and offers the next free one;
    ArenaError for an address that is none of this machine's."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host.strip("[]"), port))
        found.listen(128)
    except OSError as error:
        found.close()
        if error.errno == errno.EADDRINUSE:
            free = next((each for each in range(port + 1, min(port + TRIED, 65536)) if _is_free(host, each)), 0)
            raise PortTaken(
                f"port {port} of {host} is taken",
                where="--port",
                saw=_holder(port),
                fix=f"arena serve --port {free}" if free else "name another port",
            ) from None
        raise ArenaError(
            f"cannot listen on {host!r} port {port}",
            where="--host",
            saw=error.strerror or str(error),
            fix="127.0.0.1 for this machine alone, 0.0.0.0 for all",
            code="ADDRESS",
        ) from None
    return found


def _is_free(host: str, port: int) -> bool:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM) as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        return tried.connect_ex((host.strip("[]"), port)) != 0


def _holder(port: int) -> str:
    """Who listens on a port, as far as the system tells."""
    try:
        for each in psutil.net_connections("tcp"):
            if each.laddr and each.laddr.port == port and each.status == psutil.CONN_LISTEN and each.pid:
                return f"pid {each.pid} ({psutil.Process(each.pid).name()}) listens there"
    except (psutil.Error, OSError):
        pass
    return "another program listens there"


def serve(site: Site, listening: socket.socket, ready: Callable[[], None] = lambda: None) -> None:
    """Serve until SIGINT or SIGTERM. `ready` is called when the first request can be answered."""
    asyncio.run(_server(site, ready).serve([listening]))


def serve_until(
    site: Site, listening: socket.socket, stop: threading.Event, ready: Callable[[], None] = lambda: None
) -> None:
    """Serve in this thread until an event is set in another one."""
    server = _server(site, ready)

    async def run() -> None:
        serving = asyncio.create_task(server.serve([listening]))
        await asyncio.to_thread(stop.wait)
        server.should_exit = True
        await serving

    asyncio.run(run())


def application(site: Site) -> ASGIApp:
    """The site as it is served: behind what reads the headers of a proxy in front, if there is one."""
    app: ASGIApp = create_app(site)
    settings = site.settings
    if settings.behind_proxy:
        app = ProxyHeadersMiddleware(app, trusted_hosts="*")  # type: ignore[arg-type, assignment]
        if settings.sign_in_header:
            app = Vouching(app, settings.sign_in_header, settings.trusted_proxies)
    return app


def _server(site: Site, ready: Callable[[], None]) -> _Server:
    config = uvicorn.Config(
        application(site),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE_S,
        lifespan="on",
        http="h11",  # which bounds the size of what comes before a body
    )
    return _Server(config, ready, site)


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], site: Site) -> None:
        super().__init__(config)
        self._ready = ready
        self._site = site

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for close in self._site.closing:
            close()
        await super().shutdown(sockets)
