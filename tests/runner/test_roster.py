"""Finding a bot by name, version, hash or folder, and kept copies that are not what was added."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.bots.kept import keep
from arena.bots.manifest import Bot, find_bot, read_bot
from arena.core.errors import ArenaError, BotError, ConfigError
from arena.runner.config import Cup
from arena.runner.cup_file import load_cup
from arena.runner.enroll import admissible, known_as
from arena.runner.prepare import prepare, source_of
from arena.runner.roster import Roster
from arena.store.store import Store

CUP = 'name = "spring"\ngame = "crowsnest"\nboards = 2\nbots = [{}]\n'


def folder_of(place: Path, text: str = "1", name: str = "fox") -> Path:
    place.mkdir(parents=True, exist_ok=True)
    (place / "bot.toml").write_text(f'name = "{name}"\ncommand = ["python3", "main.py"]\n')
    (place / "main.py").write_text(f"print({text})\n")
    return place


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with fox v1 to v3, v2 retired; the working folder has nothing else."""
    monkeypatch.chdir(tmp_path)
    data = tmp_path / ".arena"
    with Store.open(data) as store:
        for number in (1, 2, 3):
            add(store, data, folder_of(tmp_path / "source" / str(number), str(number)))
        store.retire("fox", 2)
    shutil.rmtree(tmp_path / "source")
    return data


def add(store: Store, data: Path, folder: Path, name: str | None = None) -> Bot:
    bot = admissible(folder, name)
    store.register(bot.name, bot.version, bot.manifest)
    return keep(bot, data / "bots")


def text_of(bot: Bot) -> str:
    return (bot.folder / "main.py").read_text()


def error_of(find: Callable[[str], Bot], reference: str) -> ArenaError:
    with pytest.raises(BotError) as error:
        find(reference)
    assert error.value.fix
    return error.value


@pytest.mark.parametrize(
    ("reference", "number"), [("fox", 3), ("fox@1", 1), ("fox@v1", 1), ("fox@2", 2), ("FOX@3", 3), ("Fox", 3)]
)
def test_a_name_is_the_newest_ready_version_and_a_number_that_one(data: Path, reference: str, number: int) -> None:
    bot = Roster(data).find(reference)
    assert (bot.name, bot.number, text_of(bot)) == ("fox", number, f"print({number})\n")
    assert bot.folder == data / "bots" / bot.version
    assert not bot.house


def test_a_hash_names_the_version_it_begins(data: Path) -> None:
    roster = Roster(data)
    for each in roster.registered("fox"):
        for digits in (6, 12, 64):
            assert roster.find(f"fox@{each.version[:digits].upper()}").number == each.number


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("fox@4", "no version 4 of fox"),
        ("fox@0", "no version 0 of fox"),
        ("fox@abcde", "'abcde' is no version"),
        ("fox@" + "0" * 12, "no version of fox has a hash that begins with"),
        ("fox@latest", "'latest' is no version"),
        ("fix", "no bot 'fix'"),
        ("fix@3", "no bot 'fix@3'"),
        ("basic@3", "no version '3' of the house bot basic"),
        ("./fox", "no bot './fox'"),
    ],
)
def test_what_is_nowhere_is_said(data: Path, reference: str, message: str) -> None:
    error = error_of(Roster(data).find, reference)
    assert (error.code, message in error.message) == ("NO_BOT", True)


def test_the_nearest_name_is_offered(data: Path) -> None:
    assert error_of(Roster(data).find, "foxx").fix.startswith("did you mean 'fox'?")
    assert "fox@2 (retired)" in error_of(Roster(data).find, "fox@9").saw


def test_a_bot_all_of_whose_versions_are_retired_needs_a_number(data: Path) -> None:
    with Store.open(data) as store:
        store.retire("fox")
    roster = Roster(data)
    assert "every version of fox is retired" in error_of(roster.find, "fox").message
    assert roster.find("fox@3").number == 3


def test_a_house_bot_comes_first_and_a_path_is_always_a_folder(data: Path, tmp_path: Path) -> None:
    folder_of(tmp_path / "basic", name="mine")
    folder_of(tmp_path / "fox", "folder")
    folder_of(tmp_path / "owl", "folder", name="owl")
    roster = Roster(data)
    assert roster.find("basic").house
    assert roster.find("basic@" + find_bot("basic").version[:6]).house
    assert roster.find("./basic").name == "mine"
    assert roster.find("fox").number == 3
    assert text_of(roster.find("./fox")) == "print(folder)\n"
    assert roster.find("owl").folder == tmp_path / "owl"
    assert roster.find("owl/", near=tmp_path).folder == tmp_path / "owl"
    assert roster.find(str(tmp_path / "owl")).folder == tmp_path / "owl"


def test_without_a_store_house_bots_and_folders_are_found_and_nothing_is_made(tmp_path: Path) -> None:
    roster = Roster(tmp_path / ".arena")
    assert roster.find("basic").house
    assert roster.find("owl", near=folder_of(tmp_path / "owl", name="owl").parent).name == "owl"
    assert "registered: none" in error_of(roster.find, "fox").saw
    assert not (tmp_path / ".arena").exists()


def edit(place: Path) -> None:
    (place / "main.py").write_text("print('changed')\n")


def break_manifest(place: Path) -> None:
    (place / "bot.toml").write_text("no toml")


@pytest.mark.parametrize(
    ("change", "message"), [(edit, "is not what was added"), (break_manifest, "is not"), (shutil.rmtree, "is gone")]
)
def test_a_kept_copy_that_was_changed_is_refused(data: Path, change: Callable[[Path], None], message: str) -> None:
    roster = Roster(data)
    bot = roster.find("fox@1")
    change(bot.folder)
    error = error_of(roster.find, "fox@1")
    assert (error.code, error.where) == ("BOT_CHANGED", str(bot.folder))
    assert f"the kept copy of fox v1 {message}" in error.message
    assert roster.find("fox@3").number == 3


def test_adding_the_same_files_puts_the_copy_back(data: Path, tmp_path: Path) -> None:
    roster = Roster(data)
    edit(roster.find("fox@1").folder)
    keep(admissible(folder_of(tmp_path / "again", "1")), data / "bots")
    assert text_of(roster.find("fox@1")) == "print(1)\n"
    assert [path.name for path in (data / "bots").iterdir() if path.name.startswith(".")] == [".lock"]
    assert (data / "bots").stat().st_mode & 0o777 == 0o700


def test_files_that_change_while_they_are_copied_are_not_kept(tmp_path: Path) -> None:
    bot = read_bot(folder_of(tmp_path / "fox"))
    edit(bot.folder)
    with pytest.raises(BotError, match="changed while it was copied"):
        keep(bot, tmp_path / "bots")
    assert [path.name for path in (tmp_path / "bots").iterdir()] == [".lock"]


def test_what_a_killed_process_left_of_a_copy_is_removed(tmp_path: Path) -> None:
    kept = tmp_path / "bots"
    (kept / ".new-0123456789ab").mkdir(parents=True)
    (kept / ".new-0123456789ab" / "main.py").touch()
    bot = read_bot(folder_of(tmp_path / "fox"))
    assert keep(bot, kept).folder == kept / bot.version
    assert {path.name for path in kept.iterdir()} == {".lock", bot.version}


# What may be registered.


def test_a_house_name_cannot_be_taken(tmp_path: Path) -> None:
    for name, typed in (("Basic", None), ("fox", "counter")):
        with pytest.raises(BotError, match="taken by a house bot") as taken:
            admissible(folder_of(tmp_path / "fox", name=name), typed)
        assert taken.value.code == "BAD_NAME"


def test_another_name_may_be_given(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "fox")
    assert admissible(folder, "Vixen").name == "Vixen"
    with pytest.raises(BotError, match="--name cannot be 'a b'"):
        admissible(folder, "a b")


def test_the_same_content_is_known_under_its_name_only(data: Path, tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "again", "2")
    with Store.open(data) as store:
        known = known_as(store, admissible(folder))
        assert known is not None
        assert known.number == 2
        assert known_as(store, admissible(folder, "vixen")) is None
        with pytest.raises(BotError, match="'FOX' is taken by 'fox'"):
            known_as(store, admissible(folder, "FOX"))


# Tournaments.


def cup_of(data: Path, *bots: str) -> Cup:
    file = data.parent / "cup.toml"
    file.write_text(CUP.format(", ".join(f'"{bot}"' for bot in bots)))
    return load_cup(file, find=Roster(data).find)


def test_a_cup_names_versions_and_stores_their_hashes(data: Path) -> None:
    cup = cup_of(data, "fox@1", "basic")
    assert [(bot.name, bot.number) for bot in cup.find_bots()] == [("fox", 1), ("basic", 0)]
    assert [bot.version for bot in cup.settings().bots] == [bot.version for bot in cup.find_bots()]
    assert "find" not in cup.saved()
    with Store.open(data) as store:
        entered = prepare(store, cup.settings(), data).tournament.entrants
    assert [(each.name, each.source) for each in entered] == [("fox", "registered:fox@1"), ("basic", "house:basic")]
    assert entered[0].version == Roster(data).find("fox@1").version


def test_a_cup_goes_on_with_its_version_only(data: Path, tmp_path: Path) -> None:
    """A name alone means the newest version: a newer one is another bot."""
    with Store.open(data) as store:
        prepare(store, cup_of(data, "fox", "basic").settings(), data)
        prepare(store, cup_of(data, "fox", "basic").settings(), data)
        add(store, data, folder_of(tmp_path / "new", "4"))
        with pytest.raises(ConfigError, match="the content of fox is not what was entered") as changed:
            prepare(store, cup_of(data, "fox", "basic").settings(), data)
    assert changed.value.code == "CHANGED"


def test_a_missing_version_is_told_with_the_line_of_the_cup(data: Path) -> None:
    with pytest.raises(ConfigError, match="no version 9 of fox") as missing:
        cup_of(data, "basic", "fox@9")
    assert missing.value.where.startswith(f"{data.parent / 'cup.toml'}:4")


def test_sources_are_told_apart(data: Path, tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "owl", name="owl")
    roster = Roster(data)
    assert source_of(roster.find("./owl")) == str(folder)
    assert source_of(roster.find("fox")) == "registered:fox@3"


def test_find_is_no_key_of_a_cup(data: Path) -> None:
    file = data.parent / "cup.toml"
    file.write_text(CUP.format('"basic", "random"') + 'find = "x"\n')
    with pytest.raises(ConfigError, match="unknown key 'find'"):
        load_cup(file)
