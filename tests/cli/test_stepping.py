"""Steps through games on a terminal: `arena play --watch`, `arena replay show --step` and `--text`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.terminal import on_terminal
from record.games import a_transcript

from arena.cli.app import run
from arena.cli.replays.course import Course
from arena.cli.replays.stepping import KEY, KEYS, PACES_S, Cursor
from arena.core.moves import Kind
from arena.record.text import TRICK_MOVES
from arena.record.transcript import to_json

GAMES = ("crowsnest", "goat", "crow_and_pitcher")


@pytest.fixture(scope="module")
def courses() -> dict[str, Course]:
    """A game of every family, of random moves."""
    return {game: Course.of(a_transcript(game)) for game in GAMES}


@pytest.mark.parametrize("game", GAMES)
def test_every_position_is_a_screen_and_every_move_a_line(game: str, courses: dict[str, Course]) -> None:
    course, transcript = courses[game], a_transcript(game)
    assert course.last == len(transcript.moves)
    for turn in (0, 1, course.last // 2, course.last):
        screen = course.screen(turn)
        assert screen[0].endswith(f"turn {turn} of {course.last}")
        assert screen[-2] == course.said(turn)
        assert all(any(f" {mark} " in line for line in screen) for mark in "SWNE")
    assert course.screen(course.last)[-1] == "The game is over"
    for turn in range(1, course.last + 1):
        assert course.line(turn).startswith(f"{turn - 1:>3}  ")
        assert "bot" in course.line(turn)


@pytest.mark.parametrize("game", GAMES)
def test_tricks_begin_where_somebody_leads(game: str, courses: dict[str, Course]) -> None:
    course = courses[game]
    starts, at = [0], 0
    while (at := course.trick_after(at)) < course.last:
        starts.append(at)
    kinds = [move.move.kind in TRICK_MOVES for move in course._made]
    for start, following in zip(starts, [*starts[1:], course.last], strict=True):
        assert len(set(kinds[start:following])) == 1, "calls and tricks are apart"
        if kinds[start] and Kind.MOLODKA not in {move.move.kind for move in course._made[start:following]}:
            assert following - start == 4
    back = [course.last]
    while back[-1]:
        back.append(course.trick_before(back[-1]))
    assert back[:0:-1] == starts


def test_one_seat_sees_its_own_hand_alone() -> None:
    transcript = a_transcript("crowsnest")
    screen = Course.of(transcript, eyes=2).screen(0)
    hand = " ".join(transcript.deals[0]["hands"][2])
    assert sum("9 cards" in line for line in screen) == 3
    assert any(hand in line for line in screen)
    assert not any(" ".join(transcript.deals[0]["hands"][0]) in line for line in screen)


def test_keys_lead_through_a_game_that_is_over(courses: dict[str, Course]) -> None:
    cursor = Cursor(courses["crowsnest"], playing=False)
    last = cursor.course.last
    places = []
    for key in ("right", "right", "left", "end", "right", "left", "home", "left", "trick after", "trick before"):
        cursor.press(key, 0.0)
        places.append(cursor.at)
        assert not cursor.playing
    assert places == [1, 2, 1, last, last, last - 1, 0, 0, cursor.course.trick_after(0), 0]
    cursor.press("space", 10.0)
    cursor.tick(10.0)
    assert (cursor.at, cursor.state) == (0, "playing, 1 s a move")
    cursor.tick(10.0 + cursor.pace_s)
    assert cursor.at == 1
    for _ in PACES_S:
        cursor.press("faster", 0.0)
    assert cursor.pace_s == min(PACES_S)
    for _ in range(2 * len(PACES_S)):
        cursor.press("slower", 0.0)
    assert cursor.pace_s == max(PACES_S)
    cursor.press("end", 0.0)
    assert cursor.state == "the end"
    cursor.press("leave", 0.0)
    assert cursor.left


def test_a_game_that_runs_is_followed_from_its_end_only() -> None:
    whole = Course.of(a_transcript("goat"))
    course = Course(whole._game, whole._names, whole._states[0])
    cursor = Cursor(course, playing=True)
    for turn in range(3):
        course.add(whole._made[turn], whole._states[turn + 1])
    for now in (1.0, 2.0, 3.0, 4.0):
        cursor.tick(now)
    assert (cursor.at, cursor.playing, course.screen(3)[0].split("   ")[1]) == (3, True, "turn 3 of 3 so far")
    cursor.press("left", 5.0)
    course.add(whole._made[3], whole._states[4])
    cursor.tick(9.0)
    assert (cursor.at, cursor.state) == (2, "paused")
    cursor.press("end", 9.0)
    assert (cursor.at, cursor.playing) == (4, True)
    cursor.press("right", 9.0)
    assert (cursor.at, cursor.playing) == (4, True)


def test_keys_are_read_from_what_terminals_send() -> None:
    typed = b"x\x1b[C\x1bOD]\x1b[1~?\x1b[F+-q "
    assert [KEYS[key] for key in KEY.findall(typed)] == [
        "right", "left", "trick after", "home", "end", "faster", "slower", "leave", "space",
    ]  # fmt: skip


def test_a_game_that_is_played_is_stepped_through_with_keys(tmp_path: Path) -> None:
    words = ("play", "crowsnest", "basic", "random", "--board", "7f3a", "--option", "max_hands=1", "--watch")
    keys = [("playing, 1 s", b"++"), ("turn 2 of", b" "), ("paused", b"\x1b[F"), ("the end", b"q")]
    ran = on_terminal(*words, folder=tmp_path, keys=keys, NO_COLOR="1")
    assert ran.status == 0, ran.stderr
    shown, _, after = ran.stderr.partition("\x1b[?1049l")
    assert shown.count("\x1b[?1049h") == 1
    assert "CrowsNest, board 7f3a   turn 0 of " in shown
    lines = after.splitlines()
    assert lines[0] == "CrowsNest, board 7f3a"
    assert lines[-1].startswith("next: arena replay show ")
    again = on_terminal("replay", "show", "7f3a-01", "--step", folder=tmp_path, keys=[("paused", b"q")])
    assert again.status == 0, again.stderr
    assert "turn 0 of " in again.stderr


def test_elsewhere_it_is_a_sentence_a_move(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.arena"
    transcript = a_transcript("goat", faults={1: "TIMEOUT"})
    file.write_text(to_json(transcript))
    assert run(["replay", "show", str(file), "--text"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(transcript.moves)
    assert lines[0].startswith("  0  ")
    assert lines[1].endswith("(TIMEOUT: the default move)")
    assert run(["replay", "show", str(file), "--text", "--seat", "1", "--turn", "5"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 5
    for wrong in (
        ["--step"],
        ["--text", "--why"],
        ["--text", "--step"],
        ["--text", "--seat", "7"],
        ["--text", "--csv"],
    ):
        assert run(["replay", "show", str(file), *wrong]) == 2
    quick = ["--option", "max_hands=1", "--watch", "--data", str(tmp_path)]
    assert run(["play", "crowsnest", "basic", "random", *quick]) == 0
    *lines, final = capsys.readouterr().out.splitlines()
    assert [line[:5] for line in lines] == [f"{number:>3}  " for number in range(len(lines))]
    assert final.startswith("final ")
    assert run(["play", "goat", "basic", "--watch", "--seat", "1=human", "--json", "--data", str(tmp_path)]) == 2
    assert json.loads(capsys.readouterr().err.splitlines()[-1])["code"] == "USAGE"
