"""`arena bot logs --turn` and `--follow`: the output of one turn, and what is written from now on."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path

import pytest
from cli.terminal import COMMAND, SURROUNDINGS

from arena.cli.app import run
from arena.cli.bots.following import Follower
from arena.runner.outputs import logs_of

TEXT = (
    "hello\n[turn 3]\nthree\n[turn 31]\n\x1b[2Jcards\nmore\n[game 2 turn 3]\nagain\n[arena: 1.0 s of processor time]\n"
)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """The log of one process."""
    folder = tmp_path / "logs" / "play"
    folder.mkdir(parents=True)
    (folder / "fox-r1-t1-g1-1-1.log").write_text(TEXT)
    return folder / "fox-r1-t1-g1-1-1.log"


@pytest.mark.parametrize(
    ("turn", "told"),
    [
        ("31", ["[turn 31]", r"\x1b[2Jcards", "more"]),
        ("3", ["[turn 3]", "three", "[game 2 turn 3]", "again", "[arena: 1.0 s of processor time]"]),
        ("4", []),
    ],
)
def test_one_turn_is_shown_by_its_mark(
    log: Path, tmp_path: Path, turn: str, told: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["bot", "logs", "fox", "--turn", turn, "--data", str(tmp_path)]) == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines()[1:] == told
    assert ("nothing was written at turn 4" in shown.err) is (turn == "4")


def test_what_a_bot_wrote_of_a_turn_is_shown_as_in_the_whole_log(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log.write_text("[turn 3]\nhalf\rdone\x0c\n\ntwo\u2028lines\n[turn 4]\nfour\n", newline="")
    shown = []
    for flags in ([], ["--turn", "3"]):
        assert run(["bot", "logs", "fox", *flags, "--data", str(tmp_path)]) == 0
        shown.append(capsys.readouterr().out.split("\n")[1:-1])
    assert shown[1] == shown[0][:4]
    assert shown[1][1].startswith("half")
    assert shown[0][4:] == ["[turn 4]", "four"]


@pytest.mark.parametrize("other", ["--last", "--faults", "--game=x", "--turn=3", "--json", "--csv"])
def test_following_goes_with_nothing_else(other: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bot", "logs", "fox", "--follow", other, "--data", str(tmp_path)]) == 2
    assert "USAGE" in capsys.readouterr().err


def test_what_is_new_is_told_once_in_whole_lines(log: Path, tmp_path: Path) -> None:
    follower = Follower()
    follower.skip(logs_of(tmp_path / "logs", "fox"))

    def told() -> list[str]:
        return list(follower.lines(logs_of(tmp_path / "logs", "fox")))

    assert told() == []
    with log.open("a") as more:
        more.write("[turn 35]\nfive\nhal")
    heading, *lines = told()
    assert heading.startswith("== play: round 1, table 1, seating 1, process 1, start 1")
    assert lines == ["[turn 35]", "five"]
    with log.open("a") as more:
        more.write("f\n")
    assert told() == ["half"]
    log.write_text("anew\n")
    assert told() == ["anew"]
    log.unlink()
    assert told() == []


def test_following_lasts_until_ctrl_c(log: Path, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "bot", "logs", "fox", "--follow", "--data", str(tmp_path)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=SURROUNDINGS,
    )  # fmt: skip
    assert process.stderr is not None
    assert process.stderr.readline().startswith("following fox")
    end = time.monotonic() + 30
    with log.open("a") as more:
        more.write("[turn 35]\nfive\n")
    assert process.stdout is not None
    assert process.stdout.readline().startswith("== play")
    assert [process.stdout.readline(), process.stdout.readline()] == ["[turn 35]\n", "five\n"]
    assert time.monotonic() < end
    process.send_signal(signal.SIGINT)
    rest, said = process.communicate(timeout=30)
    assert (process.returncode, rest, said) == (130, "", "stopped\n")
