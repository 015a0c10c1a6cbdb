from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

from google.protobuf.json_format import MessageToDict
from pydantic_ai import RunContext, Tool
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import ModelRetry
from pydantic_ai.messages import ModelMessage, ModelRequest, TextContent, UserPromptPart
from pydantic_ai.models import ModelRequestContext
from pydantic_ai.run import AgentRunResult
from pydantic_ai.toolsets import AgentToolset, FunctionToolset
from vademecum.adapters import NOTES_HEADING, append_all_async, check_ids, cut_query, split_content
from vademecum.aio import AsyncClient
from vademecum.types import ContextSectionFields, NewTurnFields
from vademecum.v1.memory_pb2 import Namespace

from .stored_forms import RECORD_KIND

_T = TypeVar("_T")

_log = logging.getLogger(__name__)


@dataclass(init=False)
class VademecumCapability(AbstractCapability[Any]):
    """A long-term memory for an agent.

    - Before each request to the model, the context of the user's prompt (blocks, skills and
      memories) is put in front of this prompt. The message history stays without it.
    - The model gets the tools of the toolsets.
    - After a run, the prompt and the reply are stored as turns of the conversation.

    Args:
        client: The connection: `vademecum.aio.connect(address)`. The caller closes it.
        user_id: The id of the person who talks with the agent, 1 to 256 bytes. There is no default.
        agent_id: The id of the agent, 1 to 256 bytes.
        budget_tokens: Maximum number of tokens of the context. 0: no context.
        toolsets: The toolsets of the server (docs/guides/toolsets.md) that the model gets.
        stores_turns: Whether runs are stored. Choose False with a `VademecumConversationStore`,
            which stores all messages.
        on_error: "raise": a failure of the context, of the definitions of the tools or of storing
            fails the run. "continue": the agent goes on without memory, and the first failure is
            logged.

    Raises:
        ValueError: An id is empty.
    """

    def __init__(
        self,
        client: AsyncClient,
        *,
        user_id: str,
        agent_id: str,
        budget_tokens: int = 2000,
        toolsets: Sequence[str] = ("memory", "blocks"),
        stores_turns: bool = True,
        on_error: Literal["raise", "continue"] = "raise",
    ) -> None:
        check_ids(user_id=user_id, agent_id=agent_id)
        self._namespace = Namespace(user_id=user_id, agent_id=agent_id)
        self._memories = client.memories(user_id=user_id, agent_id=agent_id)
        self._threads = client.threads(user_id=user_id, agent_id=agent_id)
        self._server_tools = client.tools()
        self._budget_tokens = budget_tokens
        self._toolsets = tuple(toolsets)
        self._stores_turns = stores_turns
        self._on_error = on_error
        self._has_logged = False

    def get_toolset(self) -> AgentToolset[Any] | None:
        return self._new_toolset if self._toolsets else None

    async def before_model_request(
        self, ctx: RunContext[Any], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        query = cut_query(_text_of(ctx.prompt))
        if not query or not self._budget_tokens:
            return request_context
        notes = await self._guard(lambda: self._notes(query, ctx.conversation_id))
        if not notes:
            return request_context
        return replace(request_context, messages=_with_notes(request_context.messages, f"{NOTES_HEADING}\n\n{notes}"))

    async def after_run(self, ctx: RunContext[Any], *, result: AgentRunResult[Any]) -> AgentRunResult[Any]:
        if self._stores_turns:
            reply = result.output if isinstance(result.output, str) else result.response.text or ""
            await self._guard(lambda: self._store(_text_of(ctx.prompt), reply, result.conversation_id))
        return result

    async def _notes(self, query: str, conversation_id: str | None) -> str:
        # The model has the messages of its own conversation already.
        expression = f'kind != "{RECORD_KIND}" && thread_id != {json.dumps(conversation_id or "")}'
        sections: list[ContextSectionFields] = [
            {"blocks": {}},
            {"skills": {}},
            {"memories": {"filter": {"expression": expression}}},
        ]
        context = await self._memories.build_context(self._budget_tokens, query, sections=sections, annotate=True)
        return context.text.rstrip()

    async def _store(self, prompt: str, reply: str, conversation_id: str) -> None:
        turns: list[NewTurnFields] = [
            {"content": piece, "author": author}
            for author, text in (("user", prompt), ("assistant", reply))
            for piece in split_content(text)
        ]
        await append_all_async(self._threads, conversation_id, turns)

    async def _new_toolset(self, ctx: RunContext[Any]) -> FunctionToolset[Any]:
        return FunctionToolset(await self._guard(self._tools) or [])

    async def _tools(self) -> list[Tool[Any]]:
        replies = [await self._server_tools.get_definitions(it, format="mcp") for it in self._toolsets]
        return [self._tool(MessageToDict(definition)) for reply in replies for definition in reply.definitions]

    def _tool(self, definition: dict[str, Any]) -> Tool[Any]:
        name = definition["name"]

        async def dispatch(**arguments: Any) -> str:
            reply = await self._server_tools.dispatch(name, namespace=self._namespace, arguments=arguments)
            if reply.is_error:
                raise ModelRetry(reply.result)
            return reply.result

        return Tool.from_schema(dispatch, name, definition["description"], definition["inputSchema"])

    async def _guard(self, work: Callable[[], Awaitable[_T]]) -> _T | None:
        if self._on_error == "raise":
            return await work()
        try:
            return await work()
        except Exception as error:
            if not self._has_logged:
                _log.warning("the agent goes on without memory, and further failures are not logged: %s", error)
            self._has_logged = True
            return None


def _text_of(prompt: Any) -> str:
    """Returns the text of a prompt. Leaves out images and other files."""
    if prompt is None or isinstance(prompt, str):
        return prompt or ""
    texts = [it.content if isinstance(it, TextContent) else it for it in prompt]
    return "\n".join(it for it in texts if isinstance(it, str))


def _with_notes(messages: Sequence[ModelMessage], notes: str) -> list[ModelMessage]:
    """Returns copies of messages in which the newest prompt of the user begins with notes."""
    copies = list(messages)
    for index, message in reversed(list(enumerate(copies))):
        if not isinstance(message, ModelRequest):
            continue
        parts = list(message.parts)
        for place, part in reversed(list(enumerate(parts))):
            if isinstance(part, UserPromptPart):
                content = [part.content] if isinstance(part.content, str) else list(part.content)
                parts[place] = replace(part, content=[notes, *content])
                copies[index] = replace(message, parts=parts)
                return copies
    return copies
