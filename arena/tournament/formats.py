"""The formats of a tournament by name: how its schedule is made, and which keys of the tournament file are its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from arena.core.errors import ConfigError
from arena.tournament.entry import Entry
from arena.tournament.gauntlet import gauntlet
from arena.tournament.history import History
from arena.tournament.knockout import double_knockout, knockout
from arena.tournament.ladder import ladder
from arena.tournament.partners import mixed_partners, partner_pool
from arena.tournament.round_robin import round_robin
from arena.tournament.running import Running
from arena.tournament.schedule import Schedule
from arena.tournament.sequential import sequential
from arena.tournament.swiss import swiss


class Key(NamedTuple):
    """A key of the tournament file that belongs to formats."""

    accepted: str
    """What is accepted, in words."""
    meaning: str


KEYS: Mapping[str, Key] = {
    "rounds": Key("a whole number from 1 to 1000000", "how many rounds are played"),
    "candidates": Key('a list of names out of bots, like ["fox"]', "who is measured; all others are the panel"),
    "opponents": Key("a name out of bots", "who sits against all others"),
    "extra": Key("a whole number from 0 to 20", "how often a level match goes on before points decide it"),
    "seatings": Key("2 | 4", "how often a board is played by one table of mixed partners"),
    "seeds_from": Key("the name of a tournament that was played here", "whose ratings make the seeds"),
    "open": Key("true | false", "whether every registered bot that plays the game takes part"),
    "per_owner": Key("a whole number from 1 to 4", "most bots of one owner at a table of a free for all"),
}
"""Every key of every format."""
FOUND_OUT = ("owners", "seeds")
"""What is found out when a tournament is stored, and kept with its settings: no keys of the file; see `Entry.keys`."""


class Format(NamedTuple):
    """One format."""

    name: str
    title: str
    make: Callable[[Entry], Schedule]
    """Raises ConfigError for an entry that cannot be played so."""
    keys: tuple[str, ...] = ()
    """Its own keys of the tournament file, out of KEYS."""
    mixed: bool = False
    """Bots are seated one by one and partners are different bots."""
    ladder: bool = False
    """Open-ended: bots come and go, ratings follow them, every round has a secret of its own."""
    history: type[History] = History
    """What its rounds are decided by."""
    least: int = 0
    """Bots that it takes, where these are not as many as a full table; 0: as many."""


FORMATS: Mapping[str, Format] = {
    each.name: each
    for each in (
        Format("round_robin", "everybody meets everybody on the same boards", round_robin, ("per_owner",)),
        Format("gauntlet", "candidates against a panel on the same boards", gauntlet, ("candidates", "per_owner")),
        Format("swiss", "who has done equally well meets, nobody twice", swiss, ("rounds", "per_owner")),
        Format("knockout", "who loses a match is out", knockout, ("extra", "seeds_from")),
        Format("double_knockout", "who loses two matches is out", double_knockout, ("extra", "seeds_from")),
        Format(
            "mixed_partners",
            "everybody with and against everybody, one by one",
            mixed_partners,
            ("seatings",),
            mixed=True,
        ),
        Format(
            "partner_pool",
            "with strangers and with itself against the same opponents",
            partner_pool,
            ("candidates", "opponents"),
            mixed=True,
            least=3,
        ),
        Format(
            "ladder",
            "open-ended: who comes plays, most where most is to be learned",
            ladder,
            ("open", "per_owner"),
            ladder=True,
            history=Running,
        ),
        Format("sequential", "one candidate until a sequential test has decided", sequential, ("candidates",)),
    )
}


def make_schedule(format: str, entry: Entry) -> Schedule:
    """The schedule of an entry. Raises ConfigError when it cannot be played, or for an unknown format."""
    found = FORMATS.get(format)
    if found is None:
        raise ConfigError(f"no format {format!r}", fix=f"accepted: {' | '.join(FORMATS)}")
    return found.make(entry)


def keys_of_format(format: str, values: Mapping[str, Any]) -> dict[str, Any]:  # Any: JSON
    """Of the settings of a tournament those that are the format's own, and what was found out."""
    return {key: values[key] for key in (*FORMATS[format].keys, *FOUND_OUT) if values.get(key) is not None}
