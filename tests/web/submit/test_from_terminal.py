"""`arena bot add --to`: a bot goes to a site, its check is told as it goes, and the exit status says how it ended."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cli.terminal import piped

from arena.bots.templates import new_bot
from arena.cli.bots.sending import checked_site
from arena.cli.flags import UsageError
from arena.core.errors import ConfigError
from arena.store.people import People
from arena.store.sessions import Sessions
from arena.store.site_settings import SiteSettings
from arena.web.site import Settings, Site


def test_a_bot_goes_to_a_site_from_a_terminal(tmp_path: Path, served: Callable[[Site], str]) -> None:
    site = Site.open(Settings(tmp_path / "data", tmp_path / "data", sandbox="none"))
    SiteSettings(site.store.database).set("check_boards", 0)
    _, token = Sessions(site.store.database).issue(People(site.store.database).add("Ada").id, "laptop")
    address = served(site)
    new_bot("fox", "python", tmp_path / "fox", ("crowsnest",))
    (tmp_path / "fox" / "__pycache__").mkdir()
    (tmp_path / "fox" / "__pycache__" / "main.pyc").write_bytes(b"x" * 100)

    def add(path: str, *more: str, secret: str = token) -> object:
        return piped("bot", "add", path, "--to", address, *more, folder=tmp_path, ARENA_TOKEN=secret)

    added = add("fox", "--message", "bids less", "--json")
    assert added.status == 0, added.stderr
    data = json.loads(added.stdout)["data"]
    assert (data["state"], data["bot"], data["version"], data["message"]) == ("accepted", "fox", 1, "bids less")
    assert "✓  4 games" in added.stderr
    assert "/submission/" in added.stderr
    again = add("fox")
    assert (again.status, again.stdout) == (0, "already there as v1\n")
    new_bot("owl", "python", tmp_path / "owl", ("crowsnest", "goat"))
    ticked = add("owl", "--game", "goat", "--json")
    assert ticked.status == 0, ticked.stderr
    assert json.loads(ticked.stdout)["data"]["games"] == ["goat"]
    assert site.store.registered("owl")[0].manifest["games"] == ["goat"]
    wrong = add("fox", "--game", "goat", "--game", "crowsnest")
    assert (wrong.status, "code:  NOT_ITS_GAME" in wrong.stdout) == (1, True)
    unknown = add("fox", "--game", "chess")
    assert (unknown.status, unknown.error()["code"].split()[0]) == (2, "BAD_GAME")
    here = piped("bot", "add", "fox", "--game", "crowsnest", folder=tmp_path)
    assert (here.status, here.error()["error"]) == (2, "--game needs --to")
    (tmp_path / "x.zip").write_bytes(b"no zip")
    refused = add("x.zip")
    assert refused.status == 1
    assert "code:  BAD_ARCHIVE" in refused.stdout
    assert refused.stdout.startswith("refused, yours to fix: x.zip is refused")
    for secret in ("", "arenaup_wrong"):
        denied = add("fox", secret=secret)
        assert (denied.status, "NOT_ALLOWED" in denied.stderr) == (4, True)
        assert "arenaup_" not in denied.stderr
    assert add("nothing").status == 2
    assert add("fox", "--name", "owl").status == 2


@pytest.mark.parametrize(
    ("site", "said"),
    [
        ("https://arena.example/", "https://arena.example"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("https://arena.example/under/", "https://arena.example/under"),
        ("http://arena.example", ConfigError),
        ("arena.example", UsageError),
        ("ftp://arena.example", UsageError),
    ],
)
def test_tokens_cross_a_network_encrypted_only(site: str, said: str | type[Exception]) -> None:
    if isinstance(said, str):
        assert checked_site(site) == said
    else:
        with pytest.raises(said):
            checked_site(site)
