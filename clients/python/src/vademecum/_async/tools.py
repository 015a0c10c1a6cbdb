# Generated from the definitions by `npm run generate`. Do not edit.
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from vademecum.v1.memory_pb2 import Namespace
from vademecum.v1.tool_pb2 import AgentContext, MemoryWrite, ToolManifest, ToolQuery
from vademecum.v1.tool_service_pb2 import DeleteToolRequest, DeleteToolResponse, GetTurnTraceRequest, GetTurnTraceResponse, ListToolsRequest, ListToolsResponse, QueryMemoryRequest, QueryMemoryResponse, RegisterToolRequest, RegisterToolResponse, SubmitToolResponseRequest, SubmitToolResponseResponse
from vademecum.v1.toolset_pb2 import DispatchRequest, DispatchResponse, GetToolDefinitionsRequest, GetToolDefinitionsResponse, ToolFormat
from vademecum.v1.tool_service_pb2_grpc import ToolServiceStub

from .calls import Calls, ResponseStream
from .._idempotency_key import new_idempotency_key

if TYPE_CHECKING:
    from vademecum.v1.tool_service_pb2_grpc import ToolServiceAsyncStub


class Tools:
    """Gives tools limited access to an agent's memories, and stores what tools learn.

    A manifest declares what a tool may read; QueryMemory returns nothing beyond it. Tools read
    memories and add new ones; they cannot change memories.

    When a query fails, its result is empty and the trace of the turn says why. The call itself
    does not fail, so the tool can continue with the other results.

    Every mutation takes an `idempotency_key`; see MemoryProvider.
    """

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    @cached_property
    def _stub(self) -> "ToolServiceAsyncStub":
        return ToolServiceStub(self._calls.channel)

    async def register_tool(
        self,
        manifest: ToolManifest | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> RegisterToolResponse:
        """Stores the manifest of a version of a tool. An identical manifest changes nothing; a
        different one replaces the old one.

        A manifest decides what a tool may read. On a server with credentials, only principals
        with the role `operator` may store or delete one. On a server without credentials, every
        caller may.

        Fails with FAILED_PRECONDITION (TOO_MANY_TOOL_VERSIONS) when the tool would have more
        than 100 versions.

        Args:
            manifest: The manifest. Required.
            idempotency_key: Makes a retry safe, 1 to 128 bytes; kept for 24 hours. Default: a
                new one.
            timeout: Timeout of the call in seconds. Default: the client's.
        """
        request = RegisterToolRequest(
            manifest=manifest,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return await self._calls.unary(self._stub.RegisterTool, request, timeout)

    async def list_tools(
        self,
        tool_id: str = "",
        *,
        limit: int | None = None,
        page_token: str | None = None,
        timeout: float | None = None,
    ) -> ListToolsResponse:
        """Lists manifests page by page, ordered by the UTF-8 bytes of the tool, then of the
        version.

        Args:
            tool_id: List only versions of this tool, at most 256 bytes. Empty: versions of all
                tools.
            limit: Maximum number of manifests on a page, 1 to 1,000. Default 100. A page also
                ends before it exceeds 3 MiB.
            page_token: The next_page_token of the previous page, sent with the same tool_id.
                Empty: start with the first manifest.
            timeout: Timeout of the call in seconds. Default: the client's.
        """
        request = ListToolsRequest(
            tool_id=tool_id,
            limit=limit,
            page_token=page_token,
        )
        return await self._calls.unary(self._stub.ListTools, request, timeout)

    async def delete_tool(
        self,
        tool_id: str,
        *,
        version: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> DeleteToolResponse:
        """Deletes a tool, or one of its versions. An unknown tool or version is not an error:
        `deleted` is 0. Needs the role `operator`, as RegisterTool does.

        Args:
            tool_id: The tool's id. Required, 1 to 256 bytes.
            version: The version, 1 to 128 bytes. Unset: all versions.
            idempotency_key: Makes a retry safe, 1 to 128 bytes; kept for 24 hours. Default: a
                new one.
            timeout: Timeout of the call in seconds. Default: the client's.
        """
        request = DeleteToolRequest(
            tool_id=tool_id,
            version=version,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return await self._calls.unary(self._stub.DeleteTool, request, timeout)

    def query_memory(
        self,
        request_id: str,
        tool_id: str,
        tool_version: str,
        agent_context: AgentContext | Mapping[str, Any],
        user_id: str,
        queries: Iterable[ToolQuery | Mapping[str, Any]],
        *,
        budget_tokens: int | None = None,
        timeout: float | None = None,
    ) -> ResponseStream[QueryMemoryResponse]:
        """Answers the queries of a tool, each for one type of memories of one agent. The queries
        run in parallel. The results come in the order of the queries, one message for each. A
        result of more than 32 memories or 64 KiB takes several messages.

        The queries draw on shared budgets, in the order of the request. Each query may use what
        earlier queries left of the request's budget and of its type's budget. The same request
        over the same memories therefore always has the same results.

        A query has an empty result when it breaks a rule, asks for memories that the tool may
        not read, fails, or takes more than 5 seconds. GetTurnTrace tells these cases apart. An
        unknown tool or version may read nothing.

        A result is cached for 5 minutes. The cache drops it when a memory of the namespace
        changes, a memory of the type expires or the manifest changes.

        Args:
            request_id: The id of the turn's request, by which GetTurnTrace selects its entries.
                Required, 1 to 256 bytes. Several calls may share an id; the time tells their
                entries apart.
            tool_id: The tool's id. Required, 1 to 256 bytes.
            tool_version: The tool's version, which selects the manifest. Required, 1 to 128
                bytes.
            agent_context: The agent for which the tool works. Required.
            user_id: The user whose memories are read. Required, 1 to 256 bytes.
            queries: The queries, 1 to 100; only the first 10 run. A faulty query fails alone. A
                query is faulty when it breaks a rule of ToolQuery or Filter, repeats a query_id, or
                comes after the tenth.
            budget_tokens: Maximum number of tokens in the results of all queries together, 1 to
                1,000. Default 1,000.
            timeout: Timeout of the call in seconds. Default: the client's.
        """
        request = QueryMemoryRequest(
            request_id=request_id,
            tool_id=tool_id,
            tool_version=tool_version,
            agent_context=agent_context,
            user_id=user_id,
            queries=queries,
            budget_tokens=budget_tokens,
        )
        return self._calls.stream(self._stub.QueryMemory, request, timeout)

    async def submit_tool_response(
        self,
        request_id: str,
        tool_id: str,
        agent_context: AgentContext | Mapping[str, Any],
        user_id: str,
        *,
        memory_writes: Iterable[MemoryWrite | Mapping[str, Any]] | None = None,
        scratch_page_writes: Iterable[MemoryWrite | Mapping[str, Any]] | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> SubmitToolResponseResponse:
        """Stores what a tool has learned in one atomic step, with `source` set to the tool. The
        tool needs no manifest.

        Args:
            request_id: The id of the request that the tool has answered. Required, 1 to 256
                bytes.
            tool_id: The tool's id. Becomes `source` of the memories. Required, 1 to 256 bytes.
            agent_context: The agent that keeps the memories. Required.
            user_id: The user whom the memories are about. Required, 1 to 256 bytes.
            memory_writes: The memories to store, at most 100.
            scratch_page_writes: The scratch-page memories to store, at most 100. They stay
                active until Update sets their status to MEMORY_STATUS_RESOLVED, and never expire
                unless they have an expire_time.
            idempotency_key: Makes a retry safe, 1 to 128 bytes; kept for 24 hours. Default: a
                new one.
            timeout: Timeout of the call in seconds. Default: the client's.
        """
        request = SubmitToolResponseRequest(
            request_id=request_id,
            tool_id=tool_id,
            agent_context=agent_context,
            user_id=user_id,
            memory_writes=memory_writes,
            scratch_page_writes=scratch_page_writes,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return await self._calls.unary(self._stub.SubmitToolResponse, request, timeout)

    def get_turn_trace(
        self,
        user_id: str,
        agent_id: str,
        *,
        request_id: str | None = None,
        task_id: str | None = None,
        timeout: float | None = None,
    ) -> ResponseStream[GetTurnTraceResponse]:
        """Streams the trace of a request, or of all requests of a task, oldest entry first. The
        trace contains every QueryMemory whose stream has ended. Without entries, the stream is
        empty. Entries are kept for 30 days; the most recent ones may be lost if the server is
        killed.

        Args:
            user_id: The user whose memories were read. Required, 1 to 256 bytes.
            agent_id: The agent whose memories were read. Required, 1 to 256 bytes.
            request_id: The id of one request, 1 to 256 bytes.
            task_id: The id of a task, for all its requests, 1 to 256 bytes.
            timeout: Timeout of the call in seconds. Default: the client's.
        """
        if [request_id, task_id].count(None) < 1:
            raise ValueError("give only one of request_id, task_id")
        request = GetTurnTraceRequest(
            user_id=user_id,
            agent_id=agent_id,
            request_id=request_id,
            task_id=task_id,
        )
        return self._calls.stream(self._stub.GetTurnTrace, request, timeout)

    async def get_tool_definitions(
        self,
        toolset: str,
        *,
        format: ToolFormat | str | None = None,
        timeout: float | None = None,
    ) -> GetToolDefinitionsResponse:
        """Returns the definitions of a toolset: functions that a language model may call to use
        this service, in the format that the model's API expects.

        Args:
            toolset: The toolset, 1 to 128 bytes: `key_value` (write, read, list, delete,
                pattern_search), `blocks` (list_memory_blocks, read_memory_block,
                propose_memory_edit) or `memory` (add_memory, search_memory). Required.
            format: The format of the definitions. Default TOOL_FORMAT_OPENAI.
            timeout: Timeout of the call in seconds. Default: the client's.
        """
        request = GetToolDefinitionsRequest(
            toolset=toolset,
            format=format,
        )
        return await self._calls.unary(self._stub.GetToolDefinitions, request, timeout)

    async def dispatch(
        self,
        tool_name: str = "",
        *,
        run_id: str | None = None,
        namespace: Namespace | Mapping[str, Any] | None = None,
        arguments: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        arguments_json: str | None = None,
        timeout: float | None = None,
    ) -> DispatchResponse:
        """Runs a tool that a language model called, and returns the text for the model.

        Mistakes of the model (an unknown tool, wrong arguments, an unknown key) and failures of
        the tool do not fail the call. The result describes them, with `is_error` set.

        The call fails only when it is interrupted, or with INVALID_ARGUMENT when the host's
        run_id, namespace or idempotency_key is invalid.

        Args:
            run_id: The run whose keys the `key_value` tools use, 1 to 256 bytes. Unset: these
                tools report in the result that there is no run.
            namespace: The user and agent for the other tools. Unset: these tools report in the
                result that there is no namespace.
            tool_name: The name of the tool, as the model gave it.
            arguments: The arguments, as the model gave them. Unset: none. The service checks
                them against the schema of the tool's definition; the result describes any mistakes.
                In JSON, a string in this field is read as `arguments_json`.
            idempotency_key: Makes a retry safe, 1 to 128 bytes; kept for 24 hours. Becomes the
                idempotency_key of the call that the tool makes, such as WriteKey for `write`.
                Default: a new one.
            arguments_json: The arguments as the text of a JSON object, such as OpenAI's
                `function.arguments`. Unset or empty: none. If the text is no JSON object, the
                result says so. Must not be set together with `arguments`.
            timeout: Timeout of the call in seconds. Default: the client's.
        """
        request = DispatchRequest(
            run_id=run_id,
            namespace=namespace,
            tool_name=tool_name,
            arguments=arguments,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
            arguments_json=arguments_json,
        )
        return await self._calls.unary(self._stub.Dispatch, request, timeout)
