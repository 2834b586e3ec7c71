"""What a stored tournament came to in the words of its format, made from its schedule and its closed rounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from arena.record.results import GameRow
from arena.runner.course import stored_pool, stored_schedule
from arena.runner.standing import out_of
from arena.store.store import Store
from arena.store.values import State, Tournament
from arena.tournament.bracket import Bracket
from arena.tournament.history import History
from arena.tournament.knockout import Course, Knockout
from arena.tournament.outcome import Outcome, has_outcome, outcome
from arena.tournament.schedule import Schedule


def outcome_of(store: Store, tournament: Tournament) -> Outcome | None:
    """The outcome so far; None for a format whose rating table says everything.

    Where rounds depend on results only closed ones count. Elsewhere every complete block does, but for those of bots
    that were taken out.
    """
    schedule = stored_schedule(tournament)
    if not has_outcome(schedule):
        return None
    over = tournament.state is State.FINISHED
    return outcome(schedule, *_so_far(store, tournament, schedule), over=over)


def course_of(store: Store, tournament: Tournament) -> tuple[Bracket, Course] | None:
    """The bracket of a knockout and how far it is; None for another format."""
    schedule = stored_schedule(tournament)
    if not isinstance(schedule, Knockout):
        return None
    history, field = _so_far(store, tournament, schedule)
    return schedule.bracket, schedule.course(history, field=field)


def _so_far(store: Store, tournament: Tournament, schedule: Schedule) -> tuple[History, Sequence[str]]:
    """What was closed, and who still takes part."""
    out = out_of(store, tournament)
    history = History(stored_pool(tournament))
    if not schedule.adaptive:
        _close(history, (row for row in store.rows(tournament.id) if out.keys().isdisjoint(row.bots)), {})
        return history, ()
    rounds = store.rounds(tournament.id)
    closed = next((each.number - 1 for each in rounds if each.closed is None), len(rounds))
    fields = {each.number: each.field for each in rounds}
    _close(history, store.rows(tournament.id, closed + 1), fields, closed)
    return history, fields.get(closed + 1) or [each.name for each in tournament.entrants if each.name not in out]


def _close(history: History, rows: Iterable[GameRow], fields: Mapping[int, tuple[str, ...]], closed: int = 0) -> None:
    """Close round after round with games in canonical order, so that those of one round at a time are in memory."""
    for number, games in groupby(rows, lambda row: row.key.round):
        while history.closed < number - 1:
            history.close(history.closed + 1, (), fields.get(history.closed + 1, ()))
        history.close(number, games, fields.get(number, ()))
    while history.closed < closed:
        history.close(history.closed + 1, (), fields.get(history.closed + 1, ()))
