"""What is sent in tests: archives, and waiting for what becomes of them."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path

from arena.bots.templates import new_bot
from arena.store.submissions import Status, Submission
from arena.web.site import Site
from arena.web.submitting.checking import checking_of

WAIT_S = 100.0
TOML = 'name = "{name}"\ngames = ["crowsnest"]\ncommand = ["python3", "main.py"]\n'


def zipped(files: Mapping[str, bytes | str]) -> bytes:
    """An archive of some files."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files.items():
            made.writestr(name, data)
    return held.getvalue()


def bot(name: str, main: str = "raise SystemExit('boom')\n", toml: str = TOML) -> bytes:
    """A bot with a program of its own."""
    return zipped({"bot.toml": toml.format(name=name), "main.py": main})


def template(folder: Path, name: str, game: str = "crowsnest") -> bytes:
    """The Python template, as `arena bot new` makes it."""
    files = new_bot(name, "python", folder / name, (game,))
    return zipped({file.relative_to(folder / name).as_posix(): file.read_bytes() for file in files})


def over(site: Site, number: str) -> Submission:
    """A submission once nothing happens to it any more by itself."""
    until = time.monotonic() + WAIT_S
    while time.monotonic() < until:
        found = checking_of(site).submissions.get(number)
        assert found is not None
        if found.is_over or found.status is Status.HELD:
            return found
        time.sleep(0.05)
    raise AssertionError(f"{found.status} after {WAIT_S:g} s: {found.report}")
