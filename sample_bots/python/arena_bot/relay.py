"""Lets a bot whose gRPC library knows no unix sockets reach its seat: `python -P -m arena_bot.relay COMMAND...`

Listens on a free port of 127.0.0.1, tells the bot of it in ARENA_ADDRESS (and in ARENA_INSECURE that there is no TLS
there), and carries bytes between that port and the seat's unix socket. The bot takes the place of this process, so that
its exit status is the process's; the carrying is done by a child, which ends with the bot.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import sys
import threading
from contextlib import suppress

ADDRESS = "ARENA_ADDRESS"
INSECURE = "ARENA_INSECURE"
PREFIX = "unix:"
CHUNK = 64 * 1024
CONNECTIONS = 8
"""At the same time: a bot needs one."""
PR_SET_PDEATHSIG = 1


def run(command: list[str]) -> None:
    """Become the command, with the relay beside it. Does not return; exits with 127 when it cannot be run."""
    address = os.environ.get(ADDRESS, "")
    if not address.startswith(PREFIX):
        raise SystemExit(f"{ADDRESS} is {address!r}; the relay leads to a unix socket, unix:PATH")
    listener = socket.create_server(("127.0.0.1", 0))
    parent = os.getpid()
    if os.fork() == 0:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() == parent:
            _keep_no_output()
            relay(listener, address.removeprefix(PREFIX))
        os._exit(0)
    os.environ[ADDRESS] = f"127.0.0.1:{listener.getsockname()[1]}"
    os.environ[INSECURE] = "1"  # the bytes stay on this machine
    listener.close()
    try:
        os.execvp(command[0], command)
    except OSError as error:
        raise SystemExit(f"{command[0]} cannot be run: {error.strerror}") from None


def _keep_no_output() -> None:
    """The output ends when the bot ends, so the relay must not hold it open."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)


def relay(listener: socket.socket, path: str) -> None:
    """Carry every connection to the unix socket, until the process is ended."""
    room = threading.Semaphore(CONNECTIONS)
    while True:
        room.acquire()
        near, _address = listener.accept()
        near.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        far = socket.socket(socket.AF_UNIX)
        try:
            far.connect(path)
        except OSError:
            far.close()
            near.close()
            room.release()
            continue
        threading.Thread(target=_carry_both, args=(near, far, room), daemon=True).start()


def _carry_both(near: socket.socket, far: socket.socket, room: threading.Semaphore) -> None:
    back = threading.Thread(target=_carry, args=(far, near), daemon=True)
    back.start()
    _carry(near, far)
    back.join()
    near.close()
    far.close()
    room.release()


def _carry(source: socket.socket, target: socket.socket) -> None:
    """Carry one direction until it ends, and pass its end on."""
    with suppress(OSError):
        while data := source.recv(CHUNK):
            target.sendall(data)
    for end, how in ((target, socket.SHUT_WR), (source, socket.SHUT_RD)):
        with suppress(OSError):
            end.shutdown(how)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit("usage: python -P -m arena_bot.relay COMMAND...")
    run(sys.argv[1:])
