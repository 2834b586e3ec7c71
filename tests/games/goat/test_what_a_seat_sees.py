"""What a seat sees, and what it does not."""

from __future__ import annotations

import re
from pathlib import Path

from games.goat.tables import at, cards, dealt, defaults_to_the_end, goat

from arena.core.chance import Chance
from arena.core.drivers import play_random
from arena.core.game import SeededBoard
from arena.games.goat.state import Act, GoatResult, GoatView, Phase

PROTO = Path(__file__).parents[3] / "protos" / "arena" / "v1" / "goat.proto"
DEAL = dealt(["KC 6D", "AD 7D", "10D 8D", "6S 7S"], trump="AH", stock="9C JC QC 10C")
TRICK = "lead KC / drop AD / drop 10D / drop 6S"


def test_a_seat_sees_its_hand_trump_acts_stock_points_and_defeats() -> None:
    game = goat()
    state = at(game, DEAL, moves=TRICK)
    assert game.view(state, 1) == GoatView(
        seat=1,
        phase=Phase.LEAD,
        deal_number=0,
        dealer=3,
        leader=0,
        hand=state.hands[1],
        trump=2,
        trump_card=cards("AH")[0],
        stock=16,
        act_seats=(0, 1, 2, 3),
        acts=(Act.LEAD, Act.DROP, Act.DROP, Act.DROP),
        act_counts=(1, 1, 1, 1),
        act_cards=cards("KC AD"),
        received=(*game.deals(state)[0].hands[1], *cards("JC")),
        points=(4 + 11, 0),
        tricks=(1, 0),
        defeats=(0, 0),
        results=(),
    )


def test_points_follow_from_cards_face_up_and_own_drops_only() -> None:
    game = goat()
    state = at(game, DEAL, moves=TRICK)
    assert state.points == (25, 0)
    assert [game.view(state, viewer).points for viewer in (0, 1, 2, 3, None)] == [
        (4, 0),
        (15, 0),
        (14, 0),
        (4, 0),
        (4, 0),
    ]


def test_drops_of_others_are_hidden_also_those_that_ones_team_took() -> None:
    game = goat()
    one = at(game, DEAL, moves=TRICK)
    swapped = {**DEAL, "hands": [DEAL["hands"][0], [], [], DEAL["hands"][3]]}
    swapped["hands"][1] = [{"AD": "10D"}.get(text, text) for text in DEAL["hands"][1]]
    swapped["hands"][2] = [{"10D": "AD"}.get(text, text) for text in DEAL["hands"][2]]
    other = at(game, swapped, moves="lead KC / drop 10D / drop AD / drop 6S")
    for viewer in (0, 3, None):
        assert game.view(one, viewer) == game.view(other, viewer)
    assert game.view(one, 1) != game.view(other, 1)


def test_which_cards_were_dropped_is_hidden_how_many_is_not() -> None:
    game = goat()
    deal = dealt(["6C 7C", "6D 7D 8D 9D"], trump="AH")
    one = at(game, deal, moves="lead 6C 7C / drop 6D 7D")
    other = at(game, deal, moves="lead 6C 7C / drop 8D 9D")
    for viewer in (0, 2, 3, None):
        assert game.view(one, viewer) == game.view(other, viewer)
        assert game.view(one, viewer).act_counts == (2, 2)
    assert game.view(one, 1).act_cards == cards("6C 7C 6D 7D")


def test_other_hands_and_the_order_of_the_stock_are_hidden() -> None:
    game = goat()
    other = {**DEAL, "hands": [DEAL["hands"][0], DEAL["hands"][2], DEAL["hands"][1], DEAL["hands"][3]]}
    other["stock"] = [*DEAL["stock"][:4], *reversed(DEAL["stock"][4:])]
    assert game.view(at(game, DEAL), 0) == game.view(at(game, other), 0)


def test_whether_a_seat_could_beat_does_not_show_in_what_others_see() -> None:
    game = goat()
    can = dealt(["6C", "7C 8C 9C JC", "6D 7D 8D 9D"], trump="AH")
    cannot = {**can, "hands": [can["hands"][0], can["hands"][2], can["hands"][1], can["hands"][3]]}
    for seat in (0, 3, None):
        assert game.view(at(game, can, moves="lead 6C"), seat) == game.view(at(game, cannot, moves="lead 6C"), seat)


def test_spectators_see_only_what_lies_face_up() -> None:
    game = goat()
    view = game.view(at(game, DEAL, moves=TRICK), None)
    assert (view.seat, view.hand, view.received, view.act_cards) == (-1, (), (), cards("KC"))
    assert game.view_data(view)["seat"] is None


def test_the_results_of_deals_that_are_over_hold_all_points() -> None:
    game = goat()
    state = defaults_to_the_end(game, at(game, dealt([], trump="AH"), dealt([], trump="AH", dealer=0)))
    view = game.view(state, 1)
    assert view.phase == Phase.OVER
    assert view.results == (GoatResult((120, 0), (0, 6)),) * 2
    assert view.defeats == (0, 12)
    assert view.deal_number == 1


def test_the_view_as_data_has_the_same_names_words_and_texts_of_cards() -> None:
    game = goat()
    deal = dealt(["KC 6D 7D 8D", "AD 6S 7S 8S"], trump="AH")
    assert game.view_data(game.view(at(game, deal, moves="lead KC / drop AD"), 1)) == {
        "seat": 1,
        "phase": "answer",
        "deal_number": 0,
        "dealer": 3,
        "leader": 0,
        "hand": ["6S", "7S", "8S"],
        "trump": "hearts",
        "trump_card": "AH",
        "stock": 20,
        "act_seats": [0, 1],
        "acts": ["lead", "drop"],
        "act_counts": [1, 1],
        "act_cards": ["KC", "AD"],
        "received": ["AD", "6S", "7S", "8S"],
        "points": [0, 0],
        "tricks": [0, 0],
        "defeats": [0, 0],
        "results": [],
    }
    ended = game.view(defaults_to_the_end(game, game.start(SeededBoard(bytes(32)))), None)
    assert set(game.view_data(ended)["results"][0]) == {"points", "defeats"}


def test_the_view_has_the_fields_and_numbers_of_the_protocol() -> None:
    text = PROTO.read_text()
    fields = re.findall(r"(\w+) = \d+;", text.split("message GoatView {")[1])
    assert tuple(fields) == GoatView._fields
    assert tuple(re.findall(r"(\w+) = \d+;", text.split("message GoatResult {")[1].split("}")[0])) == GoatResult._fields
    for kind in (Phase, Act):
        for member in kind:
            assert f"GOAT_{kind.__name__.upper()}_{member.name} = {member.value};" in text


def test_nothing_seen_in_a_deal_is_lost_within_it() -> None:
    for mode in ("on_turn", "before_trick"):
        game = goat(molodka=mode)
        last: dict[int, GoatView] = {}
        for step in play_random(game, SeededBoard(bytes(32)), Chance(b"any")):
            view = step.view
            before = last.get(step.seat)
            if before is not None and before.deal_number == view.deal_number:
                for name in ("acts", "act_seats", "act_counts", "act_cards", "received"):
                    old, new = getattr(before, name), getattr(view, name)
                    assert new[: len(old)] == old
            last[step.seat] = view


def test_a_hand_follows_from_the_cards_received_and_the_own_acts() -> None:
    game = goat()
    taken_back = 0
    for number in (12, 33, 56):
        for step in play_random(game, SeededBoard(bytes([number]) * 32), Chance(b"any", number)):
            put, back = own_cards_put_down(step.view)
            assert sorted(set(step.view.received) - put) == list(step.view.hand)
            taken_back += len(back)
    assert taken_back > 0


def own_cards_put_down(view: GoatView) -> tuple[set[int], set[int]]:
    """From a view alone: the own cards that are gone, and those that a molodka gave back."""
    put: set[int] = set()
    back: set[int] = set()
    trick: set[int] = set()
    place = 0
    for seat, act, count in zip(view.act_seats, view.acts, view.act_counts, strict=True):
        if act == Act.MOLODKA:
            back |= trick
            put -= trick
        if act in (Act.LEAD, Act.MOLODKA):
            trick = set()
        shown = count if seat == view.seat or act != Act.DROP else 0
        if seat == view.seat:
            trick = set(view.act_cards[place : place + shown])
            put |= trick
        place += shown
    return put, back
