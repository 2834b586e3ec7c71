"""`arena bot new` makes a bot that passes `arena bot check` unchanged, in every language."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from languages.built import BUILD_S, CACHE, files

from arena.bots.manifest import read_bot
from arena.bots.templates import new_bot
from arena.runner.check import Setting, check_bot

LANGUAGES = {
    "python": (),
    "typescript": ("node", "npm"),
    "go": ("go",),
    "rust": ("cargo",),
    "java": ("javac", "mvn"),
    "cpp": ("cmake", "grpc_cpp_plugin"),
    "perl": ("perl",),
    "lua": ("lua5.4",),
}
TAKES_MINUTES = {"rust": (pytest.mark.long,)}
"""All crates are compiled in the box; that they are compiled at all, test_rust.py shows."""
MARKED = [
    pytest.param(language, marks=[*map(pytest.mark.needs, tools), *TAKES_MINUTES.get(language, ())])
    for language, tools in LANGUAGES.items()
]


@pytest.mark.parametrize("language", MARKED)
@pytest.mark.xdist_group("new")
def test_a_new_bot_passes_the_check_unchanged(tmp_path: Path, language: str) -> None:
    new_bot("vixen", language, tmp_path / "vixen")
    made = sorted(files(tmp_path / "vixen"))
    setting = Setting(builds=CACHE / "checked", build_limit_s=BUILD_S)
    steps = asyncio.run(check_bot(read_bot(tmp_path / "vixen"), setting))
    assert [(step.name, step.text, step.output) for step in steps if step.state == "failed"] == []
    assert [step.state for step in steps].count("ok") >= 10
    assert sorted(files(tmp_path / "vixen")) == made, "it is built in a copy"
