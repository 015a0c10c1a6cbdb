"""How entries and records of a conversation are stored as memories."""

from __future__ import annotations

import json
from collections.abc import Iterable

from pydantic import TypeAdapter
from pydantic_ai.conversation_store import ConversationEntry, ConversationRecord
from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from vademecum.adapters import split_text
from vademecum.types import AddRequestFields
from vademecum.v1.memory_pb2 import Memory

ENTRY_KIND = "pydantic_ai_entry"
RECORD_KIND = "pydantic_ai_record"
# The kind of a record that is being deleted.
DELETED_KIND = "pydantic_ai_deleted"

# Metadata has at most 16 KiB as JSON, and a content 64 KiB. A prefix such as `[1/16] ` comes before a piece.
_METADATA_BYTES_MAX = 15_000
_PIECE_BYTES_MAX = 65_000

_records: TypeAdapter[ConversationRecord] = TypeAdapter(ConversationRecord)


def entry_external_id(entry_id: str, part: int = 1) -> str:
    return f"pydantic-ai/entry/{entry_id}" + ("" if part == 1 else f"/{part}")


def record_external_id(conversation_id: str) -> str:
    return f"pydantic-ai/record/{conversation_id}"


def memories_of_entry(entry: ConversationEntry, conversation_id: str) -> list[AddRequestFields]:
    """Returns the memories of an entry: usually one, several if the message is too large for one.

    The content of the memory is the text of the message, and its metadata the whole message as
    JSON. The contents of several memories are pieces of the JSON.
    """
    text = ModelMessagesTypeAdapter.dump_json([entry.message]).decode()
    contents, is_whole = [_spoken(entry.message) or entry.message.kind], True
    if len(json.dumps(text, ensure_ascii=False).encode()) > _METADATA_BYTES_MAX:
        pieces = split_text(text, _PIECE_BYTES_MAX)
        contents, is_whole = [f"[{part}/{len(pieces)}] {piece}" for part, piece in enumerate(pieces, 1)], False
    return [
        {
            "content": content,
            "memory_type": "conversation",
            "kind": ENTRY_KIND,
            "author": "user" if isinstance(entry.message, ModelRequest) else "assistant",
            "thread_id": conversation_id,
            "metadata": {
                "entry_id": entry.id,
                "parent_id": entry.parent_id,
                **({"messages": text} if is_whole else {"part": part, "parts": len(contents)}),
            },
            "external_id": entry_external_id(entry.id, part),
            "on_conflict": "keep",
        }
        for part, content in enumerate(contents, 1)
    ]


def parts_of(memory: Memory) -> int:
    """Returns the number of memories of the entry to which a memory belongs."""
    fields = memory.metadata.fields
    return int(fields["parts"].number_value) if "parts" in fields else 1


def entries_of(memories: Iterable[Memory]) -> dict[str, ConversationEntry]:
    """Returns the entries whose memories are complete, by their ids."""
    entries: dict[str, ConversationEntry] = {}
    pieces: dict[str, dict[int, str]] = {}
    for memory in memories:
        fields = memory.metadata.fields
        if memory.kind != ENTRY_KIND:
            continue
        entry_id = fields["entry_id"].string_value
        text = fields["messages"].string_value if "messages" in fields else None
        if text is None:
            known = pieces.setdefault(entry_id, {})
            known[int(fields["part"].number_value)] = memory.content.partition("] ")[2]
            if len(known) < parts_of(memory):
                continue
            text = "".join(known[part] for part in sorted(known))
        (message,) = ModelMessagesTypeAdapter.validate_json(text)
        parent_id = fields["parent_id"].string_value or None
        entries[entry_id] = ConversationEntry(id=entry_id, parent_id=parent_id, message=message)
    return entries


def memory_of_record(record: ConversationRecord) -> AddRequestFields:
    text = _records.dump_json(record).decode()
    is_small = len(json.dumps(text, ensure_ascii=False).encode()) <= _METADATA_BYTES_MAX
    return {
        "content": "The state of a conversation" if is_small else text,
        "memory_type": "working",
        "kind": RECORD_KIND,
        "restricted": True,
        "importance": 0.0,
        "metadata": {"scope": record.scope, **({"record": text} if is_small else {})},
    }


def record_of(memory: Memory) -> ConversationRecord:
    fields = memory.metadata.fields
    return _records.validate_json(fields["record"].string_value if "record" in fields else memory.content)


def _spoken(message: ModelMessage) -> str:
    """Returns the text of a message, for searches. Empty if it has none."""
    texts: list[str] = []
    for part in message.parts:
        if isinstance(part, UserPromptPart):
            contents = [part.content] if isinstance(part.content, str) else part.content
            texts += [it for it in contents if isinstance(it, str)]
        elif isinstance(part, TextPart):
            texts.append(part.content)
        elif isinstance(part, ToolCallPart):
            texts.append(f"{part.tool_name}({part.args_as_json_str()})")
        elif isinstance(part, ToolReturnPart):
            texts.append(part.model_response_str())
    text = "\n".join(texts).encode("utf-8", "replace").decode()
    return text if text.strip(" \t\r\n\v\f\ufeff") else ""
