"""`arena play` with bots that dial in over TLS: processes of their own, as organiser and author start them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli.terminal import COMMAND, SURROUNDINGS, piped
from languages.built import TEMPLATES
from remote.dialling import papers

pytestmark = pytest.mark.needs("openssl")
PATIENCE_S = 120
TEMPLATE = TEMPLATES / "python" / "template"


def arena(folder: Path, *words: str) -> subprocess.Popen[str]:
    """`arena play` in the background, on any free port."""
    flags = ("--listen", "127.0.0.1:0", "--tls-cert", str(papers().certificate), "--tls-key", str(papers().key))
    return subprocess.Popen(
        [*COMMAND, "play", *words, *flags, "--wait", str(PATIENCE_S)],
        cwd=folder,
        env={**SURROUNDINGS, "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def bot(port: int, token: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "main.py"],
        cwd=TEMPLATE,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(TEMPLATES / "python"),
            "ARENA_ADDRESS": f"localhost:{port}",
            "ARENA_TOKEN": token,
            "ARENA_TLS_CA": str(papers().authority),
        },
        stderr=subprocess.PIPE,
        text=True,
    )


def waiting_port(playing: subprocess.Popen[str]) -> int:
    """The port of the line that says who is waited for."""
    assert playing.stderr is not None, "it is a pipe"
    line = playing.stderr.readline()
    assert line.startswith("waiting for fox"), line
    return int(line.split(" at port ")[1].split(",")[0])


def test_a_partnership_dials_in_and_plays(tmp_path: Path) -> None:
    token = piped("token", "issue", "fox", "--slots", "2", folder=tmp_path).stdout.strip()
    playing = arena(tmp_path, "crowsnest", "basic", "remote:fox", "--option", "max_hands=1", "--json")
    port = waiting_port(playing)
    bots = [bot(port, token) for _ in range(2)]
    out, err = playing.communicate(timeout=PATIENCE_S)
    assert playing.returncode == 0, err
    [game] = json.loads(out)["data"]
    assert (game["bots"], game["verdict"], game["faults"]) == (["basic", "fox", "basic", "fox"], "finished", [])
    assert "fox is here" in err
    for each in bots:
        _, said = each.communicate(timeout=PATIENCE_S)
        assert (each.returncode, said) == (0, "")
    replay = json.loads(Path(game["replay"]).read_text())
    assert "fox@remote" in replay["bots"]
    assert piped("replay", "verify", game["replay"]).status == 0
    [row] = json.loads(piped("token", "list", "--json", folder=tmp_path).stdout)["data"]
    assert row["seen"] is not None
    secret = token.encode()
    kept = [path for path in (tmp_path / ".arena").rglob("*") if path.is_file()]
    assert [path for path in kept if secret in path.read_bytes()] == []
    assert token not in out + err


def test_a_revoked_bot_is_sent_away_while_it_plays(tmp_path: Path) -> None:
    token = piped("token", "issue", "fox", folder=tmp_path).stdout.strip()
    playing = arena(tmp_path, "crow_and_pitcher", *["basic"] * 3, "remote:fox", "--n", "2000", "--json", "--no-clock")
    fox = bot(waiting_port(playing), token)
    try:
        assert playing.stderr is not None, "it is a pipe"
        assert playing.stderr.readline() == "fox is here\n"
        assert piped("token", "revoke", "fox", folder=tmp_path).status == 0
        _, said = fox.communicate(timeout=PATIENCE_S)
        assert fox.returncode == 1
        assert said == "the arena sent this bot away: BAD_TOKEN: this token lets nobody in\n"
    finally:
        playing.kill()
        playing.communicate()
