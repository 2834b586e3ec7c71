"""Reads the host's own counters: time stolen from its processors, load, waiting. Judges nothing (see `Heartbeat`)."""

from __future__ import annotations

import os
from pathlib import Path

import psutil

from arena.match.heartbeat import Reading

PRESSURE = Path("/proc/pressure/cpu")
"""Linux's pressure stall information, where the kernel has it."""


def read_host() -> Reading:
    """The counters now; costs about 0.1 ms."""
    stolen = tuple(float(getattr(times, "steal", 0.0)) for times in psutil.cpu_times(percpu=True))
    return Reading(stolen, os.getloadavg(), _waited_s())


def _waited_s(file: Path = PRESSURE) -> float | None:
    """Seconds in which some task waited for a processor since the host started; None where nobody counts them."""
    try:
        some = file.read_text(encoding="ascii").splitlines()[0]
    except (OSError, IndexError):
        return None
    total = some.rpartition("total=")[2]
    return int(total) / 1e6 if total.isdecimal() else None
