"""A store of its own for every test, in a folder and on a server, with one tournament of three bots."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from postgres import Server
from store.samples import new_tournament

from arena.store.place import Place
from arena.store.store import Store
from arena.store.values import Tournament


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / ".arena"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.needs("postgres"))])
def place(request: pytest.FixtureRequest, folder: Path) -> Place:
    if request.param == "sqlite":
        return folder
    server: Server = request.getfixturevalue("server")
    return server.new_schema()


@pytest.fixture
def store(place: Place) -> Iterator[Store]:
    with Store.open(place) as opened:
        yield opened


@pytest.fixture
def spring(store: Store) -> Tournament:
    return store.create_tournament(new_tournament())
