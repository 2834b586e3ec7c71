"""Every code that a fault or an error can carry: what it means, whose fault it is, how to mend it.

`arena help CODE` prints a row, docs/faults.md lists the faults. Knows nothing of how a fault is noticed.
"""

from __future__ import annotations

from typing import NamedTuple


class Code(NamedTuple):
    """One code."""

    name: str
    fault_class: str
    """D, F or A as in docs/faults.md; "" for what only a command reports."""
    blame: str
    """Whose fault it is, in words: "your bot", "the arena", "what was typed"."""
    meaning: str
    mend: str
    exit_status: int = 2
    """Of a command that stops because of it; see `EXIT_STATUSES`."""


EXIT_STATUSES: dict[int, tuple[str, str]] = {
    0: ("done, the answer is good", "also an empty list that was asked for"),
    1: ("done, the answer is no", "a replay does not verify; blocks were reported missing"),
    2: ("usage or configuration", "unknown key, missing file, a bot that cannot be used"),
    3: ("fault of the arena", "a bug, a full disk, a lost database; the report file is named"),
    4: ("not allowed", "cards of a board that is still being played"),
    5: ("nothing to work on", "no bot matches, no game was played"),
    6: ("busy", "another coordinator runs this tournament"),
    130: ("stopped by Ctrl-C", "what is finished is saved, the command that resumes is printed"),
    143: ("stopped by SIGTERM", "likewise"),
}
"""Exit status -> (meaning, example)."""

BOT, ARENA, TYPED = "your bot", "the arena", "what was typed"

FAULTS = (
    Code(
        "START_FAILED",
        "F",
        BOT,
        "The bot's program could not be started, or it ended before it said hello.",
        "Run the command of bot.toml by hand in the bot's folder; its last line on stderr says what is missing.",
        1,
    ),
    Code(
        "NO_HELLO",
        "F",
        BOT,
        "The bot started, but did not connect and say hello within the start limit of 10 s.",
        "Connect to ARENA_ADDRESS at once and send Hello before anything slow; load what is large afterwards.",
        1,
    ),
    Code(
        "BAD_VERSION",
        "F",
        BOT,
        "The bot speaks no protocol version that the arena speaks; the message names both.",
        "Use the SDK that comes with this arena, or generate the protocol's code anew from its .proto files.",
        1,
    ),
    Code(
        "LATE",
        "D",
        BOT,
        "The answer came after its deadline. The default move had already been played; the answer was dropped.",
        "Read the clock that comes with each turn and answer before its limit is over.",
        1,
    ),
    Code(
        "TIMEOUT",
        "D",
        BOT,
        "No answer came before the deadline; the default move was played. The third time forfeits the game.",
        "Answer every turn, also those with one legal move; look for a wait that never ends.",
        1,
    ),
    Code(
        "ILLEGAL",
        "D",
        BOT,
        "The answer was no legal move, or an index outside the list; the default move was played.",
        "Choose only from `legal` of the turn that is answered.",
        1,
    ),
    Code(
        "MALFORMED",
        "D",
        BOT,
        "A frame could not be read, or held an event without content. It costs one decision fault for each turn "
        "pending on that stream.",
        "Send frames written by the protocol's own code, with the `oneof` of every event set.",
        1,
    ),
    Code(
        "OVERSIZE",
        "D",
        BOT,
        "A frame was larger than 256 KiB; it was not read. Above 1 MiB the stream is lost: a forfeit.",
        "Answer with indices; keep notes under 2 KiB a turn.",
        1,
    ),
    Code(
        "WRONG_SEAT",
        "D",
        BOT,
        "More than 10 answers were for a seat that is not the bot's.",
        "Answer with the game and turn numbers of the turn that was asked.",
        1,
    ),
    Code(
        "WRONG_GAME",
        "D",
        BOT,
        "More than 10 answers named a game that does not exist on this connection.",
        "Answer with the game and turn numbers of the turn that was asked.",
        1,
    ),
    Code(
        "STALE",
        "D",
        BOT,
        "More than 10 answers repeated an old turn number or guessed a future one.",
        "Answer each turn once, with its own number.",
        1,
    ),
    Code(
        "UNASKED",
        "",
        BOT,
        "An answer came although no turn was pending. It was dropped and costs nothing.",
        "Answer each turn once.",
        1,
    ),
    Code(
        "FLOOD",
        "F",
        BOT,
        "The bot sent replies that match no pending turn at a rate that no mistake explains.",
        "Look for a loop that sends without waiting for a turn.",
        1,
    ),
    Code(
        "DISCONNECT",
        "F",
        BOT,
        "The bot closed its stream in the middle of a game.",
        "Keep the stream open until Goodbye; catch errors of a single turn.",
        1,
    ),
    Code(
        "DUPLICATE",
        "",
        BOT,
        "A second connection for the same seat was refused; the first one stays.",
        "Call Play once in the life of a process.",
        1,
    ),
    Code(
        "BAD_TOKEN",
        "F",
        BOT,
        "A connection showed a token that is not its own. It was refused; the token's owner is unharmed.",
        "Send the value of ARENA_TOKEN in Hello, nothing else.",
        1,
    ),
    Code(
        "BACKPRESSURE",
        "F",
        BOT,
        "The bot does not read its stream, so that turns pile up.",
        "Read the stream all the time, also while thinking.",
        1,
    ),
    Code(
        "EXIT",
        "F",
        BOT,
        "The bot's program ended with status 0 in the middle of a game.",
        "Stay until Goodbye; do not exit after one game.",
        1,
    ),
    Code(
        "CRASH",
        "F",
        BOT,
        "The bot's program ended with an error or a signal in the middle of a game.",
        "Its last lines on stderr say why; replay the turn to reproduce it.",
        1,
    ),
    Code(
        "BAD_MANIFEST",
        "",
        BOT,
        "The bot's bot.toml is missing or wrong.",
        'It needs `name`, `games` and `command = ["python3", "main.py"]`; see the README.',
    ),
    Code(
        "BAD_NAME",
        "",
        BOT,
        "A bot's name holds something else than 1 to 32 of A-Z a-z 0-9 _ -, or is taken.",
        "Choose another `name` in bot.toml.",
    ),
    Code(
        "BAD_BOT",
        "",
        BOT,
        "The bot cannot be used here.",
        "The error's own lines say why; `arena games` lists the games a bot may name.",
    ),
    Code(
        "WALL",
        "A",
        ARENA,
        "A game took longer than all its clocks allow. The block is void and played again.",
        "Run fewer workers on this machine; report it when it comes back.",
        3,
    ),
    Code(
        "ARENA_FAULT",
        "A",
        ARENA,
        "The arena itself failed: a bug, a lost worker, a full disk. No bot pays for it.",
        "Send the report file to the people who run or write the arena.",
        3,
    ),
)
"""What can go wrong at a table, in the order of docs/faults.md."""

ERRORS = (
    Code(
        "USAGE",
        "",
        TYPED,
        "The command line cannot be read.",
        "`arena help` lists the commands, `arena COMMAND --help` the flags of one.",
    ),
    Code(
        "CONFIG",
        "",
        TYPED,
        "A setting or a file of settings is wrong.",
        "The `where` line names file and line, the `fix` line what is accepted.",
    ),
    Code("BAD_GAME", "", TYPED, "There is no game of this id.", "`arena games` lists the ids."),
    Code(
        "BAD_OPTION",
        "",
        TYPED,
        "A game has no such option, or the option cannot have this value.",
        "`arena games GAME` lists the options with their defaults and what each accepts.",
    ),
    Code(
        "TOO_FEW_BOTS",
        "",
        TYPED,
        "A tournament needs at least two bots, and at a free-for-all table as many as it has seats.",
        "Name more bots, or a game with fewer seats.",
    ),
    Code(
        "DUPLICATE_BOT",
        "",
        TYPED,
        "The same bot is named twice; a bot never plays against itself for a rating.",
        "Leave one of them out, or copy its folder under another `name`.",
    ),
    Code(
        "TRANSCRIPT",
        "",
        "the file",
        "A stored game cannot be read, or it does not agree with the rules.",
        "`arena replay verify` names game and turn; a file that was changed by hand is worth nothing.",
        1,
    ),
    Code(
        "DISK_FULL",
        "",
        ARENA,
        "There is no space left to write to.",
        "Free some space and give the same command again; what is finished is saved.",
        3,
    ),
    Code(
        "NOT_ALLOWED",
        "",
        TYPED,
        "This may not be seen or done now.",
        "Cards of a board open when all its tables are done.",
        4,
    ),
    Code("NOTHING", "", TYPED, "There is nothing to work on.", "Play a game first, or name another one.", 5),
    Code(
        "BUSY",
        "",
        TYPED,
        "Another process is running this tournament.",
        "Wait for it, or stop the process that the error names.",
        6,
    ),
)
"""What only commands report."""

CODES: dict[str, Code] = {code.name: code for code in (*FAULTS, *ERRORS)}
