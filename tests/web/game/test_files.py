"""What may be had of a game and what may not: files, sealed, void, failed and removed games, frames in other pages."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from arena_bot.v1 import arena_pb2 as pb
from fastapi.testclient import TestClient
from google.protobuf.json_format import ParseDict
from record.compare.boards import a_game, random_table
from web.game.cups import FAMILIES, HOSTILE, THROWN, filled, first_of, games_of, opened

from arena.games import catalog
from arena.match.player import Turn
from arena.record.replay import game_of, replay
from arena.record.results import GameResult, Verdict
from arena.record.transcript import from_data, from_json, to_data
from arena.store.values import State, StoredGame, Void
from arena.web.app import create_app
from arena.web.games import exporting, stored
from arena.web.games.exporting import Exports
from arena.web.games.message import message_text, turn_message
from arena.web.games.source import Open, find
from arena.web.site import Site
from arena.web.viewer import Viewer
from arena.wire.session import Session
from arena.wire.views import ENCODERS

FILES = ("game.arena", "game.json", "game.txt", "position.svg", "export.html")
Asked = Callable[..., TestClient]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return filled(tmp_path_factory.mktemp("files"), ["crowsnest"])


@pytest.fixture(scope="module")
def client(site: Site) -> Iterator[TestClient]:
    with TestClient(create_app(site), base_url="http://127.0.0.1") as client:
        yield client


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[Asked]:
    """Asks a site of its own: `asked(families, leave=1, ...)`, options as of `filled`."""
    opened_ones: list[TestClient] = []

    def ask(
        families: tuple[str, ...] = ("goat",), then: Callable[[Site], object] = lambda _site: None, **how: Any
    ) -> TestClient:
        site = filled(tmp_path / str(len(opened_ones)), families, **how)
        then(site)
        client = TestClient(create_app(site), base_url="http://127.0.0.1")
        client.__enter__()
        opened_ones.append(client)
        return client

    yield ask
    for each in opened_ones:
        each.__exit__(None, None, None)


def test_few_files_are_written_at_a_time_and_the_last_ones_are_kept(
    client: TestClient, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exporting, "MOST", 1)
    monkeypatch.setitem(site.services, Exports, Exports())
    asked: list[int] = []

    def slow(*_: object, **_by_name: object) -> str:
        asked.append(
            client.get(f"/g/{first_of('crowsnest')}/export.html", headers={"accept": "application/json"}).status_code
        )
        return "written"

    monkeypatch.setattr(exporting, "export", slow)
    assert [client.get(f"/g/{THROWN}/export.html").text for _ in range(2)] == ["written", "written"]
    assert asked == [409]


@pytest.mark.parametrize("seat", ["0009", "4", "-1", "00", "\N{ARABIC-INDIC DIGIT ONE}"])
def test_a_seat_that_there_is_not_is_not_found(client: TestClient, seat: str) -> None:
    for path in (f"/g/{THROWN}", f"/g/{THROWN}/position.svg", f"/embed/g/{THROWN}"):
        assert client.get(path, params={"seat": seat}).status_code == 404


def test_files_of_a_game(client: TestClient, site: Site) -> None:
    found, _replay = opened(site, THROWN)
    answers = {name: client.get(f"/g/{THROWN}/{name}") for name in FILES}
    assert {answer.status_code for answer in answers.values()} == {200}
    transcript = from_json(answers["game.arena"].content)
    assert transcript == replace(
        found.transcript, moves=tuple(move._replace(note="") for move in found.transcript.moves)
    )
    assert answers["game.json"].json() == {"schema": "arena.replay/1", "data": to_data(transcript)}
    assert "final" in answers["game.txt"].text
    assert ElementTree.fromstring(answers["position.svg"].text).tag.endswith("svg")
    for name, answer in answers.items():
        assert "alert(1)" not in answer.text, name
    page = client.get(f"/g/{THROWN}").text
    for name in FILES:
        assert f"/g/{THROWN}/{name}" in page


@pytest.mark.parametrize("family", FAMILIES)
def test_the_exact_message_is_the_one_that_was_sent(family: str) -> None:
    """All turns of a game through a session, as bots get them: equal but for the game's number and the time."""
    transcript = from_data(dict(games_of(family)[0].result.transcript))
    game = game_of(transcript)

    async def sent() -> list[pb.Turn]:
        session = Session(1, lambda: 0.0)
        number = session.open_game()
        found = []
        for position in replay(transcript):
            if position.legal is None or position.seat is None:
                continue
            turn = Turn(position.number, position.seat, position.view, position.legal, 5000.0, 9000.0)
            asked = session.ask(number, turn, ENCODERS[catalog()[game.id].family])
            frame = pb.ArenaFrame.FromString(await session.next_frame() or b"")
            found.append(frame.events[-1].turn)
            asked.cancel()
        return found

    messages = asyncio.run(sent())
    assert len(messages) == len(transcript.moves)
    for position, message in zip(replay(transcript), messages, strict=False):
        for name in ("game", "limit_ms", "bank_ms"):
            assert message.HasField(name) if name != "game" else message.game == 1
            message.ClearField(name)  # type: ignore[arg-type]
        assert turn_message(transcript, position).SerializeToString() == message.SerializeToString()
        told = ParseDict(json.loads(message_text(transcript, position)), pb.Turn())
        assert told == message


def test_a_sealed_game_says_nothing_of_its_cards(asked: Asked) -> None:
    one = asked(leave=2, state=State.RUNNING)
    two = asked(leave=2, state=State.RUNNING, change=_other_cards)
    name = first_of("goat")
    for address in (f"/embed/g/{name}", *(f"/g/{name}/{file}" for file in FILES)):
        first, second = one.get(address), two.get(address)
        if address.endswith(FILES):
            assert first.status_code == 403
        else:
            assert first.status_code == 200
            assert "sealed until all its 6 games are done (2 to go)" in first.text
            assert "#card-" not in first.text
        assert _without_ids(first.text) == _without_ids(second.text)
    assert f"/g/{name}/export.html" not in one.get(f"/g/{name}").text


def _other_cards(game: StoredGame) -> StoredGame:
    """The same result with other cards."""
    rules = a_game("goat")
    table = random_table(rules, "x", board=77)
    transcript = {**to_data(table.transcript), "public_id": game.result.transcript["public_id"]}
    return replace(game, result=replace(game.result, transcript=transcript))


def _without_ids(text: str) -> str:
    return re.sub(r"\b[0-9a-f]{12}\b", "", text)


def test_void_failed_and_removed_games_say_why(asked: Asked) -> None:
    game = games_of("goat")[0]
    name = first_of("goat")

    def void(site: Site) -> None:
        tournament = site.store.tournament("goat")
        assert tournament is not None
        site.store.void_block(tournament.id, Void(game.key, 1, "LAG", game.bots, {}))

    answer = asked(then=void, state=State.RUNNING).get(f"/g/{name}")
    assert answer.status_code == 200
    assert "counts for nobody; it will be played again" in answer.text
    assert "LAG" in answer.text
    assert "/t/goat/b/1" in answer.text

    def pruned(site: Site) -> None:
        from sqlalchemy import select

        from arena.store.models import GameTable

        with site.store.database.read() as connection:
            ids = [row[0] for row in connection.execute(select(GameTable.id).where(GameTable.public_id == name))]
        site.store.prune_transcripts(ids)

    gone = asked(then=pruned)
    assert gone.get(f"/g/{name}").status_code == 410
    assert "by retention" in gone.get(f"/g/{name}").text
    for bot, score in zip(game.bots, game.result.scores, strict=True):
        assert f'<bdi>{bot}</bdi></th><td class="right">{score:g}</td>' in gone.get(f"/g/{name}").text
    assert gone.get(f"/g/{name}/game.json").status_code == 410
    assert gone.get(f"/g/{name}/game.json").json()["schema"] == "arena.error/1"

    def never_began(stored: StoredGame) -> StoredGame:
        if stored.key != game.key:
            return stored
        forfeits = tuple((seat, "NO_HELLO") for seat in range(4))
        return replace(stored, result=GameResult(Verdict.VOID, (), (), (), forfeits, (), {}, reason="NOBODY_STARTED"))

    failed = asked(change=never_began).get(f"/g/{name}")
    assert failed.status_code == 200
    assert "could not start" in failed.text
    assert "NO_HELLO" in failed.text
    assert f"/bot/{game.bots[0]}/logs?game={name}" in failed.text


def test_an_attempt_before_is_mentioned(asked: Asked) -> None:
    client = asked(change=lambda game: replace(game, attempt=2))
    assert "Attempt 2: earlier ones were void" in client.get(f"/g/{first_of('goat')}").text


def test_games_of_other_rules_keep_their_page_and_their_files(asked: Asked) -> None:
    def older(game: StoredGame) -> StoredGame:
        transcript = {**game.result.transcript, "game_version": "0", "arena": "0.0.9"}
        return replace(game, result=replace(game.result, transcript=transcript))

    client = asked(change=older)
    answer = client.get(f"/g/{first_of('goat')}")
    assert answer.status_code == 200
    assert "written by arena 0.0.9" in answer.text
    assert client.get(f"/g/{first_of('goat')}/game.arena").json()["game_version"] == "0"


def test_words_stay_sealed_while_their_processes_play_on(tmp_path: Path) -> None:
    """A board is open, another one that the same processes play is not: no notes, not even for organisers."""
    site = filled(tmp_path, ["crowsnest"], state=State.RUNNING)
    organiser = Viewer(person=1, name="ada", role="organiser")
    found = find(site, THROWN, organiser)
    assert isinstance(found, Open)
    assert any(move.note for move in found.transcript.moves)

    class Waiting(stored.RecentSeals):
        def of(self, *_: Any) -> Any:
            return self

        def sealed_with(self, _round: int, _table: int) -> frozenset[int]:
            return frozenset({2})

    site.services[stored.RecentSeals] = Waiting(site)
    found = find(site, THROWN, organiser)
    assert isinstance(found, Open)
    assert not any(move.note or move.view_key for move in found.transcript.moves)
    assert found.remarks == ("Notes and details of faults open when all tables have played board 2.",)


def test_embedded_it_is_the_same_but_for_hidden_results(client: TestClient) -> None:
    address = f"/embed/g/{THROWN}?turn=4&seat=1"
    plain = client.get(address)
    client.cookies.set("hide_results", "1")
    hidden = client.get(address)
    client.cookies.clear()
    assert 'class="up"' in plain.text
    assert 'class="up"' not in hidden.text, "the strip goes as far as the turn"
    assert "frame-ancestors *" in plain.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in client.get(f"/g/{THROWN}").headers["content-security-policy"]
    for told in ("g-decision", "g-why", "alert", "<form", "Result:"):
        assert told not in plain.text, told
    part = client.get(f"{address}&part=position")
    assert part.text.count("data-piece") == 4


def test_the_page_that_opens_files_reads_them_in_the_browser(client: TestClient) -> None:
    text = client.get("/open").text
    assert 'type="file"' in text
    assert "<form" not in text[text.index("<main") : text.index("</main>")]


def test_parts_are_light(client: TestClient) -> None:
    page = client.get(f"/g/{THROWN}?turn=8", headers={"accept-encoding": "gzip"})
    part = client.get(f"/g/{THROWN}?turn=8&part=position", headers={"accept-encoding": "gzip"})
    assert int(page.headers["content-length"]) < 40_000
    assert int(part.headers["content-length"]) < 10_000


def test_hostile_names_are_text(asked: Asked) -> None:
    hostile = "<img src=x onerror=alert(3)>"

    def renamed(game: StoredGame) -> StoredGame:
        transcript = {**game.result.transcript, "bots": [hostile, HOSTILE, *game.bots[2:]]}
        return replace(game, result=replace(game.result, transcript=transcript))

    client = asked(change=renamed)
    for address in (f"/g/{first_of('goat')}", f"/embed/g/{first_of('goat')}", f"/g/{first_of('goat')}?text=1"):
        text = client.get(address).text
        assert hostile not in text
        assert "<script>alert" not in text
        assert "&lt;img src=x onerror=alert(3)&gt;" in text
    drawn = client.get(f"/g/{first_of('goat')}/position.svg").text
    assert ElementTree.fromstring(drawn) is not None
    data = re.search(
        r"<script type=\"application/json\" data-replay>(.*?)</script>", client.get(f"/g/{first_of('goat')}").text
    )
    assert data is not None
    assert json.loads(data[1])["seats"] == 4
