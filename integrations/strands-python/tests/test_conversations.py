"""What the store adds to the test store of Strands: messages, users, and a server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from scripted_model import ScriptedModel
from strands import Agent
from strands.memory import AddMessagesContext, ExtractionConfig, InvocationTrigger, MemoryManager
from vademecum import Client, VademecumError, connect
from vademecum_contract import Contract, Server, Subject, run_readme
from vademecum_strands import VademecumMemoryStore


class StoreSubject(Subject):
    def __init__(self, store: VademecumMemoryStore, client: Client, user_id: str) -> None:
        self._store = store
        self._memories = client.memories(user_id=user_id, agent_id="guide")

    async def write(self, text: str) -> None:
        await self._store.add_messages([message(text)])

    async def read(self) -> Sequence[str]:
        return [memory.content for memory in reversed(self._memories.get_all(limit=1000).memories)]

    async def read_some(self, limit: int) -> Sequence[str]:
        return [entry.content for entry in await self._store.search("paint", {"max_search_results": limit})]


class TestContract(Contract):
    @asynccontextmanager
    async def open(self, address: str, user_id: str) -> AsyncIterator[Subject]:
        with connect(address) as client:
            yield StoreSubject(VademecumMemoryStore(client, user_id=user_id, agent_id="guide"), client, user_id)


def message(text: str, role: str = "user") -> Any:
    return {"role": role, "content": [{"text": text}]}


def turns(client: Client, user_id: str, thread_id: str = "monday") -> list[tuple[str, str]]:
    stored = client.threads(user_id=user_id, agent_id="guide").get_turns(thread_id, limit=100).turns
    return [(turn.author, turn.content) for turn in stored]


def test_messages_are_turns_and_a_repeated_batch_is_stored_once(client: Client, user_id: str) -> None:
    store = VademecumMemoryStore(client, user_id=user_id, agent_id="guide", thread_id="monday")
    batch = [message("ok"), message("Noted.", "assistant"), message("ok")]

    async def run() -> None:
        for _ in range(2):
            await store.add_messages(batch, AddMessagesContext(sequence_numbers=[0, 1, 3]))
        await store.add_messages([message("ok")], AddMessagesContext(sequence_numbers=[4]))
        await store.initialize()
        await store.add_messages([message("of a second agent")], AddMessagesContext(sequence_numbers=[0]))

    asyncio.run(run())
    first = [("user", "ok"), ("assistant", "Noted."), ("user", "ok"), ("user", "ok")]
    assert turns(client, user_id) == [*first, ("user", "of a second agent")]


def test_long_messages_and_messages_without_text(client: Client, user_id: str) -> None:
    store = VademecumMemoryStore(client, user_id=user_id, agent_id="guide", thread_id="monday")
    text = "Pâté " * 20_000
    tool_use: Any = {"role": "assistant", "content": [{"toolUse": {"name": "x", "input": {}, "toolUseId": "1"}}]}
    two: Any = {"role": "user", "content": [{"text": "one"}, {"text": "two"}]}
    asyncio.run(store.add_messages([message(text), tool_use, two, message(" ")]))
    stored = turns(client, user_id)
    assert "".join(content for _, content in stored[:-1]) == text
    assert stored[-1] == ("user", "one\ntwo")


def test_halves_of_surrogate_pairs_are_replaced(client: Client, user_id: str) -> None:
    store = VademecumMemoryStore(client, user_id=user_id, agent_id="guide", thread_id="monday")

    async def run() -> list[str]:
        await store.add("Ada likes tea \ud83d")
        await store.add_messages([message("Which tea \ud83d")])
        return sorted(entry.content for entry in await store.search("tea \ud83d"))

    assert asyncio.run(run()) == ["Ada likes tea ?", "Which tea ?"]


def test_the_manager_stores_the_messages_of_an_agent(client: Client, user_id: str) -> None:
    extraction = ExtractionConfig(trigger=[InvocationTrigger()])
    store = VademecumMemoryStore(
        client, user_id=user_id, agent_id="guide", thread_id="monday", extraction=extraction
    )

    async def run() -> None:
        manager = MemoryManager([store])
        agent = Agent(model=ScriptedModel(), memory_manager=manager, callback_handler=None)
        await agent.invoke_async("I am allergic to hazelnuts")
        await agent.invoke_async("And I like tea")
        await manager.flush()

    asyncio.run(run())
    assert [content for _, content in turns(client, user_id)] == [
        "I am allergic to hazelnuts",
        "Noted.",
        "And I like tea",
        "Noted.",
    ]


def test_users_and_agents_have_stores_of_their_own(client: Client, user_id: str) -> None:
    ids = [(user_id, "guide"), (f"{user_id}-b", "guide"), (user_id, "other")]
    stores = [VademecumMemoryStore(client, user_id=user, agent_id=agent) for user, agent in ids]
    asyncio.run(stores[0].add("Ada likes tea"))
    assert [len(asyncio.run(store.search("tea"))) for store in stores] == [1, 0, 0]


def test_an_error_of_the_server_reaches_the_caller(client: Client, user_id: str) -> None:
    store = VademecumMemoryStore(client, user_id=user_id, agent_id="guide")
    with pytest.raises(VademecumError, match="content"):
        asyncio.run(store.add("x" * 70_000))


@pytest.mark.parametrize("name", ["user_id", "agent_id"])
def test_without_an_id_there_is_no_store(client: Client, name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} is missing"):
        VademecumMemoryStore(client, **{"user_id": "ada", "agent_id": "guide", name: ""})


def test_the_program_of_the_readme_prints_what_the_readme_shows(server: Server) -> None:
    run = run_readme(Path(__file__).parents[1] / "README.md", server.address)
    assert run.errors == ""
    assert run.printed == run.shown
