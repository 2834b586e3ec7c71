"""What a tournament has to play, one round after the other. A round is opened when the one before is closed, since who
plays in it may depend on results, on who was taken out by then, and on who came.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from arena.core import options
from arena.record.results import Bout
from arena.runner.bout import BoutTask
from arena.runner.ledger import Block, Ledger
from arena.runner.plan import Plan, Progress
from arena.store.store import Store
from arena.tournament.quarantine import Watch, is_left_out
from arena.tournament.schedule import keys_of

LOOK_S = 1.0
"""An organiser may take a bot out while a round is played: that is looked for so often, in seconds."""


def task_of(plan: Plan, bout: Bout, skip: frozenset[tuple[int, int]]) -> BoutTask:
    """A bout as a worker needs it."""
    return BoutTask(
        bout=bout,
        game=plan.game.id,
        options=options.to_data(plan.game.ruleset),
        secret=plan.secret_of(bout.round),
        bots={name: plan.bots[name] for name in bout.lineup},
        clock=plan.clock,
        isolation=plan.isolation,
        skip=skip,
        logs=str(plan.logs) if plan.logs is not None else "",
        live=str(plan.live) if plan.live is not None else "",
        event=plan.tournament.name,
        start_limit_s=plan.start_limit_s,
        redraw=plan.redraw,
    )


def again_of(
    plan: Plan, bout: Bout, blocks: Sequence[Block], attempt: int, done: frozenset[tuple[int, int]] = frozenset()
) -> BoutTask:
    """Blocks of a bout that were void equally often again: all their games but those of this attempt that are `done`,
    (board, seating), on the same boards, by fresh processes."""
    boards = {block.board for block in blocks}
    places = [place for place, board in enumerate(bout.boards) if board in boards]
    part = bout._replace(
        boards=tuple(bout.boards[place] for place in places), orders=tuple(bout.orders[place] for place in places)
    )
    return replace(task_of(plan, part, done), attempt=attempt)


def named(bout: Bout) -> str:
    """A bout in words: its place, its boards and who plays."""
    boards = f"boards {min(bout.boards)} to {max(bout.boards)}" if len(bout.boards) > 1 else f"board {bout.boards[0]}"
    return f"round {bout.round}, table {bout.table}, {boards}: {', '.join(bout.lineup)}"


class Rounds:
    """What there is to play, one round after the other: the next one begins when all games of the last are settled."""

    def __init__(self, store: Store, plan: Plan, ledger: Ledger, progress: Progress) -> None:
        self.bouts: dict[tuple[int, int], Bout] = {}
        """The bouts of the round that is played, by round and table."""
        self._store = store
        self._plan = plan
        self._ledger = ledger
        self._progress = progress
        lifted: dict[str, int] = {}
        for each in store.quarantines(plan.tournament.id):
            bot, since = each.quarantine.bot, each.quarantine.since_round
            if each.lifted is not None and not each.disabled:
                lifted[bot] = max(lifted.get(bot, 0), since - 1)
        self._noted: dict[str, int] = {}
        """Who is out by what is stored -> since which round; people may take somebody out meanwhile."""
        self._looked = float("-inf")
        self._look()
        self._watch = Watch(lifted)
        self._opened = {
            each.number: each for each in store.rounds(plan.tournament.id) if each.closed is None or not plan.open_ended
        }
        self._history = plan.history(plan.pool)
        self._field_now: tuple[str, ...] = ()
        """Who takes part in the round that is played."""
        self._given: int = 0
        """The round whose tasks were all given out, until it is closed."""

    def tasks(self) -> Iterator[BoutTask | None]:
        """The tasks in order; None while games of a round are still to be settled before the next begins."""
        number = self._catch_up() if self._plan.open_ended else 0
        while (bouts := self._open(number + 1)) is not None:
            if self._progress.waiting:
                while self._progress.waiting:
                    yield None
                continue  # somebody may have come
            number += 1
            out = self._out(number) | self._absent() | self._gone()
            for bout in bouts:
                if self._look():
                    out = self._out(number) | self._absent() | self._gone()
                if is_left_out(bout, out):
                    self._ledger.leave_out(bout)
                    gone = ", ".join(sorted(out.intersection(bout.lineup)))
                    self._plan.decided(f"{named(bout)}: left out, {gone} does not take part")
                    continue
                yield from self._of_bout(bout)
            self._given = number
            while self._given and not self.close():
                yield None
        self._progress.over = not self._plan.open_ended

    def _look(self) -> bool:
        """Read who is out by what is stored, at most every LOOK_S; whether that changed."""
        now = time.monotonic()
        if now - self._looked < LOOK_S:
            return False
        self._looked, before = now, self._noted
        self._noted = {}
        for each in self._store.quarantines(self._plan.tournament.id, active=True):
            bot, since = each.quarantine.bot, each.quarantine.since_round
            self._noted[bot] = min(self._noted.get(bot, since), since)
        return self._noted != before

    def _catch_up(self) -> int:
        """Go through the closed rounds of an open-ended event, which stay as they are; returns the last of them."""
        tournament_id = self._plan.tournament.id
        closed = [each.number for each in self._store.rounds(tournament_id) if each.closed is not None]
        for number in closed:
            for game in self._store.conduct(tournament_id, number):
                self._watch.add(game)
            self._history.close(number, self._store.rows(tournament_id, round_=number))
            self._progress.round = number
        return max(closed, default=0)

    def _open(self, number: int) -> list[Bout] | None:
        """Open a round, or take it up as it was opened; None when the event is over before it."""
        if self._plan.last_round and number > self._plan.last_round:
            return None
        known = self._opened.get(number)
        self._looked = float("-inf")
        self._look()
        if known is None and self._plan.joining is not None:
            self._plan.joining(number)
        field = known.field if known is not None else self._field(number)
        if known is None and self._plan.taking_part is not None:
            field = self._plan.taking_part(number, field)
        self._field_now = field
        found = self._plan.schedule.round(number, self._history, field)
        if found is None:
            return None
        bouts = list(found)
        self._progress.waiting = self._plan.open_ended and known is None and not bouts
        if known is None and not self._progress.waiting:
            blocks, games = sum(len(bout.boards) for bout in bouts), sum(len(list(keys_of(bout))) for bout in bouts)
            self._store.open_round(self._plan.tournament.id, number, field, blocks, games)
            self._plan.decided(f"round {number}: {blocks} blocks, {games} games; {', '.join(field)}")
        return bouts

    def _field(self, number: int) -> tuple[str, ...]:
        """Who takes part in a round that is opened now."""
        out = self._out(number)
        stored = self._store.tournament(self._plan.tournament.name)
        entrants = stored.entrants if stored is not None else ()
        return tuple(
            each.name
            for each in entrants
            if each.since_round <= number
            and (each.until_round is None or number <= each.until_round)
            and each.name not in out
        )

    def _absent(self) -> set[str]:
        """Who does not take part in the round, where that is known only when it is opened."""
        return set(self._plan.bots) - set(self._field_now) if self._plan.taking_part is not None else set()

    def _gone(self) -> set[str]:
        """Whose files are no longer there, in a round of an open-ended event that is taken up again."""
        return set(self._field_now) - set(self._plan.bots) if self._plan.open_ended else set()

    def _out(self, number: int) -> set[str]:
        return {*self._watch.out, *(bot for bot, since in self._noted.items() if since <= number)}

    def _of_bout(self, bout: Bout) -> Iterator[BoutTask]:
        ledger, plan = self._ledger, self._plan
        first, again = ledger.expect(bout)
        if first is None and not again:
            plan.decided(f"{named(bout)}: nothing left to play, its games are stored or given up")
        if first is not None or again:
            self._progress.round = bout.round
            self.bouts[bout.round, bout.table] = bout
        if first is not None:
            known = f", but for {len(first)} games that are stored or were void" if first else ""
            plan.decided(f"{named(bout)}: played{known}")
            yield task_of(plan, bout, first)
        by_attempts: dict[int, list[Block]] = {}
        for block in again:
            by_attempts.setdefault(ledger.attempts[block], []).append(block)
        for attempts, blocks in sorted(by_attempts.items()):
            done = frozenset().union(*map(ledger.done_of, blocks))
            boards = ", ".join(str(block.board) for block in blocks)
            plan.decided(f"{named(bout)}: played again, void before: boards {boards} (attempt {attempts + 1})")
            yield again_of(plan, bout, blocks, attempts + 1, done)

    def close(self) -> bool:
        """Close the round that is played if all its games are settled, and note who is out from now on."""
        if not self._given or self._ledger.waiting:
            return False
        self._ledger.commit()
        number, tournament_id = self._given, self._plan.tournament.id
        known = set(self._watch.out)
        for game in self._store.conduct(tournament_id, number):
            self._watch.add(game)
        new = [each for bot, each in self._watch.out.items() if bot not in known]
        if new:
            self._store.add_quarantines(tournament_id, new)
            self._progress.out = tuple(self._watch.out.values())
        if self._plan.schedule.adaptive:
            self._history.close(number, self._store.rows(tournament_id, round_=number), self._field_now)
        opened = self._opened.get(number)
        if opened is None or opened.closed is None:
            self._store.close_round(tournament_id, number)
            self._plan.decided(f"round {number}: closed")
            if self._plan.closed is not None:
                self._plan.closed(number)
        self.bouts.clear()
        self._given = 0
        return True
