"""`arena play --seat N=human`: a person at a table that a command opened, at a site of its own or at one that runs."""

from __future__ import annotations

import json
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from cli.terminal import COMMAND, SURROUNDINGS

from arena.bots.manifest import find_bot
from arena.cli.app import run
from arena.cli.playing.person import seated
from arena.core.errors import ConfigError
from arena.games import make
from arena.record.replay import verify
from arena.record.transcript import from_json
from arena.store.lock import site_lock
from arena.store.sittings import LEFT, Sittings
from arena.store.store import Store
from arena.web.reach import announced, reach
from arena.web.server import listen, serve_until
from arena.web.site import Settings, Site

WAIT_S = 60.0
PLAY = ("play", "crowsnest", "basic", "counter", "--seat", "2=human", "--option", "max_hands=1", "--board", "7f3a")


class Playing:
    """The command as a process of its own; its streams are files."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.folder = folder
        self._said = folder / "stderr"
        with (folder / "stdout").open("w") as stdout, self._said.open("w") as stderr:
            self.process = subprocess.Popen(
                [*COMMAND, *words], stdout=stdout, stderr=stderr, cwd=folder, env=SURROUNDINGS | {"LC_ALL": "C.UTF-8"}
            )

    def address(self) -> str:
        """That of the seat, once it is printed."""
        end = time.monotonic() + WAIT_S
        while time.monotonic() < end and self.process.poll() is None:
            for line in self._said.read_text().splitlines(keepends=True):
                if line.startswith("seat: ") and line.endswith("\n"):
                    return line.removeprefix("seat: ").strip()
            time.sleep(0.05)
        raise AssertionError(self._said.read_text())

    def ended(self) -> tuple[int, str, str]:
        """Status and what was written."""
        status = self.process.wait(WAIT_S)
        return status, (self.folder / "stdout").read_text(), self._said.read_text()


@contextmanager
def sitting_down(address: str) -> Iterator[tuple[httpx2.Client, str]]:
    """Open the address as a browser does: (client with the cookie, path of the table)."""
    place = address.index("/g/")
    with httpx2.Client(base_url=address[:place], headers={"accept": "application/json"}) as client:
        answer = client.get(address[place:])
        assert answer.status_code == 303
        assert "HttpOnly" in answer.headers["set-cookie"]
        yield client, answer.headers["location"]


def play_on(client: httpx2.Client, path: str) -> dict[str, Any]:
    """Play first legal moves until the end."""
    number, last, end = -1, {}, time.monotonic() + WAIT_S
    while time.monotonic() < end:
        news: dict[str, Any] = client.get(f"{path}/steps?after={number}").json()
        if news["steps"]:
            last = news["steps"][-1]
            number = last["n"]
        if news["state"] not in ("waiting", "starting", "running"):
            return news
        if news["waiting"] is None or number < news["latest"]:
            time.sleep(0.02)
            continue
        legal = last["choice"]["legal"]
        move = legal[-1] if isinstance(legal, list) else " ".join([legal["kind"], *legal["from"][: legal["choose"]]])
        client.post(f"{path}/move", json={"turn": news["waiting"], "move": move, "after": number})
    raise AssertionError("the game did not end")


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Site]:
    """A site of the data folder that runs already, as with `arena serve`."""
    data = tmp_path / ".arena"
    site = Site.open(Settings(data, data))
    listening = listen("127.0.0.1", 0)
    stop = threading.Event()
    thread = threading.Thread(target=serve_until, args=(site, listening, stop), daemon=True)
    with site_lock(data), announced(site, f"http://127.0.0.1:{listening.getsockname()[1]}"):
        thread.start()
        yield site
        stop.set()
        thread.join(20)


def test_without_a_site_one_is_served_for_as_long_as_the_game_lasts(tmp_path: Path) -> None:
    playing = Playing(tmp_path, *PLAY)
    address = playing.address()
    with sitting_down(address) as (client, path):
        assert client.get(f"{path}/sit/wrong").status_code == 403
        assert play_on(client, path)["state"] == "finished"
        status, told, said = playing.ended()
        with pytest.raises(httpx2.TransportError):
            client.get(path)
    assert status == 0, said
    assert told.splitlines()[:2] == ["CrowsNest, board 7f3a", "S basic  W counter  N person  E counter"]
    assert told.splitlines()[-1].startswith("final ")
    file = tmp_path / ".arena" / "games" / "7f3a-01.arena"
    assert said.splitlines()[-1] == f"replay: {file}"
    transcript = from_json(file.read_bytes())
    verify(transcript)
    assert transcript.bots[2] == "person"
    assert reach(tmp_path / ".arena") is None


def test_a_site_that_runs_has_the_table_and_ctrl_c_leaves_it(tmp_path: Path, serving: Site) -> None:
    found = reach(tmp_path / ".arena")
    assert found is not None
    playing = Playing(tmp_path, *PLAY, "--json")
    address = playing.address()
    assert address.startswith(found.address)
    with sitting_down(address) as (client, path):
        playing.process.send_signal(signal.SIGINT)
        status, told, said = playing.ended()
        assert (status, told) == (130, ""), said
        assert said.endswith("stopped\n")
        assert "Traceback" not in said
        assert play_on(client, path)["state"] == LEFT
    sitting = Sittings(serving.store.database).find(path.rpartition("/")[2])
    assert sitting is not None
    assert sitting.reason == "the person left the table"


def test_ctrl_c_right_after_the_address_leaves_the_table(
    tmp_path: Path, serving: Site, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The table is there from then on, whatever the command is still about to do."""

    def interrupted(*_: object, **_more: object) -> None:
        raise KeyboardInterrupt

    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        with monkeypatch.context() as patch:
            patch.setattr(Store, "open", interrupted)
            assert run([*PLAY, "--data", str(tmp_path / ".arena")]) == 130
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    [seat] = [line for line in capsys.readouterr().err.splitlines() if line.startswith("seat: ")]
    with sitting_down(seat.removeprefix("seat: ")) as (client, path):
        assert play_on(client, path)["state"] == LEFT


def test_only_who_reads_the_data_folder_opens_tables_for_it(serving: Site, tmp_path: Path) -> None:
    found = reach(tmp_path / ".arena")
    assert found is not None
    assert (tmp_path / ".arena" / "locks" / ".site.json").stat().st_mode & 0o777 == 0o600
    wish = {"game": "goat", "bots": [None, "basic", "basic", "basic"], "secret": "0" * 64}
    for key in ("", "Bearer wrong", f"Basic {found.key}", found.key):
        answer = httpx2.post(f"{found.address}/api/tables", json=wish, headers={"authorization": key})
        assert (answer.status_code, answer.json()["data"]["code"]) == (403, "NOT_ALLOWED")
    right = {"authorization": f"Bearer {found.key}"}
    for wrong in ({"bots": ["basic"]}, {"game": "bridge"}, {"bots": [None, None, "basic", "basic"]}, {"secret": "x"}):
        answer = httpx2.post(f"{found.address}/api/tables", json=wish | wrong, headers=right)
        assert answer.status_code == 400, answer.text


WRONG = [
    (("--seat", "4=human"), "USAGE"),
    (("--seat", "1=bot"), "USAGE"),
    (("--seat", "human"), "USAGE"),
    (("--seat", "1=human", "--seat", "2=human"), "USAGE"),
    (("--seat", "1=human", "--n", "2"), "USAGE"),
    (("--seat", "1=human", "--listen", "127.0.0.1:4443"), "USAGE"),
    (("--seat", "1=human", "--sandbox", "none"), "USAGE"),
    (("--seat", "1=human", "--watch"), "USAGE"),
    (("--watch", "--n", "2"), "USAGE"),
    (("--watch", "--json"), "USAGE"),
    (("basic", "basic", "--seat", "1=human"), "WRONG_NUMBER"),
]


@pytest.mark.parametrize(("words", "code"), WRONG, ids=lambda words: " ".join(words) if words else "")
def test_what_does_not_fit_is_said(
    words: tuple[str, ...], code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    json_too = [] if "--json" in words else ["--json"]
    assert run(["play", "goat", "basic", *words, *json_too, "--data", str(tmp_path)]) == 2
    said = json.loads(capsys.readouterr().err)
    assert said["code"] == code
    assert said["fix"]


@pytest.mark.parametrize(
    ("game", "seat", "names", "by_seat"),
    [
        ("crowsnest", 2, ("basic",), ("basic", "basic", None, "basic")),
        ("crowsnest", 2, ("basic", "random"), ("basic", "random", None, "random")),
        ("crowsnest", 1, ("basic", "random"), ("basic", None, "basic", "random")),
        ("crow_and_pitcher", 0, ("basic", "random", "cautious"), (None, "basic", "random", "cautious")),
        ("crow_and_pitcher", 3, ("random",), ("random", "random", "random", None)),
    ],
)
def test_bots_sit_around_the_person(
    game: str, seat: int, names: tuple[str, ...], by_seat: tuple[str | None, ...]
) -> None:
    found = seated(make(game, {}), seat, [find_bot(name) for name in names])
    assert tuple(bot.name if bot is not None else None for bot in found) == by_seat
    with pytest.raises(ConfigError):
        seated(make(game, {}), seat, [find_bot("basic")] * 4)
