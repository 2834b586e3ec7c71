"""The committed code of the protocol is what the .proto files give."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMMITTED = ROOT / "sample_bots" / "python" / "arena_bot" / "v1"


@pytest.mark.needs("grpc_tools")
def test_generated_code_is_current(tmp_path: Path) -> None:
    subprocess.run([ROOT / "protos" / "generate", sys.executable, tmp_path], check=True, timeout=120)
    fresh = {file.name: file.read_text() for file in tmp_path.iterdir()}
    committed = {file.name: file.read_text() for file in COMMITTED.iterdir() if file.is_file()}
    assert sorted(fresh) == sorted(committed)
    assert [name for name in fresh if fresh[name] != committed[name]] == []


@pytest.mark.needs("grpc_tools")
def test_the_protocol_page_is_current(tmp_path: Path) -> None:
    subprocess.run([sys.executable, ROOT / "protos" / "document", tmp_path / "page.md"], check=True, timeout=120)
    assert (tmp_path / "page.md").read_text() == (ROOT / "docs" / "protocol.md").read_text()
