"""Why a side lost: planted moves are named by their turn, equal tables by nothing, faults first."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from record.compare.boards import RULESETS, a_game, a_table, random_table, throwing

from arena.core.moves import LegalList
from arena.record.compare import Digest, Swing, Told, Why, WhyKind, losing_sides, margin, units, why, why_data, worth
from arena.record.replay import replay
from arena.record.results import Fault, FaultClass, Verdict

HONEST = 8


def sides_of(table: Told) -> range:
    return range(len(table.game.sides))


def check(told: Why, own: Told, digest: Digest) -> None:
    """What holds of every answer."""
    assert 0 <= told.same <= told.tables <= len(digest.tables)
    assert (told.turn is None) == (told.seat is None)
    if told.turn is not None:
        assert own.transcript.moves[told.turn].seat == told.seat
        assert told.seat in own.game.sides[told.side]
        assert f"turn {told.turn}" in told.text
        legal = next(spot.legal for spot in replay(own.transcript) if spot.number == told.turn)
        assert legal is not None
        assert legal.total() > 1 or "forfeited" in told.text, "what is forced is no choice"
    assert told.few == ("few tables" in told.text)
    assert ("No single turn stands out" in told.text) == (told.kind is WhyKind.NOTHING)


@pytest.mark.parametrize("name", RULESETS)
def test_any_planted_move_that_costs_is_named(name: str) -> None:
    game = a_game(name)
    honest = [a_table(game, f"honest-{number}") for number in range(HONEST)]
    seen = [(spot.seat, spot.legal) for spot in replay(honest[0].transcript)]
    named = 0
    for turn, (seat, legal) in enumerate(seen):
        if not isinstance(legal, LegalList) or seat is None or legal.total() < 2:
            continue
        planted = a_table(game, "planted", override=throwing(turn))
        digest = Digest.of([planted, *honest])
        side = game.side_of(seat)
        told = why(planted, side, digest)
        check(told, planted, digest)
        if worth(planted, side) < worth(honest[0], side):
            assert (told.kind, told.turn, told.seat, told.same) == (WhyKind.STEP, turn, seat, HONEST)
            named += 1
        else:
            assert (told.kind, told.turn) == (WhyKind.NOTHING, None)
    assert named > 5


def test_the_sentence_of_a_thrown_rook() -> None:
    game = a_game("crowsnest")
    honest = [a_table(game, f"honest-{number}") for number in range(HONEST)]
    rook = next(
        spot.number
        for spot in replay(honest[0].transcript)
        if isinstance(spot.legal, LegalList)
        and len(spot.legal.moves) > 1
        and "ROOK" in map(game.notation.text, spot.legal.moves)
        and spot.played is not None
        and spot.played.move != "ROOK"
    )
    thrown = game.notation.parse("ROOK")
    planted = a_table(game, "planted", override=throwing(rook, thrown=thrown))
    digest = Digest.of([planted, *honest])
    seat = planted.transcript.moves[rook].seat
    side = game.side_of(seat)
    told = why(planted, side, digest, Swing(-55))
    lost = margin(honest[0], side) - margin(planted, side)
    assert told.text == (
        f"Lost this block by 55. Same cards at 8 other tables: mean {margin(honest[0], side):+.0f}, "
        f"here {margin(planted, side):+.0f}. The largest step came at turn {rook}: seat {'SWNE'[seat]} played ROOK; "
        f"8 of 8 tables with the same view played {honest[0].transcript.moves[rook].move} "
        f"and came out {lost:.0f} better on average."
    ).replace("-", "−")


def test_card_points_decide_where_points_are_level() -> None:
    game = a_game("goat")
    honest = [a_table(game, f"honest-{number}") for number in range(HONEST)]
    told = []
    for turn in choices_of(honest[0], 0):
        planted = a_table(game, "planted", override=throwing(turn))
        less = worth(honest[0], 0).over(worth(planted, 0))
        if less.margin == 0 and less.tie > 0:
            said = why(planted, 0, Digest.of([planted, *honest]))
            assert said.turn == turn
            assert f", with {less.tie:.0f} card points less. The largest step" in said.text
            assert said.text.endswith(f"and came out {less.tie:.0f} card points better on average.")
            told.append(said)
    assert told


@pytest.mark.parametrize("name", RULESETS)
def test_nothing_stands_out_at_identical_tables(name: str) -> None:
    tables = [a_table(a_game(name), f"t{number}") for number in range(HONEST)]
    digest = Digest.of(tables)
    for side in sides_of(tables[0]):
        told = why(tables[0], side, digest)
        check(told, tables[0], digest)
        assert told.kind is WhyKind.NOTHING
        assert told.tables == HONEST - 1


@pytest.mark.parametrize("name", RULESETS)
def test_what_holds_of_every_answer_at_tables_of_all_kinds(name: str) -> None:
    game = a_game(name)
    kinds = set()
    for board in range(4):
        bots = [("basic", "cautious"), ("cautious", "basic"), ("counter", "basic"), ("counter", "cautious")]
        tables = [a_table(game, f"h{place}", pair * 2, board=board) for place, pair in enumerate(bots)]
        tables += [random_table(game, f"r{number}", board=board) for number in range(3)]
        digest = Digest.of(tables)
        for own in tables:
            for side in losing_sides(own):
                told = why(own, side, digest)
                check(told, own, digest)
                assert "few tables" not in told.text or told.same < 5
                kinds.add(told.kind)
    assert WhyKind.STEP in kinds
    assert len(kinds) > 1


def test_a_harmless_move_early_on_is_not_blamed_for_a_later_one() -> None:
    """A part of the field made the same early choice and came out as well; what cost points came later."""
    game = a_game("crowsnest")
    plain = a_table(game, "plain")
    found = 0
    for early in choices_of(plain, 0)[:6]:
        alike = a_table(game, "early", override=throwing(early))
        if margin(alike, 0) < margin(plain, 0):
            continue
        field = [a_table(game, f"plain-{number}") for number in range(5)]
        field += [a_table(game, f"early-{number}", override=throwing(early)) for number in range(3)]
        for late in choices_of(alike, 0):
            own = a_table(game, "own", override=throwing(early, late)) if late > early else alike
            if margin(own, 0) < margin(plain, 0):
                told = why(own, 0, Digest.of([own, *field]))
                assert (told.kind, told.turn, told.same, told.few) == (WhyKind.STEP, late, 3, True)
                found += 1
    assert found


def choices_of(table: Told, side: int) -> list[int]:
    """The turns of a side with more than one legal move, discards aside."""
    return [
        spot.number
        for spot in replay(table.transcript)
        if spot.seat in table.game.sides[side] and isinstance(spot.legal, LegalList) and spot.legal.total() > 1
    ]


def test_where_nobody_had_the_same_view_the_trick_is_named() -> None:
    """The others part at the first card, so that this side never sees what they see."""
    game = a_game("crow_and_pitcher")
    found = []
    for board in range(8):
        own = a_table(game, "own", board=board)
        field = [a_table(game, f"t{place}", override=throwing(0), board=board) for place in range(6)]
        digest = Digest.of([own, *field])
        first = own.transcript.moves[0].seat
        for side in sides_of(own):
            told = why(own, side, digest)
            check(told, own, digest)
            if side != first and margin(own, side) < margin(field[0], side):
                assert told.same == 6
                assert "here they differ no other table had the same view" in told.text
                [number] = map(int, re.findall(r"came in trick (\d+)", told.text))
                trick = next(unit for unit in units(own.transcript) if unit.trick == number)
                free = [turn for turn in choices_of(own, side) if turn <= trick.last]
                assert told.turn == (free[-1] if free else None)
                if told.turn is None:
                    assert told.kind is WhyKind.NOTHING
                    assert told.text.endswith("without a choice before it.")
                else:
                    assert told.kind is WhyKind.TRICK
                    assert ("Nothing was left to choose in it" in told.text) == (told.turn < trick.first)
                assert " points here, mean " in told.text
                assert "card points" not in told.text, "a trick brings points of the score itself"
                found.append((told.kind, "Nothing was left" in told.text))
    assert set(found) == {(WhyKind.NOTHING, False), (WhyKind.TRICK, False), (WhyKind.TRICK, True)}


def faulted(turn: int, code: str) -> Told:
    """A table with a default move for a fault."""
    game = a_game("crowsnest")
    return a_table(
        game,
        "own",
        override=lambda now, seat, state, _legal, chosen: (
            game.default_move(game.view(state, seat)) if now == turn else chosen
        ),
        change=lambda now, move: move._replace(fault=code) if now == turn else move,
    )


def test_a_fault_that_cost_comes_first() -> None:
    game = a_game("crowsnest")
    honest = [a_table(game, f"honest-{number}") for number in range(HONEST)]
    costly = 0
    for turn in range(len(honest[0].transcript.moves)):
        own = faulted(turn, "TIMEOUT")
        digest = Digest.of([own, *honest])
        side = game.side_of(own.transcript.moves[turn].seat)
        told = why(own, side, digest)
        check(told, own, digest)
        if margin(own, side) < margin(honest[0], side):
            assert (told.kind, told.turn) == (WhyKind.FAULT, turn)
            assert f"was at fault at turn {turn} (TIMEOUT): by default it " in told.text
            costly += 1
        else:
            assert told.kind is WhyKind.NOTHING
    assert costly


def test_a_fault_at_a_turn_without_a_choice_cost_nothing() -> None:
    """Also where nobody else had the same view: the one legal move was played."""
    game = a_game("crowsnest")
    other = a_table(game, "other", override=throwing(0))
    plain = a_table(game, "plain")
    forced = [spot.number for spot in replay(plain.transcript) if spot.legal is not None and spot.legal.total() == 1]
    assert forced
    for turn in forced:
        own = faulted(turn, "TIMEOUT")
        told = why(own, game.side_of(own.transcript.moves[turn].seat), Digest.of([own, other]))
        check(told, own, Digest.of([own, other]))
        assert told.kind is not WhyKind.FAULT


def test_a_forfeit_is_named_whatever_else_differs() -> None:
    game = a_game("crowsnest")
    honest = [a_table(game, f"honest-{number}") for number in range(3)]
    own = a_table(game, "own")
    seat = own.transcript.moves[9].seat
    fault = Fault(seat, "CRASH", FaultClass.FORFEIT, 9, 12)
    scores = tuple(-120.0 if each % 2 == seat % 2 else 35.0 for each in range(4))
    transcript = replace(
        own.transcript,
        verdict=Verdict.FORFEIT,
        forfeits=((seat, "CRASH"),),
        faults=(fault,),
        scores=scores,
        ranks=tuple(int(each < 0) for each in scores),
    )
    own = own._replace(transcript=transcript)
    digest = Digest.of([own, *honest])
    [side] = losing_sides(own)
    told = why(own, side, digest)
    check(told, own, digest)
    assert (told.kind, told.turn, told.seat) == (WhyKind.FAULT, 9, seat)
    assert f"Seat {'SWNE'[seat]} forfeited the game at turn 9: CRASH." in told.text
    early = transcript.faults[0]._replace(turn=-1, code="START_FAILED")
    own = own._replace(transcript=replace(transcript, faults=(early,), forfeits=((seat, "START_FAILED"),)))
    told = why(own, side, digest)
    assert (told.turn, told.kind) == (None, WhyKind.FAULT)
    assert "before the first turn: START_FAILED" in told.text
    other = why(honest[0], side, Digest.of([own, *honest]))
    assert other.tables == 2, "a forfeited game is no measure for others"


def test_nobody_else_played_the_board_or_the_game_is_void() -> None:
    own = a_table(a_game("goat"), "own")
    other_cards = a_table(a_game("goat"), "elsewhere", board=2)
    for digest in (Digest.of([own]), Digest.of([own, other_cards])):
        told = why(own, 0, digest)
        assert (told.kind, told.tables, told.turn) == (WhyKind.NONE, 0, None)
        assert "Nobody else has played these cards to the end." in told.text
    void = own._replace(transcript=replace(own.transcript, verdict=Verdict.VOID, scores=(), ranks=(), reason="WALL"))
    told = why(void, 0, Digest.of([void, own]))
    assert (told.kind, told.text) == (WhyKind.NONE, "This game is void: WALL.")
    assert losing_sides(void) == ()


def test_who_lost_and_how_it_is_said() -> None:
    own = a_table(a_game("crowsnest"), "own")
    assert own.transcript.scores == (35, 75, 35, 75)
    digest = Digest.of([own])
    assert losing_sides(own) == (0,)
    assert losing_sides(own, (Swing(12), Swing(-12))) == (1, 0)
    assert losing_sides(own, (Swing(-12), Swing(12))) == (0,)
    assert losing_sides(own, (Swing(0), Swing(0))) == (0,)
    assert losing_sides(own, (None, None)) == (0,)
    assert why(own, 0, digest).text.startswith("Lost this game by 40. Nobody")
    assert why(own, 0, digest, Swing(12)).text.startswith("Lost this game by 40. Won the block by 12. Nobody")
    assert why(own, 1, digest, Swing(-2, games=True)).text.startswith("Lost this block by 2 games. Nobody")
    assert losing_sides(own, (Swing(0, tie=3), Swing(0, tie=-3))) == (1, 0)
    level = why(own, 1, digest, Swing(0, tie=-3)).text
    assert level.startswith("Lost this block by 3 card points. Nobody")
    assert why(own, 1, digest, Swing(0)).text.startswith("Won this game by 40. The block was level. Nobody")
    assert why_data(why(own, 0, digest))["kind"] == "none"
    crow = a_table(a_game("crow_and_pitcher"), "own")
    assert losing_sides(crow) == (0, 2, 3)
    last = crow.transcript.ranks.index(max(crow.transcript.ranks))
    swings = tuple(Swing(-3.0 if side == 1 else 1.0) for side in range(4))
    assert losing_sides(crow, swings) == (1, last), "who lost the block, then who came last in this game of it"
    assert why(crow, 3, Digest.of([crow]), Swing(-4.5)).text.startswith(
        "Ended this block 4.5 below the mean of the others. Nobody"
    )
