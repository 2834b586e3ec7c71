"""The stored games of tournaments as a source: whole where their board is open, else what may be said of them."""

from __future__ import annotations

import re
import time
from dataclasses import replace

from arena.core.errors import TranscriptError
from arena.match.clock import Clock
from arena.record.codes import CODES
from arena.record.results import GameKey, Verdict
from arena.record.transcript import from_data, without_words
from arena.runner.course import stored_schedule
from arena.runner.sealing import Seals, boards_text, sealed_until
from arena.store.store import Store
from arena.store.values import ORGANISER, WITH_ITS_BLOCK, FullGame, State, Tournament, Void
from arena.tournament.schedule import Fixed
from arena.web.games.notes import readable_notes
from arena.web.games.source import Closed, Found, Open, Where
from arena.web.site import Site
from arena.web.viewer import Viewer

ID = re.compile(r"([A-Za-z0-9_-]{1,64})-r([0-9]{1,9})-b([0-9]{1,9})-t([0-9]{1,9})-([0-9]{1,4})")
"""As `public_id` writes it; seatings count from 1."""
SEALS_S = 5
"""So long the seals of a tournament are kept."""
VOID_WORDS = {
    WITH_ITS_BLOCK: "another game of its block was void",
    ORGANISER: "the organiser declared it void",
}


def find_stored(site: Site, public_id: str, viewer: Viewer) -> Found | None:
    """A game of a tournament; None where no such game was ever finished."""
    matched = ID.fullmatch(public_id)
    if matched is None:
        return None
    full = site.store.game(public_id)
    tournament = site.store.tournament(full.info.tournament if full is not None else matched[1])
    if tournament is None:
        return None
    if full is None:
        round_, board, table, seating = map(int, matched.groups()[1:])
        return _void(site.store, tournament, public_id, GameKey(round_, board, table, seating - 1))
    return _finished(site, tournament, full, viewer)


class RecentSeals:
    """The seals of tournaments that go on, each for a few seconds: what has just opened is shown that much later."""

    def __init__(self, _site: Site) -> None:
        self._known: dict[int, tuple[float, Seals]] = {}

    def of(self, store: Store, tournament: Tournament) -> Seals:
        """Those of a tournament."""
        known, now = self._known.get(tournament.id), time.monotonic()
        if known is not None and known[0] > now:
            return known[1]
        made = Seals(store, tournament)
        self._known[tournament.id] = (now + SEALS_S, made)
        return made


def seals_of(site: Site, tournament: Tournament) -> Seals:
    """The seals of a tournament, at most a few seconds old."""
    return site.service(RecentSeals, RecentSeals).of(site.store, tournament)


def where_of(tournament: Tournament, key: GameKey) -> Where:
    """The place of a game."""
    return Where(tournament.name, key.round, key.board, key.table, key.seating + 1)


def clock_of(tournament: Tournament) -> Clock:
    """The clock of a stored tournament."""
    told = tournament.config["clock"]
    return Clock(*(round(told[name] * 1000) for name in ("bank", "increment", "cap")))


def _finished(site: Site, tournament: Tournament, full: FullGame, viewer: Viewer) -> Found:
    """A stored game."""
    store, info, key = site.store, full.info, full.info.row.key
    names = tuple(bot.partition("@")[0] for bot in info.row.bots)
    scores = tuple((name, f"{score:g}") for name, score in zip(names, info.row.scores, strict=bool(info.row.scores)))
    closed = Closed(info.public_id, "", "", names, where_of(tournament, key), results=scores)
    waiting = "" if tournament.state is State.FINISHED else sealed_until(store, tournament, key.board)
    if waiting:
        return replace(
            closed,
            state="sealed",
            line=f"Finished. Its cards are sealed until {waiting}{_to_go(store, tournament, key)}.",
        )
    if info.row.verdict is Verdict.VOID:
        return _nobody_started(closed, full)
    if full.pruned is not None:
        line = f"Its transcript was removed on {full.pruned:%Y-%m-%d} by retention; the result stays."
        return replace(closed, state="removed", line=line, status=410)
    try:
        transcript = from_data(dict(full.game.result.transcript), where=info.public_id)
    except TranscriptError as error:
        return replace(closed, state="unreadable", line=f"Its transcript cannot be read: {error.message}.", status=500)
    remarks = [f"Attempt {info.attempt}: earlier ones were void and count for nobody."] if info.attempt > 1 else []
    sealed_with = (
        frozenset()
        if tournament.state is State.FINISHED
        else seals_of(site, tournament).sealed_with(key.round, key.table)
    )
    if sealed_with:
        transcript = without_words(transcript)
        remarks.append(f"Notes and details of faults open when all tables have played {boards_text(sealed_with)}.")
    return Open(
        public_id=info.public_id,
        transcript=transcript,
        edition=f"{info.attempt}/{info.stored.isoformat()}/{'sealed' if sealed_with else ''}",
        where=where_of(tournament, key),
        clock=clock_of(tournament),
        notes=readable_notes(store, tournament, info.row.bots, viewer),
        remarks=tuple(remarks),
    )


def _to_go(store: Store, tournament: Tournament, key: GameKey) -> str:
    """How many games of a board are still to be played: " (4 to go)"."""
    schedule = stored_schedule(tournament)
    if not isinstance(schedule, Fixed):
        return ""
    done = len(store.games(tournament.name, board=key.board, limit=None))
    return f" ({schedule.games_on(key.board) - done} to go)"


def _nobody_started(closed: Closed, full: FullGame) -> Closed:
    """A game for which no bot could start: who was at fault, and where their owners find what they wrote."""
    facts, links = [], []
    for seat, code in full.info.forfeits:
        meaning = CODES[code].meaning if code in CODES else ""
        facts.append((closed.names[seat], f"{code}: {meaning}" if meaning else code))
        links.append(
            (
                f"what {closed.names[seat]} wrote (for its owner)",
                f"/bot/{closed.names[seat]}/logs?game={closed.public_id}",
            )
        )
    unique = tuple(dict.fromkeys(links))
    line = "The bots could not start: the game counts for nobody."
    return replace(closed, state="failed", line=line, facts=tuple(dict.fromkeys(facts)), results=(), links=unique)


def _void(store: Store, tournament: Tournament, public_id: str, key: GameKey) -> Closed | None:
    """A game that was void and is not, or not yet, played again."""
    found: Void | None = None
    for info in store.voids(tournament.id):
        if info.void.key == key:
            found = info.void
    if found is None:
        return None
    names = tuple(bot.partition("@")[0] for bot in found.bots)
    over = tournament.state in (State.FINISHED, State.FAILED)
    after = "it was not played again" if over else "it will be played again, under this address"
    reason = VOID_WORDS.get(found.reason, CODES[found.reason].meaning if found.reason in CODES else found.reason)
    said = found.evidence.get("reason") if found.reason == ORGANISER else None
    facts = [("reason", f"{found.reason}: {reason}"), ("attempt", str(found.attempt))]
    facts += [("in words", str(said))] if said else []
    links = [(f"board {key.board} at the other tables", f"/t/{tournament.name}/b/{key.board}")]
    line = f"Void: it counts for nobody; {after}."
    return Closed(public_id, "void", line, names, where_of(tournament, key), facts=tuple(facts), links=tuple(links))
