"""nginx before a site, as `docs/site.md` has it: its blocks and commands are read out of that page, and only ports and
the certificate are others."""

from __future__ import annotations

import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
from remote.dialling import papers
from web.begun import INTERRUPTED, Started

from arena.store.store import Store

PAGE = Path(__file__).parents[2] / "docs" / "site.md"
LISTEN, SITE, PORT, WHOAMI = "listen 443 ssl;", "http://127.0.0.1:8000", "8000", "http://127.0.0.1:9000"
CERTIFICATE, KEY = "/etc/ssl/arena.pem", "/etc/ssl/arena.key"
"""What the page has, and a test has otherwise."""
ABOVE = re.compile(r"^ *\.\.\. .*\n", re.MULTILINE)
"""Stands for the lines of the first block."""
STARTED_S = 60.0
READY = "(organiser): "
"""What a server prints once it answers."""
INSTITUTION = """
map $cookie_institution $person {{ default ""; ada ada@example.org; olga Olga; two "Ada,Olga"; }}
server {{
    listen 127.0.0.1:{port};
    add_header X-User $person;
    location / {{
        if ($cookie_institution = stranger) {{ return 401; }}
        if ($content_length) {{ return 400; }}
        return 204;
    }}
}}
"""
"""Knows people by a cookie and vouches for them as the page asks for; takes no bodies, and lets no strangers in."""
MAIN = """
{user}
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
{servers}
}}
"""


def command(flag: str) -> list[str]:
    """The words after `arena` of the command of the page that ends with a flag, or a flag and its value."""
    found = re.findall(rf"^    arena (serve .*{flag})$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(found) == 1, found
    words: list[str] = found[0].split()
    return words


def blocks() -> tuple[str, str]:
    """The page's server; the places of one at which an institution signs people in, with all lines."""
    plain, signing = re.findall(r"^```nginx\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    place = re.search(r"^    location / \{\n(.*?)^    \}\n", plain, re.DOTALL | re.MULTILINE)
    assert place is not None
    assert len(ABOVE.findall(signing)) == 2
    signing = ABOVE.sub(lambda _: place[1], signing)
    return plain, plain.replace(place[0], signing)


def filled(block: str, values: Mapping[str, str]) -> str:
    """A block with a test's own values."""
    for old, new in values.items():
        assert old in block, old
        block = block.replace(old, new)
    return block


def server(block: str, port: int, site: int, whoami: int = 0) -> str:
    """A server of the page on a port, before a site on another one."""
    own = {
        LISTEN: f"listen 127.0.0.1:{port} ssl;",
        SITE: f"http://127.0.0.1:{site}",
        CERTIFICATE: str(papers().certificate),
        KEY: str(papers().key),
    }
    return filled(block, own | ({WHOAMI: f"http://127.0.0.1:{whoami}"} if whoami else {}))


def free_ports(count: int) -> list[int]:
    """Ports on which nobody listens."""
    held = [socket.socket() for _ in range(count)]
    try:
        for each in held:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in held]
    finally:
        for each in held:
            each.close()


class Nginx:
    """nginx with some servers, in a folder of its own and without rights of its own."""

    def __init__(self, folder: Path, *servers: str) -> None:
        self._log = folder / "error.log"
        configured = folder / "nginx.conf"
        user = "user root;" if os.geteuid() == 0 else ""  # others cannot enter a test's folder
        configured.write_text(MAIN.format(user=user, folder=folder, servers="".join(servers)), encoding="utf-8")
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        with (folder / "said.txt").open("wb") as said:
            self._process = subprocess.Popen(
                [program, "-p", folder, "-c", configured], stdin=subprocess.DEVNULL, stdout=said, stderr=said
            )  # fmt: skip

    def said(self) -> str:
        """What it complained of."""
        return self._log.read_text(encoding="utf-8") if self._log.exists() else ""

    def wait_for(self, port: int) -> None:
        """Until it listens there."""
        until = time.monotonic() + STARTED_S
        while time.monotonic() < until:
            assert self._process.poll() is None, self.said()
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.05)
        raise AssertionError(self.said())

    def end(self) -> None:
        self._process.terminate()
        self._process.wait(STARTED_S)


class Place(NamedTuple):
    """A site behind the proxy."""

    folder: Path
    """Where it was started; its store is below."""
    port: int
    """Of the proxy."""
    words: list[str]
    """The command of the page, on a port of the test."""
    server: list[Started]
    """The server that runs, last."""

    @property
    def address(self) -> str:
        return f"https://localhost:{self.port}"

    def start(self) -> None:
        self.server.append(Started(self.folder, *self.words))

    @contextmanager
    def away(self) -> Iterator[None]:
        """Ends the server, and starts it again after the block."""
        assert self.server[-1].end() == INTERRUPTED
        try:
            yield
        finally:
            self.start()
            self.server[-1].says(READY)

    def store(self) -> Store:
        return Store.open(self.folder / ".arena")

    def client(self, near: str = "127.0.0.1", **options: Any) -> httpx2.Client:
        """Asks through the proxy from an address of this machine."""
        trust = ssl.create_default_context(cafile=papers().authority)
        transport = httpx2.HTTPTransport(verify=trust, local_address=near)
        return httpx2.Client(base_url=self.address, transport=transport, timeout=60, **options)


class Proxied(NamedTuple):
    """What stands behind one proxy."""

    plain: Place
    signing: Place


@contextmanager
def standing(folder: Path) -> Iterator[Proxied]:
    """Both servers of the page, each before a site of its own, begun as the page says."""
    found = free_ports(5)  # in one go: a port that was let go may be found again
    outside, sites = found[:3], found[3:]
    plain, signing = blocks()
    nginx = Nginx(
        folder,
        server(plain, outside[0], sites[0]),
        server(signing, outside[1], sites[1], outside[2]),
        INSTITUTION.format(port=outside[2]),
    )
    words = [command("--port 8000 --behind-proxy"), command("--sign-in-header X-Remote-User")]
    words[0][words[0].index(PORT)] = str(sites[0])
    words[1] += ["--port", str(sites[1])]
    places = [Place(folder / name, outside[at], words[at], []) for at, name in enumerate(("plain", "signing"))]
    try:
        for each in places:
            each.folder.mkdir()
            each.start()
        for each in places:
            each.server[-1].says(READY)
            nginx.wait_for(each.port)
        yield Proxied(*places)
    finally:
        nginx.end()
        for each in places:
            for running in each.server[-1:]:
                running.end()
