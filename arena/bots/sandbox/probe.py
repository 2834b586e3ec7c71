"""Run inside a box by the self-test: tries what a hostile bot would try, and prints one JSON line of what it found.

Every entry is promise -> "" when the promise held, else what was possible. Standard library only, of any Python 3.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import resource
import socket
import struct
import sys
from collections.abc import Callable

_libc = ctypes.CDLL(None, use_errno=True)
SYSCALLS = {
    "x86_64": {"io_uring_setup": 425, "keyctl": 250, "bpf": 321, "ptrace": 101, "mount": 165, "userfaultfd": 323},
    "aarch64": {"io_uring_setup": 425, "keyctl": 219, "bpf": 280, "ptrace": 117, "mount": 40, "userfaultfd": 282},
}
NOBODY = 2**31 - 2
"""No process has this number."""
PTRACE_SEIZE = 0x4206
ARGUMENTS = {"mount": (b"none", b"/tmp", b"tmpfs", 0, 0), "ptrace": (PTRACE_SEIZE, NOBODY, 0, 0)}
"""What a call is tried with, where zeros would do something."""
REFUSED = (errno.EPERM, errno.ENOSYS)
NO_TERMINAL = (errno.EPERM, errno.EIO, errno.ENOTTY)
CLONE_NEWUSER = 0x10000000
TIOCSTI = 0x5412
AF_INET, AF_PACKET, AF_ALG, AF_VSOCK = 2, 17, 38, 40
SOCKETS = (
    (AF_VSOCK, socket.SOCK_STREAM),
    (AF_ALG, socket.SOCK_SEQPACKET),
    (AF_PACKET, socket.SOCK_RAW),
    (AF_INET, socket.SOCK_RAW),
)
"""What no bot needs."""


def network(told: dict[str, str]) -> str:
    """Reach a listener of the machine, or make sockets that no bot needs."""
    for family, address in (
        (socket.AF_INET, ("127.0.0.1", int(told["port"]))),
        (socket.AF_UNIX, "\0" + told["abstract"]),
        (socket.AF_UNIX, told["path_socket"]),
    ):
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_STREAM) as client:
            client.settimeout(1)
            client.connect(address)
            return f"connected to {address!r}"
    for number, kind in SOCKETS:
        with contextlib.suppress(OSError), socket.socket(number, kind):
            return f"made a socket of family {number}, type {kind}"
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.connect(("192.0.2.1", 53))
        return "has a route to other machines"
    return ""


def sockets(told: dict[str, str]) -> str:
    """Reach a socket of the machine that every user may reach."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(1)
        client.connect(told["open_socket"])
        return f"connected to {told['open_socket']}"
    return ""


def files(told: dict[str, str]) -> str:
    """Read what is not its own, even if every user of the machine may."""
    for path in (
        told["secret"],
        told["open_secret"],
        "/etc/shadow",
        f"/proc/{told['pid']}/environ",
        f"/proc/{told['pid']}/root/etc/hostname",
    ):
        with contextlib.suppress(OSError), open(path, "rb") as file:
            file.read(1)
            return f"read {path}"
    for path in (os.path.dirname(told["secret"]), "/root", "/home"):
        with contextlib.suppress(OSError):
            if os.listdir(path) and path != "/root":
                return f"listed {path}"
    return ""


def environment(told: dict[str, str]) -> str:
    """Find a variable that only the arena has, in its own environment or in that of what has started it."""
    if told["variable"] in os.environ:
        return "found the arena's variable"
    for pid in (1, os.getppid()):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/environ", "rb") as file:
            if told["variable"].encode() in file.read():
                return f"found the arena's variable in process {pid}"
    return ""


def descriptors(_told: dict[str, str]) -> str:
    """Find an open descriptor beside 0, 1 and 2."""
    found = []
    for number in range(3, 4096):
        with contextlib.suppress(OSError):
            os.fstat(number)
            found.append(number)
    return f"has the descriptors {found}" if found else ""


def folder(_told: dict[str, str]) -> str:
    """Write where everything is to be read only."""
    own = os.path.realpath(os.environ["TMPDIR"])
    for path in (".", "/usr", "/", "/etc", "/var/tmp", "/tmp", "/run", "/dev", "/home"):
        if os.path.realpath(path) == own:
            continue
        with contextlib.suppress(OSError):
            name = os.path.join(path, "arena-probe")
            with open(name, "w") as file:
                file.write("x")
            os.unlink(name)
            return f"wrote into {path}"
    return ""


def _fill(path: str, most: int) -> str:
    name = os.path.join(path, "arena-probe-fill")
    written = 0
    try:
        with open(name, "wb", buffering=0) as file:
            while written <= most:
                written += file.write(bytes(1024 * 1024))
    except OSError as error:
        return "" if error.errno in (errno.ENOSPC, errno.EACCES, errno.EROFS, errno.ENOENT) else f"{path}: {error}"
    finally:
        with contextlib.suppress(OSError):
            os.unlink(name)
    return f"wrote {written} bytes into {path}"


def space(told: dict[str, str]) -> str:
    """Write more into the temporary folders than is allowed."""
    most = int(told["space"])
    return _fill(os.environ["TMPDIR"], most) or _fill("/dev/shm", most)


def processes(told: dict[str, str]) -> str:
    """Signal or look into a process of the arena, or list more than its own."""
    pid = int(told["pid"])
    with contextlib.suppress(OSError):
        os.kill(pid, 0)
        if _is_arena(pid, told):
            return f"may signal process {pid}"
    with contextlib.suppress(OSError):
        seen = [name for name in os.listdir("/proc") if name.isdigit()]
        if len(seen) > 4:
            return f"sees {len(seen)} processes"
    return ""


def _is_arena(pid: int, told: dict[str, str]) -> bool:
    """Whether a pid is the arena's, not that of one of the box's own processes by chance."""
    if [os.getsid(pid), os.getpgid(pid)] != [int(told["session"]), int(told["group"])]:
        return False
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[19] == told["started"]
    except OSError:
        return True


def kernel(_told: dict[str, str]) -> str:
    """Use calls of the kernel that no bot needs."""
    for name, number in SYSCALLS.get(os.uname().machine, {}).items():
        arguments = ARGUMENTS.get(name, (0, ctypes.create_string_buffer(256), 256, 0, 0))
        ctypes.set_errno(0)
        if _libc.syscall(number, *arguments) != -1:
            return f"{name} succeeds"
        if ctypes.get_errno() not in REFUSED:
            return f"{name} answers {errno.errorcode.get(ctypes.get_errno(), '?')}"
    if _libc.unshare(CLONE_NEWUSER) == 0:
        return "made a user namespace"
    return _terminal()


def _terminal() -> str:
    """Put characters into a terminal as if they had been typed."""
    terminal = 0
    with contextlib.suppress(OSError):
        terminal, _side = os.openpty()
    try:
        import fcntl

        fcntl.ioctl(terminal, TIOCSTI, b"x")
    except (OSError, ImportError) as error:
        return "" if getattr(error, "errno", errno.EPERM) in NO_TERMINAL else f"TIOCSTI: {error}"
    return "put a character into a terminal"


def privileges(_told: dict[str, str]) -> str:
    """Be root, keep a capability, or gain one by a setuid program."""
    if os.getuid() == 0:
        return "runs as root"
    with contextlib.suppress(OSError):
        os.setuid(0)
        return "became root"
    if _libc.prctl(39, 0, 0, 0, 0) != 1:
        return "may gain privileges (no_new_privs is not set)"
    version, data = ctypes.create_string_buffer(struct.pack("=II", 0x20080522, 0)), ctypes.create_string_buffer(24)
    if _libc.capget(version, data) == 0 and any(struct.unpack("=6I", data.raw)):
        return "has capabilities"
    return ""


def limits(_told: dict[str, str]) -> str:
    """Look for a limit that is not set."""
    for name, most in (("CORE", 0), ("NOFILE", 4096), ("NPROC", 4096), ("MEMLOCK", 65536), ("FSIZE", 2**30)):
        hard = resource.getrlimit(getattr(resource, f"RLIMIT_{name}"))[1]
        if hard == resource.RLIM_INFINITY or hard > most:
            return f"RLIMIT_{name} is {hard}"
    return ""


TRIES: dict[str, Callable[[dict[str, str]], str]] = {
    "network": network,
    "sockets": sockets,
    "files": files,
    "environment": environment,
    "descriptors": descriptors,
    "folder": folder,
    "space": space,
    "processes": processes,
    "kernel": kernel,
    "privileges": privileges,
    "limits": limits,
}


def main() -> None:
    """Try everything and print what held."""
    told = json.loads(sys.argv[1])
    found = {}
    for name, attempt in TRIES.items():
        try:
            found[name] = attempt(told)
        except Exception as error:  # whatever a host does, the other promises are still looked at
            found[name] = f"the probe failed: {error!r}"
    print(json.dumps(found))  # noqa: T201


if __name__ == "__main__":
    main()
