"""Errors cross process borders whole."""

from __future__ import annotations

import pickle

import pytest

from arena.core import errors

TREE = {
    errors.MoveError: errors.ArenaError,
    errors.MalformedMove: errors.MoveError,
    errors.IllegalMove: errors.MoveError,
    errors.BotError: errors.ArenaError,
    errors.ConfigError: errors.ArenaError,
    errors.TranscriptError: errors.ArenaError,
    errors.ArenaFault: errors.ArenaError,
}


@pytest.mark.parametrize("kind", TREE)
def test_errors_survive_pickling(kind: type[errors.ArenaError]) -> None:
    error = kind("what", where="here", saw="that", fix="do this", code="OTHER")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert (again.message, again.where, again.saw, again.fix, again.code) == (
        "what",
        "here",
        "that",
        "do this",
        "OTHER",
    )
    assert str(again) == "what"


@pytest.mark.parametrize(("kind", "parent"), TREE.items())
def test_the_tree(kind: type[errors.ArenaError], parent: type[errors.ArenaError]) -> None:
    assert kind.__bases__ == (parent,)
    assert kind("x").code == kind.code
