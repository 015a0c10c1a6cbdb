# Generated from the definitions by `npm run generate`. Do not edit.
"""Types of arguments: the names of enum values, and the fields of messages as dictionaries.

In names of enum values, the prefix may be missing and case does not matter: `MEMORY_TYPE_SEMANTIC`
and `semantic` are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, TypedDict

from google.protobuf.timestamp_pb2 import Timestamp
from vademecum.v1.context_pb2 import BlocksSection, KeysSection, MemoriesSection, RecentSection, SkillsSection
from vademecum.v1.filter_pb2 import Filter, TimeRange
from vademecum.v1.memory_pb2 import MemoryStatus, MemoryType, Namespace
from vademecum.v1.memory_provider_pb2 import OnConflict
from vademecum.v1.search_pb2 import NearCopies, RankingWeights, SearchOrder
from vademecum.v1.tool_pb2 import AgentContext, MemoryAccess, ToolQuery

ConfidenceName = Literal["low", "medium", "high", "CONFIDENCE_LOW", "CONFIDENCE_MEDIUM", "CONFIDENCE_HIGH"]
ContextFormatName = Literal["markdown", "xml", "plain", "CONTEXT_FORMAT_MARKDOWN", "CONTEXT_FORMAT_XML", "CONTEXT_FORMAT_PLAIN"]
MemoryOrderName = Literal["newest_first", "oldest_first", "latest_event_first", "most_important_first", "MEMORY_ORDER_NEWEST_FIRST", "MEMORY_ORDER_OLDEST_FIRST", "MEMORY_ORDER_LATEST_EVENT_FIRST", "MEMORY_ORDER_MOST_IMPORTANT_FIRST"]
MemoryStatusName = Literal["active", "resolved", "MEMORY_STATUS_ACTIVE", "MEMORY_STATUS_RESOLVED"]
MemoryTypeName = Literal["episodic", "semantic", "working", "scratch_page", "conversation", "trace", "MEMORY_TYPE_EPISODIC", "MEMORY_TYPE_SEMANTIC", "MEMORY_TYPE_WORKING", "MEMORY_TYPE_SCRATCH_PAGE", "MEMORY_TYPE_CONVERSATION", "MEMORY_TYPE_TRACE"]
NearCopiesName = Literal["omit", "keep", "NEAR_COPIES_OMIT", "NEAR_COPIES_KEEP"]
OnConflictName = Literal["fail", "replace", "keep", "ON_CONFLICT_FAIL", "ON_CONFLICT_REPLACE", "ON_CONFLICT_KEEP"]
ProposalGroupingName = Literal["user", "agent", "target", "confidence", "PROPOSAL_GROUPING_USER", "PROPOSAL_GROUPING_AGENT", "PROPOSAL_GROUPING_TARGET", "PROPOSAL_GROUPING_CONFIDENCE"]
ProposalOrderName = Literal["newest_first", "oldest_first", "PROPOSAL_ORDER_NEWEST_FIRST", "PROPOSAL_ORDER_OLDEST_FIRST"]
ProposalStatusName = Literal["pending", "approved", "rejected", "conflicted", "expired", "PROPOSAL_STATUS_PENDING", "PROPOSAL_STATUS_APPROVED", "PROPOSAL_STATUS_REJECTED", "PROPOSAL_STATUS_CONFLICTED", "PROPOSAL_STATUS_EXPIRED"]
ProposalViewName = Literal["basic", "full", "summary", "PROPOSAL_VIEW_BASIC", "PROPOSAL_VIEW_FULL", "PROPOSAL_VIEW_SUMMARY"]
SearchOrderName = Literal["relevance", "newest_first", "SEARCH_ORDER_RELEVANCE", "SEARCH_ORDER_NEWEST_FIRST"]
ToolFormatName = Literal["openai", "anthropic", "mcp", "openai_responses", "TOOL_FORMAT_OPENAI", "TOOL_FORMAT_ANTHROPIC", "TOOL_FORMAT_MCP", "TOOL_FORMAT_OPENAI_RESPONSES"]
TurnEventName = Literal["queried", "cached", "denied", "truncated", "failed", "invalid", "TURN_EVENT_QUERIED", "TURN_EVENT_CACHED", "TURN_EVENT_DENIED", "TURN_EVENT_TRUNCATED", "TURN_EVENT_FAILED", "TURN_EVENT_INVALID"]


class AddRequestFields(TypedDict, total=False):
    """The fields of `vademecum.v1.AddRequest`."""

    namespace: Namespace | NamespaceFields
    content: str
    memory_type: MemoryType | MemoryTypeName
    kind: str
    tags: Sequence[str]
    importance: float
    status: MemoryStatus | MemoryStatusName
    restricted: bool
    source: str
    author: str
    thread_id: str
    metadata: Mapping[str, Any]
    event_time: datetime | Timestamp
    expire_time: datetime | Timestamp
    supersedes: str
    embedding: Iterable[float]
    idempotency_key: str
    external_id: str
    on_conflict: OnConflict | OnConflictName


class AgentContextFields(TypedDict, total=False):
    """The fields of `vademecum.v1.AgentContext`."""

    agent_id: str
    task_id: str
    plan_id: str


class BlocksSectionFields(TypedDict, total=False):
    """The fields of `vademecum.v1.BlocksSection`."""

    labels: Sequence[str]


class ContextSectionFields(TypedDict, total=False):
    """The fields of `vademecum.v1.ContextSection`."""

    blocks: BlocksSection | BlocksSectionFields
    skills: SkillsSection | SkillsSectionFields
    keys: KeysSection | KeysSectionFields
    memories: MemoriesSection | MemoriesSectionFields
    recent: RecentSection | RecentSectionFields
    min_tokens: int
    max_tokens: int


class DurationFields(TypedDict, total=False):
    """The fields of `google.protobuf.Duration`."""

    seconds: int
    nanos: int


class FilterFields(TypedDict, total=False):
    """The fields of `vademecum.v1.Filter`."""

    metadata: Mapping[str, Any]
    tags_any: Sequence[str]
    tags_all: Sequence[str]
    memory_types: Sequence[MemoryType | MemoryTypeName]
    kinds: Sequence[str]
    time_range: TimeRange | TimeRangeFields
    importance_min: float
    source: str
    status: MemoryStatus | MemoryStatusName
    author: str
    thread_id: str
    content_contains: str
    external_id: str
    expression: str


class GetTurnTraceRequestFields(TypedDict, total=False):
    """The fields of `vademecum.v1.GetTurnTraceRequest`."""

    user_id: str
    agent_id: str
    request_id: str
    task_id: str


class KeysSectionFields(TypedDict, total=False):
    """The fields of `vademecum.v1.KeysSection`."""

    run_id: str
    keys: Sequence[str]


class MemoriesSectionFields(TypedDict, total=False):
    """The fields of `vademecum.v1.MemoriesSection`."""

    limit: int
    filter: Filter | FilterFields
    order: SearchOrder | SearchOrderName
    min_relevance: float
    gate: float
    weights: RankingWeights | RankingWeightsFields
    query_embedding: Iterable[float]


class MemoryAccessFields(TypedDict, total=False):
    """The fields of `vademecum.v1.MemoryAccess`."""

    memory_type: MemoryType | MemoryTypeName
    enabled: bool
    kinds: Sequence[str]
    tags: Sequence[str]
    max_queries: int
    max_budget_tokens: int
    write: bool


class MemoryChangesFields(TypedDict, total=False):
    """The fields of `vademecum.v1.MemoryChanges`."""

    content: str
    memory_type: MemoryType | MemoryTypeName
    kind: str
    tags: Sequence[str]
    importance: float
    status: MemoryStatus | MemoryStatusName
    restricted: bool
    source: str
    author: str
    thread_id: str
    metadata: Mapping[str, Any]
    event_time: datetime | Timestamp
    expire_time: datetime | Timestamp
    embedding: Iterable[float]


class MemoryWriteFields(TypedDict, total=False):
    """The fields of `vademecum.v1.MemoryWrite`."""

    content: str
    memory_type: MemoryType | MemoryTypeName
    kind: str
    tags: Sequence[str]
    importance: float
    status: MemoryStatus | MemoryStatusName
    restricted: bool
    author: str
    thread_id: str
    metadata: Mapping[str, Any]
    event_time: datetime | Timestamp
    expire_time: datetime | Timestamp
    embedding: Iterable[float]


class NamespaceFields(TypedDict, total=False):
    """The fields of `vademecum.v1.Namespace`."""

    user_id: str
    agent_id: str


class NewTurnFields(TypedDict, total=False):
    """The fields of `vademecum.v1.NewTurn`."""

    content: str
    author: str
    kind: str
    tags: Sequence[str]
    importance: float
    restricted: bool
    source: str
    metadata: Mapping[str, Any]
    event_time: datetime | Timestamp
    expire_time: datetime | Timestamp
    embedding: Iterable[float]
    external_id: str


class QueryMemoryRequestFields(TypedDict, total=False):
    """The fields of `vademecum.v1.QueryMemoryRequest`."""

    request_id: str
    tool_id: str
    tool_version: str
    agent_context: AgentContext | AgentContextFields
    user_id: str
    queries: Sequence[ToolQuery | ToolQueryFields]
    budget_tokens: int


class RankingWeightsFields(TypedDict, total=False):
    """The fields of `vademecum.v1.RankingWeights`."""

    recency: float
    importance: float
    novelty: float


class RecentSectionFields(TypedDict, total=False):
    """The fields of `vademecum.v1.RecentSection`."""

    thread_id: str
    max_turns: int


class SearchRequestFields(TypedDict, total=False):
    """The fields of `vademecum.v1.SearchRequest`."""

    namespace: Namespace | NamespaceFields
    query: str
    limit: int
    budget_tokens: int
    filter: Filter | FilterFields
    order: SearchOrder | SearchOrderName
    min_relevance: float
    weights: RankingWeights | RankingWeightsFields
    query_embedding: Iterable[float]
    reference_time: datetime | Timestamp
    min_commit_seq: int
    include_superseded: bool
    time_zone: str
    gate: float
    annotate: bool
    user_id: str
    agent_ids: Sequence[str]
    all_agents: bool
    exclude_ids: Sequence[str]
    near_copies: NearCopies | NearCopiesName


class SkillFilterFields(TypedDict, total=False):
    """The fields of `vademecum.v1.SkillFilter`."""

    tool_name: str
    min_success_count: int
    last_used_before: datetime | Timestamp


class SkillsSectionFields(TypedDict, total=False):
    """The fields of `vademecum.v1.SkillsSection`."""

    top_k: int
    min_similarity: float
    tool_name: str


class TimeRangeFields(TypedDict, total=False):
    """The fields of `vademecum.v1.TimeRange`."""

    start: datetime | Timestamp
    end: datetime | Timestamp


class ToolManifestFields(TypedDict, total=False):
    """The fields of `vademecum.v1.ToolManifest`."""

    tool_id: str
    version: str
    memory_access: Sequence[MemoryAccess | MemoryAccessFields]


class ToolQueryFields(TypedDict, total=False):
    """The fields of `vademecum.v1.ToolQuery`."""

    query_id: str
    memory_type: MemoryType | MemoryTypeName
    query_text: str
    filter: Filter | FilterFields
    limit: int
    budget_tokens: int
    gate: float
    time_zone: str
