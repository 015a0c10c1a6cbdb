from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import grpc
from langgraph.store.base import ListNamespacesOp, MatchCondition, SearchItem, SearchOp
from vademecum import Memories, VademecumError
from vademecum.types import FilterFields
from vademecum.v1.memory_pb2 import Memory
from vademecum.v1.search_pb2 import OMISSION_REASON_NEAR_COPY

from .filter_expression import filter_expression
from .item_memory import INDEXED_KIND, UNINDEXED_KIND, item_tag, namespace_of, prefix_tag, search_item_of

ItemPath = tuple[tuple[str, ...], str]
"""The LangGraph namespace and the key of an item."""

# The server's limit on tags in a filter.
_TAGS_MAX = 32
# The server's limit on hits of a search, and on memories of a page.
_HITS_MAX = 1000


@dataclass(frozen=True)
class Hit:
    """A search hit."""

    memory: Memory
    score: float | None

    def item(self) -> SearchItem:
        return search_item_of(self.memory, self.score)


class ItemReads:
    """Finds items."""

    def __init__(self, memories: Memories) -> None:
        self._memories = memories

    def find(self, paths: Sequence[ItemPath]) -> dict[ItemPath, list[Memory]]:
        """Returns the memories of items, newest first, by the paths of the items.

        Normally an item has one memory. After concurrent or interrupted puts, an item can have
        several: see `ItemWrites.write`.
        """
        path_by_tag = {item_tag(*path): path for path in paths}
        tags = list(path_by_tag)
        memories_by_path: dict[ItemPath, list[Memory]] = {}
        for start in range(0, len(tags), _TAGS_MAX):
            # Searches, because a search finds the tags in the index in RAM. A listing would read
            # all memories from disk.
            for hit in self._ranked("", {"tags_any": tags[start : start + _TAGS_MAX]}, _HITS_MAX):
                path = next((path_by_tag[tag] for tag in hit.memory.tags if tag in path_by_tag), None)
                if path is not None:
                    memories_by_path.setdefault(path, []).append(hit.memory)
        for memories in memories_by_path.values():
            memories.sort(key=lambda memory: memory.id, reverse=True)
        return memories_by_path

    def search(self, op: SearchOp) -> list[Hit]:
        """Returns the items under a prefix.

        Without a query, the newest item is first. With a query, the order is:

        1. items that match the query, best first
        2. other indexed items, newest first, with score 0
        3. items that are not indexed, newest first, without a score
        """
        end = op.offset + op.limit
        if op.limit <= 0:
            return []
        filter: FilterFields = {"kinds": [INDEXED_KIND, UNINDEXED_KIND]}
        if op.namespace_prefix:
            filter["tags_all"] = [prefix_tag(op.namespace_prefix)]
        expression = filter_expression(op.filter)
        if expression is not None:
            filter["expression"] = expression
        if not op.query:
            hits = (Hit(memory, None) for memory in self._listed(filter, end))
            return list(islice(_without_repeats(hits), op.offset, end))
        if end > _HITS_MAX:
            raise ValueError(f"offset and limit: ask for {end} items; a query returns at most {_HITS_MAX}")
        items = list(_without_repeats(iter(self._matching_first(op.query, filter, end))))
        return items[op.offset : end]

    def list_namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        """Returns the sorted namespaces of all items. Reads every item under the given prefixes."""
        conditions = op.match_conditions or ()
        filter: FilterFields = {"kinds": [INDEXED_KIND, UNINDEXED_KIND]}
        prefixes = [prefix_tag(it.path) for it in conditions if it.match_type == "prefix" and it.path and "*" not in it.path]
        if prefixes:
            filter["tags_all"] = prefixes[:_TAGS_MAX]
        namespaces = {namespace_of(memory) for memory in self._listed(filter, _HITS_MAX)}
        matching = (it for it in namespaces if all(_matches(condition, it) for condition in conditions))
        return sorted({it[: op.max_depth] for it in matching})[op.offset : op.offset + op.limit]

    def _matching_first(self, query: str, filter: FilterFields, limit: int) -> list[Hit]:
        """Returns the memories for a search with a query, in the order of `search`.

        In a LangGraph store, a query only orders the items. Only a filter leaves items out.
        """
        indexed: FilterFields = {**filter, "kinds": [INDEXED_KIND]}
        hits = self._ranked(query, indexed, limit)
        if len(hits) >= limit:
            return hits
        hit_ids = {hit.memory.id for hit in hits}
        others = self._ranked("", indexed, min(limit + len(hits), _HITS_MAX))
        scored = hits + [hit for hit in others if hit.memory.id not in hit_ids]
        if len(scored) >= limit:
            return scored[:limit]
        unindexed = self._ranked("", {**filter, "kinds": [UNINDEXED_KIND]}, limit - len(scored))
        return scored + [Hit(hit.memory, None) for hit in unindexed]

    def _ranked(self, query: str, filter: FilterFields, limit: int) -> list[Hit]:
        result = self._memories.search(
            query, limit=limit, filter=filter, min_relevance=0, weights={"recency": 0, "importance": 0}
        ).collect()
        hits = [Hit(it.memory, it.scores.final) for it in result.hits]
        # The server omits near-copies of better hits. A LangGraph store must return near-copies.
        copies = [it for it in result.summary.omitted if it.reason == OMISSION_REASON_NEAR_COPY]
        if not copies:
            return hits
        ranked = [(hit.score or 0.0, hit.memory.id, hit) for hit in hits] + [(it.score, it.id, None) for it in copies]
        ranked.sort(key=lambda it: it[:2], reverse=True)
        selection = (hit or self._copy(id, score) for score, id, hit in ranked[:limit])
        return [hit for hit in selection if hit is not None]

    def _copy(self, id: str, score: float) -> Hit | None:
        try:
            return Hit(self._memories.get(id).memory, score)
        except VademecumError as error:
            # The memory was deleted after the search.
            if error.code is grpc.StatusCode.NOT_FOUND:
                return None
            raise

    def _listed(self, filter: FilterFields, page_size: int) -> Iterator[Memory]:
        page_token = ""
        while True:
            page = self._memories.get_all(filter=filter, limit=min(page_size, _HITS_MAX), page_token=page_token)
            yield from page.memories
            page_token = page.next_page_token
            if not page_token:
                return


def _without_repeats(hits: Iterator[Hit]) -> Iterator[Hit]:
    """Yields each item once, even if it has several memories: see `ItemReads.find`."""
    seen_tags: set[str] = set()
    for hit in hits:
        tag = hit.memory.tags[0]
        if tag not in seen_tags:
            seen_tags.add(tag)
            yield hit


def _matches(condition: MatchCondition, namespace: tuple[str, ...]) -> bool:
    length = len(condition.path)
    if length > len(namespace):
        return False
    part = namespace[:length] if condition.match_type == "prefix" else namespace[len(namespace) - length :]
    return all(pattern in ("*", label) for pattern, label in zip(condition.path, part, strict=True))
