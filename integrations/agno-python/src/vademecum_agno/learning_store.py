from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any

from agno.tools.function import Function
from google.protobuf.json_format import MessageToDict
from vademecum import Client, Memories
from vademecum.adapters import NOTES_HEADING, add_all, check_ids, cut_query, split_content
from vademecum.types import AddRequestFields
from vademecum.v1.memory_pb2 import Namespace


class VademecumLearningStore:
    """A learning store of Agno that keeps what the users of an agent say, and finds what fits.

    The user of a run is the user. Before a run, the context of the user's message (blocks, skills
    and memories) goes into the prompt. During a run, the user's message is stored as a turn of the
    session, once.

    Args:
        client: The connection: `vademecum.connect(address)`. The caller closes it.
        agent_id: The agent that keeps the memories, 1 to 256 bytes.
        budget_tokens: Maximum number of tokens of the context, 1 to 200,000.
        toolsets: The toolsets of the server (docs/guides/toolsets.md) that the model gets.
        roles: The roles whose messages are stored. Agno hands messages over while the model still
            answers, so replies are only there with its `capture_hook`.

    Raises:
        ValueError: agent_id is empty.
    """

    def __init__(
        self,
        client: Client,
        *,
        agent_id: str,
        budget_tokens: int = 2000,
        toolsets: Sequence[str] = ("memory",),
        roles: Sequence[str] = ("user",),
    ) -> None:
        check_ids(agent_id=agent_id)
        self._client = client
        self._agent_id = agent_id
        self._budget_tokens = budget_tokens
        self._toolsets = tuple(toolsets)
        self._roles = tuple(roles)
        self._was_updated = False

    @property
    def learning_type(self) -> str:
        return "vademecum"

    @property
    def schema(self) -> Any:
        return str

    @property
    def was_updated(self) -> bool:
        return self._was_updated

    def recall(self, user_id: str | None = None, message: str | None = None, **context: Any) -> str | None:
        """Returns the context of a message. None if nothing fits, or if there is no message.

        Raises:
            ValueError: There is no user.
        """
        memories = self._memories(user_id)
        query = cut_query(message or "")
        if not query:
            return None
        return memories.build_context(self._budget_tokens, query, annotate=True).text.rstrip() or None

    async def arecall(self, **context: Any) -> str | None:
        return await asyncio.to_thread(lambda: self.recall(**context))

    def process(
        self, messages: list[Any], user_id: str | None = None, session_id: str | None = None, **context: Any
    ) -> None:
        """Stores the texts of messages. A message that is stored already stays as it is.

        Raises:
            ValueError: There is no user.
        """
        self._was_updated = False
        memories = self._memories(user_id)
        wanted = [it for it in messages if it.role in self._roles and not it.from_history]
        turns = [turn for message in wanted for turn in _turns_of(message, session_id)]
        self._was_updated = bool(add_all(memories, turns))

    async def aprocess(self, messages: list[Any], **context: Any) -> None:
        await asyncio.to_thread(lambda: self.process(messages, **context))

    def build_context(self, data: Any) -> str:
        return f"{NOTES_HEADING}\n\n{data}" if data else ""

    def instructions(self) -> str:
        return ""

    def get_tools(self, user_id: str | None = None, **context: Any) -> list[Any]:
        """Returns the tools of the toolsets for a user.

        Raises:
            ValueError: There is no user.
        """
        self._memories(user_id)
        namespace = Namespace(user_id=user_id or "", agent_id=self._agent_id)
        server = self._client.tools()
        return [
            self._tool(MessageToDict(definition), namespace)
            for toolset in self._toolsets
            for definition in server.get_definitions(toolset, format="mcp").definitions
        ]

    async def aget_tools(self, **context: Any) -> list[Any]:
        return await asyncio.to_thread(lambda: self.get_tools(**context))

    def _tool(self, definition: dict[str, Any], namespace: Namespace) -> Function:
        name = definition["name"]

        def dispatch(**arguments: Any) -> str:
            return self._client.tools().dispatch(name, namespace=namespace, arguments=arguments).result

        return Function(
            name=name,
            description=definition["description"],
            parameters=definition["inputSchema"],
            entrypoint=dispatch,
            skip_entrypoint_processing=True,
        )

    def _memories(self, user_id: str | None) -> Memories:
        if not user_id:
            raise ValueError("user_id is missing; give the run a user_id")
        return self._client.memories(user_id=user_id, agent_id=self._agent_id)


def _turns_of(message: Any, session_id: str | None) -> Iterator[AddRequestFields]:
    """Yields the turns of a message: usually one, several if the text is very long."""
    if not isinstance(message.content, str):
        return
    for part, piece in enumerate(split_content(message.content)):
        turn: AddRequestFields = {
            "content": piece,
            "memory_type": "conversation",
            "author": message.role,
            "external_id": f"agno/{message.id}/{part}",
            "on_conflict": "keep",
        }
        if session_id:
            turn["thread_id"] = session_id
        yield turn
