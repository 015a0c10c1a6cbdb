import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Block(_message.Message):
    __slots__ = ("user_id", "label", "title", "body", "schema_ref", "version", "token_count", "update_time")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    BODY_FIELD_NUMBER: _ClassVar[int]
    SCHEMA_REF_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    TOKEN_COUNT_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    label: str
    title: str
    body: str
    schema_ref: str
    version: int
    token_count: int
    update_time: _timestamp_pb2.Timestamp
    def __init__(self, user_id: _Optional[str] = ..., label: _Optional[str] = ..., title: _Optional[str] = ..., body: _Optional[str] = ..., schema_ref: _Optional[str] = ..., version: _Optional[int] = ..., token_count: _Optional[int] = ..., update_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class BlockVersion(_message.Message):
    __slots__ = ("version", "title", "body", "schema_ref", "written_by", "write_time", "proposal_id", "restored_from", "token_count")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    BODY_FIELD_NUMBER: _ClassVar[int]
    SCHEMA_REF_FIELD_NUMBER: _ClassVar[int]
    WRITTEN_BY_FIELD_NUMBER: _ClassVar[int]
    WRITE_TIME_FIELD_NUMBER: _ClassVar[int]
    PROPOSAL_ID_FIELD_NUMBER: _ClassVar[int]
    RESTORED_FROM_FIELD_NUMBER: _ClassVar[int]
    TOKEN_COUNT_FIELD_NUMBER: _ClassVar[int]
    version: int
    title: str
    body: str
    schema_ref: str
    written_by: str
    write_time: _timestamp_pb2.Timestamp
    proposal_id: str
    restored_from: int
    token_count: int
    def __init__(self, version: _Optional[int] = ..., title: _Optional[str] = ..., body: _Optional[str] = ..., schema_ref: _Optional[str] = ..., written_by: _Optional[str] = ..., write_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., proposal_id: _Optional[str] = ..., restored_from: _Optional[int] = ..., token_count: _Optional[int] = ...) -> None: ...
