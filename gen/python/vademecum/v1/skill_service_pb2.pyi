import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from vademecum.v1 import memory_pb2 as _memory_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PruneReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PRUNE_REASON_UNSPECIFIED: _ClassVar[PruneReason]
    PRUNE_REASON_UNUSED: _ClassVar[PruneReason]
    PRUNE_REASON_NEVER_SUCCEEDED: _ClassVar[PruneReason]
PRUNE_REASON_UNSPECIFIED: PruneReason
PRUNE_REASON_UNUSED: PruneReason
PRUNE_REASON_NEVER_SUCCEEDED: PruneReason

class Skill(_message.Message):
    __slots__ = ("id", "namespace", "context", "lesson", "tool_name", "success_count", "failure_count", "create_time", "last_used_time", "embedding", "embedding_model")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    LESSON_FIELD_NUMBER: _ClassVar[int]
    TOOL_NAME_FIELD_NUMBER: _ClassVar[int]
    SUCCESS_COUNT_FIELD_NUMBER: _ClassVar[int]
    FAILURE_COUNT_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    LAST_USED_TIME_FIELD_NUMBER: _ClassVar[int]
    EMBEDDING_FIELD_NUMBER: _ClassVar[int]
    EMBEDDING_MODEL_FIELD_NUMBER: _ClassVar[int]
    id: str
    namespace: _memory_pb2.Namespace
    context: str
    lesson: str
    tool_name: str
    success_count: int
    failure_count: int
    create_time: _timestamp_pb2.Timestamp
    last_used_time: _timestamp_pb2.Timestamp
    embedding: _containers.RepeatedScalarFieldContainer[float]
    embedding_model: str
    def __init__(self, id: _Optional[str] = ..., namespace: _Optional[_Union[_memory_pb2.Namespace, _Mapping]] = ..., context: _Optional[str] = ..., lesson: _Optional[str] = ..., tool_name: _Optional[str] = ..., success_count: _Optional[int] = ..., failure_count: _Optional[int] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., last_used_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., embedding: _Optional[_Iterable[float]] = ..., embedding_model: _Optional[str] = ...) -> None: ...

class StoreSkillRequest(_message.Message):
    __slots__ = ("namespace", "id", "context", "lesson", "tool_name", "embedding", "idempotency_key")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    LESSON_FIELD_NUMBER: _ClassVar[int]
    TOOL_NAME_FIELD_NUMBER: _ClassVar[int]
    EMBEDDING_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    namespace: _memory_pb2.Namespace
    id: str
    context: str
    lesson: str
    tool_name: str
    embedding: _containers.RepeatedScalarFieldContainer[float]
    idempotency_key: str
    def __init__(self, namespace: _Optional[_Union[_memory_pb2.Namespace, _Mapping]] = ..., id: _Optional[str] = ..., context: _Optional[str] = ..., lesson: _Optional[str] = ..., tool_name: _Optional[str] = ..., embedding: _Optional[_Iterable[float]] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class StoreSkillResponse(_message.Message):
    __slots__ = ("skill", "created")
    SKILL_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    skill: Skill
    created: bool
    def __init__(self, skill: _Optional[_Union[Skill, _Mapping]] = ..., created: bool = ...) -> None: ...

class RetrieveSkillsRequest(_message.Message):
    __slots__ = ("namespace", "query", "top_k", "min_similarity", "tool_name", "query_embedding", "include_embedding")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    TOP_K_FIELD_NUMBER: _ClassVar[int]
    MIN_SIMILARITY_FIELD_NUMBER: _ClassVar[int]
    TOOL_NAME_FIELD_NUMBER: _ClassVar[int]
    QUERY_EMBEDDING_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_EMBEDDING_FIELD_NUMBER: _ClassVar[int]
    namespace: _memory_pb2.Namespace
    query: str
    top_k: int
    min_similarity: float
    tool_name: str
    query_embedding: _containers.RepeatedScalarFieldContainer[float]
    include_embedding: bool
    def __init__(self, namespace: _Optional[_Union[_memory_pb2.Namespace, _Mapping]] = ..., query: _Optional[str] = ..., top_k: _Optional[int] = ..., min_similarity: _Optional[float] = ..., tool_name: _Optional[str] = ..., query_embedding: _Optional[_Iterable[float]] = ..., include_embedding: bool = ...) -> None: ...

class RetrieveSkillsResponse(_message.Message):
    __slots__ = ("skills", "keywords_only_reason", "omitted_count", "query_duration")
    SKILLS_FIELD_NUMBER: _ClassVar[int]
    KEYWORDS_ONLY_REASON_FIELD_NUMBER: _ClassVar[int]
    OMITTED_COUNT_FIELD_NUMBER: _ClassVar[int]
    QUERY_DURATION_FIELD_NUMBER: _ClassVar[int]
    skills: _containers.RepeatedCompositeFieldContainer[RetrievedSkill]
    keywords_only_reason: str
    omitted_count: int
    query_duration: _duration_pb2.Duration
    def __init__(self, skills: _Optional[_Iterable[_Union[RetrievedSkill, _Mapping]]] = ..., keywords_only_reason: _Optional[str] = ..., omitted_count: _Optional[int] = ..., query_duration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class RetrievedSkill(_message.Message):
    __slots__ = ("skill", "similarity")
    SKILL_FIELD_NUMBER: _ClassVar[int]
    SIMILARITY_FIELD_NUMBER: _ClassVar[int]
    skill: Skill
    similarity: float
    def __init__(self, skill: _Optional[_Union[Skill, _Mapping]] = ..., similarity: _Optional[float] = ...) -> None: ...

class ListSkillsRequest(_message.Message):
    __slots__ = ("namespace", "limit", "page_token", "include_embedding")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_EMBEDDING_FIELD_NUMBER: _ClassVar[int]
    namespace: _memory_pb2.Namespace
    limit: int
    page_token: str
    include_embedding: bool
    def __init__(self, namespace: _Optional[_Union[_memory_pb2.Namespace, _Mapping]] = ..., limit: _Optional[int] = ..., page_token: _Optional[str] = ..., include_embedding: bool = ...) -> None: ...

class ListSkillsResponse(_message.Message):
    __slots__ = ("skills", "next_page_token")
    SKILLS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    skills: _containers.RepeatedCompositeFieldContainer[Skill]
    next_page_token: str
    def __init__(self, skills: _Optional[_Iterable[_Union[Skill, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class DeleteSkillRequest(_message.Message):
    __slots__ = ("namespace", "id", "idempotency_key")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    namespace: _memory_pb2.Namespace
    id: str
    idempotency_key: str
    def __init__(self, namespace: _Optional[_Union[_memory_pb2.Namespace, _Mapping]] = ..., id: _Optional[str] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class DeleteSkillResponse(_message.Message):
    __slots__ = ("deleted",)
    DELETED_FIELD_NUMBER: _ClassVar[int]
    deleted: bool
    def __init__(self, deleted: bool = ...) -> None: ...

class UpdateSuccessCountRequest(_message.Message):
    __slots__ = ("namespace", "id", "increment", "failure_increment", "idempotency_key")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    INCREMENT_FIELD_NUMBER: _ClassVar[int]
    FAILURE_INCREMENT_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    namespace: _memory_pb2.Namespace
    id: str
    increment: int
    failure_increment: int
    idempotency_key: str
    def __init__(self, namespace: _Optional[_Union[_memory_pb2.Namespace, _Mapping]] = ..., id: _Optional[str] = ..., increment: _Optional[int] = ..., failure_increment: _Optional[int] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class UpdateSuccessCountResponse(_message.Message):
    __slots__ = ("updated", "success_count", "failure_count")
    UPDATED_FIELD_NUMBER: _ClassVar[int]
    SUCCESS_COUNT_FIELD_NUMBER: _ClassVar[int]
    FAILURE_COUNT_FIELD_NUMBER: _ClassVar[int]
    updated: bool
    success_count: int
    failure_count: int
    def __init__(self, updated: bool = ..., success_count: _Optional[int] = ..., failure_count: _Optional[int] = ...) -> None: ...

class PruneStaleRequest(_message.Message):
    __slots__ = ("namespace", "dry_run", "idempotency_key")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    namespace: _memory_pb2.Namespace
    dry_run: bool
    idempotency_key: str
    def __init__(self, namespace: _Optional[_Union[_memory_pb2.Namespace, _Mapping]] = ..., dry_run: bool = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class PruneStaleResponse(_message.Message):
    __slots__ = ("removed", "removed_count")
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    REMOVED_COUNT_FIELD_NUMBER: _ClassVar[int]
    removed: _containers.RepeatedCompositeFieldContainer[PrunedSkill]
    removed_count: int
    def __init__(self, removed: _Optional[_Iterable[_Union[PrunedSkill, _Mapping]]] = ..., removed_count: _Optional[int] = ...) -> None: ...

class PrunedSkill(_message.Message):
    __slots__ = ("id", "reason")
    ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    id: str
    reason: PruneReason
    def __init__(self, id: _Optional[str] = ..., reason: _Optional[_Union[PruneReason, str]] = ...) -> None: ...
