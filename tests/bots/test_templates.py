"""Templates: a new folder with a name and games of its own; nothing is overwritten."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.bots.manifest import read_bot
from arena.bots.templates import ALIASES, PLACES, new_bot, template
from arena.core.errors import BotError, ConfigError


def test_a_new_bot_has_its_name_and_its_games(tmp_path: Path) -> None:
    files = new_bot("vixen", "python", tmp_path / "vixen", ("goat", "crowsnest"))
    bot = read_bot(tmp_path / "vixen")
    assert (bot.name, bot.games) == ("vixen", ("goat", "crowsnest"))
    assert files[0] == tmp_path / "vixen" / "bot.toml"
    assert sorted(files) == sorted(path for path in (tmp_path / "vixen").rglob("*") if path.is_file())


def test_without_games_it_plays_those_of_the_template(tmp_path: Path) -> None:
    new_bot("vixen", "python", tmp_path / "vixen")
    assert read_bot(tmp_path / "vixen").games == read_bot(template("python")).games == ("*",)


def test_the_template_itself_is_untouched(tmp_path: Path) -> None:
    before = read_bot(template("python")).version
    new_bot("vixen", "python", tmp_path / "vixen", ("goat",))
    assert read_bot(template("python")).version == before


@pytest.mark.parametrize("language", [name for name in PLACES if (template(name) / "bot.toml").exists()])
def test_every_template_has_a_manifest_that_is_renamed(tmp_path: Path, language: str) -> None:
    new_bot("vixen", language, tmp_path / "vixen", ("goat",))
    bot = read_bot(tmp_path / "vixen")
    assert (bot.name, bot.games) == ("vixen", ("goat",))
    original = read_bot(template(language))
    assert (bot.command, bot.build, bot.protocol) == (original.command, original.build, original.protocol)


def test_an_existing_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "vixen").mkdir()
    with pytest.raises(ConfigError, match="exists already"):
        new_bot("vixen", "python", tmp_path / "vixen")
    assert list((tmp_path / "vixen").iterdir()) == []


def test_what_cannot_be_made_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no template for 'cobol'") as unknown:
        new_bot("vixen", "cobol", tmp_path / "vixen")
    assert unknown.value.code == "NO_TEMPLATE"
    assert "python" in unknown.value.fix
    with pytest.raises(BotError) as bad:
        new_bot("../vixen", "python", tmp_path / "vixen")
    assert bad.value.code == "BAD_NAME"
    assert list(tmp_path.iterdir()) == []


def test_other_names_of_languages() -> None:
    assert {template(alias) for alias in ALIASES} <= {template(language) for language in PLACES}
