"""Games on a worker with a data folder of its own are shown by the coordinator while they run, move by move."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from cluster.machines import Machines, machines
from runner.bouts import DEADLINE_S, faulty, house, task

from arena.record import transcript
from arena.record.replay import game_of, replay
from arena.runner.bout import BoutTask
from arena.runner.cluster.connect import Keys, connected, quiet
from arena.runner.cluster.crew import ClusterCrew
from arena.runner.cluster.mirror import Mirror
from arena.runner.crew import Missing, Stop
from arena.runner.spectating import telling
from arena.runner.spectating.room import told
from arena.store.values import StoredGame, public_id

PAUSES = 3
EVENT = "spring"


class Table:
    """A bout of one game, of which one bot waits in its first few turns until the test lets it go on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.waits = folder / "waits"
        # Before the arena takes it for silent, it goes on by itself.
        pause = f"touch {self.waits}; for i in $(seq 1000); do [ -e {self.waits} ] || break; sleep 0.02; done"
        slow = faulty({"1": ["do:os.system", PAUSES], "told": pause}, name="slow")
        bots = {"slow": slow, "basic": house("basic")}
        self.task: BoutTask = task(bots, boards=1, event=EVENT, live=str(folder / "live" / EVENT))

    def shown(self) -> dict[str, bytes]:
        """What is shown now, by public id."""
        found = {}
        for each in told(self.folder / "live"):
            with suppress(FileNotFoundError):
                found[each.public_id] = each.file.read_bytes()
        return found

    async def grown(self, before: bytes) -> bytes:
        """Wait until more is shown of the game than before, while the bot waits."""
        while True:
            [text] = self.shown().values() or [b""]
            if self.waits.exists() and len(text) > len(before):
                assert text.startswith(before)
                return text
            await asyncio.sleep(0.02)


async def played(cluster: Machines, table: Table, look: Callable[[], Any]) -> StoredGame:
    """Play the bout, and look on beside it. Any: a coroutine."""
    quiet()
    async with connected(cluster.address, Keys(), 30) as client, asyncio.timeout(2 * DEADLINE_S):
        crew = ClusterCrew(client, Stop(), shelter="none")
        looking = asyncio.ensure_future(look())
        games = []
        try:
            async for event in crew.play(iter([table.task])):
                assert not isinstance(event, Missing), event.error
                games.append(event)
        finally:
            looking.cancel()
            await asyncio.wait({looking})
    if not looking.cancelled():
        looking.result()
    [game] = games
    assert not game.result.faults
    return game


def check(lines: list[bytes], game: StoredGame) -> None:
    """What was shown is the beginning of the game that is stored."""
    record = transcript.from_data(game.result.transcript)
    rules = game_of(record)
    heading, *positions = [json.loads(line) for line in lines]
    assert heading["id"] == public_id(EVENT, game.key) == record.public_id
    assert heading["names"] == list(game.bots)
    states = list(replay(record))
    assert len(positions) <= len(states)
    for number, (position, shown) in enumerate(zip(states, positions, strict=False)):
        expected = json.loads(telling.line(telling.seen(rules, position.state)))
        assert (shown["next"], shown["view"]) == (expected["next"], expected["view"])
        if number:
            before = states[number - 1]
            assert before.move is not None
            assert (shown["seat"], shown["move"]) == (before.seat, telling.public_text(rules, before.move))


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers of a test are on the same machine: they are shown no folder by which they would know it."""
    monkeypatch.setattr(Mirror, "sign", lambda _mirror, live: f"{live}/of another machine")


def files_of(folder: Path) -> list[Path]:
    return [each for each in (folder / "live").rglob("*") if each.is_file()]


def test_a_game_elsewhere_is_shown_as_it_grows(tmp_path: Path) -> None:
    with machines("ada") as cluster:
        table = Table(tmp_path)
        texts: list[bytes] = [b""]

        async def look() -> None:
            for _ in range(PAUSES):
                texts.append(await table.grown(texts[-1]))
                assert files_of(cluster.folder / "ada"), "the worker tells in a folder of its own"
                table.waits.unlink()

        game = asyncio.run(played(cluster, table, look))
        assert len(texts) == 1 + PAUSES
        check(texts[-1].splitlines(), game)
        assert game.worker == "ada"
        assert list((tmp_path / "live" / EVENT).iterdir()) == []
        assert list((cluster.folder / "ada" / "live").iterdir()) == []


@pytest.mark.long
def test_a_game_whose_worker_is_killed_is_shown_anew_from_another(tmp_path: Path) -> None:
    with machines("ada") as cluster:
        table = Table(tmp_path)
        texts: list[bytes] = []

        async def look() -> None:
            first = await table.grown(b"")
            [old] = [each.file for each in told(tmp_path / "live")]
            for process in reversed(cluster.workers["ada"].below()):
                with suppress(psutil.NoSuchProcess):
                    process.kill()
            await asyncio.to_thread(cluster.workers["ada"].process.wait, DEADLINE_S)
            table.waits.unlink(missing_ok=True)
            cluster.worker("ada")
            while [each.file for each in told(tmp_path / "live")] in ([], [old]):
                await asyncio.sleep(0.02)
            assert not old.exists()
            texts.extend((first, await table.grown(b"")))
            while True:
                table.waits.unlink(missing_ok=True)
                await asyncio.sleep(0.1)

        game = asyncio.run(played(cluster, table, look))
        assert len(texts) == 2
        for text in texts:
            check(text.splitlines(), game)
        assert files_of(tmp_path) == []
        assert files_of(cluster.folder / "ada") == [], "what the dead one left was swept"
