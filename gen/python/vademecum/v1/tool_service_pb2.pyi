from vademecum.v1 import tool_pb2 as _tool_pb2
from vademecum.v1 import toolset_pb2 as _toolset_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RegisterToolRequest(_message.Message):
    __slots__ = ("manifest", "idempotency_key")
    MANIFEST_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    manifest: _tool_pb2.ToolManifest
    idempotency_key: str
    def __init__(self, manifest: _Optional[_Union[_tool_pb2.ToolManifest, _Mapping]] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class RegisterToolResponse(_message.Message):
    __slots__ = ("changed",)
    CHANGED_FIELD_NUMBER: _ClassVar[int]
    changed: bool
    def __init__(self, changed: bool = ...) -> None: ...

class ListToolsRequest(_message.Message):
    __slots__ = ("tool_id", "limit", "page_token")
    TOOL_ID_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tool_id: str
    limit: int
    page_token: str
    def __init__(self, tool_id: _Optional[str] = ..., limit: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListToolsResponse(_message.Message):
    __slots__ = ("manifests", "next_page_token")
    MANIFESTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    manifests: _containers.RepeatedCompositeFieldContainer[_tool_pb2.ToolManifest]
    next_page_token: str
    def __init__(self, manifests: _Optional[_Iterable[_Union[_tool_pb2.ToolManifest, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class DeleteToolRequest(_message.Message):
    __slots__ = ("tool_id", "version", "idempotency_key")
    TOOL_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    tool_id: str
    version: str
    idempotency_key: str
    def __init__(self, tool_id: _Optional[str] = ..., version: _Optional[str] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class DeleteToolResponse(_message.Message):
    __slots__ = ("deleted",)
    DELETED_FIELD_NUMBER: _ClassVar[int]
    deleted: int
    def __init__(self, deleted: _Optional[int] = ...) -> None: ...

class QueryMemoryRequest(_message.Message):
    __slots__ = ("request_id", "tool_id", "tool_version", "agent_context", "user_id", "queries", "budget_tokens")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TOOL_ID_FIELD_NUMBER: _ClassVar[int]
    TOOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    AGENT_CONTEXT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    QUERIES_FIELD_NUMBER: _ClassVar[int]
    BUDGET_TOKENS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    tool_id: str
    tool_version: str
    agent_context: _tool_pb2.AgentContext
    user_id: str
    queries: _containers.RepeatedCompositeFieldContainer[_tool_pb2.ToolQuery]
    budget_tokens: int
    def __init__(self, request_id: _Optional[str] = ..., tool_id: _Optional[str] = ..., tool_version: _Optional[str] = ..., agent_context: _Optional[_Union[_tool_pb2.AgentContext, _Mapping]] = ..., user_id: _Optional[str] = ..., queries: _Optional[_Iterable[_Union[_tool_pb2.ToolQuery, _Mapping]]] = ..., budget_tokens: _Optional[int] = ...) -> None: ...

class QueryMemoryResponse(_message.Message):
    __slots__ = ("result",)
    RESULT_FIELD_NUMBER: _ClassVar[int]
    result: _tool_pb2.QueryResult
    def __init__(self, result: _Optional[_Union[_tool_pb2.QueryResult, _Mapping]] = ...) -> None: ...

class SubmitToolResponseRequest(_message.Message):
    __slots__ = ("request_id", "tool_id", "agent_context", "user_id", "memory_writes", "scratch_page_writes", "idempotency_key")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TOOL_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_CONTEXT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    MEMORY_WRITES_FIELD_NUMBER: _ClassVar[int]
    SCRATCH_PAGE_WRITES_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    tool_id: str
    agent_context: _tool_pb2.AgentContext
    user_id: str
    memory_writes: _containers.RepeatedCompositeFieldContainer[_tool_pb2.MemoryWrite]
    scratch_page_writes: _containers.RepeatedCompositeFieldContainer[_tool_pb2.MemoryWrite]
    idempotency_key: str
    def __init__(self, request_id: _Optional[str] = ..., tool_id: _Optional[str] = ..., agent_context: _Optional[_Union[_tool_pb2.AgentContext, _Mapping]] = ..., user_id: _Optional[str] = ..., memory_writes: _Optional[_Iterable[_Union[_tool_pb2.MemoryWrite, _Mapping]]] = ..., scratch_page_writes: _Optional[_Iterable[_Union[_tool_pb2.MemoryWrite, _Mapping]]] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class SubmitToolResponseResponse(_message.Message):
    __slots__ = ("ids", "commit_seq")
    IDS_FIELD_NUMBER: _ClassVar[int]
    COMMIT_SEQ_FIELD_NUMBER: _ClassVar[int]
    ids: _containers.RepeatedScalarFieldContainer[str]
    commit_seq: int
    def __init__(self, ids: _Optional[_Iterable[str]] = ..., commit_seq: _Optional[int] = ...) -> None: ...

class GetTurnTraceRequest(_message.Message):
    __slots__ = ("user_id", "agent_id", "request_id", "task_id")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TASK_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    agent_id: str
    request_id: str
    task_id: str
    def __init__(self, user_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., request_id: _Optional[str] = ..., task_id: _Optional[str] = ...) -> None: ...

class GetTurnTraceResponse(_message.Message):
    __slots__ = ("entries",)
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[_tool_pb2.TurnEntry]
    def __init__(self, entries: _Optional[_Iterable[_Union[_tool_pb2.TurnEntry, _Mapping]]] = ...) -> None: ...
