"""The tree of commands, and what becomes of whatever they raise.

A command is one file of `commands/`; its module imports only Typer and this folder, and what it needs from the floors
below inside its function, so that `arena --help` stays quick.
"""

from __future__ import annotations

import difflib
import os
import signal
import sys
import warnings
from contextlib import AbstractContextManager, nullcontext
from typing import Annotated, Any, cast

import typer
from typer.core import TyperCommand, TyperGroup

from arena.cli import failure
from arena.cli.flags import EVERYWHERE, NAMES, Flags, UsageError, split
from arena.cli.output import Output, output_for
from arena.core.errors import ArenaError

TyperUsageError: type[Exception] = cast("type[Exception]", typer.BadParameter.__mro__[1])
"""What Typer raises for any command line that it cannot read; the class itself has no public name."""

FIRST = (
    ("arena demo", "all three games, four house bots, rated tables"),
    ("arena games", "the games, their variants and options"),
    ("arena play crowsnest counter basic", "watch one game, move by move"),
    ("arena simulate goat --games 10", "random games as JSON lines"),
    ("arena tournament run cup.toml", "a cup of your own bots"),
)
"""What `arena` alone prints."""


class Command(TyperCommand):
    """A command whose help is: one line, examples, usage, flags."""

    def format_help(self, ctx: Any, formatter: Any) -> None:  # Any: these classes have no public name
        """Write the help."""
        self.format_help_text(ctx, formatter)
        formatter.write_paragraph()
        self.format_usage(ctx, formatter)
        self.format_options(ctx, formatter)
        formatter.write(f"\n{EVERYWHERE}\n")

    def invoke(self, ctx: Any) -> Any:
        """Run the command; an interrupt and a closed pipe get names of their own."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise failure.ReaderGone from None
        except KeyboardInterrupt:
            failure.stop_listening()
            raise failure.Stopped(130) from None


class Group(TyperGroup):
    """A group of commands that offers the nearest name for an unknown one."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the first word names. Raises UsageError."""
        word = args[0]
        if not word.startswith("-") and self.get_command(ctx, word) is None:
            known = self.list_commands(ctx)
            near = difflib.get_close_matches(word, known, 1, 0.5)
            prefix = ctx.command_path
            raise UsageError(
                f"no command {word!r}",
                where="command line",
                saw=" ".join([prefix, *args]),
                fix=f"did you mean  {prefix} {near[0]}" if near else f"commands: {', '.join(known)}",
            )
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        super().format_help(ctx, formatter)
        formatter.write(f"\n{EVERYWHERE}\n")


app = typer.Typer(
    name="arena",
    cls=Group,
    help="A referee for programs that play card games of hidden information.",
    no_args_is_help=False,
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def start(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Versions of the arena, protocol and rules.")] = False,
) -> None:
    """A referee for programs that play card games of hidden information."""
    output: Output = ctx.obj
    if version:
        from arena.cli.commands.version import show_versions

        show_versions(output)
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        for command, text in FIRST:
            output.line(f"  {command:<36}{text}")
        output.line(f"  {'arena --help':<36}everything else")
    elif ctx.invoked_subcommand != "help":
        settings_of(output)  # a wrong arena.toml is told before anything is done


def settings_of(output: Output) -> Any:
    """The settings of this run (`config.Settings`). Raises ConfigError."""
    from pathlib import Path

    from arena.cli.config import load

    return load(output.flags.config, os.environ, Path.cwd(), output.flags.data)


def run(argv: list[str]) -> int:
    """Run one command line and return its exit status. Everything raised ends here."""
    output = output_for(Flags(json="--json" in argv, debug="--debug" in argv))
    typed = " ".join(["arena", *argv])
    try:
        flags, words = split(argv)
        output = output_for(flags)
        signal.signal(signal.SIGTERM, _terminated)
        with _messages(flags):
            status = _registered()(words, prog_name="arena", standalone_mode=False, obj=output)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except ArenaError as error:
        _traceback(output)
        failure.show(failure.of_error(error, typed), output)
        return failure.exit_status(error)
    except TyperUsageError as error:
        failure.show(_usage(error, typed), output)
        return 2
    except (failure.ReaderGone, BrokenPipeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # or the interpreter complains when it flushes at its end
        return 0
    except (failure.Stopped, KeyboardInterrupt) as stop:
        return _stopped(stop, output)
    except Exception as error:
        _traceback(output)
        failure.show(failure.of_bug(error, argv), output)
        return 3


def _registered() -> typer.Typer:
    from arena.cli import commands

    commands.register(app)
    return app


def _messages(flags: Flags) -> AbstractContextManager[None]:
    """With -vv messages between this process and bots are told."""
    if flags.verbose < 2:
        return nullcontext()
    from arena.wire.messages import told

    return told()


def _usage(error: Any, typed: str) -> failure.Failure:
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "arena"
    option = getattr(error, "option_name", "")
    near = getattr(error, "possibilities", None) or difflib.get_close_matches(option, NAMES, 1)
    fix = f"did you mean {near[0]}?  " if option and near else ""
    return failure.Failure(
        error=error.format_message().split("\n")[0].rstrip("."),
        where="command line",
        saw=typed,
        fix=f"{fix}{path} --help  lists its flags",
        code="USAGE",
    )


def _stopped(stop: BaseException, output: Output) -> int:
    failure.stop_listening()
    warnings.filterwarnings("ignore", "coroutine .* was never awaited", RuntimeWarning)  # work that was stopped before
    status = stop.status if isinstance(stop, failure.Stopped) else 130
    resume = stop.resume if isinstance(stop, failure.Stopped) else ""
    if sys.stderr.isatty() and not resume:
        sys.stderr.write("\n")  # after the ^C that the terminal shows
    output.note(f"stopped{f'; to go on:  {resume}' if resume else ''}")
    return status


def _terminated(_number: int, _frame: object) -> None:
    failure.stop_listening()
    raise failure.Stopped(143)


def _traceback(output: Output) -> None:
    if output.flags.debug:
        import traceback

        traceback.print_exc()
