"""The workers of a stored tournament: who played how much, who differs from the others, taking back what one played.

Knows the store; the tests themselves are in `anomaly`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from arena.core.errors import ConfigError
from arena.rating.blocks import blocks
from arena.runner.cluster.anomaly import Finding, examine, gathered, machine_of
from arena.runner.course import stored_pool, stored_schedule
from arena.runner.ledger import Block
from arena.store.store import Store
from arena.store.values import ORGANISER, GameInfo, State, Tournament, Void


def findings(store: Store, tournament: Tournament) -> list[Finding]:
    """One for every machine that played, with p-values where there are several. Takes time with the games."""
    machines = _machines(store, tournament)
    if len(machines) < 2:
        return [Finding(name, games, None, None, None, None, ()) for name, games in machines.items()]
    infos = list(_games(store, tournament))
    made = blocks((info.row for info in infos), stored_pool(tournament))
    swings, stints, games, faulty = gathered(((info.worker, info.row) for info in infos), made)
    return examine(swings, stints, games, faulty)


class Voided(NamedTuple):
    """What was taken back."""

    blocks: int
    games: int


def void_worker(store: Store, tournament: Tournament, worker: str, reason: str) -> Voided:
    """Declare every block void of which a worker, or a machine by its name, played a game; the next run plays them.

    Raises ConfigError NO_SUCH_WORKER when there is none, and LATER_ROUNDS when its results decided who met in rounds
    that were opened since.
    """
    first: dict[Block, GameInfo] = {}
    for info in _games(store, tournament):
        if worker in (info.worker, machine_of(info.worker)):
            first.setdefault(Block.of(info.row.key), info)
    if not first:
        names = ", ".join(sorted(_machines(store, tournament)))
        raise ConfigError(
            f"no worker {worker!r} has played a game that counts in {tournament.name!r}",
            where="--worker",
            saw=repr(worker),
            fix=f"those that have: {names}" if names else "no game says who played it",
            code="NO_SUCH_WORKER",
        )
    _refuse_decided(store, tournament, min(block.round for block in first))
    games = 0
    for info in first.values():
        evidence = {
            "worker": info.worker,
            "reason": reason,
            "verdict": info.row.verdict.value,
            "scores": info.row.scores,
        }
        games += store.void_block(tournament.id, Void(info.row.key, info.attempt, ORGANISER, info.row.bots, evidence))
    if tournament.state is State.FINISHED:
        store.set_state(tournament.id, State.STOPPED)
    return Voided(len(first), games)


def void_block(store: Store, tournament: Tournament, public_id: str, reason: str) -> Voided:
    """Declare the block of one game void; the next run plays it anew, on the same board.

    Raises ConfigError NO_GAME when no game of that id counts in the tournament, LATER_ROUNDS as `void_worker` does.
    """
    found = store.game(public_id)
    if found is None or found.info.tournament != tournament.name:
        raise ConfigError(
            f"no game {public_id!r} counts in {tournament.name!r}",
            where="game",
            saw=repr(public_id),
            fix="its id is the end of its address: /g/ID",
            code="NO_GAME",
        )
    info = found.info
    _refuse_decided(store, tournament, info.row.key.round)
    evidence = {"reason": reason, "verdict": info.row.verdict.value, "scores": info.row.scores}
    games = store.void_block(tournament.id, Void(info.row.key, info.attempt, ORGANISER, info.row.bots, evidence))
    if tournament.state is State.FINISHED:
        store.set_state(tournament.id, State.STOPPED)
    return Voided(1, games)


def _refuse_decided(store: Store, tournament: Tournament, earliest: int) -> None:
    later = [each.number for each in store.rounds(tournament.id) if each.number > earliest]
    if stored_schedule(tournament).adaptive and later:
        raise ConfigError(
            f"results of round {earliest} decided who met in round {earliest + 1}, which was opened since",
            where=tournament.name,
            fix="blocks of the last round can be taken back; for others begin the event anew under another name",
            code="LATER_ROUNDS",
        )


def _machines(store: Store, tournament: Tournament) -> dict[str, int]:
    """Games by machine."""
    found: dict[str, int] = {}
    for worker, games in store.workers(tournament.id).items():
        if worker:
            found[machine_of(worker)] = found.get(machine_of(worker), 0) + games
    return found


def _games(store: Store, tournament: Tournament) -> Iterator[GameInfo]:
    """All games that count, round by round."""
    rounds = [each.number for each in store.rounds(tournament.id)]
    if not rounds:  # an event of old
        yield from store.games(tournament.name, limit=None)
    for number in rounds:
        yield from store.games(tournament.name, round_=number, limit=None)
