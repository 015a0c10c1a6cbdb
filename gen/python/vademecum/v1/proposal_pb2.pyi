import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from vademecum.v1 import memory_pb2 as _memory_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Confidence(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CONFIDENCE_UNSPECIFIED: _ClassVar[Confidence]
    CONFIDENCE_LOW: _ClassVar[Confidence]
    CONFIDENCE_MEDIUM: _ClassVar[Confidence]
    CONFIDENCE_HIGH: _ClassVar[Confidence]

class ProposalStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PROPOSAL_STATUS_UNSPECIFIED: _ClassVar[ProposalStatus]
    PROPOSAL_STATUS_PENDING: _ClassVar[ProposalStatus]
    PROPOSAL_STATUS_APPROVED: _ClassVar[ProposalStatus]
    PROPOSAL_STATUS_REJECTED: _ClassVar[ProposalStatus]
    PROPOSAL_STATUS_CONFLICTED: _ClassVar[ProposalStatus]
    PROPOSAL_STATUS_EXPIRED: _ClassVar[ProposalStatus]
CONFIDENCE_UNSPECIFIED: Confidence
CONFIDENCE_LOW: Confidence
CONFIDENCE_MEDIUM: Confidence
CONFIDENCE_HIGH: Confidence
PROPOSAL_STATUS_UNSPECIFIED: ProposalStatus
PROPOSAL_STATUS_PENDING: ProposalStatus
PROPOSAL_STATUS_APPROVED: ProposalStatus
PROPOSAL_STATUS_REJECTED: ProposalStatus
PROPOSAL_STATUS_CONFLICTED: ProposalStatus
PROPOSAL_STATUS_EXPIRED: ProposalStatus

class Proposal(_message.Message):
    __slots__ = ("id", "namespace", "block_label", "memory_id", "old_string", "new_string", "replace_all", "reasoning", "confidence", "status", "base_version", "diff", "create_time", "expire_time", "decided_by", "decide_time", "decision_reason", "repeat_of", "edited_new_string", "result_version")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    BLOCK_LABEL_FIELD_NUMBER: _ClassVar[int]
    MEMORY_ID_FIELD_NUMBER: _ClassVar[int]
    OLD_STRING_FIELD_NUMBER: _ClassVar[int]
    NEW_STRING_FIELD_NUMBER: _ClassVar[int]
    REPLACE_ALL_FIELD_NUMBER: _ClassVar[int]
    REASONING_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    BASE_VERSION_FIELD_NUMBER: _ClassVar[int]
    DIFF_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    DECIDED_BY_FIELD_NUMBER: _ClassVar[int]
    DECIDE_TIME_FIELD_NUMBER: _ClassVar[int]
    DECISION_REASON_FIELD_NUMBER: _ClassVar[int]
    REPEAT_OF_FIELD_NUMBER: _ClassVar[int]
    EDITED_NEW_STRING_FIELD_NUMBER: _ClassVar[int]
    RESULT_VERSION_FIELD_NUMBER: _ClassVar[int]
    id: str
    namespace: _memory_pb2.Namespace
    block_label: str
    memory_id: str
    old_string: str
    new_string: str
    replace_all: bool
    reasoning: str
    confidence: Confidence
    status: ProposalStatus
    base_version: int
    diff: str
    create_time: _timestamp_pb2.Timestamp
    expire_time: _timestamp_pb2.Timestamp
    decided_by: str
    decide_time: _timestamp_pb2.Timestamp
    decision_reason: str
    repeat_of: str
    edited_new_string: str
    result_version: int
    def __init__(self, id: _Optional[str] = ..., namespace: _Optional[_Union[_memory_pb2.Namespace, _Mapping]] = ..., block_label: _Optional[str] = ..., memory_id: _Optional[str] = ..., old_string: _Optional[str] = ..., new_string: _Optional[str] = ..., replace_all: bool = ..., reasoning: _Optional[str] = ..., confidence: _Optional[_Union[Confidence, str]] = ..., status: _Optional[_Union[ProposalStatus, str]] = ..., base_version: _Optional[int] = ..., diff: _Optional[str] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., expire_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., decided_by: _Optional[str] = ..., decide_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., decision_reason: _Optional[str] = ..., repeat_of: _Optional[str] = ..., edited_new_string: _Optional[str] = ..., result_version: _Optional[int] = ...) -> None: ...
