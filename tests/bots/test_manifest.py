"""What a bot's folder says about it, and what it says when something is wrong with it."""

from __future__ import annotations

import json
import os
import shutil
import time
from pathlib import Path

import pytest

from arena.bots.manifest import Bot, content_hash, find_bot, house_names, read_bot
from arena.core.errors import BotError

GOOD = 'name = "fox"\ngames = ["crowsnest", "goat"]\ncommand = ["python3", "main.py"]\nconcurrent_games = 8\n'


LIMIT_S = 5.0
"""Five times what is promised, on a busy machine."""


def folder_of(tmp_path: Path, text: str | bytes = GOOD, name: str = "bot") -> Path:
    folder = tmp_path / name
    folder.mkdir()
    (folder / "bot.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    (folder / "main.py").write_text("print('hello')\n")
    return folder


def test_a_manifest_is_read(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    bot = read_bot(folder)
    assert bot == Bot("fox", folder, ("python3", "main.py"), ("crowsnest", "goat"), 8, content_hash(folder), False)
    assert bot.plays("goat")
    assert not bot.plays("crow_and_pitcher")
    assert bot.reference == f"fox@{bot.version[:12]}"
    assert len(bot.version) == 64


def test_what_may_be_left_out(tmp_path: Path) -> None:
    bot = read_bot(folder_of(tmp_path, 'name = "fox"\ncommand = ["./fox"]\n'))
    assert bot.concurrent_games == 1
    assert bot.plays("whatever")


BAD_NAMES = ["", "a b", "x" * 33, "<b>", "fox\n", "føx", "=cmd()", "fox\u202e", "../fox", "fox.exe"]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_name_has_one_to_thirty_two_plain_characters(tmp_path: Path, name: str) -> None:
    quoted = name.encode("unicode_escape").decode()
    text = f'command = ["x"]\n\nname = "{quoted}"\n' if name.isascii() else f'command = ["x"]\n\nname = "{name}"\n'
    with pytest.raises(BotError) as bad:
        read_bot(folder_of(tmp_path, text))
    assert bad.value.code == "BAD_NAME"
    assert bad.value.where == f"{tmp_path / 'bot' / 'bot.toml'}:3"
    assert repr(name) in bad.value.message


@pytest.mark.parametrize("name", ["f", "x" * 32, "Fox_2-b"])
def test_good_names(tmp_path: Path, name: str) -> None:
    assert read_bot(folder_of(tmp_path, f'name = "{name}"\ncommand = ["x"]\n')).name == name


WRONG = {
    "unknown key": ('name = "fox"\ncomand = ["x"]\n', 2, "unknown key 'comand'", "did you mean 'command'?"),
    "unknown table": ('name = "fox"\ncommand = ["x"]\n[made]\n', None, "unknown key 'made'", "accepted: name, author"),
    "command a text": (
        'name = "fox"\n# run\ncommand = "python3 main.py"\n',
        3,
        "command cannot be",
        "no shell runs it",
    ),
    "command empty": ('name = "fox"\ncommand = []\n', 2, "command cannot be []", "a list of words"),
    "command of numbers": ('name = "fox"\ncommand = ["x", 3]\n', 2, "command cannot be ['x', 3]", "a list of words"),
    "command with NUL": ('name = "fox"\ncommand = ["x\\u0000y"]\n', 2, "command cannot be", "a list of words"),
    "no command": ('name = "fox"\n', None, "command cannot be None", "a list of words"),
    "games a text": ('name = "fox"\ngames = "goat"\ncommand = ["x"]\n', 2, "games cannot be 'goat'", "a list of ids"),
    "no games at once": (
        'name = "fox"\ncommand = ["x"]\nconcurrent_games = 0\n',
        3,
        "concurrent_games cannot be 0",
        "1",
    ),
    "half a game": ('name = "fox"\ncommand = ["x"]\nconcurrent_games = 1.5\n', 3, "cannot be 1.5", "a whole number"),
    "true games": ('name = "fox"\ncommand = ["x"]\nconcurrent_games = true\n', 3, "cannot be True", "a whole number"),
    "too many games": ('name = "fox"\ncommand = ["x"]\nconcurrent_games = 1025\n', 3, "cannot be 1025", "1 to 1024"),
    "not TOML": ('name = "fox"\ncommand = ["x"\n', None, "is not TOML", "lines like"),
    "doubled key": ('name = "fox"\nname = "owl"\n', None, "is not TOML", "lines like"),
    "a thousand levels": ("x = " + "[" * 1_000 + "]" * 1_000, None, "", ""),
    "a thousand tables": ("name" + ".x" * 1_000 + " = 1\ncommand = ['x']\n", 1, "name cannot be", "1 to 32"),
    "a thousand inline tables": ("name = " + "{x=" * 1_000 + "1" + "}" * 1_000, None, "", ""),
    "twice a table": ("[resources]\n[resources]\n", None, "is not TOML", "lines like"),
    "a table and a key": ("resources = 1\n[resources]\nmemory_mb = 64\n", None, "is not TOML", "lines like"),
    "a megabyte": ("# " + "x" * 1_000_000 + "\n" + GOOD, None, "more than 64 KiB", "a short file"),
    "many keys": ("\n".join(f"a{number} = 1" for number in range(6_000)), 1, "unknown key 'a0'", "accepted"),
    "no file": (b"\x7fELF\x02\x01\x01\0\0\0", None, "is not TOML", "lines like"),
    "unknown transport": ('name = "fox"\ncommand = ["x"]\ntransport = "udp"\n', 3, "cannot be 'udp'", "unix | tcp"),
    "not UTF-8": (b'name = "f\xff"\n', None, "cannot be read", "UTF-8"),
    "empty file": ("", None, "name cannot be None", "1 to 32"),
}
"""Name -> text, line, what the message says, what the fix says."""


@pytest.mark.parametrize("kind", WRONG)
def test_what_is_wrong_is_told_with_file_and_line(tmp_path: Path, kind: str) -> None:
    text, line, message, fix = WRONG[kind]
    folder = folder_of(tmp_path, text)
    began = time.monotonic()
    with pytest.raises(BotError) as bad:
        read_bot(folder)
    assert time.monotonic() - began < LIMIT_S
    error = bad.value
    assert error.code == ("BAD_NAME" if kind in ("empty file", "a thousand tables") else "BAD_MANIFEST")
    assert len(error.message) < 1000
    assert message in error.message
    assert fix in error.fix
    file = str(tmp_path / "bot" / "bot.toml")
    assert error.where.startswith(file) if line is None else error.where == f"{file}:{line}"


def test_what_a_shell_would_read_stays_one_word(tmp_path: Path) -> None:
    words = ("x; rm -rf ~", "$(id)", "`id`", "&&", "|", ">", "*", "~", "a b", "'", "\n")
    quoted = ", ".join(json.dumps(word) for word in words)
    assert read_bot(folder_of(tmp_path, f'name = "fox"\ncommand = [{quoted}]\nbuild = [[{quoted}]]\n')).command == words
    assert read_bot(tmp_path / "bot").build == (words,)


def test_a_folder_without_a_manifest(tmp_path: Path) -> None:
    with pytest.raises(BotError, match=r"there is no bot\.toml") as bad:
        read_bot(tmp_path)
    assert bad.value.where == str(tmp_path / "bot.toml")


def test_house_bots_are_found_by_name() -> None:
    assert {"random", "basic", "cautious", "counter"} <= set(house_names())
    for name in house_names():
        bot = find_bot(name)
        assert (bot.name, bot.house) == (name, True)
        assert bot.plays("crowsnest")
        assert bot.concurrent_games >= 25, "a bout's games all at once"
    assert len({find_bot(name).version for name in house_names()}) == len(house_names())


def test_other_bots_are_found_by_their_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folder_of(tmp_path)
    assert find_bot(str(folder)).folder == folder
    assert find_bot("bot", near=tmp_path).folder == folder
    monkeypatch.chdir(tmp_path)
    assert find_bot("./bot").folder == folder
    monkeypatch.setenv("HOME", str(tmp_path))
    assert find_bot("~/bot", near=Path("/nowhere")).folder == folder


def test_a_house_name_is_taken_before_a_folder_of_that_name(tmp_path: Path) -> None:
    folder_of(tmp_path, name="basic")
    assert find_bot("basic", near=tmp_path).house
    assert not find_bot("./basic", near=tmp_path).house


def test_a_bot_that_is_nowhere_is_guessed(tmp_path: Path) -> None:
    with pytest.raises(BotError) as bad:
        find_bot("cuonter", near=tmp_path)
    assert bad.value.code == "NO_BOT"
    assert bad.value.fix.startswith("did you mean 'counter'? house bots: ")


# The version: a hash of what the bot is made of.


def touch_content(folder: Path) -> None:
    (folder / "main.py").write_text("print('Hello')\n")


def make_executable(folder: Path) -> None:
    (folder / "main.py").chmod(0o755)


def rename(folder: Path) -> None:
    (folder / "main.py").rename(folder / "mein.py")


def add_empty_file(folder: Path) -> None:
    (folder / "empty").touch()


def move_into_folder(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "main.py").rename(folder / "sub" / "main.py")


def edit_manifest(folder: Path) -> None:
    (folder / "bot.toml").write_text(GOOD + "# a comment\n")


CHANGES = [touch_content, make_executable, rename, add_empty_file, move_into_folder, edit_manifest]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_the_version_changes_with_content_mode_and_name(tmp_path: Path, change: object) -> None:
    assert callable(change)
    folder = folder_of(tmp_path)
    before = read_bot(folder).version
    change(folder)
    assert read_bot(folder).version != before


def write_caches(folder: Path) -> None:
    for name in ("__pycache__", ".arena", ".git", ".venv", ".mypy_cache", ".ruff_cache", ".pytest_cache"):
        (folder / name / "deep").mkdir(parents=True)
        (folder / name / "deep" / "file").write_text(name)
    (folder / "main.pyc").write_bytes(b"bytes")
    (folder / "empty folder").mkdir()


def touch_times(folder: Path) -> None:
    os.utime(folder / "main.py", (1, 1))


@pytest.mark.parametrize("change", [write_caches, touch_times], ids=lambda change: change.__name__)
def test_the_version_does_not_change_with_caches_and_times(tmp_path: Path, change: object) -> None:
    assert callable(change)
    folder = folder_of(tmp_path)
    before = read_bot(folder).version
    change(folder)
    assert read_bot(folder).version == before


def test_equal_folders_have_equal_versions_wherever_they_are(tmp_path: Path) -> None:
    assert read_bot(folder_of(tmp_path, name="one")).version == read_bot(folder_of(tmp_path, name="two")).version


@pytest.mark.parametrize("kind", ["fifo", "dangling link"])
def test_a_folder_with_what_is_no_file_is_refused(tmp_path: Path, kind: str) -> None:
    """Reading a pipe would wait for ever."""
    folder = folder_of(tmp_path)
    if kind == "fifo":
        os.mkfifo(folder / "pipe")
    else:
        (folder / "pipe").symlink_to("nowhere")
    with pytest.raises(BotError, match="pipe is no file") as bad:
        read_bot(folder)
    assert bad.value.code == "BAD_MANIFEST"
    assert bad.value.where == str(folder / "pipe")


def test_names_and_contents_are_not_confused(tmp_path: Path) -> None:
    """Two files a and b are not one file with the bytes of both."""
    for name, files in {"one": {"a": "xb", "c": "y"}, "two": {"a": "x", "bc": "y"}}.items():
        (tmp_path / name).mkdir()
        for file, text in files.items():
            (tmp_path / name / file).write_text(text)
    assert content_hash(tmp_path / "one") != content_hash(tmp_path / "two")


def test_products_count_unless_the_bot_is_built(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    for step in ("", 'build = [["true"]]\n'):
        manifest = folder / "bot.toml"
        manifest.write_text(f'name = "fox"\ncommand = ["./build/fox"]\n{step}')
        shutil.rmtree(folder / "build", ignore_errors=True)
        before = read_bot(folder).version
        (folder / "build").mkdir()
        (folder / "build" / "fox").write_text("another program")
        assert (read_bot(folder).version == before) is bool(step)


def test_a_link_to_a_folder_is_refused(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    (folder / "src").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BotError, match="src is a link to a folder"):
        read_bot(folder)


def test_a_link_out_of_the_folder_is_not_even_read(tmp_path: Path) -> None:
    """It may lead to what never ends."""
    folder = folder_of(tmp_path)
    (folder / "data").symlink_to("/proc/kmsg")
    with pytest.raises(BotError, match="data is a link that leads out") as bad:
        read_bot(folder)
    assert bad.value.code == "BAD_MANIFEST"


@pytest.mark.parametrize("kind", ["fifo", "link"])
def test_a_manifest_that_is_no_file_of_the_folder_is_not_opened(tmp_path: Path, kind: str) -> None:
    folder = folder_of(tmp_path)
    (folder / "bot.toml").unlink()
    if kind == "fifo":
        os.mkfifo(folder / "bot.toml")
    else:
        (folder / "bot.toml").symlink_to("/proc/kmsg")
    with pytest.raises(BotError, match="is no file of the folder") as bad:
        read_bot(folder)
    assert bad.value.code == "BAD_MANIFEST"


@pytest.mark.parametrize("key", ["command", "build"])
def test_a_command_of_more_words_than_a_sandbox_takes_is_refused(tmp_path: Path, key: str) -> None:
    """Else its sandbox could not be made, which would be the arena's fault."""
    words = ["x"] * 9000
    text = f"command = {words}\n" if key == "command" else f'command = ["x"]\nbuild = [{words}]\n'
    with pytest.raises(BotError, match=f"{key} cannot be") as bad:
        read_bot(folder_of(tmp_path, f'name = "fox"\n{text}'))
    assert bad.value.code == "BAD_MANIFEST"
