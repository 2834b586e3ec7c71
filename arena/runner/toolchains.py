"""Which of the languages that bots come in can be built and run here, and in what versions."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from arena.bots.folders import work_folder
from arena.bots.sandbox import runtimes

ASK_S = 20.0
TOOLS: Mapping[str, Sequence[tuple[str, ...]]] = {
    "python": [("python3", "--version")],
    "typescript": [("node", "--version"), ("npm",)],
    "go": [("go", "version")],
    "rust": [("cargo", "--version")],
    "java": [("javac", "-version"), ("mvn",)],
    "cpp": [("cmake", "--version"), ("g++", "--version"), ("grpc_cpp_plugin",)],
}
"""Language -> commands that tell versions; a tool alone is only looked for."""


class Toolchain(NamedTuple):
    """What is here of one language."""

    language: str
    found: Mapping[str, str]
    """Tool -> version; empty where it was not asked for."""
    missing: tuple[str, ...]

    def __str__(self) -> str:
        """In words."""
        here = ", ".join(f"{tool} {version}".strip() for tool, version in self.found.items())
        return "; ".join(part for part in (here, f"not found: {', '.join(self.missing)}" * bool(self.missing)) if part)


def toolchains(tools: Mapping[str, Sequence[tuple[str, ...]]] = TOOLS) -> list[Toolchain]:
    """All languages, in order; the tools are asked side by side, and what they write about it is thrown away."""
    with work_folder() as folder, ThreadPoolExecutor(len(tools)) as pool:
        return list(pool.map(lambda item: toolchain(item[0], item[1], folder), tools.items()))


def toolchain(language: str, tools: Sequence[tuple[str, ...]], folder: Path) -> Toolchain:
    """One language. `folder`: where tools may leave their own settings and statistics."""
    found: dict[str, str] = {}
    missing = []
    for name, *words in tools:
        program = runtimes.python() if runtimes.is_python(name) else shutil.which(name)
        if program is None:
            missing.append(name)
        else:
            found[name] = _version(program, words, folder) if words else ""
    return Toolchain(language, found, tuple(missing))


def _version(program: str, words: Sequence[str], folder: Path) -> str:
    """The first number with a dot that a program prints about itself; what went wrong in words."""
    try:
        done = subprocess.run(
            [program, *words],
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            env=_surroundings(folder),
            timeout=ASK_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"(does not run: {error})"
    match = re.search(r"\d+\.\d+[\w.+-]*", done.stdout + done.stderr)
    return match.group() if match and done.returncode == 0 else f"(does not run: status {done.returncode})"


def _surroundings(folder: Path) -> dict[str, str]:
    """The environment in which tools are asked: what they would write for later goes into `folder`."""
    variables = {**os.environ, "XDG_CONFIG_HOME": str(folder), "XDG_CACHE_HOME": str(folder)}
    if not (Path.home() / ".rustup").is_dir():
        variables.setdefault("RUSTUP_HOME", str(folder))
    return variables
