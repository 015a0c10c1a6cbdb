from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from vademecum.adapters import split_text
from vademecum.types import NewTurnFields
from vademecum.v1.memory_pb2 import Memory

# Metadata of a turn has at most 16 KiB as JSON, with names and quotes.
_METADATA_BYTES_MAX = 15_000
# The content of a turn has at most 64 KiB. A prefix such as `[1/16] ` comes before each piece.
_PIECE_BYTES_MAX = 65_000


@dataclass(frozen=True)
class StoredItem:
    """An item of a session, with the ids of the turns that hold it."""

    item: Any
    turn_ids: tuple[str, ...]


def turns_of(item: Any) -> list[NewTurnFields]:
    """Returns the turns that hold an item.

    Usually this is one turn: its content is the text of the item, and its metadata the whole item
    as JSON. An item that is too large for metadata becomes several turns, whose contents are pieces
    of the JSON.
    """
    text = _json_of(item)
    role = item.get("role")
    common: NewTurnFields = {"kind": str(item.get("type") or "message")}
    if isinstance(role, str) and role:
        common["author"] = role
    if len(json.dumps(text, ensure_ascii=False).encode()) <= _METADATA_BYTES_MAX:
        return [{**common, "content": _spoken(item) or common["kind"], "metadata": {"item": text}}]
    pieces = split_text(text, _PIECE_BYTES_MAX)
    count = len(pieces)
    return [
        {**common, "content": f"[{part}/{count}] {piece}", "metadata": {"part": part, "parts": count}}
        for part, piece in enumerate(pieces, 1)
    ]


def items_of(turns: Sequence[Memory]) -> list[StoredItem]:
    """Returns the items of turns, in order. Leaves out other turns, and items that are not complete."""
    items: list[StoredItem] = []
    pieces: list[Memory] = []
    for turn in turns:
        fields = turn.metadata.fields
        if "item" in fields:
            items.append(StoredItem(json.loads(fields["item"].string_value), (turn.id,)))
        if "parts" not in fields:
            continue
        part, parts = fields["part"].number_value, fields["parts"].number_value
        pieces = [*pieces, turn] if part == len(pieces) + 1 else [turn] if part == 1 else []
        if pieces and len(pieces) == parts:
            text = "".join(piece.content.partition("] ")[2] for piece in pieces)
            items.append(StoredItem(json.loads(text), tuple(piece.id for piece in pieces)))
            pieces = []
    return items


def _json_of(item: Any) -> str:
    """Returns an item as JSON that is valid UTF-8, also if the item has half of a surrogate pair."""
    text = json.dumps(item, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(item)
    return text


def _spoken(item: Any) -> str:
    """Returns the text of an item, for searches. Empty if the item has none."""
    kind = item.get("type")
    if kind == "function_call":
        return _valid(f"{item.get('name')}({item.get('arguments')})")
    for name in ("content", "output", "summary"):
        value = item.get(name)
        if isinstance(value, str):
            return _valid(value)
        if isinstance(value, list):
            texts = [part.get("text") for part in value if isinstance(part, dict)]
            return _valid("\n".join(text for text in texts if isinstance(text, str)))
    return ""


def _valid(text: str) -> str:
    """Returns a text that the server accepts as content: valid UTF-8. Empty for white space alone."""
    return text.encode("utf-8", "replace").decode() if text.strip(" \t\r\n\v\f\ufeff") else ""
