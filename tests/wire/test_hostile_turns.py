"""Answers that are wrong in one way or another, over real sockets: what each costs, and what the other seats see."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import grpc.aio
import pytest
from arena_bot.table import Table as BotTable
from arena_bot.v1 import arena_pb2 as pb
from arena_house.uniform import Random
from wire.tables import METHOD, PATIENT, D, F, Seats, beside, course, dial, scene, seats

from arena.match.referee import Played
from arena.record.results import Verdict

pytestmark = pytest.mark.timed
Answers = Callable[[pb.Turn, int, bytes], list[bytes]]
"""(the turn, how many came before it, the honest answer) -> the frames to send instead."""
OWN_WORDS = ("DecodeError", "protobuf", "Traceback", "Exception", "wire type", "google")


def frame(*replies: pb.Reply) -> bytes:
    return pb.BotFrame(events=[pb.BotEvent(reply=reply) for reply in replies]).SerializeToString()


def honest(_turn: pb.Turn, _number: int, answer: bytes) -> list[bytes]:
    return [answer]


class Scripted:
    """A bot that plays by chance but sends what its script says."""

    def __init__(self, table: Seats, seat: int, script: Answers, delay_s: float = 0.0) -> None:
        self.told: list[pb.ArenaEvent] = []
        self._server, self._token = table.servers[seat], table.tokens[seat]
        self._script, self._delay_s = script, delay_s

    async def play(self) -> None:
        bot, turns = BotTable(Random), 0
        async with dial(self._server.address) as channel:
            call: Any = channel.stream_stream(METHOD)()
            await call.write(bot.hello(self._token))
            while bot.goodbye is None and (data := await call.read()) is not grpc.aio.EOF:
                for event in pb.ArenaFrame.FromString(data).events:
                    self.told.append(event)
                    answers = bot.frame(pb.ArenaFrame(events=[event]).SerializeToString())
                    if event.HasField("turn"):
                        await asyncio.sleep(self._delay_s if turns == 0 else 0)
                        answers = self._script(event.turn, turns, answers[0])
                        turns += 1
                    for answer in answers:
                        await call.write(answer)

    def reasons(self) -> list[str]:
        """What it was told of answers that were not taken."""
        return [event.rejected.reason for event in self.told if event.HasField("rejected")]


async def played(
    scripts: dict[int, Answers], clock: Any = PATIENT, delay_s: float = 0.0
) -> tuple[Played, dict[int, Scripted]]:
    """A game with scripted bots in some seats, honest games beside it."""
    async with beside(), seats(dict.fromkeys(scripts, ""), clock) as table:
        bots = {seat: Scripted(table, seat, script, delay_s) for seat, script in scripts.items()}
        playing = [asyncio.create_task(bot.play()) for bot in bots.values()]
        try:
            game = await table.play()
            for server in table.servers:
                assert server.session is not None
                server.session.close("done")
            await asyncio.wait(playing, timeout=10)
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
    return game, bots


def faults(game: Played) -> list[tuple[int, str, Any]]:
    return [(fault.seat, fault.code, fault.fault_class) for fault in game.result.faults]


def instead(times: int, *sent: Callable[[pb.Turn], bytes]) -> Answers:
    """These frames instead of the first answers."""

    def script(turn: pb.Turn, number: int, answer: bytes) -> list[bytes]:
        return [make(turn) for make in sent] if number < times else [answer]

    return script


UNREADABLE: dict[str, Callable[[pb.Turn], bytes]] = {
    "garbage": lambda _turn: b"\xff\xff\xff\xff",
    "cut off": lambda turn: frame(pb.Reply(game=turn.game, turn=turn.turn, choice=0))[:-1],
    "empty frame": lambda _turn: b"",
    "empty event": lambda _turn: b"\x0a\x00",
    "no answer": lambda turn: frame(pb.Reply(game=turn.game, turn=turn.turn)),
    "empty move": lambda turn: frame(pb.Reply(game=turn.game, turn=turn.turn, move=pb.Move())),
    "broken text": lambda turn: frame(pb.Reply(game=turn.game, turn=turn.turn, note="abcd")).replace(
        b"abcd", b"\xff" * 4
    ),
    "very deep": lambda _turn: b"\x0b" * 1000,
}


@pytest.mark.parametrize("kind", UNREADABLE)
@scene
async def test_what_cannot_be_read_costs_a_decision_and_no_parser_speaks(kind: str) -> None:
    game, bots = await played({0: instead(1, UNREADABLE[kind])})
    assert faults(game) == [(0, "MALFORMED", D)]
    assert game.result.verdict is Verdict.FINISHED
    [reason] = bots[0].reasons()
    assert reason.startswith("MALFORMED: ")
    assert not any(word in reason for word in OWN_WORDS)
    assert not any(word in game.result.faults[0].detail for word in OWN_WORDS)


@scene
async def test_the_third_strike_has_the_code_that_it_has() -> None:
    def script(turn: pb.Turn, number: int, answer: bytes) -> list[bytes]:
        bad = [b"\xff", frame(pb.Reply(game=turn.game, turn=turn.turn, choice=-1)), b"\x0a" * 300_000]
        return [bad[number]] if number < len(bad) else [answer]

    game, bots = await played({0: script})
    assert faults(game) == [(0, "MALFORMED", D), (0, "ILLEGAL", D), (0, "OVERSIZE", F)]
    assert game.result.forfeits == ((0, "OVERSIZE"),)
    assert [reason.partition(":")[0] for reason in bots[0].reasons()] == ["MALFORMED", "ILLEGAL", "OVERSIZE"]


INDICES = [-1, 10_000, 2**63 - 1, -(2**63)]


@pytest.mark.parametrize("choice", INDICES)
@scene
async def test_an_index_outside_the_list_is_illegal(choice: int) -> None:
    game, _ = await played({0: instead(1, lambda turn: frame(pb.Reply(game=turn.game, turn=turn.turn, choice=choice)))})
    assert faults(game) == [(0, "ILLEGAL", D)]


STRAYS: dict[str, tuple[str, Callable[[pb.Turn], pb.Reply]]] = {
    "another game": ("WRONG_GAME", lambda turn: pb.Reply(game=turn.game + 1, turn=turn.turn, choice=0)),
    "no game": ("WRONG_GAME", lambda turn: pb.Reply(turn=turn.turn, choice=0)),
    "another seat": ("WRONG_SEAT", lambda turn: pb.Reply(game=turn.game, turn=turn.turn - 1, choice=0)),
    "an old turn": ("STALE", lambda turn: pb.Reply(game=turn.game, turn=turn.turn - 3, choice=0)),
    "a turn to come": ("STALE", lambda turn: pb.Reply(game=turn.game, turn=turn.turn + 1, choice=0)),
}
"""Seats of this game move one after the other: turn - 1 was another seat's, turn - 3 its own."""


@pytest.mark.parametrize(("count", "costs"), [(10, 0), (11, 1), (12, 1)])
@pytest.mark.parametrize("kind", STRAYS)
@scene
async def test_ten_stray_answers_are_dropped_and_the_next_costs(kind: str, count: int, costs: int) -> None:
    """All in one frame before the answer; the turn has failed once, whatever comes behind."""
    code, make = STRAYS[kind]
    own: list[int] = []

    def script(turn: pb.Turn, number: int, answer: bytes) -> list[bytes]:
        own.append(turn.turn)
        if turn.turn - 3 in own and not sent:
            sent.append(turn.turn)
            return [frame(*[make(turn)] * count), answer]
        return [answer]

    sent: list[int] = []
    game, _ = await played({0: script})
    assert len(sent) == 1
    assert faults(game) == [(0, code, D)] * costs
    assert game.result.verdict is Verdict.FINISHED


@scene
async def test_an_answer_that_nobody_asked_for_costs_nothing() -> None:
    """Each answer comes twice; the second copy of it finds no turn."""
    async with seats() as table:
        undisturbed = await table.play()

    def twice(_turn: pb.Turn, number: int, answer: bytes) -> list[bytes]:
        return [answer, answer] if number < 10 else [answer]

    game, _ = await played({0: twice})
    assert not game.result.faults
    assert course(game) == course(undisturbed)


@scene
async def test_a_late_answer_is_dropped_and_relabels_the_fault() -> None:
    clock = PATIENT._replace(cap_ms=700)
    game, bots = await played({0: honest}, clock, delay_s=1.0)
    assert faults(game)[0] == (0, "LATE", D)
    assert game.result.faults[0].elapsed_ms >= 700
    assert bots[0].reasons()[0].startswith("TIMEOUT: "), "told at the deadline"


@pytest.mark.parametrize("kinds", [("garbage", "empty event"), ("garbage", "garbage")])
@scene
async def test_two_seats_may_be_at_fault_in_one_round(kinds: tuple[str, str]) -> None:
    scripts = {seat: instead(3, UNREADABLE[kind]) for seat, kind in enumerate(kinds)}
    game, _ = await played(scripts)
    again, _ = await played(scripts)
    assert sorted(game.result.forfeits) == [(0, "MALFORMED"), (1, "MALFORMED")]
    assert game.result.scores == again.result.scores
    assert game.result.ranks == again.result.ranks
    assert game.result.ranks[0] == game.result.ranks[1] > game.result.ranks[2]


SECRET = "the-queen-is-mine"


class Telling(Random):
    """Writes a note at every turn."""

    def any_move(self, turn: Any) -> Any:
        turn.note(SECRET)
        return super().any_move(turn)


@scene
async def test_a_note_reaches_no_other_seat() -> None:
    async with seats({1: ""}, bot=Telling) as table:
        bot = Scripted(table, 1, honest)
        playing = asyncio.create_task(bot.play())
        game = await table.play()
        notes = {move.seat for move in game.course.moves if move.note == SECRET}
        assert notes == {0, 2}, "kept for their authors"
        for server in table.servers:
            assert server.session is not None
            server.session.close("done")
        await asyncio.wait({playing}, timeout=10)
        assert not any(SECRET in str(event) for event in bot.told)
        assert any(event.HasField("game_over") for event in bot.told)
