"""Who is taken out of an event, when, and what a lift forgives."""

from __future__ import annotations

from collections.abc import Iterable

from arena.record.results import Bout, Conduct, Fault, FaultClass, GameKey
from arena.tournament.quarantine import Quarantine, Watch, quarantined, without

F, D, Q = FaultClass.FORFEIT, FaultClass.DECISION, FaultClass.QUARANTINE
BOTS = ("fox", "owl", "fox", "owl")


def fault(seat: int = 0, code: str = "CRASH", kind: FaultClass = F, process: str = "") -> Fault:
    return Fault(seat, code, kind, 5, 10, "", process)


def games(faults: dict[int, list[Fault]], count: int = 40, rounds: int = 1) -> list[Conduct]:
    """Games 0, 1, ... of fox and owl in canonical order, spread evenly over rounds; by number: the faults."""
    each = count // rounds
    return [
        Conduct(GameKey(1 + number // each, 1 + number // 2, 1, number % 2), BOTS, tuple(faults.get(number, ())))
        for number in range(count)
    ]


def test_three_forfeits_in_twenty_games_and_the_next_round_goes_without() -> None:
    played = games({2: [fault()], 8: [fault(code="TIMEOUT")], 21: [fault()]})
    assert quarantined(played) == {
        "fox": Quarantine(
            "fox",
            2,
            "3 forfeits in its last 20 games (CRASH, TIMEOUT)",
            (played[2].key, played[8].key, played[21].key),
            ("CRASH", "TIMEOUT", "CRASH"),
        )
    }


def test_three_forfeits_in_twenty_one_games_are_no_quarantine() -> None:
    assert quarantined(games({2: [fault()], 8: [fault()], 22: [fault()]})) == {}


def test_the_first_games_of_a_bot_are_judged_as_well() -> None:
    found = quarantined(games({0: [fault()], 1: [fault()], 2: [fault()]}))
    assert found["fox"].reason == "3 forfeits in its last 3 games (CRASH)"


def test_decision_faults_are_no_forfeits() -> None:
    assert quarantined(games({key: [fault(kind=D), fault(kind=D)] for key in range(40)})) == {}


def test_one_exit_counts_once_whatever_number_of_games_it_ends() -> None:
    ended = {key: [fault(process="fox-1#1")] for key in range(10)}
    assert quarantined(games(ended)) == {}
    ended |= {12: [fault(process="fox-1#2")], 13: [fault(process="fox-1#3")]}
    assert [key.board for key in quarantined(games(ended))["fox"].games] == [1, 7, 7]


def test_two_seats_of_one_bot_make_one_forfeit_a_game() -> None:
    both = [fault(0, process="fox-1"), fault(2, process="fox-2")]
    assert quarantined(games({1: both, 2: both, 3: [fault(0, process="fox-3"), fault(2, process="fox-2")]})) == {}


def test_a_forfeit_without_an_exit_counts_beside_one_that_counted_already() -> None:
    many = [fault(0, process="fox-1"), fault(2, "TIMEOUT")]
    assert quarantined(games({1: many, 2: many, 3: many}))["fox"].codes == ("CRASH", "TIMEOUT", "TIMEOUT")


def test_an_attempt_puts_a_bot_out_at_once() -> None:
    found = quarantined(games({30: [fault(1, "BAD_TOKEN", Q)]}, rounds=2))
    assert found == {
        "owl": Quarantine("owl", 3, "BAD_TOKEN: an attempt on identity", (GameKey(2, 16, 1, 0),), ("BAD_TOKEN",))
    }


def test_the_other_side_is_not_touched() -> None:
    assert set(quarantined(games({key: [fault()] for key in range(9)}))) == {"fox"}


def test_the_round_of_the_third_forfeit_is_the_last_one() -> None:
    faults = {9: [fault()], 10: [fault()], 19: [fault()]}
    assert quarantined(games(faults, rounds=4))["fox"].since_round == 3


def test_what_was_lifted_is_forgiven_and_the_count_starts_anew() -> None:
    faults = {1: [fault()], 2: [fault()], 3: [fault()], 10: [fault()], 11: [fault()]}
    played = games(faults, rounds=4)
    assert quarantined(played)["fox"].since_round == 2
    assert quarantined(played, {"fox": 1}) == {}
    again = games(faults | {25: [fault()]}, rounds=4)
    found = quarantined(again, {"fox": 1})["fox"]
    assert found.since_round == 4
    assert [key.round for key in found.games] == [2, 2, 3]
    assert quarantined(again, {"fox": 3}) == {}
    assert quarantined(again, {"owl": 4})["fox"].since_round == 2


def test_round_after_round_it_says_the_same_as_all_at_once() -> None:
    played = games({2: [fault()], 8: [fault()], 15: [fault()], 33: [fault(1, "BAD_TOKEN", Q)]}, rounds=4)
    watch = Watch({})
    seen: list[Iterable[str]] = []
    for number in range(1, 5):
        for game in played:
            if game.key.round == number:
                watch.add(game)
        seen.append(list(watch.out))
        assert watch.out == quarantined([game for game in played if game.key.round <= number])
    assert seen == [[], ["fox"], ["fox"], ["fox", "owl"]]


def test_the_bouts_of_who_is_out_are_left_out() -> None:
    bouts = [
        Bout(2, table, lineup, (1,), ((0, 1),), 2)
        for table, lineup in enumerate([("fox", "owl"), ("elk", "owl"), ("elk", "fox")], 1)
    ]
    assert [bout.table for bout in without(bouts, {"fox"})] == [2]
    assert list(without(bouts, ())) == bouts
