"""Runs `arena` in this process with its streams on terminals of their own (ptys) or in pipes: quick, for many commands.

Also a folder in which every command finds something to work on.
"""

from __future__ import annotations

import os
import pty
import shutil
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest
from cli.terminal import Ran
from record.games import a_transcript

from arena.bots.archive import check_folder
from arena.bots.kept import keep
from arena.bots.manifest import read_bot
from arena.cli.app import run
from arena.record.transcript import to_json
from arena.store.store import Store

LOOKS = ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "LANG", "LC_CTYPE", "LC_MESSAGES")
"""Variables that change how something is shown."""
CUP = (
    'name = "tiny"\ngame = "crowsnest"\nbots = ["basic", "random"]\nboards = 2\nseed = "s"\n[options]\nmax_hands = 1\n'
)
GAME = "tiny-r1-b1-t1-1"


class Reader:
    """Collects what is written into one end of a pipe or pty, so that nobody who writes waits."""

    def __init__(self, end: int) -> None:
        self._end = end
        self._data = b""
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        try:
            while data := os.read(self._end, 65536):
                self._data += data
        except OSError:  # a terminal whose other end is closed
            pass

    def text(self) -> str:
        """All of it, once the other end is closed."""
        self._thread.join(30)
        os.close(self._end)
        return self._data.decode("utf-8").replace("\r\n", "\n")


def inside(
    *words: str,
    on: Sequence[str] = (),
    typed: bytes = b"",
    folder: Path | None = None,
    more: Mapping[str, str] | None = None,
) -> Ran:
    """Run a command line with the streams named in `on` (stdin, stdout, stderr) on terminals, the others in pipes.

    `typed`: what is waiting on stdin. `more`: variables beside those of a terminal of 100 columns that speaks UTF-8.
    """
    surroundings = {"LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "30", **(more or {})}
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        for name in [each for each in os.environ if each.startswith("ARENA_") or each in LOOKS]:
            patch.delenv(name)
        for name, value in surroundings.items():
            patch.setenv(name, value)
        if folder is not None:
            patch.chdir(folder)
        keyboard, theirs = pty.openpty() if "stdin" in on else os.pipe()[::-1]
        os.write(keyboard, typed)
        if "stdin" in on:
            stack.callback(os.close, keyboard)
        else:
            os.close(keyboard)
        patch.setattr(sys, "stdin", stack.enter_context(os.fdopen(theirs, encoding="utf-8")))
        readers, files = [], []
        for name in ("stdout", "stderr"):
            ours, theirs = pty.openpty() if name in on else os.pipe()
            file = os.fdopen(theirs, "w", encoding="utf-8")
            readers.append(Reader(ours))
            files.append(file)
            patch.setattr(sys, name, file)
        try:
            status = run(list(words))
        finally:
            for file in files:
                file.close()
            shown = [reader.text() for reader in readers]
    return Ran(status, *shown)


def furnish(place: Path) -> Path:
    """Let a folder have a small tournament, a bot with output, a kept game, people, tokens, an export and a backup.

    Where people may write what they like there are letters and symbols outside ASCII.
    """
    (place / "cup.toml").write_text(CUP)
    (place / "later.toml").write_text(CUP.replace("tiny", "later"))
    data = place / ".arena"
    made(place, "tournament", "run", "cup.toml", "-q")
    made(place, "bot", "new", "fox", "--game", "crowsnest", "-q")
    bot = read_bot(place / "fox")
    check_folder(bot.folder, built=bool(bot.build))
    keep(bot, data / "bots")
    with Store.open(data) as store:
        store.register(bot.name, bot.version, bot.manifest, "bids less \u2013 f\u00fcr \u2660", "\u00c5sa")
    (data / "logs" / "play").mkdir(parents=True, exist_ok=True)
    (data / "logs" / "play" / "fox-r1-t1-g1-1-1.log").write_text("[turn 3]\ncaf\u00e9 \u2663 \x1b[31mred\n")
    (data / "games").mkdir(exist_ok=True)
    (data / "games" / "kept-01.arena").write_text(to_json(a_transcript("goat", faults={1: "TIMEOUT"})))
    made(place, "token", "issue", "far", "--owner", "\u00c5sa")
    made(place, "user", "add", "\u00c5da")
    made(place, "export", "tiny", "--out", "tiny.jsonl")
    made(place, "backup", "--out", "saved.tar.gz")
    return place


def made(place: Path, *words: str) -> Ran:
    """What a command came to that must succeed."""
    ran = inside(*words, folder=place)
    assert ran.status == 0, ran.stderr
    return ran


def copied(place: Path, new: Path) -> Path:
    """A copy of a furnished folder, to be changed."""
    return Path(shutil.copytree(place, new / "copy"))
