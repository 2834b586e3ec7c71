from arena_bot.v1 import crow_pb2 as _crow_pb2
from arena_bot.v1 import goat_pb2 as _goat_pb2
from arena_bot.v1 import rook_pb2 as _rook_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MoveKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MOVE_KIND_UNSPECIFIED: _ClassVar[MoveKind]
    MOVE_KIND_DISCARD: _ClassVar[MoveKind]
    MOVE_KIND_LEAD: _ClassVar[MoveKind]
    MOVE_KIND_BEAT: _ClassVar[MoveKind]
    MOVE_KIND_DROP: _ClassVar[MoveKind]

class Verdict(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VERDICT_UNSPECIFIED: _ClassVar[Verdict]
    VERDICT_FINISHED: _ClassVar[Verdict]
    VERDICT_FORFEIT: _ClassVar[Verdict]
    VERDICT_VOID: _ClassVar[Verdict]
MOVE_KIND_UNSPECIFIED: MoveKind
MOVE_KIND_DISCARD: MoveKind
MOVE_KIND_LEAD: MoveKind
MOVE_KIND_BEAT: MoveKind
MOVE_KIND_DROP: MoveKind
VERDICT_UNSPECIFIED: Verdict
VERDICT_FINISHED: Verdict
VERDICT_FORFEIT: Verdict
VERDICT_VOID: Verdict

class BotFrame(_message.Message):
    __slots__ = ("events",)
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[BotEvent]
    def __init__(self, events: _Optional[_Iterable[_Union[BotEvent, _Mapping]]] = ...) -> None: ...

class ArenaFrame(_message.Message):
    __slots__ = ("events",)
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[ArenaEvent]
    def __init__(self, events: _Optional[_Iterable[_Union[ArenaEvent, _Mapping]]] = ...) -> None: ...

class BotEvent(_message.Message):
    __slots__ = ("hello", "reply")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    REPLY_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    reply: Reply
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., reply: _Optional[_Union[Reply, _Mapping]] = ...) -> None: ...

class ArenaEvent(_message.Message):
    __slots__ = ("welcome", "game_start", "turn", "rejected", "game_over", "goodbye")
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    GAME_START_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    GAME_OVER_FIELD_NUMBER: _ClassVar[int]
    GOODBYE_FIELD_NUMBER: _ClassVar[int]
    welcome: Welcome
    game_start: GameStart
    turn: Turn
    rejected: Rejected
    game_over: GameOver
    goodbye: Goodbye
    def __init__(self, welcome: _Optional[_Union[Welcome, _Mapping]] = ..., game_start: _Optional[_Union[GameStart, _Mapping]] = ..., turn: _Optional[_Union[Turn, _Mapping]] = ..., rejected: _Optional[_Union[Rejected, _Mapping]] = ..., game_over: _Optional[_Union[GameOver, _Mapping]] = ..., goodbye: _Optional[_Union[Goodbye, _Mapping]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("versions", "token", "sdk", "concurrent_games")
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    SDK_FIELD_NUMBER: _ClassVar[int]
    CONCURRENT_GAMES_FIELD_NUMBER: _ClassVar[int]
    versions: _containers.RepeatedScalarFieldContainer[str]
    token: str
    sdk: str
    concurrent_games: int
    def __init__(self, versions: _Optional[_Iterable[str]] = ..., token: _Optional[str] = ..., sdk: _Optional[str] = ..., concurrent_games: _Optional[int] = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("version", "limits")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    version: str
    limits: Limits
    def __init__(self, version: _Optional[str] = ..., limits: _Optional[_Union[Limits, _Mapping]] = ...) -> None: ...

class Limits(_message.Message):
    __slots__ = ("frame_bytes", "note_bytes", "game_note_bytes")
    FRAME_BYTES_FIELD_NUMBER: _ClassVar[int]
    NOTE_BYTES_FIELD_NUMBER: _ClassVar[int]
    GAME_NOTE_BYTES_FIELD_NUMBER: _ClassVar[int]
    frame_bytes: int
    note_bytes: int
    game_note_bytes: int
    def __init__(self, frame_bytes: _Optional[int] = ..., note_bytes: _Optional[int] = ..., game_note_bytes: _Optional[int] = ...) -> None: ...

class Clock(_message.Message):
    __slots__ = ("bank_ms", "increment_ms", "cap_ms")
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    INCREMENT_MS_FIELD_NUMBER: _ClassVar[int]
    CAP_MS_FIELD_NUMBER: _ClassVar[int]
    bank_ms: int
    increment_ms: int
    cap_ms: int
    def __init__(self, bank_ms: _Optional[int] = ..., increment_ms: _Optional[int] = ..., cap_ms: _Optional[int] = ...) -> None: ...

class GameStart(_message.Message):
    __slots__ = ("game", "ruleset", "options", "seat", "seats", "partner", "clock", "seed")
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    GAME_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    PARTNER_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    game: int
    ruleset: str
    options: _containers.ScalarMap[str, str]
    seat: int
    seats: int
    partner: int
    clock: Clock
    seed: int
    def __init__(self, game: _Optional[int] = ..., ruleset: _Optional[str] = ..., options: _Optional[_Mapping[str, str]] = ..., seat: _Optional[int] = ..., seats: _Optional[int] = ..., partner: _Optional[int] = ..., clock: _Optional[_Union[Clock, _Mapping]] = ..., seed: _Optional[int] = ...) -> None: ...

class Turn(_message.Message):
    __slots__ = ("game", "turn", "rook", "crow", "goat", "legal", "limit_ms", "bank_ms")
    GAME_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    ROOK_FIELD_NUMBER: _ClassVar[int]
    CROW_FIELD_NUMBER: _ClassVar[int]
    GOAT_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    LIMIT_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    game: int
    turn: int
    rook: _rook_pb2.RookView
    crow: _crow_pb2.CrowView
    goat: _goat_pb2.GoatView
    legal: Legal
    limit_ms: int
    bank_ms: int
    def __init__(self, game: _Optional[int] = ..., turn: _Optional[int] = ..., rook: _Optional[_Union[_rook_pb2.RookView, _Mapping]] = ..., crow: _Optional[_Union[_crow_pb2.CrowView, _Mapping]] = ..., goat: _Optional[_Union[_goat_pb2.GoatView, _Mapping]] = ..., legal: _Optional[_Union[Legal, _Mapping]] = ..., limit_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ...) -> None: ...

class Legal(_message.Message):
    __slots__ = ("moves", "choose")
    MOVES_FIELD_NUMBER: _ClassVar[int]
    CHOOSE_FIELD_NUMBER: _ClassVar[int]
    moves: _containers.RepeatedCompositeFieldContainer[Move]
    choose: Choose
    def __init__(self, moves: _Optional[_Iterable[_Union[Move, _Mapping]]] = ..., choose: _Optional[_Union[Choose, _Mapping]] = ...) -> None: ...

class Choose(_message.Message):
    __slots__ = ("kind", "count", "cards")
    KIND_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    kind: MoveKind
    count: int
    cards: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, kind: _Optional[_Union[MoveKind, str]] = ..., count: _Optional[int] = ..., cards: _Optional[_Iterable[int]] = ...) -> None: ...

class CardSet(_message.Message):
    __slots__ = ("cards",)
    CARDS_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, cards: _Optional[_Iterable[int]] = ...) -> None: ...

class Move(_message.Message):
    __slots__ = ("play", "bid", "name_trump", "discard", "lead", "beat", "drop", "molodka")
    PLAY_FIELD_NUMBER: _ClassVar[int]
    BID_FIELD_NUMBER: _ClassVar[int]
    PASS_FIELD_NUMBER: _ClassVar[int]
    NAME_TRUMP_FIELD_NUMBER: _ClassVar[int]
    DISCARD_FIELD_NUMBER: _ClassVar[int]
    LEAD_FIELD_NUMBER: _ClassVar[int]
    BEAT_FIELD_NUMBER: _ClassVar[int]
    DROP_FIELD_NUMBER: _ClassVar[int]
    MOLODKA_FIELD_NUMBER: _ClassVar[int]
    play: int
    bid: int
    name_trump: int
    discard: CardSet
    lead: CardSet
    beat: CardSet
    drop: CardSet
    molodka: bool
    def __init__(self, play: _Optional[int] = ..., bid: _Optional[int] = ..., name_trump: _Optional[int] = ..., discard: _Optional[_Union[CardSet, _Mapping]] = ..., lead: _Optional[_Union[CardSet, _Mapping]] = ..., beat: _Optional[_Union[CardSet, _Mapping]] = ..., drop: _Optional[_Union[CardSet, _Mapping]] = ..., molodka: bool = ..., **kwargs) -> None: ...

class Reply(_message.Message):
    __slots__ = ("game", "turn", "choice", "move", "note")
    GAME_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    CHOICE_FIELD_NUMBER: _ClassVar[int]
    MOVE_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    game: int
    turn: int
    choice: int
    move: Move
    note: str
    def __init__(self, game: _Optional[int] = ..., turn: _Optional[int] = ..., choice: _Optional[int] = ..., move: _Optional[_Union[Move, _Mapping]] = ..., note: _Optional[str] = ...) -> None: ...

class Rejected(_message.Message):
    __slots__ = ("game", "turn", "reason")
    GAME_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    game: int
    turn: int
    reason: str
    def __init__(self, game: _Optional[int] = ..., turn: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class GameOver(_message.Message):
    __slots__ = ("game", "verdict", "scores", "ranks", "forfeit_seat", "reason")
    GAME_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    RANKS_FIELD_NUMBER: _ClassVar[int]
    FORFEIT_SEAT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    game: int
    verdict: Verdict
    scores: _containers.RepeatedScalarFieldContainer[int]
    ranks: _containers.RepeatedScalarFieldContainer[int]
    forfeit_seat: int
    reason: str
    def __init__(self, game: _Optional[int] = ..., verdict: _Optional[_Union[Verdict, str]] = ..., scores: _Optional[_Iterable[int]] = ..., ranks: _Optional[_Iterable[int]] = ..., forfeit_seat: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class Goodbye(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: str
    def __init__(self, reason: _Optional[str] = ...) -> None: ...
