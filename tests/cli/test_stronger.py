"""`arena bot test`: its answers, its exit statuses, and that asking again goes on with what is stored."""

from __future__ import annotations

import json
from pathlib import Path

from cli.terminal import piped


def asked(data: Path, *words: str) -> tuple[int, dict[str, object]]:
    done = piped("bot", "test", *words, "--json", "--data", str(data), "--seed", "1", "--sandbox", "none")
    return done.status, json.loads(done.stdout)["data"]


def test_a_stronger_bot_is_found_out_and_asking_again_plays_nothing(tmp_path: Path) -> None:
    status, said = asked(tmp_path, "counter", "--against", "random", "--max", "100")
    assert (status, said["decision"]) == (0, "stronger")
    assert said["evidence"] >= said["bound"]
    assert (said["new"], said["against"], said["blocks"]) == ("counter", ["random"], 100)
    again = piped(
        "bot", "test", "counter", "--against", "random", "--max", "100", "--data", str(tmp_path), "--seed", "1"
    )
    assert again.status == 0
    assert "stronger: yes, counter (fixed error rates 5 % / 5 %" in again.stdout
    assert "blocks 100" in again.stdout


def test_a_bot_against_its_copy_never_swings(tmp_path: Path) -> None:
    status, said = asked(tmp_path, "basic", "--against", "basic", "--max", "200")
    assert (status, said["decision"]) == (1, "behaves identically")
    assert (said["mean_swing"], said["blocks"]) == (0.0, 200)


def test_a_free_for_all_needs_a_panel(tmp_path: Path) -> None:
    words = ("bot", "test", "basic", "--against", "random", "--game", "crow_and_pitcher", "--data", str(tmp_path))
    refused = piped(*words)
    assert refused.status == 2
    assert "2 bots cannot fill a table of 4" in refused.stderr
    assert "code:  TOO_FEW_BOTS" in refused.stderr
