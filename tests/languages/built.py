"""Builds the templates of sample_bots, each content once: tests and test processes share what was built.

A build lies in the system's temporary folder under the hash of what it was made from, so that it is made again only
after a change. It knows no language: the steps are those of bot.toml.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

from arena.bots import manifest
from arena.bots.manifest import Bot, read_bot

ROOT = Path(__file__).parents[2]
TEMPLATES = ROOT / "sample_bots"
CACHE = Path(tempfile.gettempdir()) / f"arena-built-{os.getuid()}"
VECTORS = ROOT / "tests" / "vectors" / "frames.jsonl"
BUILD_S = 1200
"""No build takes longer, downloads included."""
DONE = ".built"


def built(language: str) -> Bot:
    """The template of a language, built and ready to play. Its folder is shared: do not write into it."""
    return built_folder(TEMPLATES / language)


def built_folder(source: Path, changed: dict[str, str] | None = None, without: tuple[str, ...] = ()) -> Bot:
    """A bot's folder, built; `changed` names files of it that get another text first, `without` those left out."""
    hashed = content(source, changed or {}, without)
    folder = CACHE / f"{source.name}-{hashed[:16]}"
    CACHE.mkdir(mode=0o700, exist_ok=True)
    with (CACHE / f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / DONE).exists():
            shutil.rmtree(folder, ignore_errors=True)
            copy(source, folder)
            for name, text in (changed or {}).items():
                (folder / name).write_text(text, encoding="utf-8")
            for name in without:
                (folder / name).unlink()
            for step in steps(folder):
                run(step, folder)
            reduce_manifest(folder / "bot.toml")
            (folder / DONE).touch()
    return read_bot(folder)


def run(command: list[str], folder: Path, variables: dict[str, str] | None = None) -> str:
    """Run a build step or a test runner; returns what it printed. Fails with its output."""
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **(variables or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=BUILD_S,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(command)} ended with status {done.returncode}:\n{done.stdout}"
    return done.stdout


def steps(folder: Path) -> list[list[str]]:
    """The build steps of bot.toml; none where nothing is built."""
    data = tomllib.loads((folder / "bot.toml").read_text(encoding="utf-8"))
    found: list[list[str]] = data.get("build", [])
    return found


def copy(source: Path, target: Path) -> None:
    """Copy a template without what builds left in it."""
    for path in files(source):
        to = target / path.relative_to(source)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, to)


def files(source: Path) -> Iterator[Path]:
    """The files of a template, in a fixed order, without build products: what its .gitignore names by `/name`."""
    ignore = source / ".gitignore"
    lines = ignore.read_text(encoding="utf-8").splitlines() if ignore.exists() else []
    products = {line.strip("/") for line in lines if line.startswith("/")}
    for root, folders, names in os.walk(source):
        left_out = products if Path(root) == source else set()
        folders[:] = sorted(name for name in folders if name not in left_out and name != "__pycache__")
        yield from (Path(root, name) for name in sorted(names) if name not in left_out)


def content(source: Path, changed: dict[str, str], without: tuple[str, ...]) -> str:
    """A hash of all that a build is made from."""
    total = hashlib.sha256(repr((sorted(changed.items()), without)).encode())
    for path in files(source):
        mode = b"x" if os.access(path, os.X_OK) else b"-"
        total.update(path.relative_to(source).as_posix().encode() + mode)
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def reduce_manifest(file: Path) -> None:
    """Leave only those keys in bot.toml that the arena reads."""
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    key = re.compile(r"(\w+)\s*=")
    kept, keep = [], True
    for line in lines:
        if found := key.match(line):
            keep = found[1] in manifest.KEYS
        if keep:
            kept.append(line)
    file.write_text("".join(kept), encoding="utf-8")
