"""The tree of Arena's errors.

    ArenaError
    ├── MoveError            a move that cannot be played
    │   ├── MalformedMove    its text or shape is no move of this game
    │   └── IllegalMove      a move of this game, but not legal in this position
    ├── BotError             a bot cannot be used; carries the fault code of docs/faults.md
    ├── ConfigError          a setting, an option or a file is wrong; says which file and key
    ├── TranscriptError      a transcript does not agree with the rules; says where
    └── ArenaFault           the arena's own fault: the block is void, no bot pays for it

Every text says what was wrong (with `repr`), what was expected, where, and how to mend it.
"""

from __future__ import annotations


class ArenaError(Exception):
    """Anything that Arena reports on purpose. `fix` says how to mend it, `code` names it for `arena help`."""

    code = "ERROR"

    def __init__(self, message: str, *, where: str = "", saw: str = "", fix: str = "", code: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.saw = saw
        self.fix = fix
        if code:
            self.code = code

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.message, self.where, self.saw, self.fix, self.code))


def _rebuild(kind: type[ArenaError], message: str, where: str, saw: str, fix: str, code: str) -> ArenaError:
    return kind(message, where=where, saw=saw, fix=fix, code=code)


class MoveError(ArenaError):
    """A move that cannot be played."""

    code = "ILLEGAL"


class MalformedMove(MoveError):
    """Not a move of this game at all: unknown card, wrong shape, unreadable text."""

    code = "MALFORMED"


class IllegalMove(MoveError):
    """A move of this game that is not legal in this position."""


class BotError(ArenaError):
    """A bot cannot be used: manifest, start or protocol."""

    code = "BAD_BOT"


class ConfigError(ArenaError):
    """A setting is wrong: unknown key, unknown value, a combination that cannot work."""

    code = "CONFIG"


class TranscriptError(ArenaError):
    """A transcript and the rules disagree, or the transcript cannot be read."""

    code = "TRANSCRIPT"


class ArenaFault(ArenaError):
    """The arena itself failed (lost worker, full disk, lagging host); never a bot's fault."""

    code = "ARENA_FAULT"
