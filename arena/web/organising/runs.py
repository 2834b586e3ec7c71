"""Tournaments that are begun, paused and resumed from the site: each runs in a process of its own, which outlives it.

A tournament's file is kept in the folder `cups` of the data folder; what its process says is in `logs/NAME.run.log`.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import threading
import time
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any

from arena.core.errors import ArenaError, ConfigError
from arena.runner.eligibility import CUPS
from arena.store.lock import busy, lock_file
from arena.store.values import Tournament
from arena.web.children import environ_of, program_of
from arena.web.live.pulse import pulse_of
from arena.web.organising.health import coordinator
from arena.web.site import Site
from arena.web.submitting.rechecking import PART

PLAN_S = 60.0
GAMES_A_SECOND = 10.0
"""A careful guess for one worker, for the hours that a plan would take."""
APPEARS_S = 10.0
"""How long a begun tournament may take to be in the store before whoever began it is answered."""
MAX_TOML = 64 * 1024
MISSING = ("NO_BOT",)
"""What an event may lack until it begins."""


class Runs:
    """The processes that this server has begun."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._pulse = pulse_of(site)

    def file_of(self, name: str) -> Path:
        """Where the file of a tournament is, if it was begun from here."""
        return self._site.settings.data / CUPS / f"{name}.toml"

    def key_of(self, event: Tournament) -> str | None:
        """By which name an event is run again: its own, or that of its series; None when its file is not here."""
        return next((each for each in (event.name, event.series) if each and self.file_of(each).is_file()), None)

    def text_of(self, name: str) -> str:
        """What the file of an event says. Raises ConfigError NO_TOURNAMENT when it is not here."""
        try:
            return self.file_of(name).read_text(encoding="utf-8")
        except (OSError, ValueError):
            raise _not_here(name) from None

    def keep(self, text: str) -> str:
        """Keep the file of an event that is to begin later; its name. Bots may be missing yet: they are looked for
        again when it begins. Raises ConfigError for everything else that is wrong in it."""
        name = name_in(text)
        if self.is_there(name):
            raise ConfigError(
                f"{name!r} has begun: its settings are fixed", where="name", fix="choose another", code="NAME_TAKEN"
            )
        try:
            self.plan(text)
        except ConfigError as error:
            if error.code not in MISSING:
                raise
        self._write(self.file_of(name), text)
        self._pulse.bump(PART)
        return name

    def discard(self, name: str) -> str:
        """Throw the file of an event away that has not begun; what it said. Raises ConfigError."""
        text = self.text_of(name)
        if self.is_there(name):
            raise ConfigError(f"{name!r} has begun", where=name, fix="its results stay", code="NAME_TAKEN")
        self.file_of(name).unlink(missing_ok=True)
        self._pulse.bump(PART)
        return text

    def plan(self, text: str) -> dict[str, Any]:  # Any: JSON
        """What a tournament file would play: its plans, games, hours. Raises ConfigError for what is wrong in it."""
        name = name_in(text)
        draft = self._site.settings.data / CUPS / f".draft-{os.getpid()}-{threading.get_ident()}.toml"
        self._write(draft, text)
        try:
            done = subprocess.run(
                [*program_of(self._site.settings), "--json", "tournament", "run", str(draft), "--dry-run"],
                env=environ_of(self._site.settings),
                capture_output=True,
                timeout=PLAN_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise ConfigError("the plan took too long to make", where=f"{name}.toml", fix="plan fewer boards") from None
        finally:
            draft.unlink(missing_ok=True)
        if done.returncode:
            raise self._refused(done.stderr, draft, name)
        data = json.loads(done.stdout)["data"]
        plans = data.get("tournaments", [data])
        games = sum(plan["games"] for plan in plans)
        hours = games / (GAMES_A_SECOND * max(1, plans[0]["workers"])) / 3600
        return {"plans": plans, "games": games, "hours": hours}

    def start(self, text: str) -> str:
        """Keep a tournament file and begin to play it; its name, which has a page by then unless its process is slow.
        Raises ConfigError, Busy."""
        name = name_in(text)
        self.plan(text)
        if self._site.store.tournament(name) is not None and not self.file_of(name).exists():
            raise ConfigError(
                f"there is a tournament {name!r} already",
                where="name",
                fix="give this one another name",
                code="NAME_TAKEN",
            )
        self._write(self.file_of(name), text)
        self._run(name)
        until = time.monotonic() + APPEARS_S
        while not self.is_there(name) and time.monotonic() < until:
            time.sleep(0.1)
        return name

    def is_there(self, name: str) -> bool:
        """Whether a tournament, or a series of them, has a page."""
        return any(name in (each.name, each.series) for each in self._site.store.tournaments())

    def resume(self, name: str) -> None:
        """Go on with a tournament. Raises ConfigError when its file is not here, Busy when somebody runs it."""
        self._run(name)

    def pause(self, name: str) -> int:
        """Ask the coordinator to stop: running games are finished and saved. Its process id. Raises ArenaError."""
        found = coordinator(self._site, name)
        nobody = ArenaError(f"nobody runs {name!r} now", where=name, fix="it may have ended just now", code="NOTHING")
        if found is None:
            raise nobody
        if found.host != socket.gethostname() or not found.pid:
            raise ArenaError(
                f"{name!r} is run on {found.host}, not here",
                where=name,
                fix=f"stop it there: kill {found.pid}",
                code="BUSY",
            )
        try:
            os.kill(found.pid, signal.SIGTERM)
        except ProcessLookupError:
            raise nobody from None
        return found.pid

    def _run(self, name: str) -> None:
        file, settings = self.file_of(name), self._site.settings
        found = coordinator(self._site, name)
        if found is not None:
            raise busy(name, found, str(lock_file(settings.data, name)), here=True)
        if not file.is_file():
            raise _not_here(name)
        logs = settings.data / "logs"
        logs.mkdir(parents=True, exist_ok=True, mode=0o700)
        with (logs / f"{name}.run.log").open("ab") as log:
            streams = [(os.POSIX_SPAWN_DUP2, log.fileno(), number) for number in (1, 2)]
            nothing = (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0)
            words = [*program_of(settings), "tournament", "run", str(file)]
            actions = [nothing, *streams]
            pid = os.posix_spawn(words[0], words, environ_of(settings), file_actions=actions, setsid=True)
        threading.Thread(target=self._reap, args=(pid,), name=f"run of {name}", daemon=True).start()
        self._pulse.bump(PART)

    def _reap(self, pid: int) -> None:
        """Wait until a process that was begun here has ended, so that nothing is left of it, and tell the pages."""
        with suppress(ChildProcessError):
            os.waitpid(pid, 0)
        self._pulse.bump(PART)

    def _write(self, file: Path, text: str) -> None:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        new = file.with_name(f"{file.name}.new")
        new.write_text(text, encoding="utf-8")
        new.replace(file)

    def _refused(self, said: bytes, draft: Path, name: str) -> ArenaError:
        """What the program said is wrong, of the file as it will be called."""
        lines = said.decode("utf-8", "replace").strip()
        try:
            parts = json.loads(lines[lines.index("{") :])
            words = {key: str(parts.get(key, "")).replace(str(draft), f"{name}.toml") for key in FIVE}
        except ValueError:
            return ConfigError("the plan cannot be made", where=f"{name}.toml", saw=lines[-200:])
        return ConfigError(words["error"], where=words["where"], saw=words["saw"], fix=words["fix"], code=words["code"])


FIVE = ("error", "where", "saw", "fix", "code")


def _not_here(name: str) -> ConfigError:
    return ConfigError(
        f"the file of {name!r} is not here",
        where=f"{CUPS}/{name}.toml",
        fix="it was begun in a terminal: go on there with  arena tournament run FILE",
        code="NO_TOURNAMENT",
    )


def name_in(text: str) -> str:
    """The name that a tournament file gives. Raises ConfigError; all else is checked by the plan."""
    if len(text.encode()) > MAX_TOML:
        raise ConfigError("the tournament file has more than 64 KiB", where="toml", fix="name bots, do not list boards")
    try:
        name = tomllib.loads(text).get("name")
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(
            f"the tournament file is not TOML: {error}",
            where="toml",
            fix='write lines like  boards = 100  and  name = "x"',
        ) from None
    if not isinstance(name, str) or not name.isascii() or not name.replace("-", "_").replace("_", "a").isalnum():
        raise ConfigError(
            "the tournament has no name", where="name", saw=repr(name), fix='name = "spring": A-Z a-z 0-9 _ -'
        )
    if len(name) > 48:
        raise ConfigError("the name is too long", where="name", saw=name[:60], fix="at most 48 characters")
    return name


def runs_of(site: Site) -> Runs:
    """The processes begun by a server."""
    return site.service(Runs, Runs)
