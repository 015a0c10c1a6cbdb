"""What the session adds to that of the SDK: users, searches, and other writers of the thread."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from vademecum import Client
from vademecum.aio import AsyncClient, connect
from vademecum_contract import Contract, Server, Subject, run_readme
from vademecum_openai_agents import VademecumSession


class SessionSubject(Subject):
    def __init__(self, session: VademecumSession) -> None:
        self._session = session

    async def write(self, text: str) -> None:
        await self._session.add_items([{"role": "user", "content": text}])

    async def read(self) -> Sequence[str]:
        return [str(item["content"]) for item in await self._session.get_items()]  # type: ignore[typeddict-item]

    async def remove(self, text: str) -> None:
        # A session deletes only its last item.
        assert (await self._session.pop_item()) == {"role": "user", "content": text}

    async def read_some(self, limit: int) -> Sequence[str]:
        return [str(item["content"]) for item in await self._session.get_items(limit)]  # type: ignore[typeddict-item]


class TestContract(Contract):
    @asynccontextmanager
    async def open(self, address: str, user_id: str) -> AsyncIterator[Subject]:
        async with connect(address) as client:
            yield SessionSubject(VademecumSession("chat", client=client, user_id=user_id, agent_id="guide"))


def add(server: Server, user_id: str, *items: Any) -> None:
    async def run() -> None:
        async with connect(server.address) as client:
            await VademecumSession("chat", client=client, user_id=user_id, agent_id="guide").add_items(list(items))

    asyncio.run(run())


def test_what_was_said_is_found_by_a_search(server: Server, client: Client, user_id: str) -> None:
    call = {"type": "function_call", "call_id": "c", "name": "book_table", "arguments": '{"city": "Dijon"}'}
    add(server, user_id, {"role": "user", "content": "I am allergic to hazelnuts"}, call)
    memories = client.memories(user_id=user_id, agent_id="guide")
    assert [hit.memory.content for hit in memories.search("a nut allergy")][:1] == ["I am allergic to hazelnuts"]
    turns = client.threads(user_id=user_id, agent_id="guide").get_turns("chat").turns
    assert [(turn.author, turn.kind, turn.content) for turn in turns] == [
        ("user", "message", "I am allergic to hazelnuts"),
        ("", "function_call", 'book_table({"city": "Dijon"})'),
    ]


def test_turns_of_other_writers_are_no_items_and_stay(server: Server, client: Client, user_id: str) -> None:
    threads = client.threads(user_id=user_id, agent_id="guide")
    add(server, user_id, {"role": "user", "content": "item"})
    threads.append_turns("chat", [{"content": "a note of a person"}])

    async def run() -> None:
        async with connect(server.address) as connected:
            session = VademecumSession("chat", client=connected, user_id=user_id, agent_id="guide")
            assert len(await session.get_items(1)) == 1
            assert await session.pop_item() == {"role": "user", "content": "item"}

    asyncio.run(run())
    assert [turn.content for turn in threads.get_turns("chat").turns] == ["a note of a person"]


@pytest.mark.parametrize("name", ["session_id", "user_id", "agent_id"])
def test_without_an_id_there_is_no_session(name: str) -> None:
    ids = {"session_id": "chat", "user_id": "ada", "agent_id": "guide", name: ""}
    with pytest.raises(ValueError, match=f"{name} is missing"):
        VademecumSession(client=connect("127.0.0.1:1"), **ids)


def test_agents_and_users_have_sessions_of_their_own(server: Server, user_id: str) -> None:
    async def items(client: AsyncClient, user: str, agent: str) -> Sequence[Any]:
        return await VademecumSession("chat", client=client, user_id=user, agent_id=agent).get_items()

    async def run() -> None:
        async with connect(server.address) as client:
            assert [len(await items(client, *ids)) for ids in ((user_id, "guide"), ("other", "guide"), (user_id, "x"))] == [1, 0, 0]

    add(server, user_id, {"role": "user", "content": "mine"})
    asyncio.run(run())


def test_the_program_of_the_readme_prints_what_the_readme_shows(server: Server) -> None:
    run = run_readme(Path(__file__).parents[1] / "README.md", server.address)
    assert run.errors == ""
    assert run.printed == run.shown
