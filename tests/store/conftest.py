"""A store in a folder of its own, with one tournament of three bots."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from store.samples import new_tournament

from arena.store.store import Store
from arena.store.values import Tournament


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / ".arena"


@pytest.fixture
def store(folder: Path) -> Iterator[Store]:
    with Store.open(folder) as opened:
        yield opened


@pytest.fixture
def spring(store: Store) -> Tournament:
    return store.create_tournament(new_tournament())
