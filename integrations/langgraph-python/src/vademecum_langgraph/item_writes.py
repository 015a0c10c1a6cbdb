from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any

import grpc
from langgraph.store.base import PutOp
from vademecum import Memories, VademecumError
from vademecum.types import MemoryChangesFields
from vademecum.v1.memory_pb2 import Memory

from .item_memory import INDEXED_KIND, UNINDEXED_KIND, content_of, indexed_text, instant, item_tag, tags_of
from .item_reads import ItemReads
from .json_values import checked_json, plain_object

_WRITTEN_FIELDS = ["content", "kind", "tags", "metadata", "expire_time"]


@dataclass(frozen=True)
class Draft:
    """A checked put: what to send to the server. A draft without a value deletes the item."""

    namespace: tuple[str, ...]
    key: str
    value: dict[str, Any] | None
    fields: MemoryChangesFields


class ItemWrites:
    """Stores, deletes and refreshes items."""

    def __init__(self, memories: Memories, reads: ItemReads, default_paths: tuple[str, ...]) -> None:
        self._memories = memories
        self._reads = reads
        self._default_paths = default_paths

    def draft(self, op: PutOp) -> Draft:
        """Returns the draft of a put. Raises ValueError if the item cannot be stored."""
        namespace, key = tuple(op.namespace), op.key
        if op.value is None or _is_over_at_once(op.ttl):
            return Draft(namespace, key, None, {})
        value = checked_json(op.value)
        paths = self._default_paths if op.index is None else op.index or ()
        text = indexed_text(value, paths)
        metadata: dict[str, Any] = {"namespace": list(namespace), "key": key, "value": value}
        fields: MemoryChangesFields = {
            "content": content_of(namespace, key, text),
            "kind": INDEXED_KIND if text else UNINDEXED_KIND,
            "tags": tags_of(namespace, key),
            "metadata": metadata,
        }
        if op.ttl is not None:
            metadata["ttl_minutes"] = op.ttl
            fields["expire_time"] = _expiry(op.ttl)
        return Draft(namespace, key, value, fields)

    def write(self, draft: Draft, known: Sequence[Memory]) -> None:
        """Writes a draft to the server. `known` are the memories of the item, newest first.

        Two concurrent puts of a new item both add a memory. The later put then finds both memories
        and deletes the older one. Meanwhile, all readers take the newest memory as the item.
        """
        if draft.value is None:
            self._delete(known)
            return
        while known:
            try:
                self._memories.update(known[0].id, draft.fields, update_mask=_WRITTEN_FIELDS)
            except VademecumError as error:
                # The memory no longer exists.
                if error.code is not grpc.StatusCode.NOT_FOUND:
                    raise
                known = self._found(draft)
                continue
            self._delete(known[1:])
            return
        added: MemoryChangesFields = {**draft.fields, "memory_type": "semantic"}
        self._memories.add(**added)
        self._delete(self._found(draft)[1:])

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

    def _found(self, draft: Draft) -> list[Memory]:
        return self._reads.find([(draft.namespace, draft.key)]).get((draft.namespace, draft.key), [])

    def _delete(self, memories: Sequence[Memory]) -> None:
        for memory in memories:
            self._memories.delete(memory.id)


def _is_over_at_once(ttl_minutes: float | None) -> bool:
    """Returns whether a lifetime ends before the item can be stored. The server refuses such memories."""
    return ttl_minutes is not None and timedelta(minutes=ttl_minutes) < timedelta(seconds=1)


def _expiry(ttl_minutes: float) -> datetime:
    return datetime.now(timezone.utc) + timedelta(minutes=ttl_minutes)
