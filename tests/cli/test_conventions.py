"""The conventions of the command line, by their numbers, on the commands that print data or run for a while."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import time

import pytest
from cli.terminal import COMMAND, SURROUNDINGS, on_terminal, piped

ESCAPE = "\x1b"
SIMULATE = ("simulate", "crowsnest", "--games", "20", "--seed", "1", "--option", "max_hands=1")

PRINTS_DATA = [
    ("games",),
    ("games", "crowsnest"),
    ("help", "exit-codes"),
    ("help", "codes"),
    ("help", "NO_HELLO"),
    ("--version",),
]
TABLES = [("games",), ("games", "goat"), ("help", "exit-codes"), ("help", "codes")]


@pytest.mark.parametrize("words", PRINTS_DATA, ids=" ".join)
def test_c1_stdout_has_the_answer_and_nothing_else(words: tuple[str, ...]) -> None:
    ran = piped(*words)
    assert (ran.status, ran.stderr) == (0, "")
    assert ran.stdout.endswith("\n")


def test_c1_a_bar_never_goes_to_stdout() -> None:
    ran = on_terminal(*SIMULATE, streams=("stderr",))
    assert len([json.loads(line) for line in ran.stdout.splitlines()]) == 20


def test_c1_errors_go_to_stderr() -> None:
    ran = piped("games", "no_such_game")
    assert ran.stdout == ""
    assert ran.stderr.startswith("error: ")


def test_c2_progress_on_a_terminal_is_a_bar() -> None:
    ran = on_terminal(*SIMULATE, streams=("stderr",))
    assert ESCAPE in ran.stderr
    assert "20 games" in ran.stderr


def test_c2_progress_elsewhere_is_one_plain_line_per_tenth() -> None:
    lines = piped(*SIMULATE).stderr.splitlines()
    assert [re.search(r"(\d+) %", line)[1] for line in lines] == [str(share) for share in range(10, 101, 10)]
    assert not any(ESCAPE in line or "\r" in line for line in lines)


def test_c2_no_bar_is_drawn_over_an_answer_on_the_same_terminal() -> None:
    ran = on_terminal(*SIMULATE)
    shown = [line for line in ran.stderr.splitlines() if not line.startswith(("next:", ESCAPE + "[1mnext:"))]
    assert len([json.loads(line) for line in shown]) == 20


COLOURS = [
    # on a terminal?, flag, surroundings, coloured?
    (False, (), {}, False),
    (True, (), {}, True),
    (True, ("--color", "never"), {}, False),
    (True, (), {"NO_COLOR": "1"}, False),
    (True, (), {"NO_COLOR": ""}, True),
    (True, (), {"TERM": "dumb"}, False),
    (False, ("--color", "always"), {}, True),
    (False, ("--color=always",), {"NO_COLOR": "1", "TERM": "dumb"}, True),
    (False, (), {"FORCE_COLOR": "1"}, True),
    (False, (), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, True),
    (True, ("--color", "never"), {"FORCE_COLOR": "1"}, False),
]


@pytest.mark.parametrize(("terminal", "flag", "more", "coloured"), COLOURS)
def test_c3_when_there_is_colour(terminal: bool, flag: tuple[str, ...], more: dict[str, str], coloured: bool) -> None:
    if terminal:
        shown = on_terminal("help", "exit-codes", *flag, streams=("stdout",), **more).stdout
    else:
        shown = piped("help", "exit-codes", *flag, **more).stdout
    assert (ESCAPE in shown) is coloured


def test_c3_colour_carries_no_meaning_alone() -> None:
    plain = piped("help", "exit-codes").stdout
    coloured = piped("help", "exit-codes", "--color", "always").stdout
    assert re.sub(r"\x1b\[\d*m", "", coloured) == plain


@pytest.mark.parametrize("more", [{"LC_ALL": "C"}, {"LC_ALL": "", "LANG": "en_US.ISO-8859-1"}])
def test_c3_a_locale_without_utf8_gets_ascii(more: dict[str, str]) -> None:
    assert all(piped(*words, **more).stdout.isascii() for words in TABLES)


@pytest.mark.parametrize("words", PRINTS_DATA, ids=" ".join)
def test_c4_json_is_one_document_with_a_schema(words: tuple[str, ...]) -> None:
    document = json.loads(piped(*words, "--json").stdout)
    assert sorted(document) == ["data", "schema"]
    assert re.fullmatch(r"arena\.[a-z-]+/\d+", document["schema"])


@pytest.mark.parametrize("words", PRINTS_DATA, ids=" ".join)
def test_c4_json_has_the_same_bytes_everywhere(words: tuple[str, ...]) -> None:
    plain = piped(*words, "--json").stdout
    terminal = on_terminal("--json", *words, streams=("stdout",), FORCE_COLOR="1", COLUMNS="20").stdout
    assert terminal == plain


@pytest.mark.parametrize("words", TABLES, ids=" ".join)
def test_c4_csv_has_the_rows_of_json(words: tuple[str, ...]) -> None:
    rows = list(csv.reader(io.StringIO(piped(*words, "--csv").stdout)))
    data = json.loads(piped(*words, "--json").stdout)["data"]
    expected = data[0]["options"] if words == ("games", "goat") else data
    assert len(rows) == 1 + len(expected)
    assert len({len(row) for row in rows}) == 1


def test_c4_json_and_csv_exclude_each_other() -> None:
    ran = piped("games", "--json", "--csv")
    assert ran.status == 2
    assert json.loads(ran.stderr)["code"] == "USAGE"


STATUSES = [
    ((), 0),
    (("games",), 0),
    (("simulate", "goat", "--games", "0"), 0),
    (("nonsense",), 2),
    (("games", "--nonsense"), 2),
    (("games", "nonsense"), 2),
    (("simulate", "goat", "--option", "molodka=maybe"), 2),
    (("simulate", "goat", "--games", "-1"), 2),
    (("games", "--config", "/no/such/file"), 2),
    (("games", "--color", "pink"), 2),
    (("help", "nonsense"), 2),
]


@pytest.mark.parametrize(("words", "status"), STATUSES)
def test_c5_exit_codes(words: tuple[str, ...], status: int) -> None:
    assert piped(*words).status == status


def test_c5_help_lists_the_exit_codes() -> None:
    listed = [line.split()[0] for line in piped("help", "exit-codes").stdout.splitlines()[1:]]
    assert listed == ["0", "1", "2", "3", "4", "5", "6", "130", "143"]


def test_c6_ctrl_c_ends_quietly_on_a_fresh_line_with_the_cursor_visible() -> None:
    ran = on_terminal("simulate", "crowsnest", "--games", "100000", streams=("stderr",), keys=[(0.6, b"\x03")])
    assert ran.status == 130
    assert "Traceback" not in ran.stderr
    assert ran.stderr.rfind(ESCAPE + "[?25h") >= ran.stderr.rfind(ESCAPE + "[?25l")
    assert ran.stderr.endswith("stopped\n")
    for line in ran.stdout.splitlines()[:-1]:
        json.loads(line)


def test_c6_sigterm_ends_with_143() -> None:
    process = subprocess.Popen(
        [*COMMAND, "simulate", "crowsnest", "--games", "100000", "-q"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=SURROUNDINGS,
        text=True,
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.terminate()
    _rest, said = process.communicate(timeout=60)
    assert process.returncode == 143
    assert said == ""


FAILURES = [
    (("games", "crowsnset"), "BAD_GAME", "did you mean 'crowsnest'?"),
    (("simulate", "goat", "--option", "molodca=off"), "BAD_OPTION", "did you mean 'molodka'?"),
    (("simulate", "goat", "--option", "molodka"), "BAD_OPTION", "write --option field=value"),
    (("simulate",), "USAGE", "arena simulate --help"),
    (("gmaes",), "USAGE", "did you mean  arena games"),
    (("games", "--jsno"), "USAGE", "did you mean --json?"),
]


@pytest.mark.parametrize(("words", "code", "fix"), FAILURES)
def test_c7_errors_have_five_lines_in_their_order(words: tuple[str, ...], code: str, fix: str) -> None:
    ran = piped(*words)
    labels = [line.split(":")[0] for line in ran.stderr.splitlines()]
    assert labels == ["error", "where", "saw", "fix", "code"]
    parts = ran.error()
    assert all(parts.values())
    assert parts["code"] == f"{code}   (arena help {code})"
    assert fix in parts["fix"]


@pytest.mark.parametrize(("words", "code", "fix"), FAILURES)
def test_c7_json_errors_have_the_same_keys(words: tuple[str, ...], code: str, fix: str) -> None:
    ran = piped(*words, "--json")
    error = json.loads(ran.stderr)
    assert list(error) == ["schema", "error", "where", "saw", "fix", "code"]
    assert error["code"] == code
    assert ran.stdout == ""


def test_c9_quiet_runs_say_nothing_but_the_answer() -> None:
    assert piped(*SIMULATE, "-q").stderr == ""
    assert on_terminal(*SIMULATE, "-qq", streams=("stderr",)).stderr == ""


def test_c9_verbose_turns_the_bar_off() -> None:
    ran = on_terminal(*SIMULATE, "-v", "--color", "never", streams=("stderr",))
    assert ESCAPE not in ran.stderr
    assert "100 %" in ran.stderr


def test_c9_errors_are_told_even_with_qq() -> None:
    assert len(piped("nonsense", "-qq").stderr.splitlines()) == 5


def test_c10_arena_alone_prints_the_five_first_commands() -> None:
    lines = piped().stdout.splitlines()
    assert len([line for line in lines if line.startswith("  arena ") and "--help" not in line]) == 5


def test_c10_version_as_json_names_arena_protocol_and_rulesets() -> None:
    data = json.loads(piped("--version", "--json").stdout)["data"]
    assert list(data) == ["arena", "protocol", "rulesets"]
    assert "crowsnest" in data["rulesets"]


@pytest.mark.parametrize("words", [("--json", "games"), ("games", "--json")])
def test_c10_flags_of_every_command_stand_before_or_after_it(words: tuple[str, ...]) -> None:
    assert json.loads(piped(*words).stdout)["schema"] == "arena.games/1"


@pytest.mark.timed
def test_c10_completion_of_games_is_quick() -> None:
    start = time.monotonic()
    shown = piped(_ARENA_COMPLETE="complete_bash", COMP_WORDS="arena games cr", COMP_CWORD="2").stdout
    assert shown.split() == ["crowsnest", "crow_and_pitcher"]
    assert time.monotonic() - start < 2.0  # 150 ms when the machine does nothing else


def test_c11_success_ends_with_one_next_line_on_a_terminal() -> None:
    assert on_terminal("games", streams=("stderr",), NO_COLOR="1").stderr.splitlines()[-1].startswith("next: arena ")
    assert "next:" not in piped("games").stderr


def test_c12_help_imports_nothing_slow() -> None:
    code = "import sys; from arena.cli.main import main; main(['--help']); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([COMMAND[0], "-c", code], capture_output=True, text=True, env=SURROUNDINGS, check=True)
    loaded = {name.split(".")[0] for name in done.stderr.split()}
    slow = {"grpc", "google", "sqlalchemy", "numpy", "scipy", "trueskill", "pydantic", "rich", "asyncio", "alembic"}
    assert loaded & slow == set()


def test_c12_help_is_there_at_once() -> None:
    def seconds() -> float:
        start = time.monotonic()
        assert piped("--help").status == 0
        return time.monotonic() - start

    assert any(seconds() < 0.3 for _ in range(30))  # other tests run beside this one


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    process = subprocess.Popen(
        [*COMMAND, "simulate", "crowsnest", "--games", "1000", "-q"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=SURROUNDINGS,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    assert (process.wait(timeout=60), said) == (0, b"")
