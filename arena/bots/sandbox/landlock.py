"""Landlock: which files this process and all it starts may reach, where there are no user namespaces.

Standard library only; the launcher calls it between fork and exec.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Sequence

CREATE, ADD, RESTRICT = 444, 445, 446
"""The same system call numbers on every architecture."""
PATH_BENEATH = 1
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
ALL_BY_ABI = {1: 0x1FFF, 2: 0x3FFF, 3: 0x7FFF, 4: 0x7FFF, 5: 0xFFFF}
READ = EXECUTE | READ_FILE | READ_DIR
FILE_ONLY = EXECUTE | WRITE_FILE | READ_FILE | 0x4000 | 0x8000
IOCTL_DEV = 0x8000
SCOPE_ABSTRACT_SOCKETS, SCOPE_SIGNALS = 1, 2
O_PATH = 0o10000000


def abi() -> int:
    """The kernel's version of Landlock; 0 where it has none."""
    libc = ctypes.CDLL(None, use_errno=True)
    return max(0, int(libc.syscall(CREATE, None, 0, 1)))


def restrict(readable: Sequence[str], writable: Sequence[str]) -> None:
    """Give up every path but these, for good. Needs no_new_privs. Raises OSError.

    Signals and abstract sockets are kept inside too where the kernel can (ABI 6); the network is seccomp's business.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    version = abi()
    if version < 1:
        raise OSError("this kernel has no Landlock")
    handled = ALL_BY_ABI[min(version, 5)]
    attributes = struct.pack("=QQQ", handled, 0, SCOPE_ABSTRACT_SOCKETS | SCOPE_SIGNALS)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = _checked(libc.syscall(CREATE, ctypes.create_string_buffer(attributes[:size], size), size, 0))
    try:
        for rights, paths in ((READ, readable), (handled & ~EXECUTE, writable)):
            for path in paths:
                _allow(libc, ruleset, path, rights & handled)
        _checked(libc.syscall(RESTRICT, ruleset, 0))
    finally:
        os.close(ruleset)


def _allow(libc: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
    try:
        opened = os.open(path, O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not os.path.isdir(path):
            rights &= FILE_ONLY
        attributes = ctypes.create_string_buffer(struct.pack("=Qi", rights, opened), 12)
        _checked(libc.syscall(ADD, ruleset, PATH_BENEATH, attributes, 0))
    finally:
        os.close(opened)


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"landlock: {os.strerror(number)}")
    return result
