"""Frames in, frames out: several games, hooks, notes, and what is newer than the SDK."""

from __future__ import annotations

import pytest
from arena_bot import Bot, Game, Result, Table
from arena_bot.v1 import arena_pb2 as pb
from bots_python import messages as m

UNKNOWN_FIELD = b"\x98\x06\x01"
"""Field 99, a number, as a newer arena might send it."""


class Lowest(Bot):
    def play(self, turn):
        return min(turn.cards)


def test_hello_names_versions_token_sdk_and_games() -> None:
    class Many(Bot):
        concurrent_games = 12

    (event,) = pb.BotFrame.FromString(Table(Many).hello("secret")).events
    assert list(event.hello.versions) == ["1.0"]
    assert event.hello.token == "secret"
    assert event.hello.sdk.startswith("arena-python ")
    assert event.hello.concurrent_games == 12


def test_all_turns_of_a_frame_are_answered_in_one_frame() -> None:
    table = Table(Lowest)
    turns = [m.rook(4, m.plays(26, 5 + game), game=game, turn=10 * game) for game in (1, 2, 3)]
    frames = table.frame(m.frame(*[m.start(game) for game in (1, 2, 3)], *turns))
    assert len(frames) == 1
    assert [(reply.game, reply.turn, reply.choice) for reply in m.replies(frames)] == [
        (1, 10, 1),
        (2, 20, 1),
        (3, 30, 1),
    ]


def test_a_frame_without_turns_is_not_answered() -> None:
    assert Table(Bot).frame(m.frame(pb.Welcome(version="1.0"), m.start())) == []


def test_every_game_has_a_bot_and_a_generator_of_its_own() -> None:
    class Counting(Bot):
        def started(self, game):
            self.game = game
            self.turns = 0

        def play(self, turn):
            self.turns += 1
            turn.note(f"{self.turns} {self.game.number} {turn.random.random()}")
            return turn.cards[0]

    def notes(games: list[int]) -> dict[int, list[str]]:
        table = Table(Counting)
        found: dict[int, list[str]] = {1: [], 2: []}
        table.frame(m.frame(*[m.start(game, seed=game) for game in (1, 2)]))
        for game in games:
            (reply,) = m.replies(table.frame(m.frame(m.rook(4, m.plays(5, 6), game=game))))
            found[game].append(reply.note)
        return found

    apart = notes([1, 1, 2, 2])
    assert apart == notes([2, 1, 2, 1])
    assert [note.split()[:2] for note in apart[1]] == [["1", "1"], ["2", "1"]]
    assert apart[1][0].split()[2] != apart[2][0].split()[2]


def test_hooks_see_the_game_and_its_result() -> None:
    seen: list[object] = []

    class Watching(Bot):
        def started(self, game: Game) -> None:
            seen.append((game.ruleset, game.seat, game.seats, game.partner, game.family, game.options["ranks"][0]))

        def over(self, game: Game, result: Result) -> None:
            seen.append((game.number, result))

    table = Table(Watching)
    over = pb.GameOver(game=1, verdict=2, scores=[5, -120], ranks=[0, 1], forfeit_seat=1, reason="TIMEOUT")
    table.frame(m.frame(m.start(), over))
    assert seen == [("crowsnest", 1, 4, 3, "rook", 5), (1, Result("forfeit", (5, -120), (0, 1), 1, "TIMEOUT"))]
    assert table.games == {}
    assert table.frame(m.frame(over)) == [], "a game that is over may be announced again"


def test_a_game_without_partners_has_none() -> None:
    message = m.start(ruleset="crow_and_pitcher", seats=3, partner=None)
    game = Table(Bot).start(message)
    assert (game.partner, game.family, game.seats) == (None, "crow", 3)


def test_rejected_replies_are_logged(capsys: pytest.CaptureFixture[str]) -> None:
    table = Table(Bot)
    table.frame(m.frame(m.start(), pb.Rejected(game=1, turn=5, reason="LATE: 5.2 s"), pb.Rejected(reason="MALFORMED")))
    assert capsys.readouterr().err.splitlines() == [
        "turn 5: not taken: LATE: 5.2 s",
        "game 0, turn 0: not taken: MALFORMED",
    ]


def test_goodbye_is_remembered() -> None:
    table = Table(Bot)
    table.frame(m.frame(pb.Goodbye(reason="done")))
    assert table.goodbye == "done"


def test_a_note_is_cut_to_what_the_arena_keeps() -> None:
    class Chatty(Bot):
        def play(self, turn):
            turn.note("ä" * 3000)
            turn.note("never seen")
            return turn.cards[0]

    table = Table(Chatty)
    table.start(m.start())
    assert table.turn(m.rook(4, m.plays(5))).note == "ä" * 1024


def test_large_frames_are_cut_in_two() -> None:
    class Chatty(Bot):
        def play(self, turn):
            turn.note("x" * 2048)
            return turn.cards[0]

    table = Table(Chatty)
    games = range(1, 151)
    table.frame(m.frame(*[m.start(game) for game in games]))
    frames = table.frame(m.frame(*[m.rook(4, m.plays(5), game=game) for game in games]))
    assert len(frames) > 1
    assert max(map(len, frames)) < 256 * 1024
    assert [reply.game for reply in m.replies(frames)] == list(games)


def test_unknown_fields_and_events_are_ignored() -> None:
    table = Table(Lowest)
    unknown_event = pb.ArenaEvent.FromString(UNKNOWN_FIELD)
    turn = pb.Turn.FromString(m.rook(4, m.plays(26, 5)).SerializeToString() + UNKNOWN_FIELD)
    start = pb.GameStart.FromString(m.start().SerializeToString() + UNKNOWN_FIELD)
    data = pb.ArenaFrame(
        events=[unknown_event, pb.ArenaEvent(game_start=start), unknown_event, pb.ArenaEvent(turn=turn)]
    ).SerializeToString()
    assert [reply.choice for reply in m.replies(table.frame(data + UNKNOWN_FIELD))] == [1]


@pytest.mark.parametrize(
    "turn",
    [
        m.rook(9, m.plays(5, 6)),
        m.goat(17, m.LEADS),
        pb.Turn(game=1, legal=m.plays(5, 6)),
        pb.Turn(game=1, legal=pb.Legal(moves=[pb.Move.FromString(UNKNOWN_FIELD), pb.Move(play=5)])),
    ],
    ids=["rook phase", "goat phase", "view", "kind of move"],
)
def test_decisions_newer_than_the_sdk_get_the_first_legal_move(turn: pb.Turn) -> None:
    table = Table(Lowest)
    table.start(m.start())
    reply = table.turn(turn)
    assert reply.WhichOneof("answer") == "choice"
    assert reply.choice == 0


def test_time_of_a_turn_is_absent_without_a_clock() -> None:
    seen = []

    class Looking(Bot):
        def play(self, turn):
            seen.append((turn.limit_ms, turn.bank_ms))
            return turn.cards[0]

    table = Table(Looking)
    table.start(m.start())
    turn = m.rook(4, m.plays(5))
    table.turn(turn)
    turn.limit_ms, turn.bank_ms = 5000, 9000
    table.turn(turn)
    assert seen == [(None, None), (5000, 9000)]
