"""A store in a folder of its own, and a scripted crew in the place of the real one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from runner.scripted import Scripted

from arena.runner import tournament
from arena.store.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / ".arena") as opened:
        yield opened


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> type[Scripted]:
    class Mine(Scripted):
        script = staticmethod(lambda _key, _times: "")

    Mine.asked = Counter()
    monkeypatch.setattr(tournament, "Crew", Mine)
    return Mine
