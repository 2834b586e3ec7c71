"""The site: where its data is, its open store, and what belongs to the running server as a whole."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, TypeVar

from fastapi import Path as InPath
from fastapi import Request

from arena.runner.keeping.limits import Quotas
from arena.store.place import Place
from arena.store.store import Store

T = TypeVar("T")
Id = Annotated[int, InPath(ge=0, lt=2**31)]
"""The number of something in an address, as far as stores can hold one."""


@dataclass(frozen=True)
class Settings:
    """What the server was told."""

    data: Path
    """The data folder."""
    store: Place
    """Where the store is."""
    config: Path | None = None
    """The arena.toml of the programs that the site starts; None: they find it themselves."""
    behind_proxy: bool = False
    """Whether a proxy in front speaks TLS and says who asks."""
    public: bool = False
    """Whether others than this machine can reach the server."""
    quotas: Quotas = field(default_factory=Quotas)
    """What one author may have."""
    sandbox: str = "auto"
    """How bots that people send are kept apart: the best that the host has, or "none" where all authors are trusted."""
    sign_in_header: str = ""
    """The header in which a trusted proxy says who asks; empty: nobody signs in by one."""
    trusted_proxies: tuple[str, ...] = ("127.0.0.0/8", "::1/128")
    """From where that header counts: addresses and networks."""


@dataclass
class Site:
    """One running server. Made before its loop runs; `services` are kept by the modules that need them."""

    settings: Settings
    store: Store
    services: dict[type[Any], Any] = field(default_factory=dict)  # Any: each service is of its own type
    instance: str = field(default_factory=lambda: secrets.token_hex(4))
    """Differs after every start."""
    key: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    """Shown by programs of this machine that may read the data folder; see `reach`."""
    starting: list[Callable[[], Coroutine[Any, Any, None]]] = field(default_factory=list)
    """Run in order when the loop runs."""
    stopping: list[Callable[[], Coroutine[Any, Any, None]]] = field(default_factory=list)
    """Run in reverse order before the loop ends; every one within 5 s."""
    closing: list[Callable[[], None]] = field(default_factory=list)
    """Called in the loop when the server begins to end, before it waits for open requests: what would keep them open
    lets go."""

    @classmethod
    def open(cls, settings: Settings) -> Site:
        """Open the store, making it as needed. Raises as `Store.open`."""
        return cls(settings, Store.open(settings.store))

    def service(self, kind: type[T], make: Callable[[Site], T]) -> T:
        """The one service of a type, made at first use. Services are asked for while the app is made (`include`), so
        that none is made twice by two threads."""
        if kind not in self.services:
            self.services[kind] = make(self)
        found: T = self.services[kind]
        return found


def site_of(request: Request) -> Site:
    """The site that a request came to; for `Depends`."""
    found: Site = request.app.state.site
    return found
