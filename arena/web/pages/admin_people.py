"""Pages of organisers about people: lists and links, rights, results by student id."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import Response

from arena.core.errors import ArenaError
from arena.store.people import ROLES, BadPerson, Person
from arena.web.errors import NotFound
from arena.web.organising import acts, classes
from arena.web.organising.acts import checked
from arena.web.organising.frame import Organiser, TheSite, back, framed
from arena.web.organising.handed import Handed
from arena.web.organising.results import HEADINGS, results
from arena.web.people.accounts import link_address, note, people_of
from arena.web.site import Id, Site
from arena.web.submitting.checking import checking_of
from arena.web.viewer import organiser_of

router = APIRouter(prefix="/admin", dependencies=[Depends(organiser_of)])
Reason = Annotated[str, Form(max_length=2000)]


def include(site: Site) -> None:
    """Make the service that several threads ask for."""
    handed_of(site)


def handed_of(site: Site) -> Handed:
    """Lists of links that are kept for a while."""
    return site.service(Handed, lambda _: Handed())


@router.get("/people")
def people(request: Request, site: TheSite) -> Response:
    """Everybody, and the form for a list."""
    return _people(request, site)


@router.post("/people")
def add(
    request: Request,
    site: TheSite,
    viewer: Organiser,
    listed: Annotated[str, Form(max_length=200_000)],
    anonymous: Annotated[str, Form()] = "",
) -> Response:
    """Make a list of people, with links that are shown once."""
    try:
        lines = classes.read(listed)
        address = link_address(request, "x").removesuffix("x")
        made = classes.make(people_of(site), lines, anonymous=bool(anonymous), address=address)
    except BadPerson as error:
        return _people(request, site, listed=listed, wrong=error)
    note(site, viewer, "add people", f"{len(made)} people", "", anonymous=bool(anonymous))
    key = handed_of(site).keep(viewer.person or 0, classes.links_csv(made))
    return _people(request, site, made=made, key=key)


@router.get("/people/links/{key}.csv")
def links(site: TheSite, viewer: Organiser, key: str) -> Response:
    """links.csv of a list that this organiser has just made."""
    text = handed_of(site).get(viewer.person, key)
    if text is None:
        raise NotFound("these links are not kept any more", where="links.csv", fix="paste the list again for new ones")
    return _csv("links.csv", text)


@router.post("/people/{number}/link")
def new_link(request: Request, site: TheSite, viewer: Organiser, number: Id) -> Response:
    """A new link for somebody who lost the way in, shown once; who was revoked may sign in again."""
    person = _person(site, number)
    people_of(site).restore(number)
    text = people_of(site).link(number)
    note(site, viewer, "new link", f"person {number}")
    made = [classes.Made(person.name, person.student, link_address(request, text), False)]
    return _people(request, site, made=made, key=handed_of(site).keep(viewer.person or 0, classes.links_csv(made)))


@router.post("/people/{number}/revoke")
def revoke(site: TheSite, viewer: Organiser, number: Id, reason: Reason) -> Response:
    """Sign somebody out everywhere."""
    acts.revoke(site, viewer, number, checked(reason))
    return back("/admin/people")


@router.post("/people/{number}/role")
def change_role(site: TheSite, viewer: Organiser, number: Id, role: Annotated[str, Form()]) -> Response:
    """Make an author an organiser, or the other way round."""
    person = _person(site, number)
    if role not in ROLES or number == viewer.person:
        raise ArenaError(
            "this role cannot be given",
            where=person.name,
            fix="author or organiser, and not to oneself",
            code="NOT_ALLOWED",
        )
    people_of(site).change(number, role=role)
    note(site, viewer, "give role", f"person {number}", "", role=role)
    return back("/admin/people")


@router.get("/results/{event}.csv")
def event_results(site: TheSite, event: str) -> Response:
    """The table of an event with student ids."""
    return _csv(f"{event}-results.csv", classes.as_csv(HEADINGS, results(site, acts.found(site, event))))


def _person(site: Site, number: int) -> Person:
    found = people_of(site).person(number)
    if found is None:
        raise NotFound("there is no such person", where=f"person {number}")
    return found


def _people(
    request: Request,
    site: Site,
    *,
    listed: str = "",
    made: list[classes.Made] | None = None,
    key: str = "",
    wrong: BadPerson | None = None,
) -> Response:
    last = {each.person: each for each in reversed(checking_of(site).submissions.newest(1000))}
    rows = [(person, last.get(person.id)) for person in people_of(site).all()]
    events = [each.name for each in reversed(site.store.tournaments())]
    shown = framed(
        request,
        site,
        "people.html",
        "People",
        rows=rows,
        listed=listed,
        made=made or [],
        key=key,
        wrong=wrong,
        events=events,
    )
    shown.status_code = 400 if wrong is not None else 200
    return shown


def _csv(name: str, text: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)
