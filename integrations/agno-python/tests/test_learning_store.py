from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from agno.agent import Agent
from agno.db.in_memory import InMemoryDb
from agno.learn.machine import LearningMachine
from agno.learn.stores.protocol import LearningStore
from agno.models.message import Message
from scripted_model import ScriptedModel
from vademecum import Client, VademecumError, connect
from vademecum_agno import VademecumLearningStore
from vademecum_contract import Contract, Server, Subject, run_readme


class StoreSubject(Subject):
    def __init__(self, client: Client, user_id: str) -> None:
        self._store = VademecumLearningStore(client, agent_id="guide")
        self._client = client
        self._user_id = user_id

    async def write(self, text: str) -> None:
        message = Message(role="user", content=text)
        await self._store.aprocess([message], user_id=self._user_id, session_id="monday")

    async def read(self) -> Sequence[str]:
        threads = self._client.threads(user_id=self._user_id, agent_id="guide")
        return [turn.content for turn in threads.get_turns("monday", limit=1000).turns]


class TestContract(Contract):
    @asynccontextmanager
    async def open(self, address: str, user_id: str) -> AsyncIterator[Subject]:
        with connect(address) as client:
            yield StoreSubject(client, user_id)


@pytest.fixture
def store(client: Client) -> VademecumLearningStore:
    return VademecumLearningStore(client, agent_id="guide")


def turns(client: Client, user_id: str, session_id: str) -> list[tuple[str, str]]:
    stored = client.threads(user_id=user_id, agent_id="guide").get_turns(session_id).turns
    return [(turn.author, turn.content) for turn in stored]


def agent_with(store: VademecumLearningStore, model: ScriptedModel) -> Agent:
    machine = LearningMachine(custom_stores={"vademecum": store})
    return Agent(model=model, db=InMemoryDb(), learning=machine, telemetry=False)


def test_the_store_is_a_learning_store(store: VademecumLearningStore) -> None:
    assert isinstance(store, LearningStore)
    assert store.learning_type == "vademecum"


def test_what_was_said_is_recalled_for_a_message(store: VademecumLearningStore, user_id: str) -> None:
    assert store.recall(user_id=user_id, message="tea?") is None
    messages = [Message(role="user", content="I am allergic to hazelnuts"), Message(role="assistant", content="Noted.")]
    store.process(messages, user_id=user_id, session_id="monday")
    assert store.was_updated
    data = store.recall(user_id=user_id, session_id="tuesday", message="Are hazelnuts fine?")
    assert "user: I am allergic to hazelnuts" in store.build_context(data)
    assert store.recall(user_id=user_id, message=" ") is None
    assert store.build_context(None) == ""


@pytest.mark.parametrize(
    ("roles", "expected"),
    [(("user",), [("user", "Hello")]), (("user", "assistant"), [("user", "Hello"), ("assistant", "Hi.")])],
)
def test_messages_of_the_chosen_roles_are_stored_once(
    client: Client, user_id: str, roles: Sequence[str], expected: list[tuple[str, str]]
) -> None:
    store = VademecumLearningStore(client, agent_id="guide", roles=roles)
    messages = [
        Message(role="system", content="Be kind."),
        Message(role="user", content="an old question", from_history=True),
        Message(role="user", content="Hello"),
        Message(role="assistant", content=None, tool_calls=[{"id": "1"}]),
        Message(role="tool", content="result"),
        Message(role="assistant", content="Hi."),
    ]
    for _ in range(2):
        store.process(messages, user_id=user_id, session_id="monday")
    assert turns(client, user_id, "monday") == expected


def test_a_long_message_becomes_several_turns(store: VademecumLearningStore, client: Client, user_id: str) -> None:
    text = "Pâté " * 20_000
    store.process([Message(role="user", content=text)], user_id=user_id, session_id="monday")
    assert "".join(content for _, content in turns(client, user_id, "monday")) == text


@pytest.mark.parametrize("is_async", [False, True])
def test_an_agent_remembers_earlier_sessions(
    store: VademecumLearningStore, client: Client, user_id: str, is_async: bool
) -> None:
    model = ScriptedModel()
    for session_id, text in (("monday", "I am allergic to hazelnuts"), ("tuesday", "Are hazelnuts fine?")):
        agent = agent_with(store, model)
        if is_async:
            asyncio.run(agent.arun(text, user_id=user_id, session_id=session_id))
        else:
            agent.run(text, user_id=user_id, session_id=session_id)
    assert "Notes about" not in model.requests[0]
    assert "user: I am allergic to hazelnuts" in model.requests[1]
    assert turns(client, user_id, "monday") == [("user", "I am allergic to hazelnuts")]


def test_a_model_uses_the_tools_of_the_server(store: VademecumLearningStore, client: Client, user_id: str) -> None:
    model = ScriptedModel(("add_memory", {"content": "Ada likes tea"}), "Done")
    reply = agent_with(store, model).run("I like tea", user_id=user_id, session_id="monday")
    assert reply.content == "Done"
    assert {"add_memory", "search_memory"} <= set(model.tools)
    assert "Ada likes tea" in [it.content for it in client.memories(user_id=user_id, agent_id="guide").get_all().memories]


def test_users_and_agents_have_memories_of_their_own(store: VademecumLearningStore, client: Client, user_id: str) -> None:
    store.process([Message(role="user", content="I like tea")], user_id=user_id)
    other = VademecumLearningStore(client, agent_id="other")
    assert store.recall(user_id=f"{user_id}-b", message="tea?") is None
    assert other.recall(user_id=user_id, message="tea?") is None
    assert store.recall(user_id=user_id, message="tea?") is not None


def test_without_a_user_or_an_agent_nothing_is_done(store: VademecumLearningStore, client: Client) -> None:
    calls: list[Any] = [
        lambda: store.recall(message="tea?"),
        lambda: store.process([Message(role="user", content="tea")]),
        lambda: store.get_tools(),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="user_id is missing"):
            call()
    with pytest.raises(ValueError, match="agent_id is missing"):
        VademecumLearningStore(client, agent_id="")


def test_an_error_of_the_server_reaches_the_caller(user_id: str) -> None:
    with connect("127.0.0.1:1", timeout=1) as client, pytest.raises(VademecumError):
        VademecumLearningStore(client, agent_id="guide").recall(user_id=user_id, message="tea?")


def test_the_program_of_the_readme_prints_what_the_readme_shows(server: Server) -> None:
    run = run_readme(Path(__file__).parents[1] / "README.md", server.address)
    assert run.errors == ""
    assert run.printed == run.shown
