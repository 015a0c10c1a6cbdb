"""Parts for adapters: packages that give a framework for agents its memory."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

import grpc
from google.rpc.status_pb2 import Status
from vademecum.v1.memory_provider_pb2 import AddManyResponse

from ._errors import VademecumError, details_of
from ._sync.memories import Memories
from .aio import Memories as AsyncMemories
from .types import AddRequestFields

__all__ = ["add_all", "add_all_async", "check_ids", "cut_query", "split_content", "split_text"]

# The limits of the server for a content and for a query, in bytes.
_CONTENT_BYTES_MAX = 65_536
_QUERY_BYTES_MAX = 8192
# The limits of one AddMany: memories, bytes, and messages with list items and map entries.
_MEMORIES_MAX = 500
_REQUEST_BYTES_MAX = 900_000
_ELEMENTS_MAX = 15_000
# What the other fields of a memory have at most.
_OTHER_FIELDS_BYTES = 1000
_OTHER_ELEMENTS = 10


def check_ids(**ids: str | None) -> None:
    """Checks that a program has chosen ids, such as `check_ids(user_id=user_id)`.

    Raises:
        ValueError: One of the ids is missing or empty.
    """
    for name, value in ids.items():
        if not value:
            raise ValueError(f"{name} is missing. Set it: there is no default.")


def split_text(text: str, bytes_max: int) -> list[str]:
    """Splits a text into pieces of at most `bytes_max` bytes of UTF-8, never inside a character.

    Halves of surrogate pairs become question marks. An empty text has no pieces.

    Args:
        bytes_max: At least 4, the size of the largest character.
    """
    pieces: list[str] = []
    data = text.encode("utf-8", "replace")
    while data:
        piece = data[:bytes_max].decode("utf-8", "ignore")
        pieces.append(piece)
        data = data[len(piece.encode()) :]
    return pieces


def split_content(text: str) -> list[str]:
    """Splits a text into pieces that fit into the content of a memory each: at most 65,536 bytes.

    Leaves out pieces of white space.
    """
    return [piece for piece in split_text(text, _CONTENT_BYTES_MAX) if not _is_blank(piece)]


def cut_query(text: str) -> str:
    """Returns the first 8,192 bytes of a text, the limit of a query. Empty for white space."""
    if _is_blank(text):
        return ""
    return text.strip().encode("utf-8", "replace")[:_QUERY_BYTES_MAX].decode("utf-8", "ignore")


def add_all(memories: Memories, added: Iterable[AddRequestFields]) -> list[str]:
    """Stores any number of memories, in as few calls of AddMany as their sizes allow.

    Each call is one atomic step. Returns the ids of the memories, in their order.

    Raises:
        VademecumError: The server refuses one of the memories. The others of its call, and the
            calls before, are stored.
    """
    return [id for request in _requests_of(added) for id in _ids_of(memories.add_many(request))]


async def add_all_async(memories: AsyncMemories, added: Iterable[AddRequestFields]) -> list[str]:
    """Does the same as `add_all` with an asynchronous client."""
    return [id for request in _requests_of(added) for id in _ids_of(await memories.add_many(request))]


def _requests_of(added: Iterable[AddRequestFields]) -> Iterator[list[AddRequestFields]]:
    request: list[AddRequestFields] = []
    size = elements = 0
    for memory in added:
        metadata, embedding = memory.get("metadata"), list(memory.get("embedding", ()))
        own_size = len(memory["content"].encode("utf-8", "replace")) + _json_size(metadata) + 4 * len(embedding)
        own_elements = len(embedding) + len(memory.get("tags", ())) + _elements_in(metadata) + _OTHER_ELEMENTS
        size += own_size + _OTHER_FIELDS_BYTES
        elements += own_elements
        is_full = len(request) == _MEMORIES_MAX or size > _REQUEST_BYTES_MAX or elements > _ELEMENTS_MAX
        if request and is_full:
            yield request
            request, size, elements = [], own_size + _OTHER_FIELDS_BYTES, own_elements
        request.append({**memory, "embedding": embedding} if embedding else memory)
    if request:
        yield request


def _elements_in(value: object) -> int:
    """Counts a value of JSON as three elements: a map entry, its message, and a list or a map."""
    items = value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ()
    return 3 + sum(_elements_in(item) for item in items)


def _is_blank(text: str) -> bool:
    """Whether the server refuses a text as blank. For the server, U+FEFF is white space too."""
    return not text.replace("\ufeff", "").strip()


def _json_size(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False, default=str).encode("utf-8", "replace"))


def _ids_of(response: AddManyResponse) -> Iterator[str]:
    for result in response.results:
        if result.HasField("error"):
            raise _error_of(result.error)
        yield result.id


def _error_of(status: Status) -> VademecumError:
    code = next(it for it in grpc.StatusCode if it.value[0] == status.code)
    return VademecumError(code, status.message, **details_of(status))
