from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from langgraph.store.base import (
    BaseStore,
    GetOp,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchOp,
    TTLConfig,
    validate_op_namespace,
)
from vademecum import Memories
from vademecum.v1.memory_pb2 import Memory


from .item_memory import item_of
from .item_reads import ItemReads
from .item_writes import ItemWrites

_T = TypeVar("_T")
_R = TypeVar("_R")

# Number of concurrent calls. The server syncs concurrent writes to disk together.
_CALLS_MAX = 8


class VademecumStore(BaseStore):
    """A LangGraph store that keeps items as memories of one Vademecum namespace.

    All stores for the same user and agent have the same items, in every process and language. A
    store never changes or returns other memories of the namespace.

    Args:
        memories: The namespace that holds the items: `client.memories(user_id=..., agent_id=...)`.
            The caller closes the client.
        fields: Paths of the texts that searches examine, such as `["text", "chapters[*].content"]`.
            Default: `["$"]`, the whole value. The argument `index` of `put` replaces these paths
            for one item.
        ttl: Default lifetimes of items. The settings `omit_expired` and `sweep_interval_minutes`
            have no effect, because the server never returns an expired item, and deletes it within
            a day.
    """

    supports_ttl = True

    def __init__(self, memories: Memories, *, fields: Sequence[str] = ("$",), ttl: TTLConfig | None = None) -> None:
        self.ttl_config = ttl
        self._reads = ItemReads(memories)
        self._writes = ItemWrites(memories, self._reads, tuple(fields))

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Executes operations: first all reads, then all writes.

        So no read sees a write of its batch. If a batch puts an item several times, only the last
        put is made.

        Raises:
            VademecumError: A call fails. Other writes of the batch may have been made.
            ValueError: A value, filter or namespace is invalid. Nothing is written.
        """
        operations = list(ops)
        for op in operations:
            validate_op_namespace(op)
        puts = {(op.namespace, op.key): op for op in operations if isinstance(op, PutOp)}
        drafts = [self._writes.draft(op) for op in puts.values()]
        memories_by_path = self._reads.find([(op.namespace, op.key) for op in operations if isinstance(op, GetOp)])
        results = _map_concurrently(lambda op: self._read(op, memories_by_path), operations)
        known = self._reads.find([(draft.namespace, draft.key) for draft in drafts])
        _map_concurrently(lambda draft: self._writes.write(draft, known.get((draft.namespace, draft.key), [])), drafts)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Executes operations like `batch`, without blocking the event loop."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _read(self, op: Op, memories_by_path: dict[tuple[tuple[str, ...], str], list[Memory]]) -> Result:
        if isinstance(op, GetOp):
            memories = memories_by_path.get((op.namespace, op.key), [])
            if not memories:
                return None
            if op.refresh_ttl:
                self._writes.refresh(memories[0])
            return item_of(memories[0])
        if isinstance(op, SearchOp):
            hits = self._reads.search(op)
            if op.refresh_ttl:
                _map_concurrently(lambda hit: self._writes.refresh(hit.memory), hits)
            return [hit.item() for hit in hits]
        if isinstance(op, ListNamespacesOp):
            return self._reads.list_namespaces(op)
        return None


def _map_concurrently(action: Callable[[_T], _R], values: Sequence[_T]) -> list[_R]:
    """Calls a function with each value, in several threads. Returns the results in order."""
    if len(values) < 2:
        return [action(value) for value in values]
    with ThreadPoolExecutor(max_workers=min(_CALLS_MAX, len(values))) as executor:
        return list(executor.map(action, values))
