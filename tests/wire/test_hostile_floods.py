"""Bots that send without end: a forfeit within a second, a closed stream, and nobody else notices.

The strays before the flood is recognised may have forfeited the game already, with their own code; the session is lost
with FLOOD in any case, and with it every further game.
"""

from __future__ import annotations

import asyncio
import time
from statistics import mean

import pytest
from arena_bot.v1 import arena_pb2 as pb
from virtual import run_virtual
from wire.tables import DEADLINE_S, PATIENT, F, beside, scene, seats

from arena.core.moves import LegalList, play
from arena.match.player import Answer, Turn
from arena.record.results import Verdict
from arena.wire.limits import JUNK
from arena.wire.session import Session

FRAMES = ["flood", "flood_garbage", "flood_empty_frames", "flood_hellos", "flood_large", "flood_notes"]
EVENTS = ["flood_events", "flood_empty_events"]
CALLS = ["flood_calls", "flood_other_calls"]
STRAYS = dict.fromkeys(FRAMES, "MALFORMED") | {
    "flood": "WRONG_GAME",
    "flood_notes": "WRONG_GAME",
    "flood_large": "OVERSIZE",
}
SLACK = 5
pytestmark = pytest.mark.timed


@pytest.mark.parametrize("mode", FRAMES + EVENTS + CALLS)
@scene
async def test_a_flood_forfeits_within_a_second(mode: str) -> None:
    async with beside() as honest, seats({0: mode}) as table:
        while not (played := await table.play()).result.forfeits:
            assert table.servers[0].session is not None, "a flood takes longer than a fast game"
        assert played.result.verdict is Verdict.FORFEIT
        [(seat, code)] = played.result.forfeits
        assert seat == 0
        assert code in ("FLOOD", STRAYS.get(mode)), "others' games go on meanwhile"
        last = played.result.faults[-1]
        assert (last.seat, last.fault_class) == (0, F)
        async with asyncio.timeout(SLACK):
            while (server := table.servers[0]).session is None or server.session.gone is None:
                await asyncio.sleep(0.01)
        assert server.session.gone is not None
        assert server.session.gone.code == "FLOOD"
        assert (await table.play(1)).result.forfeits == ((0, "FLOOD"),)
        await asyncio.wait_for(server.ended.wait(), DEADLINE_S)
        [process] = table.processes
        began = time.monotonic()
        await asyncio.wait_for(process.process.wait(), DEADLINE_S)
        assert time.monotonic() - began < SLACK, "its stream was closed"
        [said] = await process.end()
        assert said["seconds"] < 3 * SLACK, "a second, on a machine that is not busy"
        assert said.get("goodbye", "").startswith("FLOOD: ") or said["error"], "told, if it still listened"
    assert max(honest.times_ms) < PATIENT.cap_ms
    assert mean(honest.times_ms) < max(SLACK * mean(honest.quiet_ms), 50)


def reply(game: int, turn: int) -> pb.BotEvent:
    return pb.BotEvent(reply=pb.Reply(game=game, turn=turn, choice=0))


LEGAL = LegalList((play(5), play(6), play(7)))


def ask(session: Session, game: int, turn: int) -> asyncio.Future[Answer]:
    return session.ask(game, Turn(turn, 0, None, LEGAL, None, None), lambda _turn, _view: None)


def test_a_fast_honest_bot_is_no_flood() -> None:
    """64 games at once, 16 000 answers in no time at all."""

    async def work() -> None:
        session = Session(64, lambda: 0.0)
        games = [session.open_game() for _ in range(64)]
        for turn in range(250):
            answers = [ask(session, game, turn) for game in games]
            await session.next_frame()
            session.receive(pb.BotFrame(events=[reply(game, turn) for game in games]).SerializeToString())
            assert all(answer.done() and answer.exception() is None for answer in answers)
        assert session.gone is None

    run_virtual(work())


@pytest.mark.parametrize(("per_s", "flood"), [(JUNK.per_s * 0.9, False), (JUNK.per_s * 100, True)])
def test_it_is_the_rate_that_makes_a_flood(per_s: float, flood: bool) -> None:
    async def work() -> None:
        now = 0.0
        session = Session(1, lambda: now)
        while now < 60 and session.gone is None:
            now += 1 / per_s
            session.receive(b"\xff")
        assert (session.gone is not None) is flood
        if flood:
            assert now < 1
            assert session.gone is not None
            assert session.gone.code == "FLOOD"

    run_virtual(work())


def test_no_more_of_a_frame_is_looked_at_than_makes_a_flood() -> None:
    async def work() -> None:
        session = Session(1, lambda: 0.0)
        answer = ask(session, session.open_game(), 0)
        began = time.perf_counter()
        session.receive(b"\x0a\x00" * 131_072)
        assert time.perf_counter() - began < 0.1 * SLACK
        assert session.gone is not None
        assert session.gone.code == "FLOOD"
        assert answer.exception() is session.gone
        frame = await session.next_frame()
        assert frame is not None
        [event] = pb.ArenaFrame.FromString(frame).events
        assert event.goodbye.reason.startswith("FLOOD: ")
        assert await session.next_frame() is None

    run_virtual(work())


def test_a_session_is_lost_once_and_says_no_more() -> None:
    async def work() -> None:
        session = Session(4, lambda: 0.0)
        games = [session.open_game() for _ in range(4)]
        answers = [ask(session, game, 0) for game in games]
        session.receive(b"\x0a" * (2**20 + 1))
        gone = session.gone
        assert gone is not None
        session.receive(b"\x0a\x00" * 131_072)
        session.receive(pb.BotFrame(events=[reply(1, 0)]).SerializeToString())
        assert session.gone is gone
        assert gone.code == "OVERSIZE"
        assert {answer.exception() for answer in answers} == {gone}
        later = ask(session, games[0], 4)
        assert later.exception() is not None
        session.event().game_over.game = 1
        assert len(pb.ArenaFrame.FromString(await session.next_frame() or b"").events) == 1, "goodbye alone"

    run_virtual(work())
