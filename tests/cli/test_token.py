"""`arena token`: issued once, listed without its text, revoked; and the flags of `arena play` that wait for bots."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.terminal import piped

from arena.cli.flags import UsageError
from arena.cli.remote import listening_of, read_address


def test_a_token_is_printed_once_and_never_again(tmp_path: Path) -> None:
    issued = piped("token", "issue", "fox", "--slots", "2", "--owner", "Ada", folder=tmp_path)
    assert issued.status == 0, issued.stderr
    text = issued.stdout.strip()
    assert text.startswith("arena_")
    assert text not in issued.stderr
    listed = piped("token", "list", "--json", folder=tmp_path)
    [row] = json.loads(listed.stdout)["data"]
    assert (row["id"], row["bot"], row["owner"], row["slots"], row["state"]) == (1, "fox", "Ada", 2, "valid")
    table = piped("token", "list", folder=tmp_path)
    assert table.stdout.split()[:3] == ["id", "bot", "owner"]
    again = piped("token", "issue", "FOX", folder=tmp_path)
    assert (again.status, again.error()["code"].split()[0]) == (2, "NAME_TAKEN")
    revoked = piped("token", "revoke", "fox", folder=tmp_path)
    assert (revoked.status, revoked.stdout) == (0, "revoked the token of fox, number 1\n")
    assert json.loads(piped("token", "list", "--json", folder=tmp_path).stdout)["data"] == []
    assert "revoked" in piped("token", "list", "--all", folder=tmp_path).stdout
    for ran in (listed, table, again, revoked):
        assert text not in ran.stdout + ran.stderr


@pytest.mark.parametrize(
    ("words", "status", "code"),
    [
        (("issue", "../fox"), 2, "BAD_NAME"),
        (("issue", "fox", "--owner", "a\x1b[2Jb"), 2, "USAGE"),
        (("issue", "fox", "--slots", "0"), 2, "USAGE"),
        (("revoke", "fox"), 5, "NO_TOKEN"),
    ],
)
def test_what_cannot_be_done_is_said(words: tuple[str, ...], status: int, code: str, tmp_path: Path) -> None:
    ran = piped("token", *words, folder=tmp_path)
    assert (ran.status, ran.error()["code"].split()[0]) == (status, code)


@pytest.mark.parametrize(
    ("slots", "words", "status", "code"),
    [
        (0, ("--listen", "127.0.0.1:0", "--insecure"), 5, "NO_TOKEN"),
        (1, ("--listen", "127.0.0.1:0", "--insecure"), 5, "NO_TOKEN"),
        (2, ("--listen", "0.0.0.0:0", "--insecure"), 2, "INSECURE"),
        (2, ("--listen", "127.0.0.1:0", "--tls-cert", "none.pem", "--tls-key", "none.key"), 2, "BAD_TLS"),
        (2, ("--listen", "127.0.0.1:0", "--insecure", "--wait", "0.2"), 1, "NO_HELLO"),
    ],
    ids=["no token", "too few slots", "plain on a network", "no certificate", "nobody comes"],
)
def test_why_no_game_was_played(slots: int, words: tuple[str, ...], status: int, code: str, tmp_path: Path) -> None:
    if slots:
        piped("token", "issue", "fox", "--slots", str(slots), folder=tmp_path)
    ran = piped("play", "crowsnest", "basic", "remote:fox", *words, folder=tmp_path)
    assert (ran.status, ran.error()["code"].split()[0]) == (status, code), ran.stderr
    assert not (tmp_path / ".arena" / "games").exists()


def test_an_address_has_a_host_and_a_port() -> None:
    assert read_address("127.0.0.1:4443") == ("127.0.0.1", 4443)
    assert read_address("[::]:1") == ("::", 1)
    for wrong in ("4443", ":4443", "::1:4443", "host:", "host:x", "host:99999"):
        with pytest.raises(UsageError):
            read_address(wrong)


def test_flags_of_listening_fit_together() -> None:
    cert, key = Path("c"), Path("k")
    fits = listening_of(["basic", "remote:fox"], "host:1", cert, key, False, 60, 0)
    assert fits is not None
    assert (fits.host, fits.port, fits.certificate) == ("host", 1, cert)
    assert listening_of(["basic", "owl"], None, None, None, False, 60, 0) is None
    for bots, listen, one, other, insecure in (
        (["owl"], "host:1", cert, key, False),
        (["remote:fox"], None, cert, key, False),
        (["remote:fox"], "host:1", cert, None, False),
        (["remote:fox"], "host:1", None, None, False),
        (["remote:fox"], "host:1", cert, key, True),
    ):
        with pytest.raises(UsageError):
            listening_of(bots, listen, one, other, insecure, 60, 0)
