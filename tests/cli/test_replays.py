"""`arena replay list` and `show` on games of `arena play`, played once for all tests of this file."""

import csv
import io
import json
from pathlib import Path

import pytest
from cli.terminal import Ran, piped

from arena.record.transcript import DOCUMENT

pytestmark = pytest.mark.xdist_group("replays")
GOAT = ("play", "goat", "basic", "random", "--board", "seven", "--option", "max_deals=1", "-q")
CROW = ("play", "crowsnest", "basic", "--board", "nest", "--option", "max_hands=1", "-q")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played")
    for words in (GOAT, CROW):
        ran = piped(*words, folder=folder)
        assert ran.status == 0, ran.stderr
    return folder


def data_of(ran: Ran) -> object:
    assert ran.status == 0, ran.stderr
    return json.loads(ran.stdout)["data"]


def rows_of(ran: Ran) -> list[dict[str, str]]:
    assert ran.status == 0, ran.stderr
    return list(csv.DictReader(io.StringIO(ran.stdout)))


def test_games_of_play_are_listed_and_shown_by_their_names(place: Path) -> None:
    (place / ".arena" / "games" / "gone.arena").symlink_to("removed")  # listed, and gone when it is looked at
    listed = data_of(piped("replay", "list", "--json", folder=place))
    assert isinstance(listed, list)
    assert [(game["game"], game["tournament"], game["bots"]) for game in listed] == [
        ("seven-01", None, ["basic", "random", "basic", "random"]),
        ("nest-01", None, ["basic", "basic", "basic", "basic"]),
    ]
    rows = rows_of(piped("replay", "list", "--csv", "--bot", "random", folder=place))
    assert [(row["game"], row["tournament"], row["verdict"]) for row in rows] == [("seven-01", "-", "finished")]
    assert rows_of(piped("replay", "list", "--csv", "--board", "1", folder=place)) == []
    assert rows_of(piped("replay", "list", "--csv", "--limit", "1", folder=place))[0]["game"] == "seven-01"
    assert piped("replay", "show", "seven-01", folder=place).stdout.startswith("Goat\n")
    assert json.loads(piped("replay", "show", "seven-01", "--json", folder=place).stdout)["schema"] == DOCUMENT


def test_a_seat_sees_its_own_hand_and_what_it_draws_and_no_other(place: Path) -> None:
    whole = data_of(piped("replay", "show", "seven-01", "--json", folder=place))
    assert isinstance(whole, dict)
    ran = piped("replay", "show", "seven-01", "--seat", "1", "--turn", "9", folder=place)
    lines = ran.stdout.splitlines()
    hands = whole["deals"][0]["hands"]
    assert f"  W        {' '.join(hands[1])}" in lines
    assert not any(" ".join(hand) in ran.stdout for seat, hand in enumerate(hands) if seat != 1)
    knew = data_of(piped("replay", "show", "seven-01", "--seat", "1", "--turn", "9", "--json", folder=place))
    assert isinstance(knew, dict)
    assert lines[-1] == f"holds    W {' '.join(knew['view']['hand'])}"
    got = [card for line in lines if line.startswith("gets ") for card in line.split()[2:]]
    assert got
    assert set(got) == {card for card in knew["view"]["received"] if card not in hands[1]}
    assert (knew["seat"], knew["turn"], len(knew["moves"])) == (1, 9, 9)


def test_the_declarer_is_told_the_nest_and_nobody_else(place: Path) -> None:
    whole = data_of(piped("replay", "show", "nest-01", "--json", folder=place))
    assert isinstance(whole, dict)
    nest = whole["deals"][-1]["nest"]
    told = [piped("replay", "show", "nest-01", "--seat", str(seat), folder=place).stdout for seat in range(4)]
    assert sum(f"gets     {name} {' '.join(nest)}" in text for name, text in zip("SWNE", told, strict=True)) == 1


def test_moves_as_csv_with_hidden_ones_as_their_number(place: Path) -> None:
    moves = rows_of(piped("replay", "show", "nest-01", "--csv", folder=place))
    assert list(moves[0]) == ["turn", "seat", "bot", "move", "elapsed_ms", "fault"]
    [discard] = [row for row in moves if row["move"].startswith("discard ")]
    assert len(discard["move"].split()) == 6
    other = str((int(discard["seat"]) + 1) % 4)
    seen = rows_of(piped("replay", "show", "nest-01", "--csv", "--seat", other, "--turn", "20", folder=place))
    assert len(seen) == 20
    assert seen[int(discard["turn"])]["move"] == "discard 5"
    own = rows_of(piped("replay", "show", "nest-01", "--csv", "--seat", discard["seat"], folder=place))
    assert own == moves


def test_flags_that_cannot_go_together_say_so(place: Path) -> None:
    ran = piped("replay", "show", "nest-01", "--json", "--turn", "3", folder=place)
    assert (ran.status, ran.stdout) == (2, "")
    assert "--turn has no meaning" in ran.stderr
    noted = piped("replay", "show", "nest-01", "--csv", "--all-hands", folder=place)
    assert (noted.status, "--all-hands is left out" in noted.stderr) == (0, True)
