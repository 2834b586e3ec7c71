"""Copies of the event that all tests of this folder look at, each written once."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from cli.terminal import Ran, piped
from web.offline.copies import EVENT, stored

from arena.store.lock import coordinator_lock
from arena.store.values import State
from arena.web.offline.copying import Source
from arena.web.offline.writing import Written, write_site


class Copy(NamedTuple):
    """A copy that was written."""

    folder: Path
    written: Written

    def page(self, name: str) -> str:
        """The text of a file."""
        return (self.folder / name).read_text(encoding="utf-8")


class Commanded(NamedTuple):
    """A copy that a command wrote."""

    folder: Path
    ran: Ran

    def page(self, name: str) -> str:
        """The text of a file."""
        return (self.folder / name).read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """Of the finished event."""
    place = tmp_path_factory.mktemp("a copy")
    store, tournament = stored(place / "data")
    with store:
        return Copy(place / "out", write_site(Source(store, tournament), place / "out"))


@pytest.fixture(scope="session")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Commanded:
    """Of the event while the last game of its second board is played."""
    place = tmp_path_factory.mktemp("sealed")
    store, _ = stored(place / ".arena", leave=1, state=State.RUNNING)
    store.close()
    with coordinator_lock(place / ".arena", EVENT):
        ran = piped("tournament", "export", EVENT, "--format", "html", "--json", folder=place)
    assert ran.status == 0, ran.stderr
    return Commanded(place / f"{EVENT}-pages", ran)
