"""Formats whose rounds depend on results, played through the store: who is taken out, what is void, how one goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from runner import small_event
from runner.instant import Instant, Rule

from arena.record.results import GameKey
from arena.runner.crew import Stop
from arena.runner.cup_file import load_cups
from arena.runner.outcome import outcome_of
from arena.runner.plan import Progress
from arena.runner.prepare import prepare
from arena.runner.tournament import run_tournament
from arena.store.store import Store
from arena.store.values import State, Tournament
from arena.tournament.outcome import Outcome
from arena.tournament.quarantine import Quarantine

HEAD = 'name = "cup"\ngame = "crowsnest"\nbots = ["counter", "cautious", "basic", "random"]\nboards = 2\nseed = "a"\n'
ORDER = ["random", "basic", "cautious", "counter"]


def stronger(bot: str, _key: GameKey) -> float:
    return ORDER.index(bot)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / ".arena") as opened:
        yield opened


def play(
    store: Store,
    folder: Path,
    keys: str,
    rule: Rule = stronger,
    stop_at: int = 0,
    out: tuple[str, int] | None = None,
    void: Callable[[GameKey], bool] = lambda _: False,
) -> tuple[Progress, Tournament, Outcome]:
    """Play an event; `stop_at`: stop once so many games are stored; `out`: a bot is taken out from a round on."""
    [cup] = load_cups(small_event.write(folder, HEAD + keys))
    plan = prepare(store, cup.settings(), folder / ".arena")
    if out is not None:
        store.add_quarantines(plan.tournament.id, [Quarantine(out[0], out[1], "3 forfeits", (), ())])
    stop = Stop()

    def report(progress: Progress) -> None:
        if stop_at and progress.games >= stop_at and not stop.soft.is_set():
            stop.press()

    class Stopping(Instant):
        async def play(self, tasks):  # type: ignore[no-untyped-def]
            async for event in super().play(tasks):
                yield event
                if stop.soft.is_set():
                    return

    progress = asyncio.run(run_tournament(store, plan, 1, stop, report, Stopping(rule, void)))
    tournament = store.tournament("cup")
    assert tournament is not None
    found = outcome_of(store, tournament)
    assert found is not None
    return progress, tournament, found


@pytest.mark.parametrize("keys", ['format = "knockout"\n', 'format = "double_knockout"\n', 'format = "swiss"\n'])
def test_wherever_one_stops_it_goes_on_to_the_same(tmp_path: Path, keys: str) -> None:
    with Store.open(tmp_path / "whole") as store:
        progress, tournament, whole = play(store, tmp_path, keys)
        rows = list(store.rows(tournament.id))
        assert progress.complete
        assert tournament.state is State.FINISHED
        assert whole.winners == ("counter",)
    for stop in range(2, progress.games, 7):
        with Store.open(tmp_path / f"parts{stop}") as store:
            _, tournament, part = play(store, tmp_path, keys, stop_at=stop)
            assert tournament.state is State.STOPPED
            assert not part.over
            assert part.winners == ()
            _, tournament, outcome = play(store, tmp_path, keys)
            assert tournament.state is State.FINISHED
            assert (outcome, list(store.rows(tournament.id))) == (whole, rows)


def test_a_finalist_who_is_taken_out_loses_by_walkover_and_the_event_is_over(store: Store, tmp_path: Path) -> None:
    progress, tournament, found = play(store, tmp_path, 'format = "knockout"\n', out=("counter", 2))
    assert (progress.games, progress.missing, progress.left_out) == (8, 0, 0)
    assert tournament.state is State.FINISHED
    assert found.words == "cautious wins the final against counter, by walkover"
    assert len(store.rounds(tournament.id)) == 1
    store.lift(tournament.id, "counter", "its disk was full")
    _, _, after = play(store, tmp_path, 'format = "knockout"\n')
    assert after.words == "counter wins the final 2-0 against cautious, by blocks", "it is let back in and plays"


def test_who_is_taken_out_of_a_swiss_is_paired_no_more(store: Store, tmp_path: Path) -> None:
    progress, tournament, found = play(store, tmp_path, 'format = "swiss"\nrounds = 3\n', out=("counter", 2))
    assert progress.complete
    fields = [each.field for each in store.rounds(tournament.id)]
    assert [len(field) for field in fields] == [4, 3, 3]
    assert all("counter" not in row.bots for row in store.rows(tournament.id) if row.key.round > 1)
    rows = {row.bot: row for row in found.standing}  # type: ignore[union-attr]
    assert not rows["counter"].here  # type: ignore[union-attr]
    assert sum(row.byes for row in rows.values()) == 2  # type: ignore[union-attr]


def test_level_matches_go_on_in_rounds_of_their_own(store: Store, tmp_path: Path) -> None:
    progress, tournament, found = play(store, tmp_path, 'format = "knockout"\nextra = 1\n', rule=lambda _b, _k: 1.0)
    assert (progress.games, [each.by for each in found.matches]) == (24, ["seed"] * 3)  # type: ignore[union-attr]
    assert found.winners == ("counter",)
    boards = {row.key.round: set() for row in store.rows(tournament.id)}  # type: ignore[var-annotated]
    for row in store.rows(tournament.id):
        boards[row.key.round].add(row.key.board)
    assert boards == {1: {1, 2}, 2: {3, 4}, 3: {5, 6}, 4: {7, 8}}


def test_a_match_that_the_arena_cannot_play_is_decided_by_the_seeds(store: Store, tmp_path: Path) -> None:
    keys = 'format = "knockout"\nextra = 0\n'
    progress, tournament, found = play(store, tmp_path, keys, void=lambda key: key.round == 2)
    assert (progress.games, progress.voids, progress.missing) == (8, 8, 4)
    assert tournament.state is State.FINISHED
    assert found.words == "counter wins the final 0-0 against cautious, level in everything, as the better seed"
