"""The workers of a cluster as the coordinator knows them: who is there, what each states, who is fit for what."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, cast

from distributed import Client

import arena
from arena.core.errors import ArenaError, ArenaFault
from arena.runner.cluster import station
from arena.runner.cluster.fitness import Needs, refusal, unfit
from arena.runner.cluster.order import Statement, Wanted, code_of_arena
from arena.runner.toolchains import TOOLS

LOOK_S = 0.5
"""Seconds between two looks at the scheduler's list."""
SURVEY_S = 120.0
"""How long a worker may take to say what it can; its self-test starts a few dozen processes."""


async def stated_by_all(client: Client) -> tuple[list[tuple[Statement, str]], list[str]]:
    """What all workers of a cluster state, by name, each with why it is refused here ("": it is not); and in words
    which have no arena that works."""
    answers = await client.run(station.survey, Wanted(languages=tuple(TOOLS)), on_error="return")
    code = code_of_arena()
    stated = sorted((each for each in answers.values() if isinstance(each, Statement)), key=lambda each: each.name)
    broken = sorted(
        f"worker {address} has no arena that works: {type(answer).__name__}: {answer}"
        for address, answer in answers.items()
        if not isinstance(answer, Statement)
    )
    return [(each, refusal(each, code, arena.__version__)) for each in stated], broken


class Roll:
    """Who is there. `watch` keeps it up to date."""

    def __init__(self, client: Client, shelter: str, tier_minimum: str, note: Callable[[str], None]) -> None:
        self.running = 0
        """Games running on all workers, as last told."""
        self.stated: dict[str, Statement] = {}
        """Address -> what the worker there states; only workers that may play here at all."""
        self.present: frozenset[str] = frozenset()
        """Addresses of all workers."""
        self.refused: dict[str, str] = {}
        """Address -> why the worker there may not play here at all."""
        self._client = client
        self._shelter = shelter
        self._tier_minimum = tier_minimum
        self._note = note
        self._languages: set[str] = set()
        self._programs: set[str] = set()
        self._asked: dict[str, asyncio.Task[None]] = {}
        self._ruled_out: dict[tuple[str, Needs], ArenaError] = {}
        """(worker's name, needs) -> what went wrong there."""
        self._changed = asyncio.Condition()
        self._told: set[str] = set()

    @property
    def slots(self) -> int:
        """Bouts that all workers together can play at once."""
        return sum(each.slots for each in self.stated.values())

    def want(self, needs: Needs) -> None:
        """Workers are asked for these languages and programs, too; those that have answered are asked again."""
        new = (set(needs.languages) - self._languages) | (set(needs.programs) - self._programs)
        if new:
            self._languages.update(needs.languages)
            self._programs.update(needs.programs)
            self._forget_asked(self._asked)

    def fit(self, needs: Needs) -> tuple[str, ...]:
        """Addresses of the workers that may play a bout with these needs."""
        return tuple(address for address, stated in self.stated.items() if not self._against(stated, needs))

    def _against(self, stated: Statement, needs: Needs) -> str:
        broken = self._ruled_out.get((stated.name, needs))
        return broken.message if broken is not None else unfit(stated, needs, self._tier_minimum, self._shelter)

    def reasons(self, needs: Needs) -> str:
        """Why the workers that are there are not fit, in words."""
        found = {f"{each.name}: {why}" for each in self.stated.values() if (why := self._against(each, needs))}
        return "; ".join(sorted(found | set(self.refused.values()))) or "there is no worker"

    def rule_out(self, worker: str, needs: Needs, why: ArenaError) -> None:
        """A worker that has tried cannot play bouts with these needs."""
        self._ruled_out[worker, needs] = why
        self._say(f"worker {worker} is given no such bouts any more: {why.message}")

    def nobody(self, needs: Needs, waited_s: float, *, others: bool) -> ArenaError | None:
        """What ends a run in which nobody is fit for these needs; None when it goes on with `others`' bouts."""
        broken = [why for (_name, of), why in self._ruled_out.items() if of == needs]
        if broken:
            return broken[0]
        if others and self.stated:
            self._say(f"bouts are left out: {self.reasons(needs)}")
            return None
        return ArenaFault(
            f"no worker that is fit for this tournament came within {waited_s:g} s",
            where="the cluster's scheduler",
            saw=self.reasons(needs),
            fix="start workers by  arena cluster worker ADDRESS; or wait longer: --wait",
            code="NO_WORKER",
        )

    async def gone(self, addresses: tuple[str, ...]) -> None:
        """Returns once none of these workers is there any more."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.present.isdisjoint(addresses))

    async def watch(self) -> None:
        """Keep the list up to date, for ever."""
        try:
            while True:
                info = await cast(Any, self._client.scheduler).identity(n_workers=-1)
                await self._look(info["workers"])
                await asyncio.sleep(LOOK_S)
        finally:
            self._forget_asked(self._asked)

    def _forget_asked(self, addresses: Iterable[str]) -> None:
        for address in list(addresses):
            if (task := self._asked.pop(address, None)) is not None:
                task.cancel()

    async def _look(self, workers: Any) -> None:  # Any: address -> facts, as the scheduler gives them
        self.running = sum(each["metrics"].get("arena_running", 0) for each in workers.values())
        gone = self.present.difference(workers)
        self.present = frozenset(workers)
        for address in gone:
            stated = self.stated.pop(address, None)
            if stated is not None:
                self._note(f"worker {stated.name} is gone")
            self.refused.pop(address, None)
        self._forget_asked(gone)
        for address in workers:
            if address not in self._asked:
                self._asked[address] = asyncio.create_task(self._ask(address))
        if gone:
            async with self._changed:
                self._changed.notify_all()

    async def _ask(self, address: str) -> None:
        """Ask one worker what it can."""
        wanted = Wanted(tuple(sorted(self._languages)), tuple(sorted(self._programs)), self._shelter)
        try:
            async with asyncio.timeout(SURVEY_S):
                answers = await self._client.run(station.survey, wanted, workers=[address], on_error="return")
        except (OSError, TimeoutError, ValueError) as error:
            answers = {address: error}
        answer = answers.get(address)
        if not isinstance(answer, Statement):
            why = f"worker {address} has no arena that works: {type(answer).__name__}: {answer}"
        elif reason := refusal(answer, code_of_arena(), arena.__version__):
            why = f"worker {answer.name} is refused: {reason}"
        else:
            self.stated[address] = answer
            self._say(
                f"worker {answer.name}: {answer.slots} slots, {answer.cores} cores, sandbox tier {answer.tier}"
                + (f", languages {', '.join(answer.languages)}" if answer.languages else "")
            )
            return
        self.refused[address] = why
        self._say(why)

    def _say(self, text: str) -> None:
        """Say something once."""
        if text not in self._told:
            self._told.add(text)
            self._note(text)
