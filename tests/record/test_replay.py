"""Replay and verification: everything that can be wrong in a transcript is found, and named with its place."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from record.games import BOARD, SECRET, a_transcript

from arena import games
from arena.core.errors import TranscriptError
from arena.record.replay import replay, verify
from arena.record.results import Fault, FaultClass, Verdict
from arena.record.transcript import PlayedMove, Transcript

SHORT: dict[str, dict[str, Any]] = {"goat": {"max_deals": 2}, "crow_and_pitcher": {"rounds": 2}}
GAMES = list(games.catalog())


def one(game: str, faults: dict[int, str] | None = None) -> Transcript:
    return a_transcript(game, SHORT.get(game, {"max_hands": 2}), faults)


def refused(transcript: Transcript, **proof: Any) -> TranscriptError:
    with pytest.raises(TranscriptError) as caught:
        verify(transcript, **proof)
    return caught.value


@pytest.mark.parametrize("game", GAMES)
def test_an_honest_transcript_verifies(game: str) -> None:
    verify(one(game))
    verify(one(game), secret=SECRET, board=BOARD)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "faults",
    [
        {1: "TIMEOUT"},
        {4: "LATE", 9: "ILLEGAL", 10: "ILLEGAL"},
        {7: "CRASH"},
        {0: "CRASH", 1: "CRASH"},
        dict.fromkeys(range(12), "TIMEOUT"),
    ],
)
def test_faults_and_forfeits_verify(game: str, faults: dict[int, str]) -> None:
    transcript = one(game, faults)
    verify(transcript, secret=SECRET, board=BOARD)
    if "CRASH" in faults.values():
        assert transcript.verdict is Verdict.FORFEIT
        losers = {seat for seat, _ in transcript.forfeits}
        rules = games.make(transcript.game, transcript.ruleset)
        sides = [side for side in rules.sides if losers & set(side)]
        for seat in range(rules.seats):
            if any(seat in side for side in sides):
                assert transcript.scores[seat] == min(transcript.scores) <= rules.worst_score


@pytest.mark.parametrize("game", GAMES)
def test_replay_gives_every_position_with_what_was_known(game: str) -> None:
    transcript = one(game)
    positions = list(replay(transcript))
    assert [position.number for position in positions] == list(range(len(transcript.moves) + 1))
    rules = games.make(transcript.game, transcript.ruleset)
    for position, record in zip(positions, transcript.moves, strict=False):
        assert position.played is record
        assert position.seat == record.seat == position.view.seat
        assert position.legal is not None
        assert position.legal.allows(position.move)  # type: ignore[arg-type]
        assert rules.notation.text(position.move) == record.move  # type: ignore[arg-type]
    last = positions[-1]
    assert (last.seat, last.legal, last.move, last.played, last.view.seat) == (None, None, None, None, -1)
    assert rules.scores(last.state) == transcript.scores


def with_move(transcript: Transcript, index: int, **changes: Any) -> Transcript:
    moves = list(transcript.moves)
    moves[index] = moves[index]._replace(**changes)
    return replace(transcript, moves=tuple(moves))


def test_another_secret_or_board_does_not_give_these_cards() -> None:
    for game in GAMES:
        for proof in ({"secret": b"t" * 32, "board": BOARD}, {"secret": SECRET, "board": BOARD + 1}):
            error = refused(one(game), **proof)
            assert error.message == "the cards are not those of the seed"
            assert error.where == "deals[0]"


def test_a_later_deal_that_is_not_of_the_seed_is_found() -> None:
    transcript = one("crow_and_pitcher")
    changed = dict(transcript.deals[1])
    changed["pitchers"] = [*changed["pitchers"][:-2], changed["pitchers"][-1], changed["pitchers"][-2]]
    if changed["pitchers"] == transcript.deals[1]["pitchers"]:
        changed["pitchers"] = changed["pitchers"][:-1][::-1] + changed["pitchers"][-1:]
    forged = replace(transcript, deals=(transcript.deals[0], changed))
    error = refused(forged, secret=SECRET, board=BOARD)
    assert error.where == "deals[1]"


def test_an_illegal_move_is_named_with_what_was_legal() -> None:
    transcript = one("goat")
    error = refused(with_move(transcript, 0, move="drop 6C"))
    assert error.where == "moves[0]"
    assert "'drop 6C' is not legal" in error.message
    assert "lead" in error.fix


def test_a_move_without_meaning_a_wrong_seat_and_moves_too_many() -> None:
    transcript = one("crowsnest")
    assert refused(with_move(transcript, 0, move="hello")).where == "moves[0]"
    wrong = with_move(transcript, 5, seat=(transcript.moves[5].seat + 1) % 4)
    assert "by the rules it is seat" in refused(wrong).message
    longer = replace(transcript, moves=(*transcript.moves, PlayedMove(0, "pass", 1, "0" * 16)))
    assert refused(longer).message == "moves go on after the match is over"
    shorter = replace(transcript, moves=transcript.moves[:-1])
    assert refused(shorter).message.startswith(("the moves stop", "1 deals", "2 deals"))


def test_a_view_key_that_is_not_the_views() -> None:
    error = refused(with_move(one("goat"), 4, view_key="0123456789abcdef"))
    assert error.where == "moves[4].view_key"


def test_deals_missing_left_over_or_written_otherwise() -> None:
    transcript = one("crow_and_pitcher")
    assert "only 1 are written" in refused(replace(transcript, deals=transcript.deals[:1])).message
    assert (
        "3 deals, 2 were played" in refused(replace(transcript, deals=(*transcript.deals, transcript.deals[0]))).message
    )
    unsorted = {**transcript.deals[0], "hands": [hand[::-1] for hand in transcript.deals[0]["hands"]]}
    assert refused(replace(transcript, deals=(unsorted, transcript.deals[1]))).where == "deals[0]"


@pytest.mark.parametrize("name", ["scores", "ranks", "tiebreaks"])
def test_results_that_the_rules_do_not_give(name: str) -> None:
    transcript = one("goat")
    values = list(getattr(transcript, name))
    values[2] += 1
    error = refused(replace(transcript, **{name: tuple(values)}))
    assert error.where == name
    assert error.message == f"log says {values}, rules give {list(getattr(transcript, name))}"


def test_a_ruleset_that_is_not_whole_unknown_or_of_another_version() -> None:
    transcript = one("goat")
    part = {key: value for key, value in transcript.ruleset.items() if key != "target"}
    assert refused(replace(transcript, ruleset=part)).where == "ruleset"
    assert refused(replace(transcript, ruleset={**transcript.ruleset, "colour": 1})).where == "ruleset"
    assert refused(replace(transcript, game="whist")).message == "no game 'whist'"
    assert refused(replace(transcript, game_version="0")).where == "game_version"
    assert refused(replace(transcript, bots=("a", "b"))).where == "bots"


def test_a_move_played_for_a_silent_seat_must_be_the_default_move() -> None:
    transcript = one("crow_and_pitcher")
    rules = games.make(transcript.game, transcript.ruleset)
    chosen = (spot for spot in replay(transcript) if spot.move != rules.default_move(spot.view))
    number = next(chosen).number
    fault = Fault(transcript.moves[number].seat, "TIMEOUT", FaultClass.DECISION, number, 10)
    forged = replace(with_move(transcript, number, fault="TIMEOUT"), faults=(fault,))
    error = refused(forged)
    assert error.where == f"moves[{number}]"
    assert "the default move is" in error.message


def test_faults_moves_and_forfeits_tell_one_story() -> None:
    transcript = one("goat", {1: "TIMEOUT", 6: "CRASH"})
    verify(transcript)
    first, crash = transcript.faults
    for changes, where in [
        ({"faults": (crash,)}, "moves[1].fault"),
        ({"faults": (first,)}, "forfeits"),
        ({"faults": (first._replace(turn=2), crash)}, "faults[0]"),
        ({"faults": (first._replace(code="LATE"), crash)}, "faults[0]"),
        ({"faults": (first._replace(turn=9999), crash)}, "faults[0]"),
        ({"forfeits": ()}, "forfeits"),
        ({"forfeits": ((crash.seat, "TIMEOUT"),)}, "forfeits"),
        ({"verdict": Verdict.FINISHED}, "verdict"),
    ]:
        assert refused(replace(transcript, **changes)).where == where, changes
    third = one("goat", dict.fromkeys(range(16), "ILLEGAL"))
    soft = tuple(fault._replace(fault_class=FaultClass.DECISION) for fault in third.faults)
    assert "is no forfeit" in refused(replace(third, faults=soft)).message


def test_a_forfeit_before_the_first_turn_is_all_default_moves() -> None:
    transcript = one("goat", dict.fromkeys(range(4), "CRASH"))
    early = tuple(fault._replace(turn=-1) for fault in transcript.faults)
    verify(replace(transcript, faults=early))


def test_a_void_game_may_stop_anywhere_and_counts_nothing() -> None:
    transcript = one("goat")
    cut = replace(
        transcript,
        moves=transcript.moves[:5],
        deals=transcript.deals[:1],
        verdict=Verdict.VOID,
        scores=(),
        ranks=(),
        tiebreaks=(),
        reason="WALL",
    )
    verify(cut, secret=SECRET, board=BOARD)
    assert refused(replace(cut, scores=(0, 0, 0, 0))).where == "scores"
    last = list(replay(cut))[-1]
    assert last.seat is not None
    assert last.legal is not None
