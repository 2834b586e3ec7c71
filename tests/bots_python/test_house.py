"""House bots play every ruleset legally, the same game again, and differ in strength."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import arena_house
import pytest
from arena_bot import Bot, CrowTurn, RookTurn, Table
from arena_house import BOTS
from arena_house.crow_play import Unseen
from arena_house.goat_play import hidden
from arena_house.rook_seen import Seen
from bots_python.practice import RULESETS, Practice, Step, game_start, measure

from arena.core.chance import board_seed, bot_seed
from arena.core.game import SeededBoard
from arena.games import make
from arena.wire.moves import decode_move

OTHERS: dict[str, tuple[str, dict[str, object]]] = {
    "goat before_trick": ("goat", {"molodka": "before_trick"}),
    "goat off": ("goat", {"molodka": "off"}),
    "crowsnest without the Crow": ("crowsnest", {"rook": False}),
    "tournament without the Rook": ("tournament", {"rook": False}),
    "crow flat": ("crow_and_pitcher", {"card_points": "flat", "void_play": "must_thirst"}),
    "crow inverse": ("crow_and_pitcher", {"card_points": "inverse", "players": 3}),
}
EVERYTHING = {**RULESETS, **OTHERS}
PLAYERS: dict[str, type[Bot]] = {"empty": type("Empty", (Bot,), {}), **BOTS}


def play(name: str, bots: list[type[Bot]], board: int = 0) -> list[Step]:
    game_id, options = EVERYTHING[name]
    steps: list[Step] = []
    Practice(make(game_id, {**options, **short(game_id)})).play(board_seed(b"house", name, "", board), bots, steps)
    return steps


def short(game_id: str) -> dict[str, object]:
    """A match of a few deals."""
    return {"crow_and_pitcher": {"rounds": 2}, "goat": {"max_deals": 3}}.get(game_id, {"max_hands": 3})


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("name", EVERYTHING)
def test_whole_games_are_legal(name: str, player: str) -> None:
    for board in range(2):
        steps = play(name, [PLAYERS[player]] * make(*EVERYTHING[name]).seats, board)
        assert steps
        assert all(step.legal for step in steps)


@pytest.mark.parametrize("player", BOTS)
@pytest.mark.parametrize("name", ["red_one", "goat", "crow_and_pitcher"])
def test_a_bot_plays_the_same_game_again(name: str, player: str) -> None:
    seats = make(*EVERYTHING[name]).seats
    first, again = (play(name, [BOTS[player]] * seats) for _ in range(2))
    assert [step.reply for step in first] == [step.reply for step in again]


@pytest.mark.parametrize("player", BOTS)
def test_a_bot_keeps_nothing_between_games(player: str) -> None:
    """Two games in one process, turn by turn in exchange, are played as each would be alone."""
    names = ("buckeye", "goat")
    alone = {name: [step.reply for step in play(name, [BOTS[player]] * 4)] for name in names}
    tables = [Table(BOTS[player]) for _ in range(4)]
    running: dict[int, Any] = {}
    for number, name in enumerate(names, 1):
        game = make(EVERYTHING[name][0], short(name))
        seed = board_seed(b"house", name, "", 0)
        running[number] = [name, Practice(game), game.start(SeededBoard(seed)), 0]
        for seat, table in enumerate(tables):
            table.start(game_start(game, number, seat, bot_seed(seed, seat)))
    mixed: dict[str, list[Any]] = {name: [] for name in names}
    while running:
        for number, entry in list(running.items()):
            name, practice, state, turn = entry
            seat = practice.game.to_move(state)
            if seat is None:
                del running[number]
                continue
            message = practice.turn(state, turn, number)
            reply = tables[seat].turn(message)
            chosen = reply.move if reply.HasField("move") else message.legal.moves[reply.choice]
            entry[2:] = [practice.game.apply(state, decode_move(chosen)), turn + 1]
            reply.game = 1
            mixed[name].append(reply)
    assert mixed == alone


@pytest.mark.parametrize("name", [name for name in RULESETS if name != "goat"])
def test_what_counter_believes_of_hands_is_true(name: str) -> None:
    """Voids it knows are voids, sizes are sizes, and every card elsewhere is among the unseen ones."""
    game = make(EVERYTHING[name][0], {**EVERYTHING[name][1], **short(EVERYTHING[name][0])})
    practice, checked = Practice(game), 0
    states: list[Any] = []

    class Checking(BOTS["counter"]):  # type: ignore[misc]
        def play(self, turn: RookTurn | CrowTurn) -> Any:
            nonlocal checked
            hands = states[-1].hands
            others = [seat for seat in range(game.seats) if seat != turn.seat]
            if isinstance(turn, RookTurn):
                seen: Any = Seen(turn)
                assert [seen.hands[seat] for seat in others] == [len(hands[seat]) for seat in others]
                unseen, suit = set(seen.unseen), lambda card: turn.rules.colour(card, turn.trump)
            else:
                seen = Unseen(turn)
                unseen, suit = set(seen.cards), lambda card: card >> 4
            for seat in others:
                assert set(hands[seat]) <= unseen
                empty = [colour for colour in range(4) if seen.void[seat][colour]]
                assert not [card for card in hands[seat] if suit(card) in empty]
                checked += len(empty)
            return super().play(turn)

    original = practice.turn

    def turn(state: Any, number: int, game_number: int) -> Any:
        states.append(state)
        return original(state, number, game_number)

    practice.turn = turn  # type: ignore[method-assign]
    for board in range(3):
        practice.play(board_seed(b"true", name, "", board), [Checking] * game.seats)
    assert checked


def test_what_counter_believes_of_goat_hands_is_true() -> None:
    game = make("goat", {"max_deals": 8})
    practice = Practice(game)
    states: list[Any] = []

    class Checking(BOTS["counter"]):  # type: ignore[misc]
        def answer(self, turn: Any) -> Any:
            unseen = set(hidden(turn))
            others = [card for seat, hand in enumerate(states[-1].hands) if seat != turn.seat for card in hand]
            assert set(others) <= unseen
            return super().answer(turn)

    original = practice.turn
    practice.turn = lambda state, *rest: states.append(state) or original(state, *rest)  # type: ignore[method-assign]
    for board in range(12):
        practice.play(board_seed(b"true", "goat", "", board), [Checking] * 4)
    assert any(4 in state.acts for state in states), "a molodka is among them"


@pytest.mark.parametrize("name", RULESETS)
def test_the_bots_differ_in_strength(name: str) -> None:
    """A small sample with wide margins; docs/measurements.md has the real one."""
    assert measure(name, BOTS["basic"], BOTS["random"], 24).share > 0.7
    assert measure(name, BOTS["cautious"], BOTS["random"], 24).share > 0.6
    assert measure(name, BOTS["counter"], BOTS["random"], 16).share > 0.75
    assert measure(name, BOTS["counter"], BOTS["basic"], 40).share > 0.5


def test_every_bot_has_its_folder() -> None:
    folder = Path(arena_house.__file__).parent
    for name in BOTS:
        manifest = tomllib.loads((folder / name / "bot.toml").read_text())
        assert manifest == {
            "name": name,
            "games": ["*"],
            "command": ["python3", "-m", "arena_house", name],
            "concurrent_games": 64,
        }
