"""The tournament file: what it means, and errors that name file and line."""

import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.errors import ArenaError, BotError, ConfigError
from arena.match.clock import Clock
from arena.runner.config import ClockTable, Cup
from arena.runner.cup_file import ACCEPTED, load_cup
from arena.runner.lines import line_of

SMALL = """\
name = "spring"
game = "crowsnest"
bots = ["random", "basic"]
boards = 30
"""
FULL = """\
# the cup of spring
name = "spring"
game = "crowsnest"
bots = [
    "random",  # plays anything
    "basic",
    "bots/fox",
]
format = "round_robin"
boards = 30
board_plan = "per_round"
unit = "match"
isolation = "game"
workers = 3
seed = "lesson 3"

[options]
target = 500

[clock]
bank = 2
increment = 0.05
cap = 1.5
"""


@pytest.fixture
def cup_file(tmp_path: Path) -> Path:
    fox = tmp_path / "bots" / "fox"
    fox.mkdir(parents=True)
    (fox / "bot.toml").write_text('name = "fox"\ngames = ["crowsnest"]\ncommand = ["python3", "main.py"]\n')
    return tmp_path / "cup.toml"


def load(file: Path, text: str) -> Cup:
    file.write_text(text)
    return load_cup(file)


def refused(file: Path, text: str) -> ArenaError:
    with pytest.raises(ConfigError) as error:
        load(file, text)
    assert error.value.fix
    return error.value


def test_a_small_file_gets_the_defaults(cup_file: Path) -> None:
    cup = load(cup_file, SMALL)
    assert (cup.name, cup.game, cup.bots, cup.boards) == ("spring", "crowsnest", ("random", "basic"), 30)
    assert (cup.format, cup.board_plan, cup.unit, cup.isolation) == ("round_robin", "shared", "deal", "generation")
    assert cup.clock == ClockTable(bank=10.0, increment=0.1, cap=5.0)
    assert cup.clock_setting() == Clock(10_000, 100, 5_000)
    assert cup.seed is None
    assert cup.open_secret() is None
    assert cup.worker_count() == len(os.sched_getaffinity(0))


def test_a_full_file_says_everything(cup_file: Path) -> None:
    cup = load(cup_file, FULL)
    assert (cup.board_plan, cup.unit, cup.isolation, cup.workers) == ("per_round", "match", "game", 3)
    assert cup.worker_count() == 3
    assert cup.clock_setting() == Clock(2_000, 50, 1_500)
    assert cup.options["target"] == 500
    assert [bot.name for bot in cup.find_bots()] == ["random", "basic", "fox"]
    assert cup.open_secret() == hashlib.sha256(b"lesson 3").digest()


def test_a_number_as_seed_is_its_text(cup_file: Path) -> None:
    assert load(cup_file, SMALL + "seed = 7\n").open_secret() == hashlib.sha256(b"7").digest()


def test_the_unit_decides_what_is_played(cup_file: Path) -> None:
    deal = load(cup_file, SMALL).make_game()
    match = load(cup_file, SMALL + 'unit = "match"\n').make_game()
    assert deal.describe() == match.single_deal().describe() != match.describe()


def test_settings_are_ready_to_run(cup_file: Path) -> None:
    cup = load(cup_file, FULL)
    settings = cup.settings()
    assert settings.name == "spring"
    assert settings.game.describe() == cup.make_game().describe()
    assert settings.bots == cup.find_bots()
    assert (settings.boards, settings.board_plan, settings.unit) == (30, "per_round", "match")
    assert (settings.clock, settings.isolation) == (Clock(2_000, 50, 1_500), "game")
    assert (settings.secret, settings.open_seed) == (cup.open_secret(), True)
    assert settings.config == cup.saved()
    drawn = load(cup_file, SMALL).settings()
    assert (drawn.secret, drawn.open_seed) == (None, False)


def test_a_cup_cannot_be_changed(cup_file: Path) -> None:
    cup = load(cup_file, SMALL)
    with pytest.raises(ValueError, match="frozen"):
        cup.boards = 7  # type: ignore[misc]


WRONG = [
    # what is changed in FULL, line, start of the message, what the fix says
    ("boards = 30", "bords = 30", 10, "unknown key 'bords'", "did you mean 'boards'? accepted: name, game, options,"),
    (
        "bank = 2",
        "banc = 2",
        21,
        "unknown key 'banc' in [clock]",
        "did you mean 'bank'? accepted: bank, incr",
    ),
    ("[clock]", "[clocks]", 20, "unknown key 'clocks'", "did you mean 'clock'?"),
    ("workers = 3", 'folder = "x"', 14, "unknown key 'folder'", "accepted: name, game"),
    ('"spring"', '"spring cup"', 2, "name cannot be 'spring cup'", "1 to 48 letters, digits, - or _"),
    ('"spring"', '"spring\\n"', 2, "name cannot be 'spring\\n'", "1 to 48 letters"),
    ('"spring"', '""', 2, "name cannot be ''", "1 to 48 letters"),
    ('"crowsnest"', '"crowsnset"', 3, "no game 'crowsnset'", "did you mean 'crowsnest'? games: crowsnest"),
    ('"crowsnest"', "7", 3, "game cannot be 7", "the id of a game"),
    ("boards = 30", "boards = 0", 10, "boards cannot be 0", "a whole number from 1 to 1000000"),
    ("boards = 30", "boards = -3", 10, "boards cannot be -3", "a whole number from 1"),
    ("boards = 30", "boards = 3.0", 10, "boards cannot be 3.0", "a whole number from 1"),
    ("boards = 30", "boards = true", 10, "boards cannot be True", "a whole number from 1"),
    ("boards = 30", 'boards = "30"', 10, "boards cannot be '30'", "a whole number from 1"),
    (
        '"per_round"',
        '"share"',
        11,
        "board_plan cannot be 'share'",
        "did you mean 'shared'? accepted: shared |",
    ),
    ('"match"', '"mach"', 12, "unit cannot be 'mach'", "did you mean 'match'? accepted: deal | match"),
    ('"game"', '"none"', 13, "isolation cannot be 'none'", "accepted: generation | game"),
    ('"round_robin"', '"league"', 9, "format cannot be 'league'", "accepted: round_robin"),
    ("workers = 3", "workers = 257", 14, "workers cannot be 257", "a whole number from 0 to 256"),
    ('seed = "lesson 3"', "seed = 1.5", 15, "seed cannot be 1.5", "a text"),
    ('seed = "lesson 3"', 'seed = ""', 15, "seed cannot be ''", "a text"),
    ("bank = 2", "bank = -1", 21, "clock.bank cannot be -1", "seconds above 0, at most 86400"),
    ("bank = 2", "bank = inf", 21, "clock.bank cannot be inf", "seconds above 0"),
    ("bank = 2", "bank = nan", 21, "clock.bank cannot be nan", "seconds above 0"),
    ("bank = 2", "bank = true", 21, "clock.bank cannot be True", "seconds above 0"),
    ("bank = 2", 'bank = "2 s"', 21, "clock.bank cannot be '2 s'", "seconds above 0"),
    ("cap = 1.5", "cap = 0", 23, "clock.cap cannot be 0", "seconds above 0"),
    ('"basic",', '"bassic",', 6, "no bot 'bassic'", "did you mean 'basic'?"),
    ('"bots/fox",', '"bots/owl",', 7, "no bot 'bots/owl'", "a folder with a bot.toml"),
    ('"basic",', '"random",', 6, "bot 'random' is named twice (first as 'random')", "name it once"),
    ('"basic",', "7,", 6, "bots cannot be 7", "a list of house names"),
    ('"basic",', '"",', 6, "bots cannot be ''", "a list of house names"),
    ("target = 500", "targets = 500", 18, "", "did you mean 'target'?"),
    ("target = 500", 'target = "x"', 18, "", "accepted: a whole number"),
]


@pytest.mark.parametrize(("old", "new", "line", "message", "fix"), WRONG, ids=[row[1] for row in WRONG])
def test_an_error_names_file_line_and_what_is_accepted(
    cup_file: Path, old: str, new: str, line: int, message: str, fix: str
) -> None:
    text = FULL.replace(old, new, 1)
    assert text != FULL
    error = refused(cup_file, text)
    assert error.where == f"{cup_file}:{line}   {text.splitlines()[line - 1].strip()}"
    assert error.message.startswith(message)
    assert fix in error.fix


@pytest.mark.parametrize("key", ["name", "game", "bots", "boards"])
def test_a_missing_key_is_named(cup_file: Path, key: str) -> None:
    text = "".join(line for line in SMALL.splitlines(True) if not line.startswith(key))
    error = refused(cup_file, text)
    assert error.message == f"the key {key!r} is missing"
    assert error.where == f"{cup_file}:1"
    assert error.fix == f"add {key} = ...; accepted: {ACCEPTED[key]}"


def test_a_misspelt_key_is_reported_before_the_missing_one(cup_file: Path) -> None:
    assert refused(cup_file, SMALL.replace("name", "nam")).message == "unknown key 'nam'"


def test_the_first_error_in_the_file_is_reported(cup_file: Path) -> None:
    error = refused(cup_file, SMALL + 'unit = "x"\nplan = 1\nformat = "y"\n')
    assert error.where == f'{cup_file}:5   unit = "x"'


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (SMALL + "boards = 40\n", 5),
        (SMALL + "unit = deal\n", 5),
        ('name = "spring\ngame = "crowsnest"\n', 1),
        ('name = "spring"\nbots = ["random",\n', 2),
        ("= 3\n", 1),
        (SMALL + "[clock\n", 5),
    ],
)
def test_bad_toml_names_the_line(cup_file: Path, text: str, line: int) -> None:
    error = refused(cup_file, text)
    assert error.where.startswith(f"{cup_file}:{line} ")
    assert "is not TOML" in error.message


def test_an_empty_file_misses_its_name(cup_file: Path) -> None:
    assert refused(cup_file, "").message == "the key 'name' is missing"


def test_no_file_and_unreadable_files_are_said(cup_file: Path, tmp_path: Path) -> None:
    for file in (cup_file, tmp_path):
        with pytest.raises(ConfigError, match="tournament file"):
            load_cup(file)
    cup_file.write_bytes(b'name = "\xff"')
    with pytest.raises(ConfigError, match="cannot be read"):
        load_cup(cup_file)
    assert (
        "not TOML" in refused(cup_file, "a = " + "[" * 5000).message
        or "deeply" in refused(cup_file, "a = " + "[" * 5000).message
    )


def test_too_few_bots_for_the_table_are_refused(cup_file: Path) -> None:
    error = refused(cup_file, SMALL.replace('"random", "basic"', '"random"'))
    assert error.where == f'{cup_file}:3   bots = ["random"]'
    assert error.code == "TOO_FEW_BOTS"
    assert error.message == "1 bots cannot fill a table of 2 in crowsnest"


def test_a_bot_that_does_not_play_the_game_is_refused(cup_file: Path) -> None:
    error = refused(cup_file, SMALL.replace("crowsnest", "goat").replace('"basic"', '"bots/fox"'))
    assert error.message == "bot 'fox' does not play 'goat'"
    assert error.code == "NOT_ITS_GAME"
    assert error.where.startswith(f"{cup_file}:3")


def test_two_folders_with_one_name_are_refused_without_regard_to_case(cup_file: Path) -> None:
    twin = cup_file.parent / "twin"
    twin.mkdir()
    (twin / "bot.toml").write_text('name = "FOX"\ncommand = ["x"]\n')
    error = refused(cup_file, SMALL.replace('"random", "basic"', '"bots/fox",\n"twin"'))
    assert error.message == "bot 'FOX' is named twice (first as 'bots/fox')"
    assert error.where == f'{cup_file}:4   "twin"]'


def test_an_error_in_a_bots_own_file_names_that_file(cup_file: Path) -> None:
    bot = cup_file.parent / "bots" / "fox" / "bot.toml"
    bot.write_text('name = "fox"\ncommand = 7\n')
    with pytest.raises(BotError) as error:
        load(cup_file, FULL)
    assert error.value.where == f"{bot}:2"


def test_the_board_plan_is_per_round_above_twenty_bots(cup_file: Path) -> None:
    names = []
    for number in range(21):
        folder = cup_file.parent / f"b{number}"
        folder.mkdir()
        (folder / "bot.toml").write_text(f'name = "b{number}"\ncommand = ["x"]\n')
        names.append(f'"b{number}"')
    many = SMALL.replace('"random", "basic"', ", ".join(names))
    assert load(cup_file, many).board_plan == "per_round"
    assert load(cup_file, many.replace(', "b20"', "")).board_plan == "shared"


def test_equal_files_do_not_differ_and_workers_may_change(cup_file: Path) -> None:
    cup = load(cup_file, FULL)
    assert cup.differences(cup.saved()) == []
    assert load(cup_file, FULL.replace("workers = 3", "workers = 1")).differences(cup.saved()) == []


def test_a_default_written_out_is_no_difference(cup_file: Path) -> None:
    cup = load(cup_file, SMALL)
    written = SMALL + f'board_plan = "shared"\nunit = "deal"\n[options]\ntarget = {cup.options["target"]}\n'
    assert load(cup_file, written + "[clock]\nbank = 10.0\n").differences(cup.saved()) == []


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("boards = 30", "boards = 31", ["boards"]),
        ("target = 500", "target = 300", ["options.target"]),
        ("bank = 2\nincrement = 0.05", "bank = 3\nincrement = 0.06", ["clock.bank", "clock.increment"]),
        ('unit = "match"', 'unit = "deal"', ["unit"]),
        ('seed = "lesson 3"', "", ["seed"]),
        ('board_plan = "per_round"', "", ["board_plan"]),
        ('    "bots/fox",\n', "", ["bots"]),
    ],
)
def test_differences_name_the_keys(cup_file: Path, old: str, new: str, names: list[str]) -> None:
    saved = load(cup_file, FULL).saved()
    found = load(cup_file, FULL.replace(old, new)).differences(saved)
    assert [each.key for each in found] == names


def test_another_game_differs_in_game_and_options(cup_file: Path) -> None:
    cup = load(cup_file, SMALL)
    found = load(cup_file, SMALL.replace("crowsnest", "goat")).differences(cup.saved())
    assert "game (crowsnest -> goat)" in map(str, found)


def test_saved_settings_are_json_and_hold_no_path(cup_file: Path) -> None:
    saved = load(cup_file, FULL).saved()
    assert str(cup_file.parent) not in repr(saved)
    assert saved["bots"] == ["random", "basic", "bots/fox"]


def test_lines_of_odd_places() -> None:
    text = '''\
# name = "no"
a = """
b = 1
"""
list = [ # one
  [1, 2],

  { b = 2 }, 3,
  4]
clock.bank = 5
"odd key" = { x = 1, y = 2 }
[t]

b = 7
more = [
  1,
]
[t.u]
b = 8
'''
    places: dict[tuple[str | int, ...], int] = {
        ("a",): 2,
        ("list",): 5,
        ("list", 0): 6,
        ("list", 1): 8,
        ("list", 2): 8,
        ("list", 3): 9,
        ("clock", "bank"): 10,
        ("odd key", "y"): 11,
        ("t",): 12,
        ("t", "b"): 14,
        ("t", "more", 0): 16,
        ("t", "u"): 18,
        ("t", "u", "b"): 19,
        ("t", "missing"): 12,
        ("missing",): 1,
    }
    assert {place: line_of(text, place) for place in places} == places


@given(st.lists(st.sampled_from(["", "# note", 'x{} = """\n\n"""', "x{} = [\n1,\n]", "x{} = 1"]), max_size=8))
def test_the_line_is_right_after_any_beginning(before: list[str]) -> None:
    head = "\n".join(one.format(number) for number, one in enumerate(before))
    text = f"{head}\nwanted = 1\nlast = 2\n"
    assert text.splitlines()[line_of(text, ["wanted"]) - 1] == "wanted = 1"


def test_a_setting_that_an_earlier_program_did_not_know_had_its_default(cup_file: Path) -> None:
    saved = load(cup_file, SMALL).saved()
    del saved["isolation"], saved["seed"]
    assert load(cup_file, SMALL).differences(saved) == []
    found = load(cup_file, 'isolation = "game"\n' + SMALL).differences(saved)
    assert [str(each) for each in found] == ["isolation (generation -> game)"]


def test_a_long_value_is_cut_where_it_is_named(cup_file: Path) -> None:
    saved = load(cup_file, SMALL).saved()
    [found] = load(cup_file, SMALL).differences({**saved, "seed": "x" * 200})
    assert str(found) == f"seed ({'x' * 77}... -> none)"
