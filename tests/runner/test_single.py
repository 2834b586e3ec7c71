"""Games without a store: who sits where, what they are called, and what a watcher sees."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import Any

import pytest
from runner.bouts import GAME, PATIENT, SECRET, house, lasting, nothing_left, witness

from arena import games
from arena.core.chance import board_seed
from arena.core.errors import BotError, ConfigError
from arena.core.game import SeededBoard
from arena.match.referee import MoveRecord
from arena.record.results import GameKey, Verdict
from arena.runner.single import Single, competitor_names, play_single, seat_bots

CROW = games.make("crow_and_pitcher", {"rounds": 1, "players": 3})
RANDOM, BASIC = house("random"), house("basic")


def test_one_bot_fills_the_table_and_others_sit_in_order() -> None:
    assert seat_bots(GAME, [RANDOM]) == (RANDOM, RANDOM)
    assert seat_bots(CROW, [RANDOM]) == (RANDOM,) * 3
    assert seat_bots(GAME, [RANDOM, BASIC]) == (RANDOM, BASIC)


@pytest.mark.parametrize(("game", "count"), [(GAME, 0), (GAME, 3), (GAME, 4), (CROW, 2), (CROW, 4)])
def test_any_other_number_is_refused(game: Any, count: int) -> None:
    with pytest.raises(ConfigError, match=f"{count} bots for") as wrong:
        seat_bots(game, [RANDOM] * count)
    assert wrong.value.code == "WRONG_NUMBER"


def test_a_bot_that_does_not_play_the_game_is_refused() -> None:
    goat_only = dataclasses.replace(witness(), games=("goat",))
    with pytest.raises(BotError, match="witness does not play crowsnest") as wrong:
        seat_bots(GAME, [RANDOM, goat_only])
    assert wrong.value.code == "NOT_ITS_GAME"
    assert wrong.value.saw == "games = ['goat']"


def test_names_differ_where_a_bot_sits_on_several_sides() -> None:
    assert competitor_names([RANDOM, BASIC]) == ("random", "basic")
    assert competitor_names([RANDOM, RANDOM]) == ("random", "random-2")
    assert competitor_names([RANDOM, BASIC, RANDOM, RANDOM]) == ("random", "basic", "random-2", "random-3")


def test_games_are_played_and_may_be_watched() -> None:
    """The watcher sees every move of every game, one game after the other, and changes nothing."""
    watched: list[tuple[GameKey, tuple[str, ...], list[Any]]] = []

    def watch(key: GameKey, names: tuple[str, ...]) -> Any:
        moves: list[Any] = []
        watched.append((key, names, moves))
        return lambda record, state: moves.append((record, state))

    single = Single(GAME, (RANDOM, BASIC), SECRET, boards=3, clock=PATIENT)
    with nothing_left():
        seen = asyncio.run(play_single(single, watch))
        unseen = asyncio.run(play_single(single))
    games = [[lasting(game) for game in played] for played in (seen, unseen)]
    addresses = [data.pop("public_id") for played in games for *_, data in played]
    assert games[0] == games[1]
    assert len(set(addresses)) == 6, "each game that was played has an address of its own"
    assert [game.key.board for game in seen] == [1, 2, 3]
    for game, (key, names, moves) in zip(seen, watched, strict=True):
        assert (game.key, game.bots) == (key, names)
        assert game.result.verdict is Verdict.FINISHED
        texts = [GAME.notation.text(record.move) for record, _ in moves]
        assert texts == [move["move"] for move in game.result.transcript["moves"]]
        assert all(isinstance(record, MoveRecord) for record, _ in moves)
        assert GAME.scores(moves[-1][1]) == game.result.scores


def test_a_run_that_is_cancelled_leaves_nothing() -> None:
    async def work() -> None:
        begun = asyncio.Event()

        def watch(_key: GameKey, _names: tuple[str, ...]) -> Any:
            begun.set()
            return lambda _record, _state: None

        playing = asyncio.create_task(play_single(Single(GAME, (RANDOM, BASIC), SECRET, 25, PATIENT), watch))
        await asyncio.wait_for(begun.wait(), 30)
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(playing, 30)

    with nothing_left():
        asyncio.run(work())


def test_a_board_is_what_the_secret_says() -> None:
    with nothing_left():
        [game] = asyncio.run(play_single(Single(GAME, (RANDOM, RANDOM), SECRET, clock=PATIENT)))
    state = GAME.start(SeededBoard(board_seed(SECRET, GAME.id, GAME.describe(), 1)))
    assert game.result.transcript["deals"][0] == GAME.deal_data(GAME.deals(state)[0])
    assert game.bots == ("random", "random-2", "random", "random-2")
