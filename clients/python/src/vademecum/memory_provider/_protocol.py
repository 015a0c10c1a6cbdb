from __future__ import annotations

from datetime import datetime
from typing import Any, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field


class MemoryItem(BaseModel):
    """A memory as a provider returns it."""

    model_config = ConfigDict(extra="allow")

    id: str
    content: str
    score: float | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)
    created_at: datetime | None = None
    agent_id: str | None = None
    user_id: str | None = None


@runtime_checkable
class MemoryProvider(Protocol):
    """The operations of a memory service, the same for every vendor."""

    async def add(
        self, content: str, user_id: str, agent_id: str, metadata: dict[str, Any] | None = None
    ) -> str:
        """Stores a text. Returns the id of the memory."""
        ...

    async def add_trace(
        self, agent_id: str, workflow_id: str, trace_data: dict[str, Any], user_id: str = "system"
    ) -> str:
        """Stores the trace of a workflow run. Returns the id of the memory."""
        ...

    async def search(
        self, query: str, user_id: str, agent_id: str, limit: int = 5, filters: dict[str, Any] | None = None
    ) -> list[MemoryItem]:
        """Searches the memories of one user and agent."""
        ...

    async def get_all(
        self, user_id: str, agent_id: str, limit: int = 10, filters: dict[str, Any] | None = None
    ) -> list[MemoryItem]:
        """Lists the memories of one user and agent, newest first."""
        ...

    async def delete(self, memory_id: str) -> bool:
        """Deletes a memory. Returns whether it existed."""
        ...

    async def reset(self) -> bool:
        """Deletes everything. Returns True."""
        ...
