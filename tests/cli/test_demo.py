"""The demo as a newcomer meets it: tables, then the site on what was played, until Ctrl-C."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

COMMAND = [sys.executable, "-m", "arena.cli", "demo", "--game", "crowsnest", "--boards", "2", "--seed", "one"]


def test_the_demo_ends_by_itself_without_a_terminal(tmp_path: Path) -> None:
    done = subprocess.run(COMMAND, cwd=tmp_path, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
    assert done.returncode == 0
    assert "site:" not in done.stderr
    assert "counter" in done.stdout


def test_the_demo_shows_its_pages_until_it_is_stopped(tmp_path: Path) -> None:
    demo = subprocess.Popen(
        [*COMMAND, "--serve"], cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )
    try:
        assert demo.stderr is not None
        address = next(found[0] for line in demo.stderr if (found := re.search(r"http://127\.0\.0\.1:\d+", line)))
        with urllib.request.urlopen(f"{address}/t/demo-crowsnest", timeout=60) as page:
            assert "counter" in page.read().decode()
    finally:
        demo.send_signal(signal.SIGINT)
        _, rest = demo.communicate(timeout=60)
    assert demo.returncode == 130
    assert "Traceback" not in rest
