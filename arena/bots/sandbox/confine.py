"""What happens between fork and exec in a box: limits, group, uid, and where there are no namespaces the rest too.

Standard library only; runs in the launcher's child.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from arena.bots.sandbox.cgroups import Group
from arena.bots.sandbox.landlock import restrict
from arena.bots.sandbox.limits import MIB, Limits

PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, PR_CAPBSET_DROP = 1, 38, 22, 24
SECCOMP_MODE_FILTER = 2
CAPABILITIES = 64
PIDS_OF_UID = 512
"""RLIMIT_NPROC: a second line behind the group's own limit."""
TAKEN_AS_USUAL = (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE)
"""What the launcher ignores; a child would go on ignoring it."""


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("program", ctypes.c_char_p))


@dataclass(frozen=True, slots=True)
class Reach:
    """Paths that Landlock leaves to a box without namespaces."""

    readable: Sequence[str]
    writable: Sequence[str]


def before_exec(
    limits: Limits | None, group: Group | None, uid: int, reach: Reach | None, program: bytes
) -> Callable[[], None]:
    """What the child does. `uid` 0: keep its own. `program`: a seccomp filter to load here; bubblewrap loads
    its own.

    Without limits it only dies with the launcher and leaves no core.
    """
    libc = ctypes.CDLL(None, use_errno=True)

    def run() -> None:
        for number in TAKEN_AS_USUAL:
            signal.signal(number, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if limits is None:
            libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            return
        if group is not None:
            group.enter()
        _limit(limits)
        if uid:
            os.setgroups([])
            os.setresgid(uid, uid, uid)
            for capability in range(CAPABILITIES):
                libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
            os.setresuid(uid, uid, uid)
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
            raise OSError("no_new_privs cannot be set")
        if reach is not None:
            restrict(reach.readable, reach.writable)
        if program:
            loaded = _Filter(len(program) // 8, program)
            if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(loaded), 0, 0) != 0:
                raise OSError("the seccomp filter cannot be loaded")

    return run


def _limit(limits: Limits) -> None:
    values = [
        (resource.RLIMIT_NOFILE, limits.files),
        (resource.RLIMIT_FSIZE, limits.file_mb * MIB),
        (resource.RLIMIT_NPROC, max(PIDS_OF_UID, limits.pids)),
        (resource.RLIMIT_MEMLOCK, 64 * 1024),
        (resource.RLIMIT_MSGQUEUE, 0),
    ]
    if limits.cpu_s:
        values.append((resource.RLIMIT_CPU, limits.cpu_s))
    for what, most in values:
        hard = resource.getrlimit(what)[1]
        wanted = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (wanted, wanted))
