"""Sentences, count lines, pairs and text: what is said in words."""

from __future__ import annotations

import re
from typing import Any

import pytest
from laws.course import random_match
from laws.rulesets import FULL, game_of
from web.table.positions import find, scene_at, seen_by

from arena.core.game import AnyGame
from arena.web.table import as_text, count_line, sentence
from arena.web.table.acts import pairing, pairs_text
from arena.web.table.crow import counts_as, line_of

NAMES = ("South", "West", "You", "East")


def said(game: AnyGame, spot: Any, eyes: tuple[int, ...] = (), after: bool = False) -> str:
    view = seen_by(game, spot.state, -1)[-1]
    then = seen_by(game, game.apply(spot.state, spot.move), -1)[-1] if after else None
    text = game.notation.text(spot.move)
    return sentence(game, NAMES[: game.seats], spot.seat, text, view, then, eyes=eyes)


@pytest.mark.parametrize(
    ("game", "seat", "move", "told"),
    [
        ("crowsnest", 1, "G9", "West plays green 9."),
        ("crowsnest", 1, "ROOK", "West plays the Crow."),
        ("buckeye", 2, "ROOK", "You play the Rook."),
        ("crowsnest", 2, "bid 80", "You bid 80."),
        ("crowsnest", 0, "pass", "South passes."),
        ("crowsnest", 2, "pass", "You pass."),
        ("crowsnest", 3, "trump black", "East names black trump."),
        ("crowsnest", 3, "discard B5 G10", "East discards 2 cards."),
        ("crow", 0, "T7", "South plays thirst 7."),
        ("goat", 1, "lead 6S 9S", "West leads 6 of spades and 9 of spades."),
        ("goat", 2, "beat 7H 10S", "You beat with 7 of hearts and 10 of spades."),
        ("goat", 1, "drop 6C", "West drops 1 card face down."),
        ("goat", 1, "molodka", "West calls molodka: cards of the trick go back."),
    ],
)
def test_one_sentence_a_move(game: str, seat: int, move: str, told: str) -> None:
    assert sentence(game_of(game), NAMES, seat, move, {}) == told


def test_hidden_cards_are_named_to_those_who_may_know() -> None:
    game = game_of("goat")
    told = sentence(game, NAMES, 2, "drop 6C JC", {}, eyes=(2,))
    assert told == "You drop 6 of clubs and jack of clubs face down."
    assert sentence(game, NAMES, 2, "drop 6C JC", {}, eyes=(1,)) == "You drop 2 cards face down."
    assert sentence(game_of("crowsnest"), NAMES, 1, "discard B5 G10", {}, eyes=(1,)) == (
        "West discards black 5 and green 10."
    )


def test_declining_when_asked_is_no_pass() -> None:
    assert sentence(game_of("goat"), NAMES, 1, "pass", {"phase": "ask"}) == "West calls no molodka."


@pytest.mark.parametrize("name", FULL)
def test_tricks_and_deals_end_with_a_sentence(name: str) -> None:
    game = game_of(name)
    taken = ended = 0
    for spot in random_match(game, 1):
        if spot.seat is None:
            continue
        told = said(game, spot, after=True)
        assert told.endswith(".")
        taken += "the trick, " in told
        ended += "The deal is over" in told or "All passed" in told
    assert taken >= 3
    assert ended >= 1


def test_the_end_of_an_auction_is_said() -> None:
    game = game_of("crowsnest")
    spots = random_match(game, 1)
    last = max(at for at, spot in enumerate(spots) if seen_by(game, spot.state, -1)[-1]["phase"] == "auction")
    data = seen_by(game, spots[last + 1].state, -1)[-1]
    name = NAMES[data["bidder"]]
    assert said(game, spots[last], after=True).endswith(
        f"{name} {'have' if name == 'You' else 'has'} the bid at {data['bid']}."
    )


def test_a_molodka_names_the_cards_that_it_leads() -> None:
    game = game_of("goat")
    spots = [spot for number in range(1, 60, 2) for spot in random_match(game, number)]
    spot = next(spot for spot in spots if spot.move is not None and game.notation.text(spot.move) == "molodka")
    told = said(game, spot, after=True)
    assert " call" in told
    assert told.count(" of ") == 5
    assert said(game, spot).count(" of ") == 1


def test_a_molodka_before_the_trick_sends_no_cards_back() -> None:
    game = game_of("goat-before-trick")
    spots = [spot for number in range(1, 60, 2) for spot in random_match(game, number)]
    called = [spot for spot in spots if spot.move is not None and game.notation.text(spot.move) == "molodka"]
    told = {spot.seat: said(game, spot, after=True) for spot in called}
    assert told[1].startswith("West calls molodka; West leads ")
    assert told[2].startswith("You call molodka; you lead ")


def test_the_end_of_a_hand_says_whether_the_bid_was_made() -> None:
    game = game_of("crowsnest")
    told = [said(game, spot, after=True) for spot in random_match(game, 1) if spot.seat is not None]
    assert [line.rsplit(" is ", 1)[1] for line in told if "; the bid of " in line] == ["lost."] * 2


@pytest.mark.parametrize(
    ("trick", "pitcher", "line"),
    [
        ("", 9, "pitcher 9, no card yet"),
        ("R4 R10 R6 T7", 9, "counted 10 of 9, full: highest red takes"),
        ("B3 B5 T2 G2", 12, "counted 10 of 12, not full: lowest blue takes, −5"),
        ("R10 R9 R8 R5", 6, "counted 5 of 6, not full: lowest red takes, −5"),
        ("T3 T8 R10", 9, "thirst led: highest thirst takes the thirst, stones and pitcher go to nobody"),
    ],
)
def test_the_count_line(trick: str, pitcher: int, line: str) -> None:
    assert line_of(trick.split(), pitcher) == line
    if trick:
        *before, last = trick.split()
        view = {"scores": [0] * 4, "played": before, "pitchers": [pitcher]}
        assert count_line(view, last) == line


def test_how_cards_count() -> None:
    parse = game_of("crow").notation.names.parse
    assert counts_as(parse("R4"), 9, False) == "counted"
    assert counts_as(parse("R10"), 9, False) == "over 9"
    assert counts_as(parse("T4"), 9, False) == "thirst"
    assert counts_as(parse("R4"), 9, True) == "lost"


@pytest.mark.parametrize(
    ("beating", "beaten", "told"),
    [
        ("9S 6H", "7S JS", ("9♠ beats 7♠", "6♥ trumps J♠")),
        ("7H 10S", "9S JS", ("7♥ trumps 9♠", "10♠ beats J♠")),
        ("7H 10S", "6H 9S", ("7♥ beats 6♥", "10♠ beats 9♠")),
        ("AH", "AD", ("A♥ trumps A♦",)),
        ("7H QH", "6H 9S", ("7♥ beats 6♥", "Q♥ trumps 9♠")),
    ],
)
def test_which_card_beats_which(beating: str, beaten: str, told: tuple[str, ...]) -> None:
    assert pairs_text(beating.split(), beaten.split(), "hearts") == told


@pytest.mark.parametrize(("beating", "beaten"), [("KS AS", "6H 9S"), ("QC", "KC"), ("AD", "KC"), ("AS KS", "QS")])
def test_sets_that_do_not_beat(beating: str, beaten: str) -> None:
    assert pairing(beating.split(), beaten.split(), "hearts") is None
    assert pairs_text(beating.split(), beaten.split(), "hearts") == ()


def test_trumps_are_spent_where_nothing_else_beats() -> None:
    found = pairs_text(["7S", "10S", "6H", "8H"], ["6S", "9S", "QS", "AS"], "hearts")
    assert sum("beats" in pair for pair in found) == 2
    assert any(pair.endswith("trumps A♠") for pair in found)


def test_every_beat_is_told_card_by_card() -> None:
    game = game_of("goat")
    beats = 0
    for number in range(1, 9, 2):
        for spot in random_match(game, number):
            scene = scene_at(game, spot, seen_by(game, spot.state, -1), 0)
            for trick in (scene.trick, scene.last):
                for play in trick.plays if trick is not None else ():
                    assert len(play.pairs) == (len(play.cards) if play.did == "beat" else 0)
                    beats += play.did == "beat"
    assert beats > 20


def test_one_is_not_told_as_many() -> None:
    game = game_of("goat")
    told: set[str] = set()
    for number in range(1, 40, 2):
        for spot in random_match(game, number):
            for _, lines in as_text(scene_at(game, spot, seen_by(game, spot.state, -1), 0)):
                told.update(lines)
    assert not [line for line in told if re.search(r"\b1 cards\b", line)]
    assert [line for line in told if "1 card unseen" in line]
    assert [line for line in told if "3 cards unseen" in line]


def test_cards_that_a_molodka_sent_back_are_in_no_trick() -> None:
    game = game_of("goat")
    spot = find(game, lambda view: "molodka" in view["acts"] and view["acts"][-1] == "molodka", range(1, 80, 2))
    scene = scene_at(game, spot, seen_by(game, spot.state, *range(4)), 0)
    assert scene.trick is not None
    assert scene.trick.plays[0].did == "called molodka"
    assert len(scene.trick.plays) == 1
    assert "went back" in scene.trick.note
    assert all(seat.count == len(seat.hand or ()) for seat in scene.seats)


def test_the_text_of_a_table_reads_in_order() -> None:
    game = game_of("crowsnest")
    spot = find(game, lambda view: len(view["played"]) == 6)
    assert spot.seat is not None
    sections = as_text(scene_at(game, spot, seen_by(game, spot.state, spot.seat), spot.seat))
    headings = [heading for heading, _ in sections]
    assert headings[0] == "CrowsNest"
    assert headings[1].endswith("to move")
    assert headings[5:7] == ["Trick 2", "Trick 1, the last one"]
    told = dict(sections)
    assert len(told["Trick 2"]) == 3
    assert any(line.startswith("trump: ") for line in told["CrowsNest"])
    assert sum("cards face down" in line for lines in told.values() for line in lines) >= 3
