"""Whatever is sent ends with a code, where it is wrong and what to mend; no path of the server is told."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from bots.test_archive import ZOO
from bots.test_manifest import BAD_NAMES, WRONG
from web.submit.sent import TOML, zipped

from arena.record.codes import CODES
from arena.runner.examine import Data, Examination, Order
from arena.store.store import Store


def examined(folder: Path, archive: bytes, **others: str) -> Data:
    file = folder / "uploads" / "0123456789abcdef.zip"
    file.parent.mkdir()
    file.write_bytes(archive)
    data = str(folder / "data")
    order = Order(str(file), "my bot.zip", data, data, others.get("owner", "Ada"), 0, sandbox="none")
    return asyncio.run(Examination(order).run())


def refused(end: Data, code: str, folder: Path) -> Data:
    """The five parts of a refusal, looked over."""
    assert set(end) == {"refused"}
    parts: Data = end["refused"]
    assert parts["code"] == code
    assert code in CODES
    assert parts["error"]
    assert parts["where"]
    assert parts["fix"]
    told = " ".join(parts.values())
    assert str(folder) not in told
    assert "/tmp" not in told
    assert "0123456789abcdef" not in told
    return parts


@pytest.mark.parametrize("kind", ZOO)
def test_a_hostile_archive_is_refused_by_its_entry(tmp_path: Path, kind: str) -> None:
    make, message, entry = ZOO[kind]
    parts = refused(examined(tmp_path, make()), "BAD_ARCHIVE", tmp_path)
    assert message in parts["error"]
    assert entry.replace("\\\\", "\\") in parts["where"]
    assert parts["where"].startswith("my bot.zip")


@pytest.mark.parametrize("kind", [kind for kind in WRONG if kind != "a megabyte"])  # that one is a bomb as well
def test_a_wrong_manifest_is_refused_by_its_line(tmp_path: Path, kind: str) -> None:
    text, line, message, _ = WRONG[kind]
    code = "BAD_NAME" if kind in ("empty file", "a thousand tables") else "BAD_MANIFEST"
    parts = refused(examined(tmp_path, zipped({"bot.toml": text, "main.py": ""})), code, tmp_path)
    assert message in parts["error"]
    assert parts["where"].startswith("bot.toml")
    assert line is None or parts["where"] == f"bot.toml:{line}"


@pytest.mark.parametrize("name", [*BAD_NAMES, "counter", "=cmd()"])
def test_a_wrong_name_is_refused(tmp_path: Path, name: object) -> None:
    toml = f'name = {json.dumps(name)}\ncommand = ["x"]\n'
    end = examined(tmp_path, zipped({"bot.toml": toml}))
    assert end["refused"]["code"] in ("BAD_NAME", "BAD_MANIFEST")


@pytest.mark.parametrize(
    ("owner", "name", "code"), [("Bob", "fox", "NOT_ALLOWED"), ("Ada", "FOX", "BAD_NAME"), ("Ada", "owl", "REMOVED")]
)
def test_a_name_that_is_not_one_s_own_is_refused(tmp_path: Path, owner: str, name: str, code: str) -> None:
    with Store.open(tmp_path / "data") as store:
        store.register("fox", "ab" * 32, {}, owner="Ada")
        store.register("owl", "cd" * 32, {}, owner="Ada")
        store.remove("bot", "owl", "copied")
    end = examined(tmp_path, zipped({"bot.toml": TOML.format(name=name), "main.py": ""}), owner=owner)
    assert end["refused"]["code"] == code


BROKEN = {
    "START_FAILED": (TOML, "raise SystemExit('boom')"),
    "BAD_MANIFEST": ('name = "{name}"\ngames = ["bridge"]\ncommand = ["python3", "main.py"]\n', ""),
    "BUILD_FAILED": (TOML + 'build = [["python3", "-c", "raise SystemExit(3)"]]\n', ""),
}


@pytest.mark.parametrize("code", BROKEN)
def test_a_bot_that_breaks_is_refused_by_its_step(tmp_path: Path, code: str) -> None:
    toml, main = BROKEN[code]
    end = examined(tmp_path, zipped({"bot.toml": toml.format(name="fox"), "main.py": main}))
    assert "step" in refused(end, code, tmp_path)["where"] or end["refused"]["where"].count(":") >= 1
    assert not list((tmp_path / "data" / "bots").glob("*"))
