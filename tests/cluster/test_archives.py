"""Bots as archives: what comes out is what went in, or nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.bots.manifest import Bot, read_bot
from arena.core.errors import ArenaFault, BotError
from arena.runner.cluster.archives import Archive, held, packed, take

MANIFEST = """\
name = "fox"
command = ["./run"]
build = [["make"]]
"""


@pytest.fixture
def bot(tmp_path: Path) -> Bot:
    """A bot with a program, a text, empty and hidden files, and what is no part of it."""
    folder = tmp_path / "fox"
    (folder / "data" / "deep").mkdir(parents=True)
    (folder / "bot.toml").write_text(MANIFEST)
    (folder / "run").write_text("#!/bin/sh\n")
    (folder / "run").chmod(0o755)
    (folder / "data" / "deep" / "zeros").write_bytes(bytes(3_000_000))
    (folder / "data" / "empty").touch()
    (folder / ".hidden").write_text("ä")
    (folder / "target").mkdir()
    (folder / "target" / "old").write_text("built before")
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "x.pyc").write_bytes(b"x")
    return read_bot(folder)


def test_a_bot_comes_out_as_it_went_in(bot: Bot, tmp_path: Path) -> None:
    archive = packed(bot, bot.folder)
    kept = tmp_path / "kept"
    assert held(bot, kept) is None
    place = take(bot, archive, kept)
    assert place == kept / bot.version == held(bot, kept)
    assert read_bot(place).version == bot.version
    assert os.access(place / "run", os.X_OK)
    assert not os.access(place / "bot.toml", os.X_OK)
    assert sorted(path.name for path in place.iterdir()) == [".hidden", "bot.toml", "data", "run"]
    assert [path.name for path in kept.iterdir() if path.name != ".lock"] == [bot.version]


def test_equal_files_make_equal_archives(bot: Bot, tmp_path: Path) -> None:
    place = take(bot, packed(bot, bot.folder), tmp_path / "kept")
    for path in place.rglob("*"):
        os.utime(path, (0, 0))
    assert packed(bot, place) == packed(bot, bot.folder)
    assert len(packed(bot, bot.folder).data) < 100_000


def test_a_damaged_archive_is_not_opened(bot: Bot, tmp_path: Path) -> None:
    archive = packed(bot, bot.folder)
    middle = len(archive.data) // 2
    data = archive.data[:middle] + b"\xa5" + archive.data[middle + 1 :]
    with pytest.raises(ArenaFault, match="arrived damaged") as raised:
        take(bot, Archive(archive.digest, data), tmp_path / "kept")
    assert raised.value.code == "ARCHIVE_DAMAGED"
    assert not (tmp_path / "kept").exists()


def test_another_bots_archive_is_refused_after_unpacking(bot: Bot, tmp_path: Path) -> None:
    (bot.folder / "run").write_text("#!/bin/sh\nexit 1\n")
    archive = packed(bot, bot.folder)
    with pytest.raises(ArenaFault, match="other files than it should"):
        take(bot, archive, tmp_path / "kept")
    assert [path.name for path in (tmp_path / "kept").iterdir()] == [".lock"]


def test_a_copy_that_was_changed_is_made_anew(bot: Bot, tmp_path: Path) -> None:
    archive = packed(bot, bot.folder)
    place = take(bot, archive, tmp_path / "kept")
    (place / "run").write_text("something else")
    assert held(bot, tmp_path / "kept") is None
    assert take(bot, archive, tmp_path / "kept") == place
    assert held(bot, tmp_path / "kept") == place


def test_what_no_archive_may_hold_is_said_before_it_travels(bot: Bot) -> None:
    (bot.folder / "a\\b").touch()
    with pytest.raises(BotError, match="backslash"):
        packed(bot, bot.folder)
