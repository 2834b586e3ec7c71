"""Every position of games of all families, through all eyes: it renders, and holds nothing that they could not see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from record.games import a_transcript
from web.game.cups import FAMILIES, HOSTILE, THROWN, TURN, filled, first_of, opened, words

from arena.store.values import StoredGame
from arena.web.app import create_app
from arena.web.games.comparison import Comparisons
from arena.web.games.frames import strip_of
from arena.web.games.positions import Shown, pieces
from arena.web.games.replays import Replay, Replays
from arena.web.games.source import Open
from arena.web.site import Site
from arena.web.table import cards
from arena.web.viewer import Viewer


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Finished tournaments of all families."""
    return filled(tmp_path_factory.mktemp("games"))


@pytest.fixture(scope="module")
def client(site: Site) -> Iterator[TestClient]:
    with TestClient(create_app(site), base_url="http://127.0.0.1") as client:
        yield client


@cache
def names(family: str, game: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """What finds the full names of cards, and the cards by name."""
    known = {cards.full_name(text, family, game): text for text in cards.pack(family)}
    return re.compile(r"\b(" + "|".join(sorted(known, key=len, reverse=True)) + r")\b"), known


def told(markup: str, family: str, game: str) -> set[str]:
    """The cards that a markup shows or names."""
    found = set(re.findall(r"#card-(\w+)\"", markup))
    found |= {"ROOK"} if "CROW" in found else set()
    found |= {word for listed in re.findall(r'data-cards?="([^"]*)"', markup) for word in listed.split()}
    plain = re.sub(r"<[^>]*>", " ", markup)
    found |= set(re.findall(r"[\w-]+", plain))
    pattern, known = names(family, game)
    found |= {known[name] for name in pattern.findall(markup)}
    return found & set(cards.pack(family))


@pytest.mark.parametrize("family", FAMILIES)
def test_every_position_renders_through_all_eyes_and_shows_no_more_than_they_see(site: Site, family: str) -> None:
    found, replay = opened(site, first_of(family))
    shown = Shown(found, replay, Comparisons(site.store).of(found, replay))
    every = set(cards.pack(replay.family))
    for turn in range(replay.last + 1):
        whole = pieces(shown, turn)
        for mark, name in zip(replay.marks, replay.names, strict=True):
            assert mark in whole.table
            assert name in whole.table
        hands = {card for seat in range(replay.game.seats) for card in replay.view(turn, seat)["hand"]}
        assert hands <= told(whole.table, replay.family, replay.game.id), turn
        assert whole.moves.count("aria-current") >= 1
        mover = pieces(shown, turn, "mover")
        for seat in range(replay.game.seats):
            made = pieces(shown, turn, str(seat))
            seen = words(replay.view(turn, seat)) & every
            assert told(made.moves + made.table + made.why + made.said, replay.family, replay.game.id) <= seen, (
                turn,
                seat,
            )
            if seat != replay.at(turn).seat:
                assert told(made.decision, replay.family, replay.game.id) == set() or replay.at(turn).seat is None
                assert "g-message" not in made.decision
            else:
                assert (mover.table, mover.said) == (made.table, made.said)
                assert told(made.decision, replay.family, replay.game.id) <= seen, (turn, seat)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_page_through_a_seat_has_no_card_that_the_seat_does_not_see(
    client: TestClient, site: Site, family: str
) -> None:
    _found, replay = opened(site, first_of(family))
    for turn in (0, 5, replay.last // 2):
        seat = (replay.at(turn).seat or 0) + 1
        seat %= replay.game.seats
        text = client.get(f"/g/{first_of(family)}?turn={turn}&seat={seat}").text
        text = re.sub(r'<svg class="sprite".*?</svg>(?=\s)', "", text, flags=re.DOTALL)
        seen = words(replay.view(turn, seat))
        main = text[text.index("<main") : text.index("</main>")]
        assert told(main, replay.family, replay.game.id) <= seen, (turn, seat)


def test_why_names_cards_to_those_who_may_know_them(client: TestClient, site: Site) -> None:
    _found, replay = opened(site, THROWN)
    thrower = replay.movers[TURN]
    partner, other = (thrower + 2) % 4, (thrower + 1) % 4
    whole = client.get(f"/g/{THROWN}").text
    assert "Same cards at 5 other tables" in whole
    assert f"The largest step came at turn {TURN}: seat {replay.marks[thrower]}" in whole
    assert f"The largest step came at turn {TURN}: seat" in client.get(f"/g/{THROWN}?seat={thrower}").text
    for seat in (partner, other):
        text = client.get(f"/g/{THROWN}?seat={seat}").text
        assert f"What stands out against the other tables is turn {TURN}, of {replay.called[thrower]}" in text
        assert "The largest step" not in text
        assert f'href="?turn={TURN}&amp;seat={thrower}"' in text


def test_the_decision_says_what_was_chosen_among_what_and_what_others_did(site: Site) -> None:
    found, replay = opened(site, THROWN)
    comparison = Comparisons(site.store).of(found, replay)
    shown = Shown(found, replay, comparison)
    made = pieces(shown, 1).decision
    assert f"Turn 1: <bdi>{replay.called[replay.movers[1]]}</bdi>" in made
    assert made.count('class="chosen"') == 1
    assert replay.transcript.moves[1].move in made
    assert "other tables had the same view" in made
    assert "3 ms of 5.0 s, bank 10.0 s" in made
    assert "4000 ms of 5.0 s" in pieces(shown, 9).decision
    hidden = pieces(Shown(found, replay, comparison, results=False), 1).decision
    assert re.search(r'<td class="right">\d', hidden)
    assert not re.search(r'<td class="right">[+−]?\d+\.\d', hidden)
    assert re.search(r'<td class="right">[+−]?\d+\.\d', made)


def test_notes_are_for_those_who_may_read_them_and_do_no_harm(site: Site) -> None:
    found, replay = opened(site, THROWN)
    assert found.notes == frozenset()
    made = pieces(Shown(found, replay, notes=found.notes), 2).decision
    assert "private to the owner" in made
    assert "alert" not in made
    organiser = Viewer(person=1, name="ada", role="organiser")
    found, replay = opened(site, THROWN, organiser)
    assert found.notes == frozenset(range(4))
    made = pieces(Shown(found, replay, notes=found.notes), 2).decision
    assert HOSTILE not in made
    assert "&lt;script&gt;alert(1)" in made
    assert "<bdi>&lt;/pre&gt;" in made
    other = pieces(Shown(found, replay, notes=found.notes), 2, str((replay.movers[2] + 1) % 4))
    assert "alert" not in other.decision


def test_steps_through_a_game_by_links_alone(client: TestClient) -> None:
    address = f"/g/{THROWN}"
    turns = []
    for _ in range(6):
        text = client.get(address).text
        turns.append(int(re.search(r"turn <b data-count>(\d+)</b>", text)[1]))  # type: ignore[index]
        link = re.search(r'href="(\?turn=\d+&amp;seat=all)"[^>]*data-go="on"', text)
        assert link is not None
        address = f"/g/{THROWN}" + link[1].replace("&amp;", "&")
    assert turns == [0, 1, 2, 3, 4, 5]
    title = re.search(r"<title>(.*)</title>", client.get(address).text)
    assert title is not None
    assert re.fullmatch(r"turn 6, [a-z]+-[a-z]+, board 1 · arena", title[1])


@pytest.mark.parametrize("family", FAMILIES)
def test_the_game_as_text(client: TestClient, family: str) -> None:
    address = f"/g/{first_of(family)}?turn=6&text=1"
    text = client.get(address).text
    assert '<svg class="card"' not in text
    assert text.count("hand of") >= 3
    assert "Moves so far" in text
    for shown in (address.removesuffix("&text=1"), address.replace("text=1", "text=0")):
        assert '<svg class="card"' in client.get(shown).text, shown
    alone = client.get(f"{address}&seat=1").text
    assert alone.count("hand of") < text.count("hand of")
    assert "face down" in alone


def test_addresses_that_lead_nowhere(client: TestClient) -> None:
    for wrong in (
        f"/g/{THROWN}?turn=9999",
        f"/g/{THROWN}?seat=7",
        "/g/nothing",
        "/g/crowsnest-r1-b1-t99-1",
        "/g/cup-r1-b1-t1-1",
    ):
        answer = client.get(wrong)
        assert answer.status_code == 404, wrong
        assert "fix" in answer.text
    assert client.get(f"/g/{THROWN}?turn=-1").status_code == 400
    assert client.get(f"/g/{THROWN}?part=nothing").status_code == 404


def test_results_stay_hidden_for_those_who_want_none(site: Site, client: TestClient) -> None:
    plain = client.get(f"/g/{THROWN}").text
    assert "Result:" in plain
    assert "g-why" in plain
    assert 'class="up"' in plain
    client.cookies.set("hide_results", "1")
    answer = client.get(f"/g/{THROWN}")
    client.cookies.clear()
    for told_result in ("Result:", 'class="g-why"', 'class="up"', 'class="down"', "g-outcome", "Go there"):
        assert told_result not in answer.text, told_result
    found, replay = opened(site, THROWN)
    end = pieces(Shown(found, replay, results=False), replay.last).decision
    assert "The result is hidden" in end
    assert not any(f">{score:g}<" in end for score in replay.transcript.scores)


def test_kept_replays_differ_by_edition(tmp_path: Path) -> None:
    found, _replay = opened(filled(tmp_path, ["goat"]), first_of("goat"))
    kept = Replays(most=2)
    one = kept.of(found)
    assert kept.of(found) is one
    assert kept.of(replace(found, edition="other")) is not one
    kept.of(replace(found, edition="third"))
    assert kept.of(found) is not one


def test_a_fault_is_marked_and_explained_to_those_who_may_know(tmp_path: Path) -> None:
    turn = 6

    def faulty(game: StoredGame) -> StoredGame:
        transcript = dict(game.result.transcript)
        moves = [dict(move) for move in transcript["moves"]]
        moves[turn]["fault"] = "ILLEGAL"
        seat = moves[turn]["seat"]
        detail = "'8C' is not legal here <b>"
        fault = {"seat": seat, "code": "ILLEGAL", "class": "D", "turn": turn, "elapsed_ms": 3, "detail": detail}
        transcript |= {"moves": moves, "faults": [fault]}
        return replace(game, result=replace(game.result, transcript=transcript))

    site = filled(tmp_path, ["goat"], change=faulty)
    found, replay = opened(site, first_of("goat"))
    shown = Shown(found, replay)
    made = pieces(shown, turn).decision
    assert "× ILLEGAL" in made
    assert "is not legal here &lt;b&gt;" in made
    assert f"Played by default: <code>{replay.transcript.moves[turn].move}</code>" in made
    other = pieces(shown, turn, str((replay.movers[turn] + 1) % 4))
    assert "is not legal here" not in other.decision + other.table + other.moves
    strip = strip_of(replay, parting=3, limit_ms=5000, notes=frozenset())
    assert [(sign.sign, sign.turn) for sign in strip.signs] == [("◆", 3), ("×", turn)]
    assert len(strip.bars) == len(replay.units)
    for bar, unit in zip(strip.bars, replay.units, strict=True):
        assert (bar.first, bar.last) == (unit.first, unit.last)
        assert bool(bar.up or bar.down) == any(unit.points)


@pytest.mark.parametrize(("secret", "level"), [(38, True), (3, False)])
def test_the_end_says_goat_with_balls(secret: int, level: bool) -> None:
    transcript = a_transcript("goat", {"max_deals": 1}, secret=bytes([secret]) * 32)
    assert (transcript.tiebreaks[0] == 60) == level
    replay = Replay.of(transcript)
    made = pieces(Shown(Open("x", transcript), replay), replay.last).decision
    assert ("<p>Goat with balls.</p>" in made) == level
