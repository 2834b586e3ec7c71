"""C8: where settings come from, and what is said when one is wrong."""

from pathlib import Path

import pytest
from cli.terminal import piped

from arena.cli.commands.serve import chosen_vouching
from arena.cli.config import Settings, load
from arena.cli.flags import UsageError
from arena.core.errors import ConfigError
from arena.web.people.vouched import LOOPBACK


def settings(folder: Path, *, flag: Path | None = None, **environ: str) -> Settings:
    return load(flag, environ, folder)


def write(folder: Path, text: str, name: str = "arena.toml") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text(text)
    return file


def test_c8_without_a_file_defaults_hold(tmp_path: Path) -> None:
    found = settings(tmp_path)
    assert found.data == tmp_path / ".arena"
    assert {value.origin for value in found.values.values()} == {"default"}


def test_c8_the_nearest_file_upwards_is_read_and_data_lies_beside_it(tmp_path: Path) -> None:
    write(tmp_path, "grace = 1\n")
    near = write(tmp_path / "a", "grace = 2\n")
    (tmp_path / "a" / "b" / "c").mkdir(parents=True)
    found = settings(tmp_path / "a" / "b" / "c")
    assert (found.grace_s, found.file, found.data) == (2, near, tmp_path / "a" / ".arena")


def test_c8_flag_before_variable_before_nearest_file(tmp_path: Path) -> None:
    write(tmp_path, "grace = 1\n")
    named = write(tmp_path, "grace = 2\n", "other.toml")
    flagged = write(tmp_path, "grace = 3\n", "third.toml")
    assert settings(tmp_path, ARENA_CONFIG=str(named)).grace_s == 2
    assert settings(tmp_path, flag=flagged, ARENA_CONFIG=str(named)).grace_s == 3


def test_c8_a_variable_wins_over_the_file(tmp_path: Path) -> None:
    write(tmp_path, "workers = 3\n")
    found = settings(tmp_path, ARENA_WORKERS="5")
    assert (found.workers, found.values["workers"].origin) == (5, "ARENA_WORKERS")


def test_c8_a_data_folder_that_is_typed_wins(tmp_path: Path) -> None:
    write(tmp_path, "data = 'a'\n")
    assert settings(tmp_path).data == tmp_path / "a"
    assert settings(tmp_path, ARENA_DATA="b").data == tmp_path / "b"
    assert load(None, {"ARENA_DATA": "b"}, tmp_path, Path("c")).data == tmp_path / "c"


def test_c8_the_store_is_in_the_data_folder_unless_a_url_is_set(tmp_path: Path) -> None:
    assert settings(tmp_path).store == tmp_path / ".arena"
    write(tmp_path, "store = 'postgresql://ada:hush@host/arena'\n")
    assert settings(tmp_path).store == "postgresql://ada:hush@host/arena"
    assert settings(tmp_path, ARENA_STORE="sqlite:///x.db").store == "sqlite:///x.db"
    assert settings(tmp_path).values["store"].shown == "postgresql://ada:***@host/arena"


def test_c8_a_wrong_url_is_refused_without_its_password(tmp_path: Path) -> None:
    write(tmp_path, "store = 'mysql://ada:hush@host/arena'\n")
    with pytest.raises(ConfigError) as caught:
        settings(tmp_path)
    assert "hush" not in str(caught.value.__dict__)
    assert "mysql://ada:***@host/arena" in caught.value.saw


WRONG = [
    ("grace = 1\nworker = 2\n", 2, "did you mean 'workers'?"),
    ('\n\nworkers = "many"\n', 3, "a whole number from 0 to 256"),
    ("workers = 257\n", 1, "a whole number from 0 to 256"),
    ("workers = true\n", 1, "a whole number from 0 to 256"),
    ("data = ''\n", 1, "a folder"),
    ("store = 'mysql://host/db'\n", 1, "postgresql://USER@HOST:5432/DATABASE"),
    ("store = '/var/arena'\n", 1, "a URL"),
    ("grace = 1\n[club]\nname = 'x'\n", 2, "known: data, store, workers, grace, retention, quotas, serve"),
    ("grace = 1\nworkers 2\n", 2, "lines are written like"),
]


@pytest.mark.parametrize(("text", "line", "fix"), WRONG)
def test_c8_a_wrong_file_is_refused_with_file_and_line(tmp_path: Path, text: str, line: int, fix: str) -> None:
    file = write(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        settings(tmp_path)
    assert caught.value.where == f"{file}:{line}"
    assert fix in caught.value.fix


def test_c8_a_wrong_variable_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        settings(tmp_path, ARENA_WORKERS="many")
    assert caught.value.where == "ARENA_WORKERS"


def test_c8_commands_refuse_a_wrong_file_with_status_2_and_help_does_not(tmp_path: Path) -> None:
    file = write(tmp_path, "collor = 1\n")
    ran = piped("games", folder=tmp_path)
    assert (ran.status, ran.stdout) == (2, "")
    assert ran.error()["where"] == f"{file}:1"
    assert piped("help", "CONFIG", folder=tmp_path).status == 0
    assert piped("--help", folder=tmp_path).status == 0


def test_c8_tables_of_the_file_are_read_and_their_keys_have_variables(tmp_path: Path) -> None:
    write(tmp_path, "workers = 1\n[retention]\nlogs_days = 7\n[quotas]\nbots = 3\n")
    found = settings(tmp_path, ARENA_QUOTAS_TOKENS="2")
    assert (found.retention.logs_days, found.retention.logs_mb, found.quotas.bots, found.quotas.tokens) == (
        7,
        1024,
        3,
        2,
    )
    assert found.values["quotas.tokens"].origin == "ARENA_QUOTAS_TOKENS"


@pytest.mark.parametrize(
    ("text", "line", "fix"),
    [
        ("[quotas]\nbots = 3\nbot = 3\n", 3, "did you mean 'bots'?"),
        ("workers = 1\n[retention]\nlogs_days = -1\n", 3, "a whole number from 0"),
        ("workers = 1\nquotas = 3\n", 2, "write [quotas]"),
        ("[retention]\nlogs_days = [1]\n", 2, "a whole number from 0"),
        ("[serve]\nsign_in_header = ['X-User']\n", 2, "the name of a header"),
        ("[serve]\ntrusted_proxies = [1]\n", 2, "a list of addresses and networks"),
    ],
)
def test_c8_a_wrong_key_of_a_table_is_refused_with_its_line(tmp_path: Path, text: str, line: int, fix: str) -> None:
    file = write(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        settings(tmp_path)
    assert caught.value.where == f"{file}:{line}"
    assert fix in caught.value.fix


def test_c8_how_a_proxy_signs_people_in_comes_from_flags_then_variables_then_the_file(tmp_path: Path) -> None:
    file = write(tmp_path, "[serve]\nsign_in_header = 'X-File'\ntrusted_proxies = ['10.0.0.5', '10.0.1.0/28']\n")
    typed: tuple[str | None, list[str]] = (None, [])

    def vouching(*given: object, **environ: str) -> tuple[str, tuple[str, ...]]:
        header, proxies = given or typed
        return chosen_vouching(settings(tmp_path, **environ), header, proxies, behind_proxy=True)  # type: ignore[arg-type]

    assert vouching() == ("X-File", ("10.0.0.5", "10.0.1.0/28"))
    environ = {"ARENA_SERVE_SIGN_IN_HEADER": "X-Variable", "ARENA_SERVE_TRUSTED_PROXIES": "10.0.0.6, 10.0.0.7"}
    assert vouching(**environ) == ("X-Variable", ("10.0.0.6", "10.0.0.7"))
    assert vouching("X-Flag", ["10.0.0.8"], **environ) == ("X-Flag", ("10.0.0.8",))
    assert vouching("", []) == ("", LOOPBACK), "an empty one that is typed turns it off"
    with pytest.raises(UsageError, match="needs --behind-proxy") as alone:
        chosen_vouching(settings(tmp_path), None, [], behind_proxy=False)
    assert alone.value.where == f"serve.sign_in_header ({file})"
    with pytest.raises(ConfigError, match="cannot say who asks") as wrong:
        vouching(ARENA_SERVE_SIGN_IN_HEADER="Cookie")
    assert wrong.value.where == "serve.sign_in_header (ARENA_SERVE_SIGN_IN_HEADER)"
    file.unlink()
    assert vouching() == ("", LOOPBACK)
