# Generated from the definitions by `npm run generate`. Do not edit.
from collections.abc import Mapping, Sequence
from typing import Any

from vademecum.v1.memory_pb2 import Namespace
from vademecum.v1.tool_pb2 import AgentContext, MemoryWrite, ToolManifest, ToolQuery, TurnEvent
from vademecum.v1.tool_service_pb2 import DeleteToolRequest, DeleteToolResponse, GetTurnTraceRequest, GetTurnTraceResponse, ListToolsRequest, ListToolsResponse, ListTurnEntriesRequest, ListTurnEntriesResponse, ListTurnsRequest, ListTurnsResponse, QueryMemoryRequest, QueryMemoryResponse, QueryMemoryUnaryRequest, QueryMemoryUnaryResponse, RegisterToolRequest, RegisterToolResponse, SubmitToolResponseRequest, SubmitToolResponseResponse
from vademecum.v1.toolset_pb2 import DispatchRequest, DispatchResponse, GetToolDefinitionsRequest, GetToolDefinitionsResponse, ToolFormat
from vademecum.v1.tool_service_pb2_grpc import ToolServiceStub

from .calls import Calls, ResponseStream
from .._idempotency_key import new_idempotency_key
from .._requests import new_request
from ..types import AgentContextFields, GetTurnTraceRequestFields, MemoryWriteFields, NamespaceFields, QueryMemoryRequestFields, ToolFormatName, ToolManifestFields, ToolQueryFields, TurnEventName


class Tools:
    """Serves two kinds of tools:

    - Programs that work for an agent, such as a wine recommender. QueryMemory gives them limited
      access to the agent's memories, and SubmitToolResponse stores what they have learned. How to
      use these calls: docs/guides/tools.md.
    - Functions that a language model may call. GetToolDefinitions returns their definitions, and
      Dispatch runs them. How to use these calls: docs/guides/toolsets.md.

    The manifest of a program declares which memories the program may read and write. QueryMemory
    returns no other memories, and SubmitToolResponse stores no others. Programs read memories
    and add new ones, but cannot change memories. When one query of a QueryMemory call fails, its
    result is empty, and GetTurnTrace returns the reason. The call itself does not fail, so the
    program can use the results of the other queries.

    Functions have no manifest.

    Every mutation takes an `idempotency_key`, as in MemoryProvider.
    """

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._stub = ToolServiceStub(calls.channel)

    def register(
        self,
        manifest: ToolManifest | ToolManifestFields,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> RegisterToolResponse:
        """Stores the manifest of one version of a tool. If the version already has another
        manifest, the new manifest replaces it. If the version already has the same manifest,
        nothing changes.

        On a server with credentials, the caller needs the role `operator`, because a manifest
        decides what a tool may read and write. On a server without credentials, every caller may
        store and delete manifests.

        Fails with FAILED_PRECONDITION (TOO_MANY_TOOL_VERSIONS) when the tool would have more
        than 100 versions.

        Args:
            manifest: The manifest. Required.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours.
                Default: a new key.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            RegisterToolRequest,
            manifest=manifest,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return self._calls.unary("ToolService.RegisterTool", self._stub.RegisterTool, message, timeout)

    def list(
        self,
        tool_id: str = "",
        *,
        limit: int | None = None,
        page_token: str | None = None,
        timeout: float | None = None,
    ) -> ListToolsResponse:
        """Lists manifests page by page, ordered by the UTF-8 bytes of tool_id, then of version.

        Args:
            tool_id: The id of a tool, at most 256 bytes. The call lists only versions of this
                tool. Empty: versions of all tools.
            limit: Maximum number of manifests on a page, 1 to 1,000. Default 100. A page also
                ends before it exceeds 3 MiB.
            page_token: The next_page_token of the previous page, sent with the same tool_id.
                Empty: start with the first manifest.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            ListToolsRequest,
            tool_id=tool_id,
            limit=limit,
            page_token=page_token,
        )
        return self._calls.unary("ToolService.ListTools", self._stub.ListTools, message, timeout)

    def delete(
        self,
        tool_id: str,
        *,
        version: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> DeleteToolResponse:
        """Deletes the manifests of all versions of a tool, or of one version. An unknown tool or
        version is not an error: `deleted` is 0. On a server with credentials, the caller needs
        the role `operator`.

        Args:
            tool_id: The tool's id. Required, 1 to 256 bytes.
            version: The version, 1 to 128 bytes. Unset: all versions.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours.
                Default: a new key.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            DeleteToolRequest,
            tool_id=tool_id,
            version=version,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return self._calls.unary("ToolService.DeleteTool", self._stub.DeleteTool, message, timeout)

    def query_memory(
        self,
        request_id: str,
        tool_id: str,
        tool_version: str,
        agent_context: AgentContext | AgentContextFields,
        user_id: str,
        queries: Sequence[ToolQuery | ToolQueryFields],
        *,
        budget_tokens: int | None = None,
        timeout: float | None = None,
    ) -> ResponseStream[QueryMemoryResponse]:
        """Answers the queries of a tool. All queries of a request read the memories of one user and
        agent, and each query reads memories of one type. The queries run in parallel, but the
        results come in the order of the queries. Each result is one message, or several if it
        has more than 32 memories or more than 64 KiB.

        The queries share token budgets: one for the request (QueryMemoryRequest.budget_tokens),
        and one for each memory type (MemoryAccess.max_budget_tokens). The queries use a budget
        in the order of the request, even if a later query finishes first. Each query may use the
        tokens that the queries before it have left.

        The result of a query is empty in the following cases. GetTurnTrace says which case it
        is.

        - The query is faulty (QueryMemoryRequest.queries).
        - Earlier queries of the request have used up MemoryAccess.max_queries.
        - The tool may read none of the memories that the query asks for. A tool or version without
          a manifest may read nothing.
        - No memory matches, or the gate of the query is closed (ToolQuery.gate).
        - Earlier queries of the request have left too few tokens.
        - The search fails, for example because the query takes more than 5 seconds.

        The server may search twice for one query. Because the queries run in parallel, the first
        search does not know how many tokens the earlier queries will leave. If its hits do not
        fit into the remaining tokens, the server searches again within these tokens. The limit
        of 5 seconds is for both searches together.

        The server caches a result for at most 5 minutes. It stops using the cached result after
        any of these events:

        - The manifest changes.
        - A memory of the namespace is added, changed or deleted.
        - Reindex puts new vectors in use.
        - A memory of the query's type expires.
        - A successor expires, whose predecessor has the query's type (Memory.superseded_by). The
          predecessor may then become current again.

        Args:
            request_id: An id of the caller's choice, such as the id of a turn of a
                conversation. Required, 1 to 256 bytes. GetTurnTrace can select trace entries by
                this id. Several calls may have the same request_id: their entries then form one
                trace.
            tool_id: The tool's id. Required, 1 to 256 bytes.
            tool_version: The tool's version. Required, 1 to 128 bytes. The manifest of this
                version applies.
            agent_context: The agent for which the tool works. Required.
            user_id: The user whose memories are read. Required, 1 to 256 bytes.
            queries: The queries, 1 to 100; only the first 10 run. A faulty query does not fail
                the other queries. A query is faulty in these cases:

                - It breaks a rule of ToolQuery or Filter.
                - It comes after the tenth query.
                - An earlier query without a fault has the same query_id.
            budget_tokens: Maximum number of tokens in the results of all queries together, 1 to
                1,000. Default 1,000.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            QueryMemoryRequest,
            request_id=request_id,
            tool_id=tool_id,
            tool_version=tool_version,
            agent_context=agent_context,
            user_id=user_id,
            queries=queries,
            budget_tokens=budget_tokens,
        )
        return self._calls.stream("ToolService.QueryMemory", self._stub.QueryMemory, message, timeout)

    def query_memory_unary(
        self,
        request: QueryMemoryRequest | QueryMemoryRequestFields,
        *,
        timeout: float | None = None,
    ) -> QueryMemoryUnaryResponse:
        """Answers the queries of a tool as QueryMemory does, in one message, for clients that do
        not read streams. The results of all queries must fit into a reply of 4 MiB.

        Args:
            request: The queries. Required.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            QueryMemoryUnaryRequest,
            request=request,
        )
        return self._calls.unary("ToolService.QueryMemoryUnary", self._stub.QueryMemoryUnary, message, timeout)

    def submit_response(
        self,
        request_id: str,
        tool_id: str,
        agent_context: AgentContext | AgentContextFields,
        user_id: str,
        tool_version: str,
        *,
        memory_writes: Sequence[MemoryWrite | MemoryWriteFields] | None = None,
        scratch_page_writes: Sequence[MemoryWrite | MemoryWriteFields] | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> SubmitToolResponseResponse:
        """Stores the memories that a tool has learned, in one atomic step. The `source` of each
        memory is the tool's id.

        Fails with PERMISSION_DENIED (NOT_IN_MANIFEST) when the version of the tool has no
        manifest, or when the manifest does not allow a memory: its type is not declared with
        `write`, or its kind or tags are not allowed. Nothing is stored then, and GetTurnTrace
        returns a TURN_EVENT_DENIED entry with the reason.

        Args:
            request_id: An id of the caller's choice, as in QueryMemoryRequest. Required, 1 to
                256 bytes. Only the entries of a refused request have it.
            tool_id: The tool's id. Required, 1 to 256 bytes. It becomes the `source` of the
                memories.
            agent_context: The agent that keeps the memories. Required.
            user_id: The user whom the memories are about. Required, 1 to 256 bytes.
            memory_writes: The memories to store, at most 100.
            scratch_page_writes: The memories of type MEMORY_TYPE_SCRATCH_PAGE to store, at most
                100. A memory without an expire_time never expires. When a memory no longer matters,
                MemoryProvider.Update can set its status to MEMORY_STATUS_RESOLVED.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours.
                Default: a new key.
            tool_version: The tool's version. Required, 1 to 128 bytes. The manifest of this
                version applies.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            SubmitToolResponseRequest,
            request_id=request_id,
            tool_id=tool_id,
            agent_context=agent_context,
            user_id=user_id,
            memory_writes=memory_writes,
            scratch_page_writes=scratch_page_writes,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
            tool_version=tool_version,
        )
        return self._calls.unary("ToolService.SubmitToolResponse", self._stub.SubmitToolResponse, message, timeout)

    def get_turn_trace(
        self,
        user_id: str,
        agent_id: str,
        *,
        request_id: str | None = None,
        task_id: str | None = None,
        timeout: float | None = None,
    ) -> ResponseStream[GetTurnTraceResponse]:
        """Streams the trace of one request, or of all requests of a task, oldest entry first. A
        trace says what happened to each query of QueryMemory (TurnEntry). If there are no
        entries, the stream is empty.

        The entries of a QueryMemory call can be read when the stream of that call has ended. If
        several servers share one PostgreSQL database, the other servers may see the entries
        slightly later. Entries are kept for at least 30 days, unless Reset deletes them. The
        last entries may be lost if the server is killed. Entries are also lost if the server
        cannot store them, for example because the user's storage quota is used up.

        Args:
            user_id: The user whose memories were read. Required, 1 to 256 bytes.
            agent_id: The agent whose memories were read. Required, 1 to 256 bytes.
            request_id: A request_id of QueryMemoryRequest, 1 to 256 bytes.
            task_id: A task_id of AgentContext, 1 to 256 bytes. Selects all requests of the
                task.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            GetTurnTraceRequest,
            user_id=user_id,
            agent_id=agent_id,
            request_id=request_id,
            task_id=task_id,
        )
        return self._calls.stream("ToolService.GetTurnTrace", self._stub.GetTurnTrace, message, timeout)

    def list_turn_entries(
        self,
        trace: GetTurnTraceRequest | GetTurnTraceRequestFields,
        *,
        limit: int | None = None,
        page_token: str | None = None,
        timeout: float | None = None,
    ) -> ListTurnEntriesResponse:
        """Lists the entries of a trace as GetTurnTrace does, page by page, oldest entry first.

        Args:
            trace: The trace. Required.
            limit: Maximum number of entries on a page, 1 to 1,000. Default 100. A page also
                ends before it exceeds 3 MiB.
            page_token: The next_page_token of the previous page, sent with the same trace.
                Empty: start with the oldest entry.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            ListTurnEntriesRequest,
            trace=trace,
            limit=limit,
            page_token=page_token,
        )
        return self._calls.unary("ToolService.ListTurnEntries", self._stub.ListTurnEntries, message, timeout)

    def list_turns(
        self,
        user_id: str,
        agent_id: str,
        *,
        events: Sequence[TurnEvent | TurnEventName] | None = None,
        limit: int | None = None,
        page_token: str | None = None,
        timeout: float | None = None,
    ) -> ListTurnsResponse:
        """Lists the requests of QueryMemory whose traces are kept, newest first, page by page.
        Reads all entries from the newest to the last request of the page.

        Args:
            user_id: The user whose memories were read. Required, 1 to 256 bytes.
            agent_id: The agent whose memories were read. Required, 1 to 256 bytes.
            events: List only turns with one of these events. Empty: with any events. At most 6.
            limit: Maximum number of turns on a page, 1 to 1,000. Default 10. A page also ends
                before it exceeds 3 MiB.
            page_token: The next_page_token of the previous page, sent with the same other
                fields. Empty: start with the newest turn.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            ListTurnsRequest,
            user_id=user_id,
            agent_id=agent_id,
            events=events,
            limit=limit,
            page_token=page_token,
        )
        return self._calls.unary("ToolService.ListTurns", self._stub.ListTurns, message, timeout)

    def get_definitions(
        self,
        toolset: str,
        *,
        format: ToolFormat | ToolFormatName | None = None,
        strict: bool = False,
        timeout: float | None = None,
    ) -> GetToolDefinitionsResponse:
        """Returns the definitions of the tools of a toolset, in the format that the API of a
        language model expects. The model may call these tools, and Dispatch runs them.

        Fails with INVALID_ARGUMENT (INVALID_FIELD) when there is no such toolset.

        Args:
            toolset: The name of the toolset, 1 to 128 bytes. Required. The toolsets and their
                tools:

                - `key_value`: `write`, `read`, `list`, `delete` and `pattern_search`.
                - `blocks`: `list_memory_blocks`, `read_memory_block`, `propose_memory_edit`,
                  `propose_memory_rewrite`, `propose_memory_append` and `list_my_edit_proposals`.
                - `memory`: `add_memory`, `search_memory`, `correct_memory` and `forget_memory`.
                - `skills`: `retrieve_skills`, `store_skill` and `report_skill`.
            format: The format of the definitions. Default TOOL_FORMAT_OPENAI.
            strict: If true, the schemas follow the rules of strict modes, in which a model can
                give only valid arguments: every parameter is required, and an optional one may be
                null. Dispatch takes such a null as a missing argument. Definitions for OpenAI and
                Anthropic then have `strict: true`. Default false.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            GetToolDefinitionsRequest,
            toolset=toolset,
            format=format,
            strict=strict,
        )
        return self._calls.unary("ToolService.GetToolDefinitions", self._stub.GetToolDefinitions, message, timeout)

    def dispatch(
        self,
        tool_name: str = "",
        time_zone: str = "",
        *,
        run_id: str | None = None,
        namespace: Namespace | NamespaceFields | None = None,
        arguments: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        arguments_json: str | None = None,
        timeout: float | None = None,
    ) -> DispatchResponse:
        """Runs a tool of a toolset, and returns a text for the language model that called the tool.
        The program that runs the model makes this call.

        The following problems do not fail the call. Instead, `is_error` is true, and `result`
        describes the problem:

        - mistakes of the model, such as an unknown tool, wrong arguments or the key of a note that
          does not exist,
        - failures of the tool, such as UNAVAILABLE (STORE_UNAVAILABLE).

        The call fails with these errors, which docs/reference/errors.md explains:

        - PERMISSION_DENIED (ROLE_REQUIRED) when the caller lacks the role that the tool needs.
        - RESOURCE_EXHAUSTED (REQUEST_TOO_COMPLEX) when arguments_json has too many elements or
          levels.
        - INVALID_ARGUMENT when `arguments` and arguments_json are both set, when arguments_json has
          more than 512 KiB, or when run_id, namespace, tool_name or idempotency_key is invalid.
        - INVALID_ARGUMENT (IDEMPOTENCY_KEY_REUSED) when idempotency_key was used for a different
          request before.
        - CANCELLED, DEADLINE_EXCEEDED and INTERNAL, even if they occur in the tool.
        - Any error that occurs outside the tool, such as RESOURCE_EXHAUSTED (OVERLOADED).

        Args:
            run_id: The run for the tools of `key_value`, 1 to 256 bytes. Unset: these tools do
                nothing, and the result says that there is no run.
            namespace: The user and agent for the tools of `blocks`, `memory` and `skills`.
                Unset: these tools do nothing, and the result says that there is no user.
            tool_name: The name of the tool, as the model gave it, at most 1 KiB.
            arguments: The arguments, as the model gave them, at most 64 KiB as compact JSON.
                Unset: no arguments. The service checks the arguments by the schema in the tool's
                definition, and the result describes mistakes.

                In JSON over HTTP, the value may also be a string, which then counts as
                arguments_json. So does any other value that is not an object: the result says that
                it must be one.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours. It
                becomes the idempotency_key of the call that the tool makes. For example, `write`
                makes the call WriteKey. Tools that only read ignore the key. Default: a new key.
            arguments_json: The arguments as the text of a JSON object, as in OpenAI's
                `function.arguments`, at most 64 KiB as compact JSON, and at most 512 KiB with white
                space and escapes. Unset or empty: no arguments. If the text is not a JSON object,
                the result says so. Must not be set together with `arguments`.
            time_zone: The time zone in which the days count that a query, `since` or `until` of
                `search_memory` names, as in SearchRequest.time_zone. The other tools ignore it.

                Fails with INVALID_ARGUMENT (UNKNOWN_TIME_ZONE) when there is no such zone.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            DispatchRequest,
            run_id=run_id,
            namespace=namespace,
            tool_name=tool_name,
            arguments=arguments,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
            arguments_json=arguments_json,
            time_zone=time_zone,
        )
        return self._calls.unary("ToolService.Dispatch", self._stub.Dispatch, message, timeout)
