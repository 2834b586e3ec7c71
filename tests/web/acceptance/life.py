"""One site with life in it: events that are over or half played, a live game, people, what bots sent and said.

Everything is made in this process within a few seconds; texts of bots and persons are hostile wherever they may be.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from record.compare.boards import SECRET, a_game, random_table
from web.game.cups import CONFIG, filled
from web.live.running import Running
from web.tournament.events import FORMATS, event

from arena.core import options
from arena.core.game import AnyGame
from arena.record.results import Fault, FaultClass, GameKey, GameResult, Verdict
from arena.record.transcript import to_data
from arena.store.audit import Audit
from arena.store.people import ORGANISER, People
from arena.store.sessions import Sessions
from arena.store.site_settings import SiteSettings
from arena.store.sittings import FINISHED, Sittings
from arena.store.submissions import Status, Submissions
from arena.store.values import Entrant, NewTournament, State, StoredGame, Tournament, public_id
from arena.tournament.entry import Entry
from arena.tournament.formats import make_schedule
from arena.tournament.quarantine import Quarantine
from arena.tournament.schedule import Fixed, keys_of
from arena.web.site import Settings, Site

HOSTILE = "</td></script><script>window.stolen=1</script>\u202e<img src=x onerror=window.stolen=1>=1+1"
"""Whatever a bot or a person may write."""
LOG = HOSTILE.encode() + b"\x1b[2J\x07 my plan\nsecond line \xff\n"
OWNED, ORGANISERS, AUTHORS = "fox", "Olga", "Ada"
SITTING = "play-2345abcdefgh"
GONE = "rude"
RATED, HALF, LIVE = "winter", "half", "half-r1-b2-t3-2"
"""Events: with ratings; with board 1 open and board 2 sealed; and the last game of that, which runs."""
BOARDS = 51
"""So many that bots which met two others have enough blocks to be rated."""
UNREADABLE = ("knockout", "swiss", "gauntlet")
"""Events whose games have scores and no moves."""


class Life(NamedTuple):
    """The site and what is found on it."""

    site: Site
    submission: str
    """The id of a refused one."""
    running: Running


def a_cup(
    site: Site,
    name: str,
    family: str,
    bots: tuple[str, ...],
    *,
    boards: int = 1,
    leave: int = 0,
    state: State = State.FINISHED,
    secret: bytes = SECRET,
) -> Tournament:
    """A round robin of random moves, without its last `leave` games."""
    game = a_game(family)
    entrants = tuple(Entrant(each, sha256(each.encode()).hexdigest(), f"bots/{each}") for each in bots)
    config = {**CONFIG, "format": "round_robin", "boards": boards}
    new = NewTournament(name, game.id, game.version, options.canonical(game.ruleset), config, secret, entrants)
    made = site.store.create_tournament(new)
    schedule = make_schedule("round_robin", Entry(bots, len(game.sides), boards, secret, seats=game.seats))
    assert isinstance(schedule, Fixed)
    site.store.set_state(made.id, State.RUNNING)
    number, left = 1, schedule.totals().games - leave
    while (bouts := schedule.round(number)) is not None:
        keys = [(bout, key) for bout in bouts for key in keys_of(bout)]
        site.store.open_round(made.id, number, bots, len({(key.table, key.board) for _, key in keys}), len(keys))
        found = []
        for bout, key in keys[:left]:
            seated = tuple(bout.side(key.board, key.seating, game.side_of(seat)) for seat in range(game.seats))
            found.append(_played(game, name, key, seated))
        site.store.add_games(made.id, found)
        left -= len(found)
        if len(found) == len(keys):
            site.store.close_round(made.id, number)
        number += 1
    site.store.set_state(made.id, state)
    return made


def _played(game: AnyGame, cup: str, key: GameKey, bots: tuple[str, ...]) -> StoredGame:
    public = public_id(cup, key)
    transcript = replace(random_table(game, public, board=key.board).transcript, public_id=public, bots=bots)
    late = bots.index(OWNED) if OWNED in bots else 0
    faults = (Fault(late, "LATE", FaultClass.DECISION, 7, 5200, HOSTILE),) if key.board == 1 else ()
    scores, ranks, breaks = transcript.scores, transcript.ranks, transcript.tiebreaks
    result = GameResult(Verdict.FINISHED, scores, ranks, breaks, (), faults, to_data(transcript))
    return StoredGame(key, bots, result, "D", 40)


def lived(folder: Path) -> None:
    """Make everything in a folder of its own, but for the game that runs."""
    site = filled(folder)
    store = site.store
    store.register(OWNED, "1" * 64, {"name": OWNED, "games": ["*"], "author": HOSTILE}, HOSTILE, AUTHORS)
    store.register(OWNED, "2" * 64, {"name": OWNED, "games": ["goat"]}, "better leads", AUTHORS)
    winter = a_cup(site, RATED, "goat", (OWNED, "owl", "elk", "hare"), boards=BOARDS)
    a_cup(site, HALF, "crowsnest", (OWNED, "owl", GONE), boards=2, leave=1, state=State.RUNNING)
    for name in UNREADABLE:
        event(store, name, format=name, **FORMATS[name])
    store.add_quarantines(winter.id, [Quarantine("hare", 2, f"three {HOSTILE}", (GameKey(1, 1, 1, 0),), ("CRASH",))])
    store.register(GONE, "3" * 64, {"name": GONE}, "", "Bo")
    store.remove("bot", GONE, f"it cheated {HOSTILE}")
    logs = folder / "logs" / RATED
    logs.mkdir(parents=True)
    (logs / f"{OWNED}-r1-t1-g1-1-1.log").write_bytes(LOG)
    _people(site)
    store.close()


def living(folder: Path) -> Life:
    """Open the site of such a folder, and let a game run."""
    site = Site.open(Settings(folder, folder))
    [submission] = Submissions(site.store.database).newest()
    running = Running(folder, LIVE)
    running.move(9)
    return Life(site, submission.public_id, running)


def _people(site: Site) -> None:
    """An organiser, an author with a token and a refused submission, a person's finished game."""
    people, database = People(site.store.database), site.store.database
    SiteSettings(database).set("open_signup", "code")
    people.add(ORGANISERS, ORGANISER)
    ada = people.add(AUTHORS, student=f"17 {HOSTILE[:40]}")
    Audit(database).note(ada.id, AUTHORS, "retire", "fox v1", HOSTILE)
    Sessions(database).issue(ada.id, HOSTILE)
    submissions = Submissions(database)
    sent = submissions.add(ada.id, "", "4" * 64, 1234, HOSTILE, {"shown": HOSTILE})
    error = {"error": HOSTILE, "where": HOSTILE, "saw": HOSTILE, "fix": "mend it", "code": "BAD_MANIFEST"}
    step: dict[str, Any] = {"number": 1, "name": "start", "state": "failed", "text": HOSTILE, "seconds": 0.4}
    step |= {
        "output": [HOSTILE],
        "code": "CRASH",
        "where": "main.py",
        "fix": "see the output",
        "sent": {"text": HOSTILE},
    }
    submissions.finish(sent.id, Status.REFUSED, {"shown": HOSTILE, "steps": [step], "error": error})
    game = a_game("crow_and_pitcher")
    transcript = replace(
        random_table(game, SITTING).transcript, public_id=SITTING, bots=("", "basic", "basic", "basic")
    )
    sittings = Sittings(database)
    rules = options.to_data(game.ruleset)
    sittings.add(SITTING, game=game.id, ruleset=rules, secret=SECRET, bots=transcript.bots, seat=0, key="k")
    sittings.end(SITTING, FINISHED, transcript=to_data(transcript))
