"""Games as plain text: what is said, what is hidden, and that the pieces make the whole."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from games.goat.tables import BALLS, at, balls, defaults_to_the_end, goat
from golden.cases import CASES
from golden.playthrough import FOLDER, read
from record.games import a_transcript

from arena import games
from arena.core.game import DealtBoard
from arena.record.rendering import rendered
from arena.record.replay import replay
from arena.record.results import Verdict
from arena.record.text import Narrator, seat_names, side_names


def told(name: str, bots: tuple[str, ...] = ("fox", "owl", "fox", "owl"), **style: Any) -> str:
    """A golden transcript as text."""
    inputs = read((FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines())
    game = games.make(inputs.game, inputs.ruleset)
    state = game.start(DealtBoard(inputs.deals))
    narrator = Narrator(game, bots, **style)
    text = narrator.opening(state, "7f3a")
    for seat, move_text in inputs.moves:
        move = game.notation.parse(move_text)
        after = game.apply(state, move)
        text += narrator.move(state, seat, move, after)
        state = after
    return text + narrator.ending(state)


def lines_of(name: str, label: str, **style: Any) -> list[str]:
    return [line for line in told(name, **style).splitlines() if line.startswith(label)]


def test_an_auction_with_a_passed_out_deal() -> None:
    text = told("rook-all-pass-redeal")
    assert text.startswith("CrowsNest, board 7f3a\nS fox  W owl  N fox  E owl\n\nhand 1, dealer ")
    first, second = lines_of("rook-all-pass-redeal", "auction")
    assert first.count("pass") == 4
    assert second.endswith("pass      declarer " + second.split("declarer ")[1])
    assert "result   all passed, dealt again\n\nhand 1, dealt again (1), dealer " in text


def test_a_hand_that_all_passed() -> None:
    text = told("rook-all-pass-zero")
    assert "result   all passed\n" in text
    assert "final    fox 0   owl 0      draw: fox, owl\n" in text


def test_a_forced_bid() -> None:
    assert len(lines_of("rook-forced-bid", "result   all passed, dealt again")) == 10
    assert lines_of("rook-forced-bid", "auction")[10].count("70") == 2


def test_results_of_hands_and_sudden_death() -> None:
    assert lines_of("rook-sudden-death", "result") == [
        "result   fox 60 (bid 60 made, +60)   owl 60",
        "result   fox 55   owl 65 (bid 60 made, +65)",
    ]
    assert lines_of("rook-sudden-death", "final") == ["final    fox 115   owl 125      owl wins"]


@pytest.mark.parametrize("name", CASES)
def test_trick_lines_tell_all_points(name: str) -> None:
    """What the tricks of a deal brought each side adds up to the result of the deal."""
    seats = 3 if name == "crow-of-three" else 4
    bots = ("a", "b", "c") if seats == 3 else ("a", "b", "c", "d") if name.startswith("crow-") else ("a", "b", "a", "b")
    text = told(name, bots)
    sums: dict[str, int] = {}
    for line in text.splitlines():
        if line.startswith("trick"):
            parts = line.replace("−", "-").split("    ", 1)
            outcome = parts[1].split() if len(parts) > 1 else []
            for bot, points in pairwise(outcome):
                if bot in bots and points[0] in "+-":
                    sums[bot] = sums.get(bot, 0) + int(points)
        elif line.startswith("result") and "all passed" not in line:
            words = line.replace("−", "-").replace("(", " (").split()
            for bot, points in pairwise(words):
                if bot in bots:
                    assert sums.get(bot, 0) == int(points), line
            sums = {}


def test_goat_tells_trump_drops_and_molodkas() -> None:
    text = told("goat-molodka", hands=True)
    assert ", trump hearts (7H shown)\n" in text
    assert "W molodka 7D 8D QD AD  N drop 8C AC 9H 7S" in text
    assert "\n  stock    10H 6S " in text
    asked = lines_of("goat-molodka-before-trick", "asked")
    assert asked[0].count("pass") == 4
    assert any(" S molodka " in line for line in lines_of("goat-molodka-before-trick", "trick"))


def test_crow_tells_the_pitcher_of_every_trick() -> None:
    tricks = lines_of("crow-thirst-not-yet-led", "trick", bots=("a", "b", "c", "d"))
    assert len(tricks) == 9
    assert all("  pitcher " in line or " pitcher " in line for line in tricks)


@pytest.mark.parametrize("name", CASES)
def test_ascii_is_ascii_and_says_the_same(name: str) -> None:
    bots = ("a", "b", "c") if name == "crow-of-three" else ("a", "b", "a", "b")
    plain = told(name, bots, ascii_only=True)
    assert plain.isascii()
    assert plain == told(name, bots).replace(" · ", " | ").replace("−", "-")


@pytest.mark.parametrize("name", ["crowsnest", "red-one", "goat", "goat-no-tricks"])
def test_other_eyes_do_not_see_discards_and_drops(name: str) -> None:
    inputs = read((FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines())
    for eyes in range(4):
        text = told(name, eyes=eyes)
        for seat, move in inputs.moves:
            kind, _, cards = move.partition(" ")
            if kind in ("drop", "discard") and seat != eyes:
                assert (cards if kind == "discard" else move) not in text
                assert f"{seat_names(4)[seat]} {kind} {len(cards.split())}" in text or kind == "discard"
            elif kind in ("drop", "discard"):
                assert cards in text


def test_hands_are_written_out_on_demand() -> None:
    assert "\n  nest     " in told("crowsnest", hands=True)
    assert "\n  pitchers " in told("crow-of-four", ("a", "b", "c", "d"), hands=True)
    assert "\n  S        " not in told("crowsnest")


@pytest.mark.parametrize("game", games.catalog())
def test_a_transcript_is_told_whole_and_up_to_a_turn(game: str) -> None:
    transcript = a_transcript(game, {})
    pieces = list(rendered(transcript, board="3"))
    text = "".join(pieces)
    assert len(pieces) == len(transcript.moves) + 2
    assert text.endswith(" wins\n") or "draw: " in text
    assert not any(line.endswith(" ") for line in text.splitlines())
    for turns in (0, 1, 5):
        cut = "".join(rendered(transcript, board="3", turns=turns))
        assert text.startswith(cut.rstrip("\n"))
        assert len(cut) < len(text)


def test_moves_for_silent_seats_and_forfeits_are_marked() -> None:
    transcript = a_transcript("goat", {"max_deals": 1}, {0: "TIMEOUT", 3: "CRASH"})
    text = "".join(rendered(transcript))
    assert "(TIMEOUT)" in text
    assert "(CRASH)" in text
    seat = transcript.forfeits[0][0]
    assert f"\n{seat_names(4)[seat]} bot{seat % 2} forfeits: CRASH\n" in text
    assert f"bot{seat % 2} −6" in text.splitlines()[-1]


def test_a_void_game_says_why() -> None:
    transcript = a_transcript("goat", {"max_deals": 1})
    void = replace(
        transcript,
        moves=transcript.moves[:6],
        verdict=Verdict.VOID,
        scores=(),
        ranks=(),
        tiebreaks=(),
        reason="WALL",
    )
    assert "".join(rendered(void)).endswith("\nvoid: WALL\n")


def test_the_result_says_goat_with_balls() -> None:
    game = goat(max_deals=1)
    level = defaults_to_the_end(game, at(game, balls(), moves=BALLS))
    assert Narrator(game).ending(level).endswith("      draw: S/N, W/E; goat with balls\n")
    other = defaults_to_the_end(game, at(game, balls()))
    assert "balls" not in Narrator(game).ending(other)


def test_names_of_seats_and_sides() -> None:
    rook, crow = games.make("crowsnest"), games.make("crow_and_pitcher", {"players": 3})
    assert seat_names(4) == ("S", "W", "N", "E")
    assert seat_names(3) == ("1", "2", "3")
    assert side_names(rook) == ("S/N", "W/E")
    assert side_names(rook, ["fox", "owl", "fox", "owl"]) == ("fox", "owl")
    assert side_names(rook, ["fox", "fox", "fox", "fox"]) == ("S/N fox", "W/E fox")
    assert side_names(rook, ["fox", "owl", "elk", "owl"]) == ("S/N elk+fox", "owl")
    assert side_names(crow, ["fox", "owl", "fox"]) == ("1 fox", "owl", "3 fox")


def test_pieces_grow_an_open_line() -> None:
    transcript = a_transcript("crowsnest", {"max_hands": 1})
    game = games.make(transcript.game, transcript.ruleset)
    narrator = Narrator(game)
    positions = list(replay(transcript))
    narrator.opening(positions[0].state)
    pieces = [
        narrator.move(spot.state, spot.seat, spot.move, after.state)  # type: ignore[arg-type]
        for spot, after in pairwise(positions)
    ]
    plays = [piece for piece, record in zip(pieces, transcript.moves, strict=True) if len(record.move.split()) == 1]
    assert any("\n" not in piece for piece in plays)
    assert sum(piece.endswith("\n") for piece in pieces[-36:]) == 9
