"""The list of bots tells who is out of which event, and whether its faults or an organiser took it out."""

from __future__ import annotations

import re

from fastapi.testclient import TestClient
from web.tournament.events import created

from arena.store.values import DISABLED
from arena.tournament.quarantine import Quarantine
from arena.web.site import Site

OUT = re.compile(r'<span class="state quarantined">(\w+)</span> <span class="dim"><bdi>(.*?)</bdi>')


def test_who_took_a_bot_out_is_no_matter_of_the_words_of_the_reason(site: Site, client: TestClient) -> None:
    spring = created(site.store, "spring", ("fox", "owl"))
    site.store.disable(spring.id, ["fox"], f"it stalls, see {DISABLED}above")
    site.store.add_quarantines(spring.id, [Quarantine("owl", 2, f"3 forfeits (not {DISABLED}by us)", (), ())])
    assert OUT.findall(client.get("/bots").text) == [
        ("disabled", f"spring since round 1: it stalls, see {DISABLED}above"),
        ("quarantined", f"spring since round 2: 3 forfeits (not {DISABLED}by us)"),
    ]
    rows = {row["name"]: row["quarantined"] for row in client.get("/bots.json").json()["data"]["bots"]}
    assert rows["fox"] == [f"spring since round 1: {DISABLED}it stalls, see {DISABLED}above"]
    assert rows["owl"] == [f"spring since round 2: 3 forfeits (not {DISABLED}by us)"]
    for bot, told in (("fox", "disabled"), ("owl", "out")):
        assert f'<span class="state quarantined">{told}</span>' in client.get(f"/bot/{bot}/ratings").text, bot
