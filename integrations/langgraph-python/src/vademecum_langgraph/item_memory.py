"""Converts LangGraph items to memories and back.

All items of a store are memories of one Vademecum namespace.

The external id of an item's memory stands for its path, which is its LangGraph namespace and its
key. An item has one tag for each prefix of its namespace. The JavaScript package uses the same
external ids and tags.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from decimal import Decimal
from hashlib import sha256
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp
from langgraph.store.base import Item, SearchItem, get_text_at_path
from vademecum.v1.memory_pb2 import Memory

from .json_values import plain_object

INDEXED_KIND = "langgraph_item"
"""The kind of items with indexed text, which a query can match."""
UNINDEXED_KIND = "langgraph_item_unindexed"
"""The kind of items without indexed text. A search with a query returns them after all others."""

_TAG_MAX_BYTES = 128
_CONTENT_MAX_BYTES = 65536
# A memory has at most 32 tags.
_DEPTH_MAX = 32


def external_id_of(namespace: Sequence[str], key: str) -> str:
    """Returns the external id of an item's memory."""
    # Labels are not empty and contain no NUL, so the first two NULs in a row are before the key.
    path = "\0".join(namespace) + "\0\0" + key
    return f"langgraph/{sha256(path.encode()).hexdigest()}"


def prefix_tag(prefix: Sequence[str]) -> str:
    """Returns the tag for a prefix. All items whose namespace starts with the prefix have it."""
    # Labels contain no period, so different prefixes have different texts.
    path = ".".join(prefix)
    tag = f"ns:{path}"
    return tag if len(tag.encode()) <= _TAG_MAX_BYTES else f"ns#{sha256(path.encode()).hexdigest()}"


def tags_of(namespace: Sequence[str]) -> list[str]:
    """Returns the tags of an item: one for each prefix of its namespace.

    Raises:
        ValueError: The namespace is too deep.
    """
    if len(namespace) > _DEPTH_MAX:
        raise ValueError(f"namespace: has {len(namespace)} labels; at most {_DEPTH_MAX} are allowed")
    return [prefix_tag(namespace[:depth]) for depth in range(1, len(namespace) + 1)]


def indexed_text(value: Mapping[str, Any], paths: Sequence[str]) -> str:
    """Returns the text that searches examine for an item: the values at the paths, one a line.

    The path `$` stands for all texts, numbers and booleans of the value, as lines of `name: text`.
    Another path to an object or list stands for its JSON.
    """
    with_texts = _with_texts(value)
    texts: list[str] = []
    for path in paths:
        if path == "$":
            texts.extend(_lines(with_texts))
            continue
        # `value` and `with_texts` have the same values at a path, in the same order. An object or a
        # list becomes JSON, which takes numbers and booleans from `value`, not as texts.
        for plain, text in zip(get_text_at_path(value, path), get_text_at_path(with_texts, path), strict=True):
            texts.append(plain if plain.startswith(("{", "[")) else text)
    return "\n".join(text for text in texts if text.strip())


def _lines(value: Any, name: str = "") -> list[str]:
    if isinstance(value, Mapping):
        return [line for key, item in value.items() for line in _lines(item, key)]
    if isinstance(value, (list, tuple)):
        return [line for item in value for line in _lines(item, name)]
    return [] if value is None else [f"{name}: {value}"]


def _with_texts(value: Any) -> Any:
    """Returns a JSON value in which numbers and booleans are texts as in JavaScript."""
    if isinstance(value, Mapping):
        return {key: _with_texts(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_with_texts(item) for item in value]
    if isinstance(value, bool):
        return str(value).lower()
    return number_text(value) if isinstance(value, (int, float)) else value


def number_text(number: float) -> str:
    """Returns a finite number as JavaScript writes it: 1.0 as `1`, 1e-07 as `1e-7`."""
    # Python and JavaScript write the same digits, the fewest that identify the number. The two
    # languages differ only in which numbers they write with an exponent. The class's own `repr`
    # is used, because a subclass such as an enum can have another `repr`.
    digits = (int.__repr__(number) if isinstance(number, int) else float.__repr__(number)).removesuffix(".0")
    if number == 0:
        return "0"
    if 1e-6 <= abs(number) < 1e21:
        return format(Decimal(digits), "f")
    return digits.replace("e-0", "e-")


def content_of(namespace: Sequence[str], key: str, text: str) -> str:
    """Returns the content of an item's memory: the indexed text, cut to the size limit.

    If there is no indexed text, the content is the path as text, for people who read the memory.
    """
    content = text or f"{'/'.join(namespace)}/{key}"
    return content.encode()[:_CONTENT_MAX_BYTES].decode(errors="ignore")


def item_of(memory: Memory) -> Item:
    """Returns the item in a memory."""
    return Item(**_fields(memory))


def search_item_of(memory: Memory, score: float | None) -> SearchItem:
    """Returns the item in a memory as a search result."""
    return SearchItem(**_fields(memory), score=score)


def namespace_of(memory: Memory) -> tuple[str, ...]:
    """Returns the namespace of the item in a memory."""
    return tuple(label.string_value for label in memory.metadata.fields["namespace"].list_value.values)


def _fields(memory: Memory) -> dict[str, Any]:
    metadata = plain_object(memory.metadata)
    put_time = metadata.get("put_time")
    return {
        "namespace": tuple(metadata["namespace"]),
        "key": metadata["key"],
        "value": metadata["value"],
        "created_at": instant(memory.create_time),
        # A refresh of the lifetime updates the memory, but not the item. It stores the time of the
        # item's last put as `put_time`.
        "updated_at": instant(memory.update_time) if put_time is None else datetime.fromisoformat(put_time),
    }


def instant(timestamp: Timestamp) -> datetime:
    """Converts a time of the server to UTC."""
    return timestamp.ToDatetime(tzinfo=timezone.utc)
