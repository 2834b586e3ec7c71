"""A scene as headings and lines: what `?text=1` shows and what a screen reader may read whole. Knows no game."""

from __future__ import annotations

from collections.abc import Iterable

from arena.web.table.scene import Aside, CardFace, Play, Scene, SeatScene, Trick

Sections = list[tuple[str, list[str]]]
"""Headings with their lines, plain text that is not escaped."""


def as_text(scene: Scene) -> Sections:
    """Everything the picture of a scene shows, in reading order: table, seats, trick, last trick, what lies beside."""
    table = [*scene.notes, *(f"{fact.label}: {fact.value}" for fact in scene.header)]
    if scene.status:
        table.append(scene.status)
    sections = [(scene.title, table)]
    sections += [(_heading(seat), _seat(seat)) for seat in scene.seats]
    if scene.trick is not None:
        sections.append((f"Trick {scene.trick.number}", _trick(scene.trick)))
    if scene.last is not None:
        sections.append((f"Trick {scene.last.number}, the last one", _trick(scene.last)))
    return sections + [(_capital(aside.heading), _aside(aside)) for aside in scene.asides]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _who(mark: str, name: str) -> str:
    return mark if name in ("", mark) else f"{mark} {name}"


def _heading(seat: SeatScene) -> str:
    marks = [seat.relation, "dealer" if seat.dealer else "", "declarer" if seat.declarer else ""]
    marks += ["to move" if seat.to_move else ""]
    return ", ".join([_who(seat.mark, seat.name), *(mark for mark in marks if mark)])


def _cards(faces: Iterable[CardFace]) -> str:
    return "; ".join(face.told + (f" ({face.reason})" if face.reason else "") for face in faces)


def _down(count: int) -> str:
    return f"{count} card{'' if count == 1 else 's'} face down"


def _seat(seat: SeatScene) -> list[str]:
    lines = [f"{fact.label}: {fact.value}" for fact in seat.facts]
    if seat.calls:
        lines.append("said: " + ", ".join(seat.calls))
    if seat.hand is None:
        return [*lines, _down(seat.count)]
    return [*lines, f"hand of {seat.count}: {_cards(seat.hand)}" if seat.hand else "no cards left"]


def _play(play: Play) -> str:
    parts = [_cards(play.cards)] if play.cards else []
    parts += [_down(play.backs)] if play.backs else []
    pairs = f" ({', '.join(play.pairs)})" if play.pairs else ""
    return f"{_who(play.mark, play.name)} {play.did} {', '.join(parts)}{pairs}"


def _trick(trick: Trick) -> list[str]:
    lines = [f"pitcher {trick.pitcher}"] if trick.pitcher is not None else []
    lines += [trick.note] if trick.note else []
    lines += [_play(play) for play in trick.plays] or ["no card yet"]
    return lines + ([trick.line] if trick.plays and trick.line else [])


def _aside(aside: Aside) -> list[str]:
    lines = [_cards(aside.cards)] if aside.cards else []
    return [*lines, *([_down(aside.backs)] if aside.backs else []), *aside.lines]
