"""The application: every module of `pages` brings its routes; headers, errors and static files are added here."""

from __future__ import annotations

import asyncio
import importlib
import pkgutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from fastapi import Depends, FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp

from arena.web import errors, pages
from arena.web.assets import StaticFolder
from arena.web.security import Guard, check_csrf
from arena.web.site import Site

STATIC = Path(__file__).parent / "static"
STOP_S = 5.0


def create_app(site: Site) -> FastAPI:
    """The site as an ASGI application. Services start and stop with its lifespan."""
    app = _Fenced(
        title="arena",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=_lifespan,
        dependencies=[Depends(check_csrf)],
    )
    app.state.site = site
    app.mount("/static", StaticFolder(STATIC), name="static")
    for module in sorted(pkgutil.iter_modules(pages.__path__), key=lambda module: module.name):
        found = importlib.import_module(f"{pages.__name__}.{module.name}")
        if hasattr(found, "include"):
            found.include(site)
        app.include_router(found.router)
    errors.install(app)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)
    return app


class _Fenced(FastAPI):
    """With the guard before everything, so that an answer to what nobody foresaw has the headers, too."""

    def build_middleware_stack(self) -> ASGIApp:
        site: Site = self.state.site
        return Guard(super().build_middleware_stack(), site.settings)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    site: Site = app.state.site
    for start in site.starting:
        await start()
    try:
        yield
    finally:
        for stop in reversed(site.stopping):
            with suppress(TimeoutError):
                await asyncio.wait_for(stop(), STOP_S)
        site.store.close()
