"""The same cases with the service of this package and with the in-memory service of ADK."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from google.adk.events.event import Event
from google.adk.memory import BaseMemoryService, InMemoryMemoryService
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions.session import Session
from google.genai import types
from vademecum.aio import connect
from vademecum_adk import VademecumMemoryService
from vademecum_contract import Server

Case = Callable[[BaseMemoryService], Awaitable[None]]
Run = Callable[[Case], None]

TEA, RAIN = "I like green tea", "It rains in Lyon"


@pytest.fixture(params=["vademecum", "in memory"])
def run(request: pytest.FixtureRequest, server: Server) -> Run:
    async def with_vademecum(case: Case) -> None:
        async with connect(server.address) as client:
            await case(VademecumMemoryService(client))

    async def in_memory(case: Case) -> None:
        await case(InMemoryMemoryService())

    chosen = with_vademecum if request.param == "vademecum" else in_memory
    return lambda case: asyncio.run(chosen(case))


@pytest.fixture
def app(user_id: str) -> str:
    """An app that no other test has."""
    return f"app-of-{user_id}"


def event(id: str, *parts: str | types.Part, author: str = "user", timestamp: float = 1_700_000_000.0) -> Event:
    content = types.Content(role="user", parts=[types.Part(text=it) if isinstance(it, str) else it for it in parts])
    return Event(id=id, author=author, invocation_id="i", timestamp=timestamp, content=content)


def session(app: str, *events: Event, user: str = "ada", id: str = "monday") -> Session:
    return Session(app_name=app, user_id=user, id=id, events=list(events))


async def entries(service: BaseMemoryService, app: str, query: str, user: str = "ada") -> list[MemoryEntry]:
    return (await service.search_memory(app_name=app, user_id=user, query=query)).memories


async def texts(service: BaseMemoryService, app: str, query: str, user: str = "ada") -> list[str]:
    return [entry.content.parts[0].text or "" for entry in await entries(service, app, query, user) if entry.content.parts]


def test_a_new_user_has_no_memories(run: Run, app: str) -> None:
    async def case(service: BaseMemoryService) -> None:
        assert await texts(service, app, "tea") == []

    run(case)


def test_the_events_of_a_session_are_found(run: Run, app: str) -> None:
    async def case(service: BaseMemoryService) -> None:
        await service.add_session_to_memory(session(app, event("1", TEA), event("2", RAIN)))
        assert (await texts(service, app, "green tea"))[0] == TEA
        assert (await texts(service, app, "rains Lyon"))[0] == RAIN

    run(case)


def test_a_session_that_is_added_again_doubles_nothing(run: Run, app: str) -> None:
    async def case(service: BaseMemoryService) -> None:
        for _ in range(3):
            await service.add_session_to_memory(session(app, event("1", TEA)))
        await service.add_session_to_memory(session(app, event("1", TEA), event("2", "More tea please")))
        assert sorted(await texts(service, app, "tea")) == [TEA, "More tea please"]

    run(case)


def test_events_are_added_to_those_that_are_there(run: Run, app: str) -> None:
    async def case(service: BaseMemoryService) -> None:
        for events in ([event("1", TEA)], [event("2", "Black tea too")], [event("1", TEA)], []):
            await service.add_events_to_memory(app_name=app, user_id="ada", events=events, session_id="monday")
        assert sorted(await texts(service, app, "tea")) == ["Black tea too", TEA]

    run(case)


def test_events_need_no_session(run: Run, app: str) -> None:
    async def case(service: BaseMemoryService) -> None:
        for _ in range(2):
            await service.add_events_to_memory(app_name=app, user_id="ada", events=[event("1", TEA)])
        assert await texts(service, app, "tea") == [TEA]

    run(case)


def test_users_and_apps_have_memories_of_their_own(run: Run, app: str) -> None:
    async def case(service: BaseMemoryService) -> None:
        await service.add_session_to_memory(session(app, event("1", TEA)))
        assert await texts(service, app, "tea", user="bea") == []
        assert await texts(service, f"{app}2", "tea") == []
        await service.add_session_to_memory(session(app, event("1", "Tea is bad"), user="bea"))
        assert await texts(service, app, "tea") == [TEA]

    run(case)


def test_events_of_several_sessions_are_found_together(run: Run, app: str) -> None:
    async def case(service: BaseMemoryService) -> None:
        await service.add_session_to_memory(session(app, event("1", TEA)))
        await service.add_session_to_memory(session(app, event("2", "No tea today"), id="tuesday"))
        assert sorted(await texts(service, app, "tea")) == [TEA, "No tea today"]

    run(case)


def test_events_without_text_are_not_found(run: Run, app: str) -> None:
    call = types.Part(function_call=types.FunctionCall(name="tea", args={"kind": "green"}))

    async def case(service: BaseMemoryService) -> None:
        events = [event("1", call), event("2"), Event(id="3", author="user"), event("4", ""), event("5", TEA)]
        await service.add_session_to_memory(session(app, *events))
        assert await texts(service, app, "tea green kind") == [TEA]

    run(case)


def test_a_content_with_several_parts_comes_back_whole(run: Run, app: str) -> None:
    parts: list[str | types.Part] = [
        "Which tea",
        types.Part(inline_data=types.Blob(mime_type="image/png", data=b"\x00\xff")),
        types.Part(function_call=types.FunctionCall(name="brew", args={"grams": 2.5})),
        "is this?",
    ]

    async def case(service: BaseMemoryService) -> None:
        await service.add_session_to_memory(session(app, event("1", *parts)))
        (entry,) = await entries(service, app, "tea")
        assert entry.content == event("1", *parts).content

    run(case)


def test_a_memory_has_its_author_role_and_time(run: Run, app: str) -> None:
    async def case(service: BaseMemoryService) -> None:
        await service.add_session_to_memory(session(app, event("1", TEA, author="guide", timestamp=1_700_000_000.5)))
        (entry,) = await entries(service, app, "tea")
        assert (entry.author, entry.content.role) == ("guide", "user")
        assert entry.timestamp is not None and "2023-11-14T22:13:20.5" in entry.timestamp

    run(case)


@pytest.mark.parametrize("query", ["", "  ", "\n"])
def test_an_empty_query_finds_nothing(run: Run, app: str, query: str) -> None:
    async def case(service: BaseMemoryService) -> None:
        await service.add_session_to_memory(session(app, event("1", TEA)))
        assert await texts(service, app, query) == []

    run(case)


def test_a_search_returns_at_most_ten_memories(run: Run, app: str) -> None:
    async def case(service: BaseMemoryService) -> None:
        events = [event(str(number), f"Tea number {number} tastes of {number * 7}") for number in range(15)]
        await service.add_session_to_memory(session(app, *events))
        assert len(await texts(service, app, "tea")) == 10

    run(case)


@pytest.mark.parametrize(("text", "query"), [("私はPythonを使う", "Python"), ("我喜欢绿茶", "绿茶"), ("Crème brûlée", "brûlée")])
def test_words_of_other_scripts_are_found(run: Run, app: str, text: str, query: str) -> None:
    async def case(service: BaseMemoryService) -> None:
        await service.add_session_to_memory(session(app, event("1", text)))
        assert await texts(service, app, query) == [text]

    run(case)


def test_a_deleted_memory_stays_deleted_when_its_session_is_added_again(run: Run, app: str) -> None:
    async def case(service: BaseMemoryService) -> None:
        monday = session(app, event("1", TEA), event("2", "Tea is for the morning"))
        await service.add_session_to_memory(monday)
        ids = {entry.content.parts[0].text: entry.id for entry in await entries(service, app, "tea") if entry.content.parts}
        await service.delete_memory(app_name=app, user_id="ada", memory_id=ids[TEA])
        for _ in range(2):
            assert await texts(service, app, "tea deleted") == ["Tea is for the morning"]
            await service.add_session_to_memory(monday)
            await service.add_events_to_memory(app_name=app, user_id="ada", events=monday.events, session_id="monday")

    run(case)


def test_unknown_memories_of_others_and_no_memory_are_not_deleted(run: Run, app: str) -> None:
    async def case(service: BaseMemoryService) -> None:
        await service.add_session_to_memory(session(app, event("1", TEA)))
        (entry,) = await entries(service, app, "tea")
        await service.delete_memory(app_name=app, user_id="ada", memory_id="unknown")
        await service.delete_memory(app_name=app, user_id="ada", memory_id=None)
        await service.delete_memory(app_name=app, user_id="bea", memory_id=entry.id)
        assert await texts(service, app, "tea") == [TEA]

    run(case)


def test_services_at_the_same_time_store_a_session_once(run: Run, app: str) -> None:
    async def case(service: BaseMemoryService) -> None:
        added: list[Any] = [service.add_session_to_memory(session(app, event("1", TEA))) for _ in range(5)]
        await asyncio.gather(*added)
        assert await texts(service, app, "tea") == [TEA]

    run(case)
