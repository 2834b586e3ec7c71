"""What a check says: its steps, and for one that failed what was sent, what came back, and the bot's last words.

Knows games as far as their texts; does not play them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from arena.core.errors import BotError
from arena.core.game import AnyGame
from arena.match.referee import Played
from arena.record.codes import CODES
from arena.record.results import Fault
from arena.runner.outputs import lines_of

TAIL_LINES = 20
TAIL_BYTES = 16 * 1024

Sent = Mapping[str, Any]
"""What the bot was told, as JSON data: texts of moves and cards, never numbers of them. Any: JSON."""


@dataclass(slots=True)
class Step:
    """One step of a check."""

    number: int
    name: str
    sentence: str
    """What is demanded."""
    state: Literal["ok", "failed", "reported", "not run"] = "not run"
    text: str = ""
    """What was found."""
    code: str = ""
    """Of a failed step: what `arena help` explains."""
    where: str = ""
    fix: str = ""
    sent: Sent = field(default_factory=dict)
    came_back: str = ""
    output: Sequence[str] = ()
    """The last lines that the bot (or its build) wrote on stdout and stderr, as it wrote them."""
    log: str = ""
    """The file that has all of it, where it is kept."""
    seconds: float = 0.0


class StepFailed(Exception):
    """A step found something wrong."""

    def __init__(
        self,
        text: str,
        *,
        where: str = "",
        fix: str = "",
        sent: Sent | None = None,
        came_back: str = "",
        log: Path | None = None,
        code: str = "",
    ) -> None:
        super().__init__(text)
        self.text, self.where, self.fix = text, where, fix
        self.code = code or BotError.code
        self.sent, self.came_back = sent or {}, came_back
        self.log = log
        """Whose last lines matter, where it is not the output of the checked process."""


def in_game(game: AnyGame, played: Played, fault: Fault) -> StepFailed:
    """A fault in a game, with the turn that it answered."""
    code = CODES[fault.code]
    sent: dict[str, Any] = {"ruleset": game.id, "seat": fault.seat, "turn": fault.turn}
    if 0 <= fault.turn < len(played.course.moves):
        view = played.course.moves[fault.turn].view
        sent["legal"] = game.notation.legal_data(game.legal_moves(view))
        sent["view"] = game.view_data(view)
    return StepFailed(
        f"{fault.code}: {code.meaning}",
        where=f"{game.id}, seat {fault.seat}, turn {fault.turn}",
        fix=code.mend,
        sent=sent,
        came_back=fault.detail,
        code=fault.code,
    )


def of_error(error: BotError, sent: Sent, log: Path | None = None, where: str = "") -> StepFailed:
    """A bot that cannot be used at all."""
    return StepFailed(
        error.message,
        where=error.where or where,
        fix=error.fix or CODES[error.code].mend,
        sent=sent,
        came_back=error.saw or error.message,
        log=log,
        code=error.code,
    )


def tail(log: Path | None) -> tuple[str, ...]:
    """The last lines of a log that are the bot's own; none where there is no such file."""
    if log is None or not log.is_file():
        return ()
    with log.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - TAIL_BYTES))
        text = file.read().decode("utf-8", "backslashreplace")
    lines = [line.rstrip() for line in lines_of(text)]
    said = [line for line in lines if line]
    if said and said[-1].startswith("[arena: "):
        said.pop()  # what the arena has counted, see Slot
    return tuple(said[-TAIL_LINES:])


def forget(logs: Path, name: str) -> None:
    """Remove the output of an earlier check of a bot: processes of the same name add to their logs."""
    for log in logs.glob(f"{name}-p[0-9]*.log"):
        log.unlink(missing_ok=True)


def first_of(group: BaseExceptionGroup[BaseException]) -> StepFailed:
    """The failure of the first task of a group that has one; a bot's error becomes one."""
    error = group.exceptions[0]
    if isinstance(error, BaseExceptionGroup):
        return first_of(error)
    if isinstance(error, BotError):
        return of_error(error, {})
    assert isinstance(error, StepFailed), "nothing else is caught"
    return error
