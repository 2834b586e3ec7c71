"""What a line of `arena.results/1` must look like before anything reads it: types, ranges, names.

Files come from anywhere. What is accepted here can be stored by every database, shown on every terminal and used as the
name of a file. Knows JSON and names; not what the values mean to the rules.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any

from pydantic import ValidationError

from arena.record.results import GameKey
from arena.runner.config import Cup

Check = Callable[[Any], bool]  # Any: JSON
MAX_SEATS = 64
INT = 2**31
LONG = 2**63
LONGEST_LINE = 64 << 20
"""Characters; the longest games of all formats have less than a hundredth of it."""


def whole(low: int = 0, end: int = INT) -> Check:
    """A whole number from `low`, below `end`."""
    return lambda value: type(value) is int and low <= value < end


def word(pattern: str) -> Check:
    """A text that a pattern fits as a whole."""
    fits = re.compile(pattern)
    return lambda value: isinstance(value, str) and fits.fullmatch(value) is not None


def some(each: Check) -> Check:
    """A list of such."""
    return lambda value: isinstance(value, list) and all(map(each, value))


def absent_or(check: Check) -> Check:
    """null, or such."""
    return lambda value: value is None or check(value)


def table(shape: Mapping[str, Check]) -> Check:
    """An object with these keys and no others."""
    return lambda value: (
        isinstance(value, dict) and value.keys() == shape.keys() and all(shape[key](value[key]) for key in shape)
    )


def text(value: Any) -> bool:
    """Any text."""
    return isinstance(value, str)


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return (type(value) is int and abs(value) < LONG) or type(value) is float


NAME = word(r"[A-Za-z0-9_-]{1,48}")
BOT = word(r"[A-Za-z0-9_-]{1,32}(@[A-Za-z0-9_-]{1,31})?")
WORD = word(r"[!-~]{1,64}")
"""What programs call something: no spaces, nothing that a terminal obeys."""
HASH = word(r"[0-9a-f]{64}")
SEATS = range(1, MAX_SEATS + 1)
KEY: Mapping[str, Check] = {name: whole(end=LONG if name == "board" else INT) for name in GameKey._fields}
ENTRANT = {
    "name": BOT,
    "version": WORD,
    "source": word(r"[^\x00-\x1f\x7f]{0,4096}"),
    "manifest": _is_object,
    "since_round": whole(),
    "until_round": absent_or(whole()),
}
FAULT = {
    "seat": whole(end=MAX_SEATS),
    "code": word(r"[A-Z_]{1,32}"),
    "fault_class": text,
    "turn": whole(-1),
    "elapsed_ms": whole(end=LONG),
    "detail": text,
    "process": word(r"[^\x00-\x1f\x7f]{0,128}"),
}
SHAPES: Mapping[str, Mapping[str, Check]] = {
    "tournament": {
        "format": text,
        "name": NAME,
        "game": WORD,
        "game_version": word(r"[!-~]{1,32}"),
        "ruleset": _is_object,
        "config": _is_object,
        "secret_hash": HASH,
        "secret": absent_or(word(r"[0-9a-f]{2,128}")),
        "open_seed": _is_flag,
        "tier_minimum": word(r"|A|A'|B|C|D"),
        "series": word(r"[A-Za-z0-9_-]{0,48}"),
        "state": text,
        "created": text,
        "started": absent_or(text),
        "finished": absent_or(text),
        "entrants": some(table(ENTRANT)),
    },
    "round": {
        "number": whole(1),
        "field": some(BOT),
        "blocks": whole(),
        "games": whole(),
        "opened": text,
        "closed": absent_or(text),
    },
    "void": {
        **KEY,
        "attempt": whole(1),
        "reason": text,
        "bots": some(BOT),
        "evidence": _is_object,
        "at": text,
    },
    "quarantine": {
        "bot": BOT,
        "version": word(r"[!-~]{0,64}"),
        "since_round": whole(),
        "reason": text,
        "games": some(
            lambda value: isinstance(value, list) and len(value) == len(KEY) and all(map(whole(end=LONG), value))
        ),
        "codes": some(word(r"[A-Z_]{1,32}")),
        "at": text,
        "lifted": absent_or(text),
        "lift_reason": text,
    },
    "game": {
        **KEY,
        "game": word(r"[!-~]{1,128}"),
        "bots": some(BOT),
        "verdict": text,
        "scores": some(_is_number),
        "ranks": some(whole(end=MAX_SEATS)),
        "tiebreaks": some(_is_number),
        "forfeits": some(table({"seat": whole(end=MAX_SEATS), "code": word(r"[A-Z_]{1,32}")})),
        "faults": some(table(FAULT)),
        "tier": word(r"[!-~]{0,8}"),
        "attempt": whole(1),
        "elapsed_ms": whole(end=LONG),
        "worker": word(r"[^\x00-\x1f\x7f]{0,64}"),
        "stored": text,
        "transcript": absent_or(_is_object),
        "withheld": absent_or(word(r"[a-z]{1,16}")),
    },
    "end": {"games": whole(end=LONG)},
}


def parsed(line: str) -> Any:  # Any: JSON
    """A line as data. Raises ValueError for no JSON, RecursionError for one that is nested too deeply; numbers are
    finite, and texts can be written as UTF-8."""
    if len(line) > LONGEST_LINE:
        raise ValueError(f"a line of more than {LONGEST_LINE} characters")
    data = json.loads(line, parse_constant=_refuse, parse_float=_finite)
    if "\\ud" in line or "\\uD" in line:
        json.dumps(data, ensure_ascii=False).encode()
    return data


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no number")


def _finite(written: str) -> float:
    number = float(written)
    if number - number != 0:
        raise ValueError(f"{written} is too large a number")
    return number


def check_shape(line: Mapping[str, Any]) -> None:
    """Raises ValueError, naming the key, for a line that is not as `arena export` writes it."""
    kind = line.get("kind")
    shape = SHAPES.get(kind) if isinstance(kind, str) else None
    if shape is None:
        raise ValueError(f"kind {kind!r} is none of {', '.join(SHAPES)}")
    for key, fits in shape.items():
        if key not in line:
            raise ValueError(f"{key} is missing")
        if not fits(line[key]):
            raise ValueError(f"{key} cannot be {line[key]!r}")
    if kind == "tournament":
        _check_settings(line["config"])
        _check_entrants(line["entrants"])
    elif kind == "game":
        _check_seats(line)


def _check_settings(config: Mapping[str, Any]) -> None:
    known = {key: value for key, value in config.items() if key in Cup.model_fields}
    try:
        Cup.model_validate_json(json.dumps(known))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise ValueError(f"config: {where}: {first['msg']}") from None
    if not isinstance(config.get("owners", {}), dict) or not some(BOT)(config.get("seeds", [])):
        raise ValueError("config: owners is an object, seeds a list of names")


def _check_entrants(entrants: list[Mapping[str, Any]]) -> None:
    names = [each["name"].casefold() for each in entrants]
    if len(set(names)) < len(names):
        raise ValueError("two entrants have the same name")


def _check_seats(line: Mapping[str, Any]) -> None:
    seats = len(line["bots"])
    if seats not in SEATS:
        raise ValueError(f"bots cannot be {line['bots']!r}")
    for key in ("scores", "ranks", "tiebreaks"):
        if len(line[key]) not in (0, seats):
            raise ValueError(f"{key} has {len(line[key])} places for {seats} seats")
    if any(each["seat"] >= seats for each in chain(line["forfeits"], line["faults"])):
        raise ValueError("a forfeit or fault of a seat that is not there")
