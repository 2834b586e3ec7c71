"""Games with a person in a seat: what an answer does, who is played for, what a bot that hangs costs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from runner.bouts import faulty

from arena.bots.manifest import Bot, find_bot
from arena.core.chance import bot_seed
from arena.core.game import AnyGame, SeededBoard
from arena.games import make
from arena.match.clock import Clock
from arena.match.player import GameInfo, Turn
from arena.record.replay import verify
from arena.record.results import Verdict
from arena.record.transcript import from_data
from arena.runner.sittings import HumanPlayer, Plan, Refused, Room, Seating, Taken
from arena.runner.sittings.person import AWAY_S, PATIENCE, Patience
from arena.runner.sittings.room import STOPPED, RoomFull, State
from arena.store.sittings import FINISHED, LEFT, REMOVED, RUNNING, VOID, Sittings, new_id, new_key
from arena.store.store import Store

SECRET = b"\x07" * 32
GAME = make("crowsnest").single_deal()


def first_turn(game: AnyGame = GAME, number: int = 0) -> Turn:
    """The first turn of a board."""
    state = game.start(SeededBoard(b"\1" * 32))
    seat = game.to_move(state)
    assert seat is not None
    view = game.view(state, seat)
    return Turn(number, seat, view, game.legal_moves(view), None, None)


async def asked(person: HumanPlayer, turn: Turn, game: AnyGame = GAME) -> asyncio.Task[Any]:
    """A task in which the person is asked."""
    person.start(GameInfo(game, turn.seat, None, 0))
    task = asyncio.ensure_future(person.choose(turn))
    await asyncio.sleep(0)
    return task


def test_an_answer_is_taken_once_whatever_is_sent_twice() -> None:
    async def course() -> None:
        person, turn = HumanPlayer(), first_turn()
        task = await asked(person, turn)
        assert person.waiting == 0
        assert person.answer(0, "bid 75") is Taken.PLAYED
        assert person.answer(0, "pass") is Taken.STALE
        answer = await task
        assert GAME.notation.text(answer.move) == "bid 75"
        assert person.answer(0, "pass") is Taken.STALE
        assert person.waiting is None

    asyncio.run(course())


@pytest.mark.parametrize("text", ["bid 71", "bid 300", "R10", "discard B5", "", "trump green", "nonsense 1 2"])
def test_what_is_no_legal_move_is_refused_and_the_turn_still_waits(text: str) -> None:
    async def course() -> None:
        person, turn = HumanPlayer(), first_turn()
        task = await asked(person, turn)
        with pytest.raises(Refused, match=r"legal|no move|no card|no suit"):
            person.answer(0, text)
        assert person.waiting == 0
        assert person.answer(0, "pass") is Taken.PLAYED
        assert GAME.notation.text((await task).move) == "pass"

    asyncio.run(course())


def test_an_answer_to_another_turn_changes_nothing() -> None:
    async def course() -> None:
        person = HumanPlayer()
        task = await asked(person, first_turn(number=5))
        assert [person.answer(number, "pass") for number in (4, 6, 0)] == [Taken.STALE] * 3
        assert not task.done()
        assert person.answer(5, "pass") is Taken.PLAYED
        await task

    asyncio.run(course())


def test_the_answer_to_the_next_turn_may_come_along_and_counts_only_there() -> None:
    async def course() -> None:
        person = HumanPlayer()
        task = await asked(person, first_turn())
        assert person.answer(0, "pass", then="bid 80") is Taken.PLAYED
        await task
        assert GAME.notation.text((await person.choose(first_turn(number=1))).move) == "bid 80"
        task = await asked(person, first_turn(number=2))
        assert not task.done()
        person.answer(2, "pass", then="bid 71")
        await task
        task = await asked(person, first_turn(number=3))
        assert not task.done(), "an illegal answer that came along is dropped"
        person.answer(3, "pass")
        await task

    asyncio.run(course())


@pytest.mark.timed
def test_who_does_not_answer_is_played_for_from_then_on() -> None:
    async def course() -> None:
        person, turn = HumanPlayer(away_s=0.05), first_turn()
        answer = await (await asked(person, turn))
        assert answer.move == GAME.default_move(turn.view)
        assert person.away == "nobody answered for 0.05 s at turn 0"
        assert "default move" in answer.note
        assert (await asyncio.wait_for(person.choose(first_turn(number=1)), 0.04)).note == answer.note

    asyncio.run(course())


def test_a_clock_that_runs_out_costs_the_turn_and_three_in_a_row_the_seat() -> None:
    async def course() -> None:
        person = HumanPlayer(clock=Clock(bank_ms=60, increment_ms=0, cap_ms=60))
        for number in range(3):
            assert not person.away
            answer = await (await asked(person, first_turn(number=number)))
            assert "out of time" in answer.note or number == 2
        assert person.away == "3 turns in a row ran out of time, the last was turn 2"

    asyncio.run(course())


def test_who_leaves_is_played_for_at_once() -> None:
    async def course() -> None:
        person, turn = HumanPlayer(), first_turn()
        task = await asked(person, turn)
        person.leave("gone")
        assert (await task).move == GAME.default_move(turn.view)
        assert person.answer(0, "bid 80") is Taken.STALE

    asyncio.run(course())


# In a room


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
        seating = room.open(plan_of(make("crow_and_pitcher", {"rounds": 1}), seat=3, bot=hung, move_s=0.2))
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


# In the store


def test_a_sitting_is_kept_with_no_more_than_the_hash_of_its_key(store: Store) -> None:
    kept, key, name = Sittings(store.database), new_key(), new_id()
    made = kept.add(name, game="goat", ruleset={"target": 12}, secret=SECRET, bots=["a", "", "b", "c"], seat=1, key=key)
    found = kept.find(name)
    assert found == made
    assert found is not None
    assert (found.opens(key), found.opens("other"), found.state) == (True, False, RUNNING)
    assert key not in repr(found)
    kept.end(name, FINISHED, "\0", {"moves": []})
    assert kept.transcript(name) == {"moves": []}
    ended = kept.find(name)
    assert ended is not None
    assert (ended.state, ended.reason) == (FINISHED, "\\x00")
    assert ended.finished is not None


def test_what_was_running_when_the_server_was_stopped_is_void_at_the_next_start(store: Store) -> None:
    kept = Sittings(store.database)
    for name in ("play-a", "play-b"):
        kept.add(name, game="goat", ruleset={}, secret=SECRET, bots=["a"] * 4)
    kept.end("play-a", FINISHED)
    assert kept.interrupted(STOPPED) == 1
    states = [(each.state, each.reason) for each in map(kept.find, ("play-a", "play-b")) if each is not None]
    assert states == [(FINISHED, ""), (VOID, STOPPED)]
    assert kept.transcript("play-b") is None
    assert kept.interrupted(STOPPED) == 0


def test_games_of_bots_on_the_same_cards_are_found_by_the_persons(store: Store) -> None:
    kept = Sittings(store.database)
    kept.add("play-p", game="goat", ruleset={}, secret=SECRET, bots=["a", "", "b", "c"], seat=1, key="k")
    for name in ("play-x", "play-y"):
        kept.add(name, game="goat", ruleset={}, secret=SECRET, bots=["a"] * 4, parent="play-p")
    assert [child.public_id for child in kept.children("play-p")] == ["play-x", "play-y"]
    assert kept.children("play-x") == []
    child = kept.find("play-x")
    assert child is not None
    assert not child.opens("")


def test_what_is_old_goes_and_its_address_says_why(store: Store) -> None:
    day = timedelta(days=1)
    now = datetime(2026, 3, 1, tzinfo=UTC)
    times = iter(now - days * day for days in (9, 8, 7, 6, 5, 4, 3, 2, 1, 0))
    kept = Sittings(store.database, lambda: at)
    people = {"play-old": None, "play-ada": 3, "play-young": None, "play-child": None, "play-busy": None}
    for name, person in people.items():
        at = next(times)
        parent = "play-old" if name == "play-child" else None
        kept.add(name, game="goat", ruleset={"a": 1}, secret=SECRET, bots=["x", ""], person_id=person, parent=parent)
        kept.end(name, LEFT if name == "play-ada" else FINISHED, "", {"moves": []})
    kept.add("play-on", game="goat", ruleset={}, secret=SECRET, bots=["x"], parent="play-busy")
    assert kept.remove_old(now - 6 * day, now - 30 * day, 9, "removed on 2026-03-01") == 2
    states = {name: found.state for name in people if (found := kept.find(name)) is not None}
    assert states == {
        "play-old": REMOVED,
        "play-ada": LEFT,
        "play-young": REMOVED,
        "play-child": REMOVED,
        "play-busy": FINISHED,
    }
    gone = kept.find("play-old")
    assert gone is not None
    assert (gone.reason, gone.secret, gone.bots, gone.ruleset) == ("removed on 2026-03-01", b"", (), {})
    assert (kept.transcript("play-old"), kept.transcript("play-ada")) == (None, {"moves": []})
    assert kept.remove_old(now + day, now - 30 * day, 9, "again") == 0, "a game on its cards is played"
    kept.end("play-on", FINISHED)
    assert kept.remove_old(now - 30 * day, now - 30 * day, 1, "too many") == 1
    left = {name for name in (*people, "play-on") if (found := kept.find(name)) is not None and found.state != REMOVED}
    assert left == {"play-ada"}
