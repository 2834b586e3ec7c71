"""Quotas: what is counted for whom, what is refused, and how many bots of one owner sit at a table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cli.terminal import piped
from housekeeping.folders import bot_in, register
from hypothesis import given
from hypothesis import strategies as st
from store.samples import game, new_tournament

from arena.cli.bots import add
from arena.cli.main import main
from arena.runner.keeping import quotas
from arena.runner.keeping.limits import Quotas
from arena.runner.keeping.quotas import Excess, OverQuota, Usage, out_of_games, over_quota, refuse, usages
from arena.store.store import Store
from arena.store.tokens import Tokens
from arena.store.values import Entrant
from arena.tournament.formats import FORMATS, Format
from arena.tournament.owners import too_many, within

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


def test_what_is_more_than_allowed() -> None:
    usage = Usage("Ada", bots=3, versions=2, megabytes=1.5, tokens=1)
    assert over_quota(usage, Quotas()) == []
    assert over_quota(usage, Quotas(bots=3, versions=2, megabytes=2, tokens=1)) == []
    assert over_quota(usage, Quotas(bots=2, megabytes=1)) == [Excess("bots", 3, 2), Excess("megabytes", 1.5, 1)]
    assert over_quota(usage, Quotas(bots=2, megabytes=1), ("megabytes",)) == [Excess("megabytes", 1.5, 1)]
    assert over_quota(usage._replace(owner=""), Quotas(bots=1)) == []


def test_a_refusal_says_what_and_how_to_mend_it() -> None:
    with pytest.raises(OverQuota) as caught:
        refuse([Excess("games_per_day", 12, 10), Excess("bots", 3, 2)], "Ada")
    assert (caught.value.code, caught.value.saw) == ("QUOTA", "games per day 12 of at most 10; bots 3 of at most 2")
    assert "arena bot retire" in caught.value.fix
    refuse([], "Ada")


def test_what_each_owner_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def format_of(config: Mapping[str, object]) -> Format:
        return FORMATS["round_robin"]._replace(ladder=config.get("format") == "open")

    monkeypatch.setattr(quotas, "format_of", format_of)
    data = tmp_path / ".arena"
    with Store.open(data, now=lambda: NOW) as store, Tokens.open(data, now=lambda: NOW) as tokens:
        for number, (name, owner) in enumerate((("fox", "Ada"), ("fox", ""), ("owl", "ADA"), ("elk", ""))):
            register(store, data, bot_in(tmp_path / "source" / str(number), name, str(number)), owner)
        store.retire("fox", 1)
        tokens.issue("bat", "Ada", 1, NOW + timedelta(days=1))
        tokens.issue("cat", "Bob", 1, NOW + timedelta(days=1))
        tokens.issue("dog", "Bob", 1, NOW - timedelta(days=1))
        ladder = new_tournament("open")
        entrants = (
            Entrant("fox", "f" * 64, "registered:fox@1"),
            Entrant("owl", "0" * 64, "registered:owl@1"),
        )
        kept = store.create_tournament(replace(ladder, entrants=entrants, config={**ladder.config, "format": "open"}))
        store.create_tournament(replace(new_tournament("cup"), entrants=entrants))
        store.add_games(kept.id, [game(1, 1), game(1, 2)])
        found = usages(store, tokens.all(), data, NOW + timedelta(hours=1))
        assert list(found) == ["", "ada", "bob"]
        size = sum(
            len(text) for text in ("print(0)\n", "#!/bin/sh\n", 'name = "fox"\ncommand = ["python3", "main.py"]\n')
        )
        assert found["ada"] == Usage("Ada", 2, 1, pytest.approx(3 * size / 1e6), 4, 1)
        assert found["bob"] == Usage("Bob", tokens=1)
        assert found[""].bots == 1
        assert usages(store, tokens.all(), data, NOW + timedelta(days=2))["ada"].games_per_day == 0


def test_who_has_no_game_left_today() -> None:
    games = {"Ada": 10, "Bob": 9, "": 1000}
    assert out_of_games(games, Quotas(games_per_day=10)) == {"ada"}
    assert out_of_games(games, Quotas()) == frozenset()


def test_a_further_version_is_counted_before_it_is_there(tmp_path: Path) -> None:
    with Store.open(tmp_path / ".arena") as store:
        first = store.register("fox", "a" * 64, {}, owner="Ada")
        store.retire("fox")
        before = Usage("Ada", 1, 4, 1.0)
        assert quotas.with_version(before, [first], 500_000) == Usage("Ada", 1, 2, 1.5)
        assert quotas.with_version(before, store.registered("fox"), 0) == Usage("Ada", 2, 1, 1.0)


def test_commands_refuse_more_than_is_allowed(tmp_path: Path) -> None:
    data = tmp_path / ".arena"
    with Store.open(data) as store, Tokens.open(data) as tokens:
        register(store, data, bot_in(tmp_path / "one", "fox"), "Ada")
        tokens.issue("bat", "Ada", 1, None)
    (tmp_path / "arena.toml").write_text("[quotas]\nbots = 1\ntokens = 1\nversions = 1\n")
    bot_in(tmp_path / "two", "owl")
    bot_in(tmp_path / "three", "fox", "3")
    for words, saw in (
        (("bot", "add", "two", "--owner", "ada"), "bots 2 of at most 1"),
        (("bot", "add", "three"), "versions 2 of at most 1"),
        (("token", "issue", "cat", "--owner", "Ada"), "tokens 2 of at most 1"),
    ):
        ran = piped(*words, folder=tmp_path)
        assert (ran.status, ran.error()["code"].split()[0], ran.error()["saw"]) == (4, "QUOTA", saw)
    other = piped("bot", "add", "three", "--owner", "Bob", folder=tmp_path)
    assert (other.status, other.error()["error"]) == (4, "fox belongs to Ada, not to Bob")
    shown = json.loads(piped("quota", "--json", folder=tmp_path).stdout)["data"]
    assert shown["limits"]["bots"] == 1
    assert [(row["owner"], row["bots"], row["tokens"], row["over"]) for row in shown["owners"]] == [
        ("", 0, 0, []),
        ("Ada", 1, 1, []),
    ]
    table = piped("quota", "ada", folder=tmp_path)
    assert table.stdout.splitlines()[1].split()[:3] == ["Ada", "1/1", "1/1"]


def test_two_that_are_added_at_once_do_not_both_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / ".arena"
    (tmp_path / "arena.toml").write_text("[quotas]\nbots = 1\n")
    bot_in(tmp_path / "two", "owl")

    def checked(*_: object) -> list[object]:
        with Store.open(data) as store:  # somebody else's check ends first
            register(store, data, bot_in(tmp_path / "one", "fox"), "Ada")
        return []

    monkeypatch.setattr(add, "_checked", checked)
    monkeypatch.chdir(tmp_path)
    assert main(["bot", "add", "two", "--owner", "ada", "--sandbox", "none"]) == 4
    with Store.open(data) as store:
        assert [each.name for each in store.registered()] == ["fox"]
        kept = [each.name for each in (data / "bots").iterdir() if not each.name.startswith(".")]
        assert kept == [each.version for each in store.registered()]


OWNERS = {"a1": "Ada", "a2": "ada", "a3": "Ada", "b1": "Bob", "b2": "Bob", "own": ""}


def test_bots_of_one_owner_at_a_table() -> None:
    assert too_many(("a1", "a2", "b1", "own"), OWNERS, 1) == {"Ada": ("a1", "a2")}
    assert too_many(("a1", "a2", "b1", "own"), OWNERS, 2) == {}
    assert too_many(("a1", "a1", "b1", "basic"), OWNERS, 1) == {}
    assert too_many(("a1", "a2", "b1", "b2"), OWNERS, 0) == {}
    assert list(within([("a1", "a2"), ("a1", "b1"), ("own", "basic")], OWNERS, 1)) == [("a1", "b1"), ("own", "basic")]


@given(st.lists(st.sampled_from([*OWNERS, "basic"]), max_size=6), st.integers(1, 4))
def test_nobody_at_a_table_that_is_within_has_more(lineup: list[str], limit: int) -> None:
    counts = [len({bot for bot in lineup if OWNERS.get(bot, "").casefold() == owner}) for owner in ("ada", "bob")]
    assert (list(within([tuple(lineup)], OWNERS, limit)) != []) == (max(counts) <= limit)
