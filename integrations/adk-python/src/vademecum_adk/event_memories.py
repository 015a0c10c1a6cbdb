from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timezone
from typing import Any

from google.adk.events.event import Event
from google.adk.memory.memory_entry import MemoryEntry
from google.genai import types
from google.protobuf.json_format import MessageToDict
from vademecum.adapters import split_content
from vademecum.types import AddRequestFields
from vademecum.v1.memory_pb2 import Memory

# Metadata has at most 16 KiB.
_METADATA_BYTES_MAX = 15_000

# The kind of what stays of a deleted event.
DELETED_KIND = "adk_deleted"


def memories_of_event(event: Event, session_id: str | None, metadata: dict[str, Any]) -> Iterator[AddRequestFields]:
    """Yields the memories of an event: usually one, several if the text is very long.

    An event without text has none.
    """
    pieces = split_content(_text_of(event.content))
    for index, piece in enumerate(pieces):
        memory: AddRequestFields = {
            "content": piece,
            "memory_type": "conversation",
            "event_time": datetime.fromtimestamp(event.timestamp, timezone.utc),
            "metadata": {"adk": {**_form_of(event.content, len(pieces) == 1), **metadata}},
            "external_id": f"adk/{event.id}" if index == 0 else f"adk/{event.id}/{index + 1}",
            # Events do not change, so an event that is there stays as it is.
            "on_conflict": "keep",
        }
        if event.author:
            memory["author"] = event.author
        if session_id:
            memory["thread_id"] = session_id
        yield memory


def memory_of_entry(entry: MemoryEntry, metadata: dict[str, Any]) -> AddRequestFields:
    """Returns the memory of an entry. An entry with the id of an earlier one replaces it.

    Raises:
        ValueError: The entry has no text.
    """
    text = _text_of(entry.content)
    if not text:
        raise ValueError("a memory has no text; only texts can be stored")
    custom = {**metadata, **entry.custom_metadata}
    memory: AddRequestFields = {
        "content": text,
        "memory_type": "semantic",
        "metadata": {"adk": {**_form_of(entry.content, True), **({"custom": custom} if custom else {})}},
    }
    if entry.author:
        memory["author"] = entry.author
    if entry.timestamp:
        instant = datetime.fromisoformat(entry.timestamp.replace("Z", "+00:00"))
        memory["event_time"] = instant if instant.tzinfo else instant.astimezone()
    if entry.id:
        memory["external_id"] = f"adk-memory/{entry.id}"
        memory["on_conflict"] = "replace"
    return memory


def entry_of(memory: Memory) -> MemoryEntry:
    """Returns the entry of a memory, also of one that another client has stored."""
    form = MessageToDict(memory.metadata).get("adk", {})
    text = types.Part(text=memory.content)
    stored = form.get("content")
    parts = types.Content.model_validate_json(stored).parts if isinstance(stored, str) else [text]
    time = memory.event_time if memory.HasField("event_time") else memory.create_time
    return MemoryEntry(
        content=types.Content(role=form.get("role"), parts=parts),
        custom_metadata=form.get("custom", {}),
        id=memory.id,
        author=memory.author or None,
        timestamp=time.ToDatetime(tzinfo=timezone.utc).isoformat(),
    )


def _text_of(content: types.Content | None) -> str:
    parts = (content.parts if content else None) or []
    text = " ".join(part.text for part in parts if part.text)
    return text if text.strip() else ""


def _form_of(content: types.Content | None, is_whole: bool) -> dict[str, Any]:
    """Returns the role of a content, and the whole content if it has more than one text and fits."""
    if content is None:
        return {}
    form: dict[str, Any] = {"role": content.role} if content.role else {}
    is_plain = content.parts is not None and [set(part.model_dump(exclude_none=True)) for part in content.parts] == [{"text"}]
    if is_whole and not is_plain:
        whole = content.model_dump_json(exclude_none=True)
        if _json_size(whole) <= _METADATA_BYTES_MAX:
            form["content"] = whole
    return form


def _json_size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False, default=str).encode())
