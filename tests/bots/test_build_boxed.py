"""Build steps in boxes: what they may do, what they cannot, that nothing of them is left; without boxes they can."""

from __future__ import annotations

import asyncio
import functools
import os
import secrets
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import psutil
import pytest

from arena.bots.build import BUILD_S, built, log_of
from arena.bots.manifest import Bot, read_bot
from arena.bots.output import KEEP
from arena.bots.sandbox import builds as boxed
from arena.bots.sandbox.builds import tidy
from arena.bots.sandbox.limits import BUILD
from arena.bots.sandbox.means import NONE, Means
from arena.bots.sandbox.selftest import find_means
from arena.core.errors import BotError

LIMIT_S = 60.0
SHORT_S = 6.0
"""For what is to be ended by the deadline."""
MARK = f"arena-build-test-{secrets.token_hex(8)}"
"""In the command line of every process that a step starts."""


@functools.cache
def means() -> Means:
    """How this host keeps bots apart."""
    found = asyncio.run(find_means())
    assert found.boxed, "this host cannot keep bots apart"
    return found


def bot_of(place: Path, *steps: str) -> Bot:
    """A bot whose build steps are Python programs."""
    place.mkdir(parents=True)
    words = ", ".join(f'["python3", "step{number}.py", "{MARK}"]' for number in range(len(steps)))
    for number, step in enumerate(steps):
        (place / f"step{number}.py").write_text(dedent(step))
    (place / "bot.toml").write_text(f'name = "fox"\ncommand = ["./fox"]\nbuild = [{words}]\n')
    (place / "source").write_text("code")
    return read_bot(place)


def marked() -> list[int]:
    """Processes of steps that run yet."""
    found = []
    for process in psutil.process_iter(["cmdline", "status"]):
        if MARK in (process.info["cmdline"] or []) and process.info["status"] != psutil.STATUS_ZOMBIE:
            found.append(process.pid)
    return found


@contextmanager
def nothing_left(folder: Path) -> Iterator[None]:
    """Asserts that a build leaves no process and no file but its log, lock and what it made."""
    temporary = set(Path("/tmp").glob("arena-*"))
    before = psutil.Process().num_fds()
    yield
    assert marked() == []
    assert psutil.Process().num_fds() == before
    assert {path for path in set(Path("/tmp").glob("arena-*")) - temporary if list(path.rglob(MARK))} == set()
    assert [path.name for path in folder.iterdir() if path.name.startswith(".")] == []


def failure(bot: Bot, builds: Path, limit_s: float = LIMIT_S) -> BotError:
    builds.mkdir()
    with nothing_left(builds), pytest.raises(BotError) as failed:
        built(bot, builds, limit_s, means())
    assert failed.value.code == "BUILD_FAILED"
    assert sorted(path.suffix for path in builds.iterdir() if path.is_file()) == [".lock", ".log"]
    return failed.value


def test_steps_share_a_copy_and_a_home_and_what_they_make_is_kept(tmp_path: Path) -> None:
    bot = bot_of(
        tmp_path / "fox",
        "import os; open('fox', 'w').write(open('source').read() + '!'); os.chmod('fox', 0o4700)"
        "; open(os.environ['HOME'] + '/kept', 'w'); open('/tmp/gone', 'w'); print('compiled')",
        """
        import os
        assert os.path.exists(os.environ['HOME'] + '/kept') and not os.path.exists('/tmp/gone')
        assert os.getcwd() == '/bot'
        os.mkfifo('pipe'); os.mkdir('shut'); open('shut/in', 'w'); os.chmod('shut', 0); os.symlink('/etc', 'link')
        """,
    )
    made = built(bot, tmp_path / "builds", LIMIT_S, means())
    assert (made.folder / "fox").read_text() == "code!"
    assert (made.folder / "fox").stat().st_mode & 0o7777 == 0o755
    assert (made.folder / "shut").stat().st_mode & 0o7777 == 0o755
    assert (made.folder / "shut" / "in").exists()
    assert not (made.folder / "pipe").exists()
    assert {path.lstat().st_uid for path in made.folder.rglob("*")} == {os.getuid()}
    assert "compiled" in log_of(bot, tmp_path / "builds").read_text()
    assert sorted(path.name for path in bot.folder.iterdir()) == ["bot.toml", "source", "step0.py", "step1.py"]
    before = made.folder.stat().st_mtime_ns
    assert built(bot, tmp_path / "builds", LIMIT_S, means()).folder.stat().st_mtime_ns == before, "built once"


def test_a_step_sees_nothing_of_the_arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "secret")
    step = """
    import os, sys
    assert "DATABASE_URL" not in os.environ and os.environ["HOME"] == "/scratch"
    assert os.getuid() != 0
    seen = [path for path in sys.argv[1:] if os.path.exists(path)]
    sys.exit(f"sees {seen}" if seen else 0)
    """
    bot = bot_of(
        tmp_path / "fox", step.replace("sys.argv[1:]", repr([str(tmp_path), "/etc/shadow", "/var/lib", "/sys/kernel"]))
    )
    assert built(bot, tmp_path / "builds", LIMIT_S, means()).folder.is_dir()


REACH = """
import socket
socket.create_connection(("127.0.0.1", {port}), timeout=5)
open("fox", "w")
"""
OUTSIDE = """
import os, sys
wrote = []
for place in ("{place}", "/usr", "/etc", "/packages", "/arena", "/var/tmp", "/"):
    try:
        open(os.path.join(place, "{mark}"), "w").write("x")
        wrote.append(place)
    except OSError as error:
        print(place, error)
sys.exit(0 if wrote else "wrote nowhere")
"""
DAEMON = """
import os, signal, subprocess, sys, time
if os.fork():
    time.sleep(0.5)
    sys.exit(0)
os.setsid()
if os.fork():
    os._exit(0)
signal.signal(signal.SIGHUP, signal.SIG_IGN)
null = os.open(os.devnull, os.O_RDWR)
for descriptor in (0, 1, 2):
    os.dup2(null, descriptor)
os.execvp(sys.executable, [sys.executable, "-c", "import time; time.sleep(300)", "{mark}"])
"""
FORKS = """
import os, time
while True:
    try:
        os.fork()
    except OSError:
        time.sleep(0.1)
"""
MEMORY = """
held = []
while True:
    held.append(bytearray(b"x" * (16 << 20)))
"""


def test_a_step_that_uses_the_network_fails(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        bot = bot_of(tmp_path / "fox", REACH.format(port=server.getsockname()[1]))
        error = failure(bot, tmp_path / "builds")
        assert "ended with status 1" in error.message
        assert "have no network" in error.fix
        assert built(bot, tmp_path / "bare", LIMIT_S, NONE).folder.is_dir(), "without a sandbox it can"


def test_a_step_that_writes_outside_fails(tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.mkdir()
    step = OUTSIDE.format(place=place, mark=MARK)
    assert failure(bot_of(tmp_path / "fox", step), tmp_path / "builds").saw == "wrote nowhere"
    assert list(place.iterdir()) == []
    only_there = step.replace('"/usr", "/etc", "/packages", "/arena", "/var/tmp", "/"', "")
    assert built(bot_of(tmp_path / "bare", only_there), tmp_path / "trusted", LIMIT_S, NONE).folder.is_dir()
    assert [path.name for path in place.iterdir()] == [MARK], "without a sandbox it can"


def test_a_daemon_ends_with_its_step(tmp_path: Path) -> None:
    bot = bot_of(tmp_path / "fox", DAEMON.format(mark=MARK))
    (tmp_path / "builds").mkdir()
    with nothing_left(tmp_path / "builds"):
        built(bot, tmp_path / "builds", LIMIT_S, means())
    built(bot, tmp_path / "bare", LIMIT_S, NONE)
    left = marked()
    for pid in left:
        psutil.Process(pid).kill()
    assert len(left) == 1, "without a sandbox it runs on"


@pytest.mark.timed
@pytest.mark.parametrize(
    ("step", "limit_s", "problem"),
    [
        pytest.param("import time; time.sleep(300)", SHORT_S, "took too long", id="never-ends"),
        pytest.param(FORKS, SHORT_S, "took too long", id="forks"),
        pytest.param(MEMORY, LIMIT_S, "used more than 256 MiB of memory", id="memory"),
        pytest.param("import os; os.kill(os.getpid(), 11)", LIMIT_S, "was ended by signal 11", id="crashes"),
    ],
)
def test_a_step_without_bounds_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, limit_s: float, problem: str
) -> None:
    assert (BUILD.memory_mb, BUILD_S) == (2048, 120)
    if step == MEMORY:
        monkeypatch.setattr(boxed, "BUILD", replace(BUILD, memory_mb=256))
    began = time.monotonic()
    assert problem in failure(bot_of(tmp_path / "fox", step), tmp_path / "builds", limit_s).message
    assert time.monotonic() - began < limit_s * 5


def test_a_step_that_fills_the_disk_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boxed, "DISK_MB", 64)
    step = "import time\nfor n in range(9): open(f'f{n}', 'wb').write(b'x' * (16 << 20))\ntime.sleep(300)"
    assert "wrote more than 64 MiB" in failure(bot_of(tmp_path / "fox", step), tmp_path / "builds").message


def test_of_a_gigabyte_of_output_both_ends_are_kept(tmp_path: Path) -> None:
    step = "import os\nfor _ in range(16384): os.write(1, b'x' * 65535 + b'\\n')\nprint('the end')"
    bot = bot_of(tmp_path / "fox", step)
    built(bot, tmp_path / "builds", LIMIT_S * 2, means())
    log = log_of(bot, tmp_path / "builds").read_bytes()
    assert log.rstrip().endswith(b"the end")
    assert len(log) < 4 * KEEP


def test_a_step_that_is_not_there_is_told(tmp_path: Path) -> None:
    place = tmp_path / "fox"
    place.mkdir()
    (place / "bot.toml").write_text('name = "fox"\ncommand = ["x"]\nbuild = [["no-such-compiler", "&&", "$HOME"]]\n')
    error = failure(read_bot(place), tmp_path / "builds")
    assert "no-such-compiler" in error.saw


def test_a_failed_build_that_claims_to_be_done_is_tried_again(tmp_path: Path) -> None:
    bot = bot_of(tmp_path / "fox", "open('.built', 'w'); open('/bot.built', 'w')")
    failure(bot, tmp_path / "builds")
    with pytest.raises(BotError):
        built(bot, tmp_path / "builds", LIMIT_S, means())


def test_what_compilers_keep_is_there_at_the_next_build_from_the_same_folder_only(tmp_path: Path) -> None:
    step = """
    import os, sys
    cache = os.environ["HOME"] + "/cache"
    os.makedirs(cache, exist_ok=True)
    before = os.listdir(cache)
    open(f"{cache}/object{len(before)}", "w").close()
    sys.exit(0 if before else "nothing compiled yet")
    """
    bot, builds = bot_of(tmp_path / "fox", step), tmp_path / "builds"
    for folder in (bot.folder, bot_of(tmp_path / "owl", step + "# owl").folder):
        with pytest.raises(BotError) as failed:
            built(read_bot(folder), builds, LIMIT_S, means())
        assert failed.value.saw == "nothing compiled yet"
    assert built(bot, builds, LIMIT_S, means()).folder.is_dir()
    assert sorted(len(list(cache.iterdir())) for cache in (builds / "caches").iterdir()) == [1, 2]


def test_it_builds_where_a_loop_runs(tmp_path: Path) -> None:
    async def inside() -> Bot:
        return built(bot_of(tmp_path / "fox", "open('fox', 'w')"), tmp_path / "builds", LIMIT_S, means())

    assert (asyncio.run(inside()).folder / "fox").exists()


def test_tidying_takes_no_link_for_what_it_leads_to(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("mine")
    outside.chmod(0o600)
    place = tmp_path / "place"
    place.mkdir()
    (place / "link").symlink_to(outside)
    tidy(place)
    assert outside.stat().st_mode & 0o777 == 0o600
    shutil.rmtree(place)
    assert outside.exists()


def test_a_step_that_digs_deep_has_failed_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    dig = "import os\nfor _ in range(3000): os.mkdir('d'); os.chdir('d')"
    with pytest.raises(BotError, match="folders in each other") as failed:
        built(bot_of(tmp_path / "fox", dig, "open('fox', 'w')"), tmp_path / "builds", LIMIT_S, means())
    assert failed.value.code == "BUILD_FAILED"
    assert not list(tmp_path.glob("arena-work-*"))


def test_a_cache_that_is_a_link_is_not_kept(tmp_path: Path) -> None:
    """It would lead out of the arena's folders."""
    built(
        bot_of(tmp_path / "fox", "import os; os.symlink('../etc', os.environ['HOME'] + '/cache')"),
        tmp_path,
        LIMIT_S,
        means(),
    )
    assert not list((tmp_path / "caches").iterdir())
