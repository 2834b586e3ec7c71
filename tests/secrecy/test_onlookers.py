"""Those who look on: spectators' bytes while a game runs, and a seat's own replay, tell nothing that is hidden."""

from __future__ import annotations

import json
from typing import Any

import pytest
from arena_bot.v1 import arena_pb2 as pb
from laws.rulesets import FULL, game_of
from secrecy.tape import record
from secrecy.worlds import Match, World, random_world, twin

from arena.core.chance import Chance
from arena.record.results import Verdict
from arena.record.text import Narrator


def states(world: World, position: int) -> list[Any]:
    found = [world.game.start(world.board)]
    for move in world.moves[:position]:
        found.append(world.game.apply(found[-1], move))
    return found


def seen_by_spectators(world: World, position: int) -> list[str]:
    """Every view of spectators up to a position, as a page would send it."""
    views = [world.game.view(state, None) for state in states(world, position)]
    return [json.dumps([view, world.game.view_data(view)]) for view in views]


def told(world: World, position: int, eyes: int | None) -> str:
    """A replay as text, up to a position, with the cards as they were dealt as far as they may be told."""
    narrator = Narrator(world.game, eyes=eyes, hands=True)
    passed = states(world, position)
    text = narrator.opening(passed[0])
    for at in range(position):
        text += narrator.move(passed[at], world.seats[at], world.moves[at], passed[at + 1])
    return text + narrator.holding(passed[position])


def positions(match: Match, chance: Chance, count: int) -> list[int]:
    return [chance.below(len(match.world.moves)) for _ in range(count)]


@pytest.mark.parametrize("name", FULL)
def test_spectators_of_a_running_game_see_no_hidden_card(name: str) -> None:
    for number in (3, 4):
        match = random_world(game_of(name), number)
        chance = Chance(b"spectators", name, number)
        for position in positions(match, chance, 6):
            other = twin(match, None, position, chance)
            assert seen_by_spectators(match.world, position) == seen_by_spectators(other, position)


@pytest.mark.parametrize("name", FULL)
def test_a_replay_from_ones_own_seat_tells_what_the_seat_knew(name: str) -> None:
    differ = 0
    for number in (3, 4):
        match = random_world(game_of(name), number)
        chance = Chance(b"own replay", name, number)
        for position in positions(match, chance, 6):
            viewer = chance.below(match.world.game.seats)
            other = twin(match, viewer, position, chance)
            assert told(match.world, position, viewer) == told(other, position, viewer)
            differ += told(match.world, position, None) != told(other, position, None)
    assert differ > 6


@pytest.mark.parametrize("name", ["crowsnest", "crow", "crow-of-three", "goat"])
def test_a_forfeit_of_another_seat_is_told_after_the_game_only(name: str) -> None:
    game = game_of(name)
    match = random_world(game, 3)
    # Everyone plays default moves; in the other world one seat does so since it is out after three faults.
    state, moves, seats = game.start(match.world.board), [], []
    while (seat := game.to_move(state)) is not None:
        moves.append(game.default_move(game.view(state, seat)))
        seats.append(seat)
        state = game.apply(state, moves[-1])
    calm = match.world._replace(
        moves=tuple(moves), seats=tuple(seats), thoughts=(1 / 16,) * len(moves), notes=("",) * len(moves), blunders={}
    )
    honest = record(calm)
    for thief in range(game.seats):
        bad = record(calm._replace(blunders={at: b"\0" for at, seat in enumerate(seats) if seat == thief}))
        assert bad.result.result.verdict is Verdict.FORFEIT
        for seat in range(game.seats):
            if seat == thief:
                continue
            mine, yours = [sent.data for sent in honest.frames[seat]], [sent.data for sent in bad.frames[seat]]
            assert mine[:-1] == yours[:-1]
            [over] = pb.ArenaFrame.FromString(yours[-1]).events
            assert (over.game_over.forfeit_seat, over.game_over.reason) == (thief, "ILLEGAL")
