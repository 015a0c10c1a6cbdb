import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from vademecum.v1 import filter_pb2 as _filter_pb2
from vademecum.v1 import memory_pb2 as _memory_pb2
from vademecum.v1 import search_pb2 as _search_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TurnEvent(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TURN_EVENT_UNSPECIFIED: _ClassVar[TurnEvent]
    TURN_EVENT_QUERIED: _ClassVar[TurnEvent]
    TURN_EVENT_CACHED: _ClassVar[TurnEvent]
    TURN_EVENT_DENIED: _ClassVar[TurnEvent]
    TURN_EVENT_TRUNCATED: _ClassVar[TurnEvent]
    TURN_EVENT_FAILED: _ClassVar[TurnEvent]
    TURN_EVENT_INVALID: _ClassVar[TurnEvent]
TURN_EVENT_UNSPECIFIED: TurnEvent
TURN_EVENT_QUERIED: TurnEvent
TURN_EVENT_CACHED: TurnEvent
TURN_EVENT_DENIED: TurnEvent
TURN_EVENT_TRUNCATED: TurnEvent
TURN_EVENT_FAILED: TurnEvent
TURN_EVENT_INVALID: TurnEvent

class ToolManifest(_message.Message):
    __slots__ = ("tool_id", "version", "memory_access")
    TOOL_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    MEMORY_ACCESS_FIELD_NUMBER: _ClassVar[int]
    tool_id: str
    version: str
    memory_access: _containers.RepeatedCompositeFieldContainer[MemoryAccess]
    def __init__(self, tool_id: _Optional[str] = ..., version: _Optional[str] = ..., memory_access: _Optional[_Iterable[_Union[MemoryAccess, _Mapping]]] = ...) -> None: ...

class MemoryAccess(_message.Message):
    __slots__ = ("memory_type", "enabled", "kinds", "tags", "max_queries", "max_budget_tokens")
    MEMORY_TYPE_FIELD_NUMBER: _ClassVar[int]
    ENABLED_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    MAX_QUERIES_FIELD_NUMBER: _ClassVar[int]
    MAX_BUDGET_TOKENS_FIELD_NUMBER: _ClassVar[int]
    memory_type: _memory_pb2.MemoryType
    enabled: bool
    kinds: _containers.RepeatedScalarFieldContainer[str]
    tags: _containers.RepeatedScalarFieldContainer[str]
    max_queries: int
    max_budget_tokens: int
    def __init__(self, memory_type: _Optional[_Union[_memory_pb2.MemoryType, str]] = ..., enabled: bool = ..., kinds: _Optional[_Iterable[str]] = ..., tags: _Optional[_Iterable[str]] = ..., max_queries: _Optional[int] = ..., max_budget_tokens: _Optional[int] = ...) -> None: ...

class AgentContext(_message.Message):
    __slots__ = ("agent_id", "task_id", "plan_id")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    TASK_ID_FIELD_NUMBER: _ClassVar[int]
    PLAN_ID_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    task_id: str
    plan_id: str
    def __init__(self, agent_id: _Optional[str] = ..., task_id: _Optional[str] = ..., plan_id: _Optional[str] = ...) -> None: ...

class ToolQuery(_message.Message):
    __slots__ = ("query_id", "memory_type", "query_text", "filter", "limit", "budget_tokens")
    QUERY_ID_FIELD_NUMBER: _ClassVar[int]
    MEMORY_TYPE_FIELD_NUMBER: _ClassVar[int]
    QUERY_TEXT_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    BUDGET_TOKENS_FIELD_NUMBER: _ClassVar[int]
    query_id: str
    memory_type: _memory_pb2.MemoryType
    query_text: str
    filter: _filter_pb2.Filter
    limit: int
    budget_tokens: int
    def __init__(self, query_id: _Optional[str] = ..., memory_type: _Optional[_Union[_memory_pb2.MemoryType, str]] = ..., query_text: _Optional[str] = ..., filter: _Optional[_Union[_filter_pb2.Filter, _Mapping]] = ..., limit: _Optional[int] = ..., budget_tokens: _Optional[int] = ...) -> None: ...

class QueryResult(_message.Message):
    __slots__ = ("query_id", "memory_type", "results", "continued", "total_results", "returned_results", "tokens_used", "budget_tokens", "omitted", "omitted_count", "search_metadata")
    QUERY_ID_FIELD_NUMBER: _ClassVar[int]
    MEMORY_TYPE_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    CONTINUED_FIELD_NUMBER: _ClassVar[int]
    TOTAL_RESULTS_FIELD_NUMBER: _ClassVar[int]
    RETURNED_RESULTS_FIELD_NUMBER: _ClassVar[int]
    TOKENS_USED_FIELD_NUMBER: _ClassVar[int]
    BUDGET_TOKENS_FIELD_NUMBER: _ClassVar[int]
    OMITTED_FIELD_NUMBER: _ClassVar[int]
    OMITTED_COUNT_FIELD_NUMBER: _ClassVar[int]
    SEARCH_METADATA_FIELD_NUMBER: _ClassVar[int]
    query_id: str
    memory_type: _memory_pb2.MemoryType
    results: _containers.RepeatedCompositeFieldContainer[ToolMemory]
    continued: bool
    total_results: int
    returned_results: int
    tokens_used: int
    budget_tokens: int
    omitted: _containers.RepeatedCompositeFieldContainer[_search_pb2.Omission]
    omitted_count: int
    search_metadata: SearchMetadata
    def __init__(self, query_id: _Optional[str] = ..., memory_type: _Optional[_Union[_memory_pb2.MemoryType, str]] = ..., results: _Optional[_Iterable[_Union[ToolMemory, _Mapping]]] = ..., continued: bool = ..., total_results: _Optional[int] = ..., returned_results: _Optional[int] = ..., tokens_used: _Optional[int] = ..., budget_tokens: _Optional[int] = ..., omitted: _Optional[_Iterable[_Union[_search_pb2.Omission, _Mapping]]] = ..., omitted_count: _Optional[int] = ..., search_metadata: _Optional[_Union[SearchMetadata, _Mapping]] = ...) -> None: ...

class ToolMemory(_message.Message):
    __slots__ = ("memory", "score", "tokens", "excerpt")
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    EXCERPT_FIELD_NUMBER: _ClassVar[int]
    memory: _memory_pb2.Memory
    score: float
    tokens: int
    excerpt: bool
    def __init__(self, memory: _Optional[_Union[_memory_pb2.Memory, _Mapping]] = ..., score: _Optional[float] = ..., tokens: _Optional[int] = ..., excerpt: bool = ...) -> None: ...

class SearchMetadata(_message.Message):
    __slots__ = ("query_time_ms", "ranking_scores", "index")
    QUERY_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    RANKING_SCORES_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    query_time_ms: float
    ranking_scores: _containers.RepeatedScalarFieldContainer[float]
    index: _search_pb2.SearchIndex
    def __init__(self, query_time_ms: _Optional[float] = ..., ranking_scores: _Optional[_Iterable[float]] = ..., index: _Optional[_Union[_search_pb2.SearchIndex, str]] = ...) -> None: ...

class MemoryWrite(_message.Message):
    __slots__ = ("content", "memory_type", "kind", "tags", "importance", "status", "restricted", "author", "thread_id", "metadata", "event_time", "expire_time", "embedding")
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    MEMORY_TYPE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    IMPORTANCE_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    RESTRICTED_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    THREAD_ID_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    EVENT_TIME_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    EMBEDDING_FIELD_NUMBER: _ClassVar[int]
    content: str
    memory_type: _memory_pb2.MemoryType
    kind: str
    tags: _containers.RepeatedScalarFieldContainer[str]
    importance: float
    status: _memory_pb2.MemoryStatus
    restricted: bool
    author: str
    thread_id: str
    metadata: _struct_pb2.Struct
    event_time: _timestamp_pb2.Timestamp
    expire_time: _timestamp_pb2.Timestamp
    embedding: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, content: _Optional[str] = ..., memory_type: _Optional[_Union[_memory_pb2.MemoryType, str]] = ..., kind: _Optional[str] = ..., tags: _Optional[_Iterable[str]] = ..., importance: _Optional[float] = ..., status: _Optional[_Union[_memory_pb2.MemoryStatus, str]] = ..., restricted: bool = ..., author: _Optional[str] = ..., thread_id: _Optional[str] = ..., metadata: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., event_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., expire_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., embedding: _Optional[_Iterable[float]] = ...) -> None: ...

class TurnEntry(_message.Message):
    __slots__ = ("time", "request_id", "task_id", "plan_id", "query_id", "tool_id", "tool_version", "memory_type", "query_text", "event", "reason", "tokens_used", "returned_results", "duration")
    TIME_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TASK_ID_FIELD_NUMBER: _ClassVar[int]
    PLAN_ID_FIELD_NUMBER: _ClassVar[int]
    QUERY_ID_FIELD_NUMBER: _ClassVar[int]
    TOOL_ID_FIELD_NUMBER: _ClassVar[int]
    TOOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    MEMORY_TYPE_FIELD_NUMBER: _ClassVar[int]
    QUERY_TEXT_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    TOKENS_USED_FIELD_NUMBER: _ClassVar[int]
    RETURNED_RESULTS_FIELD_NUMBER: _ClassVar[int]
    DURATION_FIELD_NUMBER: _ClassVar[int]
    time: _timestamp_pb2.Timestamp
    request_id: str
    task_id: str
    plan_id: str
    query_id: str
    tool_id: str
    tool_version: str
    memory_type: _memory_pb2.MemoryType
    query_text: str
    event: TurnEvent
    reason: str
    tokens_used: int
    returned_results: int
    duration: _duration_pb2.Duration
    def __init__(self, time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., request_id: _Optional[str] = ..., task_id: _Optional[str] = ..., plan_id: _Optional[str] = ..., query_id: _Optional[str] = ..., tool_id: _Optional[str] = ..., tool_version: _Optional[str] = ..., memory_type: _Optional[_Union[_memory_pb2.MemoryType, str]] = ..., query_text: _Optional[str] = ..., event: _Optional[_Union[TurnEvent, str]] = ..., reason: _Optional[str] = ..., tokens_used: _Optional[int] = ..., returned_results: _Optional[int] = ..., duration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...
