"""A round robin of bots in six languages and two that speak JSON lines, in each family of games."""

from __future__ import annotations

from pathlib import Path

import pytest
from languages.built import built
from runner import small_cup

from arena import games, rating
from arena.bots.manifest import Bot
from arena.core.game import AnyGame
from arena.rating.pool import Pool
from arena.store.store import Store

LANGUAGES = ("python/template", "typescript", "go", "rust", "java", "cpp", "jsonl/perl", "jsonl/lua")
GAMES = {
    "crowsnest": games.make("crowsnest").single_deal(),
    "goat": games.make("goat").single_deal(),
    "crow_and_pitcher": games.make("crow_and_pitcher", {"rounds": 1}),
}
TOOLS = ("go", "cargo", "javac", "mvn", "node", "npm", "cmake", "grpc_cpp_plugin", "perl", "lua5.4")
pytestmark = [pytest.mark.xdist_group("cup"), *[pytest.mark.needs(tool) for tool in TOOLS]]


@pytest.fixture(scope="module")
def bots() -> dict[str, Bot]:
    """All templates, built, under their languages' names."""
    return {language.rpartition("/")[2]: built(language) for language in LANGUAGES}


def table_of(folder: Path, bots: dict[str, Bot], game: AnyGame, workers: int) -> rating.Table:
    """The table of a cup on one board, played in full and without a fault."""
    folder.mkdir()
    with Store.open(folder) as store:
        plan = small_cup.plan(store, bots, game, boards=1)
        progress = small_cup.run(store, plan, workers)
        assert (progress.games, progress.missing) == (progress.totals.games, 0)
        assert list(store.faults(plan.tournament.id)) == []
        return rating.table(store.rows(plan.tournament.id), Pool.of(game, "deal"), resamples=0)


@pytest.mark.parametrize("name", GAMES)
def test_all_languages_meet_in_every_game(tmp_path: Path, bots: dict[str, Bot], name: str) -> None:
    table = table_of(tmp_path / "cup", bots, GAMES[name], 2)
    assert {row.bot for row in table.standings} == set(bots)


def test_the_table_does_not_depend_on_the_number_of_workers(tmp_path: Path, bots: dict[str, Bot]) -> None:
    tables = [table_of(tmp_path / str(workers), bots, GAMES["goat"], workers) for workers in (1, 2)]
    assert tables[0] == tables[1]
