"""People whom a proxy in front vouches for: an institution signs them in, and a header of each request says who asks.

The header counts only in a request that comes straight from an address which is trusted; everywhere else it is taken
away before anything can read it. It can sign in authors, and nobody as an organiser.
"""

from __future__ import annotations

import hmac
import ipaddress
import logging
import re
import secrets
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from arena.core.errors import ArenaError, ConfigError
from arena.store.people import BadPerson, People, Person, checked_name
from arena.store.site_settings import SiteSettings

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from arena.web.site import Site

LOG = logging.getLogger("arena.web")
USER = "arena.user"
"""Where a request carries the name that was vouched for; no client can put anything there."""
LOOPBACK = ("127.0.0.0/8", "::1/128")
LONGEST = 64
HEADER = re.compile(r"[A-Za-z][A-Za-z0-9-]{2,63}")
TAKEN = frozenset(
    {
        "accept", "accept-encoding", "accept-language", "authorization", "connection", "content-length", "content-type",
        "cookie", "expect", "forwarded", "host", "hx-request", "if-none-match", "last-event-id", "origin", "range",
        "referer", "sec-fetch-site", "te", "transfer-encoding", "upgrade", "user-agent", "via", "x-csrf",
        "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto",
    }
)  # fmt: skip
"""Headers that say something else, and that every client sends as it likes."""
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Vouching:
    """The outermost layer of an application: takes the header away, and keeps what a trusted address said in it."""

    def __init__(self, app: ASGIApp, header: str, proxies: Iterable[str] = LOOPBACK) -> None:
        """Raises ConfigError for what can be no such header or address."""
        self.app = app
        self._header = checked_header(header).lower().encode()
        self._proxies = [network_of(each) for each in proxies]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] in ("http", "websocket"):
            said = [value for name, value in scope["headers"] if name.lower() == self._header]
            kept = [pair for pair in scope["headers"] if pair[0].lower() != self._header]
            scope = {**scope, "headers": kept}
            scope.pop(USER, None)
            peer = scope.get("client")
            if said and peer and self._trusts(str(peer[0])):
                name = name_in(said)
                if name:
                    scope[USER] = name
                elif said != [b""]:
                    LOG.warning("the header %s of %s is not one name: ignored", self._header.decode(), peer[0])
        await self.app(scope, receive, send)

    def _trusts(self, host: str) -> bool:
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return False
        mapped = getattr(address, "ipv4_mapped", None)
        return any((mapped or address) in network for network in self._proxies)


def name_in(values: list[bytes]) -> str:
    """The one name that a header gives; empty when it gives none, several, or what no person can be called."""
    if len(values) != 1 or len(values[0]) > 4 * LONGEST or b"," in values[0]:
        return ""
    with suppress(UnicodeDecodeError, BadPerson):
        text = values[0].decode("utf-8").strip(" ")
        if text.isprintable() and checked_name(text) == text:
            return text
    return ""


def checked_header(name: str, where: str = "--sign-in-header") -> str:
    """The name of a header that can say who asks; `where` it was given. Raises ConfigError."""
    if not HEADER.fullmatch(name) or name.lower() in TAKEN:
        raise ConfigError(
            f"the header {name!r} cannot say who asks",
            where=where,
            saw=repr(name),
            fix="the one that the proxy sets and that means nothing else: X-Remote-User",
        )
    return name


def network_of(text: str, where: str = "--trusted-proxy") -> Network:
    """The addresses of a text: one, or a network; `where` it was given. Raises ConfigError."""
    try:
        return ipaddress.ip_network(text.strip("[]"))
    except ValueError:
        raise ConfigError(
            f"{text!r} is no address",
            where=where,
            saw=repr(text),
            fix="an address or a network in numbers: 10.0.0.5 or 10.0.0.0/28",
        ) from None


class FormKey(NamedTuple):
    """What the forms of people without a session are signed with."""

    key: bytes

    def csrf(self, person: int) -> str:
        """What the forms of a person carry."""
        return hmac.new(self.key, f"arena form of {person}".encode(), "sha256").hexdigest()


def form_key_of(site: Site) -> FormKey:
    """The key of a site; kept, so that forms hold over a restart."""

    def made(site: Site) -> FormKey:
        settings = SiteSettings(site.store.database)
        if not settings.get("form_key"):
            settings.set("form_key", secrets.token_hex(32))
        return FormKey(bytes.fromhex(settings.get("form_key")))

    return site.service(FormKey, made)


def person_of(site: Site, name: str) -> Person | None:
    """The author whom a name that was vouched for signs in; an account is made where whoever is vouched for may have
    one. None: nobody is signed in by it, `why_not` says why."""
    people = People(site.store.database)
    found = people.named(name)
    if found is None and _may_join(site, name):
        try:
            found = people.add(name)
        except ArenaError:  # by another request of the same moment, or the store cannot be written
            found = people.named(name)
    return found if found is not None and found.revoked is None and not found.is_organiser else None


def why_not(site: Site, name: str) -> str:
    """What somebody has to do whom `person_of` signs in as nobody."""
    found = People(site.store.database).named(name)
    if found is None and _chosen(site) == "code":
        return "make an account with the code of your class: /join"
    if found is None:
        return f"ask an organiser to add {name}"
    if found.revoked is not None:
        return "ask an organiser: the rights of this account were taken back"
    return "organisers sign in by a link, never by a proxy: arena serve prints one"


def _may_join(site: Site, name: str) -> bool:
    """Whether somebody new may have an account by being vouched for; names that own bots are given by organisers."""
    if _chosen(site) != "proxy":
        return False
    owners = {each.owner.casefold() for each in site.store.registered()}
    return name.casefold() not in owners and not site.store.owns_tokens(name)


def _chosen(site: Site) -> str:
    return str(SiteSettings(site.store.database).get("open_signup"))
