"""Settings: `--config F`, else `$ARENA_CONFIG`, else the nearest arena.toml upwards, else what is built in.

One value is taken from a flag of a command, else `ARENA_<NAME>`, else the file, else the default; each remembers where
it came from. The data folder is `.arena` beside the file that was found, else in the working folder.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from arena.core.errors import ConfigError

FILE = "arena.toml"


class Setting(NamedTuple):
    """One key of arena.toml."""

    name: str
    default: int | str
    accepted: str
    doc: str
    low: int = 0
    high: int = 0


SETTINGS = (
    Setting("data", ".arena", "a folder", "Where games, tournaments and replays are kept."),
    Setting("workers", 0, "a whole number from 0 to 256", "Worker processes; 0: one for each processor.", 0, 256),
    Setting("grace", 30, "a whole number from 0 to 3600", "Seconds that running games get after SIGTERM.", 0, 3600),
)


class Value(NamedTuple):
    """A setting's value and where it came from, in words."""

    value: int | str
    origin: str


@dataclass(frozen=True)
class Settings:
    """All settings of one run."""

    values: Mapping[str, Value]
    file: Path | None
    """The arena.toml that was read."""
    folder: Path
    """What relative paths of settings are relative to: the file's folder, else the working folder."""

    @property
    def data(self) -> Path:
        """The data folder; it need not exist."""
        return self.folder / str(self.values["data"].value)

    @property
    def workers(self) -> int:
        """Worker processes, at least 1."""
        return int(self.values["workers"].value) or os.cpu_count() or 1

    @property
    def grace_s(self) -> int:
        """Seconds that running games get after SIGTERM."""
        return int(self.values["grace"].value)


def load(flag: Path | None, environ: Mapping[str, str], folder: Path, data: Path | None = None) -> Settings:
    """The settings of a run in a working folder; `flag` is --config, `data` is --data.

    Raises ConfigError with file and line.
    """
    file = find(flag, environ, folder)
    written = read(file) if file else {}
    values = {}
    for setting in SETTINGS:
        variable = f"ARENA_{setting.name.upper()}"
        if variable in environ:
            values[setting.name] = Value(_from_environ(setting, variable, environ[variable]), variable)
        elif setting.name in written:
            values[setting.name] = Value(written[setting.name], str(file))
        else:
            values[setting.name] = Value(setting.default, "default")
    if data is not None:
        values["data"] = Value(str(folder / data), "--data")
    return Settings(values, file, file.parent if file else folder)


def find(flag: Path | None, environ: Mapping[str, str], folder: Path) -> Path | None:
    """The file to read; None when there is none. Raises ConfigError for a named file that does not exist."""
    named = flag or (Path(environ["ARENA_CONFIG"]) if environ.get("ARENA_CONFIG") else None)
    if named is not None:
        if not named.is_file():
            raise ConfigError(
                f"no settings file {str(named)!r}",
                where="--config" if flag else "ARENA_CONFIG",
                saw="no such file",
                fix="name a file that exists, or leave it out",
            )
        return named.absolute()
    for place in (folder, *folder.parents):
        if (place / FILE).is_file():
            return place / FILE
    return None


def read(file: Path) -> dict[str, int | str]:
    """The keys of a settings file, checked. Raises ConfigError naming file and line."""
    try:
        text = file.read_text(encoding="utf-8")
        data = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise ConfigError("the settings are not UTF-8", where=str(file), saw=str(error), fix="save as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+)", str(error))
        where = f"{file}:{found[1]}" if found else str(file)
        raise ConfigError(
            "the settings are no TOML", where=where, saw=str(error), fix='lines are written like  data = "folder"'
        ) from None
    known = {setting.name: setting for setting in SETTINGS}
    for name, value in data.items():
        where = f"{file}:{line_of(text, name)}"
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            raise ConfigError(
                f"no setting {name!r}", where=where, saw=f"{name} = {value!r}", fix=f"{hint}known: {', '.join(known)}"
            )
        _check(known[name], value, where)
    return data


def line_of(text: str, key: str) -> int:
    """The line, from 1, of a TOML text that sets a top-level key or opens its table; 1 when it is not found."""
    pattern = re.compile(rf"""\s*\[{{0,2}}\s*["']?{re.escape(key)}["']?\s*[=.\]]""")
    return next((number for number, line in enumerate(text.splitlines(), 1) if pattern.match(line)), 1)


def _check(setting: Setting, value: object, where: str) -> None:
    kind = type(setting.default)
    fits = type(value) is kind and bool(value if kind is str else True)
    if fits and isinstance(value, int):
        fits = setting.low <= value <= setting.high
    if not fits:
        raise ConfigError(
            f"setting {setting.name!r} cannot be {value!r}",
            where=where,
            saw=f"{setting.name} = {value!r}",
            fix=f"accepted: {setting.accepted}",
        )


def _from_environ(setting: Setting, variable: str, text: str) -> int | str:
    value: int | str = text
    if isinstance(setting.default, int) and re.fullmatch(r"\d{1,9}", text):
        value = int(text)
    _check(setting, value, variable)
    return value
