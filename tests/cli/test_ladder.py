"""`arena tournament run` of a ladder: it stops when asked, publishes round by round, and shows each version."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from cli.terminal import piped

LADDER = 'name = "rungs"\ngame = "crowsnest"\nformat = "ladder"\nboards = 2\n'


def write(folder: Path, head: str) -> None:
    (folder / "ladder.toml").write_text(f"{LADDER}{head}\n[options]\nmax_hands = 1\n")


def test_a_ladder_plays_rounds_publishes_their_secrets_and_takes_new_bots(tmp_path: Path) -> None:
    write(tmp_path, 'bots = ["basic", "random"]\nopen = true')
    first = piped("tournament", "run", "ladder.toml", "--rounds", "2", "--json", folder=tmp_path)
    assert first.status == 0, first.stderr
    table = json.loads(first.stdout)["data"]
    assert (table["state"], table["left"], {row["bot"] for row in table["standings"]}) == (
        "stopped",
        {},
        {"basic", "random"},
    )

    assert piped("bot", "new", "owl", "--dir", "bots", folder=tmp_path).status == 0
    assert piped("bot", "add", "bots/owl", "--sandbox", "none", folder=tmp_path).status == 0
    second = piped("tournament", "run", "ladder.toml", "--rounds", "2", "--sandbox", "none", folder=tmp_path)
    assert second.status == 0, second.stderr
    assert "round 3: owl@1 joins" in second.stderr
    assert "owl@1" in second.stdout

    checked = piped("replay", "verify", "--tournament", "rungs", folder=tmp_path)
    assert checked.status == 0
    assert "16 games: cards match the published seed" in checked.stdout
    [status] = json.loads(piped("tournament", "status", "rungs", "--json", folder=tmp_path).stdout)["data"]
    *closed, coming = status["round_secrets"]
    assert [each["round"] for each in closed] == [1, 2, 3, 4]
    for each in closed:
        assert hashlib.sha256(bytes.fromhex(each["secret"])).hexdigest() == each["hash"]
    assert (coming["round"], coming["secret"], status["secret"]) == (5, None, None)

    shown = json.loads(piped("bot", "show", "owl", "--json", folder=tmp_path).stdout)["data"]
    assert [(row["tournament"], row["name"]) for row in shown["tournaments"]] == [("rungs", "owl@1")]
    before = datetime.now().astimezone().isoformat()
    unnumbered = piped("ratings", "rungs", "--explain", "owl", folder=tmp_path)
    assert "fix:   --explain owl@1" in unnumbered.stderr
    explained = piped("ratings", "rungs", "--explain", "owl@1", "--json", folder=tmp_path)
    assert json.loads(explained.stdout)["data"]["changes"]

    assert piped("bot", "retire", "owl", folder=tmp_path).status == 0
    third = piped("tournament", "run", "ladder.toml", "--rounds", "1", "--sandbox", "none", folder=tmp_path)
    assert "round 5: owl@1 leaves" in third.stderr
    assert "no longer playing: owl@1 (to round 4)" in third.stdout
    assert "no longer playing" not in piped("ratings", "rungs", "--at", before, folder=tmp_path).stdout


def test_a_ladder_without_bots_waits_and_stops_at_its_time(tmp_path: Path) -> None:
    write(tmp_path, "open = true")
    end = (datetime.now().astimezone() + timedelta(seconds=15)).isoformat()
    done = piped("tournament", "run", "ladder.toml", "--until", end, folder=tmp_path)
    assert "waiting: too few bots can play; arena bot add brings one, at once" in done.stderr
    assert done.stderr.count("waiting: ") == 1
    assert done.status == 5, "a run without a game is no success"


@pytest.mark.parametrize("flag", [("--rounds", "3"), ("--until", "18:00")])
def test_other_formats_end_by_themselves(tmp_path: Path, flag: tuple[str, str]) -> None:
    (tmp_path / "cup.toml").write_text('name = "cup"\ngame = "goat"\nbots = ["basic", "random"]\nboards = 2\n')
    refused = piped("tournament", "run", "cup.toml", *flag, folder=tmp_path)
    assert refused.status == 2
    assert f"where: {flag[0]}" in refused.stderr
    assert "a round_robin ends by itself" in refused.stderr
