import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from vademecum.v1 import filter_pb2 as _filter_pb2
from vademecum.v1 import memory_pb2 as _memory_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SearchOrder(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SEARCH_ORDER_UNSPECIFIED: _ClassVar[SearchOrder]
    SEARCH_ORDER_RELEVANCE: _ClassVar[SearchOrder]
    SEARCH_ORDER_NEWEST_FIRST: _ClassVar[SearchOrder]

class SearchIndex(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SEARCH_INDEX_UNSPECIFIED: _ClassVar[SearchIndex]
    SEARCH_INDEX_EXACT: _ClassVar[SearchIndex]
    SEARCH_INDEX_GRAPH: _ClassVar[SearchIndex]

class OmissionReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OMISSION_REASON_UNSPECIFIED: _ClassVar[OmissionReason]
    OMISSION_REASON_OVER_BUDGET: _ClassVar[OmissionReason]
    OMISSION_REASON_NEAR_COPY: _ClassVar[OmissionReason]
SEARCH_ORDER_UNSPECIFIED: SearchOrder
SEARCH_ORDER_RELEVANCE: SearchOrder
SEARCH_ORDER_NEWEST_FIRST: SearchOrder
SEARCH_INDEX_UNSPECIFIED: SearchIndex
SEARCH_INDEX_EXACT: SearchIndex
SEARCH_INDEX_GRAPH: SearchIndex
OMISSION_REASON_UNSPECIFIED: OmissionReason
OMISSION_REASON_OVER_BUDGET: OmissionReason
OMISSION_REASON_NEAR_COPY: OmissionReason

class SearchRequest(_message.Message):
    __slots__ = ("namespace", "query", "limit", "budget_tokens", "filter", "order", "min_relevance", "weights", "query_embedding", "reference_time", "min_commit_seq", "include_superseded")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    BUDGET_TOKENS_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    MIN_RELEVANCE_FIELD_NUMBER: _ClassVar[int]
    WEIGHTS_FIELD_NUMBER: _ClassVar[int]
    QUERY_EMBEDDING_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_TIME_FIELD_NUMBER: _ClassVar[int]
    MIN_COMMIT_SEQ_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_SUPERSEDED_FIELD_NUMBER: _ClassVar[int]
    namespace: _memory_pb2.Namespace
    query: str
    limit: int
    budget_tokens: int
    filter: _filter_pb2.Filter
    order: SearchOrder
    min_relevance: float
    weights: RankingWeights
    query_embedding: _containers.RepeatedScalarFieldContainer[float]
    reference_time: _timestamp_pb2.Timestamp
    min_commit_seq: int
    include_superseded: bool
    def __init__(self, namespace: _Optional[_Union[_memory_pb2.Namespace, _Mapping]] = ..., query: _Optional[str] = ..., limit: _Optional[int] = ..., budget_tokens: _Optional[int] = ..., filter: _Optional[_Union[_filter_pb2.Filter, _Mapping]] = ..., order: _Optional[_Union[SearchOrder, str]] = ..., min_relevance: _Optional[float] = ..., weights: _Optional[_Union[RankingWeights, _Mapping]] = ..., query_embedding: _Optional[_Iterable[float]] = ..., reference_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., min_commit_seq: _Optional[int] = ..., include_superseded: bool = ...) -> None: ...

class RankingWeights(_message.Message):
    __slots__ = ("recency", "importance", "novelty")
    RECENCY_FIELD_NUMBER: _ClassVar[int]
    IMPORTANCE_FIELD_NUMBER: _ClassVar[int]
    NOVELTY_FIELD_NUMBER: _ClassVar[int]
    recency: float
    importance: float
    novelty: float
    def __init__(self, recency: _Optional[float] = ..., importance: _Optional[float] = ..., novelty: _Optional[float] = ...) -> None: ...

class SearchHit(_message.Message):
    __slots__ = ("memory", "scores", "tokens", "excerpt")
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    EXCERPT_FIELD_NUMBER: _ClassVar[int]
    memory: _memory_pb2.Memory
    scores: Scores
    tokens: int
    excerpt: bool
    def __init__(self, memory: _Optional[_Union[_memory_pb2.Memory, _Mapping]] = ..., scores: _Optional[_Union[Scores, _Mapping]] = ..., tokens: _Optional[int] = ..., excerpt: bool = ...) -> None: ...

class Scores(_message.Message):
    __slots__ = ("relevance", "vector", "keyword", "recency", "importance", "novelty", "final", "following", "thread", "author", "date")
    RELEVANCE_FIELD_NUMBER: _ClassVar[int]
    VECTOR_FIELD_NUMBER: _ClassVar[int]
    KEYWORD_FIELD_NUMBER: _ClassVar[int]
    RECENCY_FIELD_NUMBER: _ClassVar[int]
    IMPORTANCE_FIELD_NUMBER: _ClassVar[int]
    NOVELTY_FIELD_NUMBER: _ClassVar[int]
    FINAL_FIELD_NUMBER: _ClassVar[int]
    FOLLOWING_FIELD_NUMBER: _ClassVar[int]
    THREAD_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    DATE_FIELD_NUMBER: _ClassVar[int]
    relevance: float
    vector: float
    keyword: float
    recency: float
    importance: float
    novelty: float
    final: float
    following: float
    thread: float
    author: float
    date: float
    def __init__(self, relevance: _Optional[float] = ..., vector: _Optional[float] = ..., keyword: _Optional[float] = ..., recency: _Optional[float] = ..., importance: _Optional[float] = ..., novelty: _Optional[float] = ..., final: _Optional[float] = ..., following: _Optional[float] = ..., thread: _Optional[float] = ..., author: _Optional[float] = ..., date: _Optional[float] = ...) -> None: ...

class Omission(_message.Message):
    __slots__ = ("id", "tokens", "score", "reason")
    ID_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    id: str
    tokens: int
    score: float
    reason: OmissionReason
    def __init__(self, id: _Optional[str] = ..., tokens: _Optional[int] = ..., score: _Optional[float] = ..., reason: _Optional[_Union[OmissionReason, str]] = ...) -> None: ...

class SearchSummary(_message.Message):
    __slots__ = ("total_matches", "returned", "tokens_used", "budget_tokens", "omitted", "omitted_count", "query_duration", "index", "commit_seq", "no_hits_reason", "keywords_only_reason")
    TOTAL_MATCHES_FIELD_NUMBER: _ClassVar[int]
    RETURNED_FIELD_NUMBER: _ClassVar[int]
    TOKENS_USED_FIELD_NUMBER: _ClassVar[int]
    BUDGET_TOKENS_FIELD_NUMBER: _ClassVar[int]
    OMITTED_FIELD_NUMBER: _ClassVar[int]
    OMITTED_COUNT_FIELD_NUMBER: _ClassVar[int]
    QUERY_DURATION_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    COMMIT_SEQ_FIELD_NUMBER: _ClassVar[int]
    NO_HITS_REASON_FIELD_NUMBER: _ClassVar[int]
    KEYWORDS_ONLY_REASON_FIELD_NUMBER: _ClassVar[int]
    total_matches: int
    returned: int
    tokens_used: int
    budget_tokens: int
    omitted: _containers.RepeatedCompositeFieldContainer[Omission]
    omitted_count: int
    query_duration: _duration_pb2.Duration
    index: SearchIndex
    commit_seq: int
    no_hits_reason: str
    keywords_only_reason: str
    def __init__(self, total_matches: _Optional[int] = ..., returned: _Optional[int] = ..., tokens_used: _Optional[int] = ..., budget_tokens: _Optional[int] = ..., omitted: _Optional[_Iterable[_Union[Omission, _Mapping]]] = ..., omitted_count: _Optional[int] = ..., query_duration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., index: _Optional[_Union[SearchIndex, str]] = ..., commit_seq: _Optional[int] = ..., no_hits_reason: _Optional[str] = ..., keywords_only_reason: _Optional[str] = ...) -> None: ...
