"""What a process gets to see: one seat of a game, one seating of a board, and nothing that names either."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

import pytest
from runner.bouts import GAME, PATIENT, SECRET, Outcome, house, lasting, play, task, witness

from arena import games
from arena.core import chance, options
from arena.core.game import AnyGame
from arena.record.results import Verdict
from arena.runner.bout import Listener
from arena.store.values import StoredGame

CROW = games.make("crow_and_pitcher", {"rounds": 1, "players": 3})
TABLES = {
    "partners": (GAME, 2),
    "free for all": (CROW, 3),
}


@pytest.fixture(scope="module", params=TABLES)
def outcome(request: pytest.FixtureRequest) -> Outcome:
    """Three boards in all seatings, played by bots that note who they are and what they hold."""
    game, sides = TABLES[request.param]
    bots = {f"spy{place}": witness(3, f"spy{place}") for place in range(sides)}
    return play(task(bots, 3, sides, game))


def notes(stored: StoredGame) -> Iterator[tuple[int, dict[str, object]]]:
    """(seat, note) of every move."""
    for move in stored.result.transcript["moves"]:
        yield move["seat"], json.loads(move["note"])


def processes(stored: StoredGame) -> dict[int, set[object]]:
    """By seat: the process ids that played there."""
    found: dict[int, set[object]] = {}
    for seat, note in notes(stored):
        found.setdefault(seat, set()).add(note["pid"])
    return found


def test_a_process_serves_one_seat_of_a_game(outcome: Outcome) -> None:
    for stored in outcome.games:
        by_seat = processes(stored)
        assert set(by_seat) == set(range(outcome.game.seats))
        assert all(len(pids) == 1 for pids in by_seat.values())
        assert len(set.union(*by_seat.values())) == outcome.game.seats


def test_a_process_serves_one_seating_of_a_board(outcome: Outcome) -> None:
    """No process ever knows a hand of a board from a seating before."""
    for _board, group in groupby(sorted(outcome.games, key=lambda game: game.key.board), lambda game: game.key.board):
        seatings = [set.union(*processes(stored).values()) for stored in group]
        assert len(seatings) == len(outcome.game.sides)
        assert len(set.union(*seatings)) == sum(map(len, seatings))


def test_the_hands_are_the_same_in_every_seating(outcome: Outcome) -> None:
    """Which is why the above matters."""
    for board in (1, 2, 3):
        hands = []
        for seating in range(len(outcome.game.sides)):
            first: dict[int, object] = {}
            for seat, note in notes(outcome.board(board, seating)):
                first.setdefault(seat, note["hand"])
            hands.append(first)
        assert all(hand == hands[0] for hand in hands)


def test_one_process_plays_all_boards_of_its_generation(outcome: Outcome) -> None:
    competitors = {stored.bots for stored in outcome.games}
    assert len(competitors) == len(outcome.game.sides)
    assert len(outcome.heard) == outcome.game.seats * len(outcome.game.sides)
    for heard in outcome.heard:
        assert [line["game"] for line in heard.of("start")] == [1, 2, 3]
        assert len(heard.of("over")) == 3
        assert [line["reason"] for line in heard.of("goodbye")] == ["done"]


def test_game_start_says_what_a_seat_may_know_and_no_more(outcome: Outcome) -> None:
    game = outcome.game
    for board in (1, 2, 3):
        seed = chance.board_seed(SECRET, game.id, game.describe(), board)
        for seating in range(len(game.sides)):
            started = outcome.started(board, seating)
            assert set(started) == set(range(game.seats)), "the seed is the seat's own in every seating"
            for seat, (_heard, fields) in started.items():
                partners = [other for other in game.sides[game.side_of(seat)] if other != seat]
                expected = {
                    "game": fields["game"],
                    "ruleset": game.id,
                    "options": {
                        name: json.dumps(value, separators=(",", ":"))
                        for name, value in options.to_data(game.ruleset).items()
                    },
                    "seats": game.seats,
                    "clock": [PATIENT.bank_ms, PATIENT.increment_ms, PATIENT.cap_ms],
                    "seed": chance.bot_seed(seed, seat),
                }
                if seat:
                    expected["seat"] = seat
                if partners:
                    expected["partner"] = partners[0]
                assert fields == expected


def test_seats_move_round_the_table_with_the_seating(outcome: Outcome) -> None:
    sides = len(outcome.game.sides)
    for stored in outcome.games:
        for seat in range(outcome.game.seats):
            place = (outcome.game.side_of(seat) + stored.key.seating) % sides
            assert stored.bots[seat] == f"spy{place}"


def test_every_game_of_its_own_process_when_asked_to() -> None:
    outcome = play(task({"one": witness(3, "one"), "two": witness(3, "two")}, 3, isolation="game"))
    pids = [set.union(*processes(stored).values()) for stored in outcome.games]
    assert len(set.union(*pids)) == 12


def test_games_that_are_stored_already_are_not_played() -> None:
    bout = task(
        {"one": witness(3, "one"), "two": witness(3, "two")}, 3, 2, skip=frozenset({(1, 0), (2, 0), (3, 0), (2, 1)})
    )
    assert [(game.key.board, game.key.seating) for game in play(bout).games] == [(1, 1), (3, 1)]


def test_no_game_begins_once_it_is_stopping() -> None:
    def listen(played: list[StoredGame]) -> Listener:
        return Listener(played.append, stopping=lambda: len(played) >= 2)

    outcome = play(task({"one": witness(1, "one"), "two": witness(1, "two")}, 5, 2), listen)
    assert [(game.key.board, game.key.seating) for game in outcome.games] == [(1, 0), (2, 0)]
    assert all(game.result.verdict is Verdict.FINISHED for game in outcome.games)


MIRRORS = {
    "crowsnest": GAME,
    "goat": games.make("goat").single_deal(),
    "crow": CROW,
}


@pytest.mark.parametrize("name", MIRRORS)
def test_identical_bots_mirror_each_other_and_swing_nothing(name: str) -> None:
    """A free test of the whole arena: seeds, seatings, processes and scores, all at once."""
    game: AnyGame = MIRRORS[name]
    sides = len(game.sides)
    bots = {f"copy{place}": replace(house("random"), name=f"copy{place}") for place in range(sides)}
    outcome = play(task(bots, 4, sides, game))
    assert len(outcome.games) == 4 * sides
    for board in range(1, 5):
        seatings = [outcome.board(board, seating) for seating in range(sides)]
        first, *others = [
            (stored.result.scores, [move["move"] for move in stored.result.transcript["moves"]]) for stored in seatings
        ]
        assert all(other == first for other in others)
        sums = dict.fromkeys(bots, 0.0)
        for stored in seatings:
            for seats in game.sides:
                sums[stored.bots[seats[0]]] += stored.result.scores[seats[0]]
        assert len(set(sums.values())) == 1
    assert len({outcome.board(board).result.scores for board in range(1, 5)}) > 1


def test_concurrent_games_do_not_touch_each_other() -> None:
    bots = {"one": "random", "two": "basic"}
    together = play(task({name: house(bot, 8) for name, bot in bots.items()}, 6))
    in_turn = play(task({name: house(bot, 1) for name, bot in bots.items()}, 6))
    assert [lasting(game) for game in together.games] == [lasting(game) for game in in_turn.games]
