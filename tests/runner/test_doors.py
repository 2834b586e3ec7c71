"""Who gets a table next: nobody holds them all, and who has none goes first."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from arena.runner.sittings.doors import RESERVED, Doors


class People:
    """Holders who come for a table, and stay until they are told to go."""

    def __init__(self, tables: int) -> None:
        self.doors = Doors(tables)
        self.sitting: list[str] = []
        self.tasks: dict[str, asyncio.Task[None]] = {}

    async def come(self, *names: str) -> None:
        """Names like "a1", "a2": the first and the second table of "a"."""
        for name in names:
            self.tasks[name] = asyncio.create_task(self._sit(name))
            await asyncio.sleep(0)
        await asyncio.sleep(0)

    async def _sit(self, name: str) -> None:
        async with self.doors.table(name[0]):
            self.sitting.append(name)
            try:
                await asyncio.get_running_loop().create_future()
            finally:
                self.sitting.remove(name)

    async def go(self, *names: str) -> None:
        for name in names:
            self.tasks.pop(name).cancel()
        for _ in range(4):
            await asyncio.sleep(0)

    async def close(self) -> None:
        tasks = list(self.tasks.values())
        await self.go(*self.tasks)
        await asyncio.gather(*tasks, return_exceptions=True)


def came(tables: int, arrivals: Sequence[str], gone: Sequence[str] = ()) -> list[str]:
    """Who sits when some have come and some have gone."""

    async def course() -> list[str]:
        people = People(tables)
        await people.come(*arrivals)
        await people.go(*gone)
        found = list(people.sitting)
        await people.close()
        return found

    return asyncio.run(course())


def test_two_holders_cannot_take_all_tables() -> None:
    greedy = [f"{holder}{number}" for holder in "ab" for number in range(1, 5)]
    sitting = came(8, greedy)
    assert sitting == ["a1", "a2", "a3", "a4", "b1"]
    assert 8 - len(sitting) == RESERVED
    assert came(8, [*greedy, "c1", "d1", "e1", "f1"]) == [*sitting, "c1", "d1", "e1"]


def test_who_has_no_table_goes_before_who_has_one() -> None:
    assert came(1, ["a1", "b1", "c1"], ["a1"]) == ["b1"]
    assert came(5, ["a1", "a2", "b1", "a3", "c1", "d1", "e1"], ["a1"])[-1] == "e1"


def test_further_tables_are_given_when_there_are_enough() -> None:
    assert came(8, ["a1", "a2", "a3", "a4", "b1", "b2"], ["a1"]) == ["a2", "a3", "a4", "b1", "b2"]


def test_who_goes_while_in_line_leaves_no_gap() -> None:
    assert came(1, ["a1", "b1", "c1"], ["b1", "a1"]) == ["c1"]
    assert came(2, ["a1", "b1", "c1"], ["c1"]) == ["a1", "b1"]
