from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import Agent
from pydantic_ai.conversation import Conversation
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from vademecum import Client, VademecumError
from vademecum.aio import AsyncClient, connect
from vademecum_contract import Contract, Server, Subject, run_readme
from vademecum_pydantic_ai import VademecumCapability, VademecumConversationStore


class ScriptedModel:
    """Gives fixed replies, and keeps what the model was sent."""

    def __init__(self, *replies: str | ToolCallPart) -> None:
        self._replies = list(replies)
        self.requests: list[list[ModelMessage]] = []
        self.tools: list[str] = []
        self.model = FunctionModel(self._reply)

    def _reply(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.requests.append(messages)
        self.tools = sorted(tool.name for tool in info.function_tools)
        reply = self._replies.pop(0) if self._replies else "Noted."
        return ModelResponse(parts=[TextPart(content=reply) if isinstance(reply, str) else reply])


def with_client(server: Server, case: Callable[[AsyncClient], Awaitable[None]]) -> None:
    async def run() -> None:
        async with connect(server.address) as client:
            await case(client)

    asyncio.run(run())


class AgentSubject(Subject):
    """Turns that runs of an agent have stored."""

    def __init__(self, client: AsyncClient, user_id: str) -> None:
        capability = VademecumCapability(client, user_id=user_id, agent_id="guide", toolsets=())
        self._agent = Agent(ScriptedModel().model, capabilities=[capability])
        self._threads = client.threads(user_id=user_id, agent_id="guide")

    async def write(self, text: str) -> None:
        await self._agent.run(text, conversation_id="monday")

    async def read(self) -> Sequence[str]:
        turns = (await self._threads.get_turns("monday", limit=1000)).turns
        return [turn.content for turn in turns if turn.author == "user"]


class TestContractOfTheCapability(Contract):
    @asynccontextmanager
    async def open(self, address: str, user_id: str) -> AsyncIterator[Subject]:
        async with connect(address) as client:
            yield AgentSubject(client, user_id)


class StoreSubject(Subject):
    """Texts as the scopes of conversations."""

    def __init__(self, store: VademecumConversationStore) -> None:
        self._store = store
        self._ids: dict[str, str] = {}

    async def write(self, text: str) -> None:
        self._ids[text] = f"conversation-{len(self._ids)}"
        await self._store.save(Conversation(conversation_id=self._ids[text]), scope=text)

    async def read(self) -> Sequence[str]:
        return [str(record.scope) for record in reversed(await self._store.list_conversations())]

    async def remove(self, text: str) -> None:
        await self._store.delete(self._ids[text])

    async def read_some(self, limit: int) -> Sequence[str]:
        return [str(record.scope) for record in await self._store.list_conversations(limit=limit)]


class TestContractOfTheStore(Contract):
    @asynccontextmanager
    async def open(self, address: str, user_id: str) -> AsyncIterator[Subject]:
        async with connect(address) as client:
            yield StoreSubject(VademecumConversationStore(client, user_id=user_id, agent_id="guide"))


def test_an_agent_remembers_earlier_conversations_and_its_history_stays_without_notes(
    server: Server, user_id: str
) -> None:
    async def case(client: AsyncClient) -> None:
        scripted = ScriptedModel()
        agent = Agent(
            scripted.model, capabilities=[VademecumCapability(client, user_id=user_id, agent_id="guide", toolsets=())]
        )
        await agent.run("I am allergic to hazelnuts", conversation_id="monday")
        result = await agent.run(["I bake a cake.", "Are hazelnuts fine?"], conversation_id="tuesday")
        assert "Notes about" not in str(scripted.requests[0])
        assert "user: I am allergic to hazelnuts" in str(scripted.requests[1])
        assert "Notes about" not in str(result.all_messages())
        await agent.run("Thanks for the help with hazelnuts", message_history=result.all_messages())
        assert "I bake a cake.\\nAre hazelnuts fine?" not in str(scripted.requests[2])

    with_client(server, case)


def test_a_model_uses_the_tools_of_the_server(server: Server, client: Client, user_id: str) -> None:
    async def case(connected: AsyncClient) -> None:
        call = ToolCallPart(tool_name="add_memory", args={"content": "Ada likes tea"})
        wrong = ToolCallPart(tool_name="forget_memory", args={"id": "unknown"})
        scripted = ScriptedModel(call, wrong, "Done")
        capability = VademecumCapability(connected, user_id=user_id, agent_id="guide", stores_turns=False)
        result = await Agent(scripted.model, capabilities=[capability]).run("I like tea")
        assert result.output == "Done"
        assert {"add_memory", "search_memory", "propose_memory_edit"} <= set(scripted.tools)

    with_client(server, case)
    memories = client.memories(user_id=user_id, agent_id="guide").get_all().memories
    assert [memory.content for memory in memories] == ["Ada likes tea"]


def test_the_store_and_the_capability_work_together(server: Server, client: Client, user_id: str) -> None:
    async def case(connected: AsyncClient) -> None:
        scripted = ScriptedModel()
        ids = {"user_id": user_id, "agent_id": "guide"}
        store = VademecumConversationStore(connected, **ids)
        capability = VademecumCapability(connected, **ids, toolsets=(), stores_turns=False)
        agent = Agent(scripted.model, capabilities=[capability])
        for day, text in (("monday", "I am allergic to hazelnuts"), ("tuesday", "Are hazelnuts fine in a conversation?")):
            await store.save(await agent.run(text, conversation_id=day))
        assert "user: I am allergic to hazelnuts" in str(scripted.requests[1])
        assert "state of a conversation" not in str(scripted.requests[1])

    with_client(server, case)
    turns = client.threads(user_id=user_id, agent_id="guide").get_turns("monday").turns
    assert [(turn.author, turn.content) for turn in turns] == [
        ("user", "I am allergic to hazelnuts"),
        ("assistant", "Noted."),
    ]


def test_a_failing_memory_fails_the_run_unless_the_program_says_otherwise(user_id: str, caplog: Any) -> None:
    async def run(on_error: Any) -> str:
        async with connect("127.0.0.1:1", timeout=1) as client:
            capability = VademecumCapability(
                client, user_id=user_id, agent_id="guide", on_error=on_error
            )
            return (await Agent(ScriptedModel().model, capabilities=[capability]).run("Hello")).output

    with pytest.raises(VademecumError):
        asyncio.run(run("raise"))
    assert asyncio.run(run("continue")) == "Noted."
    assert len([it for it in caplog.records if "goes on without memory" in it.message]) == 1


@pytest.mark.parametrize("name", ["user_id", "agent_id"])
@pytest.mark.parametrize("kind", [VademecumCapability, VademecumConversationStore])
def test_without_an_id_there_is_no_memory(kind: Any, name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} is missing"):
        kind(connect("127.0.0.1:1"), **{"user_id": "ada", "agent_id": "guide", name: ""})


def test_the_program_of_the_readme_prints_what_the_readme_shows(server: Server) -> None:
    run = run_readme(Path(__file__).parents[1] / "README.md", server.address)
    assert run.errors == ""
    assert run.printed == run.shown
