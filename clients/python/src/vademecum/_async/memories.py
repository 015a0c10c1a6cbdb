# Generated from the definitions by `npm run generate`. Do not edit.
from datetime import datetime
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from google.protobuf.timestamp_pb2 import Timestamp
from google.protobuf.duration_pb2 import Duration
from google.protobuf.field_mask_pb2 import FieldMask
from vademecum.v1.context_pb2 import BuildContextRequest, BuildContextResponse, ContextFormat, ContextSection
from vademecum.v1.filter_pb2 import Filter
from vademecum.v1.memory_pb2 import MemoryStatus, MemoryType, Namespace
from vademecum.v1.memory_provider_pb2 import AddManyRequest, AddManyResponse, AddRequest, AddResponse, AddTraceRequest, AddTraceResponse, CountRequest, CountResponse, DeleteManyRequest, DeleteManyResponse, DeleteRequest, DeleteResponse, DeleteWhereRequest, DeleteWhereResponse, ExplainRequest, ExplainResponse, ExplainSearchRequest, ExplainSearchResponse, GetAllRequest, GetAllResponse, GetManyRequest, GetManyResponse, GetRequest, GetResponse, ListMemoryVersionsRequest, ListMemoryVersionsResponse, MemoryChanges, MemoryOrder, OnConflict, ProposeEditRequest, ProposeEditResponse, RecallRequest, RecallResponse, RedactVersionRequest, RedactVersionResponse, ResetRequest, ResetResponse, RestoreMemoryRequest, RestoreMemoryResponse, UpdateRequest, UpdateResponse, WatchMemoriesRequest, WatchMemoriesResponse
from vademecum.v1.proposal_pb2 import Confidence
from vademecum.v1.search_pb2 import NearCopies, RankingWeights, SearchOrder, SearchRequest
from vademecum.v1.memory_provider_pb2_grpc import MemoryProviderStub

from .calls import Calls, ResponseStream, SearchStream
from .._idempotency_key import new_idempotency_key
from .._requests import new_request
from ..types import AddRequestFields, ConfidenceName, ContextFormatName, ContextSectionFields, DurationFields, FilterFields, MemoryChangesFields, MemoryOrderName, MemoryStatusName, MemoryTypeName, NearCopiesName, OnConflictName, RankingWeightsFields, SearchOrderName, SearchRequestFields

if TYPE_CHECKING:
    from vademecum.v1.memory_provider_pb2_grpc import MemoryProviderAsyncStub


class Memories:
    """Stores memories and searches them.

    A write is atomic. When it is acknowledged, it is durable (synced to disk) and searchable.

    Every mutation takes an `idempotency_key`, which makes a retry safe for 24 hours. A retry
    repeats the request of an earlier call, with the same key; a field with its default value
    equals an unset field. A retry changes nothing and returns the reply of the earlier call,
    with these exceptions:

    - A record in the reply (a memory, block, skill or proposal) is the record as it is now. If the
      record has versions, `replayed_version` says which version the earlier call made.
    - If what the earlier call stored was deleted or has expired since, the retry is a new call and
      stores it again. A retry of a deletion returns the first reply.

    A different request with the same key fails with INVALID_ARGUMENT (IDEMPOTENCY_KEY_REUSED).

    A principal is a caller that the server knows by its credentials, such as an API key. An
    idempotency key belongs to one principal, one namespace and one RPC: if one of these differs,
    the same text is a different key. Add and AddBatch count as one RPC.

    Without a client deadline, a call ends after 30 seconds; AddBatch has no such limit. A
    request message has at most 1 MiB in binary and 4 MiB as JSON, a response message at most 4
    MiB.
    """

    def __init__(self, calls: Calls, user_id: str, agent_id: str) -> None:
        self._calls = calls
        self._namespace = Namespace(user_id=user_id, agent_id=agent_id)
        self._user_id = user_id
        self._agent_id = agent_id

    @cached_property
    def _stub(self) -> "MemoryProviderAsyncStub":
        return MemoryProviderStub(self._calls.channel)

    async def add(
        self,
        content: str,
        *,
        memory_type: MemoryType | MemoryTypeName | None = None,
        kind: str | None = None,
        tags: Sequence[str] | None = None,
        importance: float | None = None,
        status: MemoryStatus | MemoryStatusName | None = None,
        restricted: bool = False,
        source: str | None = None,
        author: str | None = None,
        thread_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        event_time: datetime | Timestamp | None = None,
        expire_time: datetime | Timestamp | None = None,
        supersedes: str | None = None,
        embedding: Iterable[float] | None = None,
        idempotency_key: str | None = None,
        external_id: str | None = None,
        on_conflict: OnConflict | OnConflictName | None = None,
        timeout: float | None = None,
    ) -> AddResponse:
        """Stores one memory. The text is kept exactly as given; no language model is called.

        With an `external_id`, the call can also replace or keep a memory that is there
        (AddRequest.on_conflict). Without on_conflict, it fails with ALREADY_EXISTS
        (EXTERNAL_ID_IN_USE) when a memory of the namespace has the external_id.

        Fails with RESOURCE_EXHAUSTED (NAMESPACE_TOO_LARGE) when the namespace has 5,000,000
        memories. Every other call that adds memories fails in the same way.

        Args:
            content: The text. Required, 1 byte to 64 KiB of UTF-8, not white space alone.
            memory_type: The purpose of the memory. Default MEMORY_TYPE_EPISODIC.
            kind: Free text that refines the type, 1 to 256 bytes. Default none.
            tags: Labels: at most 32, each 1 to 128 bytes. Duplicates are dropped.
            importance: How much the memory matters, 0 to 1. Default 0.5.
            status: Whether the memory still needs attention. Default MEMORY_STATUS_ACTIVE.
            restricted: If true, tools cannot read the memory through QueryMemory (see
                Memory.restricted), and the memory belongs to no conversation thread (see
                thread_id). Default false.
            source: The origin of the text: a tool, a document or a channel. 1 to 256 bytes.
                Default none.
            author: The speaker or writer of the text, 1 to 256 bytes. Ranking uses the author
                (Scores.author).
            thread_id: The conversation, run or document that contains the memory, 1 to 256
                bytes. Memories with the same thread_id belong to one conversation thread, ordered
                by time. The time of a memory is its event_time, or its create_time if there is no
                event_time.

                In ranking, the words and the vector of a memory also count for the next two
                memories of its thread. For example, a search for words of a question also finds the
                answer after it.

                The server groups memories of type MEMORY_TYPE_CONVERSATION without a thread_id into
                threads by time. Two successive memories belong to the same thread when at most 30
                minutes lie between them. If one of the two has no event_time, there must also be at
                least one second between them. Shorter intervals are typical of a bulk import, in
                which create_time says nothing about the order.

                Set thread_id when several conversations run at the same time. Otherwise, the server
                mixes their memories in one thread.

                Memories of other types without a thread_id belong to no thread. A restricted memory
                also belongs to no thread, so that its text does not affect what tools find.
            metadata: The caller's own data: at most 16 KiB as JSON, 16 levels deep, all numbers
                finite.

                Numbers are doubles, which hold whole numbers exactly up to 9,007,199,254,740,991. A
                request in JSON fails with INVALID_ARGUMENT when it has a whole number that a double
                cannot hold. In binary form, the stubs have already rounded such a number;
                Vademecum's clients refuse it before they send it. So write ids as texts.
            event_time: When the event in the memory happened. Unset: time ranges and recency
                use create_time.
            expire_time: When the memory expires. From this instant on, reads return it only
                with include_expired (Get, GetAll). Must be in the future. Default: never.
            supersedes: The id of an old memory in this namespace. The new memory supersedes
                (replaces) the old one. Searches and listings then return the old memory only if
                include_superseded is true. Get still returns it.

                Fails with NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory, or
                when the old memory has expired. Fails with FAILED_PRECONDITION (ALREADY_SUPERSEDED)
                when the old memory has a successor that has not expired (Memory.superseded_by).
            embedding: The vector of the text, for callers with their own embedder: 1 to 4,096
                finite numbers, not all zero. The first vector fixes the dimension of the namespace.
                From then on, the namespace holds callers' vectors, and the server makes no vectors
                for it.

                Fails with FAILED_PRECONDITION (EMBEDDING_MODEL_MISMATCH) when the server makes the
                vectors of the namespace. Fails with INVALID_ARGUMENT (EMBEDDING_DIMENSION_MISMATCH)
                when the vector has another dimension than the namespace.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours.
                Default: a new key.
            external_id: The caller's own id of the memory, 1 to 256 bytes: for example the id
                of an event or of a message in another system. Unique in the namespace, and compared
                byte for byte. Default none.

                With an external_id, a write can be repeated at any time, and by several writers at
                once, and still makes one memory (`on_conflict`). An idempotency_key protects only a
                retry within 24 hours.

                The external_id belongs to the memory until the memory is deleted or pruned. If the
                memory has expired, a write with its external_id stores a new memory, and the
                expired memory loses its external_id. Update cannot change it.
            on_conflict: What to do if a memory of the namespace has the external_id. Default
                ON_CONFLICT_FAIL. Needs an external_id.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            AddRequest,
            namespace=self._namespace,
            content=content,
            memory_type=memory_type,
            kind=kind,
            tags=tags,
            importance=importance,
            status=status,
            restricted=restricted,
            source=source,
            author=author,
            thread_id=thread_id,
            metadata=metadata,
            event_time=event_time,
            expire_time=expire_time,
            supersedes=supersedes,
            embedding=embedding,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
            external_id=external_id,
            on_conflict=on_conflict,
        )
        return await self._calls.unary("MemoryProvider.Add", self._stub.Add, message, timeout)

    async def add_trace(
        self,
        workflow_id: str,
        trace_data: Mapping[str, Any],
        *,
        thread_id: str | None = None,
        event_time: datetime | Timestamp | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> AddTraceResponse:
        """Stores the trace of a workflow run as a memory of type MEMORY_TYPE_TRACE and kind
        `trace`. The content of the memory is
        `[trace] workflow=<workflow_id> agent=<agent_id> data=<trace_data as JSON, keys sorted>`.

        Args:
            workflow_id: The id of the workflow. Required, 1 to 256 bytes. Stored as metadata
                `workflow_id`.
            trace_data: The data of the trace. Required. At most 64 KiB as JSON, 16 levels deep.

                If trace_data has an object `metadata`, its entries become metadata of the memory.
                The service adds `type` (the text `trace`) and `workflow_id`, which replace entries
                of the same names. The metadata of the memory has at most 16 KiB in total.
            thread_id: The conversation or run that contains the trace, 1 to 256 bytes.
            event_time: When the run happened. Unset: time ranges and recency use create_time.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours.
                Default: a new key.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            AddTraceRequest,
            agent_id=self._agent_id,
            user_id=self._user_id,
            workflow_id=workflow_id,
            trace_data=trace_data,
            thread_id=thread_id,
            event_time=event_time,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return await self._calls.unary("MemoryProvider.AddTrace", self._stub.AddTrace, message, timeout)

    async def add_many(
        self,
        memories: Sequence[AddRequest | AddRequestFields],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> AddManyResponse:
        """Stores up to 500 memories in one atomic step, over any protocol. Each memory gets a
        result of its own: an id, or the error of this memory. A memory with an error does not
        stop the others.

        The reply names no near-duplicates. For more memories, or memories of several namespaces,
        use AddBatch or several calls. A call costs about as much as an AddBatch of the same
        memories, and a small part of as many calls of Add.

        Args:
            memories: The memories, 1 to 500. The fields have the limits of Add, with two
                differences:

                - `namespace` may be left out. If it is set, it must be the namespace above.
                - `idempotency_key` must be left out. The key below covers all memories.

                If a memory is faulty, only this memory fails. With the whole request, at most 1
                MiB.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours. A
                retry returns the ids of the memories that the first call stored. It tries again to
                store the memories that failed, and those that were deleted since. Default: a new
                key.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            AddManyRequest,
            namespace=self._namespace,
            memories=memories,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return await self._calls.unary("MemoryProvider.AddMany", self._stub.AddMany, message, timeout)

    def search(
        self,
        query: str = "",
        time_zone: str = "",
        *,
        limit: int | None = None,
        budget_tokens: int | None = None,
        filter: Filter | FilterFields | None = None,
        order: SearchOrder | SearchOrderName | None = None,
        min_relevance: float | None = None,
        weights: RankingWeights | RankingWeightsFields | None = None,
        query_embedding: Iterable[float] | None = None,
        reference_time: datetime | Timestamp | None = None,
        min_commit_seq: int | None = None,
        include_superseded: bool = False,
        gate: float | None = None,
        annotate: bool = False,
        agent_ids: Sequence[str] | None = None,
        all_agents: bool = False,
        exclude_ids: Sequence[str] | None = None,
        near_copies: NearCopies | NearCopiesName | None = None,
        timeout: float | None = None,
    ) -> SearchStream:
        """Searches memories and streams the hits, best first. All hits together fit into the token
        budget. After the last hit, the stream has the summary.

        Args:
            query: The query in plain words, at most 8 KiB. A query of white space alone counts
                as empty.
            limit: Maximum number of hits, 1 to 1,000. Unset: as many as fit into budget_tokens,
                or 5 without a budget.
            budget_tokens: Maximum number of tokens in the contents of all hits together, 1 to
                1,000,000. Unset: no budget.

                A match that does not fit into the rest of the budget is left out
                (OMISSION_REASON_OVER_BUDGET). If no match fits, the only hit is an excerpt of the
                best match:

                - The excerpt has the sentences that match the query best. If more sentences fit
                  into the budget, the excerpt also has other sentences, the nearest to the best
                  sentence first. " … " marks a gap between two sentences.
                - If the best sentence does not fit into the budget, the excerpt is a part of this
                  sentence with a matching word.
                - If no sentence has words that match the query, the excerpt is the beginning of the
                  content.
                - If only weak matches fit (SearchHit.weak) and the best match is not weak, the
                  excerpt takes their place.
                - If not even one token fits into the budget, there are no hits.
            filter: Return only memories that pass this filter. Unset: all memories.
            order: The order of the hits. Default SEARCH_ORDER_RELEVANCE.
            min_relevance: Return only memories with at least this relevance (Scores.relevance),
                0 to 1. 0 means no minimum. The default is 0.02 for the bundled embedder (`local`)
                and for calibrated models. It is 0 for other models, for callers' vectors, in a
                namespace without vectors, and for queries in other languages than English.

                The default leaves out hardly any relevant memory. These rules apply only to the
                default:

                - At most three weak hits are returned (SearchHit.weak). With a value of your own,
                  even 0, their number is not limited.
                - What its thread adds also counts for a memory.
                - A memory below the default still matches if it holds every keyword of the query,
                  or if the query names its author or date.
                - If no memory reaches the default, the best match is returned all the same.
                - The bundled embedder often gives the vectors less than their full weight (`w` in
                  Scores). The default is then lower in the same proportion.

                Ignored for a match-all query.
            weights: Weights of recency, importance and novelty.
            query_embedding: The vector of the query, for a namespace that holds callers'
                vectors (AddRequest.embedding). It has as many numbers as these vectors (1 to
                4,096), all finite, and not all zero.

                Fails with FAILED_PRECONDITION (EMBEDDING_MODEL_MISMATCH) when the server makes the
                vectors of the namespace. Fails with INVALID_ARGUMENT (EMBEDDING_DIMENSION_MISMATCH)
                when the vector has another length than the vectors of the namespace.
            reference_time: The instant that counts as now, for recency and for relative dates
                in the query, such as "last week". Unset: the server's clock.
            min_commit_seq: The commit_seq of an earlier reply about the same user. The search
                then sees the data of this commit and of all commits before it.

                Fails with INVALID_ARGUMENT (FOREIGN_COMMIT_SEQ) in these cases:

                - No commit of the user has this number.
                - The data was restored from a backup after the reply with this number.
            include_superseded: If true, superseded memories are returned too. Default false.
            time_zone: The time zone in which days count: the days that the query names, and the
                days of near-copies (OMISSION_REASON_NEAR_COPY). A name of the IANA time zone
                database, such as Europe/Madrid, or an offset from UTC of at most 14 hours, such as
                +05:30. At most 64 bytes. Unset or empty: the server's time zone (`--time-zone`),
                which is UTC by default.

                Fails with INVALID_ARGUMENT (UNKNOWN_TIME_ZONE) when there is no such zone.
            gate: A relevance, 0 to 1, that acts as a gate: the search returns hits only if at
                least one match opens the gate. A match opens the gate if its relevance is at least
                this value, or if it holds every keyword of the query. A named author or date does
                not open the gate.

                If no match opens the gate, SearchSummary.gate_closed is true. Unset or 0: no gate.
                A gate also hides right answers, because many of them share few words with the
                question: prefer the mark SearchHit.weak.

                Ignored for a match-all query.
            annotate: For Recall: whether each hit in RecallResponse.text begins with its date
                and its author, so a model can tell when something was said and by whom:
                `- [2026-03-08] Ann: The mail came`. The date is the day of event_time or, without
                event_time, of create_time, in time_zone. A memory without an author has only the
                date. The annotations count in the token budget. Default false. Ignored by other
                calls.
            agent_ids: Search the memories of these agents of the user, at most 100, each 1 to
                256 bytes. Empty: the agent of `namespace`. The weight of novelty must be 0 or
                unset. Explain and QueryMemory take no agent_ids.
            all_agents: If true, searches the memories of all agents of the user that the caller
                may read. The caller learns nothing about other agents. Default false. Not with
                agent_ids.

                Fails with FAILED_PRECONDITION (TOO_MANY_AGENTS) when these are more than 1,000
                agents.
            exclude_ids: Leave out these memories, at most 1,000, each 1 to 128 bytes. They
                count as if they did not pass the filter, and ids of no memory have no effect. With
                the ids of all earlier hits, a search returns the next hits, whatever was written
                meanwhile.
            near_copies: What to do with near-copies of a hit. Default NEAR_COPIES_OMIT.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            SearchRequest,
            namespace=self._namespace,
            query=query,
            limit=limit,
            budget_tokens=budget_tokens,
            filter=filter,
            order=order,
            min_relevance=min_relevance,
            weights=weights,
            query_embedding=query_embedding,
            reference_time=reference_time,
            min_commit_seq=min_commit_seq,
            include_superseded=include_superseded,
            time_zone=time_zone,
            gate=gate,
            annotate=annotate,
            agent_ids=agent_ids,
            all_agents=all_agents,
            exclude_ids=exclude_ids,
            near_copies=near_copies,
        )
        return SearchStream(self._calls.stream("MemoryProvider.Search", self._stub.Search, message, timeout))

    async def recall(
        self,
        query: str = "",
        time_zone: str = "",
        *,
        limit: int | None = None,
        budget_tokens: int | None = None,
        filter: Filter | FilterFields | None = None,
        order: SearchOrder | SearchOrderName | None = None,
        min_relevance: float | None = None,
        weights: RankingWeights | RankingWeightsFields | None = None,
        query_embedding: Iterable[float] | None = None,
        reference_time: datetime | Timestamp | None = None,
        min_commit_seq: int | None = None,
        include_superseded: bool = False,
        gate: float | None = None,
        annotate: bool = False,
        agent_ids: Sequence[str] | None = None,
        all_agents: bool = False,
        exclude_ids: Sequence[str] | None = None,
        near_copies: NearCopies | NearCopiesName | None = None,
        timeout: float | None = None,
    ) -> RecallResponse:
        """Searches memories and returns all hits in one reply. The reply also has the hits as one
        text for a prompt. Fails with RESOURCE_EXHAUSTED (RESPONSE_TOO_LARGE) when the reply
        would be larger than 4 MiB; Search streams such hits.

        Args:
            query: The query in plain words, at most 8 KiB. A query of white space alone counts
                as empty.
            limit: Maximum number of hits, 1 to 1,000. Unset: as many as fit into budget_tokens,
                or 5 without a budget.
            budget_tokens: Maximum number of tokens in the contents of all hits together, 1 to
                1,000,000. Unset: no budget.

                A match that does not fit into the rest of the budget is left out
                (OMISSION_REASON_OVER_BUDGET). If no match fits, the only hit is an excerpt of the
                best match:

                - The excerpt has the sentences that match the query best. If more sentences fit
                  into the budget, the excerpt also has other sentences, the nearest to the best
                  sentence first. " … " marks a gap between two sentences.
                - If the best sentence does not fit into the budget, the excerpt is a part of this
                  sentence with a matching word.
                - If no sentence has words that match the query, the excerpt is the beginning of the
                  content.
                - If only weak matches fit (SearchHit.weak) and the best match is not weak, the
                  excerpt takes their place.
                - If not even one token fits into the budget, there are no hits.
            filter: Return only memories that pass this filter. Unset: all memories.
            order: The order of the hits. Default SEARCH_ORDER_RELEVANCE.
            min_relevance: Return only memories with at least this relevance (Scores.relevance),
                0 to 1. 0 means no minimum. The default is 0.02 for the bundled embedder (`local`)
                and for calibrated models. It is 0 for other models, for callers' vectors, in a
                namespace without vectors, and for queries in other languages than English.

                The default leaves out hardly any relevant memory. These rules apply only to the
                default:

                - At most three weak hits are returned (SearchHit.weak). With a value of your own,
                  even 0, their number is not limited.
                - What its thread adds also counts for a memory.
                - A memory below the default still matches if it holds every keyword of the query,
                  or if the query names its author or date.
                - If no memory reaches the default, the best match is returned all the same.
                - The bundled embedder often gives the vectors less than their full weight (`w` in
                  Scores). The default is then lower in the same proportion.

                Ignored for a match-all query.
            weights: Weights of recency, importance and novelty.
            query_embedding: The vector of the query, for a namespace that holds callers'
                vectors (AddRequest.embedding). It has as many numbers as these vectors (1 to
                4,096), all finite, and not all zero.

                Fails with FAILED_PRECONDITION (EMBEDDING_MODEL_MISMATCH) when the server makes the
                vectors of the namespace. Fails with INVALID_ARGUMENT (EMBEDDING_DIMENSION_MISMATCH)
                when the vector has another length than the vectors of the namespace.
            reference_time: The instant that counts as now, for recency and for relative dates
                in the query, such as "last week". Unset: the server's clock.
            min_commit_seq: The commit_seq of an earlier reply about the same user. The search
                then sees the data of this commit and of all commits before it.

                Fails with INVALID_ARGUMENT (FOREIGN_COMMIT_SEQ) in these cases:

                - No commit of the user has this number.
                - The data was restored from a backup after the reply with this number.
            include_superseded: If true, superseded memories are returned too. Default false.
            time_zone: The time zone in which days count: the days that the query names, and the
                days of near-copies (OMISSION_REASON_NEAR_COPY). A name of the IANA time zone
                database, such as Europe/Madrid, or an offset from UTC of at most 14 hours, such as
                +05:30. At most 64 bytes. Unset or empty: the server's time zone (`--time-zone`),
                which is UTC by default.

                Fails with INVALID_ARGUMENT (UNKNOWN_TIME_ZONE) when there is no such zone.
            gate: A relevance, 0 to 1, that acts as a gate: the search returns hits only if at
                least one match opens the gate. A match opens the gate if its relevance is at least
                this value, or if it holds every keyword of the query. A named author or date does
                not open the gate.

                If no match opens the gate, SearchSummary.gate_closed is true. Unset or 0: no gate.
                A gate also hides right answers, because many of them share few words with the
                question: prefer the mark SearchHit.weak.

                Ignored for a match-all query.
            annotate: For Recall: whether each hit in RecallResponse.text begins with its date
                and its author, so a model can tell when something was said and by whom:
                `- [2026-03-08] Ann: The mail came`. The date is the day of event_time or, without
                event_time, of create_time, in time_zone. A memory without an author has only the
                date. The annotations count in the token budget. Default false. Ignored by other
                calls.
            agent_ids: Search the memories of these agents of the user, at most 100, each 1 to
                256 bytes. Empty: the agent of `namespace`. The weight of novelty must be 0 or
                unset. Explain and QueryMemory take no agent_ids.
            all_agents: If true, searches the memories of all agents of the user that the caller
                may read. The caller learns nothing about other agents. Default false. Not with
                agent_ids.

                Fails with FAILED_PRECONDITION (TOO_MANY_AGENTS) when these are more than 1,000
                agents.
            exclude_ids: Leave out these memories, at most 1,000, each 1 to 128 bytes. They
                count as if they did not pass the filter, and ids of no memory have no effect. With
                the ids of all earlier hits, a search returns the next hits, whatever was written
                meanwhile.
            near_copies: What to do with near-copies of a hit. Default NEAR_COPIES_OMIT.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = RecallRequest(search=new_request(
            SearchRequest,
            namespace=self._namespace,
            query=query,
            limit=limit,
            budget_tokens=budget_tokens,
            filter=filter,
            order=order,
            min_relevance=min_relevance,
            weights=weights,
            query_embedding=query_embedding,
            reference_time=reference_time,
            min_commit_seq=min_commit_seq,
            include_superseded=include_superseded,
            time_zone=time_zone,
            gate=gate,
            annotate=annotate,
            agent_ids=agent_ids,
            all_agents=all_agents,
            exclude_ids=exclude_ids,
            near_copies=near_copies,
        ))
        return await self._calls.unary("MemoryProvider.Recall", self._stub.Recall, message, timeout)

    async def build_context(
        self,
        budget_tokens: int,
        query: str = "",
        time_zone: str = "",
        *,
        sections: Sequence[ContextSection | ContextSectionFields] | None = None,
        thread_id: str | None = None,
        format: ContextFormat | ContextFormatName | None = None,
        reference_time: datetime | Timestamp | None = None,
        min_commit_seq: int | None = None,
        annotate: bool | None = None,
        timeout: float | None = None,
    ) -> BuildContextResponse:
        """Builds the whole context of one turn as one text for a prompt, within one token budget:
        the user's blocks, skills and memories that fit the query, notes of a run, and the last
        turns of a conversation. All sections but the notes show one state of the user's data. A
        worked example: docs/guides/context.md.

        Fails with ABORTED (CONTEXT_CHANGED) when the memories or skills of the namespace changed
        ten times while the context was built; retry. Fails with RESOURCE_EXHAUSTED
        (RESPONSE_TOO_LARGE) when the reply would be larger than 4 MiB.

        Cost: one search, one search for skills, and one read of each block that fits.

        Args:
            query: What the turn is about, such as the user's last message, at most 8 KiB.
                Skills and memories are searched for it. If it is empty, MEMORIES has the newest
                memories, and SKILLS is empty.
            budget_tokens: Maximum number of tokens of the whole text, 1 to 200,000. Required.
            sections: The sections, at most one of each kind. Empty: BLOCKS, SKILLS and MEMORIES
                with their defaults.
            thread_id: The thread of the conversation, 1 to 256 bytes. Adds the section RECENT
                with its defaults, unless `sections` has a section RECENT.
            format: The form of the text. Default CONTEXT_FORMAT_MARKDOWN.
            reference_time: The instant that counts as now, for recency and for relative dates
                in the query, such as "last week". Unset: the beginning of the day of the server's
                clock in time_zone, so that the text stays the same during a day.
            time_zone: The time zone in which days count; see SearchRequest.time_zone. At most
                64 bytes.

                Fails with INVALID_ARGUMENT (UNKNOWN_TIME_ZONE) when there is no such zone.
            min_commit_seq: The commit_seq of an earlier reply about the same user. The context
                then has the data of this commit and of all commits before it; see
                SearchRequest.min_commit_seq.
            annotate: Whether memories and turns begin with their date, and memories also with
                their author, as SearchRequest.annotate says. Turns always have their author.
                Without dates, a model takes the mail of 8 March for the mail of 18 March. Default
                true.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            BuildContextRequest,
            namespace=self._namespace,
            query=query,
            budget_tokens=budget_tokens,
            sections=sections,
            thread_id=thread_id,
            format=format,
            reference_time=reference_time,
            time_zone=time_zone,
            min_commit_seq=min_commit_seq,
            annotate=annotate,
        )
        return await self._calls.unary("MemoryProvider.BuildContext", self._stub.BuildContext, message, timeout)

    async def get_all(
        self,
        *,
        limit: int | None = None,
        filter: Filter | FilterFields | None = None,
        page_token: str | None = None,
        include_superseded: bool = False,
        include_expired: bool = False,
        as_of: datetime | Timestamp | None = None,
        include_embedding: bool = False,
        order: MemoryOrder | MemoryOrderName | None = None,
        timeout: float | None = None,
    ) -> GetAllResponse:
        """Lists memories in one of several orders, by default newest first, page by page.

        Args:
            limit: Maximum number of memories on a page, 1 to 1,000. Default 10. A page also
                ends before it exceeds 3 MiB.
            filter: List only memories that pass this filter. Unset: all memories.
            page_token: The next_page_token of the previous page, sent with the same namespace,
                filter, include_superseded, include_expired and order. Empty: start with the first
                memory.
            include_superseded: If true, superseded memories are listed too. Default false.
            include_expired: If true, expired memories that the server has not pruned yet are
                listed too. Default false.
            as_of: List the memories as they were at this instant: with their versions of that
                time, without memories that were added later. Memories that were deleted since are
                missing. Unset: as they are now. Not with include_embedding.
            include_embedding: If true, each memory has its vector (Memory.embedding). Costs one
                more look-up for each memory. Default false.
            order: The order of the memories. Default: newest first. With as_of, no other order
                is possible.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            GetAllRequest,
            namespace=self._namespace,
            limit=limit,
            filter=filter,
            page_token=page_token,
            include_superseded=include_superseded,
            include_expired=include_expired,
            as_of=as_of,
            include_embedding=include_embedding,
            order=order,
        )
        return await self._calls.unary("MemoryProvider.GetAll", self._stub.GetAll, message, timeout)

    async def count(
        self,
        *,
        filter: Filter | FilterFields | None = None,
        timeout: float | None = None,
    ) -> CountResponse:
        """Counts the memories that pass a filter: the memories that GetAll lists on all pages
        together, with the same filter and without include_superseded.

        Args:
            filter: Count only memories that pass this filter. Unset: all memories.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            CountRequest,
            namespace=self._namespace,
            filter=filter,
        )
        return await self._calls.unary("MemoryProvider.Count", self._stub.Count, message, timeout)

    async def get(
        self,
        id: str = "",
        *,
        include_expired: bool = False,
        as_of: datetime | Timestamp | None = None,
        external_id: str | None = None,
        include_embedding: bool = False,
        timeout: float | None = None,
    ) -> GetResponse:
        """Returns one memory.

        Fails with NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory, or when
        the memory has expired and include_expired is not set.

        Args:
            id: The memory's id, 1 to 128 bytes. Required, unless external_id is set.
            include_expired: If true, returns the memory even if it has expired, until the
                server prunes it (AdminService.Prune). Default false.
            as_of: Return the memory as it was at this instant. Unset: as it is now. Not with
                include_embedding.

                Fails with NOT_FOUND (MEMORY_NOT_FOUND) when the memory was added later. Fails with
                FAILED_PRECONDITION (VERSION_NOT_KEPT) when the version of that time is no longer
                kept, or was redacted.
            external_id: The memory's external_id, 1 to 256 bytes, in place of `id`.
            include_embedding: If true, the memory has its vector (Memory.embedding). Costs one
                more look-up for each memory. Default false.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            GetRequest,
            namespace=self._namespace,
            id=id,
            include_expired=include_expired,
            as_of=as_of,
            external_id=external_id,
            include_embedding=include_embedding,
        )
        return await self._calls.unary("MemoryProvider.Get", self._stub.Get, message, timeout)

    async def get_many(
        self,
        ids: Sequence[str],
        *,
        include_expired: bool = False,
        include_embedding: bool = False,
        timeout: float | None = None,
    ) -> GetManyResponse:
        """Returns up to 1,000 memories by their ids, all from one state of the namespace. An id
        that the namespace does not have is not an error.

        Args:
            ids: The ids, 1 to 1,000, each 1 to 128 bytes.
            include_expired: If true, returns expired memories too, until the server prunes them
                (AdminService.Prune). Default false.
            include_embedding: If true, each memory has its vector (Memory.embedding). Costs one
                more look-up for each memory. Default false.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            GetManyRequest,
            namespace=self._namespace,
            ids=ids,
            include_expired=include_expired,
            include_embedding=include_embedding,
        )
        return await self._calls.unary("MemoryProvider.GetMany", self._stub.GetMany, message, timeout)

    def watch(
        self,
        *,
        after_commit_seq: int | None = None,
        ids_only: bool = False,
        heartbeat: Duration | DurationFields | None = None,
        timeout: float | None = None,
    ) -> ResponseStream[WatchMemoriesResponse]:
        """Streams the changes of memories in the order of their commits: of one namespace, or of
        all agents of a user whom the caller may name. The first message has no events. It says
        where the watch begins (WatchMemoriesResponse.commit_seq). A worked example:
        docs/guides/watching.md.

        Each message says up to which commit the stream is complete. To go on after a broken
        connection, a restart of the server, or a move of the user to another server (MOVED),
        pass this number as after_commit_seq. Then no event is lost, and none comes twice, except
        those of a commit that several messages share.

        If a memory changes several times before the server reads it for the watch, the stream
        may leave out all states but the last. Changes by another server with the same PostgreSQL
        arrive within about a second.

        Without a client deadline, the call has no time limit. The call fails with these errors:

        - OUT_OF_RANGE (CHANGES_NOT_KEPT) when the server no longer has all changes. It keeps those
          of the last 4,096 commits of the user, and none from before a restore, a move or
          ForgetUser. Watch without after_commit_seq, then read all memories (GetAll), then apply
          the events.
        - INVALID_ARGUMENT (FOREIGN_COMMIT_SEQ) when after_commit_seq is of another user, is from
          before the data was restored, or is greater than that of the user's last commit.
        - UNAVAILABLE (SERVER_STOPPING) when the server stops.
        - RESOURCE_EXHAUSTED (TOO_MANY_WATCHES) when 100 calls for the user are open on this server.

        This client always sets a deadline, by default 30 seconds after the start of the call.
        For a longer watch, set a longer timeout, and watch again when the call ends.

        Args:
            after_commit_seq: Send the changes after this commit: the commit_seq of a message of
                an earlier watch, or of any other reply about the same user
                (AddResponse.commit_seq). Unset: the changes from now on.
            ids_only: If true, the events have no memories, only their ids. Default false.
            heartbeat: Send a message without events when no message was sent for this time, 5
                to 60 seconds. A client then knows an idle stream from a broken one. Unset: no such
                messages.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            WatchMemoriesRequest,
            namespace=self._namespace,
            after_commit_seq=after_commit_seq,
            ids_only=ids_only,
            heartbeat=heartbeat,
        )
        return self._calls.stream("MemoryProvider.WatchMemories", self._stub.WatchMemories, message, timeout)

    async def update(
        self,
        id: str = "",
        changes: MemoryChanges | MemoryChangesFields | None = None,
        *,
        update_mask: Sequence[str] | FieldMask | None = None,
        expected_version: int | None = None,
        idempotency_key: str | None = None,
        include_expired: bool = False,
        external_id: str | None = None,
        timeout: float | None = None,
    ) -> UpdateResponse:
        """Changes fields of one memory.

        Fails with NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory, or when
        the memory has expired and include_expired is not set. Fails with PERMISSION_DENIED
        (ROLE_REQUIRED) when another principal wrote the content of the memory, and the caller
        does not have the role `curator`. Fails with ABORTED (VERSION_MISMATCH) when
        expected_version is given and is not the memory's version.

        Args:
            id: The memory's id, 1 to 128 bytes. Required, unless external_id is set.
            changes: The new values. Required; may be empty only if update_mask names a field.
            update_mask: The fields of `changes` to apply, at most 32. If the mask names a field
                and `changes` does not set it, the field returns to its default. Empty: apply the
                fields that are set.

                Fails with INVALID_ARGUMENT when the mask names a field that MemoryChanges does not
                have.
            expected_version: The version that the caller expects the memory to have now, 1 or
                more. If the memory has another version, the call fails with ABORTED
                (VERSION_MISMATCH). Unset: any version.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours.
                Default: a new key.
            include_expired: If true, changes the memory even if it has expired, until the
                server prunes it (AdminService.Prune). To bring an expired memory back, set a later
                expire_time or clear it. Default false.
            external_id: The memory's external_id, 1 to 256 bytes, in place of `id`.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            UpdateRequest,
            namespace=self._namespace,
            id=id,
            changes=changes,
            update_mask=update_mask,
            expected_version=expected_version,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
            include_expired=include_expired,
            external_id=external_id,
        )
        return await self._calls.unary("MemoryProvider.Update", self._stub.Update, message, timeout)

    async def list_memory_versions(
        self,
        id: str,
        *,
        limit: int | None = None,
        page_token: str | None = None,
        timeout: float | None = None,
    ) -> ListMemoryVersionsResponse:
        """Lists the versions of a memory, newest first, page by page. The first one is the present
        version. Each Update, approved edit and RestoreMemory makes a version. The server keeps
        the last 20 earlier versions (`--memory-versions`); they go with the memory, and count in
        quotas.

        Fails with NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory, or when
        the memory has expired.

        Args:
            id: The memory's id. Required, 1 to 128 bytes.
            limit: Maximum number of versions on a page, 1 to 1,000. Default 10. A page also
                ends before it exceeds 3 MiB.
            page_token: The next_page_token of the previous page, sent with the same namespace
                and id. Empty: start with the present version.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            ListMemoryVersionsRequest,
            namespace=self._namespace,
            id=id,
            limit=limit,
            page_token=page_token,
        )
        return await self._calls.unary("MemoryProvider.ListMemoryVersions", self._stub.ListMemoryVersions, message, timeout)

    async def restore_memory(
        self,
        id: str,
        version: int,
        *,
        expected_version: int | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> RestoreMemoryResponse:
        """Gives a memory the fields that it had at an earlier version, except expire_time, as its
        next version. If the content differs, its vector is computed again; in a namespace that
        holds callers' vectors, the memory then has no vector. The call fails with these errors:

        - NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory, or when the memory has
          expired.
        - NOT_FOUND (MEMORY_VERSION_NOT_FOUND) when the server keeps no such earlier version.
        - FAILED_PRECONDITION (VERSION_REDACTED) when the version was redacted.
        - ABORTED (VERSION_MISMATCH) when expected_version is given and is not the memory's version.

        Args:
            id: The memory's id. Required, 1 to 128 bytes.
            version: The number of the earlier version. Required, 1 or more.
            expected_version: The version that the caller expects the memory to have now, 1 or
                more. If the memory has another version, the call fails with ABORTED
                (VERSION_MISMATCH). Unset: any version.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours.
                Default: a new key.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            RestoreMemoryRequest,
            namespace=self._namespace,
            id=id,
            version=version,
            expected_version=expected_version,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return await self._calls.unary("MemoryProvider.RestoreMemory", self._stub.RestoreMemory, message, timeout)

    async def redact_version(
        self,
        id: str,
        version: int,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> RedactVersionResponse:
        """Removes the texts of an earlier version of a memory for good, for example a password that
        was stored by mistake and then replaced. Also removes the texts of all proposals about
        the memory (Proposal.texts_removed), because they may quote it; pending ones become
        PROPOSAL_STATUS_CONFLICTED. To redact the present version, change the memory first.

        Fails with NOT_FOUND (MEMORY_NOT_FOUND, MEMORY_VERSION_NOT_FOUND) when the namespace has
        no such memory, or when the server keeps no such earlier version.

        Args:
            id: The memory's id. Required, 1 to 128 bytes.
            version: The number of the earlier version. Required, 1 or more.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours.
                Default: a new key.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            RedactVersionRequest,
            namespace=self._namespace,
            id=id,
            version=version,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return await self._calls.unary("MemoryProvider.RedactVersion", self._stub.RedactVersion, message, timeout)

    async def delete(
        self,
        id: str = "",
        *,
        idempotency_key: str | None = None,
        external_id: str | None = None,
        timeout: float | None = None,
    ) -> DeleteResponse:
        """Deletes one memory. An unknown id is not an error: `deleted` is false.

        Fails with PERMISSION_DENIED (ROLE_REQUIRED) when another principal wrote the content of
        the memory, and the caller does not have the role `curator`.

        Pending proposals about the memory become PROPOSAL_STATUS_CONFLICTED, or
        PROPOSAL_STATUS_EXPIRED if their expire_time has passed. All proposals about the memory
        lose their texts (Proposal.texts_removed). DeleteMany, DeleteWhere and Reset do the same
        to the proposals about the memories that they delete.

        Args:
            id: The memory's id, 1 to 128 bytes. Required, unless external_id is set.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours. A
                retry returns the reply of the first call, `deleted` included. Default: a new key.
            external_id: The memory's external_id, 1 to 256 bytes, in place of `id`.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            DeleteRequest,
            namespace=self._namespace,
            id=id,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
            external_id=external_id,
        )
        return await self._calls.unary("MemoryProvider.Delete", self._stub.Delete, message, timeout)

    async def delete_many(
        self,
        ids: Sequence[str],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> DeleteManyResponse:
        """Deletes up to 1,000 memories by their ids, in one atomic step. An id that the namespace
        does not have is not an error.

        Args:
            ids: The ids, 1 to 1,000, each 1 to 128 bytes.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours. A
                retry returns the reply of the first call. Default: a new key.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            DeleteManyRequest,
            namespace=self._namespace,
            ids=ids,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return await self._calls.unary("MemoryProvider.DeleteMany", self._stub.DeleteMany, message, timeout)

    async def delete_where(
        self,
        filter: Filter | FilterFields,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> DeleteWhereResponse:
        """Deletes all memories that pass a filter, in one atomic step. Superseded and expired
        memories are deleted too.

        Fails with INVALID_ARGUMENT (EMPTY_FILTER) when the filter has no condition. Fails with
        FAILED_PRECONDITION (TOO_MANY_MATCHES) when more than 10,000 memories pass and dry_run is
        not set. Nothing is deleted then: narrow the filter, or use Reset.

        Args:
            filter: The memories to delete. Required, with at least one condition.
            dry_run: If true, counts the memories and deletes none. Default false.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours.
                Default: a new key.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            DeleteWhereRequest,
            namespace=self._namespace,
            filter=filter,
            dry_run=dry_run,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return await self._calls.unary("MemoryProvider.DeleteWhere", self._stub.DeleteWhere, message, timeout)

    async def reset(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> ResetResponse:
        """Deletes all data of the namespace in one atomic step: its memories, its skills and its
        tool traces. To empty a whole server, call Reset through the stubs.

        Args:
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours.
                Default: a new key.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            ResetRequest,
            namespace=self._namespace,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return await self._calls.unary("MemoryProvider.Reset", self._stub.Reset, message, timeout)

    async def propose_edit(
        self,
        old_string: str = "",
        new_string: str = "",
        reasoning: str = "",
        *,
        block_label: str | None = None,
        memory_id: str | None = None,
        replace_all: bool = False,
        confidence: Confidence | ConfidenceName | None = None,
        idempotency_key: str | None = None,
        new_body: str | None = None,
        append: str | None = None,
        timeout: float | None = None,
    ) -> ProposeEditResponse:
        """Proposes an edit of a block or memory (the target). There are three kinds of edits:

        - The edit replaces one text in the target with another (old_string and new_string).
        - The edit replaces the whole text of the target (new_body). For a label that the user does
          not have yet, the edit creates the block.
        - The edit adds a text at the end of the target (`append`).

        The target does not change until a person approves the edit with ProposalService. Error
        messages are written for the agent, so that the agent can correct its call.

        The call fails with the first of these errors that applies:

        - INVALID_ARGUMENT when old_string equals new_string, when old_string is empty, when
          `append` is empty, or when reasoning is empty or white space. The first two do not apply
          to new_body and `append`.
        - NOT_FOUND (BLOCK_NOT_FOUND, MEMORY_NOT_FOUND) when the target does not exist, or is a
          memory that has expired. The edit of a missing block by new_body creates the block
          instead.
        - FAILED_PRECONDITION (TEXT_UNCHANGED) when new_body is the text that the target has.
        - FAILED_PRECONDITION (OLD_STRING_NOT_FOUND) when the target does not contain old_string. If
          different line ends may be the cause, the description of the field violation says so.
        - FAILED_PRECONDITION (OLD_STRING_AMBIGUOUS) when the target contains old_string several
          times and replace_all is not set. The description of the field violation names the first
          ten lines on which old_string begins. The ErrorInfo has their numbers as metadata `lines`,
          such as `1, 3`.
        - FAILED_PRECONDITION (EDIT_RESULT_REFUSED) when the edit would make the target too large,
          or would leave a memory empty or blank (only white space).

        Args:
            block_label: The label of one of the user's blocks, 1 to 128 bytes.
            memory_id: The id of a memory in the namespace, 1 to 128 bytes.
            old_string: The text to replace, exactly as it stands in the target, at most 256
                KiB. Required, unless new_body or `append` is set. No character is special, and
                nothing is normalized.

                The target must contain old_string exactly once unless replace_all is set.
                Overlapping occurrences count: `aa` occurs three times in `aaaa`.
            new_string: The replacement, taken literally. At most 256 KiB. May be empty; must
                differ from old_string.
            reasoning: The reason for the edit, written for the approver. Required, at most 4
                KiB.
            replace_all: If true, every occurrence of old_string is replaced, from left to
                right, without overlaps. Default false: the target must contain old_string exactly
                once.
            confidence: How confident the proposer is. Default CONFIDENCE_MEDIUM.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours.
                Default: a new key.
            new_body: The new text of the target, at most 256 KiB. May be empty for a block. If
                the text of the target changes before the approval, the approval fails
                (PROPOSAL_CONFLICTED).
            append: The text to add at the end of the target, 1 byte to 256 KiB. It begins on a
                line of its own: if the target is not empty and does not end with a line break, the
                edit adds one.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            ProposeEditRequest,
            namespace=self._namespace,
            block_label=block_label,
            memory_id=memory_id,
            old_string=old_string,
            new_string=new_string,
            reasoning=reasoning,
            replace_all=replace_all,
            confidence=confidence,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
            new_body=new_body,
            append=append,
        )
        return await self._calls.unary("MemoryProvider.ProposeEdit", self._stub.ProposeEdit, message, timeout)

    async def explain(
        self,
        search: SearchRequest | SearchRequestFields,
        id: str,
        *,
        timeout: float | None = None,
    ) -> ExplainResponse:
        """Explains why a memory is, or is not, among the hits of a search. The reply says what each
        stage of the search does to the memory. A call costs as much as several searches.

        Explain compares the vectors of all memories. Search may look for near vectors
        (SEARCH_INDEX_NEAR), and may then miss memories whose vectors are far from the query. So
        the ranks of Explain may differ from the ranks of Search.

        Fails with NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory, or when
        the memory has expired.

        Args:
            search: The search to explain. Required.
            id: The id of the memory to follow. Required, 1 to 128 bytes.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            ExplainRequest,
            search=search,
            id=id,
        )
        message.search.namespace.CopyFrom(self._namespace)
        return await self._calls.unary("MemoryProvider.Explain", self._stub.Explain, message, timeout)

    async def explain_search(
        self,
        search: SearchRequest | SearchRequestFields,
        *,
        ids: Sequence[str] | None = None,
        near_misses: int | None = None,
        timeout: float | None = None,
    ) -> ExplainSearchResponse:
        """Searches, and explains the result as a whole: how the query was understood, how many
        memories each stage left, and how memories came to their places. Follows the hits, what
        was omitted, the next best memories, and the memories of `ids`, all in one pass over the
        candidates.

        The search compares the vectors of all memories, as Explain does. The call costs as much
        as a few searches, whatever the number of memories that it follows.

        Args:
            search: The search to explain. Required. It names one namespace.
            ids: Ids of memories to follow besides the others, at most 100, 1 to 128 bytes each.
                Default: none.
            near_misses: How many of the best memories to follow that are neither hits nor
                omitted, 0 to 100. Default 20. First come further matches, then memories that do not
                match.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            ExplainSearchRequest,
            search=search,
            ids=ids,
            near_misses=near_misses,
        )
        message.search.namespace.CopyFrom(self._namespace)
        return await self._calls.unary("MemoryProvider.ExplainSearch", self._stub.ExplainSearch, message, timeout)
