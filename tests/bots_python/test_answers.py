"""Each kind of decision reaches its method, and each form of answer the reply it means."""

from __future__ import annotations

import pytest
from arena_bot import MOLODKA, PASS, Bot, Choose, IllegalAnswer, Move, Table
from arena_bot.v1 import arena_pb2 as pb
from bots_python import messages as m

METHODS = ("bid", "discard", "trump", "play", "molodka", "lead", "answer")

DECISIONS = {
    "bid": m.rook(1, m.BIDS),
    "discard": m.rook(2, m.DISCARD),
    "trump": m.rook(3, m.TRUMPS),
    "play": m.rook(4, m.plays(5, 26)),
    "molodka": m.goat(1, m.ASK),
    "lead": m.goat(2, m.LEADS),
    "answer": m.goat(3, m.ANSWERS),
}


def answering(answer: object) -> Table:
    """A table whose bot gives this answer to everything."""
    table = Table(type("Fixed", (Bot,), {name: lambda _self, _turn: answer for name in METHODS}))
    table.start(m.start())
    return table


@pytest.mark.parametrize("method", DECISIONS)
def test_a_decision_reaches_its_method(method: str) -> None:
    called = []

    def note(name):
        return lambda self, turn: called.append(name) or self.any_move(turn)

    table = Table(type("Noting", (Bot,), {name: note(name) for name in METHODS}))
    table.start(m.start())
    table.turn(DECISIONS[method])
    assert called == [method]


def test_crow_plays_are_plays() -> None:
    table = answering("R4")
    reply = table.turn(m.crow(m.plays(3, 4), hand=[3, 4], pitchers=[9], leaders=[1]))
    assert reply.choice == 1


def test_passing_where_a_bid_is_forced_makes_that_bid() -> None:
    assert answering(None).turn(m.rook(1, pb.Legal(moves=[pb.Move(bid=70)]))).choice == 0


LISTED = [
    ("bid", 75, 2),
    ("bid", None, 0),
    ("bid", 0, 0),
    ("bid", "pass", 0),
    ("bid", "bid 80", 3),
    ("bid", Move("bid", (), 70), 1),
    ("bid", PASS, 0),
    ("trump", 2, 2),
    ("trump", 0, 0),
    ("trump", "trump yellow", 3),
    ("play", 26, 1),
    ("play", "G10", 1),
    ("play", [26], 1),
    ("play", Move("play", (26,)), 1),
    ("molodka", True, 1),
    ("molodka", False, 0),
    ("molodka", None, 0),
    ("molodka", MOLODKA, 1),
    ("lead", 57, 1),
    ("lead", "9S", 1),
    ("lead", [57, 54], 3),
    ("lead", ("9S", "6S"), 3),
    ("lead", "6S 9S", 3),
    ("lead", "lead 6S 9S", 3),
    ("lead", Move("lead", (57, 54)), 3),
    ("answer", 57, 0),
    ("answer", "drop 9S", 1),
    ("answer", [28], 2),
    ("answer", "KD", 2),
    ("answer", "molodka", 3),
    ("answer", True, 3),
]


@pytest.mark.parametrize(("method", "answer", "place"), LISTED)
def test_an_answer_names_the_place_of_its_move(method: str, answer: object, place: int) -> None:
    reply = answering(answer).turn(DECISIONS[method])
    assert reply.WhichOneof("answer") == "choice"
    assert reply.choice == place


@pytest.mark.parametrize("answer", [[5, 46], ["R14", "B5"], "discard B5 R14", "R14 B5", Move("discard", (5, 46))])
def test_a_choice_of_cards_is_sent_as_a_move(answer: object) -> None:
    reply = answering(answer).turn(DECISIONS["discard"])
    assert reply.move == pb.Move(discard=pb.CardSet(cards=[5, 46]))


@pytest.mark.parametrize(
    ("method", "answer", "saw"),
    [
        ("bid", 77, "bid returned 77, which is not legal; legal: pass, bid 70, bid 75, bid 80"),
        ("bid", True, "bid returned True"),
        ("play", 46, "play returned 46 (R14), which is not legal; legal: B5, G10"),
        ("play", None, "play returned None"),
        ("play", "R99", "'R99'"),
        ("play", Move("play", (46,)), "play returned R14"),
        ("play", 3.5, "3.5"),
        ("trump", 4, "trump black, trump green"),
        ("discard", [5], "2 different cards of B5 B6 G10 R14"),
        ("discard", [5, 5], "2 different cards"),
        ("discard", None, "2 different cards"),
        ("lead", [54, 28], "legal: lead 6S, lead 9S"),
        ("answer", [6], "beat 9S, drop 9S, drop KD, molodka"),
    ],
)
def test_an_illegal_answer_says_what_was_legal(method: str, answer: object, saw: str) -> None:
    with pytest.raises(IllegalAnswer) as error:
        answering(answer).turn(DECISIONS[method])
    assert saw in str(error.value)
    assert error.value.__notes__ == [f"in Fixed.{method}, game 1 (crowsnest), turn 0"]


@pytest.mark.parametrize("method", DECISIONS)
def test_an_empty_bot_answers_everything(method: str) -> None:
    table = Table(Bot)
    table.start(m.start())
    reply = table.turn(DECISIONS[method])
    if method == "discard":
        assert list(reply.move.discard.cards) == m.rook_cards("B5 B6")
    else:
        assert reply.WhichOneof("answer") == "choice"
        assert reply.choice == 0


def test_legal_and_choose_and_cards_of_a_turn() -> None:
    seen = {}

    class Looking(Bot):
        def discard(self, turn):
            seen["discard"] = turn.legal, turn.choose, turn.moves[:], turn.cards
            return self.any_move(turn)

        def lead(self, turn):
            seen["lead"] = list(turn.legal), turn.choose, turn.text(turn.moves[-1])
            return self.any_move(turn)

    table = Table(Looking)
    table.start(m.start())
    table.turn(DECISIONS["discard"])
    table.turn(DECISIONS["lead"])
    choose = Choose("discard", 2, tuple(m.rook_cards("B5 B6 G10 R14")))
    assert seen["discard"] == (choose, choose, [], list(choose.cards))
    assert seen["lead"][0][0] == Move("lead", (54,))
    assert seen["lead"][1:] == (None, "lead 6S 9S")


def test_a_bot_that_is_not_strict_logs_and_plays_on(capsys: pytest.CaptureFixture[str]) -> None:
    class Lenient(Bot):
        strict = False

        def play(self, turn):
            raise ZeroDivisionError("oops")

    table = Table(Lenient)
    table.start(m.start())
    assert table.turn(DECISIONS["play"]).choice == 0
    logged = capsys.readouterr()
    assert "ZeroDivisionError: oops" in logged.err
    assert "in Lenient.play, game 1 (crowsnest), turn 0" in logged.err
    assert logged.out == ""
