"""Flags that every command takes, before or after its name.

They are taken out of the command line here, before any command reads it, so that no command declares them again.
Knows nothing of what they do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from arena.core.errors import ArenaError

COLORS = ("auto", "always", "never")

EVERYWHERE = """\
Flags of every command, before or after its name:
  --json           one JSON document on stdout, errors as JSON on stderr
  --csv            tables as CSV
  --color WHEN     auto, always or never; NO_COLOR and FORCE_COLOR are obeyed
  --ascii          no symbols outside ASCII
  -q, -qq          no progress and hints; only errors
  -v, -vv          decisions; every message
  --config FILE    settings, instead of the nearest arena.toml
  --data FOLDER    where games are kept, instead of .arena
  --debug          a traceback with an error"""

NAMES = ("--json", "--csv", "--color", "--ascii", "--quiet", "--verbose", "--config", "--data", "--debug")


@dataclass(frozen=True)
class Flags:
    """What the flags of every command were set to."""

    json: bool = False
    csv: bool = False
    color: str = "auto"
    ascii: bool = False
    quiet: int = 0
    verbose: int = 0
    config: Path | None = None
    data: Path | None = None
    debug: bool = False


class UsageError(ArenaError):
    """The command line cannot be read."""

    code = "USAGE"


def refuse_beside(flag: str, others: Mapping[str, bool]) -> None:
    """Raises UsageError where a flag stands beside one of these that is given."""
    for other, given in others.items():
        if given:
            raise UsageError(
                f"{flag} and {other} exclude each other", saw=f"{flag} {other}", fix="leave one of them out"
            )


def split(argv: Sequence[str]) -> tuple[Flags, list[str]]:
    """The flags of every command, and the other words in their order. Words after `--` are left alone.

    Raises UsageError for a flag without its value or with an unknown one.
    """
    flags = Flags()
    rest: list[str] = []
    words = iter(argv)
    for word in words:
        if word == "--":
            rest.extend([word, *words])
        elif (changed := _read(flags, word, words)) is not None:
            flags = changed
        else:
            rest.append(word)
    if flags.json and flags.csv:
        raise UsageError(
            "--json and --csv exclude each other", where="command line", saw="--json --csv", fix="leave one of them out"
        )
    return flags, rest


def _read(flags: Flags, word: str, following: Iterator[str]) -> Flags | None:
    """The flags after one word, None when it is none of them."""
    name, equals, value = word.partition("=")
    match name:
        case "--json" if not equals:
            return replace(flags, json=True)
        case "--csv" if not equals:
            return replace(flags, csv=True)
        case "--ascii" if not equals:
            return replace(flags, ascii=True)
        case "--debug" if not equals:
            return replace(flags, debug=True)
        case "-q" | "-qq" | "--quiet" if not equals:
            return replace(flags, quiet=min(2, flags.quiet + 1 + (name == "-qq")))
        case "-v" | "-vv" | "--verbose" if not equals:
            return replace(flags, verbose=min(2, flags.verbose + 1 + (name == "-vv")))
        case "--color":
            when = _value(name, equals, value, following, "auto, always or never")
            if when not in COLORS:
                raise UsageError(
                    f"--color cannot be {when!r}",
                    where="command line",
                    saw=f"--color {when}",
                    fix=f"accepted: {', '.join(COLORS)}",
                )
            return replace(flags, color=when)
        case "--config":
            return replace(flags, config=Path(_value(name, equals, value, following, "a file")))
        case "--data":
            return replace(flags, data=Path(_value(name, equals, value, following, "a folder")))
    return None


def _value(name: str, equals: str, value: str, following: Iterator[str], expected: str) -> str:
    found = value if equals else next(following, "")
    if not found:
        raise UsageError(f"{name} needs a value", where="command line", saw=name, fix=f"write {name} and {expected}")
    return found
