"""Bots to copy: one template for each language, shipped with the arena.

In a checkout they lie in sample_bots; an installed arena carries them along.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from arena.bots.manifest import NAME
from arena.bots.version import files_of
from arena.core.errors import BotError, ConfigError

PLACES = {
    "python": "python/template",
    "typescript": "typescript",
    "go": "go",
    "rust": "rust",
    "java": "java",
    "cpp": "cpp",
    "perl": "jsonl/perl",
    "lua": "jsonl/lua",
}
"""Language -> folder of its template below `templates_folder()`. Perl and Lua speak JSON lines."""
ALIASES = {"jsonl": "perl", "ts": "typescript", "c++": "cpp", "py": "python"}


def templates_folder() -> Path:
    """Where the templates are."""
    package = Path(__file__).parents[1]
    installed = package / "templates"
    return installed if installed.is_dir() else package.parent / "sample_bots"


def template(language: str) -> Path:
    """The template of a language. Raises ConfigError for a language that has none."""
    known = ALIASES.get(language, language)
    if known not in PLACES:
        raise ConfigError(f"no template for {language!r}", fix=f"languages: {', '.join(PLACES)}", code="NO_TEMPLATE")
    return templates_folder() / PLACES[known]


def new_bot(name: str, language: str, folder: Path, games: tuple[str, ...] = ()) -> list[Path]:
    """Copy a template to a new folder under a new name; returns the files, bot.toml first.

    Raises ConfigError for a language without a template or a folder that exists, BotError BAD_NAME.
    """
    if not NAME.fullmatch(name):
        raise BotError(f"name cannot be {name!r}", fix="1 to 32 letters, digits, - or _", code="BAD_NAME")
    source = template(language)
    if folder.exists():
        raise ConfigError(
            f"{folder} exists already",
            where=str(folder),
            saw="a file or folder of this name",
            fix="choose another name or --dir",
        )
    made = []
    for relative, path in files_of(source, built=True):
        place = folder / relative
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, place)
        made.append(place)
    manifest = folder / "bot.toml"
    text = _with_value(manifest.read_text(encoding="utf-8"), "name", f'"{name}"')
    if games:
        text = _with_value(text, "games", "[" + ", ".join(f'"{game}"' for game in games) + "]")
    manifest.write_text(text, encoding="utf-8")
    return sorted(made, key=lambda path: (path != manifest, path))


def _with_value(text: str, key: str, value: str) -> str:
    return re.sub(rf"(?m)^({key}\s*=\s*)(\"[^\"]*\"|\[[^\]]*\])", lambda found: found[1] + value, text, count=1)
