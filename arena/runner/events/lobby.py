"""The lobby of an event: who is there, when it begins, who takes part in a round, and what is told of it meanwhile.

A bot is ready when it has as many connections as it has seats at a table: each has said hello, for a version of the
protocol that both speak. Knows numbers of connections by name; neither the door nor tokens nor how games are played.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from arena.runner.events.rules import Rules

LOOK_S = 1.0
"""How often the clock is looked at while nobody comes or goes."""
REMIND_S = 60.0
"""How often it is said again what is waited for."""


def utc_now() -> datetime:
    """Now."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a lobby needs from outside."""

    here: Callable[[], Mapping[str, int]]
    """Open connections by bot."""
    changed: Callable[[], Awaitable[None]]
    """Waits until a connection has come or gone."""
    tell: Callable[[str], None]
    """A line for people."""
    publish: Callable[[dict[str, Any]], None]
    """Keeps the state for whoever asks. Any: JSON."""
    now: Callable[[], datetime] = utc_now


class Past(NamedTuple):
    """What was before an event goes on."""

    rounds: int = 0
    """Opened already."""
    joined: frozenset[str] = frozenset()
    """Who took part in any of them."""
    out: frozenset[str] = frozenset()
    """Who was taken out of the event."""


NOTHING = Past()


class Lobby:
    """The lobby of one event, before its start and between its rounds."""

    def __init__(self, needed: Mapping[str, int], rules: Rules, around: Surroundings, past: Past = NOTHING) -> None:
        """`needed`: connections by remote bot."""
        self.begun = False
        """Whether games are played."""
        self._needed = dict(needed)
        self._rules = rules
        self._around = around
        self._joined = {name for name in past.joined if name in needed}
        self._rounds = past.rounds
        self._out = set(past.out)
        self._told: dict[str, int] = {}
        self._deadline: float | None = None
        """Of an event that goes on: when it does so without those that are not back, on the loop's clock."""

    # --- who is there -------------------------------------------------------------------------------------------------

    def ready(self) -> frozenset[str]:
        """Bots with all their connections."""
        here = self._around.here()
        return frozenset(name for name, count in self._needed.items() if here.get(name, 0) >= count)

    def may_stay(self, name: str) -> bool:
        """Whether a bot of this name has anything to wait for here."""
        if name not in self._needed or name in self._out:
            return False
        return not (self.begun and self._rules.late == "refuse" and name not in self._joined)

    def state(self) -> dict[str, Any]:
        """All that is to be seen of it, as JSON data. Any: JSON."""
        here, rules = self._around.here(), self._rules
        return {
            "state": "begun" if self.begun else "waiting",
            "start": rules.start.isoformat() if rules.start is not None else None,
            "late": rules.late,
            "wait_s": rules.wait_s,
            "min_bots": rules.least(len(self._needed)),
            "ready": len(self.ready()),
            "rounds": self._rounds,
            "bots": [
                {"bot": name, "state": self._word(name, here.get(name, 0)), "here": here.get(name, 0), "needed": count}
                for name, count in self._needed.items()
            ],
            "at": self._around.now().isoformat(timespec="seconds"),
        }

    def _word(self, name: str, here: int) -> str:
        """How a bot stands: out, refused, ready (playing once begun), incomplete, late, away or missing."""
        if name in self._out:
            return "out"
        if not self.may_stay(name):
            return "refused"
        if here >= self._needed[name]:
            if not self.begun:
                return "ready"
            return "playing" if name in self._joined else "next round"
        if here:
            return "incomplete"
        return "away" if name in self._joined else "late" if self.begun else "missing"

    # --- before the start ---------------------------------------------------------------------------------------------

    async def wait(self, stop: asyncio.Event) -> bool:
        """Wait until the event may begin; False when told to stop before."""
        loop = asyncio.get_running_loop()
        if self._rounds:
            self._deadline = loop.time() + self._rules.wait_s
        stopped = asyncio.ensure_future(stop.wait())
        remind_at = 0.0
        try:
            while not stop.is_set():
                self.look()
                if self._may_begin(loop.time()):
                    self.begun = True
                    self.look()
                    return True
                if loop.time() >= remind_at:
                    remind_at = loop.time() + REMIND_S
                    self._around.tell(self.waits_for())
                changed = asyncio.ensure_future(self._around.changed())
                await asyncio.wait({changed, stopped}, timeout=LOOK_S, return_when=asyncio.FIRST_COMPLETED)
                changed.cancel()
                await asyncio.gather(changed, return_exceptions=True)
            return False
        finally:
            stopped.cancel()

    def waits_for(self) -> str:
        """What the start waits for, for people."""
        here = self._around.here()
        absent = [
            name if count == 1 else f"{name} ({here.get(name, 0)} of {count} connections)"
            for name, count in self._needed.items()
            if here.get(name, 0) < count
        ]
        who = f"waiting for {', '.join(absent)}" if absent else "all are ready"
        start, now = self._rules.start, self._around.now()
        if self._deadline is not None:
            return f"{who}; the event goes on in {self._rules.wait_s:g} s at most"
        if start is not None and start > now:
            left = _span(round((start - now).total_seconds()))
            return f"{who}; the start is at {start:%Y-%m-%d %H:%M} {start.tzname()}, in {left}"
        least = self._rules.least(len(self._needed))
        return f"{who}; begins once {least} of {len(self._needed)} are ready" if absent else who

    def look(self) -> None:
        """Tell who has come and gone since, and publish the state."""
        here = {name: count for name, count in self._around.here().items() if name in self._needed}
        for name in self._needed:
            now, before = here.get(name, 0), self._told.get(name, 0)
            if now > before:
                full = now >= self._needed[name]
                self._around.tell(f"{name} is here" if full else f"{name}: {now} of {self._needed[name]} connections")
            elif now < before and now < self._needed[name]:
                self._around.tell(f"{name} has left" if not now else f"{name}: a connection was lost")
        self._told = here
        self._around.publish(self.state())

    def _may_begin(self, now: float) -> bool:
        ready, rules = self.ready(), self._rules
        if self._deadline is not None:
            return now >= self._deadline or ready >= self._joined - self._out
        started = rules.start is None or self._around.now() >= rules.start
        return started and len(ready) >= rules.least(len(self._needed))

    # --- from round to round ------------------------------------------------------------------------------------------

    def taking_part(self, number: int, field: tuple[str, ...]) -> tuple[str, ...]:
        """Who plays in a round that is opened now, out of those who may.

        Who has joined stays in, there or not: else one could leave whenever a strong opponent comes.
        """
        self._out = set(self._needed) - set(field)
        first, self._rounds = self._rounds == 0, number
        ready = self.ready()
        may_join = self._rules.late == "next_round" or first
        for name in field:
            if name not in self._needed or name in self._joined:
                continue
            if self._rules.late == "forfeit" or (may_join and name in ready):
                self._joined.add(name)
            elif first:
                self._around.tell(f"{name} is late: {CONSEQUENCES[self._rules.late]}")
        self.look()
        return tuple(name for name in field if name not in self._needed or name in self._joined)


CONSEQUENCES = {"next_round": "it may join with a later round", "refuse": "it takes no part"}


def _span(seconds: int) -> str:
    """90 -> "90 s", 600 -> "10 min", 7200 -> "2 h 0 min"."""
    if seconds < 120:
        return f"{seconds} s"
    hours, minutes = divmod(seconds // 60, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
