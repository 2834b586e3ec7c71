"""The seccomp filter: what no bot needs and every attack on the kernel likes. Compiled by
libseccomp, through pyseccomp.

Everything that is not named here is allowed, so that runtimes of any language work; namespaces, folders, uid and groups
do the rest.
"""

from __future__ import annotations

import errno
import socket
import tempfile
from typing import Any

FORBIDDEN = (
    *("mount", "umount", "umount2", "pivot_root", "chroot", "swapon", "swapoff", "quotactl", "quotactl_fd", "acct"),
    *("fsopen", "fsconfig", "fsmount", "fspick", "open_tree", "move_mount", "mount_setattr"),
    *("name_to_handle_at", "open_by_handle_at", "fanotify_init", "lookup_dcookie"),
    *("unshare", "setns", "ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd"),
    *("bpf", "perf_event_open", "userfaultfd", "memfd_secret"),
    *("io_uring_setup", "io_uring_enter", "io_uring_register", "io_setup", "io_submit"),
    *("add_key", "request_key", "keyctl"),
    *("init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot", "syslog"),
    *("settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "sethostname", "setdomainname"),
    *("iopl", "ioperm", "modify_ldt", "vm86", "vm86old", "nfsservctl", "uselib", "ustat", "sysfs", "vhangup"),
    *("migrate_pages", "move_pages", "mq_open", "msgget", "shmget", "semget"),
)
"""Answered by EPERM."""
NAMESPACES = 0x7E020000 | 0x00000080
"""Flags of clone that make namespaces: mount, cgroup, uts, ipc, user, pid, net; time."""
TIOCSTI, TIOCLINUX = 0x5412, 0x541C
FAMILIES = 46
"""Address families that Linux knows."""
INSIDE = frozenset({socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, 16})
"""Harmless in a network namespace of their own; 16 is netlink, which runtimes ask for their interfaces."""
LOCAL_ONLY = frozenset({socket.AF_UNIX})
"""Where there is no network namespace."""
SOCK_RAW, TYPE_MASK = 3, 0xF
LOCKS = (6, 7, 13, 14, 37, 38)
"""Requests of fcntl that lock a part of a file."""
LEASE, NOTIFY = 1024, 1026
HINTS = (1036, 1038)
"""Requests of fcntl that set how a file is meant to be written; the file keeps it."""
WAKERS = (1, 3, 4, 5, 10, 12)
"""Operations of futex that wake others and tell how many: WAKE, REQUEUE, CMP_REQUEUE, WAKE_OP, WAKE_BITSET, ..._PI."""
FUTEX_COMMAND, PRIVATE = 0x7F, 0x80
RWF_NOWAIT = 8
DONT_NEED = 4
EXACTLY = 0xFFFFFFFF


class NoSeccomp(OSError):
    """libseccomp is not here."""


def program(families: frozenset[int] = INSIDE, *, talking: bool = False) -> bytes:
    """The filter as the kernel takes it (struct sock_filter[]).

    `talking`: whether boxes may lock and watch files that others see too, by which two of them can talk; compilers
    need it. Raises NoSeccomp.
    """
    try:
        import pyseccomp as seccomp
    except (ImportError, OSError, RuntimeError) as error:
        raise NoSeccomp(f"libseccomp cannot be loaded: {error}") from None
    filters = seccomp.SyscallFilter(seccomp.ALLOW)
    refuse = seccomp.ERRNO(errno.EPERM)
    for name in FORBIDDEN:
        _add(filters, refuse, name)
    # Runtimes fall back to clone, whose flags can be looked at.
    _add(filters, seccomp.ERRNO(errno.ENOSYS), "clone3")
    for bit in (1 << number for number in range(32) if NAMESPACES & 1 << number and 1 << number != 0x80):
        _add(filters, refuse, "clone", seccomp.Arg(0, seccomp.MASKED_EQ, bit, bit))
    for request in (TIOCSTI, TIOCLINUX):
        _add(filters, refuse, "ioctl", seccomp.Arg(1, seccomp.MASKED_EQ, 0xFFFFFFFF, request))
    unknown = seccomp.ERRNO(errno.EAFNOSUPPORT)
    for call in ("socket", "socketpair"):
        for family in range(FAMILIES):
            if family not in families:
                _add(filters, unknown, call, seccomp.Arg(0, seccomp.MASKED_EQ, 0xFFFFFFFF, family))
        _add(filters, unknown, call, seccomp.Arg(0, seccomp.GE, FAMILIES))
    for family in families & {socket.AF_INET, socket.AF_INET6}:
        kind = seccomp.Arg(1, seccomp.MASKED_EQ, TYPE_MASK, SOCK_RAW)
        _add(filters, refuse, "socket", seccomp.Arg(0, seccomp.MASKED_EQ, 0xFFFFFFFF, family), kind)
    if not talking:
        _keep_silent(seccomp, filters)
    with tempfile.TemporaryFile() as file:
        filters.export_bpf(file)
        file.seek(0)
        return file.read()


def _keep_silent(seccomp: Any, filters: Any) -> None:  # Any: pyseccomp has no types
    """All boxes see the files of /usr, read-only: locks on them, watches, and what is in memory of them carry words."""
    no_locks, no_watches = seccomp.ERRNO(errno.ENOLCK), seccomp.ERRNO(errno.ENOSPC)
    _add(filters, no_locks, "flock")
    for number in LOCKS:
        _add(filters, no_locks, "fcntl", seccomp.Arg(1, seccomp.MASKED_EQ, EXACTLY, number))
    for number in (LEASE, NOTIFY):
        _add(filters, no_watches, "fcntl", seccomp.Arg(1, seccomp.MASKED_EQ, EXACTLY, number))
    for number in HINTS:
        _add(filters, seccomp.ERRNO(errno.EPERM), "fcntl", seccomp.Arg(1, seccomp.MASKED_EQ, EXACTLY, number))
    # Threads of one process wake each other by private ones; shared ones reach whoever maps the same file.
    for number in WAKERS:
        shared = seccomp.Arg(1, seccomp.MASKED_EQ, FUTEX_COMMAND | PRIVATE, number)
        _add(filters, seccomp.ERRNO(errno.EINVAL), "futex", shared)
    _add(filters, no_watches, "inotify_add_watch")
    _add(filters, seccomp.ERRNO(errno.EPERM), "cachestat")
    # Advice is let pass without effect: what is dropped from memory is a message too.
    _add(filters, seccomp.ERRNO(0), "fadvise64", seccomp.Arg(3, seccomp.MASKED_EQ, EXACTLY, DONT_NEED))
    _add(filters, seccomp.ERRNO(errno.EOPNOTSUPP), "preadv2", seccomp.Arg(5, seccomp.MASKED_EQ, RWF_NOWAIT, RWF_NOWAIT))


def _add(filters: Any, action: Any, name: str, *arguments: Any) -> None:  # Any: pyseccomp has no types
    """Add a rule; a call that this architecture or library does not know needs none."""
    try:
        filters.add_rule(action, name, *arguments)
    except (ValueError, OSError) as error:
        if arguments:
            raise NoSeccomp(f"no rule for {name}: {error}") from None
