"""Games of `arena play` at the addresses at which they were shown while they ran: files of the data folder.

They belong to whoever has the data folder, are unrated, and nobody else plays their cards: nothing of them is sealed.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from arena.core.errors import TranscriptError
from arena.record.transcript import from_json
from arena.runner.kept import kept_files
from arena.runner.single import EVENT
from arena.web.games.source import Open
from arena.web.site import Site

ID = re.compile(rf"{EVENT}-[0-9a-f]{{8}}-r1-b[0-9]{{1,9}}-t1-1")
LOOKED = 500
"""So many files are looked at, the newest."""


def find_kept(site: Site, public_id: str) -> Open | None:
    """The game of an id among those files."""
    if not ID.fullmatch(public_id):
        return None
    for written, file in kept_files(site.settings.data)[: -LOOKED - 1 : -1]:
        if _id_of(file, written) == public_id:
            with suppress(FileNotFoundError):  # removed since
                transcript = from_json(file.read_bytes(), where=file.name)
                return Open(public_id, transcript, remarks=("Not rated: arena play.",))
    return None


@lru_cache(4 * LOOKED)
def _id_of(file: Path, _written: int) -> str:
    """The id in a file; empty where it cannot be read. The time is there so that a new content is read anew."""
    try:
        return from_json(file.read_bytes()).public_id
    except (OSError, TranscriptError):
        return ""
