# Made from the definitions by `npm run generate`: do not edit.
from datetime import datetime
from collections.abc import Iterable, Mapping
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp
from google.protobuf.field_mask_pb2 import FieldMask
from vademecum.v1.filter_pb2 import Filter
from vademecum.v1.memory_pb2 import MemoryStatus, MemoryType, Namespace
from vademecum.v1.memory_provider_pb2 import AddRequest, AddResponse, AddTraceRequest, AddTraceResponse, DeleteRequest, DeleteResponse, DeleteWhereRequest, DeleteWhereResponse, ExplainRequest, ExplainResponse, GetAllRequest, GetAllResponse, GetRequest, GetResponse, MemoryChanges, ProposeEditRequest, ProposeEditResponse, RecallRequest, RecallResponse, ResetRequest, ResetResponse, UpdateRequest, UpdateResponse
from vademecum.v1.proposal_pb2 import Confidence
from vademecum.v1.search_pb2 import RankingWeights, SearchOrder, SearchRequest
from vademecum.v1.memory_provider_pb2_grpc import MemoryProviderStub

from .calls import Calls, SearchStream
from .._idempotency_key import new_idempotency_key


class Memories:
    """Keeps memories and finds them again.

    A write is acknowledged when it is durable (synced to disk), atomic and searchable. Every mutation takes an `idempotency_key`: for 24 hours a repeated call with the same key and the same body gets the first call's reply and changes nothing; the same key with another body is INVALID_ARGUMENT (IDEMPOTENCY_KEY_REUSED).

    Without a deadline of the client a call ends after 30 seconds. A message has at most 4 MiB.
    """

    def __init__(self, calls: Calls, user_id: str, agent_id: str) -> None:
        self._calls = calls
        self._stub = MemoryProviderStub(calls.channel)
        self._namespace = Namespace(user_id=user_id, agent_id=agent_id)
        self._user_id = user_id
        self._agent_id = agent_id

    def add(
        self,
        content: str,
        *,
        memory_type: MemoryType | str | None = None,
        kind: str | None = None,
        tags: Iterable[str] | None = None,
        importance: float | None = None,
        status: MemoryStatus | str | None = None,
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
        timeout: float | None = None,
    ) -> AddResponse:
        """Stores one memory. The text is kept exactly as given; no model is called.

        Args:
            content: The text. Required, 1 byte to 64 KiB of UTF-8.
            memory_type: What the memory is for. Default MEMORY_TYPE_EPISODIC.
            kind: Refines the type, 1 to 256 bytes. Default none.
            tags: Labels: at most 32, each 1 to 128 bytes. Repeats are dropped.
            importance: How much the memory matters, 0 to 1. Default 0.5.
            status: Whether the memory still asks for attention. Default MEMORY_STATUS_ACTIVE.
            restricted: True: tools may not read it through QueryMemory, and it is part of no thread, so that it does not show in what they find beside it. Default false.
            source: Where the text came from, 1 to 256 bytes. Default none.
            author: Who said or wrote it, 1 to 256 bytes. Ranking uses it.
            thread_id: The conversation, run or document that it is part of, 1 to 256 bytes. Ranking uses it: memories of a thread lend their words to those behind them. Memories of type CONVERSATION without it form threads by time: each is of the same thread as the one before, by event_time, else create_time, if at most 30 minutes lie between them, and, unless both have an event_time, at least a second, as what was stored in bulk is in no order. Give it where several conversations run at once. Other memories without it stand alone.
            metadata: The caller's own data: at most 16 KiB as JSON, 16 levels deep, all numbers finite.
            event_time: When what the memory tells of happened. Default: create_time is used.
            expire_time: From this instant on the memory is not returned any more. Default: never expires.
            supersedes: The id of a memory of this namespace that the new one replaces; it stays readable by id and is marked superseded in the same step. NOT_FOUND if there is none; FAILED_PRECONDITION if another memory supersedes it already.
            embedding: The text's vector, for callers with an embedder of their own: 1 to 4,096 finite numbers, not all zero. The first one decides that the namespace holds the caller's vectors and their dimension; the server then makes none there. Refused in a namespace whose vectors the server makes.
            idempotency_key: Makes a retry safe, 1 to 128 bytes; kept for 24 hours. Default: a new one.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = AddRequest(
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
        )
        return self._calls.unary(self._stub.Add, request, timeout)

    def add_trace(
        self,
        workflow_id: str,
        trace_data: Mapping[str, Any],
        *,
        thread_id: str | None = None,
        event_time: datetime | Timestamp | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> AddTraceResponse:
        """Stores the trace of a workflow run as a memory of type MEMORY_TYPE_TRACE and kind `trace`, with the content `[trace] workflow=<workflow_id> agent=<agent_id> data=<trace_data as JSON, keys sorted>`.

        Args:
            workflow_id: The workflow. Required, 1 to 256 bytes. Kept as metadata `workflow_id`.
            trace_data: What happened. Required: at most 64 KiB as JSON, 16 levels deep. The entries of its object `metadata` become metadata of the memory (at most 16 KiB), except `type` and `workflow_id`, which the service sets.
            thread_id: The conversation or run that the trace is part of, 1 to 256 bytes.
            event_time: When it happened. Default: create_time is used.
            idempotency_key: Makes a retry safe, 1 to 128 bytes; kept for 24 hours. Default: a new one.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = AddTraceRequest(
            agent_id=self._agent_id,
            user_id=self._user_id,
            workflow_id=workflow_id,
            trace_data=trace_data,
            thread_id=thread_id,
            event_time=event_time,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return self._calls.unary(self._stub.AddTrace, request, timeout)

    def search(
        self,
        query: str = "",
        *,
        limit: int | None = None,
        budget_tokens: int | None = None,
        filter: Filter | Mapping[str, Any] | None = None,
        order: SearchOrder | str | None = None,
        min_relevance: float | None = None,
        weights: RankingWeights | Mapping[str, Any] | None = None,
        query_embedding: Iterable[float] | None = None,
        reference_time: datetime | Timestamp | None = None,
        min_commit_seq: int | None = None,
        include_superseded: bool = False,
        timeout: float | None = None,
    ) -> SearchStream:
        """Finds memories and streams them, best first and packed to the token budget. Each message holds up to 32 hits or 64 KiB; the last one carries the summary, and is the only one for a small result.

        Args:
            query: What to look for, in plain words, at most 8 KiB. Empty: everything, newest first.
            limit: Most hits to return, 1 to 1,000. Unset: 5, or as many as fit when budget_tokens is set.
            budget_tokens: Most tokens that the contents of all hits may have together, 1 to 1,000,000. Never exceeded: what does not fit is left out, and the summary says so; if nothing fits, the best match comes as an excerpt. Unset: no budget.
            filter: Only memories that pass this filter. Unset: all.
            order: Order of the hits. Default SEARCH_ORDER_RELEVANCE.
            min_relevance: Only memories whose relevance is at least this, 0 to 1. Unset: no floor. Ignored for an empty query.
            weights: How much recency, importance and novelty count beside the match itself.
            query_embedding: The query's vector, for namespaces whose memories carry vectors given by the caller: finite numbers, as many as the namespace's dimension (1 to 4,096). Refused where the server makes the vectors.
            reference_time: The instant that counts as now: for recency. Unset: the server's clock.
            min_commit_seq: Answer only from data at least as new as this commit_seq of an earlier reply of the same user. A number from another life of the data (before a restore) is INVALID_ARGUMENT.
            include_superseded: Also return memories that another one supersedes. Default false.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = SearchRequest(
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
        )
        return SearchStream(self._calls.stream(self._stub.Search, request, timeout))

    def recall(
        self,
        query: str = "",
        *,
        limit: int | None = None,
        budget_tokens: int | None = None,
        filter: Filter | Mapping[str, Any] | None = None,
        order: SearchOrder | str | None = None,
        min_relevance: float | None = None,
        weights: RankingWeights | Mapping[str, Any] | None = None,
        query_embedding: Iterable[float] | None = None,
        reference_time: datetime | Timestamp | None = None,
        min_commit_seq: int | None = None,
        include_superseded: bool = False,
        timeout: float | None = None,
    ) -> RecallResponse:
        """Search in one reply, with a text that can go into a prompt as it is.

        Args:
            query: What to look for, in plain words, at most 8 KiB. Empty: everything, newest first.
            limit: Most hits to return, 1 to 1,000. Unset: 5, or as many as fit when budget_tokens is set.
            budget_tokens: Most tokens that the contents of all hits may have together, 1 to 1,000,000. Never exceeded: what does not fit is left out, and the summary says so; if nothing fits, the best match comes as an excerpt. Unset: no budget.
            filter: Only memories that pass this filter. Unset: all.
            order: Order of the hits. Default SEARCH_ORDER_RELEVANCE.
            min_relevance: Only memories whose relevance is at least this, 0 to 1. Unset: no floor. Ignored for an empty query.
            weights: How much recency, importance and novelty count beside the match itself.
            query_embedding: The query's vector, for namespaces whose memories carry vectors given by the caller: finite numbers, as many as the namespace's dimension (1 to 4,096). Refused where the server makes the vectors.
            reference_time: The instant that counts as now: for recency. Unset: the server's clock.
            min_commit_seq: Answer only from data at least as new as this commit_seq of an earlier reply of the same user. A number from another life of the data (before a restore) is INVALID_ARGUMENT.
            include_superseded: Also return memories that another one supersedes. Default false.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = RecallRequest(search=SearchRequest(
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
        ))
        return self._calls.unary(self._stub.Recall, request, timeout)

    def get_all(
        self,
        *,
        limit: int | None = None,
        filter: Filter | Mapping[str, Any] | None = None,
        page_token: str | None = None,
        include_superseded: bool = False,
        timeout: float | None = None,
    ) -> GetAllResponse:
        """Lists memories, newest first, page by page.

        Args:
            limit: Most memories a page, 1 to 1,000. Default 10. A page ends earlier before it grows beyond 3 MiB.
            filter: Only memories that pass this filter. Unset: all.
            page_token: Where to go on: next_page_token of the page before, with the same namespace, filter and include_superseded. Empty: from the newest.
            include_superseded: Also list memories that another one supersedes. Default false.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = GetAllRequest(
            namespace=self._namespace,
            limit=limit,
            filter=filter,
            page_token=page_token,
            include_superseded=include_superseded,
        )
        return self._calls.unary(self._stub.GetAll, request, timeout)

    def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> GetResponse:
        """Returns one memory. NOT_FOUND if there is no such memory in the namespace.

        Args:
            id: Its id. Required, 1 to 128 bytes.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = GetRequest(
            namespace=self._namespace,
            id=id,
        )
        return self._calls.unary(self._stub.Get, request, timeout)

    def update(
        self,
        id: str,
        changes: MemoryChanges | Mapping[str, Any],
        *,
        update_mask: FieldMask | Mapping[str, Any] | None = None,
        expected_version: int | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> UpdateResponse:
        """Changes fields of one memory. NOT_FOUND if there is no such memory in the namespace; ABORTED if expected_version is given and is not the memory's.

        Args:
            id: Its id. Required, 1 to 128 bytes.
            changes: The new values. Required.
            update_mask: Fields of `changes` to take over; one that is named and not set goes back to its default. Empty: the fields that are set. A name that MemoryChanges does not have is INVALID_ARGUMENT.
            expected_version: Change only if this is still the memory's version; else ABORTED. Default: change whatever the version.
            idempotency_key: Makes a retry safe, 1 to 128 bytes; kept for 24 hours. Default: a new one.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = UpdateRequest(
            namespace=self._namespace,
            id=id,
            changes=changes,
            update_mask=update_mask,
            expected_version=expected_version,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return self._calls.unary(self._stub.Update, request, timeout)

    def delete(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> DeleteResponse:
        """Deletes one memory. An id that is not in the namespace is no error: `deleted` is false.

        Args:
            id: Its id. Required, 1 to 128 bytes.
            idempotency_key: Makes a retry safe, 1 to 128 bytes; kept for 24 hours. A replay answers as the first call did, so `deleted` stays true. Default: a new one.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = DeleteRequest(
            namespace=self._namespace,
            id=id,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return self._calls.unary(self._stub.Delete, request, timeout)

    def delete_where(
        self,
        filter: Filter | Mapping[str, Any],
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> DeleteWhereResponse:
        """Deletes all memories that pass a filter, superseded and expired ones included, in one atomic step.

        Args:
            filter: Which ones. Required, with at least one condition.
            dry_run: True: only count. Default false.
            idempotency_key: Makes a retry safe, 1 to 128 bytes; kept for 24 hours. Default: a new one.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = DeleteWhereRequest(
            namespace=self._namespace,
            filter=filter,
            dry_run=dry_run,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return self._calls.unary(self._stub.DeleteWhere, request, timeout)

    def reset(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> ResetResponse:
        """Empties a namespace, or all of the server where it was started with --allow-reset (else PERMISSION_DENIED).

        Args:
            idempotency_key: Makes a retry safe, 1 to 128 bytes; kept for 24 hours. With `everything`, a wipe that was cut short goes on when it is repeated. Default: a new one.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = ResetRequest(
            namespace=self._namespace,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return self._calls.unary(self._stub.Reset, request, timeout)

    def propose_edit(
        self,
        old_string: str = "",
        new_string: str = "",
        reasoning: str = "",
        *,
        block_label: str | None = None,
        memory_id: str | None = None,
        replace_all: bool = False,
        confidence: Confidence | str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> ProposeEditResponse:
        """Asks a person to approve an edit of a block or memory, by literal replacement: nothing changes until it is approved (ProposalService). The message of an error is meant for the agent, to correct its call by.

        INVALID_ARGUMENT if old_string and new_string are equal, old_string is empty or there is no reasoning, in this order; then NOT_FOUND (BLOCK_NOT_FOUND, MEMORY_NOT_FOUND) if there is no such target, FAILED_PRECONDITION if old_string does not occur in it (OLD_STRING_NOT_FOUND), or several times without replace_all (OLD_STRING_AMBIGUOUS), or if the edit would make it too large, or a memory empty (EDIT_RESULT_REFUSED).

        Args:
            block_label: The label of one of the user's blocks, 1 to 128 bytes.
            memory_id: The id of a memory of the namespace, 1 to 128 bytes.
            old_string: The text to replace, exactly as it stands there: no character is special and nothing is normalized. Required, at most 256 KiB. Must occur exactly once, overlapping occurrences counted (`aa` is in `aaaa` three times), unless replace_all is set.
            new_string: The text to put in its place, taken literally. At most 256 KiB; may be empty, and must differ from old_string.
            reasoning: Why, in words for the approver. Required, at most 4 KiB.
            replace_all: True: replace every occurrence, from left to right and without overlap. Default false: there must be exactly one.
            confidence: How sure the proposer is. Default CONFIDENCE_MEDIUM.
            idempotency_key: Makes a retry safe, 1 to 128 bytes; kept for 24 hours. Default: a new one.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        if [block_label, memory_id].count(None) < 1:
            raise ValueError("give only one of block_label, memory_id")
        request = ProposeEditRequest(
            namespace=self._namespace,
            block_label=block_label,
            memory_id=memory_id,
            old_string=old_string,
            new_string=new_string,
            reasoning=reasoning,
            replace_all=replace_all,
            confidence=confidence,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return self._calls.unary(self._stub.ProposeEdit, request, timeout)

    def explain(
        self,
        search: SearchRequest | Mapping[str, Any],
        id: str,
        *,
        timeout: float | None = None,
    ) -> ExplainResponse:
        """Tells why a memory is, or is not, among the hits of a search: follows it stage by stage. NOT_FOUND if there is no such memory in the namespace. Compares all vectors, also where Search walks a graph (SEARCH_INDEX_GRAPH): there Search may miss a memory far from the query that Explain ranks, and ranks may differ. Costs several searches.

        Args:
            search: The search. Required.
            id: The memory asked about. Required, 1 to 128 bytes.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = ExplainRequest(
            search=search,
            id=id,
        )
        request.search.namespace.CopyFrom(self._namespace)
        return self._calls.unary(self._stub.Explain, request, timeout)
