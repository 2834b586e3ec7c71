"""What a bot is: a house name or a folder with `bot.toml`; its version is the content hash of that folder.

name = "fox"                        # [A-Za-z0-9_-]{1,32}
games = ["crowsnest", "goat"]       # ids of rulesets it plays, or ["*"] for all
command = ["python3", "main.py"]    # an argv list, run in the folder, never by a shell
concurrent_games = 8                # how many games it plays at once; 1 if left out
"""

from __future__ import annotations

import difflib
import hashlib
import importlib.util
import os
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.core.errors import BotError

NAME = re.compile(r"[A-Za-z0-9_-]{1,32}")
KEYS = ("name", "games", "command", "concurrent_games")
HOUSE_PACKAGE = "arena_house"
IGNORED = frozenset({"__pycache__", ".git", ".venv", ".mypy_cache", ".ruff_cache", ".pytest_cache"})
MAX_GAMES = 1024


@dataclass(frozen=True, slots=True)
class Bot:
    """One version of a bot, ready to be launched."""

    name: str
    folder: Path
    command: tuple[str, ...]
    games: tuple[str, ...]
    concurrent_games: int
    version: str
    """SHA-256 of the folder's content, hex."""
    house: bool

    def plays(self, game: str) -> bool:
        """Whether the bot claims to play a ruleset."""
        return "*" in self.games or game in self.games

    def must_play(self, game: str) -> None:
        """Raises BotError NOT_ITS_GAME unless the bot claims to play a ruleset."""
        if not self.plays(game):
            raise BotError(
                f"{self.name} does not play {game}",
                where=str(self.folder / "bot.toml"),
                saw=f"games = {list(self.games)}",
                fix=f'add "{game}" to its games, or choose another bot',
                code="NOT_ITS_GAME",
            )

    @property
    def reference(self) -> str:
        """Name and short version, for people."""
        return f"{self.name}@{self.version[:12]}"


def house_folder() -> Path | None:
    """Where the house bots live; None when the package is not installed."""
    spec = importlib.util.find_spec(HOUSE_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))


def house_names() -> list[str]:
    """Names of the house bots."""
    folder = house_folder()
    return sorted(path.parent.name for path in folder.glob("*/bot.toml")) if folder is not None else []


def find_bot(reference: str, near: Path | None = None) -> Bot:
    """The bot of a house name or of a folder (relative to `near`, or to the working folder).

    Raises BotError: NO_BOT when there is none, BAD_MANIFEST or BAD_NAME when its bot.toml is wrong.
    """
    if reference in house_names():
        folder = house_folder()
        assert folder is not None, "house_names() found one"
        return read_bot(folder / reference, house=True)
    path = (near or Path()) / Path(reference).expanduser()
    if path.is_dir():
        return read_bot(path)
    names = house_names()
    guess = difflib.get_close_matches(reference, names, 1)
    hint = f"did you mean {guess[0]!r}? " if guess else ""
    raise BotError(
        f"no bot {reference!r}",
        where=str(path),
        fix=f"{hint}house bots: {', '.join(names)}; or a folder with a bot.toml",
        code="NO_BOT",
    )


def read_bot(folder: Path, *, house: bool = False) -> Bot:
    """The bot in a folder. Raises BotError BAD_MANIFEST or BAD_NAME, naming file and key."""
    file = folder / "bot.toml"
    try:
        text = file.read_text(encoding="utf-8")
        data = tomllib.loads(text)
    except FileNotFoundError:
        raise _bad(file, "there is no bot.toml", "write one with name, games and command") from None
    except (OSError, UnicodeDecodeError, RecursionError) as error:
        raise _bad(file, f"cannot be read: {error}", "a text file in UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise _bad(file, f"is not TOML: {error}", 'lines like  name = "fox"') from error
    for key in data:
        if key not in KEYS:
            guess = difflib.get_close_matches(key, KEYS, 1)
            hint = f"did you mean {guess[0]!r}? " if guess else ""
            raise _bad(_at(file, text, key), f"unknown key {key!r}", f"{hint}accepted: {', '.join(KEYS)}")
    name = data.get("name")
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise BotError(
            f"name cannot be {name!r}",
            where=_at(file, text, "name"),
            fix="1 to 32 letters, digits, - or _",
            code="BAD_NAME",
        )
    games = data.get("games", ["*"])
    if not _texts(games):
        raise _bad(_at(file, text, "games"), f"games cannot be {games!r}", 'a list of ids, like ["crowsnest"] or ["*"]')
    command = data.get("command")
    if not _texts(command) or not command:
        raise _bad(
            _at(file, text, "command"),
            f"command cannot be {command!r}",
            'a list of words, like ["python3", "main.py"]; no shell runs it',
        )
    concurrent = data.get("concurrent_games", 1)
    if type(concurrent) is not int or not 1 <= concurrent <= MAX_GAMES:
        raise _bad(
            _at(file, text, "concurrent_games"),
            f"concurrent_games cannot be {concurrent!r}",
            f"a whole number from 1 to {MAX_GAMES}",
        )
    hashed = [folder, folder.parent] if house else [folder]
    return Bot(name, folder.resolve(), tuple(command), tuple(games), concurrent, content_hash(*hashed), house)


def content_hash(*folders: Path) -> str:
    """SHA-256 over the names, modes (executable or not) and contents of all files of the folders, hex.

    Caches, version control and virtual environments do not count. A house bot's code is its package, so that the
    package's folder counts beside its own. Raises BotError BAD_MANIFEST for a pipe, a device or a link to nowhere.
    """
    total = hashlib.sha256()
    for folder in folders:
        for relative, path in _files(folder):
            executable = b"x" if os.access(path, os.X_OK) else b"-"
            total.update(b"\0".join([relative.encode("utf-8", "surrogateescape"), executable, b""]))
            total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in IGNORED)
        for name in sorted(files):
            if not name.endswith(".pyc"):
                path = Path(root, name)
                if not path.is_file():
                    raise BotError(
                        f"{name} is no file", where=str(path), fix="a bot is made of plain files", code="BAD_MANIFEST"
                    )
                yield path.relative_to(folder).as_posix(), path


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) and item and "\0" not in item for item in value)


def _bad(where: Path | str, what: str, fix: str) -> BotError:
    return BotError(f"bot.toml: {what}", where=str(where), fix=fix, code="BAD_MANIFEST")


def _at(file: Path, text: str, key: str) -> str:
    """file:line of a key, or the file alone when the key is not there."""
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[=.]", line):
            return f"{file}:{number}"
    return str(file)
