"""Build steps: run once for each content, in a copy, without a shell, with a deadline."""

from __future__ import annotations

import os
import time
from pathlib import Path

import psutil
import pytest

from arena.bots.build import DONE, built, copy_bot, log_of
from arena.bots.manifest import Bot, read_bot
from arena.core.errors import BotError


def bot_of(place: Path, *steps: str, name: str = "fox") -> Bot:
    """A bot whose build steps are Python programs."""
    place.mkdir(parents=True, exist_ok=True)
    lines = ", ".join(f'["python3", "-c", {step!r}]' for step in steps)
    (place / "bot.toml").write_text(f'name = "{name}"\ncommand = ["./fox"]\nbuild = [{lines}]\n')
    (place / "source").write_text("code")
    return read_bot(place)


COMPILE = "open('fox', 'w').write(open('source').read() + '!'); print('compiled')"


def failure(bot: Bot, builds: Path, limit_s: float = 60) -> BotError:
    with pytest.raises(BotError) as failed:
        built(bot, builds, limit_s)
    assert failed.value.code == "BUILD_FAILED"
    assert failed.value.where == str(bot.folder / "bot.toml")
    return failed.value


def test_a_bot_without_steps_stays_where_it_is(tmp_path: Path) -> None:
    bot = bot_of(tmp_path / "fox")
    assert built(bot, tmp_path / "builds") is bot
    assert not (tmp_path / "builds").exists()


def test_steps_run_in_order_in_a_copy_and_the_folder_is_untouched(tmp_path: Path) -> None:
    bot = bot_of(tmp_path / "fox", COMPILE, "import os; os.rename('fox', 'bin')")
    before = sorted(path.name for path in bot.folder.iterdir())
    made = built(bot, tmp_path / "builds")
    assert (made.folder / "bin").read_text() == "code!"
    assert (made.name, made.version) == (bot.name, bot.version)
    assert sorted(path.name for path in bot.folder.iterdir()) == before
    assert read_bot(bot.folder).version == bot.version
    assert "compiled" in log_of(bot, tmp_path / "builds").read_text()


def test_equal_content_is_built_once(tmp_path: Path) -> None:
    builds = tmp_path / "builds"
    count = f"open({str(tmp_path / 'count')!r}, 'a').write('x')"
    first = built(bot_of(tmp_path / "one", count), builds)
    assert built(bot_of(tmp_path / "two", count), builds).folder == first.folder
    assert (tmp_path / "count").read_text() == "x"
    (tmp_path / "two" / "source").write_text("other code")
    assert built(read_bot(tmp_path / "two"), builds).folder != first.folder
    assert (tmp_path / "count").read_text() == "xx"


def test_a_failed_step_ends_the_build_and_says_its_last_line(tmp_path: Path) -> None:
    bot = bot_of(tmp_path / "fox", "import sys; sys.exit('no such header')", "open('never', 'w')")
    error = failure(bot, tmp_path / "builds")
    assert "ended with status 1" in error.message
    assert error.saw == "no such header"
    assert str(log_of(bot, tmp_path / "builds")) in error.fix
    assert list(tmp_path.rglob("never")) == list(tmp_path.rglob(DONE)) == []


def test_a_failed_build_is_tried_again(tmp_path: Path) -> None:
    step = f"import os, sys; os.path.exists({str(tmp_path / 'library')!r}) or sys.exit('no library')"
    bot = bot_of(tmp_path / "fox", step)
    assert failure(bot, tmp_path / "builds").saw == "no library"
    (tmp_path / "library").touch()
    assert built(bot, tmp_path / "builds").folder.is_dir()


def lives(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_steps_together_have_a_deadline_and_leave_no_process(tmp_path: Path) -> None:
    step = (
        "import os, subprocess, time; child = subprocess.Popen(['sleep', '60']);"
        f"open({str(tmp_path / 'pid')!r}, 'w').write(str(child.pid)); print('begun', flush=True); time.sleep(60)"
    )
    began = time.monotonic()
    error = failure(bot_of(tmp_path / "fox", step), tmp_path / "builds", limit_s=6)
    assert "took too long" in error.message
    assert error.saw == "begun"
    assert time.monotonic() - began < 55, "nobody waits for the step's own end"
    child = int((tmp_path / "pid").read_text())
    while lives(child) and time.monotonic() < began + 55:
        time.sleep(0.01)  # a killed process may take a moment to die
    assert not lives(child)


def test_no_shell_runs_a_step(tmp_path: Path) -> None:
    place = tmp_path / "fox"
    place.mkdir()
    (place / "bot.toml").write_text('name = "fox"\ncommand = ["x"]\nbuild = [["echo $HOME > made; ls", "&&", "ls"]]\n')
    error = failure(read_bot(place), tmp_path / "builds")
    assert "cannot be run: No such file or directory" in error.message
    assert error.saw.startswith("$ echo $HOME > made; ls")


def test_a_copy_keeps_modes_and_leaves_caches_behind(tmp_path: Path) -> None:
    source = tmp_path / "fox"
    (source / "__pycache__").mkdir(parents=True)
    (source / "__pycache__" / "x.pyc").touch()
    (source / "sub").mkdir()
    (source / "sub" / "run").touch()
    (source / "sub" / "run").chmod(0o755)
    (source / "bot.toml").write_text('name = "fox"\ncommand = ["sub/run"]\n')
    copy_bot(read_bot(source), tmp_path / "copy")
    assert [str(path.relative_to(tmp_path / "copy")) for path in sorted((tmp_path / "copy").rglob("*"))] == [
        "bot.toml",
        "sub",
        "sub/run",
    ]
    assert os.access(tmp_path / "copy" / "sub" / "run", os.X_OK)


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("cards")
    source = tmp_path / "fox"
    source.mkdir()
    (source / "bot.toml").write_text('name = "fox"\ncommand = ["x"]\n')
    (source / "near").symlink_to("bot.toml")
    copy_bot(read_bot(source), tmp_path / "copy")
    assert (tmp_path / "copy" / "near").read_text().startswith("name")
    (source / "far").symlink_to(tmp_path / "secret")
    with pytest.raises(BotError, match="far is a link that leads out") as refused:
        copy_bot(read_bot(source), tmp_path / "second")
    assert refused.value.code == "BAD_MANIFEST"
    assert not (tmp_path / "second" / "far").exists()
