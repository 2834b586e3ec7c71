"""Steps of a check in text: one line each, and for a failed one everything that helps to mend it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from arena.cli.failure import one_line
from arena.cli.output import Output

if TYPE_CHECKING:
    from arena.runner.check_report import Step

MARKS = {"ok": "✓", "reported": "✓", "failed": "✗", "not run": "-"}
WIDTH = 200
"""Longer values of what was sent are cut; --json has them whole."""


def show_step(write: Callable[[str], None], step: Step) -> None:
    """A step on `write`, line by line."""
    write(f"{MARKS[step.state]} {step.number:>2} {step.name:<12} {one_line(step.text) or step.state}")
    if step.state != "failed":
        return
    lines = [("demanded", step.sentence), ("where", step.where)]
    lines += [("sent" if not number else "", text) for number, text in enumerate(_sent(step.sent))]
    lines += [("came back", step.came_back)]
    lines += [("output" if not number else "", text) for number, text in enumerate(step.output)]
    lines += [("all of it", step.log), ("fix", step.fix)]
    for label, text in lines:
        if text:
            write(f"      {f'{label}:' if label else '':<10} {one_line(text)}")


def _sent(sent: Any) -> list[str]:  # Any: JSON
    """A line for each thing that the bot was told; those of a view indented."""
    lines = []
    for key, value in sent.items():
        if isinstance(value, dict) and key == "view":
            lines.append("view")
            lines += [f"  {name} {_short(each)}" for name, each in value.items()]
        else:
            lines.append(f"{key} {_short(value)}")
    return lines


def _short(value: Any) -> str:  # Any: JSON
    if isinstance(value, list | tuple) and all(isinstance(each, str) for each in value):
        text = ", ".join(value) if value else "none"
    else:
        text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 3]}..."


def step_data(step: Step) -> dict[str, Any]:
    """A step as JSON data."""
    from dataclasses import asdict

    return asdict(step)


def show_steps(output: Output, schema: str, head: dict[str, Any], steps: list[Step]) -> None:
    """All steps as JSON or CSV, as the flags say; nothing otherwise."""
    if output.flags.json:
        output.document(schema, {**head, "steps": [step_data(step) for step in steps]})
    elif output.flags.csv:
        rows = [(step.number, step.name, step.state, step.text, step.where, step.came_back, step.fix) for step in steps]
        output.rows(["number", "name", "state", "text", "where", "came_back", "fix"], rows)
