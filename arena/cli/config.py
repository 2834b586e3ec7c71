"""Settings: `--config F`, else `$ARENA_CONFIG`, else the nearest arena.toml upwards, else what is built in.

One value is taken from a flag of a command, else `ARENA_<NAME>`, else the file, else the default; each remembers where
it came from. The data folder is `.arena` beside the file that was found, else in the working folder.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.core.errors import ConfigError
from arena.runner.lines import line_of
from arena.store.place import SHAPE, Place, accepted, masked

if TYPE_CHECKING:
    from arena.runner.keeping.limits import Quotas, Retention

FILE = "arena.toml"
MOST = 1_000_000_000


class Setting(NamedTuple):
    """One key of arena.toml."""

    name: str
    default: int | str
    accepted: str
    doc: str
    low: int = 0
    high: int = 0
    several: bool = False
    """Whether it is a list of texts in the file; one text with commas is the same."""


def _limit(name: str, default: int, doc: str) -> Setting:
    return Setting(name, default, f"a whole number from 0 to {MOST}", doc, 0, MOST)


SETTINGS = (
    Setting("data", ".arena", "a folder", "Where games, tournaments and replays are kept."),
    Setting("store", "", f"a URL: {SHAPE}", "The database of results; empty: arena.db in the data folder."),
    Setting("workers", 0, "a whole number from 0 to 256", "Worker processes; 0: one for each processor.", 0, 256),
    Setting("grace", 30, "a whole number from 0 to 3600", "Seconds that running games get after SIGTERM.", 0, 3600),
    _limit("retention.logs_days", 0, "Days that bots' output is kept; 0: no limit."),
    _limit("retention.logs_mb", 1024, "Megabytes of bots' output that are kept; 0: no limit."),
    _limit("retention.transcripts_days", 0, "Days that transcripts of tournaments are kept; 0: no limit."),
    _limit("retention.transcripts_mb", 0, "Megabytes of transcripts that are kept; 0: no limit."),
    _limit("retention.faults_days", 30, "Days that both are kept at least for games with a fault."),
    _limit("quotas.bots", 0, "Bots of one owner; 0: no limit."),
    _limit("quotas.versions", 0, "Kept versions of each bot; 0: no limit."),
    _limit("quotas.megabytes", 0, "Megabytes of kept files of one owner; 0: no limit."),
    _limit("quotas.games_per_day", 0, "Games a day of one owner's bots in open-ended events; 0: no limit."),
    _limit("quotas.tokens", 0, "Valid tokens of one owner; 0: no limit."),
    Setting("serve.sign_in_header", "", "the name of a header", "In which a proxy says who asks; empty: nobody does."),
    Setting(
        "serve.trusted_proxies",
        "",
        "a list of addresses and networks",
        "From where that header counts; empty: this machine.",
        several=True,
    ),
)
"""A dot parts a table of the file from its key; the variable of `quotas.bots` is ARENA_QUOTAS_BOTS."""
TABLES = tuple(dict.fromkeys(setting.name.partition(".")[0] for setting in SETTINGS if "." in setting.name))


class Value(NamedTuple):
    """A setting's value and where it came from, in words."""

    value: int | str
    origin: str

    @property
    def shown(self) -> int | str:
        """The value for people: without a password."""
        return masked(self.value) if isinstance(self.value, str) else self.value


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
    def store(self) -> Place:
        """Where the store is: a URL, else the data folder."""
        return str(self.values["store"].value) or self.data

    @property
    def retention(self) -> Retention:
        """How long things are kept."""
        from arena.runner.keeping.limits import retention_of

        return retention_of(self._numbers())

    @property
    def quotas(self) -> Quotas:
        """What one owner may have."""
        from arena.runner.keeping.limits import quotas_of

        return quotas_of(self._numbers())

    def _numbers(self) -> dict[str, int]:
        return {name: each.value for name, each in self.values.items() if isinstance(each.value, int)}

    @property
    def sign_in_header(self) -> str:
        """The header in which a proxy says who asks; empty: there is none."""
        return str(self.values["serve.sign_in_header"].value)

    @property
    def trusted_proxies(self) -> tuple[str, ...]:
        """Addresses and networks from where that header counts; empty: this machine."""
        given = str(self.values["serve.trusted_proxies"].value).split(",")
        return tuple(each.strip() for each in given if each.strip())

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
        variable = f"ARENA_{setting.name.upper().replace('.', '_')}"
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
    return _flat(data, "", lambda place: f"{file}:{line_of(text, place)}")


def _flat(data: Mapping[str, Any], table: str, where: Callable[[list[str]], str]) -> dict[str, int | str]:
    """The keys of the file, or of one of its tables, under their full names. `where` tells file and line of a key."""
    names = [setting.name.removeprefix(table) for setting in SETTINGS if setting.name.startswith(table)]
    known = [name for name in names if "." not in name] + [each for each in TABLES if not table]
    found: dict[str, int | str] = {}
    for name, value in data.items():
        keys = [*([table[:-1]] if table else []), name]
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            shown = f"{name} = {masked(repr(value))}"
            raise ConfigError(
                f"no setting {table + name!r}", where=where(keys), saw=shown, fix=f"{hint}known: {', '.join(known)}"
            )
        if not table and name in TABLES and isinstance(value, dict):
            found |= _flat(value, f"{name}.", where)
        elif not table and name in TABLES:
            raise ConfigError(
                f"{name!r} is a table",
                where=where(keys),
                saw=f"{name} = {value!r}",
                fix=f"write [{name}] and its keys below",
            )
        else:
            setting = next(each for each in SETTINGS if each.name == table + name)
            if setting.several and isinstance(value, list) and all(isinstance(each, str) for each in value):
                value = ", ".join(value)
            _check(setting, value, partial(where, keys))
            found[setting.name] = value
    return found


def _check(setting: Setting, value: object, where: Callable[[], str]) -> None:
    """Raises ConfigError for a value that is not accepted; only then `where` is asked."""
    kind = type(setting.default)
    fits = type(value) is kind and bool(value if kind is str else True)
    if fits and isinstance(value, int):
        fits = setting.low <= value <= setting.high
    if fits and setting.name == "store":
        fits = accepted(str(value))
    if not fits:
        shown = masked(repr(value))
        raise ConfigError(
            f"setting {setting.name!r} cannot be {shown}",
            where=where(),
            saw=f"{setting.name} = {shown}",
            fix=f"accepted: {setting.accepted}",
        )


def _from_environ(setting: Setting, variable: str, text: str) -> int | str:
    value: int | str = text
    if isinstance(setting.default, int) and re.fullmatch(r"\d{1,9}", text):
        value = int(text)
    _check(setting, value, lambda: variable)
    return value
