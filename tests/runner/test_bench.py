"""The measurements measure something; how much is for the reader to judge."""

from __future__ import annotations

import asyncio
import json

import pytest
from runner.bouts import nothing_left

from arena import games
from arena.core.errors import ArenaFault
from arena.runner import bench, bench_bare, bench_figures


@pytest.mark.parametrize("game", ["crowsnest", "goat", "crow_and_pitcher"])
def test_an_engine_is_measured(game: str) -> None:
    figures = bench.measure_engine(games.make(game), 0.05)
    assert figures.game == game
    assert figures.decisions_per_s == pytest.approx(figures.games_per_s * figures.decisions_per_game)
    assert figures.decisions_per_game > 10


@pytest.mark.parametrize(("at_once", "workers"), [(1, 1), (3, 2)])
def test_a_referee_is_measured_with_real_bots(at_once: int, workers: int) -> None:
    with nothing_left():
        figures = asyncio.run(bench.measure_referee("crowsnest", at_once, workers, 0.4))
    assert (figures.game, figures.at_once, figures.workers) == ("crowsnest", at_once, workers)
    assert figures.decisions > 0
    assert figures.decisions_per_s == pytest.approx(figures.decisions / 0.4)
    assert 0 < figures.p50_ms <= figures.p99_ms


def test_a_worker_that_fails_is_no_measurement() -> None:
    with pytest.raises(ArenaFault, match="ended with status 1"):
        asyncio.run(bench.measure_referee("whist", 1, 1, 0.1))


@pytest.mark.parametrize(
    ("values", "share", "expected"), [([1.0], 0.5, 1.0), ([1.0, 2.0, 3.0, 4.0], 0.5, 3.0), ([1.0, 2.0], 0.99, 2.0)]
)
def test_a_quantile_is_a_value_of_the_list(values: list[float], share: float, expected: float) -> None:
    assert bench_figures.quantile(values, share) == expected


def test_figures_are_json() -> None:
    figures = bench_figures.EngineFigures("goat", 10.0, 400.0, 40.0)
    assert json.loads(json.dumps(bench_figures.figures_data(figures))) == bench_figures.figures_data(figures)


@pytest.mark.parametrize("measure", [bench_bare.measure_pipe, bench_bare.measure_stream])
def test_the_same_turns_go_over_bare_transports(measure):
    figures = asyncio.run(measure(games.make("goat"), 4, 0.2))
    assert figures.at_once == 4
    assert figures.decisions_per_s > 0
