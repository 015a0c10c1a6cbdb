from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import grpc
from langgraph.store.base import ListNamespacesOp, MatchCondition, SearchItem, SearchOp
from vademecum import Memories, VademecumError
from vademecum.types import FilterFields, RankingWeightsFields
from vademecum.v1.memory_pb2 import Memory

from .filter_expression import filter_expression
from .item_memory import INDEXED_KIND, UNINDEXED_KIND, external_id_of, namespace_of, prefix_tag, search_item_of

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

    def get(self, path: ItemPath) -> Memory | None:
        """Returns the memory of an item. None if there is no such item."""
        try:
            return self._memories.get(external_id=external_id_of(*path)).memory
        except VademecumError as error:
            if error.code is grpc.StatusCode.NOT_FOUND:
                return None
            raise

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
            return [Hit(memory, None) for memory in islice(self._listed(filter, end), op.offset, end)]
        if end > _HITS_MAX:
            raise ValueError(f"offset and limit: ask for {end} items; a query returns at most {_HITS_MAX}")
        return self._matching_first(op.query, filter, end)[op.offset : end]

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
        weights: RankingWeightsFields = {"recency": 0, "importance": 0}
        found = self._memories.search(
            query, limit=limit, filter=filter, min_relevance=0, weights=weights, near_copies="keep"
        )
        return [Hit(it.memory, it.scores.final) for it in found]

    def _listed(self, filter: FilterFields, page_size: int) -> Iterator[Memory]:
        page_token = ""
        while True:
            page = self._memories.get_all(filter=filter, limit=min(page_size, _HITS_MAX), page_token=page_token)
            yield from page.memories
            page_token = page.next_page_token
            if not page_token:
                return


def _matches(condition: MatchCondition, namespace: tuple[str, ...]) -> bool:
    length = len(condition.path)
    if length > len(namespace):
        return False
    part = namespace[:length] if condition.match_type == "prefix" else namespace[len(namespace) - length :]
    return all(pattern in ("*", label) for pattern, label in zip(condition.path, part, strict=True))
