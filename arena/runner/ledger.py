"""Which games are done, counted into blocks; what is void, what is given up, what a round still waits for.

Knows keys, the store and attempts; not how games are played, nor who plays next.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple, Protocol

from arena.record.results import NOBODY_STARTED, Bout, GameKey, Verdict
from arena.store.store import Store
from arena.store.values import ORGANISER, StoredGame, Void
from arena.tournament.schedule import keys_of

MAX_ATTEMPTS = 4
"""A void block is played so often in all; then it is reported missing. One that nobody started for is stored."""


class Block(NamedTuple):
    """Names a block: one board at one table."""

    round: int
    board: int
    table: int

    @classmethod
    def of(cls, key: GameKey) -> Block:
        """The block of a game."""
        return cls(key.round, key.board, key.table)


class Counts(Protocol):
    """What a ledger counts; see `Progress`."""

    games: int
    blocks: int
    voids: int
    missing: int
    left_out: int
    lost: int
    played: int


class Ledger:
    """The games of one tournament. Everything that is done stays done, unless a game of its block turns void.

    Games are known one by one only in the round that is played: what it takes does not grow with the tournament.
    """

    def __init__(self, store: Store, tournament_id: int, seatings: int, counts: Counts) -> None:
        self.done: set[GameKey] = set()
        self.attempts: Counter[Block] = Counter()
        """How often a block was void."""
        self.missing: set[GameKey] = set()
        """Of blocks that were void at every attempt: given up for good."""
        self.lost: set[GameKey] = set()
        """Not played because workers were lost; the next run plays them."""
        self.waiting = 0
        """Games that were expected and are neither done nor given up."""
        self._store = store
        self._id = tournament_id
        self._seatings = seatings
        self._counts = counts
        self._open: Counter[Block] = Counter()
        """How many games of a block that is not complete are done."""
        self._batch: list[StoredGame] = []
        self._round = 0
        counts.games = store.count(tournament_id)
        counts.blocks = store.count_blocks(tournament_id, seatings)
        ordered: set[tuple[Block, int]] = set()
        for info in store.voids(tournament_id):
            block = Block.of(info.void.key)
            self.attempts[block] = max(self.attempts[block], info.void.attempt)
            if info.void.reason == ORGANISER:
                ordered.add((block, info.void.attempt))
        self._ordered = Counter(block for block, _attempt in ordered)
        """How often the organiser declared a block void, which never makes it missing."""
        counts.voids = sum(self.attempts.values())
        for block in self.attempts:
            if self._hopeless(block):
                self._give_up(block)

    def begin(self, number: int) -> None:
        """Turn to a round, the one before being settled."""
        self.commit()
        self._round = number
        self.done = set(self._store.done(self._id, number))
        self._open = Counter(map(Block.of, self.done))
        for block in [block for block, count in self._open.items() if count == self._seatings]:
            del self._open[block]

    def _keys(self, block: Block) -> list[GameKey]:
        return [GameKey(*block, seating) for seating in range(self._seatings)]

    def _count(self, key: GameKey) -> None:
        self.done.add(key)
        self.lost.discard(key)
        self._counts.games += 1
        self._counts.lost = len(self.lost)
        block = Block.of(key)
        self._open[block] += 1
        if self._open[block] == self._seatings:
            del self._open[block]
            self._counts.blocks += 1

    def expect(self, bout: Bout) -> tuple[frozenset[tuple[int, int]] | None, list[Block]]:
        """What a bout still needs, which the ledger waits for from now on.

        First: the (board, seating) pairs that need not be played, None when nothing is left to play for the first time.
        Second: the blocks that were void before and are played again.
        """
        if bout.round != self._round:
            self.begin(bout.round)
        keys = list(keys_of(bout))
        open_keys = [key for key in keys if key not in self.done and key not in self.missing]
        self.waiting += len(open_keys)
        again = [block for block in dict.fromkeys(map(Block.of, open_keys)) if self.attempts[block]]
        fresh = {(key.board, key.seating) for key in open_keys if not self.attempts[Block.of(key)]}
        if not fresh:
            return None, again
        return frozenset((key.board, key.seating) for key in keys) - fresh, again

    def done_of(self, block: Block) -> frozenset[tuple[int, int]]:
        """The (board, seating) pairs of a block, in the round that is played, that are done."""
        return frozenset((key.board, key.seating) for key in self._keys(block) if key in self.done)

    def leave_out(self, bout: Bout) -> None:
        """Note that the games of a bout are not played, since one of its bots was taken out."""
        if bout.round != self._round:
            self.begin(bout.round)
        self._counts.left_out += sum(key not in self.done and key not in self.missing for key in keys_of(bout))

    def take(self, game: StoredGame) -> Block | None:
        """Take a game that is over; returns its block when it was void and is to be played again."""
        key, block = game.key, Block.of(game.key)
        if key.round != self._round or key in self.done or key in self.missing:
            return None  # done twice; what is closed is settled
        if game.attempt != self.attempts[block] + 1:
            return None  # of an attempt that is void already
        if game.result.verdict is not Verdict.VOID or game.result.reason == NOBODY_STARTED:
            self._count(key)
            self.waiting -= 1
            self._counts.played += 1
            self._batch.append(game)
            return None
        self._void(game)
        if not self._hopeless(block):
            return block
        self._give_up(block)
        self.waiting -= self._seatings
        return None

    def _void(self, game: StoredGame) -> None:
        """One attempt at a block counts for nobody: what of it is done is so no more."""
        block = Block.of(game.key)
        self.commit()
        self.attempts[block] += 1
        self._counts.voids += 1
        result = game.result
        self._store.void_block(
            self._id, Void(game.key, self.attempts[block], result.reason, game.bots, result.evidence)
        )
        undone = [key for key in self._keys(block) if key in self.done]
        self.done.difference_update(undone)
        self.waiting += len(undone)
        self._counts.games -= len(undone)
        del self._open[block]

    def _hopeless(self, block: Block) -> bool:
        return self.attempts[block] - self._ordered[block] >= MAX_ATTEMPTS

    def _give_up(self, block: Block) -> None:
        """Report a block missing, for good."""
        self.missing.update(key for key in self._keys(block) if key not in self.done)
        self._counts.missing = len(self.missing)

    def lose(self, key: GameKey, attempt: int) -> None:
        """Report a game that only this run could not play."""
        settled = key.round != self._round or key in self.done or key in self.missing
        if not settled and attempt == self.attempts[Block.of(key)] + 1:
            self.lost.add(key)
            self._counts.lost = len(self.lost)

    def commit(self, *, at_least: int = 1) -> None:
        """Store what was taken, once it is `at_least` so much."""
        if len(self._batch) >= at_least:
            self._store.add_games(self._id, self._batch)
            self._batch.clear()
