"""What is told of a submission, as words and as JSON. A report, as it is stored:

{"shown": name of the archive, "games": [...], "version": hash, "steps": [...], "error": {five parts} or absent,
 "same": number or absent, "kept": {"manifest", "version"} while an organiser decides, "late": whether after a deadline}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from arena.runner.eligibility import takes_part_anew
from arena.store.freezes import Freezes
from arena.store.store import Store
from arena.store.submissions import MAX_TRIES, Status, Submission

SCHEMA = "arena.submission/1"
STEP_KEYS = ("number", "name", "state", "text", "where", "fix", "code", "came_back", "output", "seconds")


class Standing(NamedTuple):
    """How a submission stands, in words."""

    word: str
    detail: str = ""


def standing(submission: Submission, place: int, seconds: float) -> Standing:
    """State words. `place`: in the queue, from 1; `seconds`: that a check usually takes."""
    status, tries = submission.status, submission.tries
    if status is Status.WAITING:
        return Standing(f"waiting (place {place}, about {about(place * seconds)})")
    if status is Status.CHECKING:
        return Standing("checking", f"try {tries} of {MAX_TRIES}" if tries > 1 else "")
    if status is Status.HELD:
        return Standing("checked, an organiser decides", "every step passed")
    if status is Status.ACCEPTED:
        same = submission.report.get("same")
        return Standing(f"accepted as v{submission.number}", f"identical to v{same}" if same is not None else "")
    if status is Status.REFUSED:
        return Standing("refused: yours to fix")
    if submission.again:
        return Standing("failed: our side, will be tried again", f"tried {tries} of {MAX_TRIES} times")
    return Standing("failed: our side, an organiser was told", f"tried {tries} times")


def about(seconds: float) -> str:
    """A time to wait, in words."""
    return f"{max(1, round(seconds))} s" if seconds < 50 else f"{max(1, round(seconds / 60))} min"


def visible(text: str) -> str:
    """What a bot wrote, with everything written out that would not be seen: control characters, marks of direction."""
    return "".join(char if char.isprintable() or char == "\t" else ascii(char)[1:-1] for char in text)


def data_of(submission: Submission, stands: Standing, joins: Sequence[str], late: Sequence[str]) -> dict[str, Any]:
    """A submission as JSON data. `late`: the events for which it came too late."""
    report = submission.report
    return {
        "id": submission.public_id,
        "state": submission.status.value,
        "words": stands.word,
        "detail": stands.detail,
        "over": submission.is_over or submission.status is Status.HELD,
        "archive": report.get("shown", ""),
        "sha256": submission.hash,
        "bytes": submission.size,
        "message": submission.message,
        "bot": submission.bot,
        "games": list(report.get("games", report.get("wanted", []))),
        "version": submission.number,
        "content": report.get("version"),
        "same": report.get("same"),
        "late": bool(report.get("late") or late),
        "late_for": list(late),
        "tries": submission.tries,
        "steps": [{key: step.get(key) for key in STEP_KEYS} for step in report.get("steps", [])],
        "error": report.get("error"),
        "joins": list(joins),
        "created": submission.created.isoformat(timespec="seconds"),
        "finished": submission.finished.isoformat(timespec="seconds") if submission.finished else None,
    }


def joins(store: Store, submission: Submission) -> list[str]:
    """The open ladders that an accepted version joins at their next round: it was sent before their freeze."""
    if submission.status is not Status.ACCEPTED:
        return []
    freezes = Freezes(store.database)
    games = submission.report.get("games", [])
    return [
        event.name
        for event in store.tournaments()
        if takes_part_anew(event)
        and event.config.get("open")
        and ("*" in games or event.game in games)
        and submission.created <= (freezes.of(event.name, event.series) or submission.created)
    ]


def started(submission: Submission) -> dict[str, Any]:
    """The report of a check that begins now: what was known before the first one."""
    return {key: value for key, value in submission.report.items() if key in ("shown", "late", "wanted")}


def with_line(report: Mapping[str, Any], line: Mapping[str, Any]) -> dict[str, Any]:
    """A report with one more line of an examination."""
    known = dict(report)
    if "step" in line:
        keys = (*STEP_KEYS, "sent") if line["step"].get("state") == "failed" else STEP_KEYS
        known["steps"] = [*report.get("steps", []), {key: line["step"].get(key) for key in keys}]
    for key in ("version", "games", "same"):
        if key in line:
            known[key] = line[key]
    error = line.get("refused") or line.get("fault")
    if error:
        known["error"] = error
    return known
