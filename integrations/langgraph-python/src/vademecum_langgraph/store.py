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

from .item_memory import item_of
from .item_reads import ItemReads
from .item_writes import ItemWrites

_T = TypeVar("_T")
_R = TypeVar("_R")

# Number of concurrent calls.
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
        self._writes = ItemWrites(memories, tuple(fields))

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
        memories = {path: self._writes.memory_of(op) for path, op in puts.items()}
        results = _map_concurrently(self._read, operations)
        self._writes.write([memory for memory in memories.values() if memory is not None])
        _map_concurrently(self._writes.delete, [path for path, memory in memories.items() if memory is None])
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Executes operations like `batch`, without blocking the event loop."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _read(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            memory = self._reads.get((op.namespace, op.key))
            if memory is None:
                return None
            if op.refresh_ttl:
                self._writes.refresh(memory)
            return item_of(memory)
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
