"""A tournament and games to store."""

from arena.record.results import Fault, FaultClass, GameKey, GameResult, Verdict
from arena.store.values import Entrant, NewTournament, StoredGame

LATE = Fault(1, "LATE", FaultClass.DECISION, 17, 5200, "answered 5.2 s after a limit of 5 s")
CRASH = Fault(3, "CRASH", FaultClass.FORFEIT, 31, 12, "exit status -11 \0 \ud800")


def new_tournament(name: str = "spring") -> NewTournament:
    return NewTournament(
        name=name,
        game="crowsnest",
        game_version="1",
        ruleset='{"match_target":300}',
        config={"boards": 10, "clock": {"bank": 10.0}},
        secret=bytes(range(32)),
        entrants=(
            Entrant("fox", "f" * 64, "house:fox", {"name": "fox", "games": ["*"]}),
            Entrant("owl", "0" * 64, "bots/owl"),
            Entrant("elk_", "e" * 64, "bots/elk"),
        ),
    )


def game(round_: int, board: int, table: int = 1, seating: int = 0, points: float = 25) -> StoredGame:
    """A finished game of fox and owl."""
    result = GameResult(
        verdict=Verdict.FINISHED,
        scores=(points, -points, points, -points),
        ranks=(0, 1, 0, 1),
        tiebreaks=(0, 0, 0, 0),
        forfeits=(),
        faults=(),
        transcript={"moves": [{"seat": 0, "move": "bid 80"}], "board": board},
    )
    return StoredGame(GameKey(round_, board, table, seating), ("fox", "owl", "fox", "owl"), result, "D", 1234)


def forfeit(round_: int, board: int, table: int = 1, seating: int = 0) -> StoredGame:
    """A game that owl lost by two faults."""
    result = GameResult(
        verdict=Verdict.FORFEIT,
        scores=(12.5, -120, 12.5, -120),
        ranks=(0, 1, 0, 1),
        tiebreaks=(7, 0, 7, 0),
        forfeits=((3, "CRASH"),),
        faults=(LATE, CRASH._replace(detail="exit status -11")),
        transcript={"moves": [], "note": "naïve ♠"},
    )
    return StoredGame(GameKey(round_, board, table, seating), ("fox", "owl", "fox", "owl"), result, "A'", 99, attempt=2)
