"""What organisers do, each written down with who, what, why and when; and how it is undone where it can be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from arena.core.errors import ArenaError
from arena.runner import redress
from arena.store.audit import Entry
from arena.store.values import BotState, Tournament
from arena.web.errors import NotFound
from arena.web.organising import event_acts
from arena.web.people.accounts import audit_of, choices_of, note, people_of
from arena.web.site import Site
from arena.web.viewer import Viewer

RETIRE, CHOOSE, REVOKE = "retire", "choose", "revoke person"


def retire(site: Site, viewer: Viewer, name: str, number: int, reason: str) -> None:
    """Retire one version of a bot. Raises NotFound when it is not there or is not ready."""
    gone = site.store.retire(name, number)
    if not gone:
        raise NotFound(
            f"no version {number} of {name!r} is ready", where=f"{name}@{number}", fix="it was retired before"
        )
    note(site, viewer, RETIRE, f"{gone[0].name}@{number}", reason, bot=gone[0].name, number=number)


def lift(site: Site, viewer: Viewer, event: str, bot: str, reason: str) -> None:
    """Lift a quarantine. Raises NotFound, and as `redress.lift`."""
    redress.lift(event_acts.desk_of(site, viewer), found(site, event), bot, reason)


def void(site: Site, viewer: Viewer, event: str, game: str, reason: str) -> int:
    """Declare the block of a game void; how many games that were. Raises NotFound, and as `redress.void_game`."""
    return redress.void_game(event_acts.desk_of(site, viewer), found(site, event), game, reason).games


def choose(site: Site, viewer: Viewer, name: str, value: Any) -> None:  # Any: JSON
    """Choose a setting of the site."""
    choices = choices_of(site)
    before = choices.get(name)
    if before != value:
        choices.set(name, value)
        note(site, viewer, CHOOSE, name, "", name=name, before=before, after=value)


def revoke(site: Site, viewer: Viewer, number: int, reason: str) -> None:
    """Sign a person out everywhere, for good. Raises NotFound, ArenaError for oneself."""
    person = people_of(site).person(number)
    if person is None:
        raise NotFound("there is no such person", where=f"person {number}")
    if number == viewer.person:
        raise ArenaError(
            "you would lock yourself out", where=person.name, fix="let another organiser do it", code="NOT_ALLOWED"
        )
    people_of(site).revoke(number)
    note(site, viewer, REVOKE, f"person {number}", reason, person=number)


def undo(site: Site, viewer: Viewer, number: int) -> None:
    """Undo what an entry of the log did. Raises NotFound when it cannot be, or was."""
    entry = audit_of(site).entry(number)
    if entry is None or entry.action not in UNDOES or entry.undone is not None:
        raise NotFound("this cannot be undone", where=f"entry {number}", fix="it was undone before, or never can be")
    UNDOES[entry.action](site, entry.data)
    audit_of(site).undo(number)
    note(site, viewer, f"undo {entry.action}", entry.target, "", entry=number)


def _ready_again(site: Site, data: Mapping[str, Any]) -> None:
    for each in site.store.registered(data["bot"]):
        if each.number == data["number"] and each.state is BotState.RETIRED:
            site.store.register(each.name, each.version, each.manifest, each.message, each.owner)


def _choose_before(site: Site, data: Mapping[str, Any]) -> None:
    choices_of(site).set(data["name"], data["before"])


def _restore(site: Site, data: Mapping[str, Any]) -> None:
    people_of(site).restore(data["person"])


UNDOES: Mapping[str, Callable[[Site, Mapping[str, Any]], None]] = {
    RETIRE: _ready_again, CHOOSE: _choose_before, REVOKE: _restore,
    **event_acts.UNDOES,
}  # fmt: skip
"""By action: what undoes it, from the entry's data. Any: JSON."""


def can_undo(entry: Entry) -> bool:
    """Whether an entry can be undone yet."""
    return entry.action in UNDOES and entry.undone is None


def found(site: Site, event: str) -> Tournament:
    """The tournament of a name. Raises NotFound."""
    tournament = site.store.tournament(event)
    if tournament is None:
        raise NotFound(f"there is no tournament {event!r}", where="/admin/events", fix="names are on /t")
    return tournament


def checked(reason: str) -> str:
    """A reason as it is kept. Raises ArenaError without one."""
    text = " ".join(reason.split())
    if not text or len(text) > 500:
        raise ArenaError(
            "a reason is needed", where="reason", fix="1 to 500 characters; those concerned read it", code="USAGE"
        )
    return text
