"""Kills processes of tournaments for so many minutes and says what came of it.

    cd tests && python -m crash.hour 60 [SEED]

One tournament after another; each must end with the table and the transcripts of the undisturbed one.
"""

from __future__ import annotations

import sys
import time
from collections import Counter

from crash.processes import Kind
from crash.storm import FAULTLESS, undisturbed_outcome, weather

EACH = 25
"""Most kills of one tournament."""


def main(minutes: float, seed: int) -> None:
    """Print a line for every tournament, and the sum. Raises AssertionError at the first that differs."""
    undisturbed = undisturbed_outcome()
    began = time.monotonic()
    kills: Counter[Kind] = Counter()
    runs = games = tournaments = 0
    while time.monotonic() - began < 60 * minutes:
        report = weather(seed + tournaments, EACH, undisturbed)
        tournaments += 1
        kills += report.kills
        runs += report.runs
        games += len(undisturbed.games)
        print(f"seed {seed + tournaments - 1}: {report.total} kills, {report.runs} runs, equal", flush=True)  # noqa: T201
    by_kind = ", ".join(f"{kind} {kills[kind]}" for kind in FAULTLESS)
    print(  # noqa: T201
        f"{(time.monotonic() - began) / 60:.1f} min: {kills.total()} kills ({by_kind}) in {tournaments} tournaments of "
        f"{games // max(1, tournaments)} games, {runs} runs; all tables and transcripts equal to the undisturbed ones, "
        "no finished block lost or doubled, nothing left over"
    )


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
