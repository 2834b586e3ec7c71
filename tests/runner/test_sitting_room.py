"""The room where games with a person are played: who sits, who waits, what a bot that hangs costs, how games end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from runner.bouts import faulty

from arena.bots.manifest import Bot, find_bot
from arena.core.chance import bot_seed
from arena.core.game import AnyGame
from arena.games import make
from arena.record.replay import verify
from arena.record.results import Verdict
from arena.record.transcript import from_data
from arena.runner.sittings import Plan, Room, Seating
from arena.runner.sittings.person import AWAY_S, PATIENCE, Patience
from arena.runner.sittings.room import STOPPED, RoomFull, State
from arena.store.sittings import new_id

SECRET = b"\x07" * 32
GAME = make("crowsnest").single_deal()


def plan_of(game: AnyGame = GAME, seat: int = 1, bot: Bot | None = None, **more: Any) -> Plan:
    house = find_bot("basic")
    bots: list[Bot | None] = [house] * game.seats
    bots[(seat + 1) % game.seats] = bot or house
    bots[seat] = None
    return Plan(new_id(), game, tuple(bots), SECRET, **more)


async def unchanged(plan: Plan) -> Plan:
    return plan


def rooms(**options: Any) -> tuple[Room, list[Seating]]:
    """A room, and what it says of those that are over."""
    over: list[Seating] = []

    async def ended(seating: Seating, _state: State, _reason: str) -> None:
        over.append(seating)

    return Room(ended, prepare=unchanged, **options), over


async def played(seating: Seating, answer: Callable[[Seating], Awaitable[None]] | None = None) -> None:
    """Wait for the end, answering every turn with the default move."""
    assert seating.task is not None
    assert seating.person is not None
    game, person = seating.plan.game, seating.person
    while not seating.task.done():
        changed = asyncio.ensure_future(seating.changed.wait())
        if person.waiting is not None:
            view = game.view(seating.steps[-1].state, seating.seat)
            person.answer(person.waiting, game.notation.text(game.default_move(view)))
        await asyncio.wait({changed, seating.task}, return_when=asyncio.FIRST_COMPLETED, timeout=30)
        changed.cancel()


def test_a_person_and_bots_play_a_game_that_can_be_played_again() -> None:
    async def course() -> None:
        room, over = rooms()
        seating = room.open(plan_of(), key="k")
        await played(seating)
        assert over == [seating]
        assert (seating.state, seating.reason) == ("finished", "")
        assert seating.ending is not None
        assert seating.ending.result.verdict is Verdict.FINISHED
        transcript = from_data(dict(seating.ending.transcript))
        verify(transcript)
        assert transcript.bots[1] == "person"
        assert len(seating.steps) == len(transcript.moves) + 1
        assert room.held == ()

    asyncio.run(course())


def test_bots_get_the_same_seeds_and_cards_whoever_sits_in_the_other_seat() -> None:
    plan = plan_of()
    again = Plan("other", plan.game, (find_bot("basic"),) * 4, SECRET)
    assert plan.board == again.board
    assert [bot_seed(plan.board.seed, seat) for seat in range(4)] == [
        bot_seed(again.board.seed, seat) for seat in range(4)
    ]


def test_a_bot_that_hangs_hurts_only_itself() -> None:
    async def course() -> None:
        hung = faulty({str(game): ["silent", 100] for game in range(3)})
        room, _ = rooms()
        seating = room.open(plan_of(make("crow_and_pitcher", {"rounds": 1}), seat=3, bot=hung, move_s=2.0))
        await played(seating)
        assert seating.state == "finished"
        assert seating.ending is not None
        result = seating.ending.result
        assert result.verdict is Verdict.FORFEIT
        assert result.forfeits == ((0, "TIMEOUT"),)
        assert {fault.seat for fault in result.faults} == {0}

    asyncio.run(course())


def test_nobody_there_leaves_the_game_to_the_default_moves() -> None:
    async def course() -> None:
        room, _ = rooms(away_s=0.2)
        seating = room.open(plan_of())
        assert seating.task is not None
        await asyncio.wait_for(seating.task, 30)
        assert seating.state == "left"
        assert seating.reason.startswith("nobody answered for 0.2 s at turn ")
        assert seating.ending is not None
        assert seating.ending.result.faults == ()

    asyncio.run(course())


def test_a_table_lasts_no_longer_than_a_patience() -> None:
    async def course() -> None:
        room, _ = rooms(patience=Patience(0.2, 0.0, 9.0))
        seating = room.open(plan_of())
        assert seating.task is not None
        await asyncio.wait_for(seating.task, 30)
        assert seating.state == "left"
        assert seating.reason.startswith("the time for all moves of one table was over at turn ")

    asyncio.run(course())


def test_who_answers_in_time_as_a_rule_is_never_hurried() -> None:
    bank, turn, most = PATIENCE
    assert all(PATIENCE.left_s(number, turn * number) >= AWAY_S for number in range(1, 200))
    assert PATIENCE.left_s(20, 0.0) == bank + 20 * turn
    assert PATIENCE.left_s(1000, 0.0) == most
    assert PATIENCE.left_s(20, most) == 0.0


def test_who_comes_when_all_tables_are_taken_waits_in_line_and_is_told_where() -> None:
    async def course() -> None:
        room, over = rooms(tables=1, line=2)
        first, second, third = room.open(plan_of()), room.open(plan_of()), room.open(plan_of())
        with pytest.raises(RoomFull, match="the line is full"):
            room.open(plan_of())
        await asyncio.sleep(0)
        assert [room.place(each) for each in (first, second, third)] == [0, 1, 2]
        assert second.person is not None
        second.person.leave("went home")
        await played(first)
        await played(third)
        assert [(each.state, each.reason) for each in over] == [
            ("finished", ""),
            ("left", "went home"),
            ("finished", ""),
        ]
        assert second.steps == []

    asyncio.run(course())


def test_who_leaves_the_line_is_in_it_no_more() -> None:
    async def course() -> None:
        room, over = rooms(tables=1, line=1)
        first, second = room.open(plan_of()), room.open(plan_of())
        await asyncio.sleep(0)
        room.leave(second, "went home")
        assert second.task is not None
        await asyncio.wait_for(second.task, 30)
        assert [(each.state, each.reason, each.steps) for each in over] == [("left", "went home", [])]
        assert room.place(room.open(plan_of())) == 1
        await room.close()
        assert first.state == "void"

    asyncio.run(course())


def test_a_table_whose_bots_never_get_ready_is_void() -> None:
    async def never(plan: Plan) -> Plan:
        await asyncio.get_running_loop().create_future()
        return plan

    async def ended(seating: Seating, state: State, reason: str) -> None:
        del seating, state, reason

    async def course() -> None:
        room = Room(ended, prepare=never, tables=1, ready_s=0.06)
        seating, other = room.open(plan_of()), room.open(plan_of())
        for each in (seating, other):
            assert each.task is not None
            await asyncio.wait_for(each.task, 30)
            assert (each.state, each.reason) == ("void", "the bots were not ready within 0.001 min")

    asyncio.run(course())


def test_closing_the_room_makes_its_games_void() -> None:
    async def course() -> None:
        room, over = rooms()
        seating = room.open(plan_of())
        while not seating.steps:
            await asyncio.wait_for(seating.changed.wait(), 30)
        await room.close()
        assert over == [seating]
        assert (seating.state, seating.reason, seating.ending) == ("void", STOPPED, None)

    asyncio.run(course())
