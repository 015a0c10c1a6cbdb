from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import grpc
from pydantic_ai.conversation_store import (
    ConversationConflict,
    ConversationEntry,
    ConversationRecord,
    ConversationStore,
)
from vademecum import VademecumError
from vademecum.adapters import check_ids, requests_of
from vademecum.aio import AsyncClient
from vademecum.types import AddRequestFields, MemoryChangesFields
from vademecum.v1.memory_pb2 import Memory
from vademecum.v1.memory_provider_pb2 import AddOutcome

from .stored_forms import (
    DELETED_KIND,
    ENTRY_KIND,
    RECORD_KIND,
    entries_of,
    entry_external_id,
    memories_of_entry,
    memory_of_record,
    parts_of,
    record_external_id,
    record_of,
)

# The limit of one call of the server.
_PAGE_MAX = 1000


class VademecumConversationStore(ConversationStore):
    """A store of Pydantic AI that keeps the conversations of one user with one agent.

    Each message is a turn of the thread with the id of its conversation. `delete` also deletes the
    messages, unless a fork of the conversation still has them.

    Args:
        client: The connection: `vademecum.aio.connect(address)`. The caller closes it.
        user_id: The id of the person who talks with the agent, 1 to 256 bytes. There is no default.
        agent_id: The id of the agent, 1 to 256 bytes.

    Raises:
        ValueError: An id is empty.
    """

    def __init__(self, client: AsyncClient, *, user_id: str, agent_id: str) -> None:
        check_ids(user_id=user_id, agent_id=agent_id)
        self._memories = client.memories(user_id=user_id, agent_id=agent_id)
        self._threads = client.threads(user_id=user_id, agent_id=agent_id)

    async def read_record(self, conversation_id: str) -> ConversationRecord | None:
        memory = await self._find(record_external_id(conversation_id))
        return None if memory is None or memory.kind == DELETED_KIND else record_of(memory)

    async def read_records(self, *, scope: str | None = None, limit: int | None = None) -> Sequence[ConversationRecord]:
        records = [record async for record in self._all_records()]
        chosen = [record for record in records if scope is None or record.scope == scope]
        return sorted(chosen, key=lambda record: record.updated_at, reverse=True)[:limit]

    async def write_record(
        self,
        record: ConversationRecord,
        *,
        new_entries: Sequence[ConversationEntry] = (),
        expected_revision: str | None,
    ) -> None:
        conflict = ConversationConflict(record.conversation_id)
        stored = await self._find(record_external_id(record.conversation_id))
        is_there = stored is not None and stored.kind != DELETED_KIND
        if (record_of(stored).revision if stored is not None and is_there else None) != expected_revision:
            raise conflict
        is_known = record.head_id is None or record.head_id in {entry.id for entry in new_entries}
        if not is_known and await self._find(entry_external_id(str(record.head_id))) is None:
            raise conflict
        memories = [memory for entry in new_entries for memory in memories_of_entry(entry, record.conversation_id)]
        added_ids: list[str] = []
        try:
            await self._add(memories, added_ids)
            await self._put_record(record, stored)
        except VademecumError as error:
            # The entries belong to no history.
            for id in added_ids:
                await self._memories.delete(id)
            if error.code in (grpc.StatusCode.ABORTED, grpc.StatusCode.ALREADY_EXISTS, grpc.StatusCode.NOT_FOUND):
                raise conflict from error
            raise

    async def delete_record(self, conversation_id: str, *, expected_revision: str) -> None:
        external_id = record_external_id(conversation_id)
        stored = await self._find(external_id)
        if stored is None or stored.kind == DELETED_KIND or record_of(stored).revision != expected_revision:
            raise ConversationConflict(conversation_id)
        try:
            # A deletion takes no expected version. So the record is first marked, which does.
            await self._memories.update(
                stored.id,
                {"content": "A deleted conversation", "kind": DELETED_KIND},
                update_mask=["content", "kind", "metadata"],
                expected_version=stored.version,
            )
        except VademecumError as error:
            if error.code in (grpc.StatusCode.ABORTED, grpc.StatusCode.NOT_FOUND):
                raise ConversationConflict(conversation_id) from error
            raise
        await self._delete_entries(conversation_id)
        await self._memories.delete(external_id=external_id)

    async def read_entry(self, entry_id: str) -> ConversationEntry:
        return (await self._read_around(entry_id, 0))[entry_id]

    async def read_history(self, head_id: str | None, *, limit: int | None = None) -> list[ConversationEntry]:
        history: list[ConversationEntry] = []
        known: dict[str, ConversationEntry] = {}
        entry_id = head_id
        while entry_id is not None and (limit is None or len(history) < limit):
            if entry_id not in known:
                before = _PAGE_MAX if limit is None else min(limit - len(history) - 1, _PAGE_MAX)
                known = await self._read_around(entry_id, before)
            history.append(known[entry_id])
            entry_id = known[entry_id].parent_id
        return history[::-1]

    async def _read_around(self, entry_id: str, before: int) -> dict[str, ConversationEntry]:
        """Returns an entry, and entries of up to `before` memories before it in its thread."""
        first = await self._find(entry_external_id(entry_id))
        if first is None:
            raise LookupError(f"entry {entry_id} is not in the store")
        memories = [first]
        for part in range(2, parts_of(first) + 1):
            piece = await self._find(entry_external_id(entry_id, part))
            memories += [] if piece is None else [piece]
        if before > 0:
            memories[:0] = (await self._threads.get_turns(first.thread_id, limit=before, before_id=first.id)).turns
        entries = entries_of(memories)
        if entry_id not in entries:
            raise LookupError(f"entry {entry_id} is not complete in the store")
        return entries

    async def _all_records(self) -> AsyncIterator[ConversationRecord]:
        page_token = ""
        while True:
            page = await self._memories.get_all(limit=_PAGE_MAX, filter={"kinds": [RECORD_KIND]}, page_token=page_token)
            for memory in page.memories:
                yield record_of(memory)
            page_token = page.next_page_token
            if not page_token:
                return

    async def _find(self, external_id: str) -> Memory | None:
        try:
            return (await self._memories.get(external_id=external_id)).memory
        except VademecumError as error:
            if error.code is grpc.StatusCode.NOT_FOUND:
                return None
            raise

    async def _put_record(self, record: ConversationRecord, stored: Memory | None) -> None:
        memory = memory_of_record(record)
        if stored is not None and stored.kind != DELETED_KIND:
            changes: MemoryChangesFields = {"content": memory["content"], "metadata": memory["metadata"]}
            await self._memories.update(stored.id, changes, expected_version=stored.version)
            return
        if stored is not None:
            await self._memories.delete(stored.id)
        memory["external_id"] = record_external_id(record.conversation_id)
        await self._add([memory], [])

    async def _add(self, memories: Sequence[AddRequestFields], added_ids: list[str]) -> None:
        """Stores memories. Appends the ids of the new ones to `added_ids`, also if it fails."""
        for request in requests_of(memories):
            results = (await self._memories.add_many(request)).results
            added_ids += [result.id for result in results if result.outcome == AddOutcome.ADD_OUTCOME_ADDED]
            for result in results:
                if result.HasField("error"):
                    code = next(it for it in grpc.StatusCode if it.value[0] == result.error.code)
                    raise VademecumError(code, result.error.message)

    async def _delete_entries(self, conversation_id: str) -> None:
        """Deletes the entries of a conversation that no fork has."""
        kept: set[str] = set()
        async for record in self._all_records():
            if record.forked_from is None:
                continue
            for head_id in (record.head_id, *record.branches):
                kept |= {entry.id for entry in await self.read_history(head_id)}
        ids: list[str] = []
        before_id = None
        while True:
            page = await self._threads.get_turns(conversation_id, limit=_PAGE_MAX, before_id=before_id)
            ids += [turn.id for turn in page.turns if turn.kind == ENTRY_KIND and _entry_id_of(turn) not in kept]
            if not page.has_more:
                break
            before_id = page.turns[0].id
        for id in ids:
            await self._memories.delete(id)


def _entry_id_of(memory: Memory) -> str:
    return memory.metadata.fields["entry_id"].string_value
