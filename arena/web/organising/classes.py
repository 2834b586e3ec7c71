"""Lists of people: pasted as lines or CSV, made into people with links, and results by their student ids."""

from __future__ import annotations

import csv
import io
import secrets
from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from arena.core.errors import ArenaError
from arena.store.accounts import folded
from arena.store.people import LINK_DAYS, BadPerson, People, checked_name, checked_student
from arena.web.sheets import plain

MOST = 500
"""People of one list."""
HEADINGS = {"name": 0, "student": 1, "student id": 1, "id": 1, "student_id": 1}
BIRDS = (
    "Avocet", "Bittern", "Bunting", "Chough", "Coot", "Curlew", "Dipper", "Dunlin", "Egret", "Falcon", "Finch",
    "Gannet", "Godwit", "Grebe", "Harrier", "Heron", "Hoopoe", "Ibis", "Jackdaw", "Kestrel", "Kite", "Knot", "Lapwing",
    "Lark", "Linnet", "Magpie", "Martin", "Merlin", "Nuthatch", "Oriole", "Osprey", "Petrel", "Pipit", "Plover",
    "Puffin", "Quail", "Rail", "Raven", "Robin", "Ruff", "Shrike", "Siskin", "Skua", "Snipe", "Starling", "Stork",
    "Swift", "Teal", "Tern", "Thrush", "Wagtail", "Warbler", "Wigeon", "Wren",
)  # fmt: skip
"""What people of an anonymous class are called."""


class Line(NamedTuple):
    """One person of a list."""

    number: int
    name: str
    student: str


class Made(NamedTuple):
    """One person of a list, with a link."""

    name: str
    student: str
    link: str
    new: bool
    """Whether it was not there before."""


def read(text: str) -> list[Line]:
    """The people of a list: a name a line, or `name,student id` with commas, semicolons or tabs, with or without a
    heading. Raises BadPerson naming the line."""
    try:
        rows = list(csv.reader(io.StringIO(text.strip("\ufeff\n\r ")), delimiter=_delimiter(text)))
    except csv.Error as error:
        raise BadPerson("the list cannot be read as CSV", where="list", saw=str(error), fix="a name a line") from None
    order = (0, 1)
    if rows and {cell.strip().casefold() for cell in rows[0]} & {"name", "student", "student id", "student_id"}:
        words = [cell.strip().casefold() for cell in rows[0]]
        places = {HEADINGS[word]: place for place, word in enumerate(words) if word in HEADINGS}
        order = (places.get(0, 0), places.get(1, -1))
    else:
        words = []
    found: dict[str, Line] = {}
    for number, row in enumerate(rows, 1):
        cells = [cell.strip() for cell in row]
        if not any(cells) or (number == 1 and words):
            continue
        try:
            name = checked_name(cells[order[0]] if order[0] < len(cells) else "")
            student = checked_student(cells[order[1]] if 0 <= order[1] < len(cells) else "")
        except BadPerson as error:
            raise BadPerson(
                f"line {number}: {error.message}", where=f"line {number}", saw=error.saw, fix=error.fix
            ) from None
        if folded(name) in found:
            other = found[folded(name)].number
            raise BadPerson(
                f"line {number}: {name!r} is in line {other} already", where=f"line {number}", fix="tell the two apart"
            )
        found[folded(name)] = Line(number, name, student)
        if len(found) > MOST:
            raise BadPerson(f"the list has more than {MOST} people", where=f"line {number}", fix="paste it in parts")
    if not found:
        raise BadPerson("the list is empty", where="list", fix="a name a line, or  name,student id")
    return list(found.values())


def make(
    people: People, lines: Sequence[Line], *, anonymous: bool, address: str, holds: timedelta = LINK_DAYS
) -> list[Made]:
    """Make them people with links; who is there already gets a new link. `anonymous`: with made-up names, and their
    own as student ids where they have none. `address`: what a link's text is put behind.

    Raises BadPerson, before anything is made, for a name that is an organiser's: such a link is made one by one.
    """
    known = {folded(person.name): person for person in people.all()}
    by_student = {person.student: person for person in known.values() if person.student}
    for line in lines:
        there = known.get(folded(line.name))
        if not anonymous and there is not None and there.is_organiser:
            raise BadPerson(
                f"line {line.number}: {line.name} is an organiser", where=f"line {line.number}", fix="leave it out"
            )
    taken = set(known)
    made = []
    for line in lines:
        student = line.student or (line.name if anonymous else "")
        there = by_student.get(student) if anonymous else known.get(folded(line.name))
        if there is None:
            name = _bird(taken) if anonymous else line.name
            person = people.add(name, student=student)
        else:
            person = there
            if student and student != there.student:
                people.change(there.id, student=student)
            people.restore(there.id)
        made.append(Made(person.name, student, f"{address}{people.link(person.id, holds)}", there is None))
    return made


def links_csv(made: Sequence[Made]) -> str:
    """links.csv: name, student, link."""
    return as_csv(("name", "student", "link"), [(each.name, each.student, each.link) for each in made])


def as_csv(headings: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """CSV of which no cell can be taken for a formula."""
    text = io.StringIO()
    write = csv.writer(text, lineterminator="\r\n")
    write.writerow(headings)
    write.writerows([plain(cell) for cell in row] for row in rows)
    return text.getvalue()


def _delimiter(text: str) -> str:
    first = text.strip().partition("\n")[0]
    return next((mark for mark in ("\t", ";", ",") if mark in first), ",")


def _bird(taken: set[str]) -> str:
    """A name that nobody has, and that says nothing of the order of a list."""
    for _ in range(10_000):
        name = f"{secrets.choice(BIRDS)} {secrets.randbelow(900) + 100}"
        if folded(name) not in taken:
            taken.add(folded(name))
            return name
    raise ArenaError(
        "no made-up name is left", fix="remove people of earlier classes: arena person remove", code="BAD_PERSON"
    )
