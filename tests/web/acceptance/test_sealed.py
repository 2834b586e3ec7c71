"""What is sealed is nowhere: two sites that differ in unseen cards alone answer with the same bytes, page by page."""

from __future__ import annotations

import io
import re
import shutil
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx2
import pytest
from record.compare.boards import a_game
from secrecy.worlds import Match, World, random_world, twin
from web.acceptance.crawling import Answer, walk
from web.acceptance.life import a_cup
from web.live.running import Running

from arena.core.chance import Chance
from arena.record.results import GameResult, Verdict
from arena.record.settle import settle
from arena.record.transcript import played, to_data, written
from arena.store.codec import packed
from arena.store.values import State
from arena.web.site import Settings, Site

pytestmark = pytest.mark.xdist_group("acceptance")
EVENTS = {"crowsnest": 11, "goat": 12, "crow_and_pitcher": 13}
"""Event, called as its game -> the number of the match that is dealt on its sealed board."""
BOTS = ("fox", "owl", "elk", "hare")
OPENED, SEALED = 1, 2
TURN = 9
CHANGING = re.compile(
    rb'data-version="\d+"|"(?:version|instance)": ?"?\w+"?|[?&;]v=\w+|<p class="dim">request \w+</p>|"request":"\w+"'
)
"""What differs between any two servers."""
FOLLOWED = re.compile("(?!.*sort=)/(t|g|bot|bots|embed|search)(/|[?]|$)")
Served = Callable[[Site], str]


def told(world: World, public: str, bots: tuple[str, ...]) -> dict[str, Any]:
    """A world as the transcript of a game that is over."""
    game, state, moves = world.game, world.game.start(world.board), []
    for seat, move, note in zip(world.seats, world.moves, world.notes, strict=True):
        moves.append(played(game, seat, move, game.view(state, seat), 20.0)._replace(note=note))
        state = game.apply(state, move)
    result = GameResult(Verdict.FINISHED, *settle(game, state, ()), (), ())
    return to_data(written(game, state, moves, result, public_id=public, bots=bots))


def deal(folder: Path, worlds: dict[str, World]) -> None:
    """Put a world of each event on its sealed board: the cards of the one game on it that is stored are those."""
    with closing(sqlite3.connect(folder / "arena.db")) as raw, raw:
        for event, world in worlds.items():
            query = "SELECT id, bots FROM game WHERE public_id = ?"
            public = f"{event}-r1-b{SEALED}-t1-1"
            number, bots = raw.execute(query, (public,)).fetchone()
            names = tuple(re.findall(r"\w+", bots))
            data = packed(told(world, public, names))
            changed = raw.execute("UPDATE transcript SET data = ? WHERE game_id = ?", (data, number))
            assert changed.rowcount == 1


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory, served: Served) -> tuple[list[Answer], list[Answer], list[str]]:
    """What both sites say to a visitor, and what their streams say."""
    folder = tmp_path_factory.mktemp("worlds")
    one, other = folder / "one", folder / "other"
    matches = {event: random_world(a_game(event), number) for event, number in EVENTS.items()}
    site = Site.open(Settings(one, one))
    for event, match in matches.items():
        game = match.world.game
        bots = BOTS[: max(2, len(game.sides))]
        a_cup(site, event, event, bots, boards=2, leave=1, state=State.RUNNING)
    site.store.close()
    shutil.copytree(one, other)
    deal(one, {event: match.world for event, match in matches.items()})
    deal(other, {event: elsewhere(match, len(match.spots) - 1) for event, match in matches.items()})
    found, streams = [], []
    for place, later in ((one, False), (other, True)):
        running = [live(place, event, match, later=later) for event, match in matches.items()]
        address = served(Site.open(Settings(place, place)))
        start = [page for event in EVENTS for page in starts(event)]
        with httpx2.Client(base_url=address, timeout=30) as client:
            found.append(list(walk(client, ["/", *start], 1, FOLLOWED)))
            streams.append(first_of_stream(client))
        for each in running:
            each.end()
    return found[0], found[1], streams


def elsewhere(match: Match, position: int) -> World:
    """A world that a spectator cannot tell from a match until a position."""
    return twin(match, None, position, Chance(b"elsewhere", position))


def live(folder: Path, event: str, match: Match, *, later: bool) -> Running:
    """The last game of an event, which runs: its hands are those of the match, or lie elsewhere."""
    seating = 2 if len(match.world.game.sides) == 2 else match.world.game.seats
    world = elsewhere(match, TURN) if later else match.world
    running = Running(folder, f"{event}-r1-b{SEALED}-t1-{seating}", world=world)
    running.move(TURN)
    return running


def starts(event: str) -> list[str]:
    game, board = f"/g/{event}-r1-b{SEALED}-t1-1", f"/t/{event}/b/{SEALED}"
    running = f"/g/{event}-r1-b{SEALED}-t1-2" if event != "crow_and_pitcher" else f"/g/{event}-r1-b{SEALED}-t1-4"
    opened = f"/t/{event}/b/{OPENED}"
    pages = [
        game,
        running,
        opened,
        board,
        f"{board}.json",
        f"{board}.csv",
        f"/t/{event}.json",
        f"/t/{event}/files/results.jsonl",
    ]
    pages += [f"{each}?turn=3" for each in (game, running)]
    return [*pages, *(f"{game}/{file}" for file in ("game.json", "game.txt", "position.svg", "export.html"))]


def first_of_stream(client: httpx2.Client) -> str:
    """What a stream of all parts says at first."""
    parts = ["home", "running", *(f"tournament:{event}" for event in EVENTS)]
    parts += [f"game:{event}-r1-b{SEALED}-t1-{number}" for event in EVENTS for number in (1, 2)]
    said: list[str] = []
    with client.stream("GET", f"/events?parts={','.join(parts)}") as answer:
        for line in answer.iter_lines():
            said.append(line)
            if sum(each.startswith("event: part") for each in said) == len(parts) and not line:
                break
    return "\n".join(said)


def test_unseen_cards_change_no_byte_of_any_answer(answers: tuple[list[Answer], list[Answer], list[str]]) -> None:
    one, other, _ = answers
    assert [each.url for each in one] == [each.url for each in other]
    assert len(one) > 80
    for mine, yours in zip(one, other, strict=True):
        assert mine.status == yours.status, mine.url
        assert said(mine) == said(yours), mine.url
        assert dict(mine.headers, **ANY) == dict(yours.headers, **ANY), mine.url


def said(answer: Answer) -> list[bytes]:
    """What is read: of an archive the names and contents of its files, without the time of its making."""
    if answer.type == "application/zip":
        archive = zipfile.ZipFile(io.BytesIO(answer.body))
        return [each for info in archive.infolist() for each in (info.filename.encode(), archive.read(info))]
    return [CHANGING.sub(b"", answer.body)]


ANY = {"x-request-id": "", "date": "", "etag": "", "last-modified": "", "content-length": ""}


def test_what_is_sealed_is_looked_at(answers: tuple[list[Answer], list[Answer], list[str]]) -> None:
    by_url = {each.url: each for each in answers[0]}
    for event in EVENTS:
        game = f"/g/{event}-r1-b{SEALED}-t1-1"
        assert by_url[game].status == 200
        assert "sealed" in by_url[game].text
        for file in ("game.json", "game.txt", "position.svg", "export.html"):
            assert by_url[f"{game}/{file}"].status == 403
        assert by_url[f"/t/{event}/b/{SEALED}"].status == 200
        assert by_url[f"/t/{event}/b/{OPENED}"].status == 200


def test_streams_say_the_same(answers: tuple[list[Answer], list[Answer], list[str]]) -> None:
    one, other = [CHANGING.sub(b"", said.encode()) for said in answers[2]]
    assert one == other
    assert one.count(b"event: part") == 2 + 3 * len(EVENTS)


def test_the_worlds_differ() -> None:
    for event, number in EVENTS.items():
        match = random_world(a_game(event), number)
        one, other = match.world, elsewhere(match, TURN)
        game = match.world.game
        dealt = [game.deal_data(game.deals(game.start(world.board))[0]) for world in (one, other)]
        assert dealt[0]["hands"] != dealt[1]["hands"]
        over = elsewhere(match, len(match.spots) - 1)
        assert told(one, "x", BOTS)["moves"] != told(over, "x", BOTS)["moves"], "notes differ at least"
