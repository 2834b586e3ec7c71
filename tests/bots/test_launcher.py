"""The launcher with real processes: how a bot is started, what it inherits, how it ended, and what it writes."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from bots.launching import DEADLINE_S, PYTHON, run, scene, start

from arena.bots import launcher_process
from arena.bots.launcher import Exit, Launcher, program_of, variables_for
from arena.bots.manifest import Bot
from arena.bots.output import KEEP, Marks, Output, mark
from arena.bots.running import CHUNK
from arena.core.errors import BotError

ENDINGS = {
    "pass": Exit(0, None, ""),
    "raise SystemExit(7)": Exit(7, None, ""),
    "print('one'); print('two '); print()": Exit(0, None, "two"),
    "raise KeyError('x')": Exit(1, None, "KeyError: 'x'"),
    "import os; os.kill(os.getpid(), 9)": Exit(None, 9, ""),
    "import ctypes; ctypes.string_at(0)": Exit(None, signal.SIGSEGV, ""),
    "import sys; sys.stderr.write('err\\n'); sys.stderr.flush(); print('out')": Exit(0, None, "out"),
}


@pytest.mark.parametrize("code", ENDINGS)
def test_how_a_bot_ended_is_told(code: str) -> None:
    ending = run(code)
    assert ending == ENDINGS[code]
    assert ending.fault == ("EXIT" if ending.code == 0 else "CRASH")


def test_an_ending_in_words() -> None:
    assert str(Exit(7, None, "")) == "exited with status 7"
    assert str(Exit(None, 11, "last words")) == "was ended by signal 11; its last line: 'last words'"


@pytest.mark.parametrize("command", ["./no-such-program", "/etc", "/etc/hostname", "no-such-program", "nul\0byte"])
def test_a_program_that_cannot_be_run_is_told(command: str) -> None:
    async def work(launcher: Launcher) -> None:
        with pytest.raises(BotError, match="cannot be run") as bad:
            await launcher.start((command,), Path("/"), {}, None)
        assert bad.value.code == "START_FAILED"
        assert (await (await start(launcher, "pass")).exit).code == 0, "the launcher goes on"

    scene(work)


def test_a_folder_that_is_gone_is_told(tmp_path: Path) -> None:
    async def work(launcher: Launcher) -> None:
        with pytest.raises(BotError, match="gone"):
            await launcher.start((*PYTHON, "pass"), tmp_path / "gone", {}, None)

    scene(work)


def test_a_command_is_never_read_by_a_shell(tmp_path: Path) -> None:
    words = ("$HOME", "`id`", "; touch x", "*", "a b", '"', "\\")

    async def work(launcher: Launcher) -> Exit:
        bot = await launcher.start(
            (*PYTHON, "import sys; print(ascii(sys.argv[1:]))", *words), tmp_path, {"HOME": "/h"}, None
        )
        return await bot.exit

    assert scene(work).last_line == ascii(list(words))
    assert list(tmp_path.iterdir()) == []


def test_a_bot_inherits_its_environment_and_three_descriptors_only(tmp_path: Path) -> None:
    code = (
        "import os, json; "
        "held = {n: os.readlink('/proc/self/fd/' + n) for n in os.listdir('/proc/self/fd') "
        "if os.path.exists('/proc/self/fd/' + n)}; "
        "print(json.dumps([dict(os.environ), held, os.getsid(0) == os.getpid(), os.getcwd()]))"
    )
    with (tmp_path / "secret").open("w") as secret:
        os.set_inheritable(secret.fileno(), True)
        environment, held, leads_session, folder = json.loads(run(code, ONE="1", ARENA_TOKEN="t").last_line)
    environment.pop("LC_CTYPE", None)  # Python's own doing
    assert environment == {"ONE": "1", "ARENA_TOKEN": "t"}
    assert sorted(held) == ["0", "1", "2"]
    assert held["0"] == "/dev/null"
    assert held["1"] == held["2"]
    assert held["1"].startswith("pipe:")
    assert leads_session
    assert folder == "/"


def test_signals_are_as_a_program_expects_them() -> None:
    """The launcher ignores some of its own, which its bots must not inherit."""
    code = "import signal; print([signal.getsignal(n).name for n in (signal.SIGTERM, signal.SIGCHLD, signal.SIGHUP)])"
    assert run(code).last_line == "['SIG_DFL', 'SIG_DFL', 'SIG_DFL']"
    blocked = "import signal; print(signal.pthread_sigmask(signal.SIG_BLOCK, []))"
    assert run(blocked).last_line == "set()"


def test_no_core_file_is_written() -> None:
    assert run("import resource; print(resource.getrlimit(resource.RLIMIT_CORE))").last_line == "(0, 0)"


def test_the_environment_of_a_bot_names_its_seat_and_nothing_of_the_arena(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name not in ("PATH",):
            monkeypatch.delenv(name)
    monkeypatch.setenv("DATABASE_URL", "postgresql://user:password@host/db")
    monkeypatch.setenv("LANG", "C.UTF-8")
    assert variables_for("unix:/s", "t", Path("/a"), Path("/b")) == {
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "ARENA_ADDRESS": "unix:/s",
        "ARENA_TOKEN": "t",
        "PYTHONPATH": "/a:/b",
        "PYTHONDONTWRITEBYTECODE": "1",
        "HOME": "/nonexistent",
        "GRPC_VERBOSITY": "ERROR",
    }


def bot_of(*command: str) -> Bot:
    return Bot("fox", Path(), command, ("*",), 1, "0" * 64, house=False)


def test_python_is_the_arena_s_own() -> None:
    assert program_of(bot_of("python3", "main.py")) == (sys.executable, "main.py")
    assert program_of(bot_of("python", "-m", "x")) == (sys.executable, "-m", "x")
    assert program_of(bot_of("./python3", "main.py")) == ("./python3", "main.py")


def test_a_bot_of_json_lines_is_run_behind_the_bridge() -> None:
    bot = replace(bot_of("perl", "bot.pl"), protocol="jsonl")
    assert program_of(bot) == (sys.executable, "-P", "-m", "arena_bot.bridge", "perl", "bot.pl")


# Output


def test_output_is_kept_whole_while_it_is_short(tmp_path: Path) -> None:
    log = tmp_path / "bot.log"
    run("import os; os.write(1, b'\\x00\\xff\\x1b[31m</script>'); os.write(2, b'err')", log)
    assert log.read_bytes() == b"\x00\xff\x1b[31m</script>err"
    assert log.stat().st_mode & 0o777 == 0o600


def test_marks_of_turns_stand_before_what_follows_them() -> None:
    written = b"begins\n" + mark("turn 3") + mark("turn 7") + b"seven\nmore" + mark("turn 9") + b"\n \n"
    written += mark("game 2 turn 1") + b"again\n" + mark("turn 12 or later") + b"late" + mark("turn 13")
    told = b"begins\n[turn 7]\nseven\nmore\n \n[game 2 turn 1]\nagain\n[turn 12 or later]\nlate"
    for step in (1, 2, 3, 7, len(written)):
        marks = Marks()
        read = b"".join(marks.read(written[place : place + step]) for place in range(0, len(written), step))
        assert read + marks.rest() == told, step


@pytest.mark.parametrize("text", [b"\x1e", b"\x1e\x02turn", b"a\x1e\x02turn x\x1eb", b"\x1e\x02" + b"turn 1" * 20])
def test_what_is_no_mark_stays(text: bytes) -> None:
    marks = Marks()
    assert marks.read(b"x" + text) + marks.rest() == b"x" + text


def test_a_log_grows_while_its_bot_runs_and_has_the_marks_that_are_written_into_its_output(tmp_path: Path) -> None:
    log = tmp_path / "bot.log"

    async def grown(launcher: Launcher) -> None:
        bot = await start(launcher, "import time; print('first', flush=True); time.sleep(60)", log)
        wrote = asyncio.Event()
        bot.on_output = wrote.set
        if not bot.wrote:
            await wrote.wait()
        output = bot.open_output()
        os.write(output, mark("turn 4") + b"second\n")
        os.close(output)
        while not log.exists() or b"second" not in log.read_bytes():
            await asyncio.sleep(0.02)
        assert not bot.exit.done()

    scene(grown)
    assert log.read_bytes() == b"first\n[turn 4]\nsecond\n"


def test_of_a_flood_first_and_last_are_kept_and_the_rest_is_counted(tmp_path: Path) -> None:
    log = tmp_path / "bot.log"
    total = 20 * 1024 * 1024
    code = "import sys\nsys.stdout.buffer.write(b'first' + b'x' * (20 * 1024 * 1024 - 9) + b'last')\n"
    ending = run(code, log)
    kept = log.read_bytes()
    head, note, tail = (
        kept[:KEEP],
        kept[KEEP : kept.index(b"left out]\n") + 10],
        kept[kept.index(b"left out]\n") + 10 :],
    )
    assert head.startswith(b"first")
    assert tail.endswith(b"last")
    assert KEEP <= len(tail) <= KEEP + CHUNK
    dropped = int(note.split()[0].strip(b"["))
    assert KEEP + dropped + len(tail) == total
    assert ending.last_line == "x" * 500


@pytest.mark.parametrize(
    "sizes", [[1], [KEEP], [KEEP + 1], [KEEP, KEEP], [KEEP - 1, 3, KEEP], [7] * 300_000, [3 * KEEP]]
)
def test_output_adds_up(sizes: list[int]) -> None:
    output, whole = Output(), bytearray()
    for index, size in enumerate(sizes):
        data = bytes([65 + index % 26]) * size
        output.add(data)
        whole += data
    text = output.text()
    assert len(text) <= 2 * KEEP + max(sizes) + 100
    if b"left out" not in text:
        assert text == whole
        return
    note = text[KEEP:].split(b"\n", 2)[1]
    dropped = int(note.split()[0].strip(b"["))
    tail = text[KEEP + len(note) + 2 :]
    assert text[:KEEP] == whole[:KEEP]
    assert whole.endswith(tail)
    assert len(tail) >= KEEP
    assert KEEP + dropped + len(tail) == len(whole)


def test_a_bot_that_closes_its_output_is_still_watched() -> None:
    assert run("import os; os.close(1); os.close(2); os._exit(5)").code == 5


def test_a_flood_of_one_bot_does_not_keep_others_waiting() -> None:
    async def work(launcher: Launcher) -> float:
        flood = await start(launcher, "import os\nwhile True: os.write(1, b'x' * 65536)")
        began = time.monotonic()
        for _ in range(3):
            await (await start(launcher, "pass")).exit
        took = time.monotonic() - began
        flood.kill()
        await flood.exit
        return took

    assert scene(work) < DEADLINE_S / 2


def test_a_log_that_cannot_be_written_stops_nobody(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run("print('hello')", tmp_path / "no folder" / "bot.log") == Exit(0, None, "hello")
    assert "no folder" in capfd.readouterr().err


def test_the_launcher_knows_nothing_of_grpc() -> None:
    """It forks, and gRPC must not be there when that happens."""
    code = (
        f"import runpy, sys; runpy.run_path({launcher_process.__file__!r}, run_name='x'); print('grpc' in sys.modules)"
    )
    path = shutil.which(sys.executable)
    assert path is not None
    done = subprocess.run([path, "-I", "-c", code], capture_output=True, text=True, timeout=DEADLINE_S, check=True)
    assert done.stdout == "False\n"
