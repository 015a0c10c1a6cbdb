from __future__ import annotations

import asyncio
import hashlib
import uuid
from collections.abc import Iterator
from datetime import timezone
from typing import Any

from google.protobuf.json_format import MessageToDict
from strands.memory import AddMessagesContext, ExtractionConfig, MemoryEntry, MemoryStore, SearchOptions
from strands.types.content import Message
from vademecum import Client
from vademecum.adapters import add_all, check_ids, cut_query, split_content
from vademecum.types import AddRequestFields
from vademecum.v1.search_pb2 import SearchHit

_DEFAULT_SEARCH_RESULTS = 10


class VademecumMemoryStore(MemoryStore):
    """A memory store of Strands that keeps the memories of one user with one agent.

    `add` stores a fact once, also if it is added again. `add_messages` stores messages as turns of a
    conversation, and a message of a repeated batch once. Each call runs in a thread, so that the
    store works in the event loops of blocking agents too.

    Args:
        client: The connection: `vademecum.connect(address)`. The caller closes it.
        user_id: The id of the person who talks with the agent, 1 to 256 bytes. There is no default.
        agent_id: The id of the agent, 1 to 256 bytes.
        name: The name of the store in the tools of the memory manager.
        description: What the model is told of the store.
        max_search_results: Maximum number of results of a search. Default: 10; the memory manager
            asks for 3.
        writable: Whether the agent may write.
        extraction: What the memory manager stores by itself. True: the messages of every fifth turn.
        thread_id: The id of the conversation, for `add_messages`. Default: a new id for each agent.

    Raises:
        ValueError: An id or the name is empty, or max_search_results is below 1.
    """

    def __init__(
        self,
        client: Client,
        *,
        user_id: str,
        agent_id: str,
        name: str = "vademecum",
        description: str | None = None,
        max_search_results: int | None = None,
        writable: bool = True,
        extraction: ExtractionConfig | bool | None = None,
        thread_id: str | None = None,
    ) -> None:
        check_ids(user_id=user_id, agent_id=agent_id, name=name.strip())
        self.name = name
        self.description = description
        self.max_search_results = _checked_limit(max_search_results)
        self.writable = writable
        self.extraction = extraction
        self._memories = client.memories(user_id=user_id, agent_id=agent_id)
        self._thread_id = thread_id
        self._run_id = str(uuid.uuid4())

    async def initialize(self) -> None:
        """Begins the run of an agent, in which the numbers of messages begin at 0."""
        self._run_id = str(uuid.uuid4())

    async def search(self, query: str, options: SearchOptions | None = None) -> list[MemoryEntry]:
        """Returns the memories that fit a query, most relevant first. None for an empty query.

        The metadata of an entry is that of its memory. The store adds `id`, `relevance`, `time`,
        and, if there is one, `author`.

        Raises:
            ValueError: max_search_results is below 1.
        """
        limit = _checked_limit((options or {}).get("max_search_results"))
        text = cut_query(query)
        if not text:
            return []
        wanted = limit or self.max_search_results or _DEFAULT_SEARCH_RESULTS
        found = await asyncio.to_thread(lambda: self._memories.search(text, limit=wanted).collect())
        return [_entry_of(hit) for hit in found.hits]

    async def add(self, content: str, metadata: dict[str, Any] | None = None) -> str:
        """Stores a fact and returns its id. A fact that is there stays as it is.

        Raises:
            ValueError: The store is not writable, or the content is empty.
        """
        self._check_writable()
        text = content.strip()
        if not text:
            raise ValueError("the content is empty")
        fact: AddRequestFields = {
            "content": content.encode("utf-8", "replace").decode(),
            "memory_type": "semantic",
            "metadata": metadata or {},
            "external_id": f"strands/fact/{_digest(text)}",
            "on_conflict": "keep",
        }
        (id,) = await self._add([fact])
        return id

    async def add_messages(self, messages: list[Message], context: AddMessagesContext | None = None) -> list[str]:
        """Stores the texts of messages as turns, and returns their ids.

        A batch with sequence numbers can be repeated: each message is stored once.

        Raises:
            ValueError: The store is not writable.
        """
        self._check_writable()
        numbers = context.sequence_numbers if context else None
        turns = [
            turn
            for index, message in enumerate(messages)
            for turn in self._turns(message, str(numbers[index]) if numbers else str(uuid.uuid4()))
        ]
        return await self._add(turns)

    def _turns(self, message: Message, number: str) -> Iterator[AddRequestFields]:
        """Yields the turns of a message: usually one, several if the text is very long."""
        text = "\n".join(block["text"] for block in message["content"] if "text" in block)
        for part, piece in enumerate(split_content(text)):
            yield {
                "content": piece,
                "memory_type": "conversation",
                "author": message["role"],
                "thread_id": self._thread_id or self._run_id,
                "external_id": f"strands/{self._run_id}/{number}/{part}",
                "on_conflict": "keep",
            }

    def _check_writable(self) -> None:
        if not self.writable:
            raise ValueError(f"the store {self.name} is not writable")

    async def _add(self, memories: list[AddRequestFields]) -> list[str]:
        return await asyncio.to_thread(add_all, self._memories, memories)


def _checked_limit(limit: int | None) -> int | None:
    if limit is not None and limit < 1:
        raise ValueError(f"max_search_results is {limit} and must be at least 1")
    return limit


def _entry_of(hit: SearchHit) -> MemoryEntry:
    memory = hit.memory
    time = memory.event_time if memory.HasField("event_time") else memory.create_time
    metadata = MessageToDict(memory.metadata)
    metadata |= {"id": memory.id, "relevance": hit.scores.relevance}
    metadata["time"] = time.ToDatetime(tzinfo=timezone.utc).isoformat()
    if memory.author:
        metadata["author"] = memory.author
    return MemoryEntry(content=memory.content, metadata=metadata)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
