"""What a bot is: a house name or a folder with `bot.toml`; its version is the content hash of that folder.

name = "fox"                        # [A-Za-z0-9_-]{1,32}
author = "Ada"                      # may be left out
language = "go"                     # for people; may be left out
games = ["crowsnest", "goat"]       # ids of rulesets it plays, or ["*"] for all
build = [["go", "build", "-o", "fox", "."]]     # argv lists, run in order in a copy of the folder; may be left out
command = ["./fox"]                 # an argv list, run in the folder, never by a shell
protocol = "grpc"                   # or "jsonl": one JSON object a line on stdin and stdout
transport = "unix"                  # or "tcp": its gRPC library knows no unix sockets; ARENA_ADDRESS is host:port
concurrent_games = 8                # how many games it plays at once; 1 if left out
[resources]
memory_mb = 512                     # what one process may need; 16 to 4096
"""

from __future__ import annotations

import difflib
import importlib.util
import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from arena.bots.version import content_hash
from arena.core.errors import BotError

NAME = re.compile(r"[A-Za-z0-9_-]{1,32}")
HOUSE_PACKAGE = "arena_house"
MAX_GAMES = 1024
MAX_TEXT = 100
MAX_WORDS = 1000
"""Of a command; bubblewrap takes 9000 words, its own among them."""
MAX_BYTES = 64 * 1024
"""Of bot.toml."""
MAX_MEMORY_MB = 4096
PROTOCOLS = ("grpc", "jsonl")
TRANSPORTS = ("unix", "tcp")


@dataclass(frozen=True, slots=True)
class Bot:
    """One version of a bot, ready to be launched (once it is built, where its manifest has build steps)."""

    name: str
    folder: Path
    command: tuple[str, ...]
    games: tuple[str, ...]
    concurrent_games: int
    version: str
    """SHA-256 of the folder's content, hex."""
    house: bool
    author: str = ""
    language: str = ""
    build: tuple[tuple[str, ...], ...] = ()
    protocol: str = "grpc"
    transport: str = "unix"
    memory_mb: int = 512
    number: int = 0
    """Of its registered version; 0: it is not registered."""
    remote: bool = False
    """On a machine of its own, from where it dials in: it has no folder and no command here."""
    manifest: dict[str, Any] = field(default_factory=dict, compare=False)
    """bot.toml as data, for the store. Any: TOML"""

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

    def only(self, games: Sequence[str]) -> Bot:
        """The same bot, playing these of its games alone. Raises BotError NOT_ITS_GAME for one that it has not."""
        for game in games:
            self.must_play(game)
        if set(games) == set(self.games):
            return self
        return replace(self, games=tuple(games), manifest={**self.manifest, "games": list(games)})

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
    if file.exists() and not (file.is_file() and file.resolve().is_relative_to(folder.resolve())):
        raise _bad(file, "is no file of the folder", "a plain text file")
    try:
        with file.open("rb") as opened:
            raw = opened.read(MAX_BYTES + 1)
        text = raw.decode("utf-8")
        data = tomllib.loads(text) if len(raw) <= MAX_BYTES else {}
    except FileNotFoundError:
        raise _bad(file, "there is no bot.toml", "write one with name, games and command") from None
    except (OSError, UnicodeDecodeError, RecursionError) as error:
        raise _bad(file, f"cannot be read: {error}", "a text file in UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise _bad(file, f"is not TOML: {error}", 'lines like  name = "fox"') from error
    if len(raw) > MAX_BYTES:
        raise _bad(file, f"has more than {MAX_BYTES // 1024} KiB", "a short file; data belongs into others")
    _check(file, text, data, KEYS)
    _check(file, text, data.get("resources", {}), RESOURCES, "resources.")
    hashed = [folder, folder.parent] if house else [folder]
    return Bot(
        name=data["name"],
        folder=folder.resolve(),
        command=tuple(data["command"]),
        games=tuple(data.get("games", ["*"])),
        concurrent_games=data.get("concurrent_games", 1),
        version=content_hash(*hashed, built=bool(data.get("build"))),
        house=house,
        author=data.get("author", ""),
        language=data.get("language", ""),
        build=tuple(tuple(step) for step in data.get("build", [])),
        protocol=data.get("protocol", PROTOCOLS[0]),
        transport=data.get("transport", TRANSPORTS[0]),
        memory_mb=data.get("resources", {}).get("memory_mb", 512),
        manifest=data,
    )


class Key(NamedTuple):
    """One key of bot.toml."""

    fits: Callable[[Any], bool]  # Any: TOML
    accepted: str
    needed: bool = False


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) and item and "\0" not in item for item in value)


def _name(value: object) -> bool:
    return isinstance(value, str) and NAME.fullmatch(value) is not None


def _words(value: object) -> bool:
    return isinstance(value, list) and 0 < len(value) <= MAX_WORDS and _texts(value)


def _whole(low: int, high: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and low <= value <= high


def _short(value: object) -> bool:
    return isinstance(value, str) and len(value) <= MAX_TEXT and value.isprintable()


KEYS = {
    "name": Key(_name, "1 to 32 letters, digits, - or _", True),
    "author": Key(_short, f"a text of at most {MAX_TEXT} characters"),
    "language": Key(_short, f"a text of at most {MAX_TEXT} characters"),
    "games": Key(_texts, 'a list of ids, like ["crowsnest"] or ["*"]'),
    "build": Key(
        lambda value: isinstance(value, list) and all(map(_words, value)),
        'a list of commands, each a list of words, like [["go", "build", "-o", "bot", "."]]; no shell runs them',
    ),
    "command": Key(_words, 'a list of words, like ["python3", "main.py"]; no shell runs it', True),
    "protocol": Key(lambda value: value in PROTOCOLS, " | ".join(PROTOCOLS)),
    "transport": Key(lambda value: value in TRANSPORTS, " | ".join(TRANSPORTS)),
    "concurrent_games": Key(_whole(1, MAX_GAMES), f"a whole number from 1 to {MAX_GAMES}"),
    "resources": Key(lambda value: isinstance(value, dict), "a table, like  [resources]  memory_mb = 512"),
}
RESOURCES = {"memory_mb": Key(_whole(16, MAX_MEMORY_MB), f"a whole number from 16 to {MAX_MEMORY_MB}")}


def _check(file: Path, text: str, data: dict[str, Any], keys: dict[str, Key], prefix: str = "") -> None:
    """Raises BotError for a key that is unknown, missing or has a value that it does not accept."""
    for found in data:
        if found not in keys:
            guess = difflib.get_close_matches(found, keys, 1)
            hint = f"did you mean {guess[0]!r}? " if guess else ""
            raise _bad(_at(file, text, found), f"unknown key {prefix + found!r}", f"{hint}accepted: {', '.join(keys)}")
    for name, key in keys.items():
        if (name in data or key.needed) and not key.fits(data.get(name)):
            code = "BAD_NAME" if prefix + name == "name" else "BAD_MANIFEST"
            value = _shown(data.get(name))
            raise _bad(_at(file, text, name), f"{prefix + name} cannot be {value}", key.accepted, code)


def _shown(value: object) -> str:
    """The start of a value, for people."""
    try:
        return repr(value)[:200]
    except RecursionError:
        return "nested so deeply"


def _bad(where: Path | str, what: str, fix: str, code: str = "BAD_MANIFEST") -> BotError:
    return BotError(f"bot.toml: {what}", where=str(where), fix=fix, code=code)


def _at(file: Path, text: str, key: str) -> str:
    """file:line of a key, or the file alone when the key is not there."""
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[=.]", line):
            return f"{file}:{number}"
    return str(file)
