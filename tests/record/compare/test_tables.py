"""Partings, choices with the same view, units and marks of the tables of a board."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from golden.cases import CASES
from golden.playthrough import FOLDER, followed, read
from record.compare.boards import RULESETS, a_game, a_table, random_table, throwing
from record.games import a_transcript

from arena import games
from arena.record.compare import (
    Digest,
    MarkKind,
    Told,
    choices_at,
    diagram,
    differences,
    facts_of,
    first_difference,
    majority_parting,
    margin,
    marks,
    score,
    units,
)
from arena.record.compare.words import amount, did, signed, tables_word
from arena.record.replay import replay
from arena.record.results import Verdict
from arena.record.transcript import PlayedMove, Transcript

OPTIONS = {
    "goat": {"max_deals": 2},
    "crowsnest": {"max_hands": 2},
    "crow_and_pitcher": {"players": 3, "rounds": 2},
    "tournament": {"max_hands": 2},
}


def test_first_difference_of_two_games() -> None:
    game = a_game("crowsnest")
    plain, same = a_table(game, "a"), a_table(game, "b")
    assert first_difference(plain, same) is None
    other = a_table(game, "c", override=throwing(12))
    parting = first_difference(plain, other)
    assert parting is not None
    assert (parting.turn, parting.seat) == (12, plain.transcript.moves[12].seat)
    assert (parting.own, parting.other) == (plain.transcript.moves[12].move, other.transcript.moves[12].move)
    broken_off = plain._replace(transcript=replace(other.transcript, moves=other.transcript.moves[:12]))
    assert first_difference(plain, broken_off) is None
    assert first_difference(plain, a_table(game, "d", board=2)) is None


def test_where_each_table_left_what_most_did() -> None:
    game = a_game("crow_and_pitcher")
    tables = [a_table(game, f"plain-{number}") for number in range(4)]
    tables += [a_table(game, f"left-{turn}", override=throwing(turn)) for turn in (3, 9)]
    parted = majority_parting(tables)
    assert {name: each.turn for name, each in parted.items()} == {"cup-left-3": 3, "cup-left-9": 9}
    early = parted["cup-left-3"]
    assert (early.most, early.chose, early.tables) == (tables[0].transcript.moves[3].move, 5, 6)
    assert parted["cup-left-9"].tables == 5, "the one that had left is not counted"
    pair = majority_parting([tables[0], tables[-1]])
    assert {(each.turn, each.most, each.chose) for each in pair.values()} == {(9, "", 1)}
    assert majority_parting(tables[:1]) == {}
    void = tables[-1]._replace(transcript=replace(tables[-1].transcript, verdict=Verdict.VOID))
    assert majority_parting([*tables[:4], void]) == {}


@pytest.mark.parametrize("name", RULESETS)
def test_choices_with_the_same_view_add_up(name: str) -> None:
    game = a_game(name)
    tables = [a_table(game, bot, (bot, "basic") * 2) for bot in ("basic", "cautious", "counter")]
    tables += [random_table(game, f"r{number}") for number in range(3)]
    digest = Digest.of(tables)
    for own in tables:
        for turn, move in enumerate(own.transcript.moves):
            counts = choices_at(own, turn, digest)
            alike = [each for each in tables if each is not own and own.keys[turn] in each.keys]
            told = Counter(each.transcript.moves[each.keys.index(own.keys[turn])].move for each in alike)
            assert {count.move: count.tables for count in counts if count.tables} == dict(told)
            assert [count.move for count in counts if count.own] == [move.move]
            side = game.side_of(move.seat)
            for count in counts:
                with_it = [
                    each for each in alike if each.transcript.moves[each.keys.index(own.keys[turn])].move == count.move
                ]
                if with_it:
                    assert count.score == pytest.approx(sum(score(each, side) for each in with_it) / len(with_it))
                    assert count.margin == pytest.approx(sum(margin(each, side) for each in with_it) / len(with_it))
                else:
                    assert (count.own, count.score, count.margin) == (True, None, None)


def test_tables_that_do_not_count_are_no_measure() -> None:
    game = a_game("goat")
    tables = [a_table(game, name) for name in "abc"]
    forfeited = tables[2]._replace(transcript=replace(tables[2].transcript, verdict=Verdict.FORFEIT))
    assert sum(count.tables for count in choices_at(tables[0], 0, Digest.of([*tables[:2], forfeited]))) == 1
    assert differences([*tables[:2], forfeited]) == {"cup-a": (0, 0), "cup-b": (0, 0)}
    assert differences(tables[:1]) == {}


def test_differences_are_from_the_mean_of_the_other_tables() -> None:
    game = a_game("crow_and_pitcher")
    tables = [random_table(game, f"{board}-{number}", board=board) for board in (1, 2) for number in range(12)]
    found = differences(tables)
    for own in tables:
        others = [each for each in tables if each is not own and each.transcript.deals == own.transcript.deals]
        for side in range(4):
            mean = sum(margin(each, side) for each in others) / len(others)
            assert found[own.public_id][side] == pytest.approx(margin(own, side) - mean)


def test_keys_are_made_again_where_they_were_left_out() -> None:
    own = a_table(a_game("crow_and_pitcher"), "own")
    bare = replace(own.transcript, moves=tuple(move._replace(view_key="") for move in own.transcript.moves))
    assert Told.of(bare).keys == own.keys
    assert Told.of(bare).label == own.public_id


@pytest.mark.parametrize("name", OPTIONS)
def test_units_hold_every_turn_once_and_bring_all_points(name: str) -> None:
    transcript = a_transcript(name, OPTIONS[name])
    found = units(transcript)
    assert [turn for unit in found for turn in range(unit.first, unit.last + 1)] == list(range(len(transcript.moves)))
    check_points(transcript)
    sides = games.make(name, transcript.ruleset).sides
    total = tuple(sum(unit.scores[side] for unit in found) for side in range(len(sides)))
    assert total == tuple(transcript.scores[seats[0]] for seats in sides)
    for deal in {unit.deal for unit in found}:
        numbers = [unit.trick for unit in found if unit.deal == deal and unit.trick]
        assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("case", CASES)
def test_units_of_golden_games_bring_what_the_facts_say(case: str) -> None:
    course = followed(read((FOLDER / f"{case}.txt").read_text(encoding="utf-8").splitlines()))
    inputs = course.inputs
    moves = tuple(PlayedMove(seat, text, 1, "") for seat, text in inputs.moves)
    game = games.make(inputs.game, inputs.ruleset)
    transcript = Transcript(
        "1", game.id, game.version, inputs.ruleset, case, ("bot",) * game.seats, inputs.deals, moves,
        Verdict.FINISHED, course.scores, course.ranks, course.tiebreaks, (), (),
    )  # fmt: skip
    check_points(transcript)
    assert all(unit.label for unit in units(transcript))


def check_points(transcript: Transcript) -> None:
    """The points of the tricks of each deal are those of the game's own facts."""
    found = units(transcript)
    for deal in facts_of(transcript):
        own = [unit.points for unit in found if unit.deal == deal.number]
        told = deal.data.get("captured", deal.data.get("points", deal.data.get("scores")))
        if told is not None:
            assert [sum(points) for points in zip(*own, strict=True)] == list(told)


def test_facts_of_deals_in_a_line() -> None:
    [rook] = facts_of(a_table(a_game("crowsnest"), "own").transcript)
    assert (rook.line, rook.dealer, rook.data["bid"]) == ("W 75 yellow, made, points 35–85", 1, 75)
    [goat] = facts_of(a_table(a_game("goat"), "own").transcript)
    assert goat.line == "trump QS, points 48–72"
    [crow] = facts_of(a_table(a_game("crow_and_pitcher"), "own").transcript)
    assert crow.line == "pitchers 8 13 10 9 11 8 11 10 6"


def test_facts_of_deals_that_were_dealt_again_or_broken_off() -> None:
    text = (FOLDER / "rook-all-pass-redeal.txt").read_text(encoding="utf-8")
    inputs = read(text.splitlines())
    course = followed(inputs)
    moves = tuple(PlayedMove(seat, text, 1, "") for seat, text in inputs.moves)
    whole = Transcript(
        "1", inputs.game, "1", inputs.ruleset, "x", ("bot",) * 4, inputs.deals, moves,
        Verdict.FINISHED, course.scores, course.ranks, course.tiebreaks, (), (),
    )  # fmt: skip
    lines = [deal.line for deal in facts_of(whole)]
    assert lines[0] == "all passed, dealt again"
    assert lines[-1].endswith(f"points {'–'.join(map(str, course.facts[-1]['captured']))}")
    broken = replace(whole, moves=moves[:2], deals=whole.deals[:1], verdict=Verdict.VOID)
    assert [(deal.line, dict(deal.data)) for deal in facts_of(broken)] == [("", {})]
    assert units(broken)[-1].last == 1


def test_the_diagram_has_every_card_that_was_dealt() -> None:
    for name, extra in (("crowsnest", "nest"), ("goat", "trump card"), ("crow_and_pitcher", "pitchers")):
        deal = a_table(a_game(name), "own").transcript.deals[0]
        drawn = diagram(deal)
        assert [list(hand) for hand in drawn.hands] == deal["hands"]
        assert drawn.dealer == deal["dealer"]
        assert extra in dict(drawn.extras)
    assert dict(drawn.extras)["pitchers"] == tuple(map(str, deal["pitchers"]))


def test_marks_by_turn() -> None:
    transcript = a_transcript("goat", {"max_deals": 1}, {1: "TIMEOUT"})
    moves = list(transcript.moves)
    slow = next(turn for turn in range(5, len(moves)) if moves[turn].seat == 0)
    moves[slow] = moves[slow]._replace(elapsed_ms=1200)
    moves[slow + 1] = moves[slow + 1]._replace(elapsed_ms=900)
    transcript = replace(transcript, moves=tuple(moves))
    found = [(mark.turn, mark.kind) for mark in marks(transcript, difference=3)]
    assert found == [(1, MarkKind.FAULT), (2, MarkKind.NOTE), (3, MarkKind.DIFFERENCE), (slow, MarkKind.SLOW)]
    assert "1.2 s" in marks(transcript)[-1].text
    assert {mark.turn for mark in marks(transcript, limit_ms=1000) if mark.kind is MarkKind.SLOW} == {slow, slow + 1}
    assert all(mark.seat == transcript.moves[mark.turn].seat for mark in marks(transcript, difference=3))
    early = transcript.faults[0]._replace(turn=-1)
    assert MarkKind.FAULT not in {mark.kind for mark in marks(replace(transcript, faults=(early,)))}


def test_moves_and_numbers_in_sentences() -> None:
    seen = {spot.played.move for name in OPTIONS for spot in replay(a_transcript(name)) if spot.played is not None}
    assert {did(move).split()[0] for move in seen} <= {
        "played", "bid", "passed", "named", "discarded", "led", "beat", "dropped", "called",
    }  # fmt: skip
    assert [did(text) for text in ("G9", "bid 80", "trump green", "lead 6S 9S", "molodka")] == [
        "played G9", "bid 80", "named green trump", "led 6S 9S", "called molodka",
    ]  # fmt: skip
    assert [signed(value) for value in (12, -4.25, 0.04, -55.6, 3.0, 0)] == ["+12", "−4.2", "0", "−56", "+3", "0"]
    assert amount(-38) == "38"
    assert (tables_word(7), tables_word(1)) == ("7 other tables", "1 other table (few tables)")
