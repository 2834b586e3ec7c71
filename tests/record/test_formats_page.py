"""The page of formats names every key that is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from golden.cases import CASES
from golden.playthrough import FOLDER
from record.games import a_transcript

from arena import games
from arena.record import simulate, transcript

PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    return PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_transcripts() -> None:
    data = transcript.to_data(a_transcript("goat", {"max_deals": 1}, {1: "TIMEOUT"}))
    keys = [*data, *(key for move in data["moves"] for key in move), *data["faults"][0], "reason"]
    for key in keys:
        assert f"`{key}`" in section("Transcripts"), key
    assert f"`{transcript.FORMAT}`" in section("Transcripts")


@pytest.mark.parametrize("game", games.catalog())
def test_simulated_games_and_deals(game: str) -> None:
    data = next(simulate.simulate(games.make(game), 1, 1, views=True))
    for key in [*data, *data["moves"][0]]:
        assert f"`{key}`" in section("Simulated games"), key
    for key in data["deals"][0]:
        assert f"| `{key}` |" in section("Deals"), key
    assert set(simulate.schema()["properties"]) == set(data)


def test_golden_transcripts() -> None:
    for name in CASES:
        for line in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
            assert f"    {line[: len(line) - len(line.lstrip())]}{line.split()[0]}" in section("Golden transcripts")
