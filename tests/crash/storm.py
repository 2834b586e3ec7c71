"""Kills processes of a running tournament at random moments and takes it up again, until it is finished.

Every choice comes from a seed, except what the machine's own timing decides. What is checked on the way: no stored
game disappears, every command ends as it should, what a killed process had started is gone soon. What is checked at
the end is the caller's: the outcome, which must be that of an undisturbed run.
"""

from __future__ import annotations

import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import psutil
from crash.event import Event, Outcome
from crash.processes import GONE, Kind, is_alive, of_folder, tree, wait_until_gone

FAULTLESS = (Kind.COORDINATOR, Kind.WORKER, Kind.LAUNCHER, Kind.SANDBOX, Kind.ALL)
"""What can be killed without costing a bot anything."""
GONE_LIMIT_S = 30.0
"""What a killed process had started is gone within 2 s on a quiet machine."""
RUN_LIMIT_S = 600.0
SEATINGS = 2
"""Games of a block of pairs."""
Block = tuple[int, int, int]
"""(round, board, table)."""
PAUSE_S = (0.05, 1.6)
"""Between two kills; a run needs about a second before its first game."""


@dataclass(slots=True)
class Report:
    """What a storm did."""

    kills: Counter[Kind] = field(default_factory=Counter)
    runs: int = 0
    blocks: int = 0
    statuses: Counter[int] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        """All kills."""
        return self.kills.total()


class Storm:
    """One tournament under kills."""

    def __init__(self, event: Event, seed: int, kinds: Sequence[Kind] = FAULTLESS) -> None:
        self.event = event
        self.report = Report()
        self._chance = random.Random(seed)
        self._kinds = kinds
        self._queue: list[Kind] = []
        self._seen: dict[tuple[int, float], psutil.Process] = {}
        self._finished: set[Block] = set()

    def run(self, kills: int) -> Report:
        """Kill `kills` times, or as often as there is time for before the tournament ends, then let it end."""
        while not self._one_run(kills):
            if self._chance.random() < 0.5:  # else the next run begins while the last one's processes still die
                self._check_gone(self._seen.values())
        self._check_gone([*self._seen.values(), *of_folder(self.event.folder)])
        self.report.blocks = len(self._finished)
        return self.report

    def _one_run(self, kills: int) -> bool:
        """One run of the command; whether it finished the tournament."""
        process = self.event.start()
        self.report.runs += 1
        coordinator = psutil.Process(process.pid)
        try:
            while process.poll() is None and self.report.total < kills:
                self._wait(process, self._chance.uniform(*PAUSE_S))
                if process.poll() is None:
                    self._kill(process, coordinator)
            process.wait(RUN_LIMIT_S)
        except BaseException:
            process.kill()
            raise
        status = process.wait()
        self.report.statuses[status] += 1
        assert status in (0, 1, -signal.SIGKILL), f"the run ended with status {status}: {self.event.said()[-2000:]}"
        self._check_stored()
        return status == 0

    def _wait(self, process: subprocess.Popen[str], seconds: float) -> None:
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)

    def _kill(self, process: subprocess.Popen[str], coordinator: psutil.Process) -> None:
        """Kill what is next in turn, as soon as there is one."""
        if not self._queue:
            self._queue = self._chance.sample(self._kinds, len(self._kinds))
        kind = self._queue.pop()
        while process.poll() is None:
            found = tree(coordinator)
            self._seen.update({(each.pid, each.create_time()): each for each in found[Kind.ALL] if is_alive(each)})
            if not found[kind] and kind is Kind.SANDBOX and found[Kind.BOT]:
                # Without a sandbox a bot's end is the bot's own; it dies here with what had started it.
                victims = [self._chance.choice(found[Kind.LAUNCHER]), *found[Kind.BOT]] if found[Kind.LAUNCHER] else []
            else:
                victims = found[kind] if kind is Kind.ALL else found[kind] and [self._chance.choice(found[kind])]
            if victims:
                self._send(kind, victims)
                return
            time.sleep(0.01)

    def _send(self, kind: Kind, victims: Sequence[psutil.Process]) -> None:
        below = [child for victim in victims for child in _children(victim)]
        hit = 0
        for victim in victims:
            with suppress(*GONE):
                victim.kill()
                hit += 1
        self.report.kills[kind] += hit > 0
        if kind is not Kind.COORDINATOR and kind is not Kind.ALL and self._chance.random() < 0.3:
            self._check_gone(below)
        self._check_stored()

    def _check_stored(self) -> None:
        """No finished block has gone, no game is there twice. (Half a block may be taken out: a void does that.)"""
        now = self.event.keys()
        assert len(now) == len(set(now)), "a game is stored twice"
        games = Counter((round_, board, table) for round_, board, table, _seating in now)
        finished = {block for block, count in games.items() if count == SEATINGS}
        assert self._finished <= finished, f"finished blocks have gone: {sorted(self._finished - finished)}"
        self._finished = finished

    def _check_gone(self, processes: Iterable[psutil.Process]) -> None:
        left = wait_until_gone(list(processes), GONE_LIMIT_S)
        assert left == [], f"processes outlived those that had started them: {left}"


def undisturbed_outcome() -> Outcome:
    """The outcome of the tournament, played in one go."""
    event = Event()
    ran = event.run("-q")
    assert ran.returncode == 0, ran.stderr
    outcome = event.outcome()
    assert event.leftovers() == []
    event.close()
    return outcome


def weather(seed: int, kills: int, undisturbed: Outcome) -> Report:
    """One tournament under so many kills at most; it must end undisturbed and leave nothing."""
    event = Event()
    report = Storm(event, seed).run(kills)
    outcome = event.outcome()
    assert outcome.games == undisturbed.games, f"seed {seed}: the games differ"
    assert outcome.ratings == undisturbed.ratings, f"seed {seed}: the table differs"
    assert event.leftovers() == [], f"seed {seed}"
    assert of_folder(event.folder) == [], f"seed {seed}"
    event.close()
    return report


def _children(process: psutil.Process) -> list[psutil.Process]:
    with suppress(*GONE):
        return list(process.children(recursive=True))
    return []
