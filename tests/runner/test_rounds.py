"""Rounds one after the other: who is taken out between them, what a stop leaves, when a round is closed."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress

import pytest
from runner import small_cup
from runner.scripted import Scripted

from arena.core.errors import ArenaFault
from arena.record.results import Fault, FaultClass, GameKey
from arena.runner import tournament
from arena.runner.bout import BoutTask
from arena.runner.crew import Missing, Stop
from arena.runner.plan import Progress
from arena.store.store import Store
from arena.store.values import State, StoredGame


def crashing(*games: tuple[int, int]) -> Callable[[GameKey, tuple[str, ...]], tuple[Fault, ...]]:
    """The bot `random` crashes on (board, table), in both seatings, by an exit of its own each time."""

    def faults(key: GameKey, bots: tuple[str, ...]) -> tuple[Fault, ...]:
        if (key.board, key.table) not in games or "random" not in bots:
            return ()
        process = f"random-{key.board}-{key.table}-{key.seating}"
        return (Fault(bots.index("random"), "CRASH", FaultClass.FORFEIT, 3, 10, "", process),)

    return faults


TABLES = (2, 3)
"""Where `random` plays in each round."""


def played_by_random(store: Store) -> Counter[int]:
    return Counter(row.key.round for row in store.rows(store.tournaments()[0].id) if "random" in row.bots)


def test_a_bot_that_forfeits_too_often_is_out_from_the_next_round_on(store: Store, scripted: type[Scripted]) -> None:
    scripted.faults = staticmethod(crashing((1, 2), (2, 3)))
    progress = small_cup.run(store, small_cup.in_rounds(store))
    assert (progress.games, progress.left_out, progress.totals.games) == (12 + 4 + 4, 16, 36)
    assert progress.complete
    assert played_by_random(store) == {1: 8}
    assert store.tournaments()[0].state is State.FINISHED
    [found] = store.quarantines(active=True)
    assert found.quarantine == progress.out[0]
    assert found.quarantine[:3] == ("random", 2, "3 forfeits in its last 7 games (CRASH)")
    assert found.version == small_cup.plan(store).bots["random"].version


@pytest.mark.parametrize("stop_after", [1, 7, 12, 13, 19])
def test_a_run_that_was_stopped_takes_out_the_same_bots(
    store: Store, scripted: type[Scripted], stop_after: int
) -> None:
    scripted.faults = staticmethod(crashing((1, 2), (2, 3)))

    class Killed(scripted):  # type: ignore[misc, valid-type]
        async def play(self, tasks: Iterator[BoutTask | None]) -> AsyncIterator[StoredGame | Missing]:
            count = 0
            async for event in super().play(tasks):
                yield event
                count += 1
                if count == stop_after:
                    raise ArenaFault("killed here")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tournament, "Crew", Killed)
        with pytest.raises(ArenaFault, match="killed here"):
            small_cup.run(store, small_cup.in_rounds(store))
    progress = small_cup.run(store, small_cup.in_rounds(store))
    assert (progress.games, progress.left_out) == (20, 16)
    assert [each.quarantine.since_round for each in store.quarantines()] == [2]
    assert played_by_random(store) == {1: 8}


def test_a_bot_that_forfeits_in_the_last_round_is_out_as_well(store: Store, scripted: type[Scripted]) -> None:
    scripted.faults = staticmethod(crashing((6, 2), (6, 3)))
    progress = small_cup.run(store, small_cup.in_rounds(store))
    assert (progress.games, progress.left_out) == (36, 0)
    assert [each.since_round for each in progress.out] == [small_cup.ROUNDS + 1]
    assert [each.quarantine.bot for each in store.quarantines(active=True)] == ["random"]


@pytest.mark.parametrize("how", ["told", "killed"])
def test_a_stop_at_the_very_last_game_closes_the_round_all_the_same(
    store: Store, scripted: type[Scripted], how: str
) -> None:
    scripted.faults = staticmethod(crashing((6, 2), (6, 3)))
    stop = Stop()

    class Stopped(scripted):  # type: ignore[misc, valid-type]
        async def play(self, tasks: Iterator[BoutTask | None]) -> AsyncIterator[StoredGame | Missing]:
            count = 0
            async for event in super().play(tasks):
                yield event
                count += 1
                if count == 36:
                    stop.soft.set()
                    if how == "killed":
                        raise ArenaFault("killed here")
                    return  # without asking whether there is more

    with pytest.MonkeyPatch.context() as patch, suppress(ArenaFault):
        patch.setattr(tournament, "Crew", Stopped)
        asyncio.run(tournament.run_tournament(store, small_cup.in_rounds(store), 1, stop, lambda _: None))
    if how == "killed":
        assert store.tournaments()[0].state is State.STOPPED
        assert small_cup.run(store, small_cup.in_rounds(store)).played == 0
    assert store.tournaments()[0].state is State.FINISHED
    assert all(each.closed for each in store.rounds(store.tournaments()[0].id))
    assert [each.quarantine.bot for each in store.quarantines(active=True)] == ["random"]


def test_after_lifting_the_games_left_out_are_played_and_the_count_starts_anew(
    store: Store, scripted: type[Scripted]
) -> None:
    scripted.faults = staticmethod(crashing((1, 2), (2, 3), (3, 2)))
    plan = small_cup.in_rounds(store)
    small_cup.run(store, plan)
    assert store.lift(plan.tournament.id, "random", "its host was broken") is not None
    progress = small_cup.run(store, small_cup.in_rounds(store))
    assert (progress.games, progress.left_out, progress.out) == (36, 0, ())
    assert store.tournaments()[0].state is State.FINISHED
    scripted.asked.clear()
    assert small_cup.run(store, small_cup.in_rounds(store)).played == 0
    assert not scripted.asked


def test_a_bot_may_be_out_again_after_lifting(store: Store, scripted: type[Scripted]) -> None:
    scripted.faults = staticmethod(crashing((1, 2), (2, 3), (3, 2), (4, 2)))
    plan = small_cup.in_rounds(store)
    small_cup.run(store, plan)
    store.lift(plan.tournament.id, "random", "its host was broken")
    progress = small_cup.run(store, small_cup.in_rounds(store))
    assert played_by_random(store) == {1: 8, 2: 8}
    assert progress.left_out == 8
    assert [each.quarantine.since_round for each in store.quarantines()] == [2, 3]
    assert [each.quarantine.since_round for each in store.quarantines(active=True)] == [3]


def test_a_round_with_lost_games_is_not_closed(store: Store, scripted: type[Scripted]) -> None:
    """Who plays in the second round is not known before the first one is whole."""
    scripted.lose_table = 2
    progress = small_cup.run(store, small_cup.in_rounds(store))
    assert (progress.games, progress.lost) == (8, 4)
    assert {row.key.round for row in store.rows(store.tournaments()[0].id)} == {1}
    scripted.lose_table = 0
    assert small_cup.run(store, small_cup.in_rounds(store)).games == 36


def test_games_that_run_are_counted_also_before_one_of_them_ends(store: Store, scripted: type[Scripted]) -> None:
    reported: list[Progress] = []
    counted: list[int] = []

    class Busy(scripted):  # type: ignore[misc, valid-type]
        async def play(self, tasks: Iterator[BoutTask | None]) -> AsyncIterator[StoredGame | Missing]:
            for self.running in (3, 5, 0):
                counted.append(reported[-1].running)
            async for event in super().play(tasks):
                yield event

    stop = Stop()
    plan = small_cup.in_rounds(store)
    asyncio.run(tournament.run_tournament(store, plan, 1, stop, reported.append, Busy(1, stop)))
    assert counted == [3, 5, 0]
    assert reported[-1].running == 0
