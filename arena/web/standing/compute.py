"""Computes all that pages show of a tournament's results, in one go: three documents.

table   arena.ratings/1 without its crosstable, with `details` (`blocks`), `preview`, `outcome`, `bracket`, `evidence`
cross   `crosstable` and `partners`
boards  `boards_data`

and of a series one (`combined_data`). As a program of its own (`python -m arena.web.standing.compute`) it reads
{"place", "tournament"} or {"place", "series"} from standard input and writes them packed to standard output, one line
of base64 each, so that a large table stops no page.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from collections.abc import Sequence
from typing import Any

from arena.rating.data import combined_to_data
from arena.rating.sequential import BOUND, Evidence
from arena.rating.tables import RESAMPLES
from arena.runner.outcome import course_of, outcome_of
from arena.runner.sealing import open_boards
from arena.runner.series import members_of
from arena.runner.standing import out_of, tables_of, tiers_of
from arena.runner.standing_data import combined_of, data_of
from arena.runner.versus import standing_of
from arena.store.snapshots import packed
from arena.store.store import Store
from arena.store.values import State, Tournament
from arena.tournament.bracket import Bracket
from arena.tournament.knockout import Course
from arena.tournament.outcome import outcome_to_data
from arena.web.standing.blocks import boards_data, details, preview

LIVE_RESAMPLES = 200
NICE = 10
KINDS = ("table", "cross", "boards")

Data = dict[str, Any]  # Any: JSON


def computed(store: Store, tournament: Tournament) -> dict[str, Data]:
    """By kind: the documents. Raises ArenaFault for a store that cannot be read."""
    finished = tournament.state is State.FINISHED
    table, against = tables_of(store, tournament, resamples=RESAMPLES if finished else LIVE_RESAMPLES)
    data = data_of(tournament, table, against, tiers_of(store, tournament))
    cross = {"crosstable": data.pop("crosstable"), "partners": data["partners"]}
    outcome = outcome_of(store, tournament)
    course = course_of(store, tournament)
    data["outcome"] = outcome_to_data(outcome) if outcome is not None else None
    data["bracket"] = bracket_data(*course) if course is not None else None
    tested = tournament.config.get("format") == "sequential"
    data["evidence"] = evidence_data(standing_of(store, tournament)) if tested else None
    data["details"] = details(tournament.name, table.blocks, against)
    data["preview"] = []
    if not table.blocks:
        out = out_of(store, tournament)
        data["preview"] = preview(store.rows(tournament.id), table.pool.sides, out.keys())
    opened = open_boards(store, tournament) if table.blocks else frozenset()
    return {"table": data, "cross": cross, "boards": boards_data(table.blocks, opened)}


def combined_data(store: Store, members: Sequence[Tournament]) -> Data:
    """The standing over the members of a series: `combined` is arena.combined/1, or None and `why` says why not."""
    finished = all(each.state is State.FINISHED for each in members)
    resamples = RESAMPLES if finished else LIVE_RESAMPLES
    found, why = combined_of([tables_of(store, each, resamples=resamples)[0] for each in members])
    return {"combined": combined_to_data(found) if found is not None else None, "why": why}


def bracket_data(bracket: Bracket, course: Course) -> list[list[Data]]:
    """The matches of a knockout by stage: title, sides (bots, or where they come from), score, winner, by, rounds."""
    found = []
    for stage in bracket.stages:
        matches = []
        for number in stage:
            match, fate = bracket.matches[number], course.fates[number]
            if fate is None and match.reset:
                continue
            sides = list(fate.sides) if fate is not None else ["", ""]
            matches.append(
                {
                    "title": match.title,
                    "sides": sides,
                    "score": list(fate.score) if fate is not None and fate.rounds else None,
                    "winner": fate.winner if fate is not None else "",
                    "by": fate.by if fate is not None else "",
                    "rounds": list(fate.rounds) if fate is not None else [],
                }
            )
        if matches:
            found.append(matches)
    return found


def evidence_data(found: Evidence) -> Data:
    """How a sequential test stands."""
    return {
        "blocks": found.blocks,
        "mean": found.mean,
        "likelihood": found.likelihood,
        "bound": BOUND,
        "decision": found.decision.value if found.decision is not None else None,
    }


def main() -> None:
    """Compute one tournament and write it out."""
    os.nice(NICE)
    asked = json.load(sys.stdin)
    with Store.open(asked["place"], create=False) as store:
        if "series" in asked:
            found: list[Data] = [combined_data(store, members_of(store, asked["series"]))]
        else:
            tournament = store.tournament(asked["tournament"])
            if tournament is None:
                sys.exit(f"no tournament {asked['tournament']!r}")
            by_kind = computed(store, tournament)
            found = [by_kind[kind] for kind in KINDS]
    for each in found:
        sys.stdout.write(base64.b64encode(packed(each)).decode() + "\n")


if __name__ == "__main__":
    main()
