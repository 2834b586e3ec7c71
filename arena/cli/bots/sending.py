"""`arena bot add --to URL`: sends a bot to a site and shows what its check finds, as it is found.

The token is in the variable ARENA_TOKEN, never on the command line. It is sent over TLS, or to this machine; where a
site leads to another address it is not sent on.
"""

from __future__ import annotations

import http.client
import json
import os
import tempfile
import time
import zipfile
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

import typer

from arena.cli.bots.steps import show_step
from arena.cli.flags import UsageError
from arena.cli.output import Output
from arena.core.errors import ArenaError, ArenaFault, ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

VARIABLE = "ARENA_TOKEN"
POLL_S = 0.5
TIMEOUT_S = 60.0
PATIENCE = 20
"""So often in a row the site may be out of reach while it checks."""
AWAY = (502, 503, 504)
"""What a proxy in front of a site says while the site is started anew."""
LOOPBACK = ("localhost", "127.0.0.1", "::1")
Data = dict[str, Any]
"""Any: JSON."""


def send(
    output: Output,
    path: Path,
    site: str,
    message: str,
    games: Sequence[str] = (),
    environ: Mapping[str, str] = os.environ,
) -> None:
    """Send a bot and wait for the end of its check. `games`: that it is sent for; none: those of its bot.toml. Raises
    ArenaError, ConfigError; Exit 1 when it is refused."""
    address, token = checked_site(site), environ.get(VARIABLE, "").strip()
    if not token:
        raise ArenaError(
            "a site asks for an upload token",
            where=VARIABLE,
            saw="the variable is not set",
            fix=f"make a token at {address}/me  and put it into {VARIABLE}",
            code="NOT_ALLOWED",
        )
    line = Line(address, token)
    with archive_of(path) as archive:
        ticks = [("games", game) for game in games]
        query = urlencode([("message", message), ("name", f"{path.resolve().stem}.zip"), *ticks])
        sent = line.ask("POST", f"/api/submissions?{query}", archive)
    output.note(f"sent: {address}{sent['page']}")
    found = followed(output, line, sent["id"])
    show(output, address, found)


def checked_site(site: str) -> str:
    """The address of a site without what follows it. Raises UsageError, ConfigError INSECURE."""
    parts = urlsplit(site)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"--to cannot be {site!r}", saw=f"--to {site}", fix="--to https://arena.example.org")
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise ConfigError(
            "the token would cross the network for all to read",
            where="--to",
            saw=site,
            fix="an address that begins with https://",
            code="INSECURE",
        )
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


@contextmanager
def archive_of(path: Path) -> Iterator[IO[bytes]]:
    """A zip file, or what a folder becomes: the files that are a bot's, and no others. Raises BotError."""
    if not path.is_dir():
        if not path.is_file():
            raise ConfigError(f"no folder or zip file {str(path)!r}", where=str(path.absolute()), code="NO_BOT")
        with path.open("rb") as file:
            yield file
        return
    from arena.bots.manifest import read_bot
    from arena.bots.version import files_of

    bot = read_bot(path)
    with tempfile.TemporaryFile() as made:
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
            for name, each in files_of(bot.folder, built=bool(bot.build)):
                archive.write(each, name)
        made.seek(0)
        yield made


def followed(output: Output, line: Line, number: str) -> Data:
    """Show steps as they come, until nothing changes any more; the submission then."""
    from arena.runner.check_report import Step

    shown, said, failures = 0, "", 0
    while True:
        try:
            found = line.ask("GET", f"/api/submissions/{number}")
            failures = 0
        except ArenaFault:
            failures += 1
            if failures > PATIENCE:
                raise
            time.sleep(POLL_S)
            continue
        steps = found["steps"]
        if len(steps) < shown:
            shown = 0  # it is checked anew
        for data in steps[shown:]:
            known = {key: data[key] for key in ("number", "name", "state", "text", "where", "fix", "code", "seconds")}
            show_step(output.note, Step(sentence="", came_back=data["came_back"], output=data["output"], **known))
        shown = len(steps)
        if found["words"] != said and not found["over"]:
            said = found["words"]
            output.note(said)
        if found["over"]:
            return found
        time.sleep(POLL_S)


def show(output: Output, address: str, found: Data) -> None:
    """What became of it. Raises Exit 1 when it is refused, ArenaFault when the site failed."""
    error = found["error"] or {}
    if found["state"] == "failed":
        raise ArenaFault("the site could not check it", where=address, saw=error.get("saw", ""), fix="ask an organiser")
    if output.flags.json:
        output.document("submission/1", found)
    elif output.flags.csv:
        keys = ("id", "state", "bot", "version", "content")
        output.rows(keys, [[found[key] for key in keys]])
    elif found["state"] == "accepted":
        same = found["same"] is not None
        output.line(f"already there as v{found['version']}" if same else f"added {found['bot']} v{found['version']}")
        if found["joins"]:
            output.note(f"it plays in {', '.join(found['joins'])} from the next round on")
    elif found["state"] == "held":
        output.line(f"{found['bot']} passed; an organiser decides")
    else:
        output.line(f"refused, yours to fix: {error.get('error', '')}")
        for key in ("where", "saw", "fix", "code"):
            if error.get(key):
                output.line(f"{key + ':':<7}{error[key]}")
    if found["state"] == "refused":
        raise typer.Exit(1)


class NoRedirect(HTTPRedirectHandler):
    """Follows nothing: the token is for one site."""

    def redirect_request(self, *_: object, **__: object) -> None:
        """Not followed."""
        return


class Line:
    """Asks a site with a token."""

    def __init__(self, address: str, token: str) -> None:
        self._address, self._token = address, token
        near = urlsplit(address).hostname in LOOPBACK
        self._opener = build_opener(NoRedirect, *([ProxyHandler({})] if near else []))

    def ask(self, method: str, path: str, body: IO[bytes] | None = None, kind: str = "application/zip") -> Data:
        """The data of an answer. Raises ArenaError as the site says it, ArenaFault when it cannot be reached."""
        headers = {"Authorization": f"Bearer {self._token}", "Accept": "application/json"}
        if body is not None:
            size = body.seek(0, os.SEEK_END)
            body.seek(0)
            headers |= {"Content-Type": kind, "Content-Length": str(size)}
        request = Request(f"{self._address}{path}", body, headers, method=method)
        try:
            with self._opener.open(request, timeout=TIMEOUT_S) as answer:
                found: Data = json.load(answer)["data"]
                return found
        except HTTPError as error:
            raise self._refused(error) from None
        except (URLError, OSError, http.client.HTTPException) as error:
            raise self._away(str(getattr(error, "reason", error))) from None
        except (ValueError, KeyError, TypeError):
            raise self._no_arena("what it said cannot be read") from None

    def _refused(self, error: HTTPError) -> ArenaError:
        try:
            data = json.load(error)["data"]
            parts = {key: str(data.get(key, "")) for key in ("where", "saw", "fix")}
            code = "NOT_ALLOWED" if error.code in (401, 403) else str(data["code"])
            made: ArenaError = (ArenaFault if error.code >= 500 else ArenaError)(str(data["error"]), **parts, code=code)
        except (ValueError, KeyError, TypeError):
            return self._refused_in_front(error.code)
        return made

    def _refused_in_front(self, status: int) -> ArenaError:
        """What an answer means that is not the site's own: a proxy in front gave it, or there is no site."""
        if status in AWAY:
            return self._away(f"status {status}")
        if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            return ArenaError(
                "the archive is larger than the site takes",
                where=self._address,
                saw=f"status {status}",
                fix="leave out what the bot does not need to run: builds, data, .git",
                code="TOO_LARGE",
            )
        return self._no_arena(f"status {status}")

    def _away(self, saw: str) -> ArenaFault:
        return ArenaFault("the site cannot be reached", where=self._address, saw=saw, fix="try again", code="ADDRESS")

    def _no_arena(self, saw: str) -> ConfigError:
        return ConfigError(
            "this is no site of an arena", where=self._address, saw=saw, fix="the address that you sign in at"
        )
