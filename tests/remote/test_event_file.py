"""Tournament files and flags of events with remote bots: what is accepted, and what is refused in which words."""

from __future__ import annotations

from pathlib import Path

import pytest
from remote.event import FILE, REMOTE

from arena.cli import app
from arena.core.errors import ConfigError
from arena.runner.config import Cup
from arena.runner.course import pool_of
from arena.runner.cup_file import load_cup
from arena.runner.events.remote_event import with_remote
from arena.runner.events.rules import Rules, moment
from arena.runner.prepare import compare, prepare, schedule_of
from arena.runner.roster import Roster
from arena.store.store import Store
from arena.store.tokens import Tokens
from arena.tournament.remote_pairs import RemoteRoundRobin


@pytest.fixture
def data(tmp_path: Path) -> Path:
    with Tokens.open(tmp_path / "arena") as tokens:
        for name in REMOTE:
            tokens.issue(name, "", 2, None)
    return tmp_path / "arena"


def cup(data: Path, more: str = "", text: str = FILE) -> Cup:
    file = data.parent / "cup.toml"
    file.write_text(f"{text.format(boards=2)}{more}", encoding="utf-8")
    return load_cup(file, find=with_remote(Roster(data).find, data, file))


def test_remote_bots_make_the_event_remote(data: Path) -> None:
    made = cup(data)
    assert isinstance(schedule_of(made.settings(), b""), RemoteRoundRobin)
    pool = pool_of(made.make_game(), made.saved(), "deal")
    assert (pool.remote, pool.seatings, pool.name) == (True, 1, "crowsnest remote")
    local = cup(data, text=FILE.replace('"remote:fox", "remote:owl", "remote:elk", "basic"', '"random", "basic"'))
    assert pool_of(local.make_game(), local.saved(), "deal").id != pool.id
    assert not isinstance(schedule_of(local.settings(), b""), RemoteRoundRobin)


@pytest.mark.parametrize(
    ("more", "rules"),
    [
        ("[lobby]\n", Rules()),
        ('[lobby]\nlate = "forfeit"\nwait = 5\nmin_bots = 2\n', Rules(None, 2, "forfeit", 5)),
        ('[lobby]\nstart = "2026-12-01T18:00"\n', Rules(moment("2026-12-01T18:00+00:00"))),
        ("[lobby]\nstart = 2026-12-01T18:00:00+02:00\n", Rules(moment("2026-12-01T16:00"))),
        ("[lobby]\nstart = 2026-12-01T18:00:00\n", Rules(moment("2026-12-01T18:00"))),
    ],
)
def test_the_lobby_of_a_file(data: Path, more: str, rules: Rules) -> None:
    found = cup(data, more).lobby
    assert found is not None
    assert found.rules() == rules


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ('[lobby]\nlate = "never"\n', "accepted: next_round | refuse | forfeit"),
        ('[lobby]\nstart = "soon"\n', 'accepted: a time, like "2026-12-01T18:00"'),
        ("[lobby]\nstart = 2026-12-01\n", 'accepted: a time, like "2026-12-01T18:00"'),
        ("[lobby]\nmin_bots = 4\n", "at most 3"),
        ("[lobby]\nlatest = 1\n", "did you mean 'late'"),
        ("[lobby]\nwait = -1\n", "accepted: seconds from 0"),
    ],
)
def test_a_lobby_that_cannot_be(data: Path, more: str, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        cup(data, more)
    assert words in caught.value.fix
    assert "cup.toml:" in caught.value.where


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ('board_plan = "shared"', "every board is played once"),
        ('tier_minimum = "A"', "games with remote bots have the tier 'remote'"),
        ('format = "swiss"\nrounds = 2', "a swiss takes no bots on machines of their own"),
    ],
)
def test_keys_that_say_nothing_with_remote_bots(data: Path, change: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        cup(data, text=f"{change}\n{FILE}")


def test_a_lobby_without_remote_bots_is_refused(data: Path) -> None:
    text = FILE.replace('"remote:fox", "remote:owl", "remote:elk", "basic"', '"random", "basic"')
    with pytest.raises(ConfigError, match=r"\[lobby\] without a remote bot"):
        cup(data, "[lobby]\n", text)


def test_a_bot_without_a_token_cannot_be_entered(data: Path, tmp_path: Path) -> None:
    text = FILE.replace("remote:owl", "remote:cat")
    with pytest.raises(ConfigError, match="no valid token for 'cat'") as caught:
        cup(data, text=text)
    assert (caught.value.code, caught.value.fix) == ("NO_TOKEN", "arena token issue cat")
    nowhere = tmp_path / "nowhere"
    with pytest.raises(ConfigError, match="no valid token for 'fox'"):
        load_cup(tmp_path / "cup.toml", find=with_remote(Roster(nowhere).find, nowhere, tmp_path / "cup.toml"))
    assert not nowhere.exists()


def test_the_lobby_may_change_between_runs_and_the_bots_may_not(data: Path) -> None:
    with Store.open(data) as store:
        plan = prepare(store, cup(data).settings(), data)
        assert plan.redraw == 12
        assert [entrant.source for entrant in plan.tournament.entrants][:2] == ["remote:fox", "remote:owl"]
        stored = plan.tournament
        later = cup(data, '[lobby]\nlate = "refuse"\n')
        compare(stored, later.settings(), later.differences(stored.config))
        fewer = cup(data, text=FILE.replace('"remote:owl", ', ""))
        with pytest.raises(ConfigError, match="begun with other settings: bots"):
            compare(stored, fewer.settings(), fewer.differences(stored.config))


@pytest.mark.parametrize(
    ("file", "words", "error"),
    [
        ("open", (), "remote:fox needs an address to dial in at"),
        ("open", ("--listen", "127.0.0.1:0"), "no certificate for --listen"),
        ("open", ("--listen", "127.0.0.1:0", "--insecure", "--start", "soon"), "--start cannot be 'soon'"),
        ("open", ("--listen", "0.0.0.0:0", "--insecure"), "tokens would cross the network at 0.0.0.0"),
        ("open", ("--cluster", "local"), "--cluster plays no event with remote bots"),
        ("local", ("--listen", "127.0.0.1:0"), "--listen without a remote bot"),
        ("local", ("--start", "now"), "--start without a remote bot"),
    ],
)
def test_flags_that_do_not_fit(
    data: Path, file: str, words: tuple[str, ...], error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = FILE.format(boards=1)
    (data.parent / "open.toml").write_text(text, encoding="utf-8")
    local = text.replace('"remote:fox", "remote:owl", "remote:elk", "basic"', '"random", "basic"')
    (data.parent / "local.toml").write_text(local, encoding="utf-8")
    assert app.run(["tournament", "run", str(data.parent / f"{file}.toml"), *words, "--data", str(data)]) == 2
    assert error in capsys.readouterr().err
