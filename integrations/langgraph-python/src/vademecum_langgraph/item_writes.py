from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

import grpc
from langgraph.store.base import PutOp
from vademecum import Memories, VademecumError
from vademecum.adapters import add_all
from vademecum.types import AddRequestFields, MemoryChangesFields
from vademecum.v1.memory_pb2 import Memory

from .item_memory import INDEXED_KIND, UNINDEXED_KIND, content_of, external_id_of, indexed_text, instant, tags_of
from .item_reads import ItemPath
from .json_values import checked_json, plain_object


class ItemWrites:
    """Stores, deletes and refreshes items."""

    def __init__(self, memories: Memories, default_paths: tuple[str, ...]) -> None:
        self._memories = memories
        self._default_paths = default_paths

    def memory_of(self, op: PutOp) -> AddRequestFields | None:
        """Returns the memory of a put, which replaces an earlier memory of the item.

        Returns None for a put that deletes the item. Raises ValueError if the item cannot be stored.
        """
        if op.value is None or _is_over_at_once(op.ttl):
            return None
        value = checked_json(op.value)
        text = indexed_text(value, self._default_paths if op.index is None else op.index or ())
        metadata: dict[str, Any] = {"namespace": list(op.namespace), "key": op.key, "value": value}
        memory: AddRequestFields = {
            "content": content_of(op.namespace, op.key, text),
            "memory_type": "semantic",
            "kind": INDEXED_KIND if text else UNINDEXED_KIND,
            "tags": tags_of(op.namespace),
            "metadata": metadata,
            "external_id": external_id_of(op.namespace, op.key),
            "on_conflict": "replace",
        }
        if op.ttl is not None:
            metadata["ttl_minutes"] = op.ttl
            memory["expire_time"] = _expiry(op.ttl)
        return memory

    def write(self, memories: Sequence[AddRequestFields]) -> None:
        """Stores the memories of puts."""
        add_all(self._memories, memories)

    def delete(self, path: ItemPath) -> None:
        """Deletes an item, if there is one."""
        self._memories.delete(external_id=external_id_of(*path))

    def refresh(self, memory: Memory) -> None:
        """Restarts the lifetime of an item, if it has one."""
        ttl = memory.metadata.fields.get("ttl_minutes")
        if ttl is None:
            return
        metadata = plain_object(memory.metadata)
        metadata.setdefault("put_time", instant(memory.update_time).isoformat())
        changes: MemoryChangesFields = {"metadata": metadata, "expire_time": _expiry(ttl.number_value)}
        try:
            self._memories.update(memory.id, changes, expected_version=memory.version)
        except VademecumError as error:
            # Another caller put, deleted or refreshed the item at the same time.
            if error.code not in (grpc.StatusCode.ABORTED, grpc.StatusCode.NOT_FOUND):
                raise


def _is_over_at_once(ttl_minutes: float | None) -> bool:
    """Returns whether a lifetime ends before the item can be stored. The server refuses such memories."""
    return ttl_minutes is not None and timedelta(minutes=ttl_minutes) < timedelta(seconds=1)


def _expiry(ttl_minutes: float) -> datetime:
    return datetime.now(timezone.utc) + timedelta(minutes=ttl_minutes)
