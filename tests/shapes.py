"""What JSON documents are made of: keys, and kinds of values. Programs read them, so they are kept as they were."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

Shape = Any
"""JSON: "text", "number", "truth", "null", several of these with "|"; {"[]": shape}; {key: shape}, "*" for any name.

"|" beside keys: kinds of values that may stand there instead."""
KINDS = {bool: "truth", int: "number", float: "number", str: "text", type(None): "null"}


def shape(value: Any, names: Collection[str] = ()) -> Shape:
    """What a value is made of. Objects whose keys are all `names`, numbers or codes are by name. Any: JSON."""
    if isinstance(value, dict):
        if value and all(key in names or key.isdecimal() or key.isupper() for key in value):
            return {"*": merged([shape(each, names) for each in value.values()])}
        return {key: shape(each, names) for key, each in value.items()}
    if isinstance(value, list):
        return {"[]": merged([shape(each, names) for each in value])}
    return KINDS[type(value)]


def merged(shapes: Iterable[Shape]) -> Shape:
    """One shape for several: keys that only some objects have end with "?"."""
    shapes = list(shapes)
    objects = [{key: each[key] for key in each if key != "|"} for each in shapes if isinstance(each, dict)]
    said = [each.get("|", "nothing") if isinstance(each, dict) else each for each in shapes]
    words = "|".join(sorted({word for each in said for word in each.split("|")} - {"nothing"}))
    if not objects:
        return words or "nothing"
    keys = sorted({key.removesuffix("?") for each in objects for key in each})
    made = {}
    for key in keys:
        having = [each.get(key, each.get(f"{key}?")) for each in objects if key in each or f"{key}?" in each]
        always = len(having) == len(objects) and not any(f"{key}?" in each for each in objects)
        made[key if always or key in ("*", "[]") else f"{key}?"] = merged(having)
    return {**made, "|": words} if words else made
