"""The parts of a table as HTML: a fact, a hand, a seat, a trick, what lies beside. Knows scenes and cards, no game.

A table is drawn several hundred times for one exported game, so that this is code and no template. Every text that is
not markup of this module goes through `escape`.
"""

from __future__ import annotations

from functools import lru_cache

from markupsafe import escape

from arena.web.table import cards
from arena.web.table.scene import YOU, Aside, CardFace, Fact, Play, Scene, SeatScene, Trick


def bdi(text: str) -> str:
    """A text that may be somebody's, escaped and kept apart from the direction of its surroundings."""
    return f"<bdi>{escape(text)}</bdi>"


def fact(told: Fact, family: str) -> str:
    """A fact of the header."""
    sign = f" {escape(told.sign)}" if told.sign else ""
    suit = f"{cards.suit_mark(told.suit, family)} " if told.suit else ""
    return f'<div class="fact{sign}"><dt>{escape(told.label)}</dt> <dd>{suit}{bdi(told.value)}</dd></div>\n'


@lru_cache(maxsize=4096)
def face(shown: CardFace, family: str, game: str, *, locked: bool = False, name: str | None = None) -> str:
    """A card that is seen, with the word under it. `name` instead of its own in words."""
    told = shown.told if name is None else name
    drawn = cards.card(shown.text, family, game=game, trump=shown.trump, locked=locked, name=told)
    return f"{drawn}{_mark(shown)}"


def _mark(shown: CardFace) -> str:
    return f'<span class="card-mark" aria-hidden="true">{escape(shown.mark)}</span>' if shown.mark else ""


@lru_cache(maxsize=256)
def backs(count: int, family: str) -> str:
    """Cards face down."""
    drawn = str(cards.card(cards.BACK, family, name="")) * count
    return (
        f'<div class="backs" role="img" aria-label="{count} card{"s" if count != 1 else ""} face down">\n'
        f'{drawn}<span class="count" aria-hidden="true">{count}</span></div>\n'
    )


def choice(shown: CardFace, place: int, family: str, game: str) -> str:
    """A card that may be chosen, or may not and says why."""
    text, reason = escape(shown.text), escape(shown.reason)
    more = f' data-reason="{reason}" aria-describedby="why-{text}"' if shown.reason else ""
    more += f' data-preview="{escape(shown.preview)}"' if shown.preview else ""
    return (
        f'<button type="button" class="card-button{"" if shown.legal else " locked"}" data-card="{text}"'
        f' data-place="{place}" aria-pressed="false" aria-disabled="{"false" if shown.legal else "true"}"'
        f' aria-label="{escape(shown.told)}"{more}>\n{face(shown, family, game, locked=not shown.legal, name="")}\n'
        f"</button>" + (f'<span class="why" id="why-{text}">{reason}</span>' if shown.reason else "")
    )


def hand(seat: SeatScene, cards_seen: tuple[CardFace, ...], scene: Scene) -> str:
    """The open cards of a seat."""
    family, game = scene.family, scene.game
    fan = " fan" if seat.place != "bottom" or not scene.choosing else ""
    drawn = [
        f"<li{_marked(shown)}>"
        f"{face(shown, family, game) if shown.legal is None else choice(shown, place, family, game)}</li>\n"
        for place, shown in enumerate(cards_seen, 1)
    ]
    return (
        f'<ul class="hand{fan}" aria-label="Hand of {escape(seat.mark)} {escape(seat.name)}, {seat.count}'
        f' card{"s" if seat.count != 1 else ""}">\n{"".join(drawn)}</ul>\n'
    )


def _marked(shown: CardFace) -> str:
    return ' class="marked"' if shown.mark else ""


def seat(told: SeatScene, scene: Scene) -> str:
    """A seat: who sits there, what it has done, its cards."""
    who = [f'<p class="who"><b class="seat-mark">{escape(told.mark)}</b> ']
    who += [bdi(told.name)] if told.name != told.mark else []
    if told.relation and told.name != YOU:
        who.append(f' <span class="relation">{escape(told.relation)}</span>')
    who += [f' <span class="chip">{word}</span>' for word in ("dealer", "declarer") if getattr(told, word)]
    if told.to_move:
        turn = "your turn" if told.relation == "you" else "to move"
        who.append(f' <span class="chip turn-chip">{turn}</span>')
    facts = [f"<div><dt>{escape(each.label)}</dt> <dd>{escape(each.value)}</dd></div>" for each in told.facts]
    if told.calls:
        heading, said = "bids" if scene.family == "rook" else "said", " · ".join(map(escape, told.calls))
        facts.append(f'<div class="calls"><dt>{heading}</dt> <dd>{said}</dd></div>')
    listed = f'<dl class="seat-facts">\n{"".join(facts)}</dl>\n' if facts else ""
    own = backs(told.count, scene.family) if told.hand is None else hand(told, told.hand, scene)
    return (
        f'<div class="seat{" turn" if told.to_move else ""}" data-seat="{told.seat}" data-place="{told.place}">\n'
        f"{''.join(who)}</p>\n{listed}{own}</div>\n"
    )


def play(told: Play, scene: Scene, *, complete: bool) -> str:
    """What one seat put down."""
    family, game = scene.family, scene.game
    down = " face-down" if told.backs or told.hidden else ""
    texts = f' data-card="{escape(" ".join(shown.text for shown in told.cards))}"' if told.cards else ""
    put = []
    for place, shown in enumerate(told.cards):
        answers = f' answers" title="{escape(told.pairs[place])}"' if told.pairs else '"'
        put.append(f'<span class="put-card{answers}>{face(shown, family, game)}</span>')
    put += [backs(told.backs, family)] if told.backs else []
    says = ""
    if told.wins or told.pairs:
        pairs = f'<span class="pairs">{escape(", ".join(told.pairs))}</span>' if told.pairs else ""
        takes = f' <span class="takes">{"took" if complete else "takes"}</span>' if told.wins else ""
        says = f'<span class="says">{pairs}{takes}</span>\n'
    classes = f"play{' wins' if told.wins else ''}{down}"
    mark, did = escape(told.mark), escape(told.did)
    return (
        f'<li class="{classes}" data-seat="{told.seat}" data-place="{told.place}"{texts}>\n'
        f'<span class="by"><b class="seat-mark">{mark}</b> <span class="did">{did}</span></span>\n'
        f'<span class="put">\n{"".join(put)}</span>\n{says}</li>\n'
    )


def trick(told: Trick | None, scene: Scene) -> str:
    """The middle of the table: a trick, or what is going on."""
    if told is None:
        return f'<div class="trick cross">\n<p class="line">{bdi(scene.status or scene.phase)}</p>\n</div>\n'
    pitcher = cards.pitcher(told.pitcher) if told.pitcher is not None else ""
    note = f'<p class="trick-note">{escape(told.note)}</p>' if told.note else ""
    plays = "".join(f"{play(each, scene, complete=told.complete)}\n" for each in told.plays)
    line = bdi(told.line) if told.line else "" if told.plays else f"trick {told.number}, no card yet"
    return (
        f'<div class="trick{" ladder" if told.ladder else " cross"}" data-number="{told.number}">\n{pitcher}{note}'
        f'<ol class="plays" aria-label="Trick {told.number}">\n{plays}</ol>\n<p class="line">{line}</p>\n</div>\n'
    )


def aside(told: Aside, scene: Scene, label: str) -> str:
    """Cards and lines beside the table."""
    faces = "".join(f"<li>{face(shown, scene.family, scene.game)}</li>" for shown in told.cards)
    listed = f'<ul class="hand fan small">{faces}</ul>' if told.cards else ""
    hidden = backs(told.backs, scene.family) if told.backs else ""
    lines = "".join(f'<p class="aside-line">{bdi(line)}</p>' for line in told.lines)
    if len(told.lines) > 4:
        count = len(told.lines)
        lines = f'<details><summary class="aside-line">{count} lines</summary>\n{lines}</details>\n'
    named = f"{label}: " if label else ""
    return (
        f'<section class="aside" aria-label="{escape(named)}{escape(told.heading)}">'
        f'<p class="aside-heading">{bdi(told.heading)}</p>\n{listed}{hidden}{lines}</section>\n'
    )
