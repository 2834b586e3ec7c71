"""Packages that a bot is built from: which there are by its lock files, how they are fetched, how builds find them.

A build has no network. So the arena fetches first, by commands of its own, in a box that has the network, holds nothing
of the bot but its lock files and manifests, and writes into one folder. That folder belongs to this content of
these files alone, since a bot may name sources of its own: what one bot makes the arena fetch, no other bot is built
from. Builds see it read-only. Knows package clients, not how boxes are started.
"""

from __future__ import annotations

import fnmatch
import functools
import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from arena.bots.sandbox.box import Bind
from arena.bots.sandbox.toolchains import LIMIT_S
from arena.bots.version import CACHES, PRODUCTS

PACKAGES = "/packages"
"""Where packages are inside: a folder for each client."""
SCRATCH = "/scratch"
"""Home of builds: writable, on disk, gone afterwards."""
CACHE = f"{SCRATCH}/cache"
"""What compilers keep for their next run, for bots that are built from the same folder."""


@dataclass(frozen=True, slots=True)
class Client:
    """A package client."""

    name: str
    lock: str
    """File at the top of a bot's folder that says that there is something to fetch."""
    inputs: tuple[str, ...]
    """Patterns of the names of all files that fetching needs."""
    toolchain: str
    command: tuple[str, ...]
    fetching: Mapping[str, str]
    """Variables of its box while it fetches."""
    building: Mapping[str, str]
    """Variables of build steps: packages are there, nothing else can be had."""
    empty: tuple[str, ...] = ()
    """Files that have to be beside every manifest for it to be read; empty ones do."""
    writes: bool = False
    """It cannot read its packages without writing beside them: builds get a copy of their own."""


_CARGO, _GO, _NPM, _MAVEN = (f"{PACKAGES}/{name}" for name in ("cargo", "go", "npm", "maven"))
_QUIET_NPM = {"npm_config_update_notifier": "false", "npm_config_logs_max": "0", "npm_config_cache": _NPM}
_GO_PLACES = {"GOMODCACHE": _GO, "GOPATH": f"{SCRATCH}/go", "GOCACHE": f"{CACHE}/go-build", "GOTOOLCHAIN": "local"}
CLIENTS = (
    Client(
        "cargo",
        "Cargo.lock",
        ("Cargo.toml", "Cargo.lock"),
        "rust",
        ("cargo", "fetch", "--locked"),
        {"CARGO_HOME": _CARGO},
        {"CARGO_HOME": _CARGO, "CARGO_NET_OFFLINE": "true", "CARGO_TARGET_DIR": f"{CACHE}/cargo"},
        ("src/lib.rs", "src/main.rs"),
    ),
    Client(
        "go",
        "go.mod",
        ("go.mod", "go.sum", "go.work", "go.work.sum"),
        "go",
        ("go", "mod", "download"),
        {**_GO_PLACES, "GOFLAGS": "-modcacherw"},
        {**_GO_PLACES, "GOPROXY": "off", "GOSUMDB": "off", "GOENV": "off"},
    ),
    Client(
        "npm",
        "package-lock.json",
        ("package.json", "package-lock.json"),
        "node",
        ("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"),
        _QUIET_NPM,
        {
            **_QUIET_NPM,
            "npm_config_offline": "true",
            "npm_config_globalconfig": f"{SCRATCH}/npmrc-global",
            "npm_config_userconfig": f"{SCRATCH}/npmrc",
        },
        writes=True,
    ),
    Client(
        "maven",
        "pom.xml",
        ("pom.xml", "*.proto"),
        "java",
        ("mvn", "-q", "-B", "-Dmaven.test.skip=true", f"-Dmaven.repo.local={_MAVEN}", "package"),
        {"MAVEN_OPTS": f"-Duser.home={SCRATCH}"},
        {"MAVEN_OPTS": f"-Duser.home={SCRATCH} -Dmaven.repo.local={_MAVEN}", "MAVEN_ARGS": "-o"},
    ),
)
MAVEN_OFFLINE = f"""<settings>
  <localRepository>{_MAVEN}</localRepository>
  <offline>true</offline>
</settings>
"""
"""settings.xml of builds: Maven before 3.9 does not read MAVEN_ARGS."""
PASSED = re.compile(
    r"(https?|ftp|all|no)_proxy|npm_config_\w+|go(proxy|noproxy|sumdb|nosumdb|nonosumdb|private|insecure|vcs)"
    r"|cargo_(http|net|registr|source)\w*|node_extra_ca_certs|ssl_cert_(file|dir)|(curl|requests)_ca_bundle"
    r"|git_ssl_cainfo|nix_ssl_cert_file|maven_opts|maven_args|java_tool_options",
    re.IGNORECASE,
)
"""Variables by which the organiser tells package clients how registries are reached."""
GO_SETTINGS = ("GOPROXY", "GONOPROXY", "GOSUMDB", "GONOSUMDB", "GOPRIVATE", "GOINSECURE", "GOVCS")
NETWORK_FILES = (
    *("/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/gai.conf"),
    *("/etc/ssl", "/etc/pki", "/etc/ca-certificates", "/etc/crypto-policies"),
)
"""What programs need to know about the network and whom to trust on it."""


def clients_of(folder: Path) -> tuple[Client, ...]:
    """The clients that are here and whose lock files a bot has."""
    found = (client for client in CLIENTS if (folder / client.lock).is_file())
    return tuple(client for client in found if shutil.which(client.command[0]) is not None)


def inputs_of(client: Client, folder: Path) -> list[Path]:
    """The files that fetching needs, relative to the bot's folder, in a fixed order."""
    found = []
    for root, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in CACHES | PRODUCTS]
        for name in names:
            is_file = not Path(root, name).is_symlink()
            if is_file and any(fnmatch.fnmatchcase(name, pattern) for pattern in client.inputs):
                found.append(Path(root, name).relative_to(folder))
    return sorted(found)


def key_of(client: Client, folder: Path) -> str:
    """Names what is fetched: the same inputs, the same packages."""
    total = hashlib.sha256(repr(client.command).encode())
    for path in inputs_of(client, folder):
        total.update(repr((str(path), (folder / path).read_bytes())).encode())
    return f"{client.name}-{total.hexdigest()[:32]}"


def skeleton(client: Client, folder: Path, target: Path) -> None:
    """Only what fetching needs of a bot, so that no program, script or setting of it is there."""
    for path in inputs_of(client, folder):
        place = target / path
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(folder / path, place)
        if path.name == client.inputs[0]:
            for name in client.empty:
                (place.parent / name).parent.mkdir(exist_ok=True)
                (place.parent / name).touch()


def network_binds(etc: Path) -> tuple[Bind, ...]:
    """What a box with the network sees of the machine for it; `etc`: a folder for files made here."""
    names = etc / "nsswitch.conf"
    names.write_text("passwd: files\ngroup: files\nhosts: files dns\n")
    named = [path for path in network_variables().values() if path.startswith("/") and os.path.exists(path)]
    binds = [Bind(path, path) for path in dict.fromkeys([*NETWORK_FILES, *named]) if _is_outside(path, named)]
    return (*binds, Bind(str(names), "/etc/nsswitch.conf"))


def _is_outside(path: str, named: Iterable[str]) -> bool:
    """Whether a path has to be bound; a file of /etc/ssl has not, since all of that folder is."""
    if not os.path.exists(path) or path.startswith("/usr/"):
        return False
    return path in NETWORK_FILES or not any(path.startswith(f"{folder}/") for folder in NETWORK_FILES)


def network_variables() -> dict[str, str]:
    """How the arena's own environment says that registries are reached."""
    return {**_go_settings(), **{name: value for name, value in os.environ.items() if PASSED.fullmatch(name)}}


@functools.cache
def _go_settings() -> dict[str, str]:
    """Those that the organiser keeps in Go's own file."""
    try:
        command = ["go", "env", *GO_SETTINGS]
        said = subprocess.run(command, cwd="/", capture_output=True, text=True, timeout=LIMIT_S, check=True)
    except (OSError, subprocess.SubprocessError):
        return {}
    lines = said.stdout.splitlines()
    return {name: value for name, value in zip(GO_SETTINGS, lines, strict=False) if value}


def settings_files(client: Client) -> Iterator[tuple[Path, str]]:
    """Files of the organiser's own that tell a client how registries are reached, and where they belong in a home."""
    home = Path.home()
    place = {"npm": ".npmrc", "maven": ".m2/settings.xml"}.get(client.name)
    if place is not None and (home / place).is_file():
        yield home / place, place


def cargo_settings() -> str:
    """Cargo's settings of the organiser, which builds see too: by them it finds what was fetched. No secrets."""
    home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    for name in ("config.toml", "config"):
        if (home / name).is_file():
            lines = (home / name).read_text(encoding="utf-8").splitlines(keepends=True)
            return "".join(line for line in lines if not re.search(r"token|credential|secret", line, re.IGNORECASE))
    return ""
