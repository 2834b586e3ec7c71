"""Rulesets as data, on the toy ruleset."""

from __future__ import annotations

import pytest
from core.toy import ToyRuleset

from arena.core import options
from arena.core.errors import ConfigError


def test_fields_not_named_keep_their_defaults() -> None:
    assert options.build(ToyRuleset, {}, ruleset="toy") == ToyRuleset()
    built = options.build(
        ToyRuleset,
        {"rounds": 3, "open": True, "winner": "low", "marks": [4], "weights": {"9": 1, "3": 2}},
        ruleset="toy",
    )
    assert built == ToyRuleset(3, True, "low", (4,), ((3, 2), (9, 1)))


def test_canonical_json_is_read_back_to_the_same_ruleset() -> None:
    ruleset = ToyRuleset(rounds=5)
    assert options.build(ToyRuleset, options.to_data(ruleset), ruleset="toy") == ruleset
    assert options.canonical(ruleset) == options.canonical_json(options.to_data(ruleset))


@pytest.mark.parametrize(
    ("name", "value", "accepted"),
    [
        ("rounds", 0, "a whole number from 1 to 9"),
        ("rounds", 10, "a whole number from 1 to 9"),
        ("rounds", True, "a whole number from 1 to 9"),
        ("rounds", 2.0, "a whole number from 1 to 9"),
        ("rounds", "2", "a whole number from 1 to 9"),
        ("rounds", None, "a whole number from 1 to 9"),
        ("open", 1, "true | false"),
        ("open", "yes", "true | false"),
        ("winner", "middle", "high | low"),
        ("winner", 1, "high | low"),
        ("marks", "12", "a list of whole numbers, like [5, 6, 7]"),
        ("marks", [1.5], "a list of whole numbers, like [5, 6, 7]"),
        ("marks", [True], "a list of whole numbers, like [5, 6, 7]"),
        ("weights", {"a": 1}, 'an object of whole numbers, like {"5": 5}'),
        ("weights", 5, 'an object of whole numbers, like {"5": 5}'),
    ],
)
def test_a_wrong_value_names_the_field_and_what_is_accepted(name: str, value: object, accepted: str) -> None:
    with pytest.raises(ConfigError, match=f"toy option '{name}' cannot be") as caught:
        options.build(ToyRuleset, {name: value}, ruleset="toy")
    assert caught.value.fix == f"accepted: {accepted}"
    assert caught.value.code == "BAD_OPTION"


def test_an_unknown_option_offers_the_nearest_and_lists_all() -> None:
    with pytest.raises(ConfigError, match="toy has no option 'round'") as caught:
        options.build(ToyRuleset, {"round": 3}, ruleset="toy")
    assert caught.value.fix == "did you mean 'rounds'? accepted: rounds, open, winner, marks, weights"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("rounds=3", ("rounds", 3)),
        ("open=true", ("open", True)),
        ("winner=low", ("winner", "low")),
        ("marks=[1,2]", ("marks", [1, 2])),
        ('weights={"5":5}', ("weights", {"5": 5})),
        ("winner=a=b", ("winner", "a=b")),
    ],
)
def test_values_typed_on_a_command_line_are_json_or_text(text: str, read: tuple[str, object]) -> None:
    assert options.from_text(text) == read


@pytest.mark.parametrize("text", ["rounds", "=3", ""])
def test_an_option_needs_a_name_and_a_value(text: str) -> None:
    with pytest.raises(ConfigError, match="is no option"):
        options.from_text(text)


def test_describe_tells_every_field() -> None:
    infos = options.describe(ToyRuleset())
    assert [info.name for info in infos] == ["rounds", "open", "winner", "marks", "weights"]
    assert [info.kind for info in infos] == ["int", "bool", "str", "list", "counts"]
    assert infos[0].accepted == "a whole number from 1 to 9"
    assert infos[4].default == {"1": 1, "2": 5}
    assert all(info.doc for info in infos)
