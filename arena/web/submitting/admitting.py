"""From a checked copy to a registered version: at once, or when an organiser says so."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.bots.manifest import Bot, read_bot
from arena.core.errors import ArenaError
from arena.runner.admission import owner_for, refuse_over_quota
from arena.runner.enroll import known_as
from arena.runner.examine import five
from arena.store.lock import one_at_a_time
from arena.store.store import utc_now
from arena.store.submissions import Status, Submission, Submissions
from arena.store.tokens import Tokens
from arena.web.people.accounts import choices_of, people_of

if TYPE_CHECKING:
    from arena.web.site import Site

Data = dict[str, Any]
"""Any: JSON."""


def admit(site: Site, submissions: Submissions, submission: Submission, report: Data, end: Data) -> None:
    """What becomes of a submission whose examination went well: accepted, held for an organiser, or refused because of
    who its author is and has."""
    if "same" in end:
        submissions.finish(submission.id, Status.ACCEPTED, report, version=end["same"])
        return
    kept = {**report, "kept": {**end["checked"], "version": report["version"]}}
    if choices_of(site).get("approval") == "manual":
        submissions.finish(submission.id, Status.HELD, kept)
    else:
        register(site, submissions, submission, kept)


def register(site: Site, submissions: Submissions, submission: Submission, report: Mapping[str, Any]) -> bool:
    """Register the kept copy of a submission; False when it is refused now, and the copy deleted. Any: JSON."""
    data = site.settings.data
    told = {key: value for key, value in report.items() if key != "kept"}
    folder = data / "bots" / str(report["kept"]["version"])
    with one_at_a_time(data, "quota"):
        try:
            bot = _as_kept(folder, report["kept"])
            before = known_as(site.store, bot)
            person = people_of(site).person(submission.person)
            if person is None or person.revoked is not None:
                raise ArenaError("its author may not send bots any more", fix="ask an organiser", code="NOT_ALLOWED")
            fix = "choose another name in bot.toml"
            whose = owner_for(site.store, bot, person.name, where="bot.toml", fix=fix)
            tokens = Tokens(site.store.database).all()
            refuse_over_quota(site.store, bot, before, whose, site.settings.quotas, tokens, data, utc_now())
        except ArenaError as error:
            forget(site, str(report["kept"]["version"]))
            submissions.finish(submission.id, Status.REFUSED, {**told, "error": five(error)})
            return False
        added = site.store.register(bot.name, bot.version, bot.manifest, submission.message, whose)
    submissions.finish(submission.id, Status.ACCEPTED, told, version=added.number)
    return True


def refuse(submissions: Submissions, site: Site, submission: Submission, reason: str) -> None:
    """Refuse what was held; its kept copy goes."""
    told = {key: value for key, value in submission.report.items() if key != "kept"}
    error = {
        "error": "an organiser refused it",
        "where": submission.bot,
        "saw": reason,
        "fix": "talk to the organiser",
        "code": "NOT_ALLOWED",
    }
    submissions.finish(submission.id, Status.REFUSED, {**told, "error": error})
    forget(site, str(submission.report["kept"]["version"]))


def forget(site: Site, version: str) -> None:
    """Delete a kept copy that no registered bot has."""
    if all(each.version != version for each in site.store.registered()):
        shutil.rmtree(site.settings.data / "bots" / Path(version).name, ignore_errors=True)


def _as_kept(folder: Path, kept: Mapping[str, Any]) -> Bot:  # Any: JSON
    return replace(read_bot(folder), version=str(kept["version"]), manifest=dict(kept["manifest"]))
