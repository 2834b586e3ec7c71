"""What all tests share: which are long, which need a tool, and how tests that were not run are reported."""

from __future__ import annotations

import functools
import gc
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator

import postgres
import pytest

CPP = (
    "apt-get install cmake g++ make libgrpc++-dev libprotobuf-dev protobuf-compiler-grpc"
    " libgtest-dev nlohmann-json3-dev"
)
TOOLS = {
    "buf": "pip install buf-bin",
    "bwrap": "apt-get install bubblewrap",
    "cargo": "apt-get install cargo  # 1.85 or newer, else rustup",
    "cc": "apt-get install gcc libc6-dev",
    "chromium": "apt-get install chromium",
    "cmake": CPP,
    "go": "apt-get install golang-go  # 1.23 or newer",
    "grpc_cpp_plugin": CPP,
    "grpc_tools": "pip install grpcio-tools==1.74.0 'setuptools<81'",
    "ip": "apt-get install iproute2",
    "javac": "apt-get install openjdk-17-jdk-headless",
    "mvn": "apt-get install maven",
    "rustfmt": "apt-get install rustfmt  # or rustup component add rustfmt",
    "lua5.4": "apt-get install lua5.4",
    "nginx": "apt-get install nginx",
    "node": "apt-get install nodejs npm  # Node 20 or newer",
    "npm": "apt-get install nodejs npm  # Node 20 or newer",
    "openssl": "apt-get install openssl",
    "postgres": "apt-get install postgresql",
    "perl": "apt-get install perl",
    "prove": "apt-get install perl",
    "root": "sudo tests/run  # these tests mount disks and make hosts of other kinds",
    "tier A": "sudo tests/run on a machine of which `arena doctor` says tier A",
}
"""Tool of `@pytest.mark.needs(tool)` -> the command that installs it."""
PLACES = f"{os.environ.get('PATH', os.defpath)}{os.pathsep}/usr/sbin"
"""Where tools are looked for: Debian's users have servers beside their PATH."""

# Rust's crates are compiled once for all tests, not once for every folder in which a bot is built.
os.environ.setdefault("CARGO_TARGET_DIR", f"{tempfile.gettempdir()}/arena-cargo-{os.getuid()}")


# A shell ignores Ctrl-C for what it runs in the background, and all that is started from there would, too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

RERUNS = 2
"""So often a test with bounds of real time is tried again: they say nothing while a machine stands still."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="also tests that take minutes")
    parser.addoption("--strict-tools", action="store_true", help="a missing tool is an error")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--long"):
        left_out = [item for item in items if item.get_closest_marker("long")]
        items[:] = [item for item in items if not item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=left_out)
    # A browser and its driver are children of the process that tests run in, with a running loop in its main thread:
    # tests that look for what was left behind, or have a loop of their own, must not run meanwhile. So those of a
    # module with a browser run together, and the module closes its browser.
    for item in items:
        if _browses(item) or item.get_closest_marker("timed"):
            item.add_marker(pytest.mark.flaky(reruns=RERUNS))  # what is wrong with the program fails every time
        if _browses(item) and item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(f"browser of {item.path.parent.name} {item.path.stem}"))
    items.sort(key=_browses, reverse=True)  # they take long: what is quick is last, so that all processes end together


def _browses(item: pytest.Item) -> bool:
    return any(marker.args[0] == "chromium" for marker in item.iter_markers("needs"))


@functools.cache
def may_hold_everything() -> bool:
    """Whether this host has what tier A needs, by its own word: what the sandbox makes of it is for tests to say."""
    unshare = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "true"]
    spaces = shutil.which("unshare") is not None and subprocess.run(unshare, capture_output=True).returncode == 0
    return os.geteuid() == 0 and spaces and os.access("/sys/fs/cgroup", os.W_OK) and shutil.which("bwrap") is not None


def is_here(tool: str) -> bool:
    if tool == "root":
        return os.geteuid() == 0
    if tool == "tier A":
        return may_hold_everything()
    if tool == "postgres":
        return postgres.binaries() is not None and importlib.util.find_spec("psycopg") is not None
    return shutil.which(tool, path=PLACES) is not None or (
        tool.isidentifier() and importlib.util.find_spec(tool) is not None
    )


@pytest.fixture(scope="session")
def server() -> Iterator[postgres.Server]:
    """A PostgreSQL server, for tests that are marked with `needs("postgres")`."""
    with postgres.running() as server:
        yield server


def forget_attempt() -> None:
    """Take down what a failed attempt left open, so that the next one is not blamed for it."""
    for name in ("last_type", "last_value", "last_traceback", "last_exc"):  # pytest keeps them for debuggers
        sys.__dict__.pop(name, None)
    hook, sys.unraisablehook = sys.unraisablehook, lambda _: None
    try:
        gc.collect()
    finally:
        sys.unraisablehook = hook


def pytest_runtest_setup(item: pytest.Item) -> None:
    if getattr(item, "execution_count", 1) > 1:
        forget_attempt()
    for marker in item.iter_markers("needs"):
        tool = marker.args[0]
        if is_here(tool):
            continue
        reason = f"needs {tool}, install it with: {TOOLS[tool]}"
        if item.config.getoption("--strict-tools"):
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)  # reported by name below; --strict-tools makes it an error


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if again := terminalreporter.stats.get("rerun", []):
        terminalreporter.section("tried again")
        for report in again:
            terminalreporter.line(f"{report.nodeid}: {_why(report)}")
    reports = terminalreporter.stats.get("skipped", [])
    if reports:
        terminalreporter.section("not run")
        for report in reports:
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
            terminalreporter.line(f"{report.nodeid}: {reason}")


def _why(report: pytest.TestReport) -> str:
    """The line in which a test failed and what it said."""
    crash = getattr(report.longrepr, "reprcrash", None)
    return f"line {crash.lineno}: {crash.message.splitlines()[0]}" if crash else str(report.longrepr).splitlines()[-1]
