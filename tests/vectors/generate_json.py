"""Writes frames_json.jsonl: the frames of frames.jsonl as the JSON lines that a bot behind the bridge reads and writes.

    python tests/vectors/generate_json.py

Line n belongs to line n of frames.jsonl, which says what its events mean: {"name", "from", "lines": [a text for each
event]}. The texts come from the protobuf package's own JSON mapping, not from the SDK's.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator

from arena_bot.v1 import arena_pb2 as pb
from google.protobuf import json_format
from vectors.generate import FILE

JSON_FILE = FILE.with_name("frames_json.jsonl")


def json_lines() -> Iterator[str]:
    """The lines of the file."""
    for line in FILE.read_text(encoding="ascii").splitlines():
        recorded = json.loads(line)
        kind = pb.ArenaFrame if recorded["from"] == "arena" else pb.BotFrame
        frame = kind.FromString(base64.b64decode(recorded["frame"]))
        said = [json_format.MessageToDict(event, always_print_fields_with_no_presence=True) for event in frame.events]
        texts = [json.dumps(event, separators=(",", ":"), sort_keys=True) for event in said]
        yield json.dumps({"name": recorded["name"], "from": recorded["from"], "lines": texts})


if __name__ == "__main__":
    JSON_FILE.write_text("\n".join(json_lines()) + "\n", encoding="ascii")
