"""C1, C2 and C9 on every command that shows how far it is: bar or lines, nothing of it on stdout, quiet and verbose."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from cli.inside import copied, furnish, inside
from cli.terminal import Ran, on_terminal
from runner.instant import Instant

from arena import cli
from arena.cli import progress, running
from arena.core.game import AnyGame
from arena.runner.bench_figures import BareFigures, RefereeFigures

pytestmark = pytest.mark.xdist_group("progress")
ESCAPE = "\x1b"
BAR = "\x1b[?25l"
"""A terminal's cursor is hidden while a bar is redrawn."""
PLAIN = ("--color", "never")


class Run(NamedTuple):
    """A command that shows progress."""

    words: tuple[str, ...]
    unit: str
    total: bool = True
    """Whether it is known how many there are, so that every run has a last line of 100 %."""


RUNS = {
    "cli/commands/simulate.py": Run(("simulate", "goat", "--games", "20", "--seed", "1"), "games"),
    "cli/commands/play.py": Run(
        ("play", "crowsnest", "random", "--n", "2", "--board", "b", "--option", "max_hands=1", "--json"), "games"
    ),
    "cli/commands/bench.py": Run(("bench", "--engines-only", "--game", "goat", "--seconds", "0.1"), "figures"),
    "cli/commands/doctor.py": Run(("doctor", "--quick"), "tries"),
    "cli/commands/export.py": Run(("export", "tiny", "--format", "csv"), "games"),
    "cli/tournaments/pages.py": Run(("export", "tiny", "--out", "pages", "--format", "html"), "replays"),
    "cli/commands/backup.py": Run(("backup", "--out", "second.tar.gz"), "MB", total=False),
    "cli/commands/restore.py": Run(("restore", "saved.tar.gz", "--data", "elsewhere"), "MB", total=False),
    "cli/commands/import_.py": Run(("import", "tiny.jsonl", "--as", "again"), "games"),
    "cli/commands/replay.py": Run(("replay", "verify", "--tournament", "tiny"), "games", total=False),
    "cli/running.py": Run(("tournament", "run", "cup.toml", "--data", "new", "--workers", "1"), "blocks"),
    "cli/bench_languages.py": Run(("bench", "--language", "python", "--seconds", "0.1"), "figures"),
}
"""File that begins a progress -> a command that does."""
ALSO_RUN_PLANS = {"cli/commands/demo.py", "cli/bots/stronger.py", "cli/commands/tournament.py"}
"""Those that play by way of `running.py`."""
UNLIKE = {"bench", "doctor", "play", "restore"}
"""Their answers have seconds or folders in them."""


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return furnish(tmp_path_factory.mktemp("furnished"))


class AtOnce(Instant):
    """In the place of a crew of local workers."""

    def __init__(self, *_: object, **_more: object) -> None:
        super().__init__(lambda bot, key: len(bot) + key.seating)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """What bots do takes no time: games of tournaments are over at once, and figures are measured."""

    async def transport(game: AnyGame, many: int, _seconds: float) -> BareFigures:
        return BareFigures("pipe", game.id, many, 1000.0)

    async def referee(game: str, many: int, *_: object) -> RefereeFigures:
        return RefereeFigures(game, "bot", many, 1, 500.0, 1.0, 2.0, 100)

    monkeypatch.setattr("arena.runner.bench_bare.measure_pipe", transport)
    monkeypatch.setattr("arena.runner.bench_bare.measure_stream", transport)
    monkeypatch.setattr("arena.runner.bench.measure_referee", referee)
    monkeypatch.setattr("arena.runner.tournament.Crew", AtOnce)


@pytest.fixture
def shown(furnished: Path, tmp_path: Path) -> Callable[..., Ran]:
    """Runs a command in a copy of the furnished folder."""
    copies = iter(range(10))

    def show(run: Run, *flags: str, on: tuple[str, ...] = (), **more: str) -> Ran:
        folder = copied(furnished, tmp_path / str(next(copies)))
        ran = inside(*run.words, *flags, on=on, folder=folder, more=more)
        assert ran.status in (0, 1), ran.stderr
        return ran

    return show


def lines_of(run: Run, text: str) -> list[str]:
    """The plain lines of progress in a text."""
    return [line for line in text.splitlines() if re.search(rf"\d+(/\d+)? {run.unit}  (\d+ %  )?\d+ s", line)]


def test_every_file_that_begins_a_progress_has_its_command_here() -> None:
    root = Path(cli.__file__).parent
    texts = {f"cli/{file.relative_to(root).as_posix()}": file.read_text() for file in root.rglob("*.py")}
    del texts["cli/progress.py"]
    assert {name for name, text in texts.items() if re.search(r"\b(progress|megabytes)\(", text)} == RUNS.keys()
    assert {name for name, text in texts.items() if " run_plan(" in text} == {"cli/running.py", *ALSO_RUN_PLANS}


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_c1_c2_a_bar_on_a_terminal_and_lines_elsewhere_and_neither_on_stdout(
    run: Run, shown: Callable[..., Ran]
) -> None:
    barred, piped, crossed = shown(run, on=("stderr",)), shown(run), shown(run, on=("stdout",), NO_COLOR="1")
    assert BAR in barred.stderr
    assert run.unit in barred.stderr
    assert barred.stderr.rfind("\x1b[?25h") > barred.stderr.rfind(BAR), "the cursor is there again"
    for each in (piped, crossed):
        assert ESCAPE not in each.stderr
        assert "\r" not in each.stderr
        if run.total:
            assert " 100 %" in lines_of(run, each.stderr)[-1]
    for each in (barred, piped, crossed):
        assert ESCAPE not in each.stdout
        assert not lines_of(run, each.stdout)
    if run.words[0] not in UNLIKE:
        assert barred.stdout == piped.stdout == crossed.stdout


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_c9_quiet_says_nothing_and_verbose_has_no_bar(run: Run, shown: Callable[..., Ran]) -> None:
    for flag in ("-q", "-qq"):
        assert shown(run, flag, on=("stderr",)).stderr == ""
    verbose = shown(run, "-v", *PLAIN, on=("stderr",))
    assert ESCAPE not in verbose.stderr
    if run.total:
        assert " 100 %" in lines_of(run, verbose.stderr)[-1]


@pytest.mark.parametrize("kind", ["dumb", "unknown"])
def test_c2_a_terminal_that_cannot_redraw_gets_lines(kind: str, shown: Callable[..., Ran]) -> None:
    run = RUNS["cli/commands/simulate.py"]
    ran = shown(run, on=("stderr",), TERM=kind, NO_COLOR="1")
    assert ESCAPE not in ran.stderr
    assert len(lines_of(run, ran.stderr)) == 10


@pytest.mark.parametrize("name", ["cli/commands/simulate.py", "cli/commands/export.py"])
def test_c2_no_bar_is_drawn_over_an_answer_that_is_written_meanwhile(name: str, furnished: Path) -> None:
    ran = on_terminal(*RUNS[name].words, folder=furnished, NO_COLOR="1")
    assert ran.status == 0, ran.stderr
    assert ESCAPE not in ran.stderr


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("name", ["cli/commands/simulate.py", "cli/commands/export.py", "cli/running.py"])
def test_c3_a_bar_in_ascii(name: str, shown: Callable[..., Ran]) -> None:
    ran = shown(RUNS[name], "--ascii", on=("stderr",))
    assert BAR in ran.stderr
    assert ran.stderr.isascii()


@pytest.mark.usefixtures("quick")
def test_c9_verbose_says_which_boards_are_played_and_which_are_not(shown: Callable[..., Ran]) -> None:
    run = RUNS["cli/running.py"]
    said = shown(run, "-v").stderr
    assert "round 1: 2 blocks, 4 games; basic, random" in said
    assert "round 1, table 1, boards 1 to 2: basic, random: played" in said
    assert "round 1: closed" in said
    assert "sandbox: tier " in said
    assert "played" not in shown(run).stderr
    verified = shown(RUNS["cli/commands/replay.py"], "-v").stderr.splitlines()
    assert len([line for line in verified if line.endswith(": agrees, with a published secret")]) == 4


def test_c9_twice_verbose_tells_every_message_and_no_token(furnished: Path) -> None:
    words = ("play", "crowsnest", "random", "--option", "max_hands=1", "--board", "m", "-vv", "--data", "messages")
    said = inside(*words, folder=furnished).stderr.splitlines()
    asked = [line for line in said if " -> turn {" in line]
    answered = [line for line in said if " <- reply {" in line]
    assert len(asked) == len(answered) > 30
    assert all(line.startswith("random") for line in asked + answered)
    assert "token" not in "\n".join(said)
    again = inside(*words[:-3], "-v", "--data", "messages", folder=furnished)
    assert " -> " not in again.stderr, "they are told in that one run only"


def test_c9_twice_verbose_tells_the_messages_of_workers_too(furnished: Path) -> None:
    words = ("tournament", "run", "cup.toml", "--data", "told", "--workers", "1", "-vv")
    ran = on_terminal(*words, streams=("stderr",), folder=furnished, NO_COLOR="1")
    assert ran.status == 0, ran.stderr
    assert ran.stderr.count(" -> turn {") == ran.stderr.count(" <- reply {") > 100
    assert "turn {" not in ran.stdout


def test_c2_a_run_says_how_it_stands_also_while_no_game_ends(
    furnished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "TICK_S", 0.01)
    monkeypatch.setattr(progress, "QUIET_S", 0.0)
    ran = inside(*RUNS["cli/running.py"].words, folder=copied(furnished, tmp_path))
    assert ran.status == 0, ran.stderr
    before = [line for line in ran.stderr.splitlines() if "games 0/" in line]
    assert len(before) > 5, "workers take longer to begin than that"
