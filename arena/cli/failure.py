"""Errors for people: five fixed lines, or the same five keys as JSON; exit statuses; the report of a bug.

Knows the tree of errors and the table of codes; nothing of commands.
"""

from __future__ import annotations

import errno
import json
import os
import platform
import shutil
import signal
import sys
import tempfile
import time
import traceback
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from arena.cli.output import Output
from arena.core.errors import ArenaError, ArenaFault

SCARCE = 1024 * 1024
"""Bytes: a folder with fewer free is full; something is given back while a command ends."""


class Stopped(BaseException):
    """Ctrl-C or SIGTERM reached a command; `status` is 130 or 143, `resume` the command that goes on."""

    def __init__(self, status: int, resume: str = "") -> None:
        super().__init__(status)
        self.status = status
        self.resume = resume


def stop_listening() -> None:
    """Further signals change nothing: the program is on its way out, and its last words must be whole."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


class ReaderGone(BaseException):
    """Whoever read stdout has seen enough (`arena simulate ... | head`)."""


class Failure(NamedTuple):
    """What is printed about an error."""

    error: str
    where: str
    saw: str
    fix: str
    code: str


def of_error(error: ArenaError, command: str) -> Failure:
    """The five parts of an error that Arena reports on purpose; empty ones are filled from the table of codes."""
    from arena.record.codes import CODES

    known = CODES.get(error.code)
    return Failure(
        error=error.message,
        where=error.where or command,
        saw=error.saw or (f"{known.meaning}" if known else type(error).__name__),
        fix=error.fix or (known.mend if known else "arena help"),
        code=error.code,
    )


def exit_status(error: ArenaError) -> int:
    """The exit status of a command that stops with an error; see `arena help exit-codes`."""
    from arena.record.codes import CODES

    if error.code in CODES:
        return CODES[error.code].exit_status
    return 3 if isinstance(error, ArenaFault) else 2


def of_bug(error: Exception, argv: list[str]) -> Failure:
    """The five parts of an exception that nobody expected; writes the report file."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{frames[-1].filename}:{frames[-1].lineno} in {frames[-1].name}" if frames else "unknown"
    full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    report = write_report(error, argv)
    return Failure(
        error="no space left on the disk" if full else "the arena failed; this is not your fault",
        where=_full_folder(error) or place if full else place,
        saw=f"{type(error).__name__}: {error}".splitlines()[0],
        fix=f"free some space and try again (report: {report})"
        if full
        else f"send this file with your report: {report}",
        code="DISK_FULL" if full else "ARENA_FAULT",
    )


def _full_folder(error: Exception) -> str:
    """Where there is no space left, as far as it can be told; a write to an open file does not say which."""
    if isinstance(error, OSError) and error.filename is not None:
        return os.fsdecode(error.filename)
    temporary = tempfile.gettempdir()
    with suppress(OSError):
        if shutil.disk_usage(temporary).free < SCARCE:
            return temporary
    return ""


def write_report(error: Exception, argv: list[str]) -> str:
    """Write what is needed to find a bug into a file of the temporary folder and return its path."""
    from arena import __version__

    text = "\n".join(
        [
            f"arena {__version__}, Python {platform.python_version()}, {platform.platform()}",
            f"time: {time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())}",
            f"command: arena {' '.join(argv)}",
            f"folder: {os.getcwd()}",
            "",
            "".join(traceback.format_exception(error)),
        ]
    )
    try:
        handle, path = tempfile.mkstemp(prefix="arena-report-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError as problem:
        return f"none, it could not be written ({problem})"
    return str(Path(path))


def show(failure: Failure, output: Output) -> None:
    """Print an error on stderr: five lines in their order, or one JSON object with --json."""
    if output.flags.json:
        sys.stderr.write(json.dumps({"schema": "arena.error/1", **failure._asdict()}) + "\n")
        return
    label = output.style("error:", "bad", error=True)
    output.error_line(f"{label} {one_line(failure.error)}")
    output.error_line(f"where: {one_line(failure.where)}")
    output.error_line(f"saw:   {one_line(failure.saw)}")
    output.error_line(f"fix:   {one_line(failure.fix)}")
    output.error_line(f"code:  {failure.code}   (arena help {failure.code})")


def one_line(text: str) -> str:
    """The text on one line, control characters escaped: bots and files may say anything."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
