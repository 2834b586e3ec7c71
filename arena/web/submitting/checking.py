"""Works the queue of submissions off, then versions that are to be checked again: one task of the server, one
examination at a time, in a process of its own.

Of several servers on one data folder one does it. What was being checked when a server ended is checked again.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import AbstractContextManager, ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.core.errors import ArenaError, ArenaFault
from arena.runner.examine import Order, five
from arena.runner.keeping.removal import UPLOADS
from arena.store.lock import Busy, coordinator_lock
from arena.store.submissions import Status, Submission, Submissions
from arena.web.live.pulse import pulse_of
from arena.web.people.accounts import choices_of
from arena.web.submitting import admitting
from arena.web.submitting.examining import examined
from arena.web.submitting.receiving import sweep
from arena.web.submitting.rechecking import check_again, rechecks_of
from arena.web.submitting.report import started, with_line

if TYPE_CHECKING:
    from arena.web.site import Site

LOG = logging.getLogger("arena.web")
LOCK = ".checking"
"""Name of the lock of whoever works a data folder's queue off."""
WALL_S = 900.0
"""How long one examination may take: a bot that needs longer answers too slowly, or claims too much."""
IDLE_S = 5.0
Data = dict[str, Any]
"""Any: JSON."""


class Checking:
    """The queue's worker."""

    def __init__(self, site: Site) -> None:
        self.submissions = Submissions(site.store.database)
        self.uploads = site.settings.data / UPLOADS
        self.wall_s = WALL_S
        self._site = site
        self._pulse = pulse_of(site)
        self._wake: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        rechecks_of(site)
        site.starting.append(self._start)
        site.stopping.append(self._stop)

    def hurry(self) -> None:
        """Something was put into the queue. Any thread may say so."""
        loop, wake = self._loop, self._wake
        if loop is not None and wake is not None:
            with suppress(RuntimeError):  # the loop has just ended
                loop.call_soon_threadsafe(wake.set)

    def changed(self, submission: Submission) -> None:
        """Tell the pages that show it; all that wait move on when one is done."""
        self._pulse.bump(f"submission:{submission.public_id}")

    async def _start(self) -> None:
        self._loop, self._wake = asyncio.get_running_loop(), asyncio.Event()
        self._task = asyncio.create_task(self._run())

    async def _stop(self) -> None:
        self._loop = None
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        assert self._wake is not None, "it was started"
        rechecks = rechecks_of(self._site)
        with ExitStack() as held:
            await self._alone(held)
            await asyncio.to_thread(sweep, self.uploads)
            await asyncio.to_thread(self.submissions.back)
            await asyncio.to_thread(rechecks.back)
            while True:
                self._wake.clear()
                try:
                    submission = await asyncio.to_thread(self.submissions.next)
                    if submission is not None:
                        await self._one(submission)
                        continue
                    recheck = await asyncio.to_thread(rechecks.next)
                    if recheck is not None:
                        await check_again(self._site, recheck, self.wall_s)
                        continue
                except (ArenaError, OSError) as error:
                    LOG.warning("the queue of submissions: %s", error)
                with suppress(TimeoutError):
                    async with asyncio.timeout(IDLE_S):
                        await self._wake.wait()

    async def _alone(self, held: ExitStack) -> None:
        """Wait until no other server works the queue off."""
        settings = self._site.settings
        while True:
            lock: AbstractContextManager[None] = coordinator_lock(settings.data, LOCK, settings.store)
            try:
                held.enter_context(lock)
            except Busy:
                await asyncio.sleep(IDLE_S)
            except ArenaError as error:
                LOG.warning("submissions are not checked: %s", error)
                await asyncio.sleep(IDLE_S)
            else:
                return

    async def _one(self, submission: Submission) -> None:
        if not await asyncio.to_thread(self.submissions.start, submission.id):
            return
        for each in await asyncio.to_thread(self.submissions.queue):
            self.changed(each)
        report: Data = started(submission)
        try:
            report, end = await self._examine(submission, report)
        except asyncio.CancelledError:
            self.submissions.back(submission.id)  # the loop ends: nothing may wait
            raise
        await asyncio.to_thread(self._finish, submission, report, end)
        for each in [submission, *await asyncio.to_thread(self.submissions.queue)]:
            self.changed(each)

    async def _examine(self, submission: Submission, report: Data) -> tuple[Data, Data]:
        """The report with all that was said, and the line that it ended with."""
        archive = self.uploads / submission.file
        if not submission.file or not archive.is_file():
            return report, {"fault": five(ArenaFault("the upload is gone", fix="send it again", code="REMOVED"))}
        settings = self._site.settings
        order = Order(
            archive=str(archive),
            shown=str(report.get("shown", "archive.zip")),
            data=str(settings.data),
            store=str(settings.store),
            owner=submission.owner,
            boards=int(await asyncio.to_thread(choices_of(self._site).get, "check_boards")),
            sandbox=settings.sandbox,
            games=report.get("wanted", []),
        )

        async def hear(line: Data) -> None:
            nonlocal report
            report = with_line(report, line)
            await asyncio.to_thread(self.submissions.progress, submission.id, report, line.get("bot", ""))
            self.changed(submission)

        end = await examined(order, self.wall_s, hear)
        return with_line(report, end), end

    def _finish(self, submission: Submission, report: Data, end: Data) -> None:
        """Note how an examination ended. Runs in a thread."""
        known = self.submissions.get(submission.public_id) or submission
        if "same" in end or "checked" in end:
            admitting.admit(self._site, self.submissions, known, report, end)
            gone = True
        elif "refused" in end:
            self.submissions.finish(known.id, Status.REFUSED, report)
            gone = True
        else:
            self.submissions.finish(known.id, Status.FAILED, report, keep_file=True)
            LOG.error("submission %s: %s", known.public_id, report.get("error"))
            gone = False
        if gone and submission.file:
            (self.uploads / Path(submission.file).name).unlink(missing_ok=True)


def checking_of(site: Site) -> Checking:
    """The queue's worker of a site; made while the app is made."""
    return site.service(Checking, Checking)
