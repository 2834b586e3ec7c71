"""What everybody who sends a bot has to keep to, by a form or by a program: how many, how large, until when."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from datetime import timedelta

from arena.bots.archive import DEFAULT
from arena.core.errors import ArenaError, ArenaFault
from arena.games import catalog
from arena.runner.frozen import deadline_in
from arena.store.store import utc_now
from arena.store.submissions import Status, Submission
from arena.web.people.accounts import choices_of
from arena.web.people.limits import Limit, TooMany
from arena.web.site import Site
from arena.web.submitting.checking import Checking, checking_of
from arena.web.submitting.receiving import Received
from arena.web.submitting.report import Standing, standing

LIMIT = DEFAULT.bytes
DAY = timedelta(days=1)
MAX_WAITING = 5
"""Submissions of one person in the queue."""
SPARE = 1_000_000_000
"""Bytes that stay free on the disk."""


class UploadLimit(Limit):
    """Uploads of one person."""


def uploads_of(site: Site) -> UploadLimit:
    """Counts uploads, also those that were cut off."""
    return site.service(UploadLimit, lambda _: UploadLimit("your uploads", 20, 600))


def include(site: Site) -> None:
    """Make the services that several threads ask for."""
    checking_of(site), uploads_of(site)


def refuse_more(site: Site, person: int) -> None:
    """Raises TooMany when a person sends too much, ArenaFault when there is no room."""
    uploads_of(site).take(person)
    submissions = checking_of(site).submissions
    daily = int(choices_of(site).get("daily_uploads"))
    sent = submissions.sent_since(person, utc_now() - DAY)
    if sent >= daily:
        raise TooMany(
            f"{daily} uploads a day are yours", where="/submit", saw=f"{sent} since yesterday", fix="tomorrow"
        )
    waiting = sum(each.person == person for each in submissions.queue())
    if waiting >= MAX_WAITING:
        raise TooMany(
            f"{waiting} of yours wait already", where="/submit", fix="wait until one of them is done", saw="the queue"
        )
    if shutil.disk_usage(site.settings.data).free < SPARE + LIMIT:
        raise ArenaFault("the server's disk is full", where="/submit", fix="tell an organiser", code="DISK_FULL")


def checked_games(named: Iterable[str]) -> tuple[str, ...]:
    """The rulesets that a bot is sent for, in the order of the catalog. Raises ArenaError BAD_GAME for what is none."""
    wanted = {each.strip() for text in named for each in text.replace(",", "\n").split("\n")} - {""}
    wrong = sorted(wanted - catalog().keys())
    if wrong:
        raise ArenaError(
            f"there is no game {wrong[0][:64]!r}", where="games", fix=f"games: {', '.join(catalog())}", code="BAD_GAME"
        )
    return tuple(game for game in catalog() if game in wanted)


def put(site: Site, person: int, received: Received, message: str, games: Sequence[str] = ()) -> Submission:
    """Put an archive that was received into the queue. `games`: that it is sent for; none: those of its bot.toml."""
    checking, deadline = checking_of(site), deadline_in(site.store)
    report: dict[str, object] = {"shown": received.shown, "late": deadline is not None and utc_now() > deadline}
    report |= {"wanted": list(games)} if games else {}
    added = checking.submissions.add(
        person, received.file.name, received.hash, received.size, " ".join(message.split()), report
    )
    checking.hurry()
    return added


def stands(checking: Checking, submission: Submission) -> Standing:
    """How a submission stands now, in words."""
    if submission.status is not Status.WAITING:
        return standing(submission, 0, 0)
    queue = [each.id for each in checking.submissions.queue()]
    place = queue.index(submission.id) + 1 if submission.id in queue else 1
    return standing(submission, place, checking.submissions.usual_seconds())
