"""Tournaments, games, faults, voids: what goes in comes out, once."""

import dataclasses
import hashlib
import itertools
from datetime import UTC, datetime, timedelta

import pytest
from store.samples import CRASH, forfeit, game, new_tournament

from arena.core.errors import ArenaFault, ConfigError
from arena.record.results import FaultClass, GameKey, Verdict
from arena.store.place import Place
from arena.store.store import Store
from arena.store.values import Entrant, State, Tournament, Void, public_id, secret_hash


def test_a_tournament_comes_out_as_it_went_in(store: Store, spring: Tournament) -> None:
    new = new_tournament()
    assert store.tournament("spring") == spring
    for field in dataclasses.fields(new):
        assert getattr(spring, field.name) == getattr(new, field.name)
    assert spring.state is State.WAITING
    assert spring.secret_hash == hashlib.sha256(bytes(range(32))).hexdigest() == secret_hash(spring.secret)
    assert spring.created.tzinfo is not None
    assert spring.started is spring.finished is None


def test_a_name_is_given_once(store: Store, spring: Tournament) -> None:
    with pytest.raises(ConfigError, match="there is a tournament 'spring' already") as refused:
        store.create_tournament(dataclasses.replace(new_tournament(), secret=b"\0" * 32))
    assert refused.value.code == "NAME_TAKEN"
    assert store.tournament("spring") == spring
    assert store.tournaments() == [spring]


def test_tournaments_share_bot_versions_and_are_listed_oldest_first(store: Store, spring: Tournament) -> None:
    autumn = store.create_tournament(new_tournament("autumn"))
    newer = Entrant("fox", "a" * 64, "house:fox")
    winter = store.create_tournament(
        dataclasses.replace(new_tournament("winter"), entrants=(newer, spring.entrants[1]))
    )
    assert [one.name for one in store.tournaments()] == ["spring", "autumn", "winter"]
    assert autumn.entrants == spring.entrants
    assert winter.entrants == (newer, spring.entrants[1])


def test_an_unknown_tournament_is_none(store: Store) -> None:
    assert store.tournament("spring") is None
    assert store.tournaments() == []


def test_the_secret_is_in_no_repr(spring: Tournament) -> None:
    assert repr(spring.secret) not in repr(spring)
    assert repr(spring.secret) not in repr(new_tournament())


def test_states_note_when_it_first_ran_and_when_it_finished(place: Place) -> None:
    start = datetime(2030, 1, 1, tzinfo=UTC)
    clock = (start + timedelta(hours=n) for n in itertools.count())
    with Store.open(place, now=lambda: next(clock)) as store:
        number = store.create_tournament(new_tournament()).id
        for state in (State.RUNNING, State.STOPPED, State.RUNNING, State.FINISHED):
            store.set_state(number, state)
            assert store.tournament("spring").state is state  # type: ignore[union-attr]
        found = store.tournament("spring")
    assert found is not None
    assert found.created == start
    assert found.started == start + timedelta(hours=1)
    assert found.finished is not None
    assert found.finished > found.started


def test_games_come_out_as_they_went_in(store: Store, spring: Tournament) -> None:
    games = [game(1, 1), forfeit(1, 1, seating=1), game(2, 30, table=4, points=0.5)]
    assert store.add_games(spring.id, games) == 3
    for one in games:
        found = store.game(public_id("spring", one.key))
        assert found is not None
        assert found.game == one
        assert found.info.row.bots == one.bots
        assert found.info.tournament == "spring"
    assert store.game("spring-r9-b9-t9-1") is None


def test_public_ids_carry_round_board_table_and_seating_from_one() -> None:
    assert public_id("spring", GameKey(1, 3, 2, 0)) == "spring-r1-b3-t2-1"


def test_work_done_twice_is_ignored_and_never_overwrites(store: Store, spring: Tournament) -> None:
    first, second = game(1, 1), game(1, 2)
    assert store.add_games(spring.id, [first]) == 1
    other = dataclasses.replace(forfeit(1, 1), key=first.key)
    assert store.add_games(spring.id, [other, second, second]) == 1
    found = store.game("spring-r1-b1-t1-1")
    assert found is not None
    assert found.game == first
    assert list(store.faults(spring.id)) == []
    assert store.count(spring.id) == 2


def test_keys_rows_and_done_are_in_canonical_order(store: Store, spring: Tournament) -> None:
    wanted = [GameKey(r, b, t, s) for r in (1, 2) for b in (1, 2, 10) for t in (1, 2) for s in (0, 1)]
    for key in reversed(wanted):
        store.add_games(spring.id, [dataclasses.replace(game(1, 1), key=key)])
    assert list(store.keys(spring.id)) == wanted
    assert [row.key for row in store.rows(spring.id)] == wanted
    assert [row.key for row in store.rows(spring.id, before_round=2)] == wanted[:12]
    assert store.done(spring.id, 2) == frozenset(wanted[12:])


def test_tournaments_do_not_mix(store: Store, spring: Tournament) -> None:
    autumn = store.create_tournament(new_tournament("autumn"))
    store.add_games(spring.id, [forfeit(1, 1)])
    store.add_games(autumn.id, [game(1, 1), game(1, 2)])
    assert [row.verdict for row in store.rows(spring.id)] == [Verdict.FORFEIT]
    assert len(list(store.keys(autumn.id))) == 2
    assert list(store.faults(autumn.id)) == []
    assert [info.public_id for info in store.games()] == ["spring-r1-b1-t1-1", "autumn-r1-b1-t1-1", "autumn-r1-b2-t1-1"]


def test_rows_are_streamed_with_their_faults(store: Store, spring: Tournament) -> None:
    games = [(forfeit if board % 3 == 0 else game)(1, board) for board in range(1, 1202)]
    assert store.add_games(spring.id, games) == 1201
    rows = list(store.rows(spring.id))
    assert [row.key for row in rows] == [one.key for one in games]
    for row, one in zip(rows, games, strict=True):
        assert row.faults == tuple((fault.seat, fault.code) for fault in one.result.faults)
        assert row.scores == one.result.scores
        assert row.tiebreaks == one.result.tiebreaks


def test_rows_show_one_moment_while_games_are_added(store: Store, spring: Tournament) -> None:
    store.add_games(spring.id, [game(1, board) for board in range(1, 1100)])
    rows = store.rows(spring.id)
    next(rows)
    store.add_games(spring.id, [game(1, 2000)])
    assert len(list(rows)) == 1098
    assert store.count(spring.id) == 1100


def test_rows_left_half_read_block_nobody(store: Store, spring: Tournament) -> None:
    for _ in range(40):
        store.add_games(spring.id, [game(1, board) for board in (1, 2)])
        next(store.rows(spring.id))
    assert store.count(spring.id) == 2


def test_games_are_filtered(store: Store, spring: Tournament) -> None:
    third = dataclasses.replace(game(2, 5), bots=("fox", "elk_", "fox", "elk_"))
    store.add_games(spring.id, [game(1, 1), forfeit(1, 2), third])

    def found(**filters: object) -> list[int]:
        return [info.row.key.board for info in store.games("spring", **filters)]  # type: ignore[arg-type]

    assert found() == [1, 2, 5]
    assert found(bot="owl") == [1, 2]
    assert found(bot="elk_") == [5]
    assert found(bot="elkx") == found(bot="o") == found(bot="%") == []
    assert found(round_=1, verdict=Verdict.FORFEIT) == found(board=2) == [2]
    assert found(limit=1) == [1]
    assert store.games("autumn") == []


def test_one_bad_game_stores_none_of_its_batch(store: Store, spring: Tournament) -> None:
    stranger = dataclasses.replace(game(1, 2), bots=("fox", "cat", "fox", "cat"))
    with pytest.raises(ValueError, match=r"'cat'.* not in tournament 'spring': fox, owl, elk_"):
        store.add_games(spring.id, [game(1, 1), stranger])
    nan = dataclasses.replace(game(1, 2), result=dataclasses.replace(game(1, 2).result, scores=(float("nan"),)))
    with pytest.raises(ValueError, match="JSON"):
        store.add_games(spring.id, [game(1, 1), nan])
    assert store.count(spring.id) == 0


def test_a_void_is_no_result(store: Store, spring: Tournament) -> None:
    void = dataclasses.replace(game(1, 1), result=dataclasses.replace(game(1, 1).result, verdict=Verdict.VOID))
    with pytest.raises(ValueError, match="void"):
        store.add_games(spring.id, [void])
    assert store.count(spring.id) == 0


def test_games_of_an_unknown_tournament_are_refused(store: Store) -> None:
    with pytest.raises(ArenaFault, match="no tournament 7"):
        store.add_games(7, [game(1, 1)])


def test_faults_name_game_bot_and_version(store: Store, spring: Tournament) -> None:
    store.add_games(spring.id, [forfeit(1, 2, seating=1), forfeit(1, 1)])
    first, second, *rest = store.faults(spring.id)
    assert (first.public_id, first.bot, first.version, first.code) == ("spring-r1-b1-t1-1", "owl", "0" * 64, "LATE")
    assert first.detail == "answered 5.2 s after a limit of 5 s"
    assert (second.code, second.fault_class, second.turn, second.elapsed_ms) == ("CRASH", FaultClass.FORFEIT, 31, 12)
    assert [fault.key for fault in rest] == [GameKey(1, 2, 1, 1)] * 2
    assert list(store.faults(spring.id, "fox")) == []
    assert len(list(store.faults(spring.id, "owl"))) == 4
    assert store.fault_counts(spring.id) == {("owl", "CRASH"): 2, ("owl", "LATE"): 2}


def test_odd_characters_in_a_detail_are_written_out(store: Store, spring: Tournament) -> None:
    one = game(1, 1)
    store.add_games(spring.id, [dataclasses.replace(one, result=dataclasses.replace(one.result, faults=(CRASH,)))])
    assert next(store.faults(spring.id)).detail == "exit status -11 \\x00 \\ud800"


def test_voids_are_noted_once_per_attempt(store: Store, spring: Tournament) -> None:
    first = Void(GameKey(1, 1, 1, 1), 1, "worker 3 was lost")
    assert store.add_voids(spring.id, [first, Void(first.key, 2, "again"), first]) == 2
    assert store.add_voids(spring.id, [first._replace(reason="other words")]) == 0
    assert [info.void for info in store.voids(spring.id)] == [first, Void(first.key, 2, "again")]
    assert next(store.voids(spring.id)).at.tzinfo is not None


def test_a_board_is_sealed_until_all_its_tables_are_done(store: Store, spring: Tournament) -> None:
    def expected(board: int) -> int:
        return 4 if board < 3 else 2

    store.add_games(spring.id, [game(1, 1, table, seating) for table in (1, 2) for seating in (0, 1)])
    store.add_games(spring.id, [game(1, 2), game(1, 2, 1, 1), game(1, 2, 2), game(1, 3)])
    assert store.open_boards(spring.id, expected) == {1}
    assert [store.is_sealed(spring.id, board, expected(board)) for board in (1, 2, 3, 4)] == [False, True, True, True]
    store.add_games(spring.id, [game(1, 2, 2, 1), game(1, 3, 1, 1)])
    assert store.open_boards(spring.id, expected) == {1, 2, 3}


def test_a_finished_tournament_has_no_sealed_boards(store: Store, spring: Tournament) -> None:
    store.add_games(spring.id, [game(1, 1)])
    assert store.open_boards(spring.id, lambda board: 4) == frozenset()
    store.set_state(spring.id, State.FINISHED)
    assert store.open_boards(spring.id, lambda board: 4) == {1}
    assert not store.is_sealed(spring.id, 1, 4)
