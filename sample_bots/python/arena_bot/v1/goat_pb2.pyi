from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GoatPhase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GOAT_PHASE_UNSPECIFIED: _ClassVar[GoatPhase]
    GOAT_PHASE_ASK: _ClassVar[GoatPhase]
    GOAT_PHASE_LEAD: _ClassVar[GoatPhase]
    GOAT_PHASE_ANSWER: _ClassVar[GoatPhase]
    GOAT_PHASE_OVER: _ClassVar[GoatPhase]

class GoatAct(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GOAT_ACT_UNSPECIFIED: _ClassVar[GoatAct]
    GOAT_ACT_LEAD: _ClassVar[GoatAct]
    GOAT_ACT_BEAT: _ClassVar[GoatAct]
    GOAT_ACT_DROP: _ClassVar[GoatAct]
    GOAT_ACT_MOLODKA: _ClassVar[GoatAct]
    GOAT_ACT_DECLINE: _ClassVar[GoatAct]

class GoatCard(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GOAT_CARD_UNSPECIFIED: _ClassVar[GoatCard]
    GOAT_CARD_6C: _ClassVar[GoatCard]
    GOAT_CARD_7C: _ClassVar[GoatCard]
    GOAT_CARD_8C: _ClassVar[GoatCard]
    GOAT_CARD_9C: _ClassVar[GoatCard]
    GOAT_CARD_JC: _ClassVar[GoatCard]
    GOAT_CARD_QC: _ClassVar[GoatCard]
    GOAT_CARD_KC: _ClassVar[GoatCard]
    GOAT_CARD_10C: _ClassVar[GoatCard]
    GOAT_CARD_AC: _ClassVar[GoatCard]
    GOAT_CARD_6D: _ClassVar[GoatCard]
    GOAT_CARD_7D: _ClassVar[GoatCard]
    GOAT_CARD_8D: _ClassVar[GoatCard]
    GOAT_CARD_9D: _ClassVar[GoatCard]
    GOAT_CARD_JD: _ClassVar[GoatCard]
    GOAT_CARD_QD: _ClassVar[GoatCard]
    GOAT_CARD_KD: _ClassVar[GoatCard]
    GOAT_CARD_10D: _ClassVar[GoatCard]
    GOAT_CARD_AD: _ClassVar[GoatCard]
    GOAT_CARD_6H: _ClassVar[GoatCard]
    GOAT_CARD_7H: _ClassVar[GoatCard]
    GOAT_CARD_8H: _ClassVar[GoatCard]
    GOAT_CARD_9H: _ClassVar[GoatCard]
    GOAT_CARD_JH: _ClassVar[GoatCard]
    GOAT_CARD_QH: _ClassVar[GoatCard]
    GOAT_CARD_KH: _ClassVar[GoatCard]
    GOAT_CARD_10H: _ClassVar[GoatCard]
    GOAT_CARD_AH: _ClassVar[GoatCard]
    GOAT_CARD_6S: _ClassVar[GoatCard]
    GOAT_CARD_7S: _ClassVar[GoatCard]
    GOAT_CARD_8S: _ClassVar[GoatCard]
    GOAT_CARD_9S: _ClassVar[GoatCard]
    GOAT_CARD_JS: _ClassVar[GoatCard]
    GOAT_CARD_QS: _ClassVar[GoatCard]
    GOAT_CARD_KS: _ClassVar[GoatCard]
    GOAT_CARD_10S: _ClassVar[GoatCard]
    GOAT_CARD_AS: _ClassVar[GoatCard]
GOAT_PHASE_UNSPECIFIED: GoatPhase
GOAT_PHASE_ASK: GoatPhase
GOAT_PHASE_LEAD: GoatPhase
GOAT_PHASE_ANSWER: GoatPhase
GOAT_PHASE_OVER: GoatPhase
GOAT_ACT_UNSPECIFIED: GoatAct
GOAT_ACT_LEAD: GoatAct
GOAT_ACT_BEAT: GoatAct
GOAT_ACT_DROP: GoatAct
GOAT_ACT_MOLODKA: GoatAct
GOAT_ACT_DECLINE: GoatAct
GOAT_CARD_UNSPECIFIED: GoatCard
GOAT_CARD_6C: GoatCard
GOAT_CARD_7C: GoatCard
GOAT_CARD_8C: GoatCard
GOAT_CARD_9C: GoatCard
GOAT_CARD_JC: GoatCard
GOAT_CARD_QC: GoatCard
GOAT_CARD_KC: GoatCard
GOAT_CARD_10C: GoatCard
GOAT_CARD_AC: GoatCard
GOAT_CARD_6D: GoatCard
GOAT_CARD_7D: GoatCard
GOAT_CARD_8D: GoatCard
GOAT_CARD_9D: GoatCard
GOAT_CARD_JD: GoatCard
GOAT_CARD_QD: GoatCard
GOAT_CARD_KD: GoatCard
GOAT_CARD_10D: GoatCard
GOAT_CARD_AD: GoatCard
GOAT_CARD_6H: GoatCard
GOAT_CARD_7H: GoatCard
GOAT_CARD_8H: GoatCard
GOAT_CARD_9H: GoatCard
GOAT_CARD_JH: GoatCard
GOAT_CARD_QH: GoatCard
GOAT_CARD_KH: GoatCard
GOAT_CARD_10H: GoatCard
GOAT_CARD_AH: GoatCard
GOAT_CARD_6S: GoatCard
GOAT_CARD_7S: GoatCard
GOAT_CARD_8S: GoatCard
GOAT_CARD_9S: GoatCard
GOAT_CARD_JS: GoatCard
GOAT_CARD_QS: GoatCard
GOAT_CARD_KS: GoatCard
GOAT_CARD_10S: GoatCard
GOAT_CARD_AS: GoatCard

class GoatResult(_message.Message):
    __slots__ = ("points", "defeats")
    POINTS_FIELD_NUMBER: _ClassVar[int]
    DEFEATS_FIELD_NUMBER: _ClassVar[int]
    points: _containers.RepeatedScalarFieldContainer[int]
    defeats: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, points: _Optional[_Iterable[int]] = ..., defeats: _Optional[_Iterable[int]] = ...) -> None: ...

class GoatView(_message.Message):
    __slots__ = ("seat", "phase", "deal_number", "dealer", "leader", "hand", "trump", "trump_card", "stock", "act_seats", "acts", "act_counts", "act_cards", "received", "points", "tricks", "defeats", "results")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    DEAL_NUMBER_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    LEADER_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    TRUMP_FIELD_NUMBER: _ClassVar[int]
    TRUMP_CARD_FIELD_NUMBER: _ClassVar[int]
    STOCK_FIELD_NUMBER: _ClassVar[int]
    ACT_SEATS_FIELD_NUMBER: _ClassVar[int]
    ACTS_FIELD_NUMBER: _ClassVar[int]
    ACT_COUNTS_FIELD_NUMBER: _ClassVar[int]
    ACT_CARDS_FIELD_NUMBER: _ClassVar[int]
    RECEIVED_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    TRICKS_FIELD_NUMBER: _ClassVar[int]
    DEFEATS_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    phase: GoatPhase
    deal_number: int
    dealer: int
    leader: int
    hand: _containers.RepeatedScalarFieldContainer[GoatCard]
    trump: int
    trump_card: GoatCard
    stock: int
    act_seats: _containers.RepeatedScalarFieldContainer[int]
    acts: _containers.RepeatedScalarFieldContainer[GoatAct]
    act_counts: _containers.RepeatedScalarFieldContainer[int]
    act_cards: _containers.RepeatedScalarFieldContainer[GoatCard]
    received: _containers.RepeatedScalarFieldContainer[GoatCard]
    points: _containers.RepeatedScalarFieldContainer[int]
    tricks: _containers.RepeatedScalarFieldContainer[int]
    defeats: _containers.RepeatedScalarFieldContainer[int]
    results: _containers.RepeatedCompositeFieldContainer[GoatResult]
    def __init__(self, seat: _Optional[int] = ..., phase: _Optional[_Union[GoatPhase, str]] = ..., deal_number: _Optional[int] = ..., dealer: _Optional[int] = ..., leader: _Optional[int] = ..., hand: _Optional[_Iterable[_Union[GoatCard, str]]] = ..., trump: _Optional[int] = ..., trump_card: _Optional[_Union[GoatCard, str]] = ..., stock: _Optional[int] = ..., act_seats: _Optional[_Iterable[int]] = ..., acts: _Optional[_Iterable[_Union[GoatAct, str]]] = ..., act_counts: _Optional[_Iterable[int]] = ..., act_cards: _Optional[_Iterable[_Union[GoatCard, str]]] = ..., received: _Optional[_Iterable[_Union[GoatCard, str]]] = ..., points: _Optional[_Iterable[int]] = ..., tricks: _Optional[_Iterable[int]] = ..., defeats: _Optional[_Iterable[int]] = ..., results: _Optional[_Iterable[_Union[GoatResult, _Mapping]]] = ...) -> None: ...
