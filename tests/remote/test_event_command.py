"""`arena tournament run` with remote bots, as organiser and authors start them: the lobby is seen, the table made."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cli.terminal import COMMAND, SURROUNDINGS, piped
from languages.built import TEMPLATES
from remote.event import FILE, REMOTE

from arena.runner.events.bulletin import bulletin_file, read
from arena.store.tokens import Tokens

PATIENCE_S = 120


@pytest.fixture
def tokens(tmp_path: Path) -> dict[str, str]:
    text = FILE.replace("crowsnest", "crow_and_pitcher").replace("max_hands = 1", "rounds = 1")
    (tmp_path / "cup.toml").write_text(text.format(boards=5), encoding="utf-8")
    with Tokens.open(tmp_path / ".arena") as tokens:
        return {name: tokens.issue(name, "", 2, None)[1] for name in REMOTE}


@contextmanager
def running(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """The event in the background, once it waits, and its port."""
    flags = ("--listen", "127.0.0.1:0", "--insecure")
    event = subprocess.Popen(
        [*COMMAND, "tournament", "run", "cup.toml", *flags, *words],
        cwd=folder,
        env={**SURROUNDINGS, "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert event.stderr is not None, "it is a pipe"
        lines = iter(event.stderr.readline, "")
        port = next(int(line.rsplit(" ", 1)[1]) for line in lines if line.startswith("bots dial in at port"))
        yield event, port
    finally:
        event.kill()
        event.communicate()


def bot(port: int, token: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "main.py"],
        cwd=TEMPLATES / "python" / "template",
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(TEMPLATES / "python"),
            "ARENA_ADDRESS": f"127.0.0.1:{port}",
            "ARENA_INSECURE": "1",
            "ARENA_TOKEN": token,
        },
        stderr=subprocess.PIPE,
        text=True,
    )


def lobby_of(folder: Path) -> dict[str, str]:
    """Who is in the lobby, as its bulletin says: bot -> state."""
    state = read(bulletin_file(folder / ".arena", "open"))
    return {each["bot"]: each["state"] for each in state["bots"]} if state is not None else {}


def test_authors_start_their_bots_and_a_table_is_made(tmp_path: Path, tokens: dict[str, str]) -> None:
    with running(tmp_path) as (event, port):
        bots = [bot(port, tokens["fox"])]
        until = time.monotonic() + PATIENCE_S
        while (seen := lobby_of(tmp_path)) != {"fox": "ready", "owl": "missing", "elk": "missing"}:
            assert time.monotonic() < until, seen
            time.sleep(0.1)
        text = piped("tournament", "status", "open", folder=tmp_path).stdout
        assert f"waiting, port {port}" in text
        assert "1 of 3 ready, 3 needed, late: next_round; fox ready, owl missing, elk missing" in text
        bots += [bot(port, tokens[name]) for name in ("owl", "elk")]
        out, err = event.communicate(timeout=PATIENCE_S)
        assert event.returncode == 0, err
        assert "clock 60s+0.1, at most 30s a move; 5 boards, 5 blocks; finished" in out
        assert "\nremote pool: one seating a board, a block is one game\n" in out
        assert "partners" not in out
        for each in bots:
            _, said = each.communicate(timeout=PATIENCE_S)
            assert (each.returncode, said) == (0, "")
    assert lobby_of(tmp_path) == {}
    assert piped("replay", "verify", "--tournament", "open", folder=tmp_path).status == 0
    data = json.loads(piped("ratings", "open", "--json", folder=tmp_path).stdout)["data"]
    assert (data["pool"]["remote"], data["pool"]["seatings"]) == (True, 1)
    assert data["tiers"] == {"remote": 5}
    kept = b"".join(path.read_bytes() for path in (tmp_path / ".arena").rglob("*") if path.is_file())
    assert [name for name, token in tokens.items() if token.encode() in kept or token in out + err] == []


def test_ctrl_c_in_the_lobby_ends_the_run_and_tells_those_who_wait(tmp_path: Path, tokens: dict[str, str]) -> None:
    with running(tmp_path, "--start", "2999-01-01T00:00") as (event, port):
        waiting = bot(port, tokens["fox"])
        assert event.stderr is not None, "it is a pipe"
        lines = iter(event.stderr.readline, "")
        assert next(lines).startswith("waiting for fox, owl, elk; the start is at 2999")
        assert next(lines) == "fox is here\n"
        event.send_signal(signal.SIGINT)
        _, err = event.communicate(timeout=PATIENCE_S)
        assert event.returncode == 130, err
        assert "saved: 0 of 5 games" in err
        _, said = waiting.communicate(timeout=PATIENCE_S)
        assert (waiting.returncode, said) == (
            1,
            "the arena sent this bot away: STOPPED: the event goes on later, dial in again\n",
        )
