"""What the page offers is what the rules allow, whatever is tapped: its script against legal moves of random positions.

The script's part runs in the browser: all sets of cards that can be reached by tapping, and what each verb makes of
them; the buttons are those of the controls' markup.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from laws.course import Spot, random_match
from web.conftest import Watched

from arena import games
from arena.core.game import AnyGame
from arena.core.moves import Choose
from arena.web.assets import asset
from arena.web.play.controls import Controls, controls_of
from arena.web.play.seen import Eyes
from arena.web.rendering import fragment
from arena.web.site import Settings, Site
from arena.web.table import cards

NAMES = ("fox", "owl", "hen", "You")
VARIANTS: dict[str, tuple[str, dict[str, object]]] = {
    **{name: (name, {}) for name in games.catalog()},
    "three seats": ("crow_and_pitcher", {"players": 3, "void_play": "must_thirst"}),
    "asked before": ("goat", {"molodka": "before_trick"}),
}
FEW, MANY = 120, 1000
OFFERED = """(states) => states.map(({choice, controls}) => {
  const page = new DOMParser().parseFromString(controls, "text/html"), offered = new Set();
  const each = (selector, run) => page.querySelectorAll(selector).forEach((node) => run(node.dataset));
  const verbs = choice.kind === "discard" ? ["discard"] : [];
  each("[data-verb]", ({verb}) => verbs.push(verb));
  each("[data-move]", ({move}) => offered.add(move));
  if (choice.kind !== "discard") each('[data-pick][aria-disabled="false"]', ({pick}) => offered.add(pick));
  const reach = (from, chosen) => {
    for (const verb of verbs) offered.add(arenaChoosing.moveOf(choice, chosen, verb));
    for (let place = from; place < choice.hand.length; place++) {
      const more = [...chosen, choice.hand[place]];
      if (arenaChoosing.fits(choice, more)) reach(place + 1, more);
    }
  };
  if (verbs.length) reach(0, []);
  offered.delete("");
  return [...offered].sort();
})"""


def choices(game: AnyGame, spots: list[Spot]) -> Iterator[tuple[Spot, Controls, dict[str, Any]]]:
    """Positions with their controls."""
    for spot in spots:
        if spot.seat is not None:
            view = game.view(spot.state, spot.seat)
            shown = game.view_data(view)
            yield spot, controls_of(game, shown, game.legal_moves(view), NAMES[: game.seats]), shown


def some(game: AnyGame, count: int) -> list[Spot]:
    """So many positions of random matches; long choices (discards) only a few times."""
    found: list[Spot] = []
    number = discards = 0
    while len(found) < count:
        for spot in random_match(game, number)[:120]:
            if spot.seat is None:
                continue
            if isinstance(game.legal_moves(game.view(spot.state, spot.seat)), Choose):
                discards += 1
                if discards > 2:
                    continue
            found.append(spot)
        number += 1
    return found[:count]


@pytest.fixture(scope="module")
def address(served: Callable[[Site], str], tmp_path_factory: pytest.TempPathFactory) -> str:
    data: Path = tmp_path_factory.mktemp("offers")
    return served(Site.open(Settings(data, data)))


def check_offers(watched: Callable[..., Watched], address: str, name: str, count: int) -> None:
    game = games.make(*VARIANTS[name])
    page = watched(address).page()
    page.goto("/about")
    page.add_script_tag(url=asset("choosing.js"))
    states, legal = [], []
    for spot, controls, shown in choices(game, some(game, count)):
        markup = fragment("play/controls.html", controls=controls, wait="", suit_mark=cards.suit_mark)
        choice = {"legal": controls.data["legal"], "kind": controls.kind, "hand": shown["hand"]}
        states.append({"choice": choice, "controls": str(markup)})
        moves = game.legal_moves(game.view(spot.state, spot.seat))
        legal.append(moves)
    offered = page.evaluate(OFFERED, json.loads(json.dumps(states)))
    for found, moves in zip(offered, legal, strict=True):
        if isinstance(moves, Choose):
            assert len(found) == moves.total()
            assert all(moves.allows(game.notation.parse(text)) for text in found)
        else:
            assert found == sorted(game.notation.text(move) for move in moves.moves)


@pytest.mark.needs("chromium")
@pytest.mark.parametrize("name", VARIANTS)
def test_the_page_offers_exactly_the_legal_moves(watched: Callable[..., Watched], address: str, name: str) -> None:
    check_offers(watched, address, name, FEW)


@pytest.mark.long
@pytest.mark.needs("chromium")
@pytest.mark.parametrize("name", VARIANTS)
def test_the_page_offers_exactly_the_legal_moves_in_a_thousand_positions(
    watched: Callable[..., Watched], address: str, name: str
) -> None:
    check_offers(watched, address, name, MANY)


@pytest.mark.parametrize("name", VARIANTS)
def test_every_choice_is_told_in_words(name: str) -> None:
    game = games.make(*VARIANTS[name])
    kinds = set()
    for _, controls, shown in choices(game, some(game, 150)):
        kinds.add(controls.kind)
        assert controls.mine
        assert controls.said.startswith("Your turn: ")
        assert set(controls.data["names"]) == set(shown["hand"])
        for move, pairs in controls.data.get("pairs", {}).items():
            assert sorted(pair["by"] for pair in pairs) == sorted(move.split(" ")[1:])
            assert all(" beats " in pair["text"] or " trumps " in pair["text"] for pair in pairs)
    family = games.catalog()[game.id].family
    wanted = {"rook": {"auction", "trump", "play"}, "crow": {"play"}, "goat": {"lead", "answer"}}[family]
    assert wanted <= kinds


@pytest.mark.parametrize("name", ["crowsnest", "goat", "crow_and_pitcher"])
@pytest.mark.parametrize("bottom", range(4))
def test_the_partner_is_on_top_and_the_next_seat_at_the_left_of_every_seat(name: str, bottom: int) -> None:
    game = games.make(name)
    spot = random_match(game, 2)[0]
    eyes = Eyes(game, tuple("You" if seat == bottom else f"bot{seat}" for seat in range(4)), bottom, bottom)
    markup = eyes.table(eyes.view(spot.state), spot.seat)
    for step, place in enumerate(("bottom", "left", "top", "right")):
        assert f'data-seat="{(bottom + step) % 4}" data-place="{place}"' in markup
    top = markup.partition('data-place="top"')[2].partition("</div>")[0]
    assert ("partner" in top) == (name != "crow_and_pitcher")
