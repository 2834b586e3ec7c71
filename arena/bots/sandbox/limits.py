"""What one bot process and everything it starts may use. Build steps have limits of their own."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes in MiB, time in seconds; limits of the whole tree unless they say otherwise."""

    memory_mb: int = 512
    """Memory without swap, files in /tmp and /dev/shm included."""
    pids: int = 64
    """Processes and threads together."""
    cpus: float = 1.0
    """Processors' worth of time."""
    cpu_s: int = 0
    """Processor time of one process (RLIMIT_CPU); 0: no limit of its own."""
    files: int = 256
    """Open descriptors of one process."""
    file_mb: int = 64
    """The largest file that a process can write."""
    tmp_mb: int = 16
    """Space in /tmp."""
    shm_mb: int = 16
    """Space in /dev/shm."""
    inodes: int = 10_000
    """Files and folders in /tmp, and again in /dev/shm: a million empty ones take the kernel a minute to remove."""


BOT = Limits()
BUILD = Limits(memory_mb=2048, pids=512, cpus=2.0, files=4096, file_mb=1024, tmp_mb=512, shm_mb=64, inodes=200_000)
