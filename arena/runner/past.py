"""A table as it stood: until when games and quarantines count, read from what people type.

It knows times and rounds; what a table is made of is asked of the store by `standing`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, time
from typing import NamedTuple

from arena.core.errors import ConfigError
from arena.store.values import Quarantined


class At(NamedTuple):
    """A moment of a tournament; one of the two is given."""

    until: datetime | None = None
    """What was stored at or before this time, aware."""
    round: int | None = None
    """What was played up to this round, included."""

    def __str__(self) -> str:
        if self.until is not None:
            return self.until.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return f"the end of round {self.round}"

    @property
    def before_round(self) -> int | None:
        """The first round that does not count."""
        return None if self.round is None else self.round + 1


def parse(text: str) -> At:
    """A time as ISO 8601, in UTC where it names no zone, a date standing for its last moment; or `round:N`.

    Raises ConfigError for anything else.
    """
    number = re.fullmatch(r"round:(\d{1,9})", text.strip())
    if number is not None:
        return At(round=int(number[1]))
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise ConfigError(
            "no time and no round",
            where="--at",
            saw=repr(text),
            fix="a time like 2026-05-01T18:00 (UTC) or 2026-05-01T18:00+02:00, a date, or round:3",
            code="BAD_OPTION",
        ) from None
    if re.fullmatch(r"\d{4}-?\d{2}-?\d{2}", text.strip()):
        moment = datetime.combine(moment, time.max)
    return At(until=moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC))


def out_at(found: Iterable[Quarantined], at: At) -> list[Quarantined]:
    """The quarantines that held at a moment: at a time those found and not lifted by then; at the end of a round those
    that hold now and followed from games up to that round."""
    if at.until is not None:
        until = at.until
        return [each for each in found if each.at <= until and (each.lifted is None or each.lifted > until)]
    last = at.before_round
    return [each for each in found if each.lifted is None and (last is None or each.quarantine.since_round <= last)]
