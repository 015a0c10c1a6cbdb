from __future__ import annotations

from datetime import timezone
from typing import TYPE_CHECKING, Any

from vademecum.v1.memory_pb2 import Memory
from vademecum.v1.memory_provider_pb2 import ResetRequest
from vademecum.v1.memory_provider_pb2_grpc import MemoryProviderStub

from .._async.client import AsyncClient
from .._idempotency_key import new_idempotency_key
from ..types import FilterFields
from ._json_values import to_dict, to_json_values
from ._memory_id import MemoryId
from ._protocol import MemoryItem, MemoryProvider

if TYPE_CHECKING:
    from vademecum.v1.memory_provider_pb2_grpc import MemoryProviderAsyncStub

_PAGE_MAX_MEMORIES = 1_000


class VademecumMemoryProvider(MemoryProvider):
    """A `MemoryProvider` that stores memories in a Vademecum server.

    The id of a memory contains its namespace (see `MemoryId`), so `delete` needs only the id.
    A failed call raises `VademecumError`.

    A provider belongs to the event loop of its first call, like its client. Use it in `async with`,
    or call `close` at the end.
    """

    def __init__(self, client: AsyncClient) -> None:
        self.client = client
        """The client that makes the calls. Use it for calls that the protocol lacks."""

    async def add(
        self, content: str, user_id: str, agent_id: str, metadata: dict[str, Any] | None = None
    ) -> str:
        """Stores a text exactly as given. Returns the id of the memory.

        Args:
            content: The text, 1 byte to 64 KiB of UTF-8.
            user_id: The user, 1 to 256 bytes, compared byte for byte.
            agent_id: The agent, 1 to 256 bytes, compared byte for byte.
            metadata: The caller's own data: at most 16 KiB as JSON. Raises ValueError for a value
                that JSON cannot represent, and for an integer that no double holds.
        """
        values = to_json_values("metadata", metadata or {})
        response = await self.client.memories(user_id, agent_id).add(content, metadata=values)
        return str(MemoryId(user_id, agent_id, response.id))

    async def add_trace(
        self, agent_id: str, workflow_id: str, trace_data: dict[str, Any], user_id: str = "system"
    ) -> str:
        """Stores the trace of a workflow run. Returns the id of the memory.

        The memory's content is
        `[trace] workflow=<workflow_id> agent=<agent_id> data=<trace_data as JSON, keys sorted>`. Its
        metadata has `type` (`trace`), `workflow_id` and the entries of `trace_data["metadata"]`.

        Args:
            agent_id: The agent that ran the workflow, 1 to 256 bytes.
            workflow_id: The workflow, 1 to 256 bytes.
            trace_data: The data of the trace: at most 64 KiB as JSON. An object that JSON cannot
                represent is stored as `str(value)`. Raises ValueError for NaN, for infinity, for an
                integer that no double holds, and for a key that JSON cannot represent.
            user_id: The user, 1 to 256 bytes.
        """
        values = to_json_values("trace_data", trace_data, str)
        response = await self.client.memories(user_id, agent_id).add_trace(workflow_id, values)
        return str(MemoryId(user_id, agent_id, response.id))

    async def search(
        self, query: str, user_id: str, agent_id: str, limit: int = 5, filters: dict[str, Any] | None = None
    ) -> list[MemoryItem]:
        """Searches the memories of one user and agent by words and meaning, best first.

        The `score` of a hit is its final score, and orders the hits. An empty query lists memories
        as `get_all` does: newest first, without scores.

        Args:
            query: The query in plain words, at most 8 KiB.
            user_id: The user.
            agent_id: The agent.
            limit: Maximum number of hits, 1 to 1,000.
            filters: Metadata that a hit must have: the same keys, with equal values of the same
                type. Raises ValueError for a value that JSON cannot represent, and for an integer
                that no double holds.
        """
        if not query.strip():
            return await self.get_all(user_id, agent_id, limit, filters)
        stream = self.client.memories(user_id, agent_id).search(query, limit=limit, filter=_to_filter(filters))
        return [_to_item(hit.memory, hit.scores.final) async for hit in stream]

    async def get_all(
        self, user_id: str, agent_id: str, limit: int = 10, filters: dict[str, Any] | None = None
    ) -> list[MemoryItem]:
        """Lists the memories of one user and agent, newest first.

        Args:
            user_id: The user.
            agent_id: The agent.
            limit: Maximum number of memories, at least 1.
            filters: Metadata that a memory must have, as in `search`.
        """
        memories = self.client.memories(user_id, agent_id)
        filter = _to_filter(filters)
        items: list[MemoryItem] = []
        page_token = ""
        while True:
            page_limit = min(limit - len(items), _PAGE_MAX_MEMORIES)
            page = await memories.get_all(limit=page_limit, filter=filter, page_token=page_token)
            items.extend(_to_item(memory, None) for memory in page.memories)
            page_token = page.next_page_token
            if len(items) == limit or page_token == "":
                return items

    async def delete(self, memory_id: str) -> bool:
        """Deletes a memory. Returns whether it existed.

        Args:
            memory_id: An id that a provider returned, in this process or in another process.
                Raises ValueError for an id of another form.
        """
        parsed = MemoryId.parse(memory_id)
        response = await self.client.memories(parsed.user_id, parsed.agent_id).delete(parsed.id)
        return response.deleted

    async def reset(self) -> bool:
        """Deletes all data of the server, of all users. Returns True.

        Fails with PERMISSION_DENIED (RESET_NOT_ALLOWED) when the server was started without
        --allow-reset.
        """
        calls = self.client._calls
        stub: MemoryProviderAsyncStub = MemoryProviderStub(calls.channel)
        request = ResetRequest(everything=True, idempotency_key=new_idempotency_key())
        await calls.unary("MemoryProvider.Reset", stub.Reset, request, None)
        return True

    async def close(self) -> None:
        """Closes the client."""
        await self.client.close()

    async def __aenter__(self) -> VademecumMemoryProvider:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()


def _to_filter(filters: dict[str, Any] | None) -> FilterFields | None:
    return {"metadata": to_json_values("filters", filters)} if filters else None


def _to_item(memory: Memory, score: float | None) -> MemoryItem:
    return MemoryItem(
        id=str(MemoryId(memory.namespace.user_id, memory.namespace.agent_id, memory.id)),
        content=memory.content,
        score=score,
        metadata=to_dict(memory.metadata),
        created_at=memory.create_time.ToDatetime(timezone.utc),
        agent_id=memory.namespace.agent_id,
        user_id=memory.namespace.user_id,
    )
