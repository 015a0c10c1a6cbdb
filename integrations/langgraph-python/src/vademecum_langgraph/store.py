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

# Calls at the same time: the server takes many writes into one synced step.
_CALLS_MAX = 8


class VademecumStore(BaseStore):
    """Keeps the items of LangGraph as memories of one namespace of Vademecum.

    Two stores on the same user and agent, in whatever process or language, see the same items. Other memories of that
    namespace are left alone and never returned.

    Args:
        memories: The namespace to keep items in: `client.memories(user_id=..., agent_id=...)`. Closing the client is
            the caller's.
        fields: Paths of the texts that a search by words looks at, such as `["text", "chapters[*].content"]`; `put`
            may say otherwise with `index`. Default `["$"]`: the whole value.
        ttl: Defaults for the lifetime of items. `omit_expired` and `sweep_interval_minutes` have no effect:
            the server never returns an expired item, and keeps its record.
    """

    supports_ttl = True

    def __init__(self, memories: Memories, *, fields: Sequence[str] = ("$",), ttl: TTLConfig | None = None) -> None:
        self.ttl_config = ttl
        self._reads = ItemReads(memories)
        self._writes = ItemWrites(memories, self._reads, tuple(fields))

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Executes operations: first what reads, then what writes, so that reads see the state before. Of several puts of one item the last counts.

        Raises:
            VademecumError: A call failed. Writes of the batch that were made before stay.
            ValueError: A value, filter or namespace cannot be stored or searched; nothing was written.
        """
        given = list(ops)
        for op in given:
            validate_op_namespace(op)
        puts = {(op.namespace, op.key): op for op in given if isinstance(op, PutOp)}
        drafts = [self._writes.draft(op) for op in puts.values()]
        found = self._reads.find([(op.namespace, op.key) for op in given if isinstance(op, GetOp)])
        results = _each(lambda op: self._read(op, found), given)
        known = self._reads.find([(draft.namespace, draft.key) for draft in drafts if draft.value is not None])
        _each(lambda draft: self._writes.write(draft, known.get((draft.namespace, draft.key), [])), drafts)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Executes operations as `batch` does, without holding up the event loop."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _read(self, op: Op, found: dict[tuple[tuple[str, ...], str], list[Memory]]) -> Result:
        if isinstance(op, GetOp):
            memories = found.get((op.namespace, op.key), [])
            if not memories:
                return None
            if op.refresh_ttl:
                self._writes.refresh(memories[0])
            return item_of(memories[0])
        if isinstance(op, SearchOp):
            hits = self._reads.search(op)
            if op.refresh_ttl:
                _each(lambda hit: self._writes.refresh(hit.memory), hits)
            return [hit.item() for hit in hits]
        if isinstance(op, ListNamespacesOp):
            return self._reads.list_namespaces(op)
        return None


def _each(action: Callable[[_T], _R], things: Sequence[_T]) -> list[_R]:
    """Does something with each thing, several at a time, and gives the results in their order."""
    if len(things) < 2:
        return [action(thing) for thing in things]
    with ThreadPoolExecutor(max_workers=min(_CALLS_MAX, len(things))) as executor:
        return list(executor.map(action, things))
