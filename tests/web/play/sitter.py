"""A person at a table by requests alone, in place of a browser."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

from fastapi.testclient import TestClient

JSON = {"accept": "application/json"}
LIMIT_S = 30.0
OVER = ("finished", "left", "void")


class Sitter:
    """Deals a table with a form and sits in its seat; `key` is the cookie that opens it."""

    def __init__(self, client: TestClient, **form: str) -> None:
        self.client = client
        answer = client.post("/play", data={"pace": "fast", **form}, follow_redirects=False)
        assert answer.status_code == 303, answer.text
        self.path = answer.headers["location"]
        self.id = self.path.rpartition("/")[2]
        self.cookie = answer.headers["set-cookie"]
        self.key = self.cookie.partition(";")[0].partition("=")[2]
        client.cookies.clear()
        self.steps: list[dict[str, Any]] = []
        self.news: dict[str, Any] = {}

    def _cookies(self, key: str | None) -> dict[str, str]:
        return {**JSON, "cookie": f"seat_key={self.key if key is None else key}"}

    def look(self, after: int = -1, key: str | None = None) -> dict[str, Any]:
        """What came after a position; with `key` as somebody else."""
        answer = self.client.get(f"{self.path}/steps?after={after}", headers=self._cookies(key))
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def take(self) -> dict[str, Any]:
        """Take what is new."""
        self.news = self.look(len(self.steps) - 1)
        self.steps += self.news["steps"]
        return self.news

    def wait(self, ready: Callable[[dict[str, Any]], bool] | None = None) -> dict[str, Any]:
        """Wait for a turn of one's own, for the end, or for what is asked for."""
        began = time.monotonic()
        while True:
            news = self.take()
            whole = len(self.steps) == news.get("latest", -1) + 1
            if ready(news) if ready is not None else whole and (news["waiting"] is not None or news["state"] in OVER):
                return news
            assert time.monotonic() - began < LIMIT_S, news
            time.sleep(0.02)

    def send(self, turn: int, move: str, then: str = "", key: str | None = None) -> Any:  # Any: a response
        """Answer a turn."""
        sent = {"turn": turn, "move": move, "then": then, "after": len(self.steps) - 1}
        return self.client.post(f"{self.path}/move", json=sent, headers=self._cookies(key))

    def play(self, choose: Callable[[dict[str, Any]], tuple[str, str]]) -> dict[str, Any]:
        """Play to the end: `choose` makes of a position's choice a move, and what follows it."""
        while (news := self.wait())["waiting"] is not None:
            move, then = choose(self.steps[-1]["choice"])
            answer = self.send(news["waiting"], move, then)
            assert answer.json()["taken"] == "played", answer.text
        return news


def first(choice: dict[str, Any]) -> tuple[str, str]:
    """The first legal move; after a discard the first suit held is trump."""
    legal = choice["legal"]
    if isinstance(legal, list):
        return legal[-1] if choice["kind"] == "auction" else legal[0], ""
    return " ".join([legal["kind"], *legal["from"][: legal["choose"]]]), f"trump {next(iter(choice['held']))}"


def cards_in(markup: str) -> set[str]:
    """The texts of all cards that are drawn in some markup."""
    return set(re.findall(r'href="#card-([A-Z0-9]+|back)"', markup))
