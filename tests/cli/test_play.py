"""`arena play`: one game as text, several as a table, replays that verify."""

import json
from pathlib import Path

import pytest
from cli.terminal import piped

from arena.cli.commands.play import read_clock
from arena.cli.flags import UsageError
from arena.match.clock import Clock

PLAY = ("play", "crowsnest", "basic", "random", "--board", "7f3a", "--option", "max_hands=1")


def test_one_game_is_told_move_by_move_and_its_replay_verifies(tmp_path: Path) -> None:
    ran = piped(*PLAY, folder=tmp_path)
    assert ran.status == 0, ran.stderr
    lines = ran.stdout.splitlines()
    assert lines[:2] == ["CrowsNest, board 7f3a", "S basic  W random  N basic  E random"]
    assert len([line for line in lines if line.startswith("trick ")]) == 9
    replay = tmp_path / ".arena" / "games" / "7f3a-01.arena"
    assert ran.stderr == f"replay: {replay}\n"
    verified = piped("replay", "verify", str(replay))
    assert (verified.status, verified.stdout[:8]) == (0, "✓ 1 game")
    shown = piped("replay", "show", str(replay)).stdout
    assert shown.splitlines()[-1] == lines[-1]


def test_the_same_board_has_the_same_cards(tmp_path: Path) -> None:
    for name in ("a", "b"):
        piped(*PLAY, "-q", "--data", str(tmp_path / name))
    first, again = (
        json.loads((tmp_path / name / "games" / "7f3a-01.arena").read_text())["deals"] for name in ("a", "b")
    )
    assert first == again


def test_several_games_are_a_table(tmp_path: Path) -> None:
    ran = piped("play", "goat", "basic", "--n", "2", "--json", folder=tmp_path)
    data = json.loads(ran.stdout)["data"]
    assert [game["board"] for game in data] == [1, 2]
    assert all(Path(game["replay"]).is_file() for game in data)
    assert {game["verdict"] for game in data} == {"finished"}


def test_one_bot_for_each_seat_of_a_free_for_all(tmp_path: Path) -> None:
    wrong = piped("play", "crow_and_pitcher", "basic", "random", folder=tmp_path)
    assert (wrong.status, wrong.error()["code"].split()[0]) == (2, "WRONG_NUMBER")


@pytest.mark.parametrize(
    ("text", "clock"), [("10s+0.1", Clock()), ("5s+0", Clock(5000, 0)), ("1.5+2", Clock(1500, 2000))]
)
def test_clocks_are_read(text: str, clock: Clock) -> None:
    assert read_clock(text) == clock


@pytest.mark.parametrize("text", ["5", "five+1", "-1+1", "5s+", "5s+0.1+1"])
def test_what_is_no_clock_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        read_clock(text)


def test_a_second_game_on_a_board_is_kept_beside_the_first(tmp_path: Path) -> None:
    for _ in range(2):
        assert piped(*PLAY, "-q", folder=tmp_path).status == 0
    kept = sorted(file.name for file in (tmp_path / ".arena" / "games").iterdir())
    assert kept == ["7f3a-01-2.arena", "7f3a-01.arena"]
    shown = piped("replay", "show", "7f3a-01-2", folder=tmp_path)
    assert shown.status == 0, shown.stderr


def test_a_bot_that_fails_is_told_with_its_reason_and_notes_on_request(tmp_path: Path) -> None:
    folder = tmp_path / "fox"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "fox"\ncommand = ["python3", "main.py"]\n')
    (folder / "main.py").write_text("import nothing_of_this_name\n")
    ran = piped("play", "crowsnest", ".", "basic", "--option", "max_hands=1", folder=folder)
    assert ran.status == 0, ran.stderr
    assert "START_FAILED" in ran.stdout
    assert "No module named 'nothing_of_this_name'" in ran.stdout
    noting = "from arena_bot import Bot, run\n\n\nclass Fox(Bot):\n    def bid(self, turn):\n"
    noting += "        turn.note('a weak hand')\n        return turn.legal[0]\n\n\nrun(Fox)\n"
    (folder / "main.py").write_text(noting)
    ran = piped("play", "crowsnest", ".", "basic", "--option", "max_hands=1", "--board", "n", folder=folder)
    assert ran.status == 0, ran.stderr
    assert "a weak hand" not in piped("replay", "show", "n-01", folder=folder).stdout
    assert ": a weak hand" in piped("replay", "show", "n-01", "--notes", folder=folder).stdout
