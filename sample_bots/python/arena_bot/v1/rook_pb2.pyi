from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RookPhase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ROOK_PHASE_UNSPECIFIED: _ClassVar[RookPhase]
    ROOK_PHASE_AUCTION: _ClassVar[RookPhase]
    ROOK_PHASE_DISCARD: _ClassVar[RookPhase]
    ROOK_PHASE_TRUMP: _ClassVar[RookPhase]
    ROOK_PHASE_PLAY: _ClassVar[RookPhase]
    ROOK_PHASE_OVER: _ClassVar[RookPhase]

class RookCard(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ROOK_CARD_UNSPECIFIED: _ClassVar[RookCard]
    ROOK_CARD_B1: _ClassVar[RookCard]
    ROOK_CARD_B2: _ClassVar[RookCard]
    ROOK_CARD_B3: _ClassVar[RookCard]
    ROOK_CARD_B4: _ClassVar[RookCard]
    ROOK_CARD_B5: _ClassVar[RookCard]
    ROOK_CARD_B6: _ClassVar[RookCard]
    ROOK_CARD_B7: _ClassVar[RookCard]
    ROOK_CARD_B8: _ClassVar[RookCard]
    ROOK_CARD_B9: _ClassVar[RookCard]
    ROOK_CARD_B10: _ClassVar[RookCard]
    ROOK_CARD_B11: _ClassVar[RookCard]
    ROOK_CARD_B12: _ClassVar[RookCard]
    ROOK_CARD_B13: _ClassVar[RookCard]
    ROOK_CARD_B14: _ClassVar[RookCard]
    ROOK_CARD_G1: _ClassVar[RookCard]
    ROOK_CARD_G2: _ClassVar[RookCard]
    ROOK_CARD_G3: _ClassVar[RookCard]
    ROOK_CARD_G4: _ClassVar[RookCard]
    ROOK_CARD_G5: _ClassVar[RookCard]
    ROOK_CARD_G6: _ClassVar[RookCard]
    ROOK_CARD_G7: _ClassVar[RookCard]
    ROOK_CARD_G8: _ClassVar[RookCard]
    ROOK_CARD_G9: _ClassVar[RookCard]
    ROOK_CARD_G10: _ClassVar[RookCard]
    ROOK_CARD_G11: _ClassVar[RookCard]
    ROOK_CARD_G12: _ClassVar[RookCard]
    ROOK_CARD_G13: _ClassVar[RookCard]
    ROOK_CARD_G14: _ClassVar[RookCard]
    ROOK_CARD_R1: _ClassVar[RookCard]
    ROOK_CARD_R2: _ClassVar[RookCard]
    ROOK_CARD_R3: _ClassVar[RookCard]
    ROOK_CARD_R4: _ClassVar[RookCard]
    ROOK_CARD_R5: _ClassVar[RookCard]
    ROOK_CARD_R6: _ClassVar[RookCard]
    ROOK_CARD_R7: _ClassVar[RookCard]
    ROOK_CARD_R8: _ClassVar[RookCard]
    ROOK_CARD_R9: _ClassVar[RookCard]
    ROOK_CARD_R10: _ClassVar[RookCard]
    ROOK_CARD_R11: _ClassVar[RookCard]
    ROOK_CARD_R12: _ClassVar[RookCard]
    ROOK_CARD_R13: _ClassVar[RookCard]
    ROOK_CARD_R14: _ClassVar[RookCard]
    ROOK_CARD_Y1: _ClassVar[RookCard]
    ROOK_CARD_Y2: _ClassVar[RookCard]
    ROOK_CARD_Y3: _ClassVar[RookCard]
    ROOK_CARD_Y4: _ClassVar[RookCard]
    ROOK_CARD_Y5: _ClassVar[RookCard]
    ROOK_CARD_Y6: _ClassVar[RookCard]
    ROOK_CARD_Y7: _ClassVar[RookCard]
    ROOK_CARD_Y8: _ClassVar[RookCard]
    ROOK_CARD_Y9: _ClassVar[RookCard]
    ROOK_CARD_Y10: _ClassVar[RookCard]
    ROOK_CARD_Y11: _ClassVar[RookCard]
    ROOK_CARD_Y12: _ClassVar[RookCard]
    ROOK_CARD_Y13: _ClassVar[RookCard]
    ROOK_CARD_Y14: _ClassVar[RookCard]
    ROOK_CARD_ROOK: _ClassVar[RookCard]
    ROOK_CARD_RED1: _ClassVar[RookCard]
ROOK_PHASE_UNSPECIFIED: RookPhase
ROOK_PHASE_AUCTION: RookPhase
ROOK_PHASE_DISCARD: RookPhase
ROOK_PHASE_TRUMP: RookPhase
ROOK_PHASE_PLAY: RookPhase
ROOK_PHASE_OVER: RookPhase
ROOK_CARD_UNSPECIFIED: RookCard
ROOK_CARD_B1: RookCard
ROOK_CARD_B2: RookCard
ROOK_CARD_B3: RookCard
ROOK_CARD_B4: RookCard
ROOK_CARD_B5: RookCard
ROOK_CARD_B6: RookCard
ROOK_CARD_B7: RookCard
ROOK_CARD_B8: RookCard
ROOK_CARD_B9: RookCard
ROOK_CARD_B10: RookCard
ROOK_CARD_B11: RookCard
ROOK_CARD_B12: RookCard
ROOK_CARD_B13: RookCard
ROOK_CARD_B14: RookCard
ROOK_CARD_G1: RookCard
ROOK_CARD_G2: RookCard
ROOK_CARD_G3: RookCard
ROOK_CARD_G4: RookCard
ROOK_CARD_G5: RookCard
ROOK_CARD_G6: RookCard
ROOK_CARD_G7: RookCard
ROOK_CARD_G8: RookCard
ROOK_CARD_G9: RookCard
ROOK_CARD_G10: RookCard
ROOK_CARD_G11: RookCard
ROOK_CARD_G12: RookCard
ROOK_CARD_G13: RookCard
ROOK_CARD_G14: RookCard
ROOK_CARD_R1: RookCard
ROOK_CARD_R2: RookCard
ROOK_CARD_R3: RookCard
ROOK_CARD_R4: RookCard
ROOK_CARD_R5: RookCard
ROOK_CARD_R6: RookCard
ROOK_CARD_R7: RookCard
ROOK_CARD_R8: RookCard
ROOK_CARD_R9: RookCard
ROOK_CARD_R10: RookCard
ROOK_CARD_R11: RookCard
ROOK_CARD_R12: RookCard
ROOK_CARD_R13: RookCard
ROOK_CARD_R14: RookCard
ROOK_CARD_Y1: RookCard
ROOK_CARD_Y2: RookCard
ROOK_CARD_Y3: RookCard
ROOK_CARD_Y4: RookCard
ROOK_CARD_Y5: RookCard
ROOK_CARD_Y6: RookCard
ROOK_CARD_Y7: RookCard
ROOK_CARD_Y8: RookCard
ROOK_CARD_Y9: RookCard
ROOK_CARD_Y10: RookCard
ROOK_CARD_Y11: RookCard
ROOK_CARD_Y12: RookCard
ROOK_CARD_Y13: RookCard
ROOK_CARD_Y14: RookCard
ROOK_CARD_ROOK: RookCard
ROOK_CARD_RED1: RookCard

class RookResult(_message.Message):
    __slots__ = ("declarer", "bid", "captured")
    DECLARER_FIELD_NUMBER: _ClassVar[int]
    BID_FIELD_NUMBER: _ClassVar[int]
    CAPTURED_FIELD_NUMBER: _ClassVar[int]
    declarer: int
    bid: int
    captured: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, declarer: _Optional[int] = ..., bid: _Optional[int] = ..., captured: _Optional[_Iterable[int]] = ...) -> None: ...

class RookView(_message.Message):
    __slots__ = ("seat", "phase", "hand_number", "redeals", "dealer", "hand", "bid_seats", "bid_points", "bid", "bidder", "nest", "discard", "trump", "played", "leaders", "captured", "scores", "results")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    HAND_NUMBER_FIELD_NUMBER: _ClassVar[int]
    REDEALS_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    BID_SEATS_FIELD_NUMBER: _ClassVar[int]
    BID_POINTS_FIELD_NUMBER: _ClassVar[int]
    BID_FIELD_NUMBER: _ClassVar[int]
    BIDDER_FIELD_NUMBER: _ClassVar[int]
    NEST_FIELD_NUMBER: _ClassVar[int]
    DISCARD_FIELD_NUMBER: _ClassVar[int]
    TRUMP_FIELD_NUMBER: _ClassVar[int]
    PLAYED_FIELD_NUMBER: _ClassVar[int]
    LEADERS_FIELD_NUMBER: _ClassVar[int]
    CAPTURED_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    phase: RookPhase
    hand_number: int
    redeals: int
    dealer: int
    hand: _containers.RepeatedScalarFieldContainer[RookCard]
    bid_seats: _containers.RepeatedScalarFieldContainer[int]
    bid_points: _containers.RepeatedScalarFieldContainer[int]
    bid: int
    bidder: int
    nest: _containers.RepeatedScalarFieldContainer[RookCard]
    discard: _containers.RepeatedScalarFieldContainer[RookCard]
    trump: int
    played: _containers.RepeatedScalarFieldContainer[RookCard]
    leaders: _containers.RepeatedScalarFieldContainer[int]
    captured: _containers.RepeatedScalarFieldContainer[int]
    scores: _containers.RepeatedScalarFieldContainer[int]
    results: _containers.RepeatedCompositeFieldContainer[RookResult]
    def __init__(self, seat: _Optional[int] = ..., phase: _Optional[_Union[RookPhase, str]] = ..., hand_number: _Optional[int] = ..., redeals: _Optional[int] = ..., dealer: _Optional[int] = ..., hand: _Optional[_Iterable[_Union[RookCard, str]]] = ..., bid_seats: _Optional[_Iterable[int]] = ..., bid_points: _Optional[_Iterable[int]] = ..., bid: _Optional[int] = ..., bidder: _Optional[int] = ..., nest: _Optional[_Iterable[_Union[RookCard, str]]] = ..., discard: _Optional[_Iterable[_Union[RookCard, str]]] = ..., trump: _Optional[int] = ..., played: _Optional[_Iterable[_Union[RookCard, str]]] = ..., leaders: _Optional[_Iterable[int]] = ..., captured: _Optional[_Iterable[int]] = ..., scores: _Optional[_Iterable[int]] = ..., results: _Optional[_Iterable[_Union[RookResult, _Mapping]]] = ...) -> None: ...
