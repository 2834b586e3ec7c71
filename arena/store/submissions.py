"""Bots that people sent: from the moment their bytes are kept until they play or it is said why not.

    waiting   in the queue                      checking   looked at now
    held      checked, an organiser decides     accepted   registered, as version `number` of `bot`
    refused   the author's to mend              failed     the arena's own fault; tried again up to 3 times

Knows no files and no checks. A report is JSON: see arena.web.submitting.report.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select, update

from arena.core.options import canonical_json
from arena.store.codec import storable
from arena.store.database import Database
from arena.store.site_tables import PersonTable, SubmissionTable
from arena.store.store import utc_now
from arena.store.tournaments import insert_new

MAX_TRIES = 3
PAUSE = timedelta(seconds=30)
"""Before something that failed is tried again; twice as long the next time."""
TIMED = 20
"""So many of the last checks say how long one takes."""
USUAL_S = 20.0
MAX_MESSAGE = 500


class Status(StrEnum):
    """How a submission stands."""

    WAITING = "waiting"
    CHECKING = "checking"
    HELD = "held"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    FAILED = "failed"


class Submission(NamedTuple):
    """One bot that was sent."""

    id: int
    public_id: str
    person: int
    owner: str
    """The person's name."""
    file: str
    """Of the archive, below the folder of uploads; empty once it is not needed any more."""
    hash: str
    """SHA-256 of the archive."""
    size: int
    message: str
    status: Status
    bot: str
    """Its name, once that is known."""
    number: int | None
    """The version it was accepted as."""
    tries: int
    report: Mapping[str, Any]  # Any: JSON
    created: datetime
    started: datetime | None
    finished: datetime | None

    @property
    def again(self) -> bool:
        """Whether it failed and is tried again by itself."""
        return self.status is Status.FAILED and self.tries < MAX_TRIES

    @property
    def is_over(self) -> bool:
        """Whether nothing changes any more unless somebody does something."""
        return self.status in (Status.ACCEPTED, Status.REFUSED) or (self.status is Status.FAILED and not self.again)


class Submissions:
    """The submissions of a store."""

    def __init__(self, database: Database, now: Callable[[], datetime] = utc_now) -> None:
        self._database = database
        self._now = now

    def add(
        self,
        person: int,
        file: str,
        hash: str,
        size: int,
        message: str,
        report: Mapping[str, Any],  # Any: JSON
    ) -> Submission:
        """Put one into the queue."""
        public_id = secrets.token_hex(8)
        with self._database.write() as connection:
            connection.execute(
                insert_new(connection, SubmissionTable).values(
                    public_id=public_id,
                    person_id=person,
                    file=file,
                    hash=hash,
                    size=size,
                    message=storable(message)[:MAX_MESSAGE],
                    state=Status.WAITING.value,
                    bot="",
                    tries=0,
                    report=canonical_json(report),
                    created=self._now(),
                )
            )
            [added] = _load(connection, SubmissionTable.public_id == public_id)
        return added

    def get(self, public_id: str) -> Submission | None:
        """The submission of an id."""
        with self._database.read() as connection:
            return next(iter(_load(connection, SubmissionTable.public_id == public_id)), None)

    def of(self, person: int, limit: int = 20) -> list[Submission]:
        """The last ones of a person, the newest first."""
        with self._database.read() as connection:
            return _load(connection, SubmissionTable.person_id == person, newest=limit)

    def newest(self, limit: int = 100) -> list[Submission]:
        """The last ones of all, the newest first."""
        with self._database.read() as connection:
            return _load(connection, newest=limit)

    def with_status(self, *wanted: Status) -> list[Submission]:
        """Those that stand so, oldest first."""
        with self._database.read() as connection:
            return _load(connection, SubmissionTable.state.in_([each.value for each in wanted]))

    def sent_since(self, person: int, since: datetime) -> int:
        """How many a person sent since then."""
        table = SubmissionTable
        query = select(func.count()).where(table.person_id == person, table.created >= since)
        with self._database.read() as connection:
            return int(connection.execute(query).scalar_one())

    # The queue

    def queue(self) -> list[Submission]:
        """Those that are to be checked or are being checked, in order: those that failed once come after the others."""
        found = self.with_status(Status.CHECKING, Status.WAITING, Status.FAILED)
        order = {Status.CHECKING: 0, Status.WAITING: 1, Status.FAILED: 2}
        return sorted(
            (each for each in found if not each.is_over), key=lambda each: (order[each.status], each.tries, each.id)
        )

    def next(self) -> Submission | None:
        """The one to check now."""
        return next((each for each in self.queue() if each.status is not Status.CHECKING and self._is_due(each)), None)

    def _is_due(self, each: Submission) -> bool:
        if each.status is not Status.FAILED or each.finished is None:
            return True
        pause: timedelta = PAUSE * 2 ** max(0, each.tries - 1)
        return self._now() >= each.finished + pause

    def usual_seconds(self) -> float:
        """How long a check took of late."""
        table = SubmissionTable
        query = select(table.started, table.finished).where(table.started.is_not(None), table.finished.is_not(None))
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(table.id.desc()).limit(TIMED)).all()
        took = [(finished - started).total_seconds() for started, finished in rows if started and finished]
        return sum(took) / len(took) if took else USUAL_S

    def start(self, number: int) -> bool:
        """Begin with a check; False when somebody else has."""
        table = SubmissionTable
        free = table.state.in_([Status.WAITING.value, Status.FAILED.value])
        values = {"state": Status.CHECKING.value, "tries": table.tries + 1, "started": self._now(), "finished": None}
        with self._database.write() as connection:
            return bool(connection.execute(update(table).where(table.id == number, free).values(values)).rowcount)

    def back(self, number: int | None = None) -> int:
        """Put what was being checked into the queue again, one or all: the server stopped. It costs no try when it
        stopped in order, which is when a number is given; returns how many there were."""
        table = SubmissionTable
        stopped = update(table).where(table.state == Status.CHECKING.value)
        if number is not None:
            stopped = stopped.where(table.id == number).values(tries=table.tries - 1)
        with self._database.write() as connection:
            return int(connection.execute(stopped.values(state=Status.WAITING.value)).rowcount)

    def progress(self, number: int, report: Mapping[str, Any], bot: str = "") -> None:  # Any: JSON
        """Note what is known by now."""
        values = {"report": canonical_json(report), **({"bot": bot} if bot else {})}
        self._change(number, values)

    def finish(
        self,
        number: int,
        status: Status,
        report: Mapping[str, Any],  # Any: JSON
        *,
        version: int | None = None,
        keep_file: bool = False,
    ) -> None:
        """Note how it ended; its archive is not needed any more unless `keep_file`."""
        values = {"state": status.value, "report": canonical_json(report), "finished": self._now(), "number": version}
        self._change(number, values if keep_file else {**values, "file": ""})

    def again(self, number: int) -> bool:
        """Let one that failed for good be tried once more; False when it did not."""
        table = SubmissionTable
        failed = update(table).where(table.id == number, table.state == Status.FAILED.value)
        with self._database.write() as connection:
            return bool(connection.execute(failed.values(state=Status.WAITING.value, tries=0)).rowcount)

    def _change(self, number: int, values: Mapping[str, Any]) -> None:  # Any: of columns
        with self._database.write() as connection:
            connection.execute(update(SubmissionTable).where(SubmissionTable.id == number).values(**values))


def _load(connection: Connection, *where: Any, newest: int | None = None) -> list[Submission]:
    """Any: SQLAlchemy's conditions."""
    table = SubmissionTable
    query = (
        select(
            table.id, table.public_id, table.person_id, PersonTable.name, table.file, table.hash, table.size,
            table.message, table.state, table.bot, table.number, table.tries, table.report, table.created,
            table.started, table.finished,
        )
        .join(PersonTable, PersonTable.id == table.person_id)
        .where(*where)
    )  # fmt: skip
    query = query.order_by(table.id) if newest is None else query.order_by(table.id.desc()).limit(newest)
    found = []
    for row in connection.execute(query):
        values: list[Any] = list(row)
        values[8], values[12] = Status(values[8]), json.loads(values[12])
        found.append(Submission(*values))
    return found
