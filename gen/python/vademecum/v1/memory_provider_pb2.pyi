import datetime

from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.rpc import status_pb2 as _status_pb2
from vademecum.v1 import filter_pb2 as _filter_pb2
from vademecum.v1 import memory_pb2 as _memory_pb2
from vademecum.v1 import proposal_pb2 as _proposal_pb2
from vademecum.v1 import search_pb2 as _search_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AddRequest(_message.Message):
    __slots__ = ("namespace", "content", "memory_type", "kind", "tags", "importance", "status", "restricted", "source", "author", "thread_id", "metadata", "event_time", "expire_time", "supersedes", "embedding", "idempotency_key")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    MEMORY_TYPE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    IMPORTANCE_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    RESTRICTED_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    THREAD_ID_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    EVENT_TIME_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    SUPERSEDES_FIELD_NUMBER: _ClassVar[int]
    EMBEDDING_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    namespace: _memory_pb2.Namespace
    content: str
    memory_type: _memory_pb2.MemoryType
    kind: str
    tags: _containers.RepeatedScalarFieldContainer[str]
    importance: float
    status: _memory_pb2.MemoryStatus
    restricted: bool
    source: str
    author: str
    thread_id: str
    metadata: _struct_pb2.Struct
    event_time: _timestamp_pb2.Timestamp
    expire_time: _timestamp_pb2.Timestamp
    supersedes: str
    embedding: _containers.RepeatedScalarFieldContainer[float]
    idempotency_key: str
    def __init__(self, namespace: _Optional[_Union[_memory_pb2.Namespace, _Mapping]] = ..., content: _Optional[str] = ..., memory_type: _Optional[_Union[_memory_pb2.MemoryType, str]] = ..., kind: _Optional[str] = ..., tags: _Optional[_Iterable[str]] = ..., importance: _Optional[float] = ..., status: _Optional[_Union[_memory_pb2.MemoryStatus, str]] = ..., restricted: bool = ..., source: _Optional[str] = ..., author: _Optional[str] = ..., thread_id: _Optional[str] = ..., metadata: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., event_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., expire_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., supersedes: _Optional[str] = ..., embedding: _Optional[_Iterable[float]] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class AddResponse(_message.Message):
    __slots__ = ("id", "commit_seq", "near_duplicates")
    ID_FIELD_NUMBER: _ClassVar[int]
    COMMIT_SEQ_FIELD_NUMBER: _ClassVar[int]
    NEAR_DUPLICATES_FIELD_NUMBER: _ClassVar[int]
    id: str
    commit_seq: int
    near_duplicates: _containers.RepeatedCompositeFieldContainer[NearDuplicate]
    def __init__(self, id: _Optional[str] = ..., commit_seq: _Optional[int] = ..., near_duplicates: _Optional[_Iterable[_Union[NearDuplicate, _Mapping]]] = ...) -> None: ...

class NearDuplicate(_message.Message):
    __slots__ = ("id", "relevance")
    ID_FIELD_NUMBER: _ClassVar[int]
    RELEVANCE_FIELD_NUMBER: _ClassVar[int]
    id: str
    relevance: float
    def __init__(self, id: _Optional[str] = ..., relevance: _Optional[float] = ...) -> None: ...

class AddTraceRequest(_message.Message):
    __slots__ = ("agent_id", "workflow_id", "trace_data", "user_id", "thread_id", "event_time", "idempotency_key")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_ID_FIELD_NUMBER: _ClassVar[int]
    TRACE_DATA_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    THREAD_ID_FIELD_NUMBER: _ClassVar[int]
    EVENT_TIME_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    workflow_id: str
    trace_data: _struct_pb2.Struct
    user_id: str
    thread_id: str
    event_time: _timestamp_pb2.Timestamp
    idempotency_key: str
    def __init__(self, agent_id: _Optional[str] = ..., workflow_id: _Optional[str] = ..., trace_data: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., user_id: _Optional[str] = ..., thread_id: _Optional[str] = ..., event_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class AddTraceResponse(_message.Message):
    __slots__ = ("id", "commit_seq")
    ID_FIELD_NUMBER: _ClassVar[int]
    COMMIT_SEQ_FIELD_NUMBER: _ClassVar[int]
    id: str
    commit_seq: int
    def __init__(self, id: _Optional[str] = ..., commit_seq: _Optional[int] = ...) -> None: ...

class AddBatchRequest(_message.Message):
    __slots__ = ("client_id", "add")
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    ADD_FIELD_NUMBER: _ClassVar[int]
    client_id: str
    add: AddRequest
    def __init__(self, client_id: _Optional[str] = ..., add: _Optional[_Union[AddRequest, _Mapping]] = ...) -> None: ...

class AddBatchResponse(_message.Message):
    __slots__ = ("client_id", "id", "error")
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    client_id: str
    id: str
    error: _status_pb2.Status
    def __init__(self, client_id: _Optional[str] = ..., id: _Optional[str] = ..., error: _Optional[_Union[_status_pb2.Status, _Mapping]] = ...) -> None: ...

class SearchResponse(_message.Message):
    __slots__ = ("hits", "summary")
    HITS_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    hits: _containers.RepeatedCompositeFieldContainer[_search_pb2.SearchHit]
    summary: _search_pb2.SearchSummary
    def __init__(self, hits: _Optional[_Iterable[_Union[_search_pb2.SearchHit, _Mapping]]] = ..., summary: _Optional[_Union[_search_pb2.SearchSummary, _Mapping]] = ...) -> None: ...

class RecallRequest(_message.Message):
    __slots__ = ("search",)
    SEARCH_FIELD_NUMBER: _ClassVar[int]
    search: _search_pb2.SearchRequest
    def __init__(self, search: _Optional[_Union[_search_pb2.SearchRequest, _Mapping]] = ...) -> None: ...

class RecallResponse(_message.Message):
    __slots__ = ("hits", "summary", "text")
    HITS_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    hits: _containers.RepeatedCompositeFieldContainer[_search_pb2.SearchHit]
    summary: _search_pb2.SearchSummary
    text: str
    def __init__(self, hits: _Optional[_Iterable[_Union[_search_pb2.SearchHit, _Mapping]]] = ..., summary: _Optional[_Union[_search_pb2.SearchSummary, _Mapping]] = ..., text: _Optional[str] = ...) -> None: ...

class GetAllRequest(_message.Message):
    __slots__ = ("namespace", "limit", "filter", "page_token", "include_superseded")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_SUPERSEDED_FIELD_NUMBER: _ClassVar[int]
    namespace: _memory_pb2.Namespace
    limit: int
    filter: _filter_pb2.Filter
    page_token: str
    include_superseded: bool
    def __init__(self, namespace: _Optional[_Union[_memory_pb2.Namespace, _Mapping]] = ..., limit: _Optional[int] = ..., filter: _Optional[_Union[_filter_pb2.Filter, _Mapping]] = ..., page_token: _Optional[str] = ..., include_superseded: bool = ...) -> None: ...

class GetAllResponse(_message.Message):
    __slots__ = ("memories", "next_page_token")
    MEMORIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    memories: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Memory]
    next_page_token: str
    def __init__(self, memories: _Optional[_Iterable[_Union[_memory_pb2.Memory, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetRequest(_message.Message):
    __slots__ = ("namespace", "id")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    namespace: _memory_pb2.Namespace
    id: str
    def __init__(self, namespace: _Optional[_Union[_memory_pb2.Namespace, _Mapping]] = ..., id: _Optional[str] = ...) -> None: ...

class GetResponse(_message.Message):
    __slots__ = ("memory",)
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    memory: _memory_pb2.Memory
    def __init__(self, memory: _Optional[_Union[_memory_pb2.Memory, _Mapping]] = ...) -> None: ...

class UpdateRequest(_message.Message):
    __slots__ = ("namespace", "id", "changes", "update_mask", "expected_version", "idempotency_key")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    namespace: _memory_pb2.Namespace
    id: str
    changes: MemoryChanges
    update_mask: _field_mask_pb2.FieldMask
    expected_version: int
    idempotency_key: str
    def __init__(self, namespace: _Optional[_Union[_memory_pb2.Namespace, _Mapping]] = ..., id: _Optional[str] = ..., changes: _Optional[_Union[MemoryChanges, _Mapping]] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ..., expected_version: _Optional[int] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class MemoryChanges(_message.Message):
    __slots__ = ("content", "memory_type", "kind", "tags", "importance", "status", "restricted", "source", "author", "thread_id", "metadata", "event_time", "expire_time", "embedding")
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    MEMORY_TYPE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    IMPORTANCE_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    RESTRICTED_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
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
    source: str
    author: str
    thread_id: str
    metadata: _struct_pb2.Struct
    event_time: _timestamp_pb2.Timestamp
    expire_time: _timestamp_pb2.Timestamp
    embedding: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, content: _Optional[str] = ..., memory_type: _Optional[_Union[_memory_pb2.MemoryType, str]] = ..., kind: _Optional[str] = ..., tags: _Optional[_Iterable[str]] = ..., importance: _Optional[float] = ..., status: _Optional[_Union[_memory_pb2.MemoryStatus, str]] = ..., restricted: bool = ..., source: _Optional[str] = ..., author: _Optional[str] = ..., thread_id: _Optional[str] = ..., metadata: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., event_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., expire_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., embedding: _Optional[_Iterable[float]] = ...) -> None: ...

class UpdateResponse(_message.Message):
    __slots__ = ("memory", "commit_seq")
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    COMMIT_SEQ_FIELD_NUMBER: _ClassVar[int]
    memory: _memory_pb2.Memory
    commit_seq: int
    def __init__(self, memory: _Optional[_Union[_memory_pb2.Memory, _Mapping]] = ..., commit_seq: _Optional[int] = ...) -> None: ...

class DeleteRequest(_message.Message):
    __slots__ = ("namespace", "id", "idempotency_key")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    namespace: _memory_pb2.Namespace
    id: str
    idempotency_key: str
    def __init__(self, namespace: _Optional[_Union[_memory_pb2.Namespace, _Mapping]] = ..., id: _Optional[str] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class DeleteResponse(_message.Message):
    __slots__ = ("deleted",)
    DELETED_FIELD_NUMBER: _ClassVar[int]
    deleted: bool
    def __init__(self, deleted: bool = ...) -> None: ...

class DeleteWhereRequest(_message.Message):
    __slots__ = ("namespace", "filter", "dry_run", "idempotency_key")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    namespace: _memory_pb2.Namespace
    filter: _filter_pb2.Filter
    dry_run: bool
    idempotency_key: str
    def __init__(self, namespace: _Optional[_Union[_memory_pb2.Namespace, _Mapping]] = ..., filter: _Optional[_Union[_filter_pb2.Filter, _Mapping]] = ..., dry_run: bool = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class DeleteWhereResponse(_message.Message):
    __slots__ = ("deleted", "sample_ids")
    DELETED_FIELD_NUMBER: _ClassVar[int]
    SAMPLE_IDS_FIELD_NUMBER: _ClassVar[int]
    deleted: int
    sample_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, deleted: _Optional[int] = ..., sample_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class ResetRequest(_message.Message):
    __slots__ = ("namespace", "everything", "idempotency_key")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    EVERYTHING_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    namespace: _memory_pb2.Namespace
    everything: bool
    idempotency_key: str
    def __init__(self, namespace: _Optional[_Union[_memory_pb2.Namespace, _Mapping]] = ..., everything: bool = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class ResetResponse(_message.Message):
    __slots__ = ("deleted",)
    DELETED_FIELD_NUMBER: _ClassVar[int]
    deleted: int
    def __init__(self, deleted: _Optional[int] = ...) -> None: ...

class ProposeEditRequest(_message.Message):
    __slots__ = ("namespace", "block_label", "memory_id", "old_string", "new_string", "reasoning", "replace_all", "confidence", "idempotency_key")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    BLOCK_LABEL_FIELD_NUMBER: _ClassVar[int]
    MEMORY_ID_FIELD_NUMBER: _ClassVar[int]
    OLD_STRING_FIELD_NUMBER: _ClassVar[int]
    NEW_STRING_FIELD_NUMBER: _ClassVar[int]
    REASONING_FIELD_NUMBER: _ClassVar[int]
    REPLACE_ALL_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    namespace: _memory_pb2.Namespace
    block_label: str
    memory_id: str
    old_string: str
    new_string: str
    reasoning: str
    replace_all: bool
    confidence: _proposal_pb2.Confidence
    idempotency_key: str
    def __init__(self, namespace: _Optional[_Union[_memory_pb2.Namespace, _Mapping]] = ..., block_label: _Optional[str] = ..., memory_id: _Optional[str] = ..., old_string: _Optional[str] = ..., new_string: _Optional[str] = ..., reasoning: _Optional[str] = ..., replace_all: bool = ..., confidence: _Optional[_Union[_proposal_pb2.Confidence, str]] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class ProposeEditResponse(_message.Message):
    __slots__ = ("proposal", "message")
    PROPOSAL_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    proposal: _proposal_pb2.Proposal
    message: str
    def __init__(self, proposal: _Optional[_Union[_proposal_pb2.Proposal, _Mapping]] = ..., message: _Optional[str] = ...) -> None: ...

class ExplainRequest(_message.Message):
    __slots__ = ("search", "id")
    SEARCH_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    search: _search_pb2.SearchRequest
    id: str
    def __init__(self, search: _Optional[_Union[_search_pb2.SearchRequest, _Mapping]] = ..., id: _Optional[str] = ...) -> None: ...

class ExplainResponse(_message.Message):
    __slots__ = ("stages", "returned")
    STAGES_FIELD_NUMBER: _ClassVar[int]
    RETURNED_FIELD_NUMBER: _ClassVar[int]
    stages: _containers.RepeatedCompositeFieldContainer[ExplainStage]
    returned: bool
    def __init__(self, stages: _Optional[_Iterable[_Union[ExplainStage, _Mapping]]] = ..., returned: bool = ...) -> None: ...

class ExplainStage(_message.Message):
    __slots__ = ("name", "score", "rank", "dropped_reason")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    DROPPED_REASON_FIELD_NUMBER: _ClassVar[int]
    name: str
    score: float
    rank: int
    dropped_reason: str
    def __init__(self, name: _Optional[str] = ..., score: _Optional[float] = ..., rank: _Optional[int] = ..., dropped_reason: _Optional[str] = ...) -> None: ...
