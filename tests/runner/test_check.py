"""The conformance check: for each step a bot that fails exactly there, a good bot, and what a failure tells."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from runner.bouts import faulty, nothing_left

from arena.bots.manifest import Bot, find_bot
from arena.runner import check
from arena.runner.check import Setting, check_bot
from arena.runner.check_report import Step, tail

ALL = 12


@pytest.fixture(autouse=True)
def everything_is_cleared_away(tmp_path: Path) -> Iterator[None]:
    with nothing_left(files=False):
        yield


def one_game(plan: dict[str, Any] | None = None, at_once: int = 1) -> Bot:
    """The faulty bot, which claims one ruleset here so that a check is short: games 1 to 4 are those played alone."""
    return replace(faulty(plan, at_once), games=("crowsnest",))


def checked(bot: Bot, folder: Path, *, every: bool = False, **setting: Any) -> list[Step]:
    (folder / "logs").mkdir(exist_ok=True)
    return list(asyncio.run(check_bot(bot, Setting(folder / "builds", folder / "logs", **setting), every=every)))


def states(steps: Sequence[Step]) -> dict[str, str]:
    return {step.name: step.state for step in steps}


def the_failed(steps: Sequence[Step]) -> Step:
    [failed] = [step for step in steps if step.state == "failed"]
    return failed


def test_a_good_bot_passes_every_step(tmp_path: Path) -> None:
    steps = checked(find_bot("basic"), tmp_path)
    assert [step.number for step in steps] == list(range(1, ALL + 1))
    assert {name: state for name, state in states(steps).items() if state != "ok"} == {
        "same seed": "reported",
        "limits": "reported",
    }
    texts = {step.name: step.text for step in steps}
    assert texts["games"] == "35 games, 8 rulesets, every seat"
    assert texts["together"] == "35 games, up to 35 at once"
    assert texts["same seed"] == "yes, in a fresh process"
    assert "MB" in texts["limits"]
    assert all(step.sentence for step in steps)


def test_a_bot_that_is_to_be_added_plays_itself(tmp_path: Path) -> None:
    steps = checked(one_game(at_once=4), tmp_path, boards=2)
    assert (steps[-1].name, steps[-1].state, steps[-1].text) == ("self-play", "ok", "2 games against itself")


FAILING: dict[str, tuple[Bot, dict[str, Any], str]] = {
    "manifest": (replace(faulty(), games=("crownest",)), {}, "games names 'crownest'"),
    "build": (replace(one_game(), build=(("sh", "-c", "echo no compiler here >&2; exit 3"),)), {}, "status 3"),
    "hello": (one_game({"start": "exits"}), {}, "it exited with status 3; its last line: 'no luck today'"),
    "games": (one_game({"2": ["status", 1]}), {}, "CRASH"),
    "together": (one_game({"on": "two games"}, at_once=4), {}, "CRASH"),
    "newer arena": (one_game({"on": "unknown"}), {}, "CRASH"),
    "rejected": (one_game({"on": "ILLEGAL"}), {}, "CRASH"),
    "late": (one_game({"on": "TIMEOUT"}), {}, "CRASH"),
    "forfeit": (one_game({"on": "forfeit"}), {}, "CRASH"),
    "goodbye": (one_game({"on": "goodbye"}), {}, "it exited with status 1"),
}
"""Step -> a bot that fails there, settings, what the step's text says."""


@pytest.mark.parametrize("name", FAILING)
def test_each_step_finds_what_it_is_for(tmp_path: Path, name: str) -> None:
    bot, setting, text = FAILING[name]
    steps = checked(bot, tmp_path, **setting)
    failed = the_failed(steps)
    assert failed.name == name
    assert text in failed.text
    assert failed.fix
    assert failed.came_back
    assert failed.where
    assert {step.state for step in steps[: failed.number - 1]} <= {"ok"}
    assert {step.state for step in steps[failed.number :]} == {"not run"}


@pytest.mark.timed
@pytest.mark.parametrize(("start", "seconds"), [("never_connects", 0.5), ("no_hello", 4.0)])
def test_a_bot_that_never_says_hello_is_started_once(tmp_path: Path, start: str, seconds: float) -> None:
    failed = the_failed(checked(one_game({"start": start}), tmp_path, start_limit_s=seconds))
    assert (failed.name, failed.text) == ("hello", f"faulty never said hello in {seconds:g} s")
    assert failed.seconds < 2 * seconds + 3
    assert failed.sent["variables"] == ["ARENA_ADDRESS", "ARENA_TOKEN"]


def test_a_bot_that_stays_after_goodbye(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "GOODBYE_S", 0.5)
    failed = the_failed(checked(one_game({"on": "goodbye, and stays"}), tmp_path))
    assert (failed.name, failed.came_back) == ("goodbye", "it still runs after 0.5 s")


def test_an_illegal_answer_is_told_with_view_and_legal_moves(tmp_path: Path) -> None:
    failed = the_failed(checked(one_game({"1": ["illegal_move", 1]}), tmp_path))
    assert failed.text.startswith("ILLEGAL: ")
    assert failed.where == f"crowsnest, seat 0, turn {failed.sent['turn']}"
    assert (failed.sent["ruleset"], failed.sent["seat"]) == ("crowsnest", 0)
    assert "pass" in failed.sent["legal"]
    assert len(failed.sent["view"]["hand"]) == 9
    assert "'bid 9999' is not legal here" in failed.came_back


def test_a_crash_is_told_with_the_last_lines_of_its_output(tmp_path: Path) -> None:
    failed = the_failed(checked(one_game({"1": ["exception", 1]}), tmp_path))
    assert failed.text.startswith("CRASH: ")
    assert failed.output[-1] == "RuntimeError: a mistake of the author"
    assert "exited with status 1" in failed.came_back
    said, counted = Path(failed.log).read_text().splitlines()[-2:]
    assert said == failed.output[-1]
    assert counted == "[arena: it ended by itself (status 1)]"


def test_a_failed_build_is_told_with_its_output(tmp_path: Path) -> None:
    bot, setting, _text = FAILING["build"]
    failed = the_failed(checked(bot, tmp_path, **setting))
    assert failed.output[-1] == "no compiler here"
    assert failed.sent == {"build": bot.build}


def test_a_fault_in_self_play_is_told_with_the_output_of_its_seat(tmp_path: Path) -> None:
    """In the steps before no process plays more than 12 games."""
    failed = the_failed(checked(one_game({"13": ["exception", 1]}), tmp_path, boards=13))
    assert failed.name == "self-play"
    assert failed.output[-1] == "RuntimeError: a mistake of the author"


def test_all_goes_on_with_a_fresh_process(tmp_path: Path) -> None:
    steps = checked(one_game({"on": "ILLEGAL"}), tmp_path, every=True)
    assert [step.name for step in steps if step.state == "failed"] == ["rejected"]
    assert [step.name for step in steps if step.state == "not run"] == []


def test_without_a_hello_there_is_nothing_to_go_on_with(tmp_path: Path) -> None:
    steps = checked(one_game({"start": "exits"}), tmp_path, every=True)
    assert the_failed(steps).name == "hello"
    assert {step.state for step in steps[3:]} == {"not run"}


def test_other_moves_for_the_same_seed_are_reported_only(tmp_path: Path) -> None:
    steps = checked(one_game({"on": "seed"}), tmp_path)
    same = next(step for step in steps if step.name == "same seed")
    assert (same.state, same.text) == ("reported", "no: a duplicate of a game may take another course")
    assert all(step.state != "failed" for step in steps)


def test_a_bot_that_plays_nothing_fails_the_manifest(tmp_path: Path) -> None:
    assert the_failed(checked(replace(faulty(), games=()), tmp_path)).text == "games is empty"


def test_an_earlier_check_leaves_no_lines(tmp_path: Path) -> None:
    for _ in range(2):
        failed = the_failed(checked(one_game({"start": "exits"}), tmp_path))
    assert failed.output == ("no luck today",)


def test_the_tail_of_a_log_is_short_and_readable(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(b"x" * 100_000 + b"\n" + b"".join(b"line %d\n\n" % number for number in range(50)) + b"\xff\n")
    assert tail(log) == (*[f"line {number}" for number in range(31, 50)], "\\xff")
    assert tail(tmp_path / "none") == tail(None) == ()
