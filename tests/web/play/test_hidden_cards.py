"""Nothing hidden reaches a seat: tables that differ in unseen cards alone answer with the same bytes, in all phases."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from secrecy.worlds import Match, World, random_world, twin

from arena.bots.manifest import find_bot
from arena.core.chance import Chance
from arena.core.game import AnyGame, Seat
from arena.games import make
from arena.match.referee import MoveRecord
from arena.runner.sittings import HumanPlayer, Plan, Seating, Step
from arena.store.sittings import hash_of
from arena.web.app import create_app
from arena.web.play.seen import eyes_of, position
from arena.web.play.tables import tables_of
from arena.web.site import Settings, Site

KEY = "key"
CHANGING = re.compile(rb"[?&;]v=\w+")
MATCHES = {"crowsnest": 4, "goat": 7, "asked before": 9, "three seats": 2}
"""Game -> the match that is looked at. It has the phases of the game in it."""
PHASES = {
    "crowsnest": {"auction", "discard", "trump", "play"},
    "goat": {"lead", "answer"},
    "asked before": {"ask", "lead", "answer"},
    "three seats": {"play"},
}


def game_of(name: str) -> AnyGame:
    if name == "asked before":
        return make("goat", {"molodka": "before_trick"}).single_deal()
    if name == "three seats":
        return make("crow_and_pitcher", {"players": 3, "rounds": 1})
    return make(name).single_deal()


def seating_of(world: World, viewer: Seat, until: int, public_id: str = "play-hidden") -> Seating:
    """A table at which a world was played until a position; the person sits in a seat."""
    game, state = world.game, world.game.start(world.board)
    bots = tuple(None if seat == viewer else find_bot("basic") for seat in range(game.seats))
    seating = Seating(Plan(public_id, game, bots, bytes(32)), HumanPlayer(), hash_of(KEY), "running")
    seating.steps.append(Step(state, None))
    for seat, move in zip(world.seats[:until], world.moves[:until], strict=True):
        record = MoveRecord(seat, move, game.view(state, seat), 0.0)
        state = game.apply(state, move)
        seating.steps.append(Step(state, record))
    return seating


@pytest.fixture(scope="module")
def clients(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[tuple[TestClient, Site]]]:
    """Two servers."""
    with ExitStack() as stack:
        made = []
        for name in ("one", "other"):
            folder: Path = tmp_path_factory.mktemp(name)
            site = Site.open(Settings(folder, folder))
            client = TestClient(create_app(site), base_url="http://127.0.0.1")
            made.append((stack.enter_context(client), site))
        yield made


def answers(client: TestClient, site: Site, seating: Seating, key: str, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What a server with this table says to the holder of a key."""
    where = f"/g/{seating.plan.id}"
    monkeypatch.setattr(tables_of(site), "running", {seating.plan.id: seating}.get)
    last, headers = len(seating.steps) - 1, {"cookie": f"seat_key={key}", "accept": "application/json"}
    said = [client.get(f"{where}/steps?after={max(-1, last - 3)}", headers=headers)]
    said.append(client.get(where, headers={"cookie": f"seat_key={key}"}))
    said.append(client.get(f"{where}?text=1", headers={"cookie": f"seat_key={key}"}))
    if key:
        moved = {"turn": last, "move": "nonsense", "after": last - 1}
        said.append(client.post(f"{where}/move", json=moved, headers=headers))
    assert [each.status_code for each in said] == [200] * len(said)
    return [CHANGING.sub(b"", each.content) for each in said]


def kind_at(match: Match, at: int) -> str:
    """What the seat to move has to do at a position."""
    game, spot = match.world.game, match.spots[at]
    assert spot.seat is not None
    seating = seating_of(match.world, spot.seat, at)
    choice = position(seating.steps, at, eyes_of(seating.plan, spot.seat))["choice"]
    assert choice is not None, game.id
    return str(choice["kind"])


def looked_at(match: Match) -> list[tuple[int, str]]:
    """Positions with their kinds: the first two of each kind, and every ninth."""
    turns = [at for at, spot in enumerate(match.spots) if spot.seat is not None]
    kinds = [(at, kind_at(match, at)) for at in turns]
    found, seen = [], dict.fromkeys((kind for _, kind in kinds), 0)
    for place, (at, kind) in enumerate(kinds):
        seen[kind] += 1
        if seen[kind] <= 2 or place % 9 == 0 or place == len(kinds) - 1:
            found.append((at, kind))
    return found


@pytest.mark.parametrize("name", MATCHES)
def test_two_tables_that_differ_in_unseen_cards_are_told_in_the_same_bytes(
    clients: list[tuple[TestClient, Site]], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    match = random_world(game_of(name), MATCHES[name])
    seats, kinds = match.world.game.seats, set()
    for at, kind in looked_at(match):
        kinds.add(kind)
        mover = match.spots[at].seat
        assert mover is not None
        other = (mover + 1 + at % (seats - 1)) % seats
        for viewer, key in ((mover, KEY), (other, KEY) if at % 3 else (mover, "")):
            hidden = twin(match, viewer if key else None, at, Chance(b"hidden", at))
            public_id = f"play-{name[:3]}{at}{viewer}{key}"
            told = [
                answers(client, site, seating_of(world, viewer, at, public_id), key, monkeypatch)
                for (client, site), world in zip(clients, (match.world, hidden), strict=True)
            ]
            assert told[0] == told[1], (kind, at, viewer, key)
    assert kinds == PHASES[name]


def test_the_worlds_of_these_tests_do_differ() -> None:
    for name, number in MATCHES.items():
        match = random_world(game_of(name), number)
        at = len(match.spots) // 2
        viewer = match.spots[at].seat
        assert viewer is not None
        one, other = (
            seating_of(world, viewer, at) for world in (match.world, twin(match, viewer, at, Chance(b"hidden", at)))
        )
        assert one.steps[-1].state != other.steps[-1].state
