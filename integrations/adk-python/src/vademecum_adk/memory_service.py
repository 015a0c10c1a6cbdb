from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from vademecum.adapters import add_all_async, check_ids, cut_query
from vademecum.aio import AsyncClient, Memories
from vademecum.types import AddRequestFields

from .event_memories import DELETED_KIND, entry_of, memories_of_event, memory_of_entry

if TYPE_CHECKING:
    from google.adk.events.event import Event
    from google.adk.sessions.session import Session


class VademecumMemoryService(BaseMemoryService):
    """A memory service of ADK that keeps the texts of events as memories.

    The user of ADK is the user, and the app is the agent. An event is stored once, however often
    its session is added. A deleted memory stays deleted.

    Args:
        client: The connection: `vademecum.aio.connect(address)`. The caller closes it.
        agent_id: The agent that keeps the memories, in place of the name of the app: apps with the
            same agent_id share their memories.
        limit: Maximum number of memories that a search returns, 1 to 1,000.
    """

    def __init__(self, client: AsyncClient, *, agent_id: str | None = None, limit: int = 10) -> None:
        self._client = client
        self._agent_id = agent_id
        self._limit = limit

    async def add_session_to_memory(self, session: Session) -> None:
        """Stores the events of a session that are not stored yet."""
        await self.add_events_to_memory(
            app_name=session.app_name, user_id=session.user_id, events=session.events, session_id=session.id
        )

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Stores events that are not stored yet. Leaves out events without text.

        Args:
            custom_metadata: Stored with each event. `search_memory` returns it.
        """
        metadata = {"custom": dict(custom_metadata)} if custom_metadata else {}
        memories = (memory for event in events for memory in memories_of_event(event, session_id, metadata))
        await add_all_async(self._memories(app_name, user_id), memories)

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Stores facts. An entry with the id of an earlier entry replaces it.

        Raises:
            ValueError: An entry has no text. Nothing is stored.
        """
        metadata: dict[str, Any] = dict(custom_metadata or {})
        added = [memory_of_entry(entry, metadata) for entry in memories]
        await add_all_async(self._memories(app_name, user_id), added)

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """Returns the memories that fit a query, most relevant first. None for an empty query."""
        text = cut_query(query)
        memories = self._memories(app_name, user_id)
        if not text:
            return SearchMemoryResponse()
        without_deleted = {"expression": f'kind != "{DELETED_KIND}"'}
        found = memories.search(text, limit=self._limit, filter=without_deleted)  # type: ignore[arg-type]
        return SearchMemoryResponse(memories=[entry_of(hit.memory) async for hit in found])

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Deletes a memory that a search has returned. Does nothing if there is no such memory."""
        memories = self._memories(app_name, user_id)
        if not memory_id:
            return
        found = (await memories.get_many([memory_id])).memories
        for memory in found:
            await memories.delete(memory.id)
            if memory.external_id.startswith("adk/"):
                # Keeps the id of the event, so that it is not stored again with its session.
                await add_all_async(memories, [_remains(memory.external_id)])

    def _memories(self, app_name: str, user_id: str) -> Memories:
        agent_id = self._agent_id or app_name
        check_ids(user_id=user_id, app_name=agent_id)
        return self._client.memories(user_id=user_id, agent_id=agent_id)


def _remains(external_id: str) -> AddRequestFields:
    return {
        "content": "(deleted)",
        "kind": DELETED_KIND,
        "memory_type": "working",
        "status": "resolved",
        "restricted": True,
        "importance": 0.0,
        "metadata": {},
        "external_id": external_id,
        "on_conflict": "keep",
    }
