"""What programs read stays as it is: every JSON document of the site has the keys and kinds of values it had."""

from __future__ import annotations

import json

import pytest
from cli.documents import FILE as COMMANDS
from fastapi.testclient import TestClient
from shapes import merged, shape
from web.acceptance.documents import FILE, documents
from web.acceptance.life import Life

pytestmark = pytest.mark.xdist_group("acceptance")


def test_documents_have_the_keys_and_kinds_they_had(life: Life, client: TestClient) -> None:
    """When a change is meant: `cd tests && python -m web.acceptance.documents`, and say it in the changelog."""
    known, found = json.loads(FILE.read_text()), documents(life, client)
    assert sorted(found) == sorted(known)
    for name, made_of in found.items():
        assert made_of == known[name], name


def test_a_schema_of_commands_and_pages_is_one_document() -> None:
    pages = {name: each["data"] for each in json.loads(FILE.read_text()).values() for name in each["schema"]}
    both = [(name, each, pages[name]) for name, each in json.loads(COMMANDS.read_text()).items() if name in pages]
    assert {"arena.ratings/1", "arena.replay/1"} <= {name for name, _, _ in both}
    for name, printed, page in both:
        rest = {key.removesuffix("?") for key in printed} - {key.removesuffix("?") for key in page}
        assert rest <= {"crosstable"}, f"{name}: only the crosstable has a page of its own"


def test_shapes_tell_a_key_that_is_gone_and_another_kind() -> None:
    one = shape({"bots": [{"name": "fox", "rating": 1.5}, {"name": "owl", "rating": None}], "by": {"fox": 1}}, {"fox"})
    assert one == {"bots": {"[]": {"name": "text", "rating": "null|number"}}, "by": {"*": "number"}}
    assert merged([one, shape({"bots": [], "by": {}})]) == {**one, "by": {"*": "number"}}
    assert merged([shape({"a": 1}), shape({"a": "1", "b": 2})]) == {"a": "number|text", "b?": "number"}
    either = merged([shape({"a": {"x": 1}}), shape({"a": None})])
    assert either == {"a": {"x": "number", "|": "null"}} == merged([either, either, shape({"a": {"x": 2}})])
    assert merged([either, shape({"a": {}})]) == {"a": {"x?": "number", "|": "null"}}
