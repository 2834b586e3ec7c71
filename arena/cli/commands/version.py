"""`arena --version`: the versions of the arena, of the protocol and of each ruleset."""

from __future__ import annotations

from arena.cli.output import Output

PROTOCOL = "1.0"
"""The protocol version of protos/arena/v1; a test compares it with the file."""


def show_versions(output: Output) -> None:
    """Print versions: one line, or a document with --json."""
    from arena import __version__

    if not output.flags.json:
        output.line(f"arena {__version__}, protocol {PROTOCOL}")
        return
    from arena.games import catalog

    rulesets = {variant.id: variant.make({}).version for variant in catalog().values()}
    output.document("version/1", {"arena": __version__, "protocol": PROTOCOL, "rulesets": rulesets})
