"""The documents keep their word: links lead somewhere, commands exist, the first bot plays, settings stay strict."""

import os
import re
import shlex
import subprocess
import tomllib
from pathlib import Path
from urllib.parse import unquote

import pytest

from arena.cli.main import main

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def commands() -> list[str]:
    lines = [line.split("#")[0].strip() for block in blocks("sh") for line in block.splitlines()]
    return [line for line in lines if line]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text)
    local = [link for link in links if "://" not in link]
    assert [link for link in local if not (page.parent / unquote(link)).exists()] == []


@pytest.mark.parametrize("line", [line for line in commands() if line.startswith("arena ")])
def test_commands_of_the_readme_exist_with_their_flags(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(line.split(">")[0])[1:]
    names = [word for word in words[:2] if re.fullmatch(r"[a-z]+", word)]
    status = main([*names[: 2 if names[0] in ("bot", "tournament", "replay") else 1], "-h"])
    shown = capsys.readouterr()
    assert status == 0, shown.err
    flags = [word for word in words if word.startswith("--")]
    assert [flag for flag in flags if flag not in shown.out] == []


@pytest.mark.parametrize("script", ["demo", "tests/run", ".ci/run", "protos/generate"])
def test_scripts_can_be_run_and_are_read_by_bash(script: str) -> None:
    file = ROOT / script
    assert os.access(file, os.X_OK)
    assert subprocess.run(["bash", "-n", file], check=False).returncode == 0


def test_the_two_commands_of_the_readme_are_the_scripts() -> None:
    assert [line for line in commands() if not line.startswith("arena ")] == ["./demo", "tests/run"]


def test_warnings_are_errors_in_all_tests() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert settings["tool"]["pytest"]["ini_options"]["filterwarnings"] == ["error"]
    assert settings["tool"]["mypy"]["strict"] is True


def test_the_protocol_version_is_that_of_the_files() -> None:
    from arena.cli.commands.version import PROTOCOL
    from arena.wire.session import PROTOCOL as SPOKEN

    text = (ROOT / "protos" / "arena" / "v1" / "arena.proto").read_text(encoding="utf-8")
    assert f'This file is "{PROTOCOL}"' in text
    assert PROTOCOL == SPOKEN


def test_the_changelog_begins_with_this_version() -> None:
    from arena import __version__

    first = re.search(r"^## (\S+?),? ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert first is not None
    assert first[1] == __version__
