from google.rpc import status_pb2 as _status_pb2
from vademecum.v1 import memory_pb2 as _memory_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ReindexPhase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REINDEX_PHASE_UNSPECIFIED: _ClassVar[ReindexPhase]
    REINDEX_PHASE_CLEARING: _ClassVar[ReindexPhase]
    REINDEX_PHASE_EMBEDDING: _ClassVar[ReindexPhase]
    REINDEX_PHASE_REMOVING: _ClassVar[ReindexPhase]
    REINDEX_PHASE_DONE: _ClassVar[ReindexPhase]

class ReindexCollection(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REINDEX_COLLECTION_UNSPECIFIED: _ClassVar[ReindexCollection]
    REINDEX_COLLECTION_MEMORIES: _ClassVar[ReindexCollection]
    REINDEX_COLLECTION_SKILLS: _ClassVar[ReindexCollection]
REINDEX_PHASE_UNSPECIFIED: ReindexPhase
REINDEX_PHASE_CLEARING: ReindexPhase
REINDEX_PHASE_EMBEDDING: ReindexPhase
REINDEX_PHASE_REMOVING: ReindexPhase
REINDEX_PHASE_DONE: ReindexPhase
REINDEX_COLLECTION_UNSPECIFIED: ReindexCollection
REINDEX_COLLECTION_MEMORIES: ReindexCollection
REINDEX_COLLECTION_SKILLS: ReindexCollection

class ReindexRequest(_message.Message):
    __slots__ = ("namespace", "all")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    ALL_FIELD_NUMBER: _ClassVar[int]
    namespace: _memory_pb2.Namespace
    all: bool
    def __init__(self, namespace: _Optional[_Union[_memory_pb2.Namespace, _Mapping]] = ..., all: bool = ...) -> None: ...

class ReindexResponse(_message.Message):
    __slots__ = ("progress", "summary")
    PROGRESS_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    progress: ReindexProgress
    summary: ReindexSummary
    def __init__(self, progress: _Optional[_Union[ReindexProgress, _Mapping]] = ..., summary: _Optional[_Union[ReindexSummary, _Mapping]] = ...) -> None: ...

class ReindexProgress(_message.Message):
    __slots__ = ("namespace", "phase", "memories_done", "memories_total", "collection")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    MEMORIES_DONE_FIELD_NUMBER: _ClassVar[int]
    MEMORIES_TOTAL_FIELD_NUMBER: _ClassVar[int]
    COLLECTION_FIELD_NUMBER: _ClassVar[int]
    namespace: _memory_pb2.Namespace
    phase: ReindexPhase
    memories_done: int
    memories_total: int
    collection: ReindexCollection
    def __init__(self, namespace: _Optional[_Union[_memory_pb2.Namespace, _Mapping]] = ..., phase: _Optional[_Union[ReindexPhase, str]] = ..., memories_done: _Optional[int] = ..., memories_total: _Optional[int] = ..., collection: _Optional[_Union[ReindexCollection, str]] = ...) -> None: ...

class ReindexSummary(_message.Message):
    __slots__ = ("model_id", "namespaces_changed", "namespaces_unchanged", "memories_embedded", "memories_refused", "first_refused")
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    NAMESPACES_CHANGED_FIELD_NUMBER: _ClassVar[int]
    NAMESPACES_UNCHANGED_FIELD_NUMBER: _ClassVar[int]
    MEMORIES_EMBEDDED_FIELD_NUMBER: _ClassVar[int]
    MEMORIES_REFUSED_FIELD_NUMBER: _ClassVar[int]
    FIRST_REFUSED_FIELD_NUMBER: _ClassVar[int]
    model_id: str
    namespaces_changed: int
    namespaces_unchanged: int
    memories_embedded: int
    memories_refused: int
    first_refused: _containers.RepeatedCompositeFieldContainer[RefusedMemory]
    def __init__(self, model_id: _Optional[str] = ..., namespaces_changed: _Optional[int] = ..., namespaces_unchanged: _Optional[int] = ..., memories_embedded: _Optional[int] = ..., memories_refused: _Optional[int] = ..., first_refused: _Optional[_Iterable[_Union[RefusedMemory, _Mapping]]] = ...) -> None: ...

class RefusedMemory(_message.Message):
    __slots__ = ("namespace", "id", "collection")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    COLLECTION_FIELD_NUMBER: _ClassVar[int]
    namespace: _memory_pb2.Namespace
    id: str
    collection: ReindexCollection
    def __init__(self, namespace: _Optional[_Union[_memory_pb2.Namespace, _Mapping]] = ..., id: _Optional[str] = ..., collection: _Optional[_Union[ReindexCollection, str]] = ...) -> None: ...

class PruneRequest(_message.Message):
    __slots__ = ("dry_run",)
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    dry_run: bool
    def __init__(self, dry_run: bool = ...) -> None: ...

class PruneResponse(_message.Message):
    __slots__ = ("outcomes",)
    OUTCOMES_FIELD_NUMBER: _ClassVar[int]
    outcomes: _containers.RepeatedCompositeFieldContainer[PruneOutcome]
    def __init__(self, outcomes: _Optional[_Iterable[_Union[PruneOutcome, _Mapping]]] = ...) -> None: ...

class PruneOutcome(_message.Message):
    __slots__ = ("name", "removed", "error")
    NAME_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    name: str
    removed: int
    error: _status_pb2.Status
    def __init__(self, name: _Optional[str] = ..., removed: _Optional[int] = ..., error: _Optional[_Union[_status_pb2.Status, _Mapping]] = ...) -> None: ...
