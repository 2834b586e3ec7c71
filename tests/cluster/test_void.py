"""What one worker played is taken back and played anew; organisers' voids never make a block missing."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from crash.event import NAME, Event
from crash.small import BOARDS, GAMES, check_error, check_goes_on, readable, small

from arena.runner.cluster.anomaly import Finding
from arena.runner.cluster.inspection import findings
from arena.runner.course import stored_schedule
from arena.runner.ledger import MAX_ATTEMPTS, Block, Ledger
from arena.runner.plan import Progress
from arena.store.audit import Audit, typed_by
from arena.store.store import Store
from arena.store.values import ORGANISER, Void

pytestmark = pytest.mark.xdist_group("cluster")
HOST = socket.gethostname()
REASON = "its disk was full"


@pytest.fixture(scope="module")
def event() -> Iterator[Event]:
    """The small tournament, played to its end on this machine."""
    made = small()
    ran = made.run("-q")
    assert ran.returncode == 0, ran.stderr
    yield made
    made.close()


def test_status_says_who_played(event: Event) -> None:
    [status] = readable(event, "tournament", "status", NAME)
    assert status["workers"] == [
        {
            "worker": HOST,
            "games": GAMES,
            "blocks": None,
            "games_with_faults": None,
            "faults_p": None,
            "results_p": None,
            "flags": [],
        }
    ]
    shown = event.command("tournament", "status", NAME)
    assert f"{HOST} {GAMES} games" in shown.stdout


def test_a_worker_that_played_nothing_is_refused_with_those_that_did(event: Event) -> None:
    ran = event.command("tournament", "void", NAME, "--worker", "node-9", "--reason", REASON)
    parts = check_error(ran, "NO_SUCH_WORKER", 2, "--worker")
    assert HOST in parts["fix"]
    with Store.open(event.data, create=False) as store:
        assert Audit(store.database).entries() == []


def test_what_a_worker_played_is_taken_back_with_the_reason_and_played_anew(event: Event) -> None:
    ran = event.command("tournament", "void", NAME, "--worker", HOST, "--reason", REASON, "--json")
    assert ran.returncode == 0, ran.stderr
    voided = {"tournament": NAME, "worker": HOST, "reason": REASON, "blocks": BOARDS, "games": GAMES}
    assert json.loads(ran.stdout) == {"schema": "arena.void/1", "data": voided}
    with Store.open(event.data, create=False) as store:
        [entry] = Audit(store.database).entries()
    assert entry[2:8] == (None, typed_by(), "void", f"{NAME}: {HOST}", REASON, {"blocks": BOARDS, "games": GAMES})
    [status] = readable(event, "tournament", "status", NAME)
    assert (status["state"], status["games"], status["voids"]) == ("stopped", 0, BOARDS)
    assert status["voids_by_reason"] == {ORGANISER: BOARDS}
    evidence = [each["evidence"] for each in status["void_attempts"] if each["reason"] == ORGANISER]
    assert all(each["reason"] == REASON and each["worker"].startswith(f"{HOST}:") for each in evidence)
    assert all(len(each["scores"]) == 4 for each in evidence)
    check_goes_on(event)


@pytest.mark.parametrize(("reason", "missing"), [(ORGANISER, 0), ("HOST_OVERLOAD", GAMES // BOARDS)])
def test_only_faults_of_the_arena_make_a_block_missing(event: Event, tmp_path: Path, reason: str, missing: int) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "arena.db").write_bytes((event.data / "arena.db").read_bytes())
    with Store.open(data, create=False) as store:
        tournament = store.tournament(NAME)
        assert tournament is not None
        block = min(store.keys(tournament.id))
        for attempt in range(2, MAX_ATTEMPTS + 2):
            store.void_block(tournament.id, Void(block, attempt, reason, ("random", "basic")))
        progress = Progress(stored_schedule(tournament).totals())
        ledger = Ledger(store, tournament.id, GAMES // BOARDS, progress)
        assert ledger.attempts[Block.of(block)] == MAX_ATTEMPTS + 1
        assert (len(ledger.missing), progress.missing) == (missing, missing)


def test_findings_of_one_machine_have_nothing_to_compare(event: Event) -> None:
    with Store.open(event.data, create=False) as store:
        tournament = store.tournament(NAME)
        assert tournament is not None
        assert findings(store, tournament) == [Finding(HOST, GAMES, None, None, None, None, ())]
