"""Fetching packages by lock file: what of a bot it sees, what of the machine, and what builds without network get."""

from __future__ import annotations

import base64
import hashlib
import io
import shutil
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from bots.test_build_boxed import LIMIT_S, means

from arena.bots.build import built, log_of
from arena.bots.manifest import Bot, read_bot
from arena.bots.sandbox import fetch
from arena.core.errors import BotError

CLIENTS = {client.name: client for client in fetch.CLIENTS}


def tree(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    return folder


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_clients_are_known_by_their_lock_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda program: None if program == "npm" else program)
    assert fetch.clients_of(tree(tmp_path, "main.py", "sdk/Cargo.lock")) == ()
    tree(tmp_path, "Cargo.lock", "go.mod", "package-lock.json", "pom.xml")
    assert [client.name for client in fetch.clients_of(tmp_path)] == ["cargo", "go", "maven"]


@pytest.mark.parametrize(
    ("client", "kept", "left_out"),
    [
        ("cargo", ["Cargo.lock", "Cargo.toml", "sdk/Cargo.toml"], ["build.rs", ".cargo/config.toml", "rust-toolchain"]),
        ("go", ["go.mod", "go.sum", "sdk/go.mod"], ["main.go", "vendor.go", "go.env"]),
        ("npm", ["package-lock.json", "package.json"], [".npmrc", "install.js", "node_modules/x/package.json"]),
        ("maven", ["pom.xml", "src/main/proto/a.proto"], [".mvn/extensions.xml", ".mvn/jvm.config", "mvnw"]),
    ],
)
def test_fetching_sees_lists_of_packages_and_no_program_or_setting(
    tmp_path: Path, client: str, kept: list[str], left_out: list[str]
) -> None:
    folder = tree(tmp_path / "bot", *kept, *left_out)
    fetch.skeleton(CLIENTS[client], folder, tmp_path / "seen")
    assert [name for name in files(tmp_path / "seen") if (tmp_path / "seen" / name).read_text()] == kept
    before = fetch.key_of(CLIENTS[client], folder)
    tree(folder, *(f"{name}2" for name in left_out))
    assert fetch.key_of(CLIENTS[client], folder) == before
    (folder / kept[0]).write_text("other packages")
    assert fetch.key_of(CLIENTS[client], folder) != before


def test_how_registries_are_reached_is_passed_on_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    passed = {
        "https_proxy": "http://proxy",
        "HTTPS_PROXY": "http://proxy",
        "GOPROXY": "http://go",
        "npm_config_cafile": "/ca",
    }
    others = {"DATABASE_URL": "secret", "ARENA_TOKEN": "secret", "PYTHONPATH": "/", "GOFLAGS": "-x", "AWS_SECRET": "x"}
    for name, value in (passed | others).items():
        monkeypatch.setenv(name, value)
    found = fetch.network_variables()
    assert passed.items() <= found.items()
    assert found.keys().isdisjoint(others)


def test_builds_see_cargo_s_sources_and_no_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARGO_HOME", str(tmp_path))
    assert fetch.cargo_settings() == ""
    (tmp_path / "config.toml").write_text('[source.crates-io]\nreplace-with = "m"\n[registries.m]\ntoken = "x"\n')
    assert fetch.cargo_settings() == '[source.crates-io]\nreplace-with = "m"\n[registries.m]\n'


MODULE = {"go.mod": "module example.org/dice\n\ngo 1.21\n", "dice.go": "package dice\n\nfunc Six() int { return 6 }\n"}
MAIN = 'package main\n\nimport "example.org/dice"\n\nfunc main() { println(dice.Six()) }\n'


def summed(content: dict[str, str]) -> str:
    """The hash that go.sum holds of a set of files."""
    lines = (f"{hashlib.sha256(text.encode()).hexdigest()}  {name}\n" for name, text in sorted(content.items()))
    return "h1:" + base64.b64encode(hashlib.sha256("".join(lines).encode()).digest()).decode()


class Registry(BaseHTTPRequestHandler):
    """Serves one module as proxies of Go do."""

    asked: list[str] = []  # noqa: RUF012  of the one server that runs

    def do_GET(self) -> None:
        self.asked.append(self.path)
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            for name, text in MODULE.items():
                archive.writestr(f"example.org/dice@v1.0.0/{name}", text)
        answers = {
            "info": b'{"Version":"v1.0.0"}',
            "mod": MODULE["go.mod"].encode(),
            "zip": packed.getvalue(),
        }
        body = answers.get(self.path.rpartition(".")[2])
        self.send_response(404 if body is None else 200)
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, *_words: object) -> None:
        """Say nothing."""


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """A registry on this machine, of which Go's variables tell; the paths that it is asked for."""
    with HTTPServer(("127.0.0.1", 0), Registry) as server:
        monkeypatch.setenv("GOPROXY", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setenv("GOSUMDB", "off")
        Registry.asked.clear()
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield Registry.asked
        server.shutdown()
        thread.join()


def go_bot(folder: Path, main: str = MAIN) -> Bot:
    folder.mkdir()
    whole = summed({f"example.org/dice@v1.0.0/{name}": text for name, text in MODULE.items()})
    only_mod = summed({"go.mod": MODULE["go.mod"]})
    (folder / "go.mod").write_text("module fox\n\ngo 1.21\n\nrequire example.org/dice v1.0.0\n")
    (folder / "go.sum").write_text(f"example.org/dice v1.0.0 {whole}\nexample.org/dice v1.0.0/go.mod {only_mod}\n")
    (folder / "main.go").write_text(main)
    (folder / "bot.toml").write_text('name = "fox"\ncommand = ["./fox"]\nbuild = [["go", "build", "-o", "fox", "."]]\n')
    return read_bot(folder)


@pytest.mark.needs("go")
@pytest.mark.needs("bwrap")
def test_packages_are_fetched_once_and_then_built_without_the_network(tmp_path: Path, registry: list[str]) -> None:
    builds = tmp_path / "builds"
    made = built(go_bot(tmp_path / "one"), builds, LIMIT_S * 5, means())
    assert (made.folder / "fox").stat().st_mode & 0o111
    assert any(path.endswith("v1.0.0.zip") for path in registry)
    registry.clear()
    built(go_bot(tmp_path / "two", MAIN.replace("Six())", "Six() + 1)")), builds, LIMIT_S * 5, means())
    assert registry == []
    assert [path.name.partition("-")[0] for path in (builds / "packages").iterdir()] == ["go"]


@pytest.mark.needs("go")
@pytest.mark.needs("bwrap")
def test_packages_that_cannot_be_had_fail_the_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOPROXY", "http://127.0.0.1:1")
    bot = go_bot(tmp_path / "fox")
    with pytest.raises(BotError) as failed:
        built(bot, tmp_path / "builds", LIMIT_S, means())
    assert failed.value.code == "BUILD_FAILED"
    assert "go mod download ended with status 1" in failed.value.message
    assert "dial tcp" in log_of(bot, tmp_path / "builds").read_text()
    assert not (tmp_path / "builds" / "packages").exists()
