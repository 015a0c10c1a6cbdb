from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from vademecum import connect
from vademecum_contract import Contract, Subject
from vademecum_langgraph import VademecumStore

TEXTS = ("texts",)


class StoreSubject(Subject):
    def __init__(self, store: VademecumStore) -> None:
        self._store = store

    async def write(self, text: str) -> None:
        await self._store.aput(TEXTS, text, {"text": text})

    async def read(self) -> Sequence[str]:
        return await self.read_some(100)

    async def remove(self, text: str) -> None:
        await self._store.adelete(TEXTS, text)

    async def read_some(self, limit: int) -> Sequence[str]:
        return [item.value["text"] for item in await self._store.asearch(TEXTS, limit=limit)]


class TestContract(Contract):
    is_ordered = False
    # A put begins with a search, and the client does not repeat a stream that has begun.
    repeats_failed_writes = True

    @asynccontextmanager
    async def open(self, address: str, user_id: str) -> AsyncIterator[Subject]:
        with connect(address) as client:
            yield StoreSubject(VademecumStore(client.memories(user_id=user_id, agent_id="graph")))
