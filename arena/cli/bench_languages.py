"""`arena bench --language`: templates of all languages beside a bare pipe and a bare gRPC stream, in the same run."""

from __future__ import annotations

from collections.abc import Sequence

from arena.cli import stoppable
from arena.cli.app import settings_of
from arena.cli.output import Column, Output, brief, heading_of
from arena.cli.progress import progress

AT_ONCE = (1, 64)
BUILD_S = 1800.0
"""Seconds a template may take to build here: dependencies may have to be fetched first."""


def bench_languages(output: Output, languages: Sequence[str], game_id: str, seconds: float) -> None:
    """Measure one game and 64 games at once and print decisions a second, and the ratios to the bare transports."""
    from arena.bots.build import built
    from arena.bots.manifest import read_bot
    from arena.bots.templates import PLACES, template
    from arena.games import make
    from arena.runner.bench import measure_referee
    from arena.runner.bench_bare import measure_pipe, measure_stream
    from arena.runner.bench_figures import figures_data

    game = make(game_id)
    names = list(PLACES) if "all" in languages else list(languages)
    builds = settings_of(output).data / "builds"
    bots = {name: built(read_bot(template(name)), builds, BUILD_S) for name in names}
    rows: list[dict[str, object]] = []
    with progress(output, "bench", len(AT_ONCE) * (3 + len(bots)), "figures") as shown:
        for many in AT_ONCE:
            bare = []
            for measure in (measure_pipe, measure_stream):
                bare.append(stoppable.run(measure(game, many, seconds)))
                shown.update(len(rows) + len(bare), f"{bare[-1].transport}, {many} at once")
            pipe, stream = (each.decisions_per_s for each in bare)
            for each in bare:
                rows.append({"what": each.transport, "at_once": many, "decisions_per_s": each.decisions_per_s})
            for name, bot in [("trivial (Python)", None), *bots.items()]:
                figures = stoppable.run(measure_referee(game_id, many, 1, seconds, bot))
                rows.append({"what": name, **{key: figures_data(figures)[key] for key in KEPT}})
                shown.update(len(rows), f"{name}, {many} at once")
            for row in rows:
                if row["at_once"] == many:
                    row["of_pipe"] = float(str(row["decisions_per_s"])) / pipe
                    row["of_stream"] = float(str(row["decisions_per_s"])) / stream
    if output.flags.json:
        output.document("bench-languages/1", {"game": game_id, "seconds": seconds, "rows": rows})
        return
    headings = ["what", "at_once", "decisions_per_s", "p50_ms", "p99_ms", "of_pipe", "of_stream"]
    if output.flags.csv:
        output.rows(headings, [[row.get(heading) for heading in headings] for row in rows])
        return
    output.line(f"{game_id}: referee with one worker and bots in each language, and the same turns without a referee")
    columns = [Column(heading_of(heading), right=heading != "what") for heading in headings]
    output.table(columns, [[brief(row.get(heading)) for heading in headings] for row in rows])


KEPT = ("at_once", "decisions_per_s", "p50_ms", "p99_ms")
