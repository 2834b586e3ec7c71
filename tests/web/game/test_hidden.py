"""Who hides results is told nothing of what follows the turn that is shown, until asking for the end."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import pytest
from fastapi.testclient import TestClient
from record.compare.boards import a_game, a_table, random_table, throwing
from web.game.cups import FAMILIES, filled, first_of, opened

from arena.core.moves import Legal, LegalList, Move
from arena.record.compare import Told
from arena.record.replay import replay
from arena.record.transcript import to_data
from arena.store.values import StoredGame
from arena.web.app import create_app
from arena.web.site import Site

GAMES = {family: first_of(family) for family in FAMILIES}
EYES = ("all", "1")


class World(NamedTuple):
    """A site, asked by somebody who hides results."""

    client: TestClient
    site: Site


@cache
def two(family: str) -> tuple[Told, Told, int]:
    """Two games with the same cards, and the turn at which they part, in the middle of the one."""
    game = a_game(family)
    one = random_table(game, "one")
    seen = list(replay(one.transcript))
    parts = next(
        spot.number for spot in seen[len(seen) // 2 :] if isinstance(spot.legal, LegalList) and spot.legal.total() > 1
    )
    throw = throwing(parts)

    def override(turn: int, seat: int, state: Any, legal: Legal, chosen: Move) -> Move:
        if turn > parts:
            return chosen
        return throw(turn, seat, state, legal, game.notation.parse(one.transcript.moves[turn].move))

    return one, a_table(game, "other", override=override), parts


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[World, World]]:
    """Two sites that differ in how the first game of each family went on."""

    def changed(place: int) -> Callable[[StoredGame], StoredGame]:
        def change(game: StoredGame) -> StoredGame:
            told = game.result.transcript
            family = str(told["public_id"]).partition("-")[0]
            if told["public_id"] != GAMES[family]:
                return game
            table = two(family)[place]
            transcript = replace(table.transcript, public_id=GAMES[family], bots=game.bots)
            result = replace(
                game.result,
                scores=transcript.scores, ranks=transcript.ranks, tiebreaks=transcript.tiebreaks,
                transcript=to_data(transcript),
            )  # fmt: skip
            return replace(game, result=result)

        return change

    with ExitStack() as stack:
        made = []
        for place in (0, 1):
            site = filled(tmp_path_factory.mktemp("hidden"), change=changed(place))
            client = stack.enter_context(TestClient(create_app(site), base_url="http://127.0.0.1"))
            client.cookies.set("hide_results", "1")
            made.append(World(client, site))
        yield made[0], made[1]


def main_of(page: str) -> str:
    """A page without what stands around it."""
    return page[page.index("<main") : page.index("</main>")]


@pytest.mark.parametrize("family", FAMILIES)
def test_no_byte_depends_on_what_follows(worlds: tuple[World, World], family: str) -> None:
    *_, parts = two(family)
    for turn in (3, parts - 1):
        for eyes in EYES:
            for query in (f"?turn={turn}&seat={eyes}{more}" for more in ("", "&text=1", "&part=position", "&ask=1")):
                one, other = (world.client.get(f"/g/{GAMES[family]}{query}") for world in worlds)
                assert (one.status_code, one.text) == (200, other.text), query
    one, other = (world.client.get(f"/g/{GAMES[family]}?turn={parts}") for world in worlds)
    assert one.text != other.text, "there they part"


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_over_by_then_is_told(worlds: tuple[World, World], family: str) -> None:
    world = worlds[0]
    _found, game = opened(world.site, GAMES[family])
    turn = game.units[-2].first
    text = world.client.get(f"/g/{GAMES[family]}?turn={turn}").text
    data = json.loads(re.search(r"data-replay>(.*?)</script>", text)[1])  # type: ignore[index]
    assert data["last"] is None
    assert data["units"][:-1] == [[unit.first, unit.last] for unit in game.units[:-2]]
    assert data["movers"] == list(game.movers[: turn + 1])
    assert "what follows is hidden" in text
    assert max(map(int, re.findall(r'data-turn="(\d+)"', text))) == turn + 1
    assert f'max="{turn}"' in text
    assert ("g-outcome" in text) == any(any(unit.points) for unit in game.units[:-2])


@pytest.mark.parametrize("family", FAMILIES)
def test_the_end_asks_and_then_all_is_told(worlds: tuple[World, World], family: str) -> None:
    client, address = worlds[0].client, f"/g/{GAMES[family]}"
    _found, game = opened(worlds[0].site, GAMES[family])
    before = client.get(f"{address}?turn={game.last - 1}").text
    assert "data-ask>" in before
    for beyond in (game.last, game.last + 7):
        text = client.get(f"{address}?turn={beyond}").text
        assert main_of(text) == main_of(before).replace("data-ask>", "data-ask open>")
        assert "Result:" not in client.get(f"{address}?turn={beyond}&text=1").text
    assert "Show the end" in client.get(f"{address}?turn={game.last}&text=1").text
    [link] = set(re.findall(r'href="(\?end=1&amp;seat=all)"', before))
    end = client.get(address + link.replace("&amp;", "&")).text
    assert "Result:" in end
    assert f"turn <b data-count>{game.last}</b> of {game.last}" in end
    links = re.findall(r'href="(\?turn=[^"]*)"', end)
    assert links
    assert all(each.endswith("&amp;end=1") for each in links if "text=1" not in each)
    assert "Result:" in client.get(f"{address}?turn=2&end=1").text
    client.cookies.clear()
    plain = client.get(f"{address}?turn=2&end=1").text
    assert main_of(plain) == main_of(client.get(f"{address}?turn=2").text), "to others it says nothing"
    client.cookies.set("hide_results", "1")


def test_files_are_the_same_for_everybody(worlds: tuple[World, World]) -> None:
    client, address = worlds[0].client, f"/g/{GAMES['goat']}"
    hidden = client.get(f"{address}/export.html").text
    client.cookies.clear()
    assert client.get(f"{address}/export.html").text == hidden
    client.cookies.set("hide_results", "1")
    assert "Result:" in hidden
    assert "Files tell the result." in client.get(address).text
