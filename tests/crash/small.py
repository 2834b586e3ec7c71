"""A tournament of two bots for tests of disks and databases: what it must come to, and how to stop it half-way."""

from __future__ import annotations

import functools
import json
import signal
import subprocess
import time
from typing import Any

from crash.event import Event, Outcome

BOTS = ("random", "basic")
BOARDS = 2
GAMES = 2 * BOARDS
LIMIT_S = 120.0
TRIES = 5


def small(**more: Any) -> Event:  # Any: as Event takes them
    """One line-up, two boards, one worker; one game after the other, each with fresh processes."""
    return Event(**{"bots": BOTS, "boards": BOARDS, "workers": 1, "isolation": "game", **more})


@functools.cache
def undisturbed() -> Outcome:
    """What the small tournament comes to, played in one go; played once for all tests of a process."""
    event = small()
    ran = event.run("-q")
    assert ran.returncode == 0, ran.stderr
    outcome = event.outcome()
    event.close()
    return outcome


def wait_for_games(event: Event, process: subprocess.Popen[str], games: int = 1) -> None:
    """Until so many games are stored."""
    deadline = time.monotonic() + LIMIT_S
    while True:
        ended = process.poll()  # asked first, since what it stored at its end is there then
        if len(event.keys()) >= games:
            return
        assert ended is None, f"it ended with {ended}: {event.said()}"
        assert time.monotonic() < deadline, f"no game was stored: {event.said()}"
        time.sleep(0.02)


def play_some(event: Event, number: signal.Signals = signal.SIGKILL, games: int = 1) -> None:
    """Play the tournament until so many games are stored, then end the coordinator.

    All over again where it was over before it could be ended: this process may stand still while others run.
    """
    for _ in range(TRIES):
        process = event.start("-q")
        wait_for_games(event, process, games)
        process.send_signal(number)
        process.wait(LIMIT_S)
        if len(event.keys()) < GAMES:
            break
        event.forget()
    assert 0 < len(event.keys()) < GAMES


def check_error(ran: subprocess.CompletedProcess[str], code: str, status: int, where: str) -> dict[str, str]:
    """The command ended with this error, said in full; returns its lines by label."""
    assert ran.returncode == status, ran.stderr
    return check_said(ran.stderr, code, where)


def check_said(stderr: str, code: str, where: str) -> dict[str, str]:
    """The last error on stderr is this one: five lines, none empty, no traceback."""
    assert "Traceback" not in stderr
    lines = stderr[stderr.rindex("error: ") :].splitlines()
    parts = {label.strip(): text.strip() for label, text in (line.split(":", 1) for line in lines[:5])}
    assert list(parts) == ["error", "where", "saw", "fix", "code"], stderr
    assert all(parts.values()), stderr
    assert parts["code"].split()[0] == code, stderr
    assert where in parts["where"], stderr
    return parts


def check_goes_on(event: Event) -> None:
    """The same command finishes the tournament, without a game lost or doubled."""
    before = set(event.keys())
    ran = event.run("-q")
    assert ran.returncode == 0, ran.stderr
    assert before <= set(event.keys())
    expected, outcome = undisturbed(), event.outcome()
    assert outcome.games == expected.games
    assert outcome.ratings == expected.ratings
    assert event.leftovers() == []


def readable(event: Event, *words: str) -> Any:  # Any: JSON
    """What a reading command says, as JSON data."""
    ran = event.command(*words, "--json")
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)["data"]
