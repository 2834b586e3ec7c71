"""What a stored tournament came to in the words of its format, made from its schedule and its closed rounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby

from arena.record.results import GameRow
from arena.runner.course import stored_pool, stored_schedule
from arena.runner.standing import out_of
from arena.store.store import Store
from arena.store.values import State, Tournament
from arena.tournament.history import History
from arena.tournament.outcome import Outcome, has_outcome, outcome


def outcome_of(store: Store, tournament: Tournament) -> Outcome | None:
    """The outcome so far; None for a format whose rating table says everything.

    Where rounds depend on results only closed ones count. Elsewhere every complete block does, but for those of bots
    that were taken out.
    """
    schedule = stored_schedule(tournament)
    if not has_outcome(schedule):
        return None
    out, over = out_of(store, tournament), tournament.state is State.FINISHED
    history = History(stored_pool(tournament))
    if not schedule.adaptive:
        _close(history, (row for row in store.rows(tournament.id) if out.keys().isdisjoint(row.bots)), {})
        return outcome(schedule, history, over=over)
    rounds = store.rounds(tournament.id)
    closed = next((each.number - 1 for each in rounds if each.closed is None), len(rounds))
    fields = {each.number: each.field for each in rounds}
    _close(history, store.rows(tournament.id, closed + 1), fields, closed)
    field = fields.get(closed + 1) or [each.name for each in tournament.entrants if each.name not in out]
    return outcome(schedule, history, field, over=over)


def _close(history: History, rows: Iterable[GameRow], fields: Mapping[int, tuple[str, ...]], closed: int = 0) -> None:
    """Close round after round with games in canonical order, so that those of one round at a time are in memory."""
    for number, games in groupby(rows, lambda row: row.key.round):
        while history.closed < number - 1:
            history.close(history.closed + 1, (), fields.get(history.closed + 1, ()))
        history.close(number, games, fields.get(number, ()))
    while history.closed < closed:
        history.close(history.closed + 1, (), fields.get(history.closed + 1, ()))
