"""Runs build steps in boxes: first the arena's own fetching of packages, with the network, then the bot's, without.

A step sees the bot's copy, writable, as /bot; a writable /scratch, its home; the packages, read-only; the toolchains of
the machine. Whatever it starts ends with it. Knows boxes, not where builds are kept.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import shutil
import stat
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from arena.bots.launcher import Exit, Launcher
from arena.bots.manifest import Bot
from arena.bots.sandbox import fetch, filters, runtimes
from arena.bots.sandbox.box import BOT_FOLDER, Bind, Box
from arena.bots.sandbox.fetch import PACKAGES, SCRATCH, Client
from arena.bots.sandbox.limits import BUILD, MIB
from arena.bots.sandbox.means import Means
from arena.bots.sandbox.toolchains import PROGRAMS, Toolchain, toolchain
from arena.core.errors import ArenaFault, BotError

FETCH_S = 300.0
"""Seconds within which packages are fetched."""
DISK_MB = 2048
"""What the steps of a bot, or one fetch, may write, as far as it can be seen."""
CACHE_DAYS = 14
DEEPEST = 200
"""So many folders in each other are looked through; a step that makes more has failed."""
TOO_LONG = "took too long"
"""Why a step failed that was ended at its deadline."""
LOOK_S = 0.5
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Failed:
    """A step that did not come to a good end."""

    step: tuple[str, ...]
    problem: str
    boxed: bool = True


class Site:
    """The folders of one build, and its boxes. `place`: a private folder that is gone afterwards."""

    def __init__(self, bot: Bot, means: Means, place: Path, packages: Path, log: Path) -> None:
        self.bot, self.means = bot, means
        self.copy, self.scratch, self.etc = place / "bot", place / "scratch", place / "etc"
        self._packages, self._log = packages, log
        for folder in (self.copy, self.scratch, self.etc):
            folder.mkdir()
            folder.chmod(0o755)
        self.clients = fetch.clients_of(bot.folder)
        names = {PROGRAMS[step[0]] for step in bot.build if step[0] in PROGRAMS}
        self._tools = [toolchain(name) for name in sorted(names | {client.toolchain for client in self.clients})]

    def packages_of(self, client: Client) -> Path:
        """Where what a client fetched for this content is, or will be."""
        return self._packages / fetch.key_of(client, self.bot.folder)

    def fetch(self, client: Client) -> Failed | None:
        """Fetch the packages of a client, unless they are there."""
        kept = self.packages_of(client)
        if kept.is_dir():
            return None
        new, empty = self.etc.parent / client.name, self.etc.parent / f"{client.name}-scratch"
        fetch.skeleton(client, self.bot.folder, empty / "bot")
        for file, name in fetch.settings_files(client):
            (empty / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, empty / name)
        new.mkdir()
        if client.name == "cargo" and (settings := fetch.cargo_settings()):
            (new / "config.toml").write_text(settings, encoding="utf-8")
        own = {**client.fetching}
        network = fetch.network_variables()
        if "MAVEN_OPTS" in own and "MAVEN_OPTS" in network:
            own["MAVEN_OPTS"] += " " + network["MAVEN_OPTS"]
        binds = (Bind(str(empty), SCRATCH, True), Bind(str(new), f"{PACKAGES}/{client.name}", True))
        tools = [toolchain(client.toolchain)]
        box = self._box(client.command, {**network, **own}, (*binds, *fetch.network_binds(self.etc)), tools)
        box = replace(box, folder=f"{SCRATCH}/bot", network=True)
        # Without a network namespace the filter keeps sockets local, which this box must not be kept to.
        means = replace(self.means, filter=filters.program(talking=True))
        problem = self._run(means, [box], FETCH_S, [new, empty])
        tidy(new)
        if problem is not None:
            return Failed(client.command, problem[1])
        self._packages.mkdir(mode=0o700, parents=True, exist_ok=True)
        move(new, kept)
        return None

    def build(self, limit_s: float) -> Failed | None:
        """Run the bot's steps, one after the other."""
        (self.scratch / ".m2").mkdir()
        (self.scratch / ".m2" / "settings.xml").write_text(fetch.MAVEN_OFFLINE, encoding="utf-8")
        binds = [Bind(str(self.copy), BOT_FOLDER, True), Bind(str(self.scratch), SCRATCH, True)]
        variables: dict[str, str] = {}
        for client in self.clients:
            packages = self.packages_of(client)
            if client.writes:
                packages = Path(shutil.copytree(packages, self.etc.parent / client.name, symlinks=True))
            binds.append(Bind(str(packages), f"{PACKAGES}/{client.name}", client.writes))
            variables |= client.building
        boxes = [self._box(step, variables, tuple(binds), self._tools) for step in self.bot.build]
        families = filters.INSIDE if self.means.bwrap else filters.LOCAL_ONLY
        means = replace(self.means, filter=filters.program(families, talking=True))
        problem = self._run(means, boxes, limit_s, [self.copy, self.scratch])
        return Failed(self.bot.build[problem[0]], problem[1]) if problem is not None else None

    def take_cache(self, kept: Path) -> None:
        """Let compilers find what they left at the last build from this folder."""
        with contextlib.suppress(OSError):
            shutil.move(kept, self.scratch / "cache")

    def keep_cache(self, kept: Path) -> None:
        """Keep what compilers left, and no longer what has not been used for long."""
        kept.parent.mkdir(mode=0o700, exist_ok=True)
        for other in kept.parent.iterdir():
            with contextlib.suppress(FileNotFoundError):  # another build has taken it
                if time.time() - other.stat().st_mtime > CACHE_DAYS * 86_400:
                    shutil.rmtree(other, ignore_errors=True)
        left = self.scratch / "cache"
        if left.is_dir() and not left.is_symlink():
            os.utime(left)
            move(left, kept)

    def _box(
        self, step: tuple[str, ...], variables: Mapping[str, str], binds: tuple[Bind, ...], tools: Iterable[Toolchain]
    ) -> Box:
        program, *rest = step
        found = {
            "HOME": SCRATCH,
            "TMPDIR": "/tmp",
            "LANG": "C.UTF-8",
            "OPENSSL_CONF": "/dev/null",
            "PYTHONDONTWRITEBYTECODE": "1",
            **runtimes.memory_variables(BUILD),
            **variables,
        }
        folders, libraries = [runtimes.PATH], list[str]()
        for tool in tools:
            binds += tool.binds
            folders[:0] = tool.path
            libraries += tool.libraries
            found |= dict(tool.variables)
        found["PATH"] = ":".join(dict.fromkeys(folders))
        if not self.means.proc and libraries:
            found["LD_LIBRARY_PATH"] = ":".join(libraries)
        own = runtimes.python() if runtimes.is_python(program) else program
        binds += runtimes.extra_binds()
        return Box((own, *rest), found, _without_nested(binds), limits=BUILD)

    def _run(self, means: Means, boxes: list[Box], limit_s: float, places: list[Path]) -> tuple[int, str] | None:
        """Run boxes one after the other; the first that failed, and why."""

        async def run() -> tuple[int, str] | None:
            launcher = await Launcher.open(means)
            try:
                deadline = asyncio.get_running_loop().time() + limit_s
                for number, box in enumerate(boxes):
                    with self._log.open("a", encoding="utf-8") as log:
                        log.write(f"$ {' '.join(box.command)}\n")
                    problem = await self._step(launcher, box, deadline, places)
                    # The next one has to be given all that this one made.
                    problem = problem or await asyncio.to_thread(_too_much, places)
                    if problem:
                        return number, problem
                return None
            finally:
                await asyncio.shield(launcher.close())

        return _now(run)

    async def _step(self, launcher: Launcher, box: Box, deadline: float, places: list[Path]) -> str:
        """Run one box; empty, or what went wrong in words. Raises ArenaFault when its box cannot be made."""
        try:
            process = await launcher.start_box(box, self._log)
        except BotError as error:
            return str(error)
        clock = asyncio.get_running_loop().time
        why = ""
        while not why:
            try:
                async with asyncio.timeout(max(0.0, min(LOOK_S, deadline - clock()))):
                    return _in_words(await asyncio.shield(process.exit))
            except TimeoutError:
                if clock() >= deadline:
                    why = TOO_LONG
                else:
                    why = await asyncio.to_thread(_too_much, places)
        process.kill()
        await process.exit
        return why


def _without_nested(binds: Iterable[Bind]) -> tuple[Bind, ...]:
    """The binds without those that another brings along, each once."""
    once = tuple(dict.fromkeys(binds))
    above = tuple(f"{bind.target}/" for bind in once if bind.source == bind.target)
    return tuple(bind for bind in once if bind.source != bind.target or not bind.target.startswith(above))


def _in_words(ending: Exit) -> str:
    if ending.box_failed:
        raise ArenaFault(f"the sandbox of a build step: {ending}", code="SANDBOX_FAILED")
    if ending.limit == "MEMORY":
        return f"used more than {BUILD.memory_mb} MiB of memory and was ended"
    if ending.code == 0:
        return ""
    most = f" (it may have {BUILD.pids} processes and threads)" if ending.limit == "PIDS" else ""
    if ending.code is not None:
        return f"ended with status {ending.code}{most}"
    return f"was ended by signal {ending.signal}{most}"


def _now(work: Callable[[], Coroutine[None, None, Result]]) -> Result:
    """What a coroutine returns, also where a loop runs already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work())
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(work())).result()


def tidy(folder: Path) -> None:
    """Make a folder that strangers wrote into the arena's own: for all to read, nobody's privilege, files only.

    Raises TooDeep.
    """
    root = os.geteuid() == 0
    for place, folders, names in _walk(folder):
        for path in (place, *(os.path.join(place, name) for name in names + folders)):
            mode = os.lstat(path).st_mode
            if root:
                os.lchown(path, 0, 0)
            if stat.S_ISDIR(mode):
                os.chmod(path, 0o755)
            elif stat.S_ISREG(mode):
                os.chmod(path, 0o755 if mode & 0o111 else 0o644)
            elif not stat.S_ISLNK(mode):
                os.unlink(path)


def move(made: Path, kept: Path) -> None:
    """Put a folder at its place in one step, across disks too. What another process put there first stays."""
    near = kept.with_name(f".{kept.name}-{secrets.token_hex(4)}")
    try:
        shutil.move(made, near)
        with contextlib.suppress(FileExistsError, OSError):
            near.rename(kept)
    finally:
        shutil.rmtree(near, ignore_errors=True)


class TooDeep(Exception):
    """More folders in each other than DEEPEST."""

    def __str__(self) -> str:
        return f"made more than {DEEPEST} folders in each other"


def _walk(folder: Path) -> Iterator[tuple[str, list[str], list[str]]]:
    above = str(folder).count(os.sep)
    for place, folders, names in os.walk(folder):
        if place.count(os.sep) - above > DEEPEST:
            raise TooDeep
        yield place, folders, names


def _too_much(places: Iterable[Path]) -> str:
    """What steps have written too much of, in words; empty: nothing."""
    try:
        return f"wrote more than {DISK_MB} MiB" if _size(places) > DISK_MB * MIB else ""
    except TooDeep as error:
        return str(error)


def _size(places: Iterable[Path]) -> int:
    """Bytes on disk below some folders, as far as they can be looked at."""
    total = 0
    for folder in places:
        for place, _folders, names in _walk(folder):
            for name in names:
                with contextlib.suppress(OSError):
                    total += os.lstat(os.path.join(place, name)).st_blocks * 512
    return total
