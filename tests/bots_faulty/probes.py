"""What a curious bot looks for: networks, files, other processes, the kernel. Nothing that it does harms.

Each function returns what was possible; on a host without a sandbox most of it is.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import os
import signal
import socket
import stat
import struct
from typing import Any

Told = dict[str, Any]
_libc = ctypes.CDLL(None, use_errno=True)
AF_PACKET, AF_ALG, AF_VSOCK, AF_XDP = 17, 38, 40, 44
TIOCSTI = 0x5412
SETUID = 0o6000


def _processes() -> list[str]:
    """Process ids that can be seen."""
    try:
        return [name for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []


def network(told: Told) -> list[str]:
    """TCP, UDP, DNS, IPv6, multicast."""
    found = []
    for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1"), (socket.AF_INET, "192.0.2.1")):
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_STREAM) as client:
            client.settimeout(0.5)
            client.connect((address, told["port"]))
            found.append(f"TCP to {address}")
    for target in (("8.8.8.8", 53), ("255.255.255.255", 53), ("224.0.0.251", 5353)):
        with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.sendto(b"x", target)
            found.append(f"UDP to {target[0]}")
    with contextlib.suppress(OSError):
        socket.getaddrinfo("example.com", 80)
        found.append("a name was resolved")
    return found


def raw_sockets(_told: Told) -> list[str]:
    """Families and types that speak to the kernel or to a hypervisor."""
    kinds = [(AF_PACKET, socket.SOCK_RAW), (AF_VSOCK, socket.SOCK_STREAM), (AF_XDP, socket.SOCK_RAW)]
    kinds += [(socket.AF_INET, socket.SOCK_RAW), (socket.AF_INET6, socket.SOCK_RAW), (AF_ALG, socket.SOCK_SEQPACKET)]
    found = []
    for family, kind in kinds:
        with contextlib.suppress(OSError), socket.socket(family, kind):
            found.append(f"a socket of family {family}, type {kind}")
    return found


def other_sockets(told: Told) -> list[str]:
    """Unix sockets of the arena and of other seats, by path and abstract."""
    found = []
    for address in ("\0" + told["abstract"], told["path_socket"]):
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as client:
            client.connect(address)
            found.append(f"connected to {address!r}")
    own = os.environ["ARENA_ADDRESS"].removeprefix("unix:")
    for folder in (os.path.dirname(own), os.path.dirname(os.path.dirname(own)), told["folder"]):
        for place, _folders, files in os.walk(folder):
            found += [f"sees {place}/{name}" for name in files if f"{place}/{name}" != own and name.endswith(".sock")]
    return found


def files(told: Told) -> list[str]:
    """Read or list what is not its own, by every way round."""
    found = []
    secret = told["secret"]
    ways = [secret, f"/proc/self/root{secret}", f"/proc/1/root{secret}", f"/proc/self/cwd/../..{secret}"]
    ways += [f"/proc/{told['pid']}/root{secret}", f"/proc/{told['pid']}/environ", f"/proc/{told['pid']}/cmdline"]
    ways += ["/etc/shadow", "/etc/machine-id", "/root/.profile", "/root/.bashrc", told["database"]]
    for path in ways:
        with contextlib.suppress(OSError), open(path, "rb") as file:
            file.read(1)
            found.append(f"read {path}")
    with contextlib.suppress(OSError):
        os.symlink(secret, "/tmp/way")
        with open("/tmp/way", "rb") as file:
            file.read(1)
            found.append("read through a link")
    with contextlib.suppress(OSError):
        os.unlink("/tmp/way")
    for path in ("/home", "/var", "/srv", "/boot", "/sys/kernel", "/sys/fs/cgroup", "/run/arena-uids", told["folder"]):
        with contextlib.suppress(OSError):
            if os.listdir(path):
                found.append(f"listed {path}")
    return found


def environment(told: Told) -> list[str]:
    """A variable of the arena's, in its own environment or in another process's."""
    found = []
    for entry in ("self", *_processes()):
        with contextlib.suppress(OSError), open(f"/proc/{entry}/environ", "rb") as file:
            if told["variable"].encode() + b"=" in file.read():
                found.append(f"{told['variable']} in the environment of {entry}")
    return found


def command_lines(told: Told) -> list[str]:
    """Other bots' command lines, and its own token in one."""
    found = []
    own = {os.getpid(), os.getppid(), 1}
    for entry in _processes():
        with contextlib.suppress(OSError), open(f"/proc/{entry}/cmdline", "rb") as file:
            if int(entry) not in own and (line := file.read()) and told["mark"].encode() not in line:
                found.append(f"sees {line[:60]!r}")
    return found


def descriptors(_told: Told) -> list[str]:
    """Where 0, 1 and 2 lead, and whether there are others that this program did not open."""
    found = []
    if not os.path.samestat(os.fstat(0), os.stat("/dev/null")):
        found.append("0 is not /dev/null")
    for number in (1, 2):
        if not stat.S_ISFIFO(os.fstat(number).st_mode):
            found.append(f"{number} is no pipe")
        with contextlib.suppress(OSError):
            os.close(os.open(f"/proc/self/fd/{number}", os.O_RDONLY))
            found.append(f"{number} can be opened for reading")
    return found


def folders(_told: Told) -> list[str]:
    """Write where everything is to be read only, also by what a mount may have left open."""
    found = []
    seat = os.path.dirname(os.environ["ARENA_ADDRESS"].removeprefix("unix:"))
    for path in (os.getcwd(), seat, "/", "/usr", "/usr/bin", "/etc", "/var/tmp", "/dev", "/run", "/proc", "/sys"):
        with contextlib.suppress(OSError):
            os.mkdir(f"{path}/arena-probe")
            os.rmdir(f"{path}/arena-probe")
            found.append(f"wrote into {path}")
    own = os.path.abspath("main.py")
    for what in (
        lambda: os.chmod(own, os.stat(own).st_mode),
        lambda: os.utime(own),
        lambda: os.setxattr(own, "user.arena", b"x"),
        lambda: os.link(own, "/tmp/link"),
        lambda: os.close(os.open(own, os.O_RDWR)),
        lambda: os.close(os.open("other.py", os.O_RDWR | os.O_CREAT)),
    ):
        with contextlib.suppress(OSError):
            what()
            found.append("changed the bot's own folder")
    return found


def seat_folder(_told: Told) -> list[str]:
    """Take the seat's socket away, put something else there, listen in its place."""
    found = []
    path = os.environ["ARENA_ADDRESS"].removeprefix("unix:")
    for name, what in (
        ("unlink", lambda: os.unlink(path)),
        ("rename", lambda: os.rename(path, path + ".old")),
        ("chmod", lambda: os.chmod(path, 0o777)),
        ("symlink", lambda: os.symlink("/etc/passwd", path + ".link")),
        ("listen", lambda: socket.socket(socket.AF_UNIX).bind(path + ".mine")),
        ("replace the folder", lambda: os.rename(os.path.dirname(path), "/run/other")),
    ):
        with contextlib.suppress(OSError):
            what()
            found.append(name)
    return found


def others(told: Told) -> list[str]:
    """Signal, trace and look into processes that are not its own."""
    found = []
    pid = told["pid"]
    with contextlib.suppress(OSError):
        os.kill(pid, 0)
        found.append(f"may signal {pid}")
    with contextlib.suppress(OSError):
        os.close(os.open(f"/proc/{pid}/mem", os.O_RDONLY))
        found.append(f"may read the memory of {pid}")
    with contextlib.suppress(OSError):
        held = os.pidfd_open(pid)
        try:
            signal.pidfd_send_signal(held, 0)
            found.append(f"may signal {pid} by a descriptor")
        finally:
            os.close(held)
    with contextlib.suppress(OSError):
        os.sched_setaffinity(pid, {0})
        found.append(f"moved {pid}")
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, -5)
        found.append("has a higher priority than others")
    return found


def kernel(_told: Told) -> list[str]:
    """Settings of the machine, its devices, its logs."""
    found = []
    for path in (
        "/proc/sys/kernel/core_pattern",
        "/proc/sys/kernel/hostname",
        "/proc/sys/vm/drop_caches",
        "/proc/sysrq-trigger",
        "/dev/kmsg",
        "/dev/mem",
        "/dev/kvm",
        "/dev/net/tun",
        "/dev/vsock",
        "/proc/kcore",
        "/sys/fs/cgroup/cgroup.procs",
    ):
        with contextlib.suppress(OSError):
            os.close(os.open(path, os.O_WRONLY if "/proc/sys" in path else os.O_RDONLY))
            found.append(f"opened {path}")
    with contextlib.suppress(OSError):
        socket.sethostname("other")
        found.append("changed the host's name")
    return found


def terminal(_told: Told) -> list[str]:
    """Put a character into a terminal, its own; the same call would reach the one that the arena runs on."""
    with contextlib.suppress(OSError):
        leader, follower = os.openpty()
        try:
            if os.getsid(0) == os.getpid():
                fcntl.ioctl(follower, 0x540E, 0)
            fcntl.ioctl(follower, TIOCSTI, b"x")
        except OSError as error:
            # EIO: the machine forbids it for all, as Linux does by default now.
            return [] if error.errno in (errno.EPERM, errno.EIO) else [f"TIOCSTI answers {error}"]
        finally:
            os.close(leader)
            os.close(follower)
        return ["TIOCSTI"]
    return []


def root(_told: Told) -> list[str]:
    """Become somebody else: by a call, by a setuid program, by a capability."""
    found = []
    for what in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.setgroups([0]), lambda: os.chroot("/tmp")):
        with contextlib.suppress(OSError):
            what()
            found.append("became root")
    for name in ("su", "mount", "umount", "passwd", "sudo", "newgrp", "chsh", "gpasswd", "pkexec", "ping"):
        with contextlib.suppress(OSError):
            mode = os.stat(f"/usr/bin/{name}").st_mode
            if mode & SETUID and not os.statvfs(f"/usr/bin/{name}").f_flag & os.ST_NOSUID and _gains():
                found.append(f"/usr/bin/{name} is setuid here")
    with contextlib.suppress(OSError):
        os.mknod("/tmp/device", 0o600 | stat.S_IFBLK, os.makedev(8, 0))
        found.append("made a device")
    header, data = ctypes.create_string_buffer(struct.pack("=II", 0x20080522, 0)), ctypes.create_string_buffer(24)
    if _libc.capget(header, data) == 0 and any(struct.unpack("=6I", data.raw)):
        found.append("has capabilities")
    return found


def _gains() -> bool:
    return _libc.prctl(39, 0, 0, 0, 0) != 1


def core(told: Told) -> list[str]:
    """A core file, by a child that crashes."""
    child = os.posix_spawn("/bin/sh", ["sh", "-c", "kill -SEGV $$", told["mark"]], {})
    _pid, status = os.waitpid(child, 0)
    return ["left a core file"] if os.WIFSIGNALED(status) and os.WCOREDUMP(status) else []


def floods_its_seat(_told: Told) -> list[str]:
    """Odd things over the seat's own socket: silence, rubbish, somebody's descriptors. The game goes on."""
    path = os.environ["ARENA_ADDRESS"].removeprefix("unix:")
    for number in range(40):
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as client:
            client.settimeout(0.5)
            client.connect(path)
            with open("/dev/null", "rb") as odd:
                socket.send_fds(client, [b"\xff" * 64], [odd.fileno(), client.fileno()] * (1 + number % 100))
    return []


def signals_to_the_arena(_told: Told) -> list[str]:
    """Signals by way of its pipe and its socket: an owner of SIGIO that is not its own."""
    for number in (1, 2):
        for target in (1, -1):
            with contextlib.suppress(OSError):
                fcntl.fcntl(number, fcntl.F_SETOWN, target)
    with contextlib.suppress(OSError):
        os.kill(os.getppid(), signal.SIGSTOP)
    return []
