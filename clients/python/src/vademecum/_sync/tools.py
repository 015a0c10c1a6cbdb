# Made from the definitions by `npm run generate`: do not edit.
from collections.abc import Iterable, Mapping
from typing import Any

from vademecum.v1.memory_pb2 import Namespace
from vademecum.v1.tool_pb2 import AgentContext, MemoryWrite, ToolManifest, ToolQuery
from vademecum.v1.tool_service_pb2 import DeleteToolRequest, DeleteToolResponse, GetTurnTraceRequest, GetTurnTraceResponse, ListToolsRequest, ListToolsResponse, QueryMemoryRequest, QueryMemoryResponse, RegisterToolRequest, RegisterToolResponse, SubmitToolResponseRequest, SubmitToolResponseResponse
from vademecum.v1.toolset_pb2 import DispatchRequest, DispatchResponse, GetToolDefinitionsRequest, GetToolDefinitionsResponse, ToolFormat
from vademecum.v1.tool_service_pb2_grpc import ToolServiceStub

from .calls import Calls, ResponseStream
from .._idempotency_key import new_idempotency_key


class Tools:
    """Gives tools a part of what an agent remembers, and takes what they learn.

    A tool says in a manifest what it may read; QueryMemory gives it no more than that. Tools read memories and add new ones; they change none. Whatever goes wrong with one query leaves an empty result and an entry in the trace of the turn, never an error of the call, so that the tool goes on with what it got.

    Every mutation takes an `idempotency_key`; see MemoryProvider.
    """

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._stub = ToolServiceStub(calls.channel)

    def register_tool(
        self,
        manifest: ToolManifest | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> RegisterToolResponse:
        """Stores the manifest of a version of a tool. The same manifest again changes nothing; another one for the same version takes its place. A tool has at most 100 versions; FAILED_PRECONDITION (TOO_MANY_TOOL_VERSIONS) beyond.

        Args:
            manifest: The manifest. Required.
            idempotency_key: Makes a retry safe, 1 to 128 bytes; kept for 24 hours. Default: a new one.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = RegisterToolRequest(
            manifest=manifest,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return self._calls.unary(self._stub.RegisterTool, request, timeout)

    def list_tools(
        self,
        tool_id: str = "",
        *,
        limit: int | None = None,
        page_token: str | None = None,
        timeout: float | None = None,
    ) -> ListToolsResponse:
        """Lists manifests by tool, then version, in the order of their UTF-8 bytes, page by page.

        Args:
            tool_id: Only versions of this tool, at most 256 bytes. Empty: of all tools.
            limit: Most manifests a page, 1 to 1,000. Default 100. A page ends earlier before it grows beyond 3 MiB.
            page_token: Where to go on: next_page_token of the page before, with the same tool_id. Empty: from the first.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = ListToolsRequest(
            tool_id=tool_id,
            limit=limit,
            page_token=page_token,
        )
        return self._calls.unary(self._stub.ListTools, request, timeout)

    def delete_tool(
        self,
        tool_id: str,
        *,
        version: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> DeleteToolResponse:
        """Deletes a tool, or one of its versions. What is not there is no error: `deleted` is 0.

        Args:
            tool_id: The tool. Required, 1 to 256 bytes.
            version: The version, 1 to 128 bytes. Unset: all versions.
            idempotency_key: Makes a retry safe, 1 to 128 bytes; kept for 24 hours. Default: a new one.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = DeleteToolRequest(
            tool_id=tool_id,
            version=version,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return self._calls.unary(self._stub.DeleteTool, request, timeout)

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
        """Answers the queries of a tool, each about one type of memories of one agent. The queries run side by side; the results come in the order of the queries, one message for each, or several for one of more than 32 memories or 64 KiB.

        The budget is shared in the order of the queries: each gets what it asks for, as far as the request and its type have it left, and what it does not use is there for the next. So the results of the same request over the same memories are always the same.

        A query that breaks a rule, asks for what the tool may not read, fails, or takes more than 5 seconds has an empty result; GetTurnTrace tells which it was. An unknown tool or version may read nothing. Results are kept for 5 minutes and used again as long as nothing that they were found among has changed or expired.

        Args:
            request_id: The turn's request; GetTurnTrace finds its entries by it. Required, 1 to 256 bytes. Several calls may have the same: their entries are told apart by time.
            tool_id: The tool. Required, 1 to 256 bytes.
            tool_version: The version of the tool, whose manifest counts. Required, 1 to 128 bytes.
            agent_context: The agent that the tool works for. Required.
            user_id: The user whose memories are asked for. Required, 1 to 256 bytes.
            queries: The queries, 1 to 100, of which the first 10 are run. The faults of one fail that one alone: a rule of ToolQuery or Filter broken, a name that another one has, a place behind the tenth.
            budget_tokens: Most tokens that the results of all queries may have together, 1 to 1,000. Default 1,000.
            timeout: Seconds until the call is given up. Default: the client's.
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

    def submit_tool_response(
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
        """Stores what a tool has learned, all of it in one atomic step, with the tool as the source. The tool needs no manifest for it.

        Args:
            request_id: The request that the tool has answered. Required, 1 to 256 bytes.
            tool_id: The tool, which becomes the source of what it writes. Required, 1 to 256 bytes.
            agent_context: The agent whose memories they become. Required.
            user_id: The user whom they are about. Required, 1 to 256 bytes.
            memory_writes: Memories to store, at most 100.
            scratch_page_writes: Items for the scratch page, at most 100: they stay until Update sets their status to MEMORY_STATUS_RESOLVED, or for ever unless they are given an expire_time.
            idempotency_key: Makes a retry safe, 1 to 128 bytes; kept for 24 hours. Default: a new one.
            timeout: Seconds until the call is given up. Default: the client's.
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
        return self._calls.unary(self._stub.SubmitToolResponse, request, timeout)

    def get_turn_trace(
        self,
        user_id: str,
        agent_id: str,
        *,
        request_id: str | None = None,
        task_id: str | None = None,
        timeout: float | None = None,
    ) -> ResponseStream[GetTurnTraceResponse]:
        """Streams the trace of a request, or of all requests of a task, oldest entry first; nothing where there is none. Has everything of a QueryMemory whose stream has ended. Entries are kept for 30 days; the last few may be lost if the server is killed.

        Args:
            user_id: The user whose memories were asked for. Required, 1 to 256 bytes.
            agent_id: The agent whose memories were asked for. Required, 1 to 256 bytes.
            request_id: One request, 1 to 256 bytes.
            task_id: All requests of a task, 1 to 256 bytes.
            timeout: Seconds until the call is given up. Default: the client's.
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

    def get_tool_definitions(
        self,
        toolset: str,
        *,
        format: ToolFormat | str | None = None,
        timeout: float | None = None,
    ) -> GetToolDefinitionsResponse:
        """Returns the definitions of a toolset: functions that language models may call to use what this service keeps, in the form that chat models take.

        Args:
            toolset: The toolset, 1 to 128 bytes: `key_value` (write, read, list, delete, pattern_search), `blocks` (list_memory_blocks, read_memory_block, propose_memory_edit) or `memory` (add_memory, search_memory). Required.
            format: Whose form they have. Default TOOL_FORMAT_OPENAI.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = GetToolDefinitionsRequest(
            toolset=toolset,
            format=format,
        )
        return self._calls.unary(self._stub.GetToolDefinitions, request, timeout)

    def dispatch(
        self,
        tool_name: str = "",
        *,
        run_id: str | None = None,
        namespace: Namespace | Mapping[str, Any] | None = None,
        arguments: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> DispatchResponse:
        """Runs a tool that a language model asked for, and returns what to tell the model. What the model did wrong (an unknown tool, wrong arguments, a key that is not there) and what the tool could not do are told in the result, with `is_error` set, never as an error of the call. The call itself fails where the host is at fault (INVALID_ARGUMENT for run_id, namespace and idempotency_key), and where it was cut short.

        Args:
            run_id: The run whose keys the tools of `key_value` work on, 1 to 256 bytes. Unset: there is none, and they say so in the result.
            namespace: The user and agent for whom the other tools work. Unset: there are none, and the tools say so in the result.
            tool_name: The tool, as the model named it.
            arguments: Its arguments, as the model gave them. Unset: none. They are checked by the schema of the tool's definition; what is wrong with them is told in the result.
            idempotency_key: Makes a retry safe, 1 to 128 bytes; kept for 24 hours. It counts as that of the call that the tool makes, such as WriteKey for `write`. Default: a new one.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = DispatchRequest(
            run_id=run_id,
            namespace=namespace,
            tool_name=tool_name,
            arguments=arguments,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return self._calls.unary(self._stub.Dispatch, request, timeout)
