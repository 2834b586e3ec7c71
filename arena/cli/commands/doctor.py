"""`arena doctor`: what works on this machine: the sandbox, promise by promise, and everything else that matters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.app import Command, settings_of
from arena.cli.output import Column, Output

if TYPE_CHECKING:
    from arena.bots.sandbox.report import Report
    from arena.cli.config import Settings
    from arena.runner.health import Health

MARKS = {True: "✓", False: "✗", None: "-"}
NOT_TRIED = "not tried (--quick)"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("doctor", cls=Command)(doctor)


def doctor(
    ctx: typer.Context,
    full: Annotated[
        bool, typer.Option("--full/--quick", help="Also provoke the limits of memory, processes and time.")
    ] = True,
) -> int:
    """What works on this machine: sandbox, languages, data folder, clock.

    Tries every promise of the sandbox with a program that attacks it. The exit status is 1 when nothing keeps bots
    apart here (tier D). Leaves nothing behind.

    \b
    arena doctor
    arena doctor --quick --json
    """
    output: Output = ctx.obj
    import time

    from arena.bots.sandbox.report import examine_host
    from arena.cli import stoppable
    from arena.cli.progress import progress
    from arena.runner import health
    from arena.runner.host import read_host
    from arena.runner.toolchains import toolchains

    settings: Settings = settings_of(output)
    before, began = read_host(), time.monotonic()
    with progress(output, "doctor", steps(full=full), "tries") as shown:
        done = 0

        def told(what: str) -> None:
            nonlocal done
            shown.update(done, what)
            done += 1

        report = stoppable.run(examine_host(full=full, told=told))
        shown.update(done, "languages")
        languages = toolchains()
    seconds = time.monotonic() - began
    lines = [
        *health.programs(),
        *health.machine(before, read_host(), seconds),
        *health.folders(settings.data, settings.store),
    ]
    if output.flags.json:
        data = {
            **report.to_data(),
            "machine": [line._asdict() for line in lines],
            "languages": [{**each._asdict(), "complete": not each.missing} for each in languages],
            "settings": {
                name: {"value": value.shown, "origin": value.origin} for name, value in settings.values.items()
            },
        }
        output.document("doctor/1", data)
    else:
        show_sandbox(output, report)
        show_machine(output, lines, [(each.language, str(each), not each.missing) for each in languages])
        show_settings(output, settings)
    output.next_step("arena demo" if report.means.boxed else "arena help NO_SANDBOX")
    return 0 if report.means.boxed else 1


def steps(*, full: bool) -> int:
    """How many tries the first way takes; others are tried only when it does not hold."""
    from arena.bots.sandbox.provoke import ATTEMPTS

    return 1 + (len(ATTEMPTS) if full else 0)


def show_sandbox(output: Output, report: Report) -> None:
    """The tier and its promises, what it lacks and what would lift it."""
    from arena.bots.sandbox.report import way

    output.line(f"sandbox: tier {report.tier} ({way(report.means)})")
    rows = []
    for kept in report.promises:
        text = kept.text if kept.held else f"{kept.text}: {kept.possible or NOT_TRIED}"
        rows.append((MARKS[kept.held], kept.name, text))
    _table(output, rows)
    for finding in report.tried:
        if not finding.means.boxed:
            for name, what in finding.broken.items():
                output.line(f"not tier {finding.wanted}: {name}: {what}")
    for lacking in report.lacks:
        output.line(f"lacks: {lacking}")
    for hint in report.hints:
        output.line(f"lift:  {hint.what}")
        output.line(f"       {hint.lift}")
    if report.quick_tier is not report.tier:
        output.line(
            f"careful: commands look only quickly before they start bots and take tier {report.quick_tier} here"
        )


def show_machine(output: Output, lines: list[Health], languages: list[tuple[str, str, bool]]) -> None:
    """Everything beside the sandbox."""
    output.line()
    output.line("machine:")
    rows = [("✓" if line.ok else "!", line.name, _with_fix(line)) for line in lines]
    rows += [("✓" if complete else "-", name, text) for name, text, complete in languages]
    _table(output, rows)


def _with_fix(line: Health) -> str:
    return line.value if line.ok or not line.fix else f"{line.value}; {line.fix}"


def show_settings(output: Output, settings: Settings) -> None:
    """Each setting and where it came from."""
    output.line()
    output.line(f"settings: {settings.file or 'no arena.toml'}")
    rows = [("", name, f"{value.shown} ({value.origin})") for name, value in settings.values.items()]
    _table(output, rows)


def _table(output: Output, rows: list[tuple[str, str, str]]) -> None:
    columns = [Column("", width=2), Column("", width=15), Column("")]
    for line in output.table_lines(columns, rows, wrap=True)[1:]:
        output.line(line)
