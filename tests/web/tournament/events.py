"""Events of every format in a store, played by a rule at once: stronger bots make more, no card is dealt."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from arena.core import options
from arena.games import make
from arena.record.results import Bout, Fault, FaultClass, GameKey, GameResult, Verdict
from arena.runner.course import format_of, stored_pool, stored_schedule
from arena.store.store import Store
from arena.store.values import Entrant, NewTournament, State, StoredGame, Tournament
from arena.tournament.schedule import keys_of

BOTS = ("fox", "owl", "elk", "hare")
FORMATS: dict[str, dict[str, Any]] = {
    "round_robin": {},
    "free_for_all": {"format": "round_robin", "game": "crow_and_pitcher"},
    "gauntlet": {"candidates": ["fox"]},
    "swiss": {"rounds": 3},
    "knockout": {},
    "double_knockout": {},
    "ladder": {},
    "sequential": {"candidates": ["fox"], "boards": 60},
    "mixed_partners": {},
    "partner_pool": {"opponents": "hare"},
}
LADDER_ROUNDS = 2


def created(store: Store, name: str, bots: Sequence[str] = BOTS, series: str = "", **keys: Any) -> Tournament:
    """An event that waits. `keys`: of the tournament file, over the defaults."""
    config: dict[str, Any] = {
        "boards": 4, "board_plan": "shared", "unit": "deal", "format": "round_robin", "game": "crowsnest",
        "clock": {"bank": 10.0, "increment": 0.1, "cap": 5.0}, "bots": list(bots), **keys,
    }  # fmt: skip
    game = make(config["game"], {"max_hands": 1} if config["game"] == "crowsnest" else {})
    return store.create_tournament(
        NewTournament(
            name=name,
            game=game.id,
            game_version=game.version,
            ruleset=options.canonical(game.ruleset),
            config=config,
            secret=hashlib.sha256(name.encode()).digest(),
            series=series,
            entrants=tuple(Entrant(bot, hashlib.sha256(bot.encode()).hexdigest(), f"bots/{bot}") for bot in bots),
        )
    )


def event(
    store: Store,
    name: str,
    bots: Sequence[str] = BOTS,
    *,
    most_rounds: int = 100,
    state: State = State.FINISHED,
    **keys: Any,
) -> Tournament:
    """An event that was played, or up to some round."""
    tournament = created(store, name, bots, **keys)
    store.set_state(tournament.id, State.RUNNING)
    schedule, pool = stored_schedule(tournament), stored_pool(tournament)
    if keys.get("format") == "ladder":
        most_rounds = min(most_rounds, LADDER_ROUNDS)
    history = format_of(tournament.config).history(pool)
    for number in range(1, most_rounds + 1):
        bouts = schedule.round(number, history, tuple(bots))
        if bouts is None:
            break
        found = list(bouts)
        blocks = sum(len(bout.boards) for bout in found)
        store.open_round(tournament.id, number, tuple(bots), blocks, blocks * (found[0].seatings if found else 1))
        store.add_games(tournament.id, [each for bout in found for each in played(tournament, bout)])
        store.close_round(tournament.id, number)
        history.close(number, store.rows(tournament.id, round_=number), tuple(bots))
    store.set_state(tournament.id, state)
    fresh = store.tournament(name)
    assert fresh is not None
    return fresh


def played(tournament: Tournament, bout: Bout) -> list[StoredGame]:
    """All games of a bout."""
    game = make(tournament.game, {})
    mixed = tournament.config["format"] in ("mixed_partners", "partner_pool")
    games = []
    for key in keys_of(bout):
        place = (
            range(game.seats) if mixed or len(game.sides) > 2 else [game.side_of(seat) for seat in range(game.seats)]
        )
        bots = tuple(bout.side(key.board, key.seating, at) for at in place)
        games.append(a_game(key, bots, [list(side) for side in game.sides]))
    return games


def a_game(key: GameKey, bots: tuple[str, ...], sides: Sequence[Sequence[int]], fault: str = "") -> StoredGame:
    """One game: points by name, board and luck. `fault`: a code that the first seat gets."""
    points = {
        index: sum(strength(bots[seat]) + luck(bots[seat], key.board) for seat in side)
        for index, side in enumerate(sides)
    }
    by_seat = {seat: points[index] for index, side in enumerate(sides) for seat in side}
    scores = tuple(by_seat[seat] for seat in range(len(bots)))
    ranks = tuple(sum(other > own for other in set(scores)) for own in scores)
    faults = (Fault(0, fault, FaultClass.DECISION, 7, 5200, "said <b>♠</b>"),) if fault else ()
    result = GameResult(Verdict.FINISHED, scores, ranks, (0,) * len(bots), (), faults, {"moves": []})
    return StoredGame(key, bots, result, "D", 40)


def strength(bot: str) -> int:
    """Points that a bot makes on average: fox the most."""
    return 10 * (20 - BOTS.index(bot)) if bot in BOTS else int(hashlib.sha256(bot.encode()).hexdigest()[:2], 16)


def luck(bot: str, board: int) -> int:
    """What a bot makes of a board's cards beyond that."""
    return 5 * (int(hashlib.sha256(f"{bot} {board}".encode()).hexdigest()[:4], 16) % 9 - 4)


def crowd(store: Store, name: str, count: int, boards: int = 2) -> Tournament:
    """An event of many bots, everybody against everybody."""
    bots = tuple(f"bot{number:03d}" for number in range(count))
    tournament = created(store, name, bots, boards=boards)
    sides = [list(side) for side in make("crowsnest", {}).sides]
    games = []
    for table, (one, other) in enumerate(itertools.combinations(bots, 2), 1):
        for board in range(1, boards + 1):
            for seating, (north, east) in enumerate(((one, other), (other, one))):
                games.append(a_game(GameKey(1, board, table, seating), (north, east, north, east), sides))
    for start in range(0, len(games), 2000):
        store.add_games(tournament.id, games[start : start + 2000])
    store.set_state(tournament.id, State.FINISHED)
    return replace(tournament, state=State.FINISHED)
