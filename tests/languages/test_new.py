"""`arena bot new` makes a bot that passes `arena bot check` unchanged, in every language."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from languages.built import BUILD_S, CACHE

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
MARKED = [
    pytest.param(language, marks=[pytest.mark.needs(tool) for tool in tools]) for language, tools in LANGUAGES.items()
]


@pytest.mark.parametrize("language", MARKED)
@pytest.mark.xdist_group("new")
def test_a_new_bot_passes_the_check_unchanged(tmp_path: Path, language: str) -> None:
    new_bot("vixen", language, tmp_path / "vixen")
    setting = Setting(builds=CACHE / "checked", build_limit_s=BUILD_S)
    steps = asyncio.run(check_bot(read_bot(tmp_path / "vixen"), setting))
    assert [(step.name, step.text, step.output) for step in steps if step.state == "failed"] == []
    assert [step.state for step in steps].count("ok") >= 10
