"""Partners that are different bots, really played: who sits where, whose fault it is, tables, going on after a stop."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from runner import small_event
from runner.bouts import GAME, Outcome, faulty, play, task, witness

from arena.cli.commands.ratings import show
from arena.cli.flags import Flags
from arena.cli.output import Output
from arena.core.errors import ConfigError
from arena.record.results import Bout, Verdict
from arena.runner.course import seatings_of, stored_pool
from arena.runner.cup_file import load_cup
from arena.runner.sealing import Seals
from arena.runner.standing import left_out, tables_of, tiers_of
from arena.runner.standing_data import data_of
from arena.store.store import Store

BOTS = {name: witness(name=name) for name in ("ant", "bee", "cat", "dog")}
HEAD = 'name = "cup"\ngame = "crowsnest"\nseed = "a"\n'
FOUR = 'bots = ["random", "basic", "cautious", "counter"]\n'


def bout(*lineup: str, boards: int = 1, seatings: int = 4) -> Bout:
    return Bout(1, 1, lineup, tuple(range(1, boards + 1)), ((0, 1, 2, 3),) * boards, seatings)


@pytest.fixture(scope="module")
def turned() -> Outcome:
    """One board in all four seatings."""
    return play(replace(task(BOTS), bout=bout(*BOTS)))


def test_everyone_moves_on_by_one_seat_in_each_seating(turned: Outcome) -> None:
    names = tuple(BOTS)
    assert [game.bots for game in turned.games] == [names[seating:] + names[:seating] for seating in range(4)]
    assert {game.result.verdict for game in turned.games} == {Verdict.FINISHED}


def test_one_process_of_each_bot_plays_one_seat_of_a_seating(turned: Outcome) -> None:
    assert Counter((heard.bot, heard.seating) for heard in turned.heard) == dict.fromkeys(
        [(name, seating) for name in BOTS for seating in range(4)], 1
    )
    for game in turned.games:
        started = turned.started(1, game.key.seating)
        assert {seat: heard.bot for seat, (heard, _) in started.items()} == dict(enumerate(game.bots))
        assert all(fields["partner"] == (seat + 2) % 4 for seat, (_, fields) in started.items() if seat != 2)


def test_nobody_is_told_who_the_others_are(turned: Outcome) -> None:
    for heard in turned.heard:
        told = json.dumps(heard.of("start"))
        assert not [name for name in BOTS if name != heard.bot and f'"{name}"' in told]


def test_a_bot_may_sit_beside_a_second_copy_of_itself_against_two_of_another() -> None:
    both = {name: BOTS[name] for name in ("ant", "bee")}
    outcome = play(replace(task(both), bout=bout("ant", "bee", "ant", "bee", seatings=2)))
    assert [game.bots for game in outcome.games] == [("ant", "bee") * 2, ("bee", "ant") * 2]
    assert Counter((heard.bot, heard.copy) for heard in outcome.heard) == dict.fromkeys(
        [(name, copy) for name in both for copy in (1, 2)], 2
    )


def test_a_forfeit_costs_the_side_and_stays_with_the_bot_whose_fault_it_is() -> None:
    bots = {**BOTS, "bee": faulty({"1": ["garbage", 9]}, name="bee")}
    outcome = play(replace(task(bots), bout=bout(*bots, seatings=1)))
    [game] = outcome.games
    result = game.result
    assert result.verdict is Verdict.FORFEIT
    assert {seat for seat, _ in result.forfeits} == {fault.seat for fault in result.faults} == {1}
    assert game.bots[1] == "bee"
    assert result.scores[1] == result.scores[3] == GAME.worst_score
    assert result.ranks[1] == result.ranks[3] > result.ranks[0] == result.ranks[2]


def test_mixed_partners_come_to_the_same_whether_they_were_stopped_or_not(tmp_path: Path) -> None:
    head = f'{HEAD}format = "mixed_partners"\nboards = 2\n{FOUR}'
    _, rows, progress = small_event.both_ways(tmp_path, small_event.write(tmp_path, head), "cup", 3)
    assert (progress.blocks, progress.games, len(rows)) == (6, 12, 12)
    with Store.open(tmp_path / "at_once") as store:
        tournament = store.tournament("cup")
        assert tournament is not None
        assert stored_pool(tournament).kind == "mixed"
        made, against = tables_of(store, tournament, resamples=20)
        assert made.unrated == ""
        assert {row.blocks for row in made.standings} == {6}
        assert sum(row.rating for row in made.standings) == pytest.approx(100.0, abs=1e-3)
        assert {(cell.blocks if cell else 0) for cells in against.cells for cell in cells} == {0, 4}
        data = data_of(tournament, made, against, tiers_of(store, tournament))
        assert data["pool"]["kind"] == "mixed"
        assert len(data["partners"]["partnerships"]) == 6
        assert data["partner_pool"] is None
        assert Seals(store, tournament).open_boards() == {1, 2}
        assert left_out(store, tournament) == (0, 0)


def test_four_seatings_make_a_block_and_each_round_has_boards_of_its_own(tmp_path: Path) -> None:
    head = f'{HEAD}format = "mixed_partners"\nboards = 1\nseatings = 4\nboard_plan = "per_round"\n{FOUR}'
    file = small_event.write(tmp_path, head)
    with Store.open(tmp_path / "data") as store:
        [progress] = small_event.play(store, file, tmp_path / "data")
        assert (progress.blocks, progress.games, progress.totals.rounds) == (3, 12, 3)
        tournament = store.tournament("cup")
        assert tournament is not None
        assert seatings_of(tournament) == 4
        made, _ = tables_of(store, tournament, resamples=0)
        assert len(made.blocks) == made.boards == 3


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Path]]:
    folder = tmp_path_factory.mktemp("pool")
    head = f'{HEAD}format = "partner_pool"\nboards = 1\nopponents = "random"\n{FOUR}'
    _, rows, progress = small_event.both_ways(folder, small_event.write(folder, head), "cup", 5)
    assert (progress.blocks, len(rows)) == (6, 12)
    with Store.open(folder / "at_once") as store:
        yield store, folder


def test_a_partner_pool_comes_to_the_same_whether_it_was_stopped_or_not(pool: tuple[Store, Path]) -> None:
    store, _ = pool
    tournament = store.tournament("cup")
    assert tournament is not None
    made, against = tables_of(store, tournament, resamples=20)
    assert "second copy of itself" in made.unrated
    data = data_of(tournament, made, against, tiers_of(store, tournament))
    assert data["partners"] is None
    strangers = data["partner_pool"]
    assert strangers["opponents"] == "random"
    assert {row["bot"] for row in strangers["standings"]} == {"basic", "cautious", "counter"}
    for row in strangers["standings"]:
        assert row["blocks"] == 2
        assert len(row["partners"]) == 2
        gap = row["with_strangers"]["mean"] - row["with_itself"]["mean"]
        assert row["difference"]["mean"] == pytest.approx(gap, abs=1e-5)


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (Flags(), ["with strangers", "points per block against two of random on 1 boards", "no ratings: a bot is no"]),
        (Flags(csv=True), ["bot,partner,points_per_block,blocks"]),
        (Flags(json=True), ['"partner_pool": {']),
    ],
)
def test_a_partner_pool_is_shown_with_its_own_columns(
    pool: tuple[Store, Path], capsys: pytest.CaptureFixture[str], flags: Flags, says: list[str]
) -> None:
    store, _ = pool
    tournament = store.tournament("cup")
    assert tournament is not None
    made, against = tables_of(store, tournament, resamples=20)
    output = Output(flags, stdout_color=False, stderr_color=False, ascii=False)
    show(output, tournament, made, against, tiers_of(store, tournament), cross=False)
    shown = capsys.readouterr().out
    assert [text for text in says if text not in shown] == []


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ('game = "crow_and_pitcher"\nformat = "mixed_partners"\n' + FOUR, "no partners to mix"),
        (
            'game = "goat"\nformat = "mixed_partners"\nbots = ["random", "basic", "cautious"]\n',
            "cannot fill a table of 4",
        ),
        ('game = "goat"\nformat = "partner_pool"\nbots = ["random", "basic"]\n', "cannot fill a table of 3"),
        ('game = "goat"\nformat = "round_robin"\nseatings = 4\n' + FOUR, "'seatings' says nothing in a round_robin"),
        ('game = "goat"\nformat = "mixed_partners"\nseatings = 3\n' + FOUR, "seatings"),
    ],
)
def test_files_that_ask_for_what_cannot_be_are_refused(tmp_path: Path, lines: str, says: str) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(f'name = "cup"\nboards = 1\n{lines}')
    with pytest.raises(ConfigError, match=says) as caught:
        load_cup(file)
    assert caught.value.where.startswith(f"{file}:")
