"""Games that others look at while they run: what they are told, what never, and that nothing is left of it."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from laws.rulesets import FULL, game_of
from runner.bouts import DEADLINE_S, faulty, house, nothing_left, task
from runner.crews import GONE_S, left, running
from secrecy.worlds import World, random_world, twin

from arena.core.chance import Chance
from arena.core.game import AnyGame
from arena.match.referee import MoveRecord
from arena.record.results import GameKey, GameResult, Verdict
from arena.runner.bout import BoutTask, Listener
from arena.runner.crew import Crew, Stop
from arena.runner.single import Single, play_single
from arena.runner.spectating import onlookers, telling
from arena.runner.spectating.onlookers import looked_on
from arena.runner.spectating.room import PLAYED, Room, sweep, told
from arena.store.values import StoredGame

KEY = GameKey(1, 1, 1, 0)
HOLDER = """
import sys, time
from pathlib import Path
from arena.runner.spectating.room import Room
Room(Path(sys.argv[1])).add({"spring-r1-b1-t1-1": b"{}\\n"})
print("told", flush=True)
time.sleep(60)
"""


def lines_of(world: World, position: int) -> list[bytes]:
    """Everything that is told of a game up to a position."""
    game, state = world.game, world.game.start(world.board)
    found = [telling.position(game, state)]
    for move, seat in list(zip(world.moves, world.seats, strict=True))[:position]:
        view = game.view(state, seat)
        state = game.apply(state, move)
        found.append(telling.position(game, state, MoveRecord(seat, move, view, 12.0, "", "a note")))
    return found


@pytest.mark.parametrize("name", FULL)
def test_nothing_is_told_that_spectators_may_not_know(name: str) -> None:
    match = random_world(game_of(name), 5)
    chance = Chance(b"told", name, 5)
    differ = 0
    for position in [chance.below(len(match.world.moves)) for _ in range(4)]:
        other = twin(match, None, position, chance)
        assert lines_of(match.world, position) == lines_of(other, position)
        differ += match.world.moves[:position] != other.moves[:position]
        assert b"a note" not in b"".join(lines_of(match.world, position))
    hidden = [move for move in match.world.moves if move.kind in telling.HIDDEN]
    assert {telling.public_text(match.world.game, move).split()[1].isdecimal() for move in hidden} <= {True}
    assert differ or not hidden


def bout(folder: Path, name: str = "crowsnest") -> BoutTask:
    game = game_of(name)
    bots = {f"b{side}": house("basic") for side in range(len(game.sides))}
    return task(bots, boards=1, game=game, live=str(folder / "live" / "spring"), event="spring")


def void(key: GameKey) -> StoredGame:
    return StoredGame(key, (), GameResult(Verdict.VOID, (), (), (), (), (), {}, "WALL", {}), "D", 1)


async def tell(given: BoutTask, world: World, position: int, looks: Callable[[], Any], period_s: float) -> Any:
    """Tell a game up to a position, look, and end it."""
    ended: list[StoredGame] = []
    async with looked_on(given, Listener(ended.append)) as listener:
        assert listener.watch is not None
        watch = listener.watch(KEY, ("a", "b") * 2)
        state = world.game.start(world.board)
        for move, seat in list(zip(world.moves, world.seats, strict=True))[:position]:
            view = world.game.view(state, seat)
            state = world.game.apply(state, move)
            watch(MoveRecord(seat, move, view, 7.0), state)
        seen: Any = None
        for _ in range(200):
            await asyncio.sleep(period_s)
            seen = looks()
            if seen is not None and len(seen) == position + 2:
                break
        listener.ended(void(KEY))
        assert [game.key for game in ended] == [KEY]
        await asyncio.sleep(3 * period_s)
        assert looks() is None, "it is over"
    return seen


def read(folder: Path) -> list[dict[str, Any]] | None:
    found = list(told(folder / "live"))
    if not found:
        return None
    assert [(each.tournament, each.public_id) for each in found] == [("spring", "spring-r1-b1-t1-1")]
    return [json.loads(line) for line in found[0].file.read_bytes().splitlines()]


def test_games_outside_of_tournaments_are_told_beside_who_plays_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(onlookers, "PERIOD_S", 0.001)
    game, live = game_of("crowsnest").single_deal(), tmp_path / "live"
    seen: list[tuple[str, str]] = []
    moves: list[MoveRecord] = []

    def watch(_key: GameKey, names: tuple[str, ...]) -> Callable[[MoveRecord, Any], None]:
        assert names == ("basic", "basic-2") * 2

        def moved(record: MoveRecord, _state: Any) -> None:
            moves.append(record)
            for each in told(live):
                heading = json.loads(each.file.read_bytes().split(b"\n")[0])
                assert heading["names"] == ["basic"] * 4
                seen.append((each.tournament, each.public_id))

        return moved

    single = Single(game, (house("basic"), house("basic")), bytes(32), live=live / PLAYED)
    (played,) = asyncio.run(play_single(single, watch))
    assert len(played.result.transcript["moves"]) == len(moves)
    assert set(seen) == {(PLAYED, played.result.transcript["public_id"])}
    assert list(told(live)) == []


@pytest.mark.parametrize("name", ["crowsnest", "crow", "goat"])
def test_a_running_game_is_told_position_by_position(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(onlookers, "PERIOD_S", 0.02)
    monkeypatch.setattr(onlookers, "SHARE", 1.0)
    world = random_world(game_of(name), 2).world
    given = bout(tmp_path, name)
    lines = asyncio.run(tell(given, world, 9, lambda: read(tmp_path), 0.02))
    assert lines[0]["names"] == ["a", "b"] * 2
    assert (lines[0]["id"], lines[0]["game"]) == ("spring-r1-b1-t1-1", world.game.id)
    game, state = world.game, world.game.start(world.board)
    for line, move in zip(lines[2:], world.moves, strict=False):
        state = game.apply(state, move)
        assert line["view"] == json.loads(json.dumps(game.view_data(game.view(state, None))))
        assert (line["next"], line["move"], line["ms"]) == (game.to_move(state), telling.public_text(game, move), 7)
    assert not list((tmp_path / "live" / "spring").iterdir())


def test_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    room = Room(tmp_path / "live" / "spring")
    room.add({"spring-r1-b1-t1-1": b"{}\n"})
    places = [room.folder, room.folder.parent, *room.folder.iterdir()]
    assert [oct(place.stat().st_mode & 0o077) for place in places] == ["0o0"] * 4
    room.close()


def test_a_short_game_is_not_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onlookers, "PERIOD_S", DEADLINE_S)

    async def play() -> None:
        async with looked_on(bout(tmp_path), Listener(lambda _: None)) as listener:
            assert listener.watch is not None
            listener.watch(KEY, ("a", "b", "a", "b"))
            await asyncio.sleep(0.05)
            listener.ended(void(KEY))

    asyncio.run(play())
    assert not (tmp_path / "live").exists()


def test_where_nothing_can_be_written_games_go_on_untold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onlookers, "PERIOD_S", 0.01)
    (tmp_path / "live").write_text("a file")

    async def play() -> list[StoredGame]:
        ended: list[StoredGame] = []
        async with looked_on(bout(tmp_path), Listener(ended.append)) as listener:
            assert listener.watch is not None
            listener.watch(KEY, ("a", "b", "a", "b"))
            await asyncio.sleep(0.1)
            listener.ended(void(KEY))
        return ended

    assert len(asyncio.run(play())) == 1


def test_nobody_looks_on_where_no_folder_is_given() -> None:
    async def play() -> None:
        listener = Listener(lambda _: None)
        async with looked_on(replace(bout(Path()), live=""), listener) as same:
            assert same is listener

    asyncio.run(play())


def test_what_a_killed_process_left_is_no_game_and_is_swept(tmp_path: Path) -> None:
    live = tmp_path / "live"
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, str(live / "spring")], stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "told\n"
        assert len(list(told(live))) == 1
        assert sweep(live) == 0
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.communicate()
    assert list(told(live)) == []
    assert sweep(live) == 1
    assert [each for each in live.rglob("*") if each.is_file()] == []


def test_a_game_of_a_worker_is_told_until_the_worker_is_killed(tmp_path: Path) -> None:
    """A bot that stays silent keeps its game running; the worker that tells it is killed with SIGKILL."""
    live = tmp_path / "live"
    bots = {"silent": faulty({"1": ["silent", 1]}), "basic": house("basic")}
    work = task(bots, boards=1, live=str(live / "arena"))

    async def play() -> list[tuple[str, bool]]:
        stop = Stop()
        playing = asyncio.create_task(anext(aiter(Crew(1, stop).play(iter([work])))))
        found: list[tuple[str, bool]] = []
        async with asyncio.timeout(DEADLINE_S):
            while not found:
                await asyncio.sleep(0.05)
                found = [(each.public_id, b'"view"' in each.file.read_bytes()) for each in told(live)]
            for process in running("runner.worker"):
                process.kill()
            assert left(running("runner.worker")) == []
            until = time.monotonic() + GONE_S
            while list(told(live)) and time.monotonic() < until:  # its name goes a moment before its files are closed
                time.sleep(0.02)
            assert list(told(live)) == []
            assert sweep(live) == 1
            stop.soft.set()
            stop.hard.set()
            playing.cancel()
            await asyncio.wait({playing})
        return found

    with nothing_left():
        assert asyncio.run(play()) == [("arena-r1-b1-t1-1", True)]


def test_cards_that_are_hidden_are_told_by_their_number() -> None:
    game: AnyGame = game_of("goat")
    assert telling.public_text(game, game.notation.parse("drop 6C 9S")) == "drop 2"
    assert telling.public_text(game, game.notation.parse("lead 6C 9C")) == "lead 6C 9C"
