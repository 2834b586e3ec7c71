"""Games with a person in a seat: what an answer does, and who is played for."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from arena.core.game import AnyGame, SeededBoard
from arena.games import make
from arena.match.clock import Clock
from arena.match.player import GameInfo, Turn
from arena.runner.sittings import HumanPlayer, Refused, Taken

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
        assert person.answer(0, "bid 75") is Taken.AGAIN
        assert person.answer(0, "bid 75", "pass") is Taken.STALE
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
