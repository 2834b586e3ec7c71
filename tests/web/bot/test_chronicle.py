"""Ratings over time and opponents, against the functions that tables are made of."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from web.tournament.events import FORMATS, event

from arena.rating import crosstable, levels_of, online
from arena.rating.blocks import blocks
from arena.rating.trueskill_env import TAU_CLOSED, TAU_LADDER
from arena.runner.course import stored_pool
from arena.store.snapshots import unpacked
from arena.store.values import Tournament
from arena.web.botpages import chronicle as made_by
from arena.web.botpages.changes import history_plot
from arena.web.botpages.chronicle import POINTS, Point, Step, chronicle, margin
from arena.web.botpages.counting import Counting
from arena.web.botpages.identity import known_bot
from arena.web.site import Site


def told(site: Site, tournament: Tournament) -> dict[str, dict[str, list[list[object]]]]:
    found: dict[str, dict[str, list[list[object]]]] = chronicle(site.store, tournament)["bots"]
    return found


@pytest.mark.parametrize("name", ["round_robin", "free_for_all", "swiss", "ladder"])
def test_the_last_point_is_the_live_rating(site: Site, name: str) -> None:
    tournament = event(site.store, name, **{"format": name, **FORMATS[name]})
    pool = stored_pool(tournament)
    tau = TAU_LADDER if name == "ladder" else TAU_CLOSED
    levels = levels_of(online(blocks(site.store.rows(tournament.id), pool), pool, tau=tau))
    found = told(site, tournament)
    assert {bot for bot, data in found.items() if data["points"]} == set(levels)
    for bot, level in levels.items():
        last = Point(*found[bot]["points"][-1])  # type: ignore[arg-type]
        assert (last.mu, last.sigma) == pytest.approx((level.mu, level.sigma), abs=1e-3)
        assert sum(Point(*each).blocks for each in found[bot]["points"]) == found[bot]["blocks"]  # type: ignore[arg-type]


def test_every_change_names_its_block_and_begins_where_the_one_before_ended(site: Site) -> None:
    tournament = event(site.store, "spring")
    for data in told(site, tournament).values():
        steps = [Step(*each) for each in data["steps"]]  # type: ignore[arg-type]
        assert len(steps) == data["blocks"]
        assert steps[0].before == 25
        assert all(after.before == before.after for before, after in pairwise(steps))
        assert len({step.block for step in steps}) == len(steps)


def test_points_are_rounds_where_there_are_several_and_never_too_many(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    swiss = event(site.store, "swiss", format="swiss", rounds=3)
    data = chronicle(site.store, swiss)
    assert data["axis"] == "round"
    assert [point[0] for point in data["bots"]["fox"]["points"]] == [1, 2, 3]
    spring = event(site.store, "spring", boards=10)
    monkeypatch.setattr(made_by, "POINTS", 7)
    few = chronicle(site.store, spring)
    assert few["axis"] == "block"
    assert POINTS > 7
    for bot in few["bots"].values():
        assert 0 < len(bot["points"]) <= 7
        assert bot["points"][-1][0] == bot["blocks"] == sum(p[4] for p in bot["points"])


def test_opponents_are_those_of_the_crosstable(site: Site) -> None:
    tournament = event(site.store, "spring")
    cross = crosstable(site.store.rows(tournament.id), stored_pool(tournament))
    for bot, data in told(site, tournament).items():
        for opponent, cell in data["opponents"].items():  # type: ignore[attr-defined]
            expected = cross.cell(bot, opponent)
            assert expected is not None
            assert {key: cell[key] for key in expected._fields} == expected._asdict()
            assert cell["low"] <= cell["swing"] <= cell["high"]


def test_who_is_taken_out_is_not_there(site: Site) -> None:
    tournament = event(site.store, "mixed", format="mixed_partners")
    assert chronicle(site.store, tournament)["bots"].keys() >= {"fox", "owl"}
    assert margin([[1.0]]) is None
    assert margin([[1.0, 3.0], [2.0, 2.0]]) == pytest.approx(0)


def test_another_process_makes_the_same(site: Site) -> None:
    tournament = event(site.store, "spring")
    order = {"store": str(site.settings.store), "tournament": "spring"}
    elsewhere = unpacked(Counting().elsewhere("arena.web.botpages.chronicle", order))
    assert elsewhere == json.loads(json.dumps(chronicle(site.store, tournament)))


def test_versions_of_a_ladder_are_lines_of_one_plot_with_marks(site: Site) -> None:
    ladder = event(site.store, "ladder", ("fox@1", "fox@2", "owl@1", "elk@1"), format="ladder")
    bot = known_bot(site.store, "fox", "", {})
    plot = history_plot(bot, ladder, chronicle(site.store, ladder))
    assert [line.name for line in plot.lines] == ["fox@1", "fox@2"]
    assert [mark.word for mark in plot.marks] == ["1", "2"]
    assert plot.lines[0].points[-1].link.startswith("/bot/fox/history?t=ladder&name=fox%401&x=")
