"""The promises of the sandbox, in words, and which tier keeps which."""

from __future__ import annotations

from typing import NamedTuple

from arena.record.tiers import ORDER, Tier


class Promise(NamedTuple):
    """One promise."""

    name: str
    text: str
    """What a bot cannot do."""
    lacking: frozenset[Tier]
    """Tiers, D left out, that do not need it."""


PROMISES = (
    Promise("network", "no network: not the machine's, not another's, not another seat's socket", frozenset()),
    Promise("sockets", "no local socket of another program, even one that is open to every user", frozenset({Tier.C})),
    Promise("files", "no file but its own: not the store, not other bots, not the arena's secrets", frozenset()),
    Promise("environment", "no variable of the arena's environment", frozenset()),
    Promise("descriptors", "no open descriptor but 0, 1 and 2", frozenset()),
    Promise("folder", "nothing is writable but its own temporary folder", frozenset()),
    Promise("space", "16 MiB in /tmp and in /dev/shm, no more", frozenset({Tier.C})),
    Promise("processes", "no other process is signalled, traced or looked into", frozenset()),
    Promise("kernel", "no mounts, namespaces, io_uring, keyrings, BPF, ptrace", frozenset()),
    Promise("privileges", "not root, no capability, none to be gained", frozenset()),
    Promise("limits", "no core files; bounded descriptors, files and locked memory", frozenset()),
    Promise("memory", "its whole tree stays under its memory limit, or is ended", frozenset()),
    Promise("pids", "its whole tree stays under its limit of processes and threads", frozenset()),
    Promise("cpu", "its whole tree gets one processor's time, no more", frozenset({Tier.A_PRIME, Tier.B})),
    Promise("leftovers", "nothing of it runs on after its end, however it hides", frozenset()),
    Promise("uid", "a uid of its own on the machine", frozenset({Tier.A_PRIME, Tier.B})),
)
BY_NAME = {promise.name: promise for promise in PROMISES}


def tier_of(candidate: Tier, broken: frozenset[str]) -> Tier:
    """The candidate's tier when every promise that it needs holds, else D."""
    needed = {promise.name for promise in PROMISES if candidate not in promise.lacking}
    return candidate if not needed & broken and candidate in ORDER else Tier.D
