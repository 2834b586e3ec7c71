"""The games of one bot: whatever way they are looked for, all of them once, newest first."""

from __future__ import annotations

import pytest
from web.tournament.events import BOTS, a_game, event

from arena.games import make
from arena.record.results import GameKey
from arena.store import bot_games
from arena.store.bot_games import BotGames
from arena.web.botpages.counting import Counting
from arena.web.botpages.identity import known_bot
from arena.web.botpages.played import Filters, games_of, result_of
from arena.web.botpages.service import BotPages
from arena.web.errors import NotFound
from arena.web.site import Settings, Site

WAYS = ["by line-ups", "going back"]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> BotPages:
    folder = tmp_path_factory.mktemp("data")
    site = Site.open(Settings(folder, folder))
    event(site.store, "spring")
    event(site.store, "autumn", BOTS[:3], boards=2)
    site.services[Counting] = Counting(patience=20)
    return BotPages.of(site)


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param != WAYS[0]:
        monkeypatch.setattr(bot_games, "RARE", 0)
        monkeypatch.setattr(bot_games, "STEP", 3)
        monkeypatch.setattr(bot_games, "FAR", 10)
    return str(request.param)


def all_pages(pages: BotPages, **asked: str) -> list[dict[str, object]]:
    """All rows, page by page."""
    bot = known_bot(pages.site.store, "fox", "", {})
    found: list[dict[str, object]] = []
    before = ""
    for _ in range(200):
        page = games_of(pages, bot, Filters(**{**asked, "before": before}))
        found += [dict(row) for row in page.sheet.rows]
        if page.further is None:
            return found
        before = str(page.further)
    raise AssertionError("the pages never end")


@pytest.mark.parametrize(
    "asked",
    [
        {}, {"t": "autumn"}, {"opponent": "OWL"}, {"seat": "1"}, {"result": "lost"}, {"result": "won", "t": "spring"},
        {"opponent": "owl", "seat": "0", "result": "won"}, {"opponent": "nobody"}, {"seat": "9"}, {"t": "nowhere"},
    ],
)  # fmt: skip
@pytest.mark.usefixtures("way")
def test_filters_find_what_looking_at_every_game_finds(
    pages: BotPages, monkeypatch: pytest.MonkeyPatch, asked: dict[str, str]
) -> None:
    monkeypatch.setattr("arena.web.botpages.played.PAGE", 7)
    expected = [
        info.public_id
        for info in pages.site.store.games(bot="fox", limit=None, newest=True)
        if asked.get("t", info.tournament) == info.tournament
        and asked.get("opponent", info.row.bots[0]).lower() in info.row.bots
        and ("seat" not in asked or (int(asked["seat"]), "fox") in enumerate(info.row.bots))
        and asked.get("result", "") in ("", result_of(info.row.ranks, info.row.bots.index("fox")))
    ]
    assert [row["game"] for row in all_pages(pages, **asked)] == expected


@pytest.mark.usefixtures("way")
def test_faults_are_found_by_code(pages: BotPages) -> None:
    spring = pages.site.store.tournament("spring")
    assert spring is not None
    sides = [list(side) for side in make("crowsnest", {}).sides]
    late = a_game(GameKey(9, 1, 1, 0), ("fox", "owl", "fox", "owl"), sides, "LATE")
    others = a_game(GameKey(9, 2, 1, 0), ("owl", "fox", "owl", "fox"), sides, "LATE")
    pages.site.store.add_games(spring.id, [late, others])
    [row] = all_pages(pages, fault="LATE")
    assert row["game"] == "spring-r9-b1-t1-1"
    assert row["faults"] == ["LATE"]
    assert all_pages(pages, fault="any") == [row]
    assert all_pages(pages, fault="CRASH") == []
    known = BotGames(pages.site.store.database)
    assert known.lineups(spring.id).of("fox") == sum(
        "fox" in info.row.bots for info in pages.site.store.games("spring", limit=None)
    )


def test_what_can_match_nothing_is_refused() -> None:
    for wrong in ({"result": "best"}, {"seat": "-1"}, {"before": "x"}, {"before": "9" * 30}, {"seat": "²"}):
        with pytest.raises(NotFound):
            Filters.of(wrong)
    assert Filters.of({"seat": "2", "other": "x"}).query(before="7") == "seat=2&before=7"


def test_results_in_words() -> None:
    assert result_of((), 0) == "void"
    assert result_of((0, 0, 0), 1) == "drawn"
    assert [result_of((0, 1, 2, 2), seat) for seat in range(4)] == ["won", "middle", "lost", "lost"]
