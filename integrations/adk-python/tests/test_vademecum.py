"""What the service adds to the in-memory service of ADK."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from google.adk.agents import LlmAgent
from google.adk.events.event import Event
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService
from google.adk.tools.preload_memory_tool import PreloadMemoryTool
from google.genai import types
from vademecum import Client, VademecumError
from vademecum.aio import connect
from vademecum_adk import VademecumMemoryService
from vademecum_contract import Contract, Server, Subject, run_readme

IDS = {"app_name": "guide", "user_id": "ada"}


def content(text: str) -> types.Content:
    return types.Content(role="user", parts=[types.Part(text=text)])


class ServiceSubject(Subject):
    def __init__(self, service: VademecumMemoryService, user_id: str) -> None:
        self._service = service
        self._user_id = user_id

    async def write(self, text: str) -> None:
        event = Event(id=text, author="user", content=content(text))
        await self._service.add_events_to_memory(app_name="guide", user_id=self._user_id, events=[event])

    async def read(self) -> Sequence[str]:
        memories = self._service._memories("guide", self._user_id)
        stored = (await memories.get_all(limit=1000)).memories
        return [memory.content for memory in reversed(stored) if memory.kind != "adk_deleted"]

    async def remove(self, text: str) -> None:
        found = await self._service.search_memory(app_name="guide", user_id=self._user_id, query=text)
        (id,) = [it.id for it in found.memories if it.content == content(text)]
        await self._service.delete_memory(app_name="guide", user_id=self._user_id, memory_id=id)

    async def read_some(self, limit: int) -> Sequence[str]:
        limited = VademecumMemoryService(self._service._client, limit=limit)
        found = await limited.search_memory(app_name="guide", user_id=self._user_id, query="paint")
        return [str(it.content) for it in found.memories]


class TestContract(Contract):
    @asynccontextmanager
    async def open(self, address: str, user_id: str) -> AsyncIterator[Subject]:
        async with connect(address) as client:
            yield ServiceSubject(VademecumMemoryService(client), user_id)


def with_service(server: Server, case: Callable[[VademecumMemoryService], Awaitable[None]], **options: str) -> None:
    async def run() -> None:
        async with connect(server.address) as client:
            await case(VademecumMemoryService(client, **options))  # type: ignore[arg-type]

    asyncio.run(run())


def test_facts_are_stored_with_their_metadata_and_replaced_by_their_id(server: Server, user_id: str) -> None:
    async def case(service: VademecumMemoryService) -> None:
        async def add(text: str, **fields: str) -> None:
            entry = MemoryEntry(content=content(text), custom_metadata={"sure": True}, author="Ada", **fields)  # type: ignore[arg-type]
            await service.add_memory(
                app_name="guide", user_id=user_id, memories=[entry], custom_metadata={"batch": "7"}
            )

        await add("Ada lives in Lyon", id="home", timestamp="2024-05-01T10:00:00Z")
        await add("Ada lives in Dijon", id="home")
        await add("Ada likes tea")
        found = (await service.search_memory(app_name="guide", user_id=user_id, query="Where does Ada live?")).memories
        assert found[0].content == content("Ada lives in Dijon")
        assert found[0].custom_metadata == {"sure": True, "batch": "7"}
        assert "Ada lives in Lyon" not in str(found)
        await service.delete_memory(app_name="guide", user_id=user_id, memory_id=found[0].id)
        await add("Ada lives in Nice", id="home")
        assert "Nice" in str(await service.search_memory(app_name="guide", user_id=user_id, query="Where does Ada live?"))

    with_service(server, case)


def test_a_fact_without_text_is_refused(server: Server) -> None:
    async def case(service: VademecumMemoryService) -> None:
        entry = MemoryEntry(content=types.Content(parts=[]))
        with pytest.raises(ValueError, match="has no text"):
            await service.add_memory(**IDS, memories=[entry])

    with_service(server, case)


def test_events_are_turns_of_their_session(server: Server, client: Client, user_id: str) -> None:
    async def case(service: VademecumMemoryService) -> None:
        events = [Event(id=str(it), author="user", content=content(f"turn {it}"), timestamp=1e9 + it) for it in range(3)]
        await service.add_events_to_memory(
            app_name="guide", user_id=user_id, events=events[::-1], session_id="monday", custom_metadata={"channel": "web"}
        )
        (entry, *_) = (await service.search_memory(app_name="guide", user_id=user_id, query="turn 1")).memories
        assert entry.custom_metadata == {"channel": "web"}

    with_service(server, case)
    turns = client.threads(user_id=user_id, agent_id="guide").get_turns("monday").turns
    assert [turn.content for turn in turns] == ["turn 0", "turn 1", "turn 2"]


def test_long_texts_and_long_sessions_are_stored_whole(server: Server, client: Client, user_id: str) -> None:
    text = "Pâté de foie. " * 10_000

    async def case(service: VademecumMemoryService) -> None:
        events = [Event(id=str(it), author="user", content=content(f"event {it}")) for it in range(600)]
        events += [Event(id=f"long {it}", author="user", content=content(text)) for it in range(8)]
        for _ in range(2):
            await service.add_events_to_memory(app_name="guide", user_id=user_id, events=events)

    with_service(server, case)
    memories = client.memories(user_id=user_id, agent_id="guide")
    assert memories.count().count == 600 + 8 * 3
    pieces = [memories.get(external_id=f"adk/long 0{part}").memory.content for part in ("", "/2", "/3")]
    assert "".join(pieces) == text


def test_apps_with_the_same_agent_share_their_memories(server: Server, user_id: str) -> None:
    async def case(service: VademecumMemoryService) -> None:
        event = Event(id="1", author="user", content=content("Ada likes tea"))
        await service.add_events_to_memory(app_name="web", user_id=user_id, events=[event])
        assert len((await service.search_memory(app_name="phone", user_id=user_id, query="tea")).memories) == 1

    with_service(server, case, agent_id="shared")


def test_memories_of_other_clients_are_found_whatever_their_metadata_is(
    server: Server, client: Client, user_id: str
) -> None:
    metadata = {"role": 3, "content": "no JSON", "custom": []}
    client.memories(user_id=user_id, agent_id="guide").add("Ada likes tea", metadata=metadata)

    async def case(service: VademecumMemoryService) -> None:
        (entry,) = (await service.search_memory(app_name="guide", user_id=user_id, query="tea")).memories
        assert (entry.content.parts, entry.custom_metadata) == (content("Ada likes tea").parts, {})

    with_service(server, case)


def test_a_text_with_half_of_a_surrogate_pair_is_stored_with_a_replacement(server: Server, user_id: str) -> None:
    async def case(service: VademecumMemoryService) -> None:
        event = Event(id="1", author="user", content=content("I like tea \ud83d"))
        await service.add_events_to_memory(app_name="guide", user_id=user_id, events=[event])
        (entry,) = (await service.search_memory(app_name="guide", user_id=user_id, query="tea \ud83d")).memories
        assert entry.content.parts == content("I like tea ?").parts

    with_service(server, case)


def test_an_error_of_the_server_reaches_the_caller(server: Server) -> None:
    async def case(service: VademecumMemoryService) -> None:
        event = Event(id="x" * 300, author="user", content=content("too long an id"))
        with pytest.raises(VademecumError, match="external_id"):
            await service.add_events_to_memory(**IDS, events=[event])

    with_service(server, case)


@pytest.mark.parametrize("name", IDS)
def test_without_a_user_or_an_app_nothing_is_done(server: Server, name: str) -> None:
    async def case(service: VademecumMemoryService) -> None:
        with pytest.raises(ValueError, match=f"{name} is missing"):
            await service.search_memory(**{**IDS, name: ""}, query="tea")

    with_service(server, case)


class ScriptedLlm(BaseLlm):
    model: str = "scripted"
    requests: list[str] = []

    async def generate_content_async(self, llm_request: LlmRequest, stream: bool = False) -> AsyncGenerator[LlmResponse, None]:
        self.requests.append(str(llm_request.contents))
        yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text="Noted.")]))


def test_an_agent_remembers_earlier_sessions(server: Server, user_id: str) -> None:
    async def case(service: VademecumMemoryService) -> None:
        llm = ScriptedLlm()
        agent = LlmAgent(name="guide", model=llm, tools=[PreloadMemoryTool()])
        sessions = InMemorySessionService()
        runner = Runner(app_name="guide", agent=agent, session_service=sessions, memory_service=service)
        for day, text in (("monday", "I am allergic to hazelnuts"), ("tuesday", "A cake without hazelnuts?")):
            await sessions.create_session(app_name="guide", user_id=user_id, session_id=day)
            async for _ in runner.run_async(user_id=user_id, session_id=day, new_message=content(text)):
                pass
            stored = await sessions.get_session(app_name="guide", user_id=user_id, session_id=day)
            assert stored is not None
            await service.add_session_to_memory(stored)
        assert "allergic" not in llm.requests[0].replace("I am allergic to hazelnuts", "", 1)
        assert "user: I am allergic to hazelnuts" in llm.requests[1]

    with_service(server, case)


def test_the_program_of_the_readme_prints_what_the_readme_shows(server: Server) -> None:
    run = run_readme(Path(__file__).parents[1] / "README.md", server.address)
    assert run.errors == ""
    assert run.printed == run.shown
