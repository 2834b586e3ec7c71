"""Tests of one version of a bot against another, begun from its page: the same test as `arena bot test`, in a process
of its own, which outlives the server. One at a time for each owner, few at a time for the server, and none is long.

A test is a tournament like any other; what is kept here is only what its process has not stored yet.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO, NamedTuple

from arena import games
from arena.core.errors import ArenaError
from arena.rating.sequential import BOUND, Evidence
from arena.runner.roster import Roster
from arena.runner.versus import FORMAT, is_test, standing_of, versus
from arena.store.lock import Holder, holder
from arena.store.values import Registered, State, Tournament
from arena.web.botpages.identity import Known
from arena.web.botpages.service import BotPages
from arena.web.children import environ_of, program_of
from arena.web.errors import NotFound
from arena.web.live.pulse import pulse_of
from arena.web.site import Site
from arena.web.standing.state import course_service

MOST = 500
"""Blocks after which a test begun here is given up."""
AT_ONCE = max(1, (os.cpu_count() or 1) // 2)
"""So many run at a time: the rest of the machine belongs to events and pages."""
LISTED = 20
SAID = 4000
"""Bytes that are read of what a broken test said last."""
STOPPED = (130, 143)
"""What a process that was told to stop ends with."""


class Trial(NamedTuple):
    """One test as its page shows it."""

    name: str
    """Of its tournament."""
    title: str
    game: str
    state: str
    """starting, running, stopped, finished or failed."""
    games: int
    most: int
    evidence: Evidence | None
    """None: no round of it is closed, or it is being counted."""
    trouble: str = ""
    """What it said when it broke."""
    counting: bool = False
    """Whether there is more of it than the evidence holds."""

    @property
    def runs(self) -> bool:
        """Whether it is played now."""
        return self.state in ("starting", "running")

    @property
    def moves(self) -> bool:
        """Whether there will be more to see by itself."""
        return self.runs or self.counting

    @property
    def at(self) -> float:
        """Where the evidence stands on a line of 400 between its bounds."""
        weight = self.evidence.likelihood if self.evidence is not None else 0.0
        return round(200 + 200 * min(max(weight, -BOUND), BOUND) / BOUND, 1)


class _Begun(NamedTuple):
    owner: str
    bot: str
    title: str
    game: str


class Trials:
    """The tests that were begun from pages of bots; for any number of threads."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._lock = threading.Lock()
        self._begun: dict[str, _Begun] = {}
        """By name: those whose process runs."""
        self._broken: dict[str, tuple[_Begun, str]] = {}
        """By name: those whose process failed, and what it said."""

    @classmethod
    def of_site(cls, site: Site) -> Trials:
        """The one of a site; made while the application is made."""
        return site.service(cls, cls)

    def begin(self, bot: Known, new: str, old: str, game: str) -> str:
        """Begin a test of one version against another, each a number, or go on with one that was stopped; its name.

        One that is over is not played again. Raises NotFound for a version that is not there, BotError, ConfigError,
        ArenaError BUSY while another one runs.
        """
        first, second = (self._version(bot, each) for each in (new, old))
        if first.number == second.number:
            raise ArenaError("these are the same version", where="old", fix="choose two different ones")
        if game not in playable(bot):
            raise ArenaError(
                f"{bot.name} cannot be tested in {game[:64]!r} here",
                where="game",
                saw=f"its games of two sides: {', '.join(playable(bot)) or 'none'}",
                fix="choose one of them; with more sides a test needs more bots: arena bot test, in a terminal",
                code="NOT_ITS_GAME",
            )
        settings = self._site.settings
        references = [f"{each.name}@{each.number}" for each in (first, second)]
        bots = [Roster(settings.data, settings.store).find(each) for each in references]
        for each in bots:
            each.must_play(game)
        cup = versus(games.make(game), bots, most=MOST)
        known = self._site.store.tournament(cup.name)
        if known is not None and known.state is State.FINISHED:
            return cup.name
        with self._lock:
            if cup.name in self._begun or (known is not None and self._coordinator(known) is not None):
                return cup.name
            self._refuse_more(bot.owner)
            words = [
                *program_of(settings), "bot", "test", f"--against={references[1]}", f"--game={game}", f"--max={MOST}",
                "--workers=1", f"--sandbox={settings.sandbox}", "--", references[0],
            ]  # fmt: skip
            self._broken.pop(cup.name, None)
            self._run(cup.name, _Begun(bot.owner.casefold(), bot.name, " against ".join(cup.bots), game), words)
        return cup.name

    def stop(self, bot: Known, name: str) -> None:
        """Let a test end: what it has played stays, and it can go on. Raises NotFound when none of that name runs."""
        tournament = next((each for each in tests_of(bot) if each.name == name), None)
        found = self._coordinator(tournament) if tournament is not None else None
        none = NotFound("no such test runs here now", where=name[:64], fix="it may have ended just now")
        if found is None or found.host != socket.gethostname() or not found.pid:
            raise none
        try:
            os.kill(found.pid, signal.SIGTERM)
        except ProcessLookupError:
            raise none from None

    def listed(self, pages: BotPages, bot: Known) -> list[Trial]:
        """The tests of a bot, those first that are not stored yet, then the newest."""
        stored = [self._trial(pages, each) for each in tests_of(bot)[:LISTED]]
        names = {each.name for each in stored}
        with self._lock:
            begun = [(name, each, "") for name, each in self._begun.items()]
            begun += [(name, each, said) for name, (each, said) in self._broken.items()]
        fresh = [
            Trial(name, each.title, each.game, "failed" if said else "starting", 0, MOST, None, said)
            for name, each, said in begun
            if name not in names and each.bot == bot.name
        ]
        return [*fresh, *stored]

    def _version(self, bot: Known, wanted: str) -> Registered:
        for each in bot.versions:
            if str(each.number) == wanted.removeprefix("v"):
                return each
        raise NotFound(f"{bot.name} has no version {wanted[:20]!r}", where=f"/bot/{bot.name}", fix="they are listed")

    def _trial(self, pages: BotPages, tournament: Tournament) -> Trial:
        stand = course_service(self._site).of(tournament)
        made = pages.counting.ask(
            ("trial", tournament.id),
            pages.version(tournament),
            lambda: standing_of(self._site.store, self._site.store.tournament(tournament.name) or tournament),
        )
        found = made.value if made.value is not None and made.value.blocks else None
        state = stand.state
        with self._lock:
            if state != State.FINISHED.value and tournament.name in self._begun:
                state = State.RUNNING.value
            said = self._broken[tournament.name][1] if tournament.name in self._broken else ""
        candidate = _candidate(tournament)
        rivals = [each.name for each in tournament.entrants if each.name != candidate]
        title = f"{candidate} against {', '.join(rivals)}"
        most = int(tournament.config["boards"])
        return Trial(tournament.name, title, tournament.game, state, stand.games, most, found, said, not made.current)

    def _refuse_more(self, owner: str) -> None:
        """Raises ArenaError BUSY while a test of the owner runs, or too many of all."""
        running = {name: each.owner for name, each in self._begun.items()}
        owners = {each.name.casefold(): each.owner.casefold() for each in self._site.store.registered()}
        for each in self._site.store.tournaments():
            if (
                each.state is State.RUNNING
                and is_test(each)
                and each.name not in running
                and self._coordinator(each) is not None
            ):
                candidate = _candidate(each).partition("@")[0].casefold()
                running[each.name] = owners.get(candidate, "")
        mine = next((name for name, whose in running.items() if whose == owner.casefold()), "")
        if mine or len(running) >= AT_ONCE:
            raise ArenaError(
                "a test of yours runs already" if mine else "this server plays as many tests now as it can",
                where=f"/t/{mine}" if mine else "this server",
                saw=f"{len(running)} running, {AT_ONCE} at a time",
                fix="wait until it is over, or stop it" if mine else "try again in some minutes",
                code="BUSY",
            )

    def _coordinator(self, tournament: Tournament) -> Holder | None:
        try:
            return holder(self._site.settings.data, tournament.name, self._site.settings.store)
        except ArenaError:
            return None

    def _run(self, name: str, begun: _Begun, words: Sequence[str]) -> None:
        logs = self._site.settings.data / "logs"
        logs.mkdir(parents=True, exist_ok=True, mode=0o700)
        log = (logs / f"{name}.run.log").open("w+b")
        process = subprocess.Popen(
            words, env=environ_of(self._site.settings), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            start_new_session=True,
        )  # fmt: skip
        self._begun[name] = begun
        threading.Thread(target=self._wait, args=(name, begun, process, log), name=name, daemon=True).start()

    def _wait(self, name: str, begun: _Begun, process: subprocess.Popen[bytes], log: IO[bytes]) -> None:
        """Wait for the end of a process, and tell the pages that show it."""
        status = process.wait()
        with log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - SAID))
            said = told(log.read().decode("utf-8", "replace"), self._site.settings.data)
        try:
            stored = self._site.store.tournament(name)
            ended = stored is not None and stored.state in (State.FINISHED, State.STOPPED, State.PAUSED)
        except ArenaError:  # the store is away; that must not keep the owner from the next test
            ended = status == 0
        with self._lock:
            del self._begun[name]
            if not ended and status not in STOPPED:
                self._broken[name] = (begun, said or f"it ended with status {status}")
        pulse_of(self._site).bump(f"tournament:{name}")


def told(text: str, data: Path) -> str:
    """What is shown of what a test said: its error, without the folder of this server."""
    _, mark, rest = text.rpartition("\nerror:") if not text.startswith("error:") else ("", "error:", text[6:])
    shown = f"{mark.strip()}{rest}" if mark else text[-SAID // 4 :]
    return shown.replace(f"{data.absolute()}/", "").replace(f"{data}/", "").strip()


def tests_of(bot: Known) -> list[Tournament]:
    """The tests in which a bot is the candidate, newest first."""
    found = {}
    for tournament, known in bot.played:
        if tournament.config.get("format") == FORMAT and _candidate(tournament) == known:
            found[tournament.id] = tournament
    return list(found.values())


def _candidate(tournament: Tournament) -> str:
    """Who is tested."""
    named: Sequence[str] = tournament.config.get("candidates") or [tournament.entrants[0].name]
    return named[0]


def playable(bot: Known) -> list[str]:
    """The rulesets of two sides that a bot plays: in these one version can meet one other."""
    return [
        game for game in games.catalog() if ("*" in bot.games or game in bot.games) and len(games.make(game).sides) == 2
    ]
