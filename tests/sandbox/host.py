"""Runs a command as on another kind of host: `python host.py KIND... -- COMMAND...`. Needs root; standard library only.

    masked          in a container as Docker makes them: pid 1, parts of /proc masked, /proc/sys read-only
    no-namespaces   no user namespace can be made (user.max_user_namespaces is 0)
    empty-groups    control groups that take every word and do nothing: an empty disk stands where they are mounted
    other           as a user without root, who reaches interpreter and product though they lie below private folders

Kinds are made in the order in which they are named. Everything happens in namespaces of its own: the machine stays as
it is.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from pathlib import Path

NEW_MOUNTS, NEW_USERS, NEW_PIDS = 0x00020000, 0x10000000, 0x20000000
READ_ONLY, REMOUNT, BIND, ALL_BELOW, PRIVATE = 1, 32, 4096, 16384, 1 << 18
OTHER = 65533
MASKED_FOLDERS = ("/proc/acpi", "/proc/scsi")
MASKED_FILES = ("/proc/kcore", "/proc/keys", "/proc/timer_list")
FIXED = ("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger")
_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def mount(source: str, target: str, kind: str = "", flags: int = 0, data: str = "") -> None:
    _checked(_libc.mount(source.encode(), target.encode(), kind.encode() or None, flags, data.encode() or None), target)


def own_mounts() -> None:
    _checked(_libc.unshare(NEW_MOUNTS), "unshare")
    mount("none", "/", flags=ALL_BELOW | PRIVATE)


def into_child() -> None:
    """Go on in a child; this process ends as it does, and it ends with this process."""
    child = os.fork()
    if child:
        os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 0xFF)
    _libc.prctl(1, 9, 0, 0, 0)


def masked() -> None:
    own_mounts()
    _checked(_libc.unshare(NEW_PIDS), "unshare")
    into_child()
    mount("proc", "/proc", "proc")
    for folder in filter(os.path.isdir, MASKED_FOLDERS):
        mount("tmpfs", folder, "tmpfs", READ_ONLY)
    for file in filter(os.path.exists, MASKED_FILES):
        mount("/dev/null", file, flags=BIND)
    for path in filter(os.path.exists, FIXED):
        mount(path, path, flags=BIND)
        mount(path, path, flags=BIND | REMOUNT | READ_ONLY)


def no_namespaces() -> None:
    """A user namespace with all uids as they are outside, in which no further one can be made."""
    parent, (ready, tell), (go, let) = os.getpid(), os.pipe(), os.pipe()
    helper = os.fork()
    if helper == 0:
        os.read(ready, 1)
        for name in ("uid_map", "gid_map"):
            Path(f"/proc/{parent}/{name}").write_text("0 0 4294967295")
        os.write(let, b"x")
        os._exit(0)
    _checked(_libc.unshare(NEW_USERS), "unshare")
    os.write(tell, b"x")
    os.read(go, 1)
    os.waitpid(helper, 0)
    for end in (ready, tell, go, let):
        os.close(end)
    Path("/proc/sys/user/max_user_namespaces").write_text("0")
    own_mounts()


def empty_groups() -> None:
    own_mounts()
    own = {line.split(":")[1]: line.split(":", 2)[2] for line in Path("/proc/self/cgroup").read_text().splitlines()}
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        words = line.split()
        kind, options = words[words.index("-") + 1], words[-1].split(",")
        if kind in ("cgroup", "cgroup2"):
            mount("tmpfs", words[4], "tmpfs")
            path = next((own[name] for name in own if name and set(name.split(",")) <= set(options)), own.get("", "/"))
            Path(words[4] + path).mkdir(parents=True, exist_ok=True)
            (Path(words[4] + path) / "cgroup.controllers").write_text("")


def other() -> None:
    own_mounts()
    for path in dict.fromkeys([sys.base_prefix, sys.prefix, *sys.path, os.getcwd()]):
        if os.path.isdir(path):
            open_way(Path(path).resolve())
    os.setgroups([])
    os.setresgid(OTHER, OTHER, OTHER)
    os.setresuid(OTHER, OTHER, OTHER)
    home = Path(f"/tmp/arena-other-{os.getpid()}")
    os.environ |= {"HOME": str(home), "USER": "other"}


def open_way(path: Path) -> None:
    """Let everybody pass to a folder: private ones above it are covered by a disk that holds only the way to it."""
    for above in reversed(path.parents):
        if not above.stat().st_mode & 0o001:
            held = os.open(path, os.O_PATH)
            mount("tmpfs", str(above), "tmpfs", data="mode=755")
            path.mkdir(parents=True, exist_ok=True)
            mount(f"/proc/self/fd/{held}", str(path), flags=BIND | ALL_BELOW)
            os.close(held)
            return


KINDS: dict[str, Callable[[], None]] = {
    "masked": masked,
    "no-namespaces": no_namespaces,
    "empty-groups": empty_groups,
    "other": other,
}


def main(words: list[str]) -> None:
    place = words.index("--")
    for kind in words[:place]:
        KINDS[kind]()
    os.execvp(words[place + 1], words[place + 1 :])


if __name__ == "__main__":
    main(sys.argv[1:])
