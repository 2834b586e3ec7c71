"""A whole tournament with bots that write down all they are sent: what is never on the wire, in whatever form."""

from __future__ import annotations

import base64
import itertools
import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from arena_bot.v1 import arena_pb2 as pb
from secrecy.cups import CUPS, NAMES

from arena.core.chance import board_seed, bot_seed
from arena.games import make
from arena.store.store import Store

pytestmark = pytest.mark.xdist_group("recorded")


class Process(NamedTuple):
    """What one process of a recorder was sent."""

    log: str
    token: str
    frames: list[bytes]

    def events(self, kind: str) -> list[Any]:
        found = [event for frame in self.frames for event in pb.ArenaFrame.FromString(frame).events]
        return [getattr(event, kind) for event in found if event.HasField(kind)]


def processes(recorded: Path, cup: str) -> list[Process]:
    found = []
    for log in sorted((recorded / ".arena" / "logs" / cup).glob("*.log")):
        lines = [line.split(" ", 1) for line in log.read_text(errors="replace").splitlines() if " " in line]
        frames = [base64.b64decode(rest) for what, rest in lines if what == "frame"]
        if frames:
            found.append(Process(log.stem, dict(lines)["token"], frames))
    return found


@pytest.mark.parametrize("cup", CUPS)
def test_no_name_number_secret_or_note_is_on_the_wire(recorded: Path, cup: str) -> None:
    heard = processes(recorded, cup)
    assert len(heard) >= 6
    with Store.open(recorded / ".arena") as store:
        tournament = store.tournament(cup)
        assert tournament is not None
        games = store.games(cup, limit=None)
        secret = tournament.secret
        never = [*NAMES, cup, secret, tournament.secret_hash, "note of", "arena_house", str(recorded)]
        never += [info.public_id for info in games]
        never += [entrant.version[:12] for entrant in tournament.entrants]
        seeds = [board_seed(secret, tournament.game, tournament.ruleset, board) for board in (1, 2, 3)]
    never += seeds + [seed[at : at + 8] for seed in (secret, *seeds) for at in range(0, 32, 8)]
    never += [process.token for process in heard]
    forbidden = set(forms(never))
    for process in heard:
        wire = b"".join(process.frames)
        assert [word for word in forbidden if word in wire] == []
        assert not re.search(rb"r\d+-b\d+|-t\d+-\d|board", wire)


def forms(words: list[Any]) -> list[bytes]:
    """Texts as bytes; bytes as they are, reversed (numbers are written from their low end), in hex and base64."""
    found = []
    for word in words:
        if isinstance(word, str):
            found += [word.encode(), word.encode()[::-1]]
        else:
            number = str(int.from_bytes(word, "big")).encode()
            found += [word, word[::-1], word.hex().encode(), base64.b64encode(word).rstrip(b"="), number]
    return found


@pytest.mark.parametrize("cup", CUPS)
def test_games_count_from_one_on_each_connection_and_the_rest_is_the_same_for_all(recorded: Path, cup: str) -> None:
    heard = processes(recorded, cup)
    with Store.open(recorded / ".arena") as store:
        tournament = store.tournament(cup)
        assert tournament is not None
    game = make(tournament.game, json.loads(tournament.ruleset))
    allowed = {
        bot_seed(board_seed(tournament.secret, game.id, game.describe(), board), seat): seat
        for board, seat in itertools.product((1, 2, 3), range(game.seats))
    }
    starts = [process.events("game_start") for process in heard]
    assert len({process.frames[0] for process in heard}) == 1, "the welcome says nothing of who is welcomed"
    for begun, process in zip(starts, heard, strict=True):
        assert [start.game for start in begun] == list(range(1, len(begun) + 1))
        assert all(allowed[start.seed] == start.seat for start in begun)
        assert len(process.events("game_over")) == len(begun)
        assert {goodbye.reason for goodbye in process.events("goodbye")} <= {"done"}
        assert all(rejected.reason.startswith("ILLEGAL: choice -1 of ") for rejected in process.events("rejected"))
    bare = {
        (start.ruleset, start.seats, str(start.clock), str(sorted(start.options.items())))
        for begun in starts
        for start in begun
    }
    assert len(bare) == 1


def test_the_recorders_saw_whole_games_and_faults(recorded: Path) -> None:
    heard = [process for cup in CUPS for process in processes(recorded, cup)]
    assert sum(len(process.events("turn")) for process in heard) > 200
    assert sum(len(process.events("rejected")) for process in heard) > 2


def test_what_is_sought_would_be_found() -> None:
    seed = bytes(range(200, 232))
    words = forms([*NAMES, seed, seed[8:16]])
    for frame in (
        pb.ArenaFrame(events=[pb.ArenaEvent(game_start=pb.GameStart(ruleset="crowsnest basic"))]),
        pb.ArenaFrame(events=[pb.ArenaEvent(goodbye=pb.Goodbye(reason=seed.hex()))]),
        pb.ArenaFrame(events=[pb.ArenaEvent(rejected=pb.Rejected(reason=f"{int.from_bytes(seed[8:16], 'big')}"))]),
    ):
        assert any(word in frame.SerializeToString() for word in words)
