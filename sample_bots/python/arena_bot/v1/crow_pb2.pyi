from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CrowCard(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CROW_CARD_UNSPECIFIED: _ClassVar[CrowCard]
    CROW_CARD_R2: _ClassVar[CrowCard]
    CROW_CARD_R3: _ClassVar[CrowCard]
    CROW_CARD_R4: _ClassVar[CrowCard]
    CROW_CARD_R5: _ClassVar[CrowCard]
    CROW_CARD_R6: _ClassVar[CrowCard]
    CROW_CARD_R7: _ClassVar[CrowCard]
    CROW_CARD_R8: _ClassVar[CrowCard]
    CROW_CARD_R9: _ClassVar[CrowCard]
    CROW_CARD_R10: _ClassVar[CrowCard]
    CROW_CARD_G2: _ClassVar[CrowCard]
    CROW_CARD_G3: _ClassVar[CrowCard]
    CROW_CARD_G4: _ClassVar[CrowCard]
    CROW_CARD_G5: _ClassVar[CrowCard]
    CROW_CARD_G6: _ClassVar[CrowCard]
    CROW_CARD_G7: _ClassVar[CrowCard]
    CROW_CARD_G8: _ClassVar[CrowCard]
    CROW_CARD_G9: _ClassVar[CrowCard]
    CROW_CARD_G10: _ClassVar[CrowCard]
    CROW_CARD_B2: _ClassVar[CrowCard]
    CROW_CARD_B3: _ClassVar[CrowCard]
    CROW_CARD_B4: _ClassVar[CrowCard]
    CROW_CARD_B5: _ClassVar[CrowCard]
    CROW_CARD_B6: _ClassVar[CrowCard]
    CROW_CARD_B7: _ClassVar[CrowCard]
    CROW_CARD_B8: _ClassVar[CrowCard]
    CROW_CARD_B9: _ClassVar[CrowCard]
    CROW_CARD_B10: _ClassVar[CrowCard]
    CROW_CARD_T2: _ClassVar[CrowCard]
    CROW_CARD_T3: _ClassVar[CrowCard]
    CROW_CARD_T4: _ClassVar[CrowCard]
    CROW_CARD_T5: _ClassVar[CrowCard]
    CROW_CARD_T6: _ClassVar[CrowCard]
    CROW_CARD_T7: _ClassVar[CrowCard]
    CROW_CARD_T8: _ClassVar[CrowCard]
    CROW_CARD_T9: _ClassVar[CrowCard]
    CROW_CARD_T10: _ClassVar[CrowCard]
CROW_CARD_UNSPECIFIED: CrowCard
CROW_CARD_R2: CrowCard
CROW_CARD_R3: CrowCard
CROW_CARD_R4: CrowCard
CROW_CARD_R5: CrowCard
CROW_CARD_R6: CrowCard
CROW_CARD_R7: CrowCard
CROW_CARD_R8: CrowCard
CROW_CARD_R9: CrowCard
CROW_CARD_R10: CrowCard
CROW_CARD_G2: CrowCard
CROW_CARD_G3: CrowCard
CROW_CARD_G4: CrowCard
CROW_CARD_G5: CrowCard
CROW_CARD_G6: CrowCard
CROW_CARD_G7: CrowCard
CROW_CARD_G8: CrowCard
CROW_CARD_G9: CrowCard
CROW_CARD_G10: CrowCard
CROW_CARD_B2: CrowCard
CROW_CARD_B3: CrowCard
CROW_CARD_B4: CrowCard
CROW_CARD_B5: CrowCard
CROW_CARD_B6: CrowCard
CROW_CARD_B7: CrowCard
CROW_CARD_B8: CrowCard
CROW_CARD_B9: CrowCard
CROW_CARD_B10: CrowCard
CROW_CARD_T2: CrowCard
CROW_CARD_T3: CrowCard
CROW_CARD_T4: CrowCard
CROW_CARD_T5: CrowCard
CROW_CARD_T6: CrowCard
CROW_CARD_T7: CrowCard
CROW_CARD_T8: CrowCard
CROW_CARD_T9: CrowCard
CROW_CARD_T10: CrowCard

class CrowView(_message.Message):
    __slots__ = ("seat", "round", "dealer", "hand", "pitchers", "played", "leaders", "round_scores", "scores", "results")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    PITCHERS_FIELD_NUMBER: _ClassVar[int]
    PLAYED_FIELD_NUMBER: _ClassVar[int]
    LEADERS_FIELD_NUMBER: _ClassVar[int]
    ROUND_SCORES_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    round: int
    dealer: int
    hand: _containers.RepeatedScalarFieldContainer[CrowCard]
    pitchers: _containers.RepeatedScalarFieldContainer[int]
    played: _containers.RepeatedScalarFieldContainer[CrowCard]
    leaders: _containers.RepeatedScalarFieldContainer[int]
    round_scores: _containers.RepeatedScalarFieldContainer[int]
    scores: _containers.RepeatedScalarFieldContainer[int]
    results: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, seat: _Optional[int] = ..., round: _Optional[int] = ..., dealer: _Optional[int] = ..., hand: _Optional[_Iterable[_Union[CrowCard, str]]] = ..., pitchers: _Optional[_Iterable[int]] = ..., played: _Optional[_Iterable[_Union[CrowCard, str]]] = ..., leaders: _Optional[_Iterable[int]] = ..., round_scores: _Optional[_Iterable[int]] = ..., scores: _Optional[_Iterable[int]] = ..., results: _Optional[_Iterable[int]] = ...) -> None: ...
