"""The table of an event with the student ids of those who own the bots: for marks, and for organisers only."""

from __future__ import annotations

from arena.store.accounts import folded
from arena.store.values import Tournament
from arena.web.people.accounts import people_of
from arena.web.site import Site
from arena.web.standing.service import standing_service

HEADINGS = (
    "student", "person", "bot", "place_low", "place_high", "rating", "rating_low", "rating_high", "points_per_block",
    "wins", "draws", "losses", "blocks", "games", "faults", "provisional",
)  # fmt: skip


def results(site: Site, event: Tournament) -> list[list[object]]:
    """A row for each competitor, in the order of the table; house bots and those of nobody have no student."""
    made = standing_service(site).of(event).data
    owners = {each.name.casefold(): each.owner for each in site.store.registered()}
    entered = {each.name: each.source for each in event.entrants}
    students = {folded(person.name): person for person in people_of(site).all()}
    rows = []
    for row in (made or {}).get("standings", []):
        source = entered.get(row["bot"], "")
        name = source.removeprefix("registered:").partition("@")[0] if source.startswith("registered:") else ""
        owner = owners.get(name.casefold(), "") if name else ""
        person = students.get(folded(owner)) if owner else None
        known = {**row, "student": person.student if person is not None else "", "person": owner}
        rows.append([_cell(known.get(heading)) for heading in HEADINGS])
    return rows


def _cell(value: object) -> object:
    """A value for a CSV cell: faults by code as their sum."""
    return sum(value.values()) if isinstance(value, dict) else value
